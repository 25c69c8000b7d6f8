cimport cython
from libc.stdint cimport int64_t, uint8_t

cdef bint _pairs_fit(
    const int64_t[::1] owners, int64_t many, const int64_t[::1] person_of, const int64_t[::1] head,
    const int64_t[::1] follow, const int64_t[::1] feature, int64_t label, int64_t span, int64_t least,
    int64_t[::1] count, int64_t[::1] last, int64_t[::1] touched,
) except -1 nogil
cdef bint _level_fits(
    const int64_t[::1] owners, const int64_t[::1] times, int64_t many, const int64_t[::1] person_of,
    int64_t most, bint pairs, const int64_t[::1] head, const int64_t[::1] follow, const int64_t[::1] feature,
    int64_t label, int64_t span, int64_t least, int64_t[::1] count, int64_t[::1] last, int64_t[::1] touched,
    int64_t[::1] chosen,
) except -1 nogil
cdef int64_t _hang(
    const int64_t[::1] owners, const int64_t[::1] times, int64_t many, int64_t most, int64_t[::1] head,
    int64_t[::1] follow, int64_t[::1] feature, int64_t label, int64_t span, int64_t used,
) except? -9999 nogil
@cython.locals(p_head=int64_t[::1], p_follow=int64_t[::1], p_feature=int64_t[::1], self_person=int64_t[::1], r_head=int64_t[::1], r_follow=int64_t[::1], r_feature=int64_t[::1], count=int64_t[::1], last=int64_t[::1], touched=int64_t[::1], chosen=int64_t[::1], taken=uint8_t[::1], owners=int64_t[::1], times=int64_t[::1], row_owners=int64_t[::1], row_times=int64_t[::1])
cpdef object take(
    const int64_t[::1] ptr, const int64_t[::1] person, const int64_t[::1] row, const int64_t[::1] label,
    const uint8_t[::1] counted, int64_t least, int64_t m, bint by_row, const int64_t[::1] row_person, tuple persons,
    tuple rows, int64_t[::1] state, tuple work, const uint8_t[::1] stop,
)
cdef int _take(
    const int64_t[::1] ptr, const int64_t[::1] person, const int64_t[::1] row, const int64_t[::1] label,
    const uint8_t[::1] counted, int64_t least, int64_t m, bint by_row, const int64_t[::1] row_person,
    const int64_t[::1] self_person, int64_t[::1] p_head, int64_t[::1] p_follow, int64_t[::1] p_feature,
    int64_t[::1] r_head, int64_t[::1] r_follow, int64_t[::1] r_feature, int64_t[::1] state,
    int64_t[::1] count, int64_t[::1] last, int64_t[::1] touched, int64_t[::1] chosen, int64_t[::1] owners,
    int64_t[::1] times, int64_t[::1] row_owners, int64_t[::1] row_times, uint8_t[::1] taken,
    const uint8_t[::1] stop,
) except -1 nogil
