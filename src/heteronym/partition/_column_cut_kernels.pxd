cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._shape_kernels cimport SET, ShapeViews, range_loss

cdef int64_t _HIGH, _LOW, _MOST

cdef class PackedViews(ShapeViews):
    cdef const int64_t[::1] weight
    cdef const int32_t[:, ::1] sets, ranks, codes
    cdef const int64_t[:, ::1] ptr

cdef class WorkViews:
    cdef int64_t[::1] place, touched, weight_at, low, high, first, last, seen, rest, copied
    cdef double[::1] left_loss, right_loss
    cdef uint8_t[::1] left
    cdef int64_t persons  # second results of kernels
    cdef double lost

cpdef int sort_head(int64_t[::1] array, int64_t count) except -1 nogil
cpdef int64_t rank_node(
    const int64_t[::1] order, int64_t start, int64_t end, const int32_t[::1] rank_of, const int64_t[::1] weight,
    bint by_weight, int64_t[::1] touched, int64_t[::1] place,
) except? -9999 nogil
cdef int order_ranks(int64_t[::1] touched, int64_t count, bint by_weight, int64_t[::1] place) except -1 nogil
cdef int forget_ranks(int64_t[::1] touched, int64_t count, int64_t[::1] place) except -1 nogil
cdef int64_t number_ranks(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, int64_t a, WorkViews work,
) except? -9999 nogil
cdef int64_t spread_along(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, int64_t a, int64_t b,
    int64_t count, WorkViews work,
) except? -9999 nogil
cdef int64_t _spread_of_names(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, int64_t a, int64_t b,
    WorkViews work,
) except? -9999 nogil
cdef int add_losses(PackedViews packed, int64_t b, int64_t count, int64_t n_seen, WorkViews work) except -1 nogil
cdef int _add_losses_of_names(
    double share, double size, int64_t count, int64_t n_seen, WorkViews work,
) except -1 nogil
cdef int _add_losses_of_codes(PackedViews packed, int64_t b, int64_t count, WorkViews work) except -1 nogil
cdef int clear_losses(int64_t count, WorkViews work) except -1 nogil
cdef int64_t losses_of_cuts(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, int64_t a, WorkViews work,
) except? -9999 nogil
cdef int best_cut(
    int64_t a, int64_t count, int64_t least, WorkViews work, double[::1] gains, int64_t[::1] cuts,
) except -1 nogil
cpdef int best_cuts(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, int64_t least, WorkViews work,
    double[::1] gains, int64_t[::1] cuts, const uint8_t[::1] stop,
) except -1 nogil
cpdef int left_of_cut(
    const int64_t[::1] members, const int64_t[::1] ranked, PackedViews packed, int64_t a, int64_t cut,
    uint8_t[::1] left, WorkViews work,
) except -1 nogil
cdef int64_t split_by_mask(
    int64_t[::1] order, int64_t start, int64_t end, const uint8_t[::1] left, int64_t[::1] rest,
) except? -9999 nogil
cdef int64_t split_by_rank(
    int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, int64_t a, int64_t cut, WorkViews work,
) except? -9999 nogil
@cython.locals(lo=int64_t, hi=int64_t)
cpdef double node_loss(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, WorkViews work,
) except? -9999 nogil
@cython.locals(ends=int64_t[::1], root=int64_t[::1], gains=double[::1], cuts=int64_t[::1], stack=int64_t[:,::1])
cpdef tuple grow_by_gain(
    int64_t[::1] order, const int64_t[::1] nodes, packed, int64_t least, int64_t small, work, int64_t[::1] done,
    const uint8_t[::1] stop,
)
@cython.locals(persons=int64_t)
cdef int64_t _grow(
    int64_t[::1] order, const int64_t[::1] nodes, PackedViews packed, int64_t least, int64_t small,
    WorkViews work, int64_t[::1] ends, int64_t[::1] root, double[::1] gains, int64_t[::1] cuts,
    int64_t[:, ::1] stack, int64_t[::1] done, const uint8_t[::1] stop,
) except? -9999 nogil
cdef int push(int64_t[:, ::1] stack, int64_t at, int64_t start, int64_t end, int64_t above) except -1 nogil
