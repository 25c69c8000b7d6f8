"""Compiled search for cuts over columns: many small nodes, fast.

Columns come packed into flat arrays (`_pack.Packed`); persons with equal value sets are one
weighted record. A node is a slice of a permutation of records. Scratch arrays are handed in and
left as they were found, so that no node pays for the size of a domain. Counters that are handed to other
kernels start as np.int64: a literal 0 would have those kernels compiled twice.
"""

from __future__ import annotations

import numpy as np

from heteronym.compiled import kernel
from heteronym.partition._shape_kernels import SET, range_loss


@kernel
def sort_head(array, count):
    # Heap sort of array[:count]. NumPy's sort would do, but takes ten times as long to compile.
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


@kernel
def rank_node(order, start, end, rank_of, weight, by_weight, touched, place):
    """Distinct ranks in a node: `touched` lists them in cutting order, place[rank] is the number there.

    Names have no order of their own: the most frequent in this node come first, so that cuts part
    common values from rare ones (on Adult, an eighth less loss than by the alphabet).
    """
    count = np.int64(0)
    for i in range(start, end):
        r = rank_of[order[i]]
        if place[r] < 0:
            place[r] = 0
            touched[count] = r
            count += 1
        if by_weight:
            place[r] += weight[order[i]]
    if by_weight:
        for j in range(count):
            touched[j] |= ((1 << 30) - place[touched[j]]) << 32
    if by_weight or 8 * count < len(place):
        sort_head(touched, count)
    else:  # most ranks are there: walking over all of them takes less than sorting
        count = 0
        for r in range(len(place)):
            touched[count] = r
            count += place[r] == 0
    for j in range(count):
        touched[j] &= (1 << 32) - 1
        place[touched[j]] = j
    return count


@kernel
def forget_ranks(touched, count, place):
    for j in range(count):
        place[touched[j]] = -1


@kernel
def _add_set_loss(b, order, start, end, place, rank_of, count, packed, share, work):
    # Distinct values of column b left and right of every cut, from first and last place of each value.
    sets, ptr, codes = packed.sets, packed.ptr, packed.codes
    opens, closes, left_loss, right_loss = work.low, work.high, work.left_loss, work.right_loss
    first, last, seen = work.first, work.last, work.seen
    size = packed.shapes.size[b]
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


@kernel
def _add_range_loss(b, order, start, end, place, rank_of, count, packed, share, work):
    sets, ptr, codes, shapes = packed.sets, packed.ptr, packed.codes, packed.shapes
    low, high, left_loss, right_loss = work.low, work.high, work.left_loss, work.right_loss
    for j in range(count):
        low[j] = shapes.values[b] + 1
        high[j] = -1
    for i in range(start, end):
        j = place[rank_of[order[i]]]
        s = sets[order[i], b]
        low[j] = min(low[j], codes[b, ptr[b, s]])
        high[j] = max(high[j], codes[b, ptr[b, s + 1] - 1])
    lo, hi = low[0], high[0]
    for j in range(count):
        lo, hi = min(lo, low[j]), max(hi, high[j])
        left_loss[j] += share * range_loss(shapes, b, lo, hi)
    lo, hi = low[count - 1], high[count - 1]
    for j in range(count - 1, -1, -1):
        lo, hi = min(lo, low[j]), max(hi, high[j])
        right_loss[j] += share * range_loss(shapes, b, lo, hi)


@kernel
def losses_of_cuts(order, start, end, packed, a, work):
    """Losses left and right of every cut on column a, left in `work`: distinct ranks and persons of the node.

    The caller forgets the ranks.
    """
    weight, shapes = packed.weight, packed.shapes
    place, weight_at = work.place, work.weight_at
    left_loss, right_loss = work.left_loss, work.right_loss
    rank_of = packed.ranks[a]
    count = rank_node(order, start, end, rank_of, weight, shapes.by_weight[a], work.touched, place)
    total = 0
    if count > 1:
        for j in range(count):
            weight_at[j] = 0
            left_loss[j] = 0.0
            right_loss[j] = 0.0
        for i in range(start, end):
            weight_at[place[rank_of[order[i]]]] += weight[order[i]]
            total += weight[order[i]]
        for b in range(packed.sets.shape[1]):
            share = shapes.weight[b]
            if shapes.kind[b] == SET:
                _add_set_loss(b, order, start, end, place, rank_of, count, packed, share, work)
            else:
                _add_range_loss(b, order, start, end, place, rank_of, count, packed, share, work)
    return count, total


