cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._column_cut_kernels cimport (
    PackedViews, WorkViews, add_losses, best_cut, clear_losses, forget_ranks, number_ranks, order_ranks, spread_along,
)
from heteronym.partition._shape_kernels cimport SET

cdef class TableRows:
    cdef int64_t count
    cdef int64_t[:, ::1] rows
    cdef int make_room(self, int64_t more) except -1

cdef int _need(TableRows rows, int64_t more) except -1 nogil
cdef int _put(
    TableRows rows, int64_t node, int64_t column, int64_t beside, int64_t at, int64_t persons, int64_t low,
    int64_t high,
) except -1 nogil
cpdef object tabulate(
    const int64_t[::1] order, const int64_t[::1] ends, const int64_t[::1] numbers, packed, work,
)
cdef int _tabulate(
    const int64_t[::1] order, const int64_t[::1] ends, const int64_t[::1] numbers, PackedViews packed,
    WorkViews work, TableRows rows,
) except -1 nogil
cdef int _put_spread(
    const int64_t[::1] order, int64_t start, int64_t end, int64_t node, PackedViews packed, int64_t a, int64_t b,
    int64_t count, WorkViews work, TableRows rows,
) except -1 nogil
cdef int _put_pairs(
    const int64_t[::1] order, int64_t start, int64_t end, int64_t node, PackedViews packed, int64_t a, int64_t b,
    int64_t count, WorkViews work, TableRows rows,
) except -1 nogil
cpdef object best_cuts_of_tables(
    const int64_t[:, ::1] rows, packed, int64_t least, work, double[::1] gains, int64_t[::1] cuts,
)
cdef int _best_cuts(
    const int64_t[:, ::1] rows, PackedViews packed, int64_t least, WorkViews work, double[::1] gains,
    int64_t[::1] cuts,
) except -1 nogil
cdef int64_t _skip_below(const int64_t[:, ::1] rows, int64_t n, int64_t a) except? -9999 nogil
@cython.locals(total=int64_t)
cdef int64_t _rank_rows(
    const int64_t[:, ::1] rows, int64_t begin, bint by_weight, int64_t a, WorkViews work,
) except? -9999 nogil
cdef int _lay_codes(const int64_t[:, ::1] rows, int64_t begin, int64_t end, WorkViews work) except -1 nogil
cdef int64_t _lay_names(
    const int64_t[:, ::1] rows, int64_t begin, int64_t end, WorkViews work,
) except? -9999 nogil
cdef int64_t _lay_pairs(
    const int64_t[:, ::1] rows, int64_t begin, int64_t end, int64_t names, WorkViews work,
) except? -9999 nogil
