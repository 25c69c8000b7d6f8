cimport cython
from libc.stdint cimport int64_t, uint8_t

from heteronym.privacy._pair_kernels cimport (
    ONCE, TIMES, TWICE, ElementViews, Table, accuse, count_pairs, is_rare, list_features, make_room, room_for, slot,
)

cdef int64_t _DEAR, _PLACE

cdef class Lists:
    cdef int64_t[::1] person, person_times, row, row_times, last_cell, guilty, features, partners

cdef class Moves:
    cdef int64_t[::1] moved, to, was, back, back_round, closing, closing_of, affected, again, is_holder, sources
    cdef uint8_t[::1] is_closing
    cdef int64_t mark, round, backs, first_closing, closings, weight

cdef int64_t _source(int64_t e, ElementViews g) except? -9999 nogil
cdef int64_t _label(int64_t o, ElementViews g) except? -9999 nogil
@cython.locals(many=int64_t, cost=int64_t)
cdef int64_t _walk_person(
    int64_t p, int64_t sign, bint whole, int64_t target, ElementViews g, Table t, Lists lists, Moves moves,
) except? -9999 nogil
cdef int64_t _count_or_close(
    int64_t n, int64_t first, int64_t last, int64_t p, bint row_level, int64_t sign, bint whole, int64_t target,
    int64_t cost, ElementViews g, Table t, Lists lists, Moves moves,
) except? -9999 nogil
cdef int64_t _labels_of_row(int64_t first, int64_t p, ElementViews g, Lists lists) except? -9999 nogil
cdef int64_t _add_row(
    int64_t many, int64_t many_here, int64_t[::1] plist, int64_t[::1] ptimes, const int64_t[::1] rlist,
    int64_t[::1] rtimes,
) except? -9999 nogil
cdef int64_t _next_row(int64_t first, int64_t p, ElementViews g) except? -9999 nogil
cdef int64_t _close(
    int64_t first, int64_t last, int64_t p, int64_t cost, ElementViews g, int64_t[::1] guilty, Moves moves,
) except? -9999 nogil
@cython.locals(was=int64_t, is_=int64_t, place=int64_t)
cdef int _put(int64_t e, int64_t rung, ElementViews g) except -1 nogil
cdef int64_t _holders(
    const int64_t[::1] elements, int64_t many, int64_t[::1] people, int64_t[::1] is_holder, int64_t mark,
    ElementViews g,
) except? -9999 nogil
@cython.locals(fewer=int64_t)
cdef int64_t _rarest(int64_t p, Moves moves, ElementViews g) except? -9999 nogil
cdef bint _mend(
    int64_t people, bint whole, int64_t c, ElementViews g, Table t, Lists lists, Moves moves,
) except -1 nogil
@cython.locals(before=int64_t, cost=int64_t)
cdef int _mend_person(
    int64_t p, bint whole, int64_t c, int64_t price, ElementViews g, Table t, Lists lists, Moves moves,
) except -1 nogil
@cython.locals(x=int64_t)
cpdef refine(
    const int64_t[::1] order, const int64_t[::1] label_ptr, const int64_t[::1] label_element,
    const int64_t[::1] label_rung, g, int64_t rounds, const uint8_t[::1] stop,
)
cdef int64_t _try_label(
    int64_t c, const int64_t[::1] label_ptr, const int64_t[::1] label_element, const int64_t[::1] label_rung,
    ElementViews g, int64_t rounds, Table t, Lists lists, Moves moves,
) except? -9999 nogil
cdef int _move(
    int64_t c, int64_t many, bint whole, int64_t opens, ElementViews g, int64_t rounds, Table t, Lists lists,
    Moves moves,
) except -1 nogil
cdef int _redo(bint whole, ElementViews g, Table t, Lists lists, Moves moves) except -1 nogil
cdef int _undo(int64_t many, int64_t opens, ElementViews g, Table t, Moves moves) except -1 nogil
cdef bint _all_fit(ElementViews g, Table t) except -1 nogil
