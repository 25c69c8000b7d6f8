cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._search_kernels cimport Cuts, Nodes, split_by_mask
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

cdef class ColumnCuts(Cuts):
    cdef PackedViews packed
    cdef WorkViews work
    cdef int64_t least, small, large, n_roots, persons, cut
    cdef int64_t[:, ::1] roots
    cdef double[::1] gains
    cdef int64_t[::1] cuts
    cdef int64_t part(self, Nodes nodes, const uint8_t[::1] stop) except? -9999 nogil
    cdef int64_t choose(self, Nodes nodes, const uint8_t[::1] stop) except? -9999 nogil
    cdef int close(self, Nodes nodes) except -1 nogil

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
cdef int64_t split_by_rank(
    int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, int64_t a, int64_t cut, WorkViews work,
) except? -9999 nogil
@cython.locals(lo=int64_t, hi=int64_t)
cpdef double node_loss(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, WorkViews work,
) except? -9999 nogil
