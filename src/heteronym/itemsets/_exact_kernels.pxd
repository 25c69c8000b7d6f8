cimport cython
from libc.stdint cimport int32_t, int64_t

from heteronym.itemsets._block_kernels cimport RecordViews
from heteronym.itemsets._utility_kernels cimport utility_loss

cdef class Tried:
    cdef int32_t[::1] of_item
    cdef int64_t[::1] size, blocks, held, touched, of_block
    cdef double[::1] mass, loss
    cdef int64_t[:, ::1] shared

cdef int _contained(int64_t[::1] held, int64_t blocks) except -1 nogil
cdef bint is_clean(
    RecordViews group, const int32_t[::1] of_item, int64_t blocks, int64_t m, int64_t k, int64_t l,
    int64_t[::1] held, int64_t[:, ::1] shared,
) except -1 nogil
@cython.locals(best=int64_t[::1])
cpdef tuple best_blocks(
    RecordViews group, const int64_t[::1] start, double start_loss, int64_t m, int64_t k, int64_t l, bint by_ul,
)
cdef double _walk(
    RecordViews group, int64_t[::1] best, double least, int64_t m, int64_t k, int64_t l, bint by_ul, Tried tried,
) except? -9999 nogil
