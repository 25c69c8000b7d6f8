cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

cdef class RecordViews:
    cdef const int64_t[::1] ptr, weight, iptr, sptr
    cdef const int32_t[::1] codes, irec, sens, domain
    cdef const double[::1] mass
    cdef const uint8_t[::1] stop
    cdef int64_t kinds, work

cdef class BlockViews:
    cdef int32_t[::1] of_item
    cdef const int32_t[::1] domain
    cdef int64_t[::1] size
    cdef double[::1] mass
    cdef int32_t[:, ::1] pair
    cdef int32_t[:, :, ::1] share, cube

cdef class Scratch:
    cdef int64_t[:, ::1] ones, touched
    cdef int64_t[:, :, ::1] share, pairs
    cdef int64_t[::1] stamp, seen, violated

cdef int64_t bad_set(int64_t count, int64_t most, int64_t k, int64_t l) noexcept nogil
@cython.locals(most=int64_t)
cdef int64_t cell(BlockViews blocks, int64_t a, int64_t b, int64_t k, int64_t l) except? -9999 nogil
cdef int64_t in_cube(BlockViews blocks, int64_t a, int64_t b, int64_t c) except? -9999 nogil
cdef int add_to_cube(BlockViews blocks, int64_t a, int64_t b, int64_t c, int64_t persons) except -1 nogil
cpdef int64_t count_supports(RecordViews group, BlockViews blocks, int64_t m, int64_t k, int64_t l) except? -9999
cdef int64_t fill_supports(
    RecordViews group, BlockViews blocks, int64_t m, int64_t k, int64_t l, Scratch scratch,
) except? -9999 nogil
cpdef int64_t violations(
    BlockViews blocks, int64_t m, int64_t k, int64_t l, int64_t[::1] vb,
) except? -9999 nogil
cdef int64_t weigh(
    int64_t i, int64_t to, RecordViews group, BlockViews blocks, int64_t m, Scratch scratch,
) except? -9999 nogil
@cython.locals(most_before=int64_t, most_after=int64_t, new=int64_t)
cdef int64_t settle_move(
    int64_t a, int64_t b, BlockViews blocks, int64_t m, int64_t k, int64_t l, Scratch scratch,
    int64_t triples, int64_t[::1] vb, bint apply,
) except? -9999 nogil
cdef int forget_triples(Scratch scratch, int64_t triples) except -1 nogil
cpdef double total_loss(BlockViews blocks) except? -9999 nogil
