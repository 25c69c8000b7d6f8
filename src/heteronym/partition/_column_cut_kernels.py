"""Search for cuts over columns: many small nodes, fast.

Columns come packed into flat arrays (`_pack.Packed`); persons with equal value sets are one
weighted record. A node is a slice of a permutation of records. Scratch arrays are handed in and
left as they were found, so that no node pays for the size of a domain.
"""

from __future__ import annotations

import cython
import numpy as np

if not cython.compiled:
    from heteronym.partition._search_kernels import Cuts, split_by_mask
    from heteronym.partition._shape_kernels import SET, ShapeViews, range_loss

# a rank is kept in the lower bits of a number, the persons it is sorted by (below _MOST) above
_HIGH, _LOW, _MOST = 31, (1 << 31) - 1, 1 << 32


class PackedViews(ShapeViews):
    """`Packed` as kernels read it, with its shapes."""

    def __init__(self, packed):
        ShapeViews.__init__(self, packed.shapes)
        self.weight = packed.weight
        self.sets = packed.sets
        self.ranks = packed.ranks
        self.ptr = packed.ptr
        self.codes = packed.codes


class WorkViews:
    """`Work` as kernels use it."""

    def __init__(self, work):
        self.place = work.place
        self.touched = work.touched
        self.weight_at = work.weight_at
        self.low = work.low
        self.high = work.high
        self.left_loss = work.left_loss
        self.right_loss = work.right_loss
        self.first = work.first
        self.last = work.last
        self.seen = work.seen
        self.left = work.left
        self.rest = work.rest
        self.copied = work.copied
        self.persons = 0
        self.lost = 0.0


class ColumnCuts(Cuts):
    """The cut with the largest gain, where only the number of persons decides what is allowed.

    `roots` tells of each group the numbers of the last nodes of at most `small` records and of at most
    `large` persons above it (-1 if none). Groups come from left to right.
    """

    def __init__(self, packed, work, least, small, large, roots):
        Cuts.__init__(self)
        self.larger_first = False
        self.packed, self.work = PackedViews(packed), WorkViews(work)
        self.least, self.small, self.large = least, small, large
        self.roots = roots
        self.n_roots = 0
        self.persons = 0  # of the node at work
        self.cut = 0  # number of ranks that go left
        self.gains = np.empty(packed.sets.shape[1])
        self.cuts = np.empty(packed.sets.shape[1], np.int64)

    def part(self, nodes, stop):
        self.persons = 0
        for i in range(nodes.start, nodes.end):
            self.persons += self.packed.weight[nodes.order[i]]
        if self.far < 0 and self.persons <= self.large:
            self.far = self.n_roots
            self.n_roots += 1
        if self.persons < 2 * self.least:
            return -1
        if self.near < 0 and nodes.end - nodes.start <= self.small:
            self.near = self.n_roots
            self.n_roots += 1
        a = self.choose(nodes, stop)
        if a < 0:
            return -1
        return split_by_rank(nodes.order, nodes.start, nodes.end, self.packed, a, self.cut, self.work)

    def choose(self, nodes, stop):
        """The column to cut, -1 for none; where it is cut is left in `cut`."""
        best_cuts(
            nodes.order,
            nodes.start,
            nodes.end,
            self.packed,
            self.least,
            self.work,
            self.gains,
            self.cuts,
            stop,
        )
        a = -1
        for b in range(len(self.cuts)):
            if self.gains[b] > 0.0 and (a < 0 or self.gains[b] > self.gains[a]):
                a = b
        if a >= 0:
            self.cut = self.cuts[a]
        return a

    def close(self, nodes):
        self.roots[nodes.n_groups, 0], self.roots[nodes.n_groups, 1] = self.near, self.far
        return 0


def sort_head(array, count):
    # Heap sort of array[:count], without Python.
    for end in range(2 * count - 2, -1, -1):
        # first half of the steps builds the heap, second half takes its top away
        if end >= count:
            root, stop = end - count, count
        else:
            array[0], array[end] = array[end], array[0]
            root, stop = 0, end
        while 2 * root + 1 < stop:
            child = 2 * root + 1
            if child + 1 < stop and array[child] < array[child + 1]:
                child += 1
            if array[root] >= array[child]:
                break
            array[root], array[child] = array[child], array[root]
            root = child


def rank_node(order, start, end, rank_of, weight, by_weight, touched, place):
    """Distinct ranks in a node: `touched` lists them in cutting order, place[rank] is the number there."""
    count = 0
    for i in range(start, end):
        r = rank_of[order[i]]
        if place[r] < 0:
            place[r] = 0
            touched[count] = r
            count += 1
        if by_weight:
            place[r] += weight[order[i]]
    order_ranks(touched, count, by_weight, place)
    return count


