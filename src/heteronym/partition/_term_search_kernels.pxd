cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._column_cut_kernels cimport (
    PackedViews, WorkViews, best_cuts, left_of_cut, node_loss, sort_head,
)
from heteronym.partition._search_kernels cimport Cuts, Nodes, split_by_mask
from heteronym.partition._term_kernels cimport (
    frequent_terms, halve_by_alphabet, has_term, loss_of_sides, step_for, weighed_from,
)

cdef double _WORTH

cdef class ListViews:
    cdef int64_t[::1] begins
    cdef int32_t[::1] holders, name, people
    cdef double[::1] mass, share
    cdef int64_t count

cdef class TermViews:
    cdef const int64_t[::1] ptr, length
    cdef const int32_t[::1] codes, numbers
    cdef const double[::1] share
    cdef bint share_of_entry
    cdef int32_t[::1] place
    cdef int64_t[::1] seen

cdef class TriedViews:
    cdef uint8_t[:, ::1] side
    cdef int64_t[::1] few, kind, what, rank, ranks, wanted, listed, looked, key
    cdef uint8_t[::1] is_left, left
    cdef double[::1] after, relational, scores, gains, here, mass, of_all
    cdef double[:, ::1] of_few, of_many
    cdef int make_room(self, int64_t holders) except -1

cdef class TermCuts(Cuts):
    cdef PackedViews packed
    cdef WorkViews work
    cdef TermViews held
    cdef ListViews now, waiting
    cdef TriedViews tried
    cdef const int64_t[:, ::1] firsts
    cdef int64_t[::1] splits
    cdef uint8_t[::1] left, best_left
    cdef int64_t least, n_terms
    cdef double weight, power
    cdef bint is_listed
    cdef int open(self, Nodes nodes) except -1 nogil
    @cython.locals(keep_few=bint)
    cdef int64_t part(self, Nodes nodes, const uint8_t[::1] stop) except? -9999 nogil
    @cython.locals(members=int64_t[::1], looked=int64_t[::1])
    cdef int64_t choose(self, Nodes nodes, int64_t step, const uint8_t[::1] stop) except? -9999 nogil
    @cython.locals(members=int64_t[::1])
    cdef int64_t choose_by_alphabet(self, Nodes nodes) except? -9999 nogil

cdef int64_t _look_at_every(int64_t step, const int64_t[::1] members, int64_t[::1] looked) except? -9999 nogil
cpdef int64_t list_terms(
    const int64_t[::1] members, TermViews held, ListViews now, int64_t least, int64_t[::1] wanted,
) except? -9999 nogil
cdef int64_t take(ListViews waiting, int64_t first, int64_t count, ListViews now) except? -9999 nogil
@cython.locals(is_few=int64_t)
cdef int64_t part_lists(
    ListViews now, int64_t n_terms, ListViews waiting, const uint8_t[:, ::1] side, int64_t cut, int64_t least,
    bint keep_few,
) except? -9999 nogil
cpdef int64_t weigh_cuts(
    const int64_t[::1] members, ListViews now, int64_t n_terms, PackedViews packed, WorkViews work,
    int64_t least, double weight, double power, TriedViews cuts, const uint8_t[::1] stop,
) except? -9999 nogil
cpdef int64_t note(
    const int64_t[::1] members, const uint8_t[::1] left, TriedViews cuts, int64_t cut, int64_t kind,
) except? -9999 nogil
cpdef int tell_left(
    const int64_t[::1] members, const int64_t[::1] looked, TriedViews cuts, int64_t cut, TermViews held,
    PackedViews packed, WorkViews work, uint8_t[::1] left,
) except -1 nogil
cdef int64_t try_columns(
    const int64_t[::1] members, PackedViews packed, WorkViews work, int64_t least, TriedViews cuts,
    const uint8_t[::1] stop,
) except? -9999 nogil
cdef int64_t try_terms(
    const int64_t[::1] members, ListViews now, PackedViews packed, WorkViews work, bint with_columns,
    TriedViews cuts, int64_t n_cuts,
) except? -9999 nogil
@cython.locals(by_holders=int64_t)
cpdef double concentrations(
    int64_t persons, ListViews now, int64_t n_terms, TriedViews cuts, int64_t n_cuts, int64_t least,
    int64_t fewest, double power,
) except? -9999 nogil
cdef int count_sides(
    const int32_t[::1] people, const double[::1] share, int64_t begin, int64_t end,
    const uint8_t[:, ::1] side, double[::1] here, double[::1] mass,
) except -1 nogil
