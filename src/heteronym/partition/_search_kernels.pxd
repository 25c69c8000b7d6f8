cimport cython
from libc.stdint cimport int64_t, uint8_t

cdef class Nodes:
    cdef int64_t[::1] order, begins, ends, rest
    cdef int64_t[:, ::1] waiting
    cdef int64_t start, end, n_waiting, n_groups, n_done
    cdef int wait(self, int64_t start, int64_t end, int64_t near, int64_t far) except -1 nogil

cdef class Cuts:
    cdef bint larger_first
    cdef int64_t near, far
    cdef int open(self, Nodes nodes) except -1 nogil
    cdef int64_t part(self, Nodes nodes, const uint8_t[::1] stop) except? -9999 nogil
    cdef int close(self, Nodes nodes) except -1 nogil

cdef class AskedCuts(Cuts):
    cdef object ask
    cdef const uint8_t[::1] is_left
    cdef int open(self, Nodes nodes) except -1 nogil
    cdef int64_t part(self, Nodes nodes, const uint8_t[::1] stop) except? -9999 nogil

cpdef tuple grow(
    Cuts cuts, int64_t[::1] order, const int64_t[::1] ends, int64_t[::1] done, const uint8_t[::1] stop,
)
cdef int _walk(Nodes nodes, Cuts cuts, int64_t[::1] done, const uint8_t[::1] stop) except -1 nogil
cdef int64_t split_by_mask(
    int64_t[::1] order, int64_t start, int64_t end, const uint8_t[::1] left, int64_t[::1] rest,
) except? -9999 nogil
