"""The top-down search behind mondrian and gdf: nodes, their candidate cuts, and what decides.

Where only group sizes matter and no terms guide the search, it runs compiled from start to end.
Otherwise nodes are taken one by one: columns propose their best cut, frequent terms propose
presence against absence, and the best that all models admit is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Members, PrivacyModel
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView, ShapeKind
from heteronym.partition import _cluster_kernels, _kernels, _term_kernels
from heteronym.partition._cells import cells_of, has_hierarchies
from heteronym.partition._clusters import numbered
from heteronym.partition._deal import deal
from heteronym.partition._holders import Ruled, small_node
from heteronym.partition._pack import Packed, pack, work_for
from heteronym.partition._sample import TwoValues, sample_view
from heteronym.partition._term_search_kernels import grow_with_terms, room_for
from heteronym.partition._terms import Terms
from heteronym.run import current
from heteronym.statistics.counts import Histogram
from heteronym.statistics.together import Together

TERM_CUTS = 6  # frequent terms tried per node
POWER = 4.0  # of the holders' share in the textual look-ahead; 1 keeps fewer terms, more than 4 no more


class Passes(NamedTuple):
    """What a search does beside cutting; studies switch it off."""

    clusters: bool = True  # small nodes end as clusters
    rounds: int = 3  # over the records of a node that may move between its clusters
    cells: bool = True  # cells of hierarchies come before cuts


class Cut(NamedTuple):
    score: float
    kind: Literal["relational", "textual", "neither"]
    left: NDArray[np.bool_]  # per member

    def sides(self, members: Members) -> tuple[Members, Members]:
        """The smaller half, the larger half."""
        left, right = members[self.left], members[~self.left]
        return (left, right) if len(left) <= len(right) else (right, left)


class Search:
    """One run over one view."""

    def __init__(
        self,
        view: PersonView,
        models: Sequence[PrivacyModel],
        *,
        cut: Literal["gain", "widest", "paper", "frequency"] = "gain",
        relational_weight: float = 0.5,
        least: int = 1,
        passes: Passes | None = None,
    ) -> None:
        self.view, self.together = view, Together(view, models)
        self.least = max(least, self.together.least)
        self.size_only = not self.together.asking
        self.clusters, self.rounds, self.cells = passes or Passes()
        self.cut = cut
        has_terms = view.elements.has_terms
        self.use_terms = has_terms and (relational_weight < 1.0 or not view.columns)
        self.use_columns = bool(view.columns) and (relational_weight > 0.0 or not has_terms)
        both = self.use_terms and self.use_columns
        self.relational_weight = relational_weight if both else float(self.use_columns)

    def run(self) -> Partition:
        if self.cut == "gain" and self.size_only:
            return self._run_with_terms() if self.use_terms else self._run_compiled()
        if self.cut == "gain" and not self.use_terms:
            histograms = self.together.histograms()
            if histograms is not None:
                return self._run_under_rules(histograms)
        return self._run_by_nodes()

    def compile(self) -> None:
        """Go the road of `run` with a handful of records: its kernels, and no others, are loaded or built."""
        by_rules = not self.size_only and self.together.histograms() is not None
        models = [cast(PrivacyModel, TwoValues())] if by_rules else []
        small = Search(
            sample_view(), models, cut=self.cut, relational_weight=self.relational_weight,
            least=2, passes=Passes(clusters=self.clusters),
        )  # fmt: skip
        if self.size_only or by_rules:
            small.run()
        else:
            small._run_by_nodes()

    def _run_compiled(self) -> Partition:
        packed, record_of = pack(self.view, collapse=True)
        n = len(packed.weight)
        found = [self._grown(packed, np.arange(n), np.array([n]))]
        if self.cells and has_hierarchies(packed):
            found.append(self._grown(packed, *cells_of(packed, self.least)))
        _, group, count = min(found, key=lambda one: one[0])
        return Partition(group[record_of], {"relational": count - 1, "textual": 0})

    def _grown(
        self, packed: Packed, order: NDArray[np.int64], nodes: NDArray[np.int64]
    ) -> tuple[float, NDArray[np.int32], int]:
        """Cuts and clusters within the given nodes: summed loss, group of each record, number of groups."""
        work, run = work_for(packed), current()
        small = small_node(self.least) if self.clusters else 0
        done = np.zeros(1, np.int64)
        with run.watching(done, len(packed.weight)):
            order, ends, root = run.call(
                _kernels.grow_by_gain, order, nodes, packed, self.least, small, work, done, run.stop
            )
        finish = _cluster_kernels.finish_by_clusters
        group, count = run.call(finish, order, ends, root, packed, self.least, work, self.rounds, run.stop)
        order = np.argsort(group, kind="stable")
        ends = np.flatnonzero(np.r_[np.diff(group[order]) != 0, True]) + 1
        return float(run.call(_kernels.summed_loss, order, ends, packed, work)), group, int(count)

    def _run_under_rules(self, histograms: list[Histogram]) -> Partition:
        """As compiled as sizes: every model's rule is one that the kernels know."""
        packed, record_of = pack(self.view, collapse=True)
        ruled = Ruled(packed, record_of, histograms, self.least, clusters=self.clusters)
        found = ruled.search(np.arange(self.view.persons))
        if self.clusters and self.view.persons > ruled.large and 2 * found.stopped > self.view.persons:
            dealt = ruled.search_parts(deal(self.view, ruled.holding, largest=ruled.large, least=self.least))
            found = min(found, dealt, key=lambda one: one.loss)
        group = numbered(found.group).astype(np.int32)
        return Partition(group, {"relational": found.groups - 1, "textual": 0})

    def _run_with_terms(self) -> Partition:
        """As `_run_by_nodes` with cuts by gain, compiled from start to end."""
        terms, packed, run = Terms.of(self.view, self.least), pack(self.view, collapse=False)[0], current()
        room = room_for(terms, self.least, packed.sets.shape[1] + TERM_CUTS)
        done = np.zeros(1, np.int64)
        with run.watching(done, self.view.persons):
            group, splits = run.call(
                grow_with_terms, packed, work_for(packed), terms, room, self.first_terms(),
                self.least, self.relational_weight, TERM_CUTS, POWER, done, run.stop,
            )  # fmt: skip
        kinds = ("relational", "textual", "neither")
        return Partition(numbered(group).astype(np.int32), dict(zip(kinds, splits.tolist(), strict=True)))

    def first_terms(self) -> NDArray[np.int64]:
        """By type of terms, the first of each person's by the alphabet: cut on where columns are not."""
        elements = self.view.elements
        held = elements.of_person
        firsts = np.full((len(elements.domains), self.view.persons), _term_kernels.NO_TERM, np.int64)
        if self.use_columns or not len(held.codes):
            return firsts[:0]
        # elements are numbered by type: the first of a type stands where the type or the person changes
        domain = elements.domain[held.codes]
        begins = np.r_[True, domain[1:] != domain[:-1], True]
        begins[held.ptr] = True
        at = np.flatnonzero(begins[:-1])
        firsts[domain[at], np.searchsorted(held.ptr, at, side="right") - 1] = held.codes[at]
        return firsts[[of.is_terms for of in elements.domains]]

    def term_counts(self) -> _TermCounts:
        """Of the terms that guide the search; where none do, nobody holds enough of any."""
        fewest = self.least if self.use_terms else self.view.persons + 1
        return _TermCounts(Terms.of(self.view, fewest), self.least)

    def _run_by_nodes(self) -> Partition:
        node_cuts: _GainCuts | _WidestCuts = _GainCuts(self) if self.cut == "gain" else _WidestCuts(self)
        group = np.zeros(self.view.persons, np.int32)
        splits = {"relational": 0, "textual": 0, "neither": 0}
        run = current()
        pending: list[Members] = [np.arange(self.view.persons, dtype=np.int32)]
        count = 0
        while pending:
            members = pending.pop()
            run.tell(1 - (sum(map(len, pending)) + len(members)) / self.view.persons)
            if self.use_terms:
                node_cuts.counts.enter(members)
            statistics = self.together.start(members)
            while len(members) >= 2 * self.least:
                run.poll()
                for cut in node_cuts.candidates(members):
                    small, large = cut.sides(members)
                    if self.together.admits_cut(statistics, small, len(large)):
                        break  # the statistics are now those of the larger half
                else:
                    break
                splits[cut.kind] += 1
                pending.append(small)
                if self.use_terms:
                    node_cuts.counts.shrink(small)
                members = large
            if self.use_terms:
                node_cuts.counts.leave()
            group[members] = count
            count += 1
        return Partition(numbered(group).astype(np.int32), splits)


