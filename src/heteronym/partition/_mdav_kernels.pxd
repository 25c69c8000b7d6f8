cimport cython
from libc.math cimport isnan
from libc.stdint cimport int32_t, int64_t, uint8_t

cdef double NOT_A_NUMBER

@cython.locals(total=double)
cpdef int distances(
    const double[:, ::1] numbers, const int32_t[:, ::1] names, const double[::1] number_weight,
    const double[::1] name_weight, const int64_t[::1] left, int64_t count, const double[::1] number,
    const int32_t[::1] name, double[::1] out,
) except -1 nogil
@cython.locals(total=double)
cpdef int centre(
    const double[:, ::1] numbers, const int32_t[:, ::1] names, const int64_t[::1] left, int64_t count,
    int64_t[::1] counts, double[::1] number, int32_t[::1] name,
) except -1 nogil
cpdef int64_t take_nearest(
    const double[::1] distance, int64_t[::1] left, int64_t count, int64_t[::1] best, int32_t[::1] group,
    int64_t number,
) except? -9999 nogil
cdef int64_t farthest(const double[::1] distance, int64_t count) except? -9999 nogil
@cython.locals(group=int32_t[::1], left=int64_t[::1], distance=double[::1], number=double[::1], name=int32_t[::1], counts=int64_t[::1], best=int64_t[::1])
cpdef object microaggregate(
    const double[:, ::1] numbers, const int32_t[:, ::1] names, const double[::1] number_weight,
    const double[::1] name_weight, int64_t codes, int64_t k, int64_t[::1] done, const uint8_t[::1] stop,
)
@cython.locals(several=int64_t)
cdef int _group(
    const double[:, ::1] numbers, const int32_t[:, ::1] names, const double[::1] number_weight,
    const double[::1] name_weight, int64_t k, int32_t[::1] group, int64_t[::1] left, double[::1] distance,
    double[::1] number, int32_t[::1] name, int64_t[::1] counts, int64_t[::1] best, int64_t[::1] done,
    const uint8_t[::1] stop,
) except -1 nogil
