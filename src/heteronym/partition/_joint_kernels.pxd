cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._box_kernels cimport BoxViews, union_loss, widen
from heteronym.partition._shape_kernels cimport ShapeViews

cdef double INFINITE

cpdef int count_members(
    const int64_t[::1] members, const int64_t[::1] ptr, const int32_t[::1] codes, const double[::1] weight,
    int32_t[::1] count, double[::1] summed,
) except -1 nogil
cpdef double kept_of(
    const int64_t[::1] members, const int64_t[::1] ptr, const int32_t[::1] codes, int64_t least,
    const int32_t[::1] count, const double[::1] summed,
) except? -9999 nogil
@cython.locals(out=double[::1])
cpdef object kept_along(
    const int64_t[::1] order, int64_t upto, const int64_t[::1] ptr, const int32_t[::1] codes,
    const double[::1] weight, const int32_t[::1] whole_count, const double[::1] whole_sum, double kept,
    int64_t least, int32_t[::1] count, double[::1] summed,
)
@cython.locals(holders=int32_t[:,::1], summed=float[:,::1])
cpdef tuple group_counts(
    const int64_t[::1] group, int64_t count, int64_t elements, const int64_t[::1] ptr,
    const int32_t[::1] codes, const double[::1] weight,
)
cdef int _list_held(
    const int32_t[:, ::1] holders, int64_t g, int32_t[:, ::1] held, int64_t[::1] many,
) except -1 nogil
@cython.locals(total=double)
cdef double _gain(
    const int32_t[:, ::1] holders, const float[:, ::1] summed, const int32_t[:, ::1] held,
    const int64_t[::1] many, int64_t a, int64_t b, int64_t least,
) except? -9999 nogil
@cython.locals(alive=uint8_t[::1], goes=int64_t[::1], held=int32_t[:,::1], many=int64_t[::1], gain=double[:,::1], cost=double[:,::1])
cpdef object merge_back(
    int32_t[:, ::1] holders, float[:, ::1] summed, int64_t[::1] sizes, shapes, low, high, bits,
    double[::1] loss, double total, double bound, int64_t least,
    const uint8_t[::1] stop,
)
cdef int _merge(
    int32_t[:, ::1] holders, float[:, ::1] summed, int64_t[::1] sizes, ShapeViews shapes,
    BoxViews boxes, double[::1] loss, double total,
    double bound, int64_t least, uint8_t[::1] alive, int64_t[::1] goes, int32_t[:, ::1] held,
    int64_t[::1] many, double[:, ::1] gain, double[:, ::1] cost, const uint8_t[::1] stop,
) except -1 nogil