def order_ranks(touched, count, by_weight, place):
    """Puts the ranks of a node in cutting order; place[rank] is 0 before, or by weight, how many have it.

    Names have no order of their own: the most frequent in this node come first, so that cuts part
    common values from rare ones (on Adult, an eighth less loss than by the alphabet).
    """
    if by_weight:
        for j in range(count):
            touched[j] |= (_MOST - place[touched[j]]) << _HIGH
    if by_weight or 8 * count < len(place):
        sort_head(touched, count)
    else:  # most ranks are there: walking over all of them takes less than sorting
        count = 0
        for r in range(len(place)):
            touched[count] = r
            count += 1 if place[r] == 0 else 0
    for j in range(count):
        touched[j] &= _LOW
        place[touched[j]] = j


def forget_ranks(touched, count, place):
    for j in range(count):
        place[touched[j]] = -1


def number_ranks(order, start, end, packed, a, work):
    """Numbers the ranks of column a in a node and counts who has each, in `work`; how many ranks.

    The caller forgets the ranks.
    """
    rank_of, weight, weight_at = packed.ranks[a], packed.weight, work.weight_at
    count = rank_node(order, start, end, rank_of, weight, packed.by_weight[a], work.touched, work.place)
    total = 0
    for j in range(count):
        weight_at[j] = 0
    for i in range(start, end):
        weight_at[work.place[rank_of[order[i]]]] += weight[order[i]]
        total += weight[order[i]]
    work.persons = total
    return count


def spread_along(order, start, end, packed, a, b, count, work):
    """Where the values of column b lie along the numbered ranks of column a, in `work`.

    Of names the first and the last place of each that is `seen`, and how many are; the caller forgets
    `first`. Of all others the lowest and the highest code at each place.
    """
    if packed.kind[b] == SET:
        return _spread_of_names(order, start, end, packed, a, b, work)
    sets, ptr, codes, place, rank_of = packed.sets, packed.ptr, packed.codes, work.place, packed.ranks[a]
    low, high = work.low, work.high
    for j in range(count):
        low[j] = packed.values[b] + 1
        high[j] = -1
    for i in range(start, end):
        j = place[rank_of[order[i]]]
        s = sets[order[i], b]
        low[j] = min(low[j], codes[b, ptr[b, s]])
        high[j] = max(high[j], codes[b, ptr[b, s + 1] - 1])
    return 0


def _spread_of_names(order, start, end, packed, a, b, work):
    sets, ptr, codes, place, rank_of = packed.sets, packed.ptr, packed.codes, work.place, packed.ranks[a]
    first, last, seen = work.first, work.last, work.seen
    n_seen = 0
    for i in range(start, end):
        j = place[rank_of[order[i]]]
        s = sets[order[i], b]
        for c in range(ptr[b, s], ptr[b, s + 1]):
            value = codes[b, c]
            if first[value] < 0:
                first[value] = j
                last[value] = j
                seen[n_seen] = value
                n_seen += 1
            elif j < first[value]:
                first[value] = j
            elif j > last[value]:
                last[value] = j
    return n_seen


def add_losses(packed, b, count, n_seen, work):
    """Adds what column b loses left and right of every cut, from where its values lie; forgets `first`."""
    if packed.kind[b] == SET:
        _add_losses_of_names(packed.column_weight[b], packed.size[b], count, n_seen, work)
    else:
        _add_losses_of_codes(packed, b, count, work)


def _add_losses_of_names(share, size, count, n_seen, work):
    opens, closes, left_loss, right_loss = work.low, work.high, work.left_loss, work.right_loss
    first, last, seen = work.first, work.last, work.seen
    for j in range(count):
        opens[j] = 0
        closes[j] = 0
    for v in range(n_seen):
        opens[first[seen[v]]] += 1
        closes[last[seen[v]]] += 1
        first[seen[v]] = -1
    distinct = 0
    for j in range(count):
        distinct += opens[j]
        if distinct > 1:
            left_loss[j] += share * distinct / size
    distinct = 0
    for j in range(count - 1, -1, -1):
        distinct += closes[j]
        if distinct > 1:
            right_loss[j] += share * distinct / size


