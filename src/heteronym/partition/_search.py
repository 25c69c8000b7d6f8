"""The top-down search behind mondrian and gdf: which cuts a plan asks for.

All searches are the same walk over nodes (`_search_kernels.grow`); the cut is its parameter. Where sizes
decide, or limits that kernels know, it runs compiled from start to end. Otherwise each node is asked for
here: columns propose their best cut, frequent terms propose presence against absence, and the best that all
models admit is made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.contracts import Members, PrivacyModel
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView, ShapeKind
from heteronym.partition import _term_kernels
from heteronym.partition._balanced_parts import balanced_parts
from heteronym.partition._clusters import numbered
from heteronym.partition._column_cut_kernels import PackedViews, WorkViews
from heteronym.partition._column_search import Passes, search_records
from heteronym.partition._limited_search import LimitedSearch
from heteronym.partition._pack import collapse, layout_of, pack_persons, pack_records, work_for
from heteronym.partition._search_kernels import AskedCuts, grow
from heteronym.partition._term_kernels import FrequencyCuts
from heteronym.partition._term_search_kernels import (
    WORTH,
    ListViews,
    TermCuts,
    TermViews,
    TriedViews,
    list_terms,
    lists_for,
    room_for,
    tell_left,
    tried_for,
    weigh_cuts,
)
from heteronym.partition._terms import Terms
from heteronym.run import current
from heteronym.statistics.histograms import Histogram
from heteronym.statistics.model_statistics import ModelStatistics

TERM_CUTS = 6  # frequent terms tried per node
KINDS = ("relational", "textual", "neither")  # of cuts
POWER = 4.0  # of the holders' share in the textual look-ahead; 1 keeps fewer terms, more than 4 no more


class Cut(NamedTuple):
    kind: Literal["relational", "textual", "neither"]
    left: NDArray[np.bool_]  # per member

    def smaller(self, members: Members) -> Members:
        """Those on the smaller side."""
        return members[self.left if 2 * self.left.sum() <= len(members) else ~self.left]


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
        self.view, self.statistics = view, ModelStatistics(view, models)
        self.least = max(least, self.statistics.least)
        self.size_only = not self.statistics.asking
        self.passes = passes or Passes()
        self.cut = cut
        has_terms = view.elements.has_terms
        self.use_terms = has_terms and (relational_weight < 1.0 or not view.columns)
        self.use_columns = bool(view.columns) and (relational_weight > 0.0 or not has_terms)
        both = self.use_terms and self.use_columns
        self.relational_weight = relational_weight if both else float(self.use_columns)

    def run(self) -> Partition:
        if self.cut == "frequency" and self.size_only:
            return self._run_on_frequency()
        if self.cut == "gain" and self.size_only:
            return self._run_with_terms() if self.use_terms else self._run_on_records()
        if self.cut == "gain" and not self.use_terms:
            histograms = self.statistics.histograms()
            if histograms is not None:
                return self._run_under_limits(histograms)
        return self.run_asking()

    def _run_on_records(self) -> Partition:
        records, record_of = collapse(self.view)
        packed = pack_records(layout_of(self.view.columns), records)
        group, count, _ = search_records(packed, self.least, self.passes)
        return Partition(group[record_of], {"relational": int(count) - 1, "textual": 0})

    def _run_under_limits(self, histograms: list[Histogram]) -> Partition:
        """As compiled as sizes: every model's limit is one that the kernels know."""
        records, record_of = collapse(self.view)
        packed = pack_records(layout_of(self.view.columns), records)
        limited = LimitedSearch(packed, record_of, histograms, self.least, clusters=self.passes.clusters)
        result = limited.search(np.arange(self.view.persons))
        if (
            self.passes.clusters
            and self.view.persons > limited.large
            and 2 * result.stopped > self.view.persons
        ):
            dealt = limited.search_parts(
                balanced_parts(self.view, limited.holding, largest=limited.large, least=self.least)
            )
            result = min(result, dealt, key=lambda one: one.loss)
        group = numbered(result.group).astype(np.int32)
        return Partition(group, {"relational": result.groups - 1, "textual": 0})

    def _run_with_terms(self) -> Partition:
        """As `run_asking` with cuts by gain, compiled from start to end."""
        terms, packed = Terms.of(self.view, self.least), pack_persons(self.view)
        splits = np.zeros(len(KINDS), np.int64)
        room = room_for(terms, self.least, packed.sets.shape[1] + TERM_CUTS)
        cuts = TermCuts(
            packed, work_for(packed), terms, room, self.first_terms(), self.least, self.relational_weight,
            TERM_CUTS, POWER, splits,
        )  # fmt: skip
        group = numbered(self._grown(cuts)).astype(np.int32)
        return Partition(group, dict(zip(KINDS, splits.tolist(), strict=True)))

    def _run_on_frequency(self) -> Partition:
        terms = Terms.of(self.view, self.least)
        group = self._grown(FrequencyCuts(terms.ptr, np.diff(terms.ptr), *terms.common_first(), self.least))
        return Partition(group, {"relational": 0, "textual": int(group.max(initial=0))})

    def _grown(self, cuts: Any) -> NDArray[np.int32]:
        """The group of each person, in the order in which groups were done."""
        run, done, persons = current(), np.zeros(1, np.int64), self.view.persons
        walk = cuts, np.arange(persons), np.array([persons]), done, run.stop
        if isinstance(cuts, AskedCuts):  # asked where it was called, so that it finds its run
            order, begins, ends = grow(*walk)
            run.poll()
        else:
            with run.watching(done, persons):
                order, begins, ends = run.call(grow, *walk)
        group, from_left = np.empty(persons, np.int32), np.argsort(begins)
        group[order] = np.repeat(from_left, (ends - begins)[from_left])
        return group

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

    def run_asking(self) -> Partition:
        """All models are asked for every cut that looks good, in Python."""
        asked = _Asked(self)
        group = numbered(self._grown(AskedCuts(asked))).astype(np.int32)
        return Partition(group, asked.splits)


