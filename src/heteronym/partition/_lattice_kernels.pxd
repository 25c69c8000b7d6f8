cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef uint64_t _BASIS, _PRIME, _WORD

@cython.locals(cell=int64_t[::1], left=int64_t[::1], seen=int64_t[::1], key_of=uint64_t[::1], persons=int64_t[::1], number=int64_t[::1], slot_of=int64_t[::1])
cpdef tuple settle_on_lattice(
    const int32_t[:, :, ::1] nodes, const int64_t[::1] weight, const int64_t[:, ::1] vectors, int64_t least,
    int64_t visits, const uint8_t[::1] stop,
)
@cython.locals(slot=int64_t, key=uint64_t, large=bint)
cdef int64_t _settle(
    const int32_t[:, :, ::1] nodes, const int64_t[::1] weight, const int64_t[:, ::1] vectors, int64_t least,
    int64_t visits, int64_t[::1] cell, int64_t[::1] left, int64_t[::1] seen, uint64_t[::1] key_of,
    int64_t[::1] persons, int64_t[::1] number, int64_t[::1] slot_of, const uint8_t[::1] stop,
) except? -9999 nogil
@cython.locals(key=uint64_t, node=uint64_t)
cdef uint64_t _key(
    const int32_t[:, :, ::1] nodes, const int64_t[:, ::1] vectors, int64_t v, int64_t i,
) except? 9999 nogil