def _add_losses_of_codes(packed, b, count, work):
    low, high, share = work.low, work.high, packed.column_weight[b]
    lo, hi = low[0], high[0]
    for j in range(count):
        lo, hi = min(lo, low[j]), max(hi, high[j])
        work.left_loss[j] += share * range_loss(packed, b, lo, hi)
    lo, hi = low[count - 1], high[count - 1]
    for j in range(count - 1, -1, -1):
        lo, hi = min(lo, low[j]), max(hi, high[j])
        work.right_loss[j] += share * range_loss(packed, b, lo, hi)


def clear_losses(count, work):
    """Nothing is lost yet on either side of any cut."""
    for j in range(count):
        work.left_loss[j] = 0.0
        work.right_loss[j] = 0.0


def losses_of_cuts(order, start, end, packed, a, work):
    """Losses left and right of every cut on column a, left in `work` with the persons; distinct ranks.

    The caller forgets the ranks.
    """
    count = number_ranks(order, start, end, packed, a, work)
    if count > 1:
        clear_losses(count, work)
        for b in range(packed.sets.shape[1]):
            n_seen = spread_along(order, start, end, packed, a, b, count, work)
            add_losses(packed, b, count, n_seen, work)
    return count


def best_cut(a, count, least, work, gains, cuts):
    """The allowable cut on column a with the largest gain, from the losses of all of them.

    gain(cut) = |P| loss(P) - |L| loss(L) - |R| loss(R), loss summed over all columns with weights.
    cuts[a] is the number of ranks (in cutting order) that go left, 0 where nothing is allowed.
    """
    left_loss, right_loss, total = work.left_loss, work.right_loss, work.persons
    gains[a] = -1.0
    cuts[a] = 0
    whole = total * left_loss[count - 1] if count > 1 else 0.0
    left = 0
    for j in range(count - 1):
        left += work.weight_at[j]
        right = total - left
        if left >= least and right >= least:
            gain = whole - left * left_loss[j] - right * right_loss[j + 1]
            if gain > gains[a]:
                gains[a] = gain
                cuts[a] = j + 1


def best_cuts(order, start, end, packed, least, work, gains, cuts, stop):
    """The best cut of a node on every column (see `best_cut`)."""
    for a in range(packed.sets.shape[1]):
        gains[a] = -1.0
        cuts[a] = 0
        if stop[0] != 0:
            continue
        count = losses_of_cuts(order, start, end, packed, a, work)
        best_cut(a, count, least, work, gains, cuts)
        forget_ranks(work.touched, count, work.place)


def left_of_cut(members, ranked, packed, a, cut, left, work):
    """Into `left`, whether each member is among the first `cut` ranks that those `ranked` have in column a.

    Where these are a sample of the members, a name that is not among theirs is on the other side.
    """
    place, touched, by_weight = work.place, work.touched, packed.by_weight[a]
    rank_of = packed.ranks[a]
    count = rank_node(ranked, 0, len(ranked), rank_of, packed.weight, by_weight, touched, place)
    for i in range(len(members)):
        rank = rank_of[members[i]]
        if by_weight:
            left[i] = 0 <= place[rank] < cut
        else:
            left[i] = rank < touched[cut]
    forget_ranks(touched, count, place)


def split_by_rank(order, start, end, packed, a, cut, work):
    """Stable partition of order[start:end] into the first `cut` ranks and the rest; where the rest begins."""
    left_of_cut(order[start:end], order[start:end], packed, a, cut, work.left, work)
    return split_by_mask(order, start, end, work.left, work.rest)


def node_loss(order, start, end, packed, work):
    """Summed loss of the labels that cover a node, with column weights."""
    sets, ptr, codes = packed.sets, packed.ptr, packed.codes
    first, seen = work.first, work.seen
    total = 0.0
    for b in range(sets.shape[1]):
        if packed.kind[b] == SET:
            n_seen = 0
            for i in range(start, end):
                s = sets[order[i], b]
                for c in range(ptr[b, s], ptr[b, s + 1]):
                    if first[codes[b, c]] < 0:
                        first[codes[b, c]] = 0
                        seen[n_seen] = codes[b, c]
                        n_seen += 1
            for v in range(n_seen):
                first[seen[v]] = -1
            if n_seen > 1:
                total += packed.column_weight[b] * n_seen / packed.size[b]
        else:
            lo, hi = packed.values[b] + 1, -1
            for i in range(start, end):
                s = sets[order[i], b]
                lo = min(lo, codes[b, ptr[b, s]])
                hi = max(hi, codes[b, ptr[b, s + 1] - 1])
            total += packed.column_weight[b] * range_loss(packed, b, lo, hi)
    return total