class _TermCounts:
    """Holders and mass of the terms in the current node, kept up to date while it shrinks."""

    def __init__(self, terms: Terms, least: int) -> None:
        self.terms, self.least = terms, least
        self.fewest = least  # holders from which on a term weighs in the node
        self.counts = np.zeros((terms.number, 4))  # holders and mass in the node, then in one side of a cut
        self.held = (terms.ptr, np.diff(terms.ptr), terms.codes)
        self.share = terms.share_by_entry()
        self.names = np.arange(terms.number, dtype=np.int32)
        self.touched = np.empty(terms.number, np.int64)
        self.active = np.empty(terms.number, np.int64)
        self.n_touched = self.n_active = 0
        persons = len(terms.ptr) - 1
        of_few, self.of_node = np.empty(persons + 1), np.empty(persons + 1)
        self.scratch = np.empty(persons, np.int64), np.empty(terms.number, np.int64), of_few, self.of_node

    def enter(self, members: Members) -> None:
        self.n_touched = _term_kernels.count_terms(
            members, *self.held, self.share, self.counts, 0, self.touched
        )
        self.active[: self.n_touched] = np.sort(self.touched[: self.n_touched])  # added by number
        self.fewest = self.least
        self._drop_rare(self.n_touched)

    def shrink(self, gone: Members) -> None:
        _term_kernels.uncount_terms(gone, *self.held, self.share, self.counts)
        self._drop_rare(self.n_active)

    def _drop_rare(self, count: int) -> None:
        self.n_active = _term_kernels.drop_rare(self.active, count, self.counts[:, 0], self.least)

    def leave(self) -> None:
        _term_kernels.forget_terms(self.touched, self.n_touched, self.counts, 0)

    def weigh(self, persons: int) -> None:
        """From now on terms weigh that are not too rare beside those that are tried."""
        tried = self._most_held(persons, TERM_CUTS, self.active[: self.n_active])
        self.fewest = int(_term_kernels.weighed_from(tried, self.counts[:, 0], self.least))

    def frequent(self, persons: int, wanted: int, active: NDArray[np.int64] | None = None) -> list[int]:
        chosen = self.active[: self.n_active] if active is None else active
        return [int(t) for t in self._most_held(persons, wanted, chosen) if t >= 0]

    def _most_held(self, persons: int, wanted: int, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
        best: NDArray[np.int64] = _term_kernels.frequent_terms(
            chosen, len(chosen), self.counts[:, 0], self.names, persons, self.least, wanted
        )
        return best

    def holders_in(self, members: Members, term: int) -> NDArray[np.bool_]:
        found = np.empty(len(members), np.bool_)
        _term_kernels.has_term(members, *self.held, term, found)
        return found

    def gain(self, members: Members, left: NDArray[np.bool_]) -> float:
        """How much nearer two halves are to keeping their terms than the node."""
        before = _term_kernels.concentration(
            len(members), self.active, self.n_active, self.counts, self.least, self.fewest, POWER,
            self.of_node,
        )  # fmt: skip
        after = _term_kernels.concentration_of_sides(
            members, left, int(left.sum()), self.active, self.n_active, *self.held, self.share,
            self.counts, self.least, self.fewest, POWER, self.scratch,
        )  # fmt: skip
        return float(after - before)


class _GainCuts:
    """Candidates by drop of the loss: lambda times columns plus (1 - lambda) times terms."""

    def __init__(self, search: Search) -> None:
        self.weight = search.relational_weight
        self.least = search.least
        self.cut_columns, self.use_terms = search.use_columns, search.use_terms
        self.first_terms = search.first_terms()
        self.counts = search.term_counts()
        self.packed = pack(search.view, collapse=False)[0]
        self.stop = current().stop
        self.work = work_for(self.packed)
        self.gains = np.empty(self.packed.sets.shape[1])
        self.cuts = np.empty(self.packed.sets.shape[1], np.int64)

    def candidates(self, members: Members) -> Iterator[Cut]:
        step = int(_term_kernels.step_for(len(members))) if self.use_terms else 1
        if step > 1:
            self.counts.leave()
            self.counts.enter(members[::step])
            found = self._worth(members, step)
            self.counts.leave()
            self.counts.enter(members)
            yield from found
        found = self._worth(members)
        if not found and not self.cut_columns and len(self.first_terms):  # without terms nothing parts them
            found = [self._alphabet_cut(members)]
        yield from found

    def _worth(self, members: Members, step: int = 1) -> list[Cut]:
        """The best first, as a sample of the members sees them."""
        if self.use_terms:
            self.counts.weigh(len(members[::step]))
        found = [*self._column_cuts(members, step), *self._term_cuts(members, step)]
        return sorted((cut for cut in found if cut.score > 1e-12), key=lambda cut: -cut.score)

    def _alphabet_cut(self, members: Members) -> Cut:
        left, best = np.empty(len(members), np.bool_), np.empty(len(members), np.bool_)
        untold = _term_kernels.halve_by_alphabet(
            members.astype(np.int64), self.first_terms, self.packed, self.work, left, best
        )
        # members who have no term at all are parted by nothing that their texts say
        return Cut(0.0, "neither" if untold else "textual", best)

    def _column_cuts(self, members: Members, step: int = 1) -> Iterator[Cut]:
        packed = self.packed
        if not self.cut_columns:
            return
        order, looked = members.astype(np.int64), members[::step].astype(np.int64)
        _kernels.best_cuts(
            looked, 0, len(looked), packed, self.least, self.work, self.gains, self.cuts, self.stop
        )
        for column, (gain, cut) in enumerate(zip(self.gains, self.cuts, strict=True)):
            if cut > 0:
                left = _kernels.left_of_cut(order, looked, packed, column, cut, self.work)
                textual = self.counts.gain(members[::step], left[::step]) if self.use_terms else 0.0
                yield Cut(self.weight * gain + (1.0 - self.weight) * textual, "relational", left)

    def _term_cuts(self, members: Members, step: int = 1) -> Iterator[Cut]:
        if not self.use_terms:
            return
        relational, looked = 0.0, members[::step]
        whole = self._loss(looked) if self.cut_columns else 0.0
        for term in self.counts.frequent(len(looked), TERM_CUTS):
            left = self.counts.holders_in(members, term)
            few = left[::step]
            if self.cut_columns:
                relational = whole - self._loss(looked[few]) - self._loss(looked[~few])
            textual = self.counts.gain(looked, few)
            yield Cut(self.weight * relational + (1.0 - self.weight) * textual, "textual", left)

    def _loss(self, members: Members) -> float:
        order = members.astype(np.int64)
        return len(order) * float(_kernels.node_loss(order, 0, len(order), self.packed, self.work))


class _WidestCuts:
    """The paper's candidates: attributes by normalized span with weight lambda, each at its median.

    A textual attribute is one entity type of one column. The paper (`cut: paper`) halves the alphabet of
    each person's modal term, which parts people who share terms; here its most frequent term decides.
    """

    def __init__(self, search: Search) -> None:
        self.search = search
        self.view = search.view
        self.least = search.least
        everyone = np.arange(self.view.persons, dtype=np.int32)
        self.counts = search.term_counts()
        self.ranks = pack(self.view, collapse=False)[0].ranks if search.use_columns else ()
        self.columns = range(len(self.view.columns)) if search.use_columns else range(0)
        self.full_spans = [self._span(column, everyone) for column in self.columns]
        self.marked = np.zeros(len(self.view.elements), np.bool_)
        self.seen = np.empty(len(self.view.elements), np.int64)
        self.full_terms = self._distinct_terms(everyone)
        self.modal = _modal_terms(self.view) if search.cut == "paper" else []

    def candidates(self, members: Members) -> Iterator[Cut]:
        if self.search.cut == "frequency":
            for term in self.counts.frequent(len(members), TERM_CUTS):
                yield Cut(0.0, "textual", self.counts.holders_in(members, term))
            return
        weight = self.search.relational_weight
        scored: list[tuple[float, int, int]] = []  # -score, declared place, column or -1 - domain
        for column in self.columns:
            span, full = self._span(column, members), self.full_spans[column]
            bias = self.view.columns[column].weight - 1.0
            if span > 0 and full > 0:
                scored.append((-(span / full + bias + weight) / 2, len(scored), column))
        if self.search.use_terms:
            distinct = self._distinct_terms(members)
            for domain in np.flatnonzero(distinct):
                span = distinct[domain] / self.full_terms[domain]
                bias = self.view.elements.domains[domain].weight - 1.0
                scored.append((-(span + bias + 1.0 - weight) / 2, len(scored), -1 - int(domain)))
        for score, _, attribute in sorted(scored):
            if attribute >= 0:
                yield from self._median_cuts(-score, attribute, members)
            elif self.search.cut == "paper":
                yield self._alphabet_half(-score, -1 - attribute, members)
            else:
                yield from self._frequent_cut(-score, -1 - attribute, members)

    def _span(self, column: int, members: Members) -> float:
        looked_at = self.view.columns[column]
        shape, domain, sets = looked_at.shape, looked_at.domain, looked_at.sets
        chosen = looked_at.person_set[members]
        low, high = sets.codes[sets.ptr[chosen]], sets.codes[sets.ptr[chosen + 1] - 1]
        if shape.kind == ShapeKind.SET or domain.attribute.scale not in ("numeric", "date"):
            return float(len(np.unique(sets.expand(np.unique(chosen))[1])))
        known = low < domain.missing_code
        if not known.any():
            return 0.0
        top = np.where(high < domain.missing_code, high, domain.missing_code - 1)
        missing = 1.0 if (high == domain.missing_code).any() else 0.0
        width = float(shape.position[top[known].max()] - shape.position[low[known].min()])
        return width if width > 0 else missing

    def _median_cuts(self, score: float, column: int, members: Members) -> Iterator[Cut]:
        """At the median; if too few lie on one side of it, at the next boundary that allows a cut."""
        ranks = self.ranks[column][members]
        values, counts = np.unique(ranks, return_counts=True)
        left_of = np.cumsum(counts)[:-1]
        allowed = np.flatnonzero((left_of >= self.least) & (len(members) - left_of >= self.least))
        nearest = allowed[np.argsort(np.abs(2 * left_of[allowed] - len(members)), kind="stable")]
        for place in nearest[: 1 if self.search.size_only else None]:
            yield Cut(score, "relational", ranks <= values[place])

    def _frequent_cut(self, score: float, domain: int, members: Members) -> Iterator[Cut]:
        active = self.counts.active[: self.counts.n_active]
        mine = active[self.counts.terms.domain[active] == domain]
        for term in self.counts.frequent(len(members), 1 if self.search.size_only else TERM_CUTS, mine):
            yield Cut(score, "textual", self.counts.holders_in(members, term))

    def _alphabet_half(self, score: float, domain: int, members: Members) -> Cut:
        """Those whose modal term is in the first half of the modal terms; who has none comes first."""
        modal = self.modal[domain][members]
        terms = np.unique(modal)
        return Cut(score, "textual", np.isin(modal, terms[: len(terms) // 2]))

    def _distinct_terms(self, members: Members) -> NDArray[np.int64]:
        elements = self.view.elements
        if not len(elements):
            return np.zeros(len(elements.domains), np.int64)
        count = _term_kernels.distinct_by_domain(
            members, elements.of_person.ptr, elements.of_person.codes,
            elements.domain, len(elements.domains), self.marked, self.seen,
        )  # fmt: skip
        is_terms = np.array([d.is_terms for d in elements.domains])
        return np.where(is_terms, count, 0)


def _modal_terms(view: PersonView) -> list[NDArray[np.int64]]:
    """Per domain, the term that most rows of each person hold, or -1; among equals the alphabet's first."""
    elements, count = view.elements, max(len(view.elements), 1)
    row, element = (by_row := elements.of_row()).owners(), by_row.codes
    held = view.person_of_row[row].astype(np.int64) * count + element
    pairs, rows = np.unique(held, return_counts=True)
    order = np.lexsort((pairs, -rows))[::-1]  # the most frequent is written last
    modal = [np.full(view.persons, -1, np.int64) for _ in elements.domains]
    for pair in pairs[order].tolist():
        modal[int(elements.domain[pair % count])][pair // count] = pair % count
    return modal
