cimport cython
from libc.stdint cimport int32_t, int64_t

from heteronym.itemsets._block_kernels cimport RecordViews

cdef double _record_loss(
    RecordViews group, int64_t r, const int32_t[::1] of_item, const int64_t[::1] size, int64_t[::1] touched,
) except? -9999 nogil
cpdef double utility_loss(
    RecordViews group, const int32_t[::1] of_item, const int64_t[::1] size, int64_t[::1] touched,
) except? -9999 nogil
cdef double utility_gain(
    RecordViews group, int32_t[::1] of_item, int64_t[::1] size, int64_t i, int64_t to, int64_t[::1] marks,
    int64_t tick, int64_t[::1] touched,
) except? -9999 nogil
