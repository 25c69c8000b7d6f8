cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._cluster_kernels cimport Node, NodeBoxes
from heteronym.partition._even_cluster_kernels cimport HolderViews, even_clusters
from heteronym.partition._column_cut_kernels cimport (
    PackedViews, WorkViews, forget_ranks, losses_of_cuts, node_loss, sort_head, split_by_rank,
)
from heteronym.statistics._limit_kernels cimport LimitViews, all_hold

cdef int64_t STOPPED

cdef class TallyViews:
    cdef int64_t[::1] whole, left, right, present, bucket, bucket_ptr
    cdef int64_t cut
    cdef bint some

cdef int count_record(int64_t record, HolderViews holders, int64_t[::1] counts) except -1 nogil
cdef int64_t count_node(
    const int64_t[::1] order, int64_t start, int64_t end, HolderViews holders, TallyViews tally,
) except? -9999 nogil
cdef int _into_buckets(
    const int64_t[::1] order, int64_t start, int64_t end, const int32_t[::1] rank_of, const int64_t[::1] place,
    int64_t count, TallyViews tally,
) except -1 nogil
cdef int64_t best_limited_cut(
    LimitViews limits, const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed,
    HolderViews holders, int64_t least, WorkViews work, TallyViews tally, const uint8_t[::1] stop,
) except? -9999 nogil
@cython.locals(order=int64_t[::1], ends=int64_t[::1], roots=int64_t[:,::1], stopped=int64_t[::1], stack=int64_t[:,::1])
cpdef tuple grow_limited(
    limits, strict, packed, holders, int64_t least, int64_t small, int64_t large, work, tally, int64_t[::1] done,
    const uint8_t[::1] stop,
)
@cython.locals(persons=int64_t)
cdef int64_t _grow(
    LimitViews limits, LimitViews strict, int64_t[::1] order, PackedViews packed, HolderViews holders,
    int64_t least, int64_t small, int64_t large, WorkViews work, TallyViews tally, int64_t[::1] ends,
    int64_t[:, ::1] roots, int64_t[::1] stopped, int64_t[:, ::1] stack, int64_t[::1] done,
    const uint8_t[::1] stop,
) except? -9999 nogil
cdef int _push(
    int64_t[:, ::1] stack, int64_t at, int64_t start, int64_t end, int64_t above, int64_t far_above,
) except -1 nogil
cdef int _show(
    const int64_t[::1] order, int64_t start, int64_t end, HolderViews holders, int64_t group,
    int32_t[::1] group_of,
) except -1 nogil
cdef int64_t _run_end(const int64_t[:, ::1] roots, int64_t level, int64_t g) except? -9999 nogil
cdef int64_t _sum(const int64_t[::1] array, int64_t first, int64_t last) except? -9999 nogil
cdef double _sum_losses(const double[::1] losses, int64_t first, int64_t last) except? -9999 nogil
cdef int _weigh(
    const int64_t[::1] order, const int64_t[::1] ends, PackedViews packed, WorkViews work,
    int64_t[::1] persons, double[::1] loss,
) except -1 nogil
@cython.locals(group_of=int32_t[::1], persons=int64_t[::1], loss=double[::1], n_groups=int64_t, total=double, g=int64_t, last=int64_t, level=int64_t, start=int64_t, count=int64_t, lost=double, n_clusters=int64_t, x=int64_t)
cpdef tuple finish_limited(
    limits, const int64_t[::1] order, const int64_t[::1] ends, const int64_t[:, ::1] roots,
    const int64_t[::1] stopped, packed, holders, int64_t least, work, const uint8_t[::1] stop,
)
