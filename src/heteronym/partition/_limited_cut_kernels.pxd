cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from heteronym.partition._cluster_kernels cimport (
    FAR, NEAR, Node, NodeBoxes, run_end, summed_losses, weigh_groups,
)
from heteronym.partition._even_cluster_kernels cimport HolderViews, even_clusters
from heteronym.partition._column_cut_kernels cimport (
    ColumnCuts, PackedViews, WorkViews, forget_ranks, losses_of_cuts, sort_head,
)
from heteronym.partition._search_kernels cimport Nodes
from heteronym.statistics._limit_kernels cimport LimitViews, all_hold

cdef int64_t STOPPED

cdef class TallyViews:
    cdef int64_t[::1] whole, left, right, present, bucket, bucket_ptr

cdef class LimitedCuts(ColumnCuts):
    cdef LimitViews limits, strict
    cdef HolderViews holders
    cdef TallyViews tally
    cdef int64_t[::1] stopped
    cdef bint some
    cdef int64_t choose(self, Nodes nodes, const uint8_t[::1] stop) except? -9999 nogil
    cdef int64_t choose_under(self, LimitViews limits, Nodes nodes, const uint8_t[::1] stop) except? -9999 nogil
    cdef bint may_gain(self, int64_t count, double best) except -1 nogil
    cdef double best_of_column(
        self, LimitViews limits, int64_t count, int64_t n_present, double best,
    ) except? -9999 nogil
    @cython.locals(is_large=bint)
    cdef int close(self, Nodes nodes) except -1 nogil

cdef int count_record(int64_t record, HolderViews holders, int64_t[::1] counts) except -1 nogil
cdef int64_t count_node(
    const int64_t[::1] order, int64_t start, int64_t end, HolderViews holders, TallyViews tally,
) except? -9999 nogil
cdef int _into_buckets(
    const int64_t[::1] order, int64_t start, int64_t end, const int32_t[::1] rank_of, const int64_t[::1] place,
    int64_t count, TallyViews tally,
) except -1 nogil
cdef int _show(
    const int64_t[::1] order, int64_t start, int64_t end, HolderViews holders, int64_t group,
    int32_t[::1] group_of,
) except -1 nogil
cdef int64_t _persons(const int64_t[::1] array, int64_t first, int64_t last) except? -9999 nogil
@cython.locals(group_of=int32_t[::1], persons=int64_t[::1], loss=double[::1], n_groups=int64_t, total=double, g=int64_t, last=int64_t, is_large=bint, start=int64_t, count=int64_t, lost=double, n_clusters=int64_t, x=int64_t)
cpdef tuple finish_limited(
    limits, const int64_t[::1] order, const int64_t[::1] ends, const int64_t[:, ::1] roots,
    const int64_t[::1] stopped, packed, holders, int64_t least, work, const uint8_t[::1] stop,
)