class _Asked:
    """The best cut of a node that all models admit, for `AskedCuts`."""

    def __init__(self, search: Search) -> None:
        self.search, self.run = search, current()
        self.cuts: _GainCuts | _WidestCuts = (
            _GainCuts(search) if search.cut == "gain" else _WidestCuts(search)
        )
        self.splits = dict.fromkeys(KINDS, 0)

    def open(self, order: NDArray[np.int64], done: int) -> None:
        """A node that waited is at work; so many persons are in groups."""
        self.run.tell(done / self.search.view.persons)
        self.statistics = self.search.statistics.start(order.astype(np.int32))

    def left(self, order: NDArray[np.int64]) -> NDArray[np.bool_] | None:
        """Who of the members goes left; None where no cut is admitted."""
        members = order.astype(np.int32)
        self.run.poll()
        if len(members) < 2 * self.search.least:
            return None
        for cut in self.cuts.candidates(members):
            small = cut.smaller(members)
            if self.search.statistics.admits_cut(self.statistics, small, len(members) - len(small)):
                self.splits[cut.kind] += 1
                return cut.left  # the statistics are now those of the larger half
        return None


class _NodeTerms:
    """The terms that guide the search, to be listed with their holders node by node."""

    def __init__(self, search: Search) -> None:
        # where none guide it, nobody holds enough of any
        fewest = search.least if search.use_terms else search.view.persons + 1
        self.held, self.least = Terms.of(search.view, fewest), search.least
        self.lists = lists_for(self.held.number, len(self.held.codes))
        self.views, self.list_views = TermViews(self.held), ListViews(self.lists)

    def list(self, members: NDArray[np.int64], tried: int = 0) -> int:
        """List those that enough members hold; how many."""
        wanted = np.empty(tried, np.int64)
        return int(list_terms(members, self.views, self.list_views, self.least, wanted))


