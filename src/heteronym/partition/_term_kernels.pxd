cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._column_cut_kernels cimport PackedViews, WorkViews, node_loss, sort_head
from heteronym.partition._search_kernels cimport Cuts, Nodes, split_by_mask

cdef int64_t _NO_TERM, _UNCOUNTED, _LOOKED_AT, RARE, _HIGH, _LOW
cdef double INFINITE

cpdef int count_holders(
    const int32_t[::1] codes, const uint8_t[::1] counted, int32_t[::1] holders,
) except -1 nogil
cpdef int keep_common(
    const int64_t[::1] ptr, const int32_t[::1] held, const int32_t[::1] number, int64_t[::1] kept_ptr,
    int32_t[::1] kept, double[::1] share,
) except -1 nogil
cdef int64_t drop_rare(
    int64_t[::1] active, int64_t n_active, const int32_t[::1] holders, int64_t least,
) except? -9999 nogil
cpdef int frequent_terms(
    const int64_t[::1] active, int64_t n_active, const int32_t[::1] holders, const int32_t[::1] name,
    int64_t persons, int64_t least, int64_t[::1] best,
) except -1 nogil
cpdef int64_t step_for(int64_t persons) except? -9999 nogil
cdef int64_t weighed_from(const int64_t[::1] wanted, const int32_t[::1] holders, int64_t least) except? -9999 nogil
cdef int has_term(
    const int64_t[::1] members, const int64_t[::1] ptr, const int64_t[::1] length, const int32_t[::1] terms,
    int64_t term, uint8_t[::1] left,
) except -1 nogil
cdef int keep_frequent(
    const int64_t[::1] members, const int64_t[::1] ptr, int64_t[::1] length, int32_t[::1] terms,
    const int32_t[::1] holders, int64_t least,
) except -1 nogil
cdef double loss_of_sides(
    const int64_t[::1] members, const uint8_t[::1] left, int64_t n_left, PackedViews packed, WorkViews work,
) except? -9999 nogil
@cython.locals(without_terms=bint)
cpdef bint halve_by_alphabet(
    const int64_t[::1] members, const int64_t[:, ::1] firsts, PackedViews packed, WorkViews work,
    int64_t[::1] key, uint8_t[::1] left, uint8_t[::1] best_left,
) except -1 nogil
cdef class FrequencyCuts(Cuts):
    cdef const int64_t[::1] ptr
    cdef int64_t[::1] length, touched, active, best
    cdef int32_t[::1] terms, holders
    cdef const int32_t[::1] name
    cdef uint8_t[::1] left
    cdef int64_t least, n_touched, n_active, n_before
    cdef int open(self, Nodes nodes) except -1 nogil
    @cython.locals(members=int64_t[::1], left_is_few=bint)
    cdef int64_t part(self, Nodes nodes, const uint8_t[::1] stop) except? -9999 nogil
    cdef int close(self, Nodes nodes) except -1 nogil
