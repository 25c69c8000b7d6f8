cimport cython
from libc.math cimport log
from libc.stdint cimport int32_t, int64_t, uint64_t

from heteronym.itemsets._block_kernels cimport (
    BlockViews, RecordViews, Scratch, bad_set, cell, fill_supports, forget_triples, in_cube, settle_move,
    total_loss, violations, weigh,
)
from heteronym.itemsets._utility_kernels cimport utility_gain, utility_loss

cdef int64_t CANDIDATES
cdef bint LOOK, MAKE
cdef double INFINITE, _STEPS
cdef uint64_t _WORD, _FACTOR, _START

cdef class Walk:
    cdef int64_t[::1] marks, touched, live, where

@cython.locals(partner=int64_t[::1], price=double[::1])
cpdef int64_t merge_until_clean(
    RecordViews group, BlockViews blocks, int64_t m, int64_t k, int64_t l, double penalty,
) except? -9999
cdef int64_t _merge(
    RecordViews group, BlockViews blocks, int64_t m, int64_t k, int64_t l, double penalty, Scratch scratch,
    int64_t[::1] partner, double[::1] price,
) except? -9999 nogil
cdef int64_t _worst(BlockViews blocks, int64_t k, int64_t l, const int64_t[::1] vb) except? -9999 nogil
cdef int64_t _cheapest(
    int64_t g, BlockViews blocks, double penalty, int64_t[::1] partner, double[::1] price,
) except? -9999 nogil
cdef int64_t _removed(
    int64_t g, int64_t h, BlockViews blocks, int64_t m, int64_t k, int64_t l,
) except? -9999 nogil
cdef uint64_t _next(uint64_t state) noexcept nogil
@cython.locals(best_block=int32_t[::1])
cpdef tuple anneal(
    RecordViews group, BlockViews blocks, int64_t m, int64_t k, int64_t l, int64_t budget, double unit,
    int64_t seed, double heat, double toll, bint by_ul,
)
@cython.locals(state=uint64_t, i=int64_t, a=int64_t, b=int64_t, pick=int64_t, accepted=int64_t)
cdef double _anneal(
    RecordViews group, BlockViews blocks, int64_t m, int64_t k, int64_t l, int64_t budget, double unit,
    uint64_t seed, double heat, double toll, bint by_ul, Scratch scratch, Walk walk, int32_t[::1] best_block,
) except? -9999 nogil