@kernel
def best_cuts(order, start, end, packed, least, work, gains, cuts, stop):
    """The allowable cut of the node with the largest gain on every column.

    gain(cut) = |P| loss(P) - |L| loss(L) - |R| loss(R), loss summed over all columns with weights.
    cuts[a] is the number of ranks (in cutting order) that go left, 0 where nothing is allowed.
    """
    left_loss, right_loss = work.left_loss, work.right_loss
    for a in range(packed.sets.shape[1]):
        gains[a] = -1.0
        cuts[a] = 0
        if stop[0] != 0:
            continue
        count, total = losses_of_cuts(order, start, end, packed, a, work)
        whole = total * left_loss[count - 1]
        left = 0
        for j in range(count - 1):
            left += work.weight_at[j]
            right = total - left
            if left >= least and right >= least:
                gain = whole - left * left_loss[j] - right * right_loss[j + 1]
                if gain > gains[a]:
                    gains[a] = gain
                    cuts[a] = j + 1
        forget_ranks(work.touched, count, work.place)


@kernel
def left_of_cut(members, ranked, packed, a, cut, work):
    """Per member, whether it is among the first `cut` ranks that those `ranked` have in column a.

    Where these are a sample of the members, a name that is not among theirs is on the other side.
    """
    weight, ranks = packed.weight, packed.ranks
    place, touched, by_weight = work.place, work.touched, packed.shapes.by_weight[a]
    count = rank_node(ranked, np.int64(0), len(ranked), ranks[a], weight, by_weight, touched, place)
    left = np.empty(len(members), np.bool_)
    for i in range(len(members)):
        rank = ranks[a, members[i]]
        left[i] = 0 <= place[rank] < cut if by_weight else rank < touched[cut]
    forget_ranks(touched, count, place)
    return left


@kernel
def split_by_mask(order, start, end, left):
    """Stable partition of order[start:end]: where left is true, then the rest; where the rest begins."""
    rest = np.empty(end - start, order.dtype)
    n_rest = 0
    middle = start
    for i in range(start, end):
        if left[i - start]:
            order[middle] = order[i]
            middle += 1
        else:
            rest[n_rest] = order[i]
            n_rest += 1
    for i in range(n_rest):
        order[middle + i] = rest[i]
    return middle


@kernel
def split_by_rank(order, start, end, packed, a, cut, work):
    """Stable partition of order[start:end] into the first `cut` ranks and the rest; where the rest begins."""
    left = left_of_cut(order[start:end], order[start:end], packed, a, cut, work)
    return split_by_mask(order, start, end, left)


@kernel
def node_loss(order, start, end, packed, work):
    """Summed loss of the labels that cover a node, with column weights."""
    sets, ptr, codes, shapes = packed.sets, packed.ptr, packed.codes, packed.shapes
    first, seen = work.first, work.seen
    total = 0.0
    for b in range(sets.shape[1]):
        if shapes.kind[b] == SET:
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
                total += shapes.weight[b] * n_seen / shapes.size[b]
        else:
            lo, hi = shapes.values[b] + 1, np.int64(-1)
            for i in range(start, end):
                s = sets[order[i], b]
                lo = min(lo, codes[b, ptr[b, s]])
                hi = max(hi, codes[b, ptr[b, s + 1] - 1])
            total += shapes.weight[b] * range_loss(shapes, b, lo, hi)
    return total


@kernel
def grow_by_gain(order, nodes, packed, least, small, work, done, stop):
    """Groups of records by repeated best cuts, where only the number of persons decides what is allowed.

    Begins with nodes of the given order that end at `nodes`. Returns the permutation of records, where
    each group ends in it, and the number of the last node of at most `small` records above each group (-1
    if none). Counts the records of finished groups in `done` and gives up when `stop` is set.
    """
    weight = packed.weight
    n_records, n_columns = packed.sets.shape
    ends = np.empty(n_records, np.int64)
    root = np.empty(n_records, np.int64)
    gains = np.empty(n_columns)
    cuts = np.empty(n_columns, np.int64)
    stack = [(nodes[g - 1] if g > 0 else 0, nodes[g], -1) for g in range(len(nodes) - 1, -1, -1)]
    n_groups, n_roots = 0, 0
    while len(stack) > 0 and stop[0] == 0:
        start, end, above = stack.pop()
        persons = 0
        for i in range(start, end):
            persons += weight[order[i]]
        a = np.int64(-1)  # a bare literal would compile the callees twice
        if persons >= 2 * least:
            if above < 0 and end - start <= small:
                above = n_roots
                n_roots += 1
            best_cuts(order, start, end, packed, least, work, gains, cuts, stop)
            for b in range(n_columns):
                if gains[b] > 0.0 and (a < 0 or gains[b] > gains[a]):
                    a = b
        if a < 0:
            ends[n_groups] = end
            root[n_groups] = above
            n_groups += 1
            done[0] += end - start
        else:
            middle = split_by_rank(order, start, end, packed, a, cuts[a], work)
            stack.append((middle, end, above))
            stack.append((start, middle, above))
    return order, ends[:n_groups], root[:n_groups]
