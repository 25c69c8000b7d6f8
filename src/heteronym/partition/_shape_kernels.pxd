from libc.stdint cimport int32_t, int64_t, uint8_t

cdef int64_t SPAN, RUN, SET

cdef class ShapeViews:
    cdef const int64_t[::1] kind, values, levels, words
    cdef const double[::1] size, span, column_weight
    cdef const double[:, ::1] position
    cdef const int32_t[:, :, ::1] starts, ends, nodes
    cdef const int64_t[:, ::1] most
    cdef const uint8_t[::1] by_weight

cpdef double range_loss(ShapeViews shapes, int64_t b, int64_t low, int64_t high) except? -9999 nogil
