cimport cython
from libc.math cimport log
from libc.stdint cimport int32_t, int64_t

cdef int64_t DISTINCT, ENTROPY, RECURSIVE, SHARE, EQUAL, LINE, TREE
cdef double TINY

cdef class LimitViews:
    cdef const int64_t[::1] kind, first, last, at, nodes, children, low, high
    cdef const double[:, ::1] numbers
    cdef const double[::1] reference, gap, height
    cdef int64_t[::1] top

cpdef int count_values(
    const int64_t[:] members, const int64_t[::1] ptr, const int32_t[::1] codes, int64_t[::1] counts, int64_t sign,
) except -1
@cython.locals(away=double)
cdef double _along_line(LimitViews limits, int64_t r, const int64_t[::1] counts, int64_t total) except? -9999 nogil
cdef double _in_tree(LimitViews limits, int64_t r, const int64_t[::1] counts, int64_t total) except? -9999 nogil
cdef int64_t _largest(
    const int64_t[::1] counts, const int64_t[::1] present, int64_t n_present, int64_t first, int64_t last,
    int64_t wanted, int64_t[::1] top,
) except? -9999 nogil
@cython.locals(wanted=int64_t)
cdef double excess(
    LimitViews limits, int64_t r, const int64_t[::1] counts, const int64_t[::1] present, int64_t n_present,
    int64_t persons,
) except? -9999 nogil
cdef double summed_excess(
    LimitViews limits, const int64_t[::1] counts, const int64_t[::1] present, int64_t n_present, int64_t persons,
) except? -9999 nogil
@cython.locals(hold=int64_t)
cpdef bint all_hold(
    LimitViews limits, const int64_t[::1] counts, const int64_t[::1] present, int64_t n_present, int64_t persons,
) except -1 nogil
