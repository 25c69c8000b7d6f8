cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

cdef int64_t NEAR

@cython.locals(ends=int64_t[::1], dealt=int32_t[::1], ptr=int64_t[::1], begins=int64_t[::1], spare=int32_t[::1], runs=int64_t[::1], found=int32_t[::1], times=int32_t[::1], most=int64_t, different=int64_t)
cpdef tuple ordered_pairs(const int64_t[::1] owner, const int32_t[::1] code, int64_t owners)
cdef int64_t _count_codes(const int64_t[::1] owner, int64_t[::1] ends) except? -9999 nogil
cdef int64_t _deal(
    const int64_t[::1] owner, const int32_t[::1] code, const int64_t[::1] begins, int64_t[::1] ends,
    int32_t[::1] dealt, int32_t[::1] spare, int64_t[::1] runs, int64_t[::1] ptr,
) except? -9999 nogil
cdef int _count_times(
    const int64_t[::1] begins, const int64_t[::1] ends, const int32_t[::1] dealt, const int64_t[::1] ptr,
    int32_t[::1] found, int32_t[::1] times,
) except -1 nogil
cdef int _put_in_order(int32_t[::1] codes, int32_t[::1] spare, int64_t[::1] runs) except -1 nogil
cpdef int find_places(
    const int64_t[::1] group, const int32_t[::1] code, const int64_t[::1] ptr, const int32_t[::1] codes,
    int32_t[::1] found,
) except -1 nogil
@cython.locals(slots=int32_t[::1], number=int32_t[::1], first=int32_t[::1])
cpdef tuple numbered(const uint64_t[::1] values, int64_t room)
@cython.locals(slot=int64_t)
cdef int64_t _number(
    const uint64_t[::1] values, int32_t[::1] slots, int32_t[::1] number, int32_t[::1] first,
) except? -9999 nogil
