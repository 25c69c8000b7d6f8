cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._column_cut_kernels cimport PackedViews, WorkViews, node_loss
from heteronym.partition._shape_kernels cimport SET, ShapeViews, range_loss

cdef int64_t NOTHING, NEAR, FAR
cdef double INFINITE

cdef class Node:
    cdef int64_t columns
    cdef int64_t[:, ::1] ptr
    cdef int64_t[::1] codes
    cdef int make_room_for_records(self, int64_t records) except -1
    cdef int make_room_for_codes(self, int64_t codes) except -1

cdef class NodeBoxes:
    cdef int64_t columns, most
    cdef int64_t[:, ::1] low, high, distinct
    cdef uint8_t[::1] holds
    cdef int64_t[::1] persons
    cdef double[::1] loss
    cdef int make_room_for_clusters(self, int64_t rows) except -1
    cdef int make_room_for_marks(self, int64_t marks) except -1

@cython.locals(total=int64_t)
cdef int64_t localize(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, WorkViews work, Node node,
) except? -9999 nogil
@cython.locals(total=double, count=int64_t)
cdef double loss_with(int64_t i, int64_t c, Node node, ShapeViews shapes, NodeBoxes boxes) except? -9999 nogil
cdef int join(int64_t i, int64_t c, Node node, ShapeViews shapes, NodeBoxes boxes) except -1 nogil
cdef int empty(int64_t c, NodeBoxes boxes) except -1 nogil
cdef int empty_boxes(int64_t rows, int64_t most, NodeBoxes boxes) except -1 nogil
cdef int64_t far_from(
    int64_t last_seed, const int64_t[::1] label, Node node, ShapeViews shapes, NodeBoxes boxes, int64_t room,
) except? -9999 nogil
cdef int64_t cluster_node(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, int64_t least, WorkViews work,
    int64_t[::1] label, Node node, NodeBoxes boxes,
) except? -9999 nogil
cdef double _box_of(
    int64_t c, int64_t leaving, const int64_t[::1] label, int64_t row, Node node, ShapeViews shapes,
    NodeBoxes boxes,
) except? -9999 nogil
cpdef double move_between(
    const int64_t[::1] order, int64_t start, int64_t end, PackedViews packed, int64_t least, WorkViews work,
    int64_t[::1] label, int64_t count, int64_t rounds, Node node, NodeBoxes boxes,
) except? -9999 nogil
cdef int64_t run_end(const int64_t[:, ::1] roots, int64_t level, int64_t g) except? -9999 nogil
cdef int weigh_groups(
    const int64_t[::1] order, const int64_t[::1] ends, PackedViews packed, WorkViews work,
    int64_t[::1] persons, double[::1] loss,
) except -1 nogil
cdef double summed_losses(const double[::1] loss, int64_t first, int64_t last) except? -9999 nogil
@cython.locals(group=int32_t[::1], label=int64_t[::1], persons=int64_t[::1], loss=double[::1])
cpdef tuple finish_by_clusters(
    const int64_t[::1] order, const int64_t[::1] ends, const int64_t[:, ::1] roots, packed, int64_t least, work,
    int64_t rounds, const uint8_t[::1] stop,
)
cdef int64_t _finish(
    const int64_t[::1] order, const int64_t[::1] ends, const int64_t[:, ::1] roots, PackedViews packed,
    int64_t least, WorkViews work, int64_t rounds, Node node, NodeBoxes boxes, int64_t[::1] label,
    int32_t[::1] group, const double[::1] loss, const uint8_t[::1] stop,
) except? -9999 nogil
