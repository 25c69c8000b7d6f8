cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from heteronym.partition._shape_kernels cimport SET, ShapeViews, range_loss

cdef double INFINITE
cdef int32_t _LARGEST
cdef uint64_t _PAIRS, _FOURS, _BYTES, _SUM

cdef class BoxViews:
    cdef int32_t[:, ::1] low, high
    cdef uint64_t[:, ::1] bits

cdef int64_t _ones(uint64_t word) noexcept nogil
cdef int make_empty(BoxViews boxes, int64_t i) except -1 nogil
cdef bint widen(BoxViews boxes, int64_t i, BoxViews others, int64_t j) except -1 nogil
cpdef tuple boxes_of(const int64_t[::1] cluster, int64_t count, low, high, bits)
cdef int _widen_all(const int64_t[::1] cluster, BoxViews boxes, BoxViews persons) except -1 nogil
cdef double union_loss(
    ShapeViews shapes, BoxViews boxes, int64_t i, BoxViews others, int64_t j, int64_t first,
) except? -9999 nogil
cpdef object box_losses(shapes, low, high, bits)
cdef int _fill_losses(ShapeViews shapes, BoxViews boxes, double[::1] out) except -1 nogil
cpdef object union_losses(shapes, int64_t seed, const uint8_t[::1] alive, low, high, bits)
cdef int _fill_union_losses(
    ShapeViews shapes, BoxViews boxes, int64_t seed, const uint8_t[::1] alive, double[::1] out,
) except -1 nogil
@cython.locals(cluster=int64_t[::1], free=int64_t[::1], place=int64_t[::1], heap_cost=double[::1], heap_who=int64_t[::1], box_start=double[::1], box_end=double[::1])
cpdef tuple nearest_clusters(
    shapes, const double[:, ::1] start, const double[:, ::1] end, low, high, bits, const int64_t[::1] order,
    int64_t k, bint greedy, const uint8_t[::1] stop,
)
cdef int64_t _cluster_nearest(
    ShapeViews shapes, const double[:, ::1] start, const double[:, ::1] end, BoxViews persons,
    const int64_t[::1] order, int64_t k, bint greedy, int64_t[::1] cluster, int64_t[::1] free,
    int64_t[::1] place, double[::1] heap_cost, int64_t[::1] heap_who, double[::1] box_start,
    double[::1] box_end, BoxViews box, const uint8_t[::1] stop,
) except? -9999 nogil
@cython.locals(cost=double)
cdef int64_t _find_nearest(
    ShapeViews shapes, const double[:, ::1] start, const double[:, ::1] end, BoxViews persons, int64_t take,
    int64_t left, const int64_t[::1] free, double[::1] heap_cost, int64_t[::1] heap_who,
    const double[::1] box_start, const double[::1] box_end, BoxViews box,
) except? -9999 nogil
cpdef double item_distance(
    const int64_t[::1] ptr, const int32_t[::1] codes, int64_t a, int64_t b,
) except? -9999 nogil
cdef double _widest(
    const int64_t[::1] ptr, const int32_t[::1] codes, int64_t first, int64_t second, const int64_t[::1] after,
    double best,
) except? -9999 nogil
@cython.locals(out=double[::1])
cpdef object own_spreads(
    const int64_t[::1] ptr, const int32_t[::1] codes, const int64_t[::1] head, const int64_t[::1] after,
)
@cython.locals(out=double[::1])
cpdef object union_spreads(
    int64_t seed, const uint8_t[::1] alive, const double[::1] spread, const int64_t[::1] ptr,
    const int32_t[::1] codes, const int64_t[::1] head, const int64_t[::1] after,
)
cpdef object cut_losses(shapes, low, high, bits, const int64_t[::1] members)
cdef int _fill_cut_losses(
    ShapeViews shapes, BoxViews boxes, BoxViews around, const int64_t[::1] members, double[::1] out,
) except -1 nogil
cpdef object losses_without(shapes, low, high, bits, const int64_t[::1] kind, int64_t kinds)
cdef int _fill_losses_without(
    ShapeViews shapes, BoxViews boxes, BoxViews around, const int64_t[::1] kind, double[::1] out,
) except -1 nogil
