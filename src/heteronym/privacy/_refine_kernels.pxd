cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef int64_t _EMPTY, _DEAR, _TIMES, _TWICE, _ONCE, _PLACE
cdef double _SELDOM
cdef uint64_t _SPREAD, _WORD

cdef class ElementViews:
    cdef const int64_t[::1] ptr, row, cell, element, place, at_ptr, at, person, ladder_ptr, ladder, mask, root, worth
    cdef int64_t[::1] rung, hidden
    cdef const uint8_t[::1] masks_show, counted, everywhere, event
    cdef uint8_t[::1] free, changed, moves, closed
    cdef bint by_row
    cdef int64_t least, floor, masks

cdef class Table:
    cdef int64_t[::1] keys, seen, mark, touched
    cdef int32_t[::1] count, before
    cdef int64_t n_touched, used, move, stamp
    cdef int make(self, int64_t size) except -1
    cdef int grow(self, int64_t size) except -1

cdef class Lists:
    cdef int64_t[::1] person, person_times, row, row_times, last_cell, guilty

cdef class Moves:
    cdef int64_t[::1] moved, to, was, back, back_round, closing, closing_of, affected, again, is_holder, sources
    cdef uint8_t[::1] is_closing
    cdef int64_t mark, round, backs, first_closing, closings, weight

@cython.locals(spread=uint64_t, at=int64_t)
cdef int64_t _slot(Table t, int64_t key) except? -9999 nogil
cdef int _make_room(Table t, int64_t need) except -1 nogil
cdef int64_t _room_for(int64_t p, ElementViews g) except? -9999 nogil
cdef bint _is_rare(int64_t at, ElementViews g, Table t) except -1 nogil
cdef int _count(int64_t key, bint row_level, int64_t sign, Table t) except -1 nogil
cdef int64_t _note(
    const int64_t[::1] labels, int64_t many, const int64_t[::1] times, bint row_level, bint whole,
    int64_t sign, ElementViews g, Table t,
) except? -9999 nogil
cdef bint _accuse(
    const int64_t[::1] labels, int64_t many, const int64_t[::1] times, bint row_level, bint whole,
    int64_t target, ElementViews g, Table t, int64_t[::1] guilty,
) except -1 nogil
cdef bint _blame_second(int64_t a, int64_t b, int64_t target, ElementViews g) except -1 nogil
cdef int64_t _source(int64_t e, ElementViews g) except? -9999 nogil
cdef int64_t _label(int64_t o, ElementViews g) except? -9999 nogil
cdef int _note_person(int64_t p, int64_t sign, bint whole, ElementViews g, Table t, Lists lists) except -1 nogil
cdef int64_t _labels_of_row(int64_t first, int64_t p, ElementViews g, Lists lists) except? -9999 nogil
cdef int64_t _add_row(
    int64_t many, int64_t many_here, int64_t[::1] plist, int64_t[::1] ptimes, const int64_t[::1] rlist,
    int64_t[::1] rtimes,
) except? -9999 nogil
cdef int64_t _next_row(int64_t first, int64_t p, ElementViews g) except? -9999 nogil
cdef int64_t _find_rare(
    int64_t p, bint whole, int64_t target, ElementViews g, Table t, Lists lists, Moves moves,
) except? -9999 nogil
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
