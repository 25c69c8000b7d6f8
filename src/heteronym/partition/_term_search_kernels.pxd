cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._column_cut_kernels cimport (
    PackedViews, WorkViews, best_cuts, left_of_cut, node_loss, sort_head, split_by_mask,
)
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

@cython.locals(order=int64_t[::1], group=int32_t[::1], left=uint8_t[::1], best_left=uint8_t[::1], splits=int64_t[::1], pending=int64_t[:,::1])
cpdef tuple grow_with_terms(
    packed, work, held, tuple room, const int64_t[:, ::1] firsts, int64_t least, double weight, int64_t tried,
    double power, int64_t[::1] done, const uint8_t[::1] stop,
)
@cython.locals(looked=int64_t[::1], members=int64_t[::1], n_waiting=int64_t, first=int64_t, is_listed=int64_t, keep_few=int64_t)
cdef int _grow(
    PackedViews packed, WorkViews work, TermViews held, ListViews now, ListViews waiting, TriedViews cuts,
    const int64_t[:, ::1] firsts, int64_t least, double weight, double power, int64_t[::1] order,
    int32_t[::1] group, uint8_t[::1] left, uint8_t[::1] best_left, int64_t[::1] splits,
    int64_t[:, ::1] pending, int64_t[::1] done, const uint8_t[::1] stop,
) except -1 nogil
cdef int _push(
    int64_t[:, ::1] pending, int64_t at, int64_t start, int64_t end, int64_t first, int64_t is_listed,
) except -1 nogil
cdef int64_t _look_at_every(int64_t step, const int64_t[::1] members, int64_t[::1] looked) except? -9999 nogil
cpdef int64_t list_terms(
    const int64_t[::1] members, TermViews held, ListViews now, int64_t least, int64_t[::1] wanted,
) except? -9999 nogil
cdef int64_t take(ListViews waiting, int64_t first, int64_t count, ListViews now) except? -9999 nogil
@cython.locals(is_few=int64_t)
cdef int64_t part(
    ListViews now, int64_t n_terms, ListViews waiting, int64_t n_waiting, const uint8_t[:, ::1] side,
    int64_t cut, int64_t least, bint keep_few,
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
