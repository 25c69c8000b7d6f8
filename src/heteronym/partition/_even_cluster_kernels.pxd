cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._cluster_kernels cimport (
    Node, NodeBoxes, empty, empty_boxes, far_from, join, localize, loss_with,
)
from heteronym.partition._column_cut_kernels cimport PackedViews, WorkViews
from heteronym.partition._shape_kernels cimport SET, ShapeViews, range_loss
from heteronym.statistics._limit_kernels cimport LimitViews, all_hold, summed_excess

cdef double INFINITE, MISSED, SPENT
cdef int64_t ASKED

cdef class HolderViews:
    cdef const int64_t[::1] unit_ptr, weight, holding, slot_ptr, ptr
    cdef const int32_t[::1] codes

cdef class Pool:
    cdef int64_t[::1] unit, record, free, shown, first, waiting, label, held, values
    cdef uint8_t[::1] seen
    cdef double[::1] fair, price
    cdef int64_t n_held

cdef class Drawn:
    cdef int64_t[::1] persons, head, after, taken, amount, counts, present
    cdef double[::1] loss, added
    cdef int64_t used

@cython.locals(count=int64_t)
cdef double _loss_below(
    int64_t i, int64_t c, Node node, ShapeViews shapes, NodeBoxes boxes, double cost, double bound,
) except? -9999 nogil
cdef int64_t _count(
    int64_t h, int64_t amount, HolderViews holders, Drawn drawn, int64_t n_present,
) except? -9999 nogil
cdef int _uncount(int64_t h, int64_t amount, HolderViews holders, Drawn drawn) except -1 nogil
cdef int _forget(Drawn drawn, int64_t n_present) except -1 nogil
cdef int64_t _count_cluster(int64_t c, Drawn drawn, Pool pool, HolderViews holders) except? -9999 nogil
cdef int64_t _units_of(const int64_t[::1] order, int64_t start, int64_t end, HolderViews holders) except? -9999
cdef int64_t _fill(
    Pool pool, const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, HolderViews holders,
) except? -9999
cdef int _take(
    int64_t c, int64_t x, int64_t amount, Drawn drawn, Pool pool, HolderViews holders, Node node,
    ShapeViews shapes, NodeBoxes boxes,
) except -1 nogil
cdef int64_t _nearest(
    int64_t c, HolderViews holders, Pool pool, Node node, ShapeViews shapes, NodeBoxes boxes,
) except? -9999 nogil
cdef int _set_prices(
    LimitViews limits, HolderViews holders, Drawn drawn, int64_t n_present, int64_t persons, Pool pool,
    int64_t left,
) except -1 nogil
cdef int64_t _take_from(
    LimitViews limits, int64_t i, int64_t c, Drawn drawn, Pool pool, HolderViews holders, int64_t n_present,
    Node node, ShapeViews shapes, NodeBoxes boxes,
) except? -9999 nogil
@cython.locals(closed=int64_t)
cdef bint _draw(
    LimitViews limits, int64_t seed, int64_t c, int64_t least, int64_t left, Drawn drawn, Pool pool,
    HolderViews holders, Node node, ShapeViews shapes, NodeBoxes boxes,
) except -1 nogil
cdef bint _may_take(
    LimitViews limits, int64_t c, int64_t x, Drawn drawn, Pool pool, HolderViews holders,
) except -1 nogil
cdef int64_t _join_hosts(
    LimitViews limits, int64_t count, Drawn drawn, Pool pool, HolderViews holders, Node node,
    ShapeViews shapes, NodeBoxes boxes,
) except? -9999 nogil
cdef double _union_loss(int64_t c, int64_t d, ShapeViews shapes, NodeBoxes boxes) except? -9999 nogil
cdef int _swallow(int64_t c, int64_t d, Drawn drawn, NodeBoxes boxes) except -1 nogil
cdef int _settle_rest(
    LimitViews limits, int64_t least, int64_t rest, Drawn drawn, Pool pool, HolderViews holders, Node node,
    ShapeViews shapes, NodeBoxes boxes,
) except -1 nogil
cdef int64_t _show(
    int64_t count, Drawn drawn, Pool pool, HolderViews holders, int64_t first_group, int32_t[::1] group_of,
) except? -9999 nogil
cdef int _give_back(int64_t c, Drawn drawn, Pool pool, HolderViews holders, NodeBoxes boxes) except -1 nogil
cdef int64_t even_clusters(
    LimitViews limits, const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed,
    HolderViews holders, int64_t least, WorkViews work, double bound, int64_t first_group,
    int32_t[::1] group_of, Node node, NodeBoxes boxes, const uint8_t[::1] stop,
) except? -9999
cdef int64_t _cluster_evenly(
    LimitViews limits, const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed,
    HolderViews holders, int64_t least, WorkViews work, int64_t people, Pool pool, Drawn drawn, Node node,
    NodeBoxes boxes, const uint8_t[::1] stop,
) except? -9999 nogil
