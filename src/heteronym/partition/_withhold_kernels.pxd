cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._shape_kernels cimport ShapeViews, range_loss

cdef int64_t _ALL, _KNOWN, _LACKING
cdef double _LEAST

cdef int64_t _hull(const double[::1] gain, int64_t cap, int64_t[::1] corner) except? -9999 nogil
@cython.locals(out_group=int64_t[::1], out_cells=int64_t[::1], out_gain=double[::1], out_low=int64_t[::1], out_high=int64_t[::1], out_whom=int64_t[::1], loss=double[::1], gain=double[::1], corner=int64_t[::1], chosen=int64_t[:,::1], size=int64_t, members=int64_t, cap=int64_t, n=int64_t, w=int64_t, g=int64_t, i=int64_t, first=int64_t, last=int64_t, before=double)
cpdef tuple cut_ranges(
    shapes, int64_t b, double price, bint mixes, const int64_t[::1] ptr, const int64_t[::1] low, const int64_t[::1] high,
    const uint8_t[::1] lacks, const int64_t[::1] times,
    const int64_t[::1] starts, int64_t most, int64_t largest,
)
cdef int64_t _members(const int64_t[::1] times, int64_t first, int64_t last) except? -9999 nogil
cdef int _try_all(
    ShapeViews shapes, int64_t b, double price, bint mixes, int64_t first, int64_t last,
    const int64_t[::1] low, const int64_t[::1] high,
    const uint8_t[::1] lacks, const int64_t[::1] times, const int64_t[::1] starts, int64_t most, int64_t cap,
    double[::1] loss, int64_t[:, ::1] chosen,
) except -1 nogil
cdef int _sweep(
    ShapeViews shapes, int64_t b, double price, bint mixes, int64_t first, int64_t last,
    const int64_t[::1] low, const int64_t[::1] high,
    const uint8_t[::1] lacks, const int64_t[::1] times, int64_t start, int64_t below, int64_t whom, int64_t most,
    int64_t cap, double[::1] loss, int64_t[:, ::1] chosen, bint some_lack,
) except -1 nogil
@cython.locals(out_group=int64_t[::1], out_cells=int64_t[::1], out_gain=double[::1], gain=double[::1], corner=int64_t[::1], holders=int64_t[::1], rarest_first=int64_t[::1], room=int64_t, most=int64_t, n=int64_t, g=int64_t, first=int64_t, last=int64_t, cap=int64_t, codes=int64_t, i=int64_t, c=int64_t, w=int64_t, before=double, different=int64_t, away=int64_t, rank=int64_t, value=int64_t, p=int64_t, o=int64_t, remaining=int64_t, k=int64_t, marking=bint)
cpdef tuple drop_values(
    double size, const int64_t[::1] ptr, const int64_t[::1] person, const int32_t[::1] code, int64_t[::1] by_code,
    const int64_t[::1] own_ptr, const int32_t[::1] own_code, const int64_t[::1] members, int64_t[::1] left,
    uint8_t[::1] seen, const int64_t[::1] wanted, uint8_t[::1] withheld,
)
@cython.locals(broken=uint8_t[::1], x=int64_t, s=int64_t)
cpdef int take_best(
    const int64_t[::1] order, const int64_t[::1] item, const int64_t[::1] cells, const int64_t[::1] more,
    int64_t budget, int64_t[::1] taken,
) except -1
