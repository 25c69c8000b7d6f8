cimport cython
from libc.stdint cimport int64_t, uint8_t

cpdef int pool(
    const int64_t[::1] run_ptr, const int64_t[::1] run_size, const int64_t[::1] offer_place,
    const int64_t[::1] place_ptr, const int64_t[::1] person, const int64_t[::1] columns,
    uint8_t[::1] settled, uint8_t[::1] taken, int64_t[::1] seen, int64_t[::1] shows,
) except -1 nogil