class _GainCuts:
    """Candidates by drop of the loss: lambda times columns plus (1 - lambda) times terms."""

    def __init__(self, search: Search) -> None:
        self.weight, self.least = search.relational_weight, search.least
        self.use_terms, self.first_terms = search.use_terms, search.first_terms()
        self.terms = _NodeTerms(search)
        packed = pack_persons(search.view)
        columns = packed.sets.shape[1]
        self.packed, self.work, self.stop = PackedViews(packed), WorkViews(work_for(packed)), current().stop
        self.tried = tried_for(search.view.persons, columns + TERM_CUTS)
        self.tried_views = TriedViews(self.tried, columns, TERM_CUTS, self.terms.held.number)

    def candidates(self, members: Members) -> Iterator[Cut]:
        """The best first, as a sample of the members sees them, then as all do."""
        order = members.astype(np.int64)
        widest = int(_term_kernels.step_for(len(members))) if self.use_terms else 1
        for step in sorted({widest, 1}, reverse=True):
            looked = np.ascontiguousarray(order[::step])
            scores = self.weigh(looked, is_sample=step > 1)
            worth = np.flatnonzero(scores > WORTH)
            for cut in worth[np.argsort(-scores[worth], kind="stable")]:
                yield self.cut(order, looked, cut)
        if not len(worth) and len(self.first_terms):
            yield self._alphabet_cut(order)

    def weigh(self, looked: NDArray[np.int64], *, is_sample: bool = False) -> NDArray[np.float64]:
        """What the cuts are worth that are tried, by number."""
        listed = self.terms.list_views, self.terms.list(looked, TERM_CUTS if is_sample else 0)
        by = self.packed, self.work, self.least, self.weight, POWER
        return self.tried.scores[: weigh_cuts(looked, *listed, *by, self.tried_views, self.stop)].copy()

    def cut(self, order: NDArray[np.int64], looked: NDArray[np.int64], number: int) -> Cut:
        """One of the cuts that were weighed for those looked at, for all."""
        left = np.empty(len(order), np.bool_)
        tell_left(order, looked, self.tried_views, number, self.terms.views, self.packed, self.work, left)
        return Cut("textual" if self.tried.kind[number] else "relational", left)

    def _alphabet_cut(self, order: NDArray[np.int64]) -> Cut:
        left, best = np.empty(len(order), np.bool_), np.empty(len(order), np.bool_)
        without_terms = _term_kernels.halve_by_alphabet(
            order, self.first_terms, self.packed, self.work, np.empty(len(order), np.int64), left, best
        )
        # members who have no term at all are parted by nothing that their texts say
        return Cut("neither" if without_terms else "textual", best)


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
        self.terms = _NodeTerms(search)
        self.ranks = pack_persons(self.view).ranks if search.use_columns else ()
        self.columns = range(len(self.view.columns)) if search.use_columns else range(0)
        self.full_spans = [self._span(column, everyone) for column in self.columns]
        self.full_terms = self._distinct_terms(everyone)
        self.modal = _modal_terms(self.view) if search.cut == "paper" else []

    def candidates(self, members: Members) -> Iterator[Cut]:
        if self.search.cut == "frequency":
            yield from self._frequent_cuts(members)
            return
        for _, _, attribute in self.scored(members):
            if attribute >= 0:
                yield from self._median_cuts(attribute, members)
            elif self.search.cut == "paper":
                yield self._alphabet_half(-1 - attribute, members)
            else:
                yield from self._frequent_cuts(members, -1 - attribute)

    def scored(self, members: Members) -> list[tuple[float, int, int]]:
        """The attributes from the widest on: -score, declared place, column or -1 - domain."""
        weight = self.search.relational_weight
        scored: list[tuple[float, int, int]] = []
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
        return sorted(scored)

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

    def _median_cuts(self, column: int, members: Members) -> Iterator[Cut]:
        """At the median; if too few lie on one side of it, at the next boundary that allows a cut."""
        ranks = self.ranks[column][members]
        values, counts = np.unique(ranks, return_counts=True)
        left_of = np.cumsum(counts)[:-1]
        allowed = np.flatnonzero((left_of >= self.least) & (len(members) - left_of >= self.least))
        nearest = allowed[np.argsort(np.abs(2 * left_of[allowed] - len(members)), kind="stable")]
        for place in nearest:
            yield Cut("relational", ranks <= values[place])

    def _frequent_cuts(self, members: Members, domain: int | None = None) -> Iterator[Cut]:
        """Holders of the most frequent terms, of all or of one domain, against all others."""
        begins, holders, _, name, people, _ = self.terms.lists
        listed = np.arange(self.terms.list(members.astype(np.int64)))
        if domain is not None:
            listed = listed[self.terms.held.domain[name[: len(listed)]] == domain]
        frequent = np.empty(TERM_CUTS, np.int64)
        _term_kernels.frequent_terms(listed, len(listed), holders, name, len(members), self.least, frequent)
        for term in frequent:
            if term >= 0:
                left = np.zeros(len(members), np.bool_)
                left[np.searchsorted(members, people[begins[term] : begins[term + 1]])] = True
                yield Cut("textual", left)

    def _alphabet_half(self, domain: int, members: Members) -> Cut:
        """Those whose modal term is in the first half of the modal terms; who has none comes first."""
        modal = self.modal[domain][members]
        terms = np.unique(modal)
        return Cut("textual", np.isin(modal, terms[: len(terms) // 2]))

    def _distinct_terms(self, members: Members) -> NDArray[np.int64]:
        """How many different terms of each domain members hold."""
        elements = self.view.elements
        held = np.unique(elements.of_person.expand(members)[1])
        return np.bincount(elements.domain[held[elements.is_term[held]]], minlength=len(elements.domains))


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
