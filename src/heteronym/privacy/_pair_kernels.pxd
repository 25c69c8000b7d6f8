cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

cdef int64_t _EMPTY, TIMES, TWICE, ONCE
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

@cython.locals(spread=uint64_t, at=int64_t)
cdef int64_t slot(Table t, int64_t key) except? -9999 nogil
cdef int make_room(Table t, int64_t need) except -1 nogil
cdef int64_t room_for(int64_t p, ElementViews g) except? -9999 nogil
cdef bint is_rare(int64_t at, ElementViews g, Table t) except -1 nogil
cdef int _count(int64_t key, bint row_level, int64_t sign, Table t) except -1 nogil
cdef int64_t list_features(
    const int64_t[::1] labels, int64_t many, const int64_t[::1] times, ElementViews g, int64_t[::1] features,
) except? -9999 nogil
@cython.locals(mine=bint)
cdef int64_t _list_partners(
    int64_t i, const int64_t[::1] features, int64_t many, bint whole, ElementViews g, int64_t[::1] partners,
) except? -9999 nogil
cdef int64_t _key(int64_t f, int64_t h, bint row_level, ElementViews g) noexcept nogil
cdef int count_pairs(
    const int64_t[::1] features, int64_t many, int64_t[::1] partners, bint row_level, bint whole, int64_t sign,
    ElementViews g, Table t,
) except -1 nogil
@cython.locals(rare=bint)
cdef bint accuse(
    const int64_t[::1] features, int64_t many, int64_t[::1] partners, bint row_level, bint whole,
    int64_t target, ElementViews g, Table t, int64_t[::1] guilty,
) except -1 nogil
cdef bint _blame_second(int64_t a, int64_t b, int64_t target, ElementViews g) except -1 nogil
