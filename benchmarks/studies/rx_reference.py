"""Do our groups lose less than those of the paper's method, at equal k?

    python -m benchmarks.studies.rx_reference [--persons 2000]

The reference is written here from the paper's description and our notes on its public code: widest
normalized span with weight lambda, cut at the median, textual attributes cut by halving the alphabet
of each person's most frequent term of the type; GDF that gives up when its top term does not cut.
Losses are measured alike for both.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.figures import show
from benchmarks.track.blogs import PLAN, make_blogs
from heteronym.encode import encode
from heteronym.io.plans import make_plan
from heteronym.io.tables import read_tables
from heteronym.measures.ncp import NormalizedCertaintyPenalty
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView, ShapeKind
from heteronym.model.recoding import Recoding
from heteronym.partition.gdf import GlobalDocumentFrequency
from heteronym.partition.mondrian import Mondrian
from heteronym.pipeline import make_dataset
from heteronym.privacy.k_anonymity import KAnonymity
from heteronym.recode.term_suppress import SuppressTerms

RNG = np.random.default_rng(0)


class Reference:
    """The paper's Mondrian and GDF, plainly."""

    def __init__(self, view: PersonView, mentions: dict[tuple[int, int], int], k: int) -> None:
        self.view, self.k, self.mentions = view, k, mentions
        self.spans = [self._span(c, list(range(view.persons))) for c in range(len(view.columns))]
        self.domains = [self._terms(d, list(range(view.persons))) for d in range(len(view.elements.domains))]

    def _values(self, column: int, person: int) -> list[float]:
        one = self.view.columns[column]
        return [float(one.shape.position[c]) for c in one.sets[int(one.person_set[person])]]

    def _span(self, column: int, people: list[int]) -> float:
        values = {v for p in people for v in self._values(column, p)}
        if self.view.columns[column].shape.kind == ShapeKind.SET:
            return float(len(values))
        return max(values) - min(values)

    def _terms(self, domain: int, people: list[int]) -> int:
        elements = self.view.elements
        return len({e for p in people for e in elements.of_person[p] if elements.domain[e] == domain})

    def mondrian(self, weight: float) -> Partition:
        return self._grow(lambda people: self._mondrian_cuts(people, weight))

    def gdf(self) -> Partition:
        return self._grow(self._top_term_cut)

    def _grow(self, cuts) -> Partition:  # type: ignore[no-untyped-def]
        pending, groups = [list(range(self.view.persons))], []
        while pending:
            people = pending.pop()
            for left in cuts(people) if len(people) >= 2 * self.k else ():
                right = [p for p in people if p not in left]
                if len(left) >= self.k and len(right) >= self.k:
                    pending += [right, sorted(left)]
                    break
            else:
                groups.append(people)
        group = np.empty(self.view.persons, np.int32)
        for number, people in enumerate(groups):
            group[people] = number
        return Partition(group)

    def _mondrian_cuts(self, people: list[int], weight: float):  # type: ignore[no-untyped-def]
        scored = []
        if weight > 0:
            for column in range(len(self.view.columns)):
                scored.append((-(self._span(column, people) / self.spans[column] + weight) / 2, 0, column))
        if weight < 1:
            for domain, full in enumerate(self.domains):
                scored.append((-(self._terms(domain, people) / full + 1 - weight) / 2, 1, domain))
        for _, textual, attribute in sorted(scored):
            yield self._alphabet_half(attribute, people) if textual else self._median_half(attribute, people)

    def _median_half(self, column: int, people: list[int]) -> set[int]:
        place = {p: float(np.mean(self._values(column, p))) for p in people}
        if self.view.columns[column].shape.kind == ShapeKind.SET:
            count = Counter(place.values())
            half, seen = set(), 0
            for value in sorted(count):
                if seen + count[value] > len(people) / 2 and half:
                    break
                half.add(value)
                seen += count[value]
            return {p for p in people if place[p] in half}
        median = float(np.median(list(place.values())))
        return {p for p in people if place[p] < median}

    def _alphabet_half(self, domain: int, people: list[int]) -> set[int]:
        elements = self.view.elements
        modal = {}
        for p in people:
            mine = [e for e in elements.of_person[p] if elements.domain[e] == domain]
            modal[p] = max(mine, key=lambda e: (self.mentions.get((p, int(e)), 1), -e), default=-1)
        names = sorted(set(modal.values()))
        left = set(names[: len(names) // 2])
        return {p for p in people if modal[p] in left}

    def _top_term_cut(self, people: list[int]):  # type: ignore[no-untyped-def]
        if not hasattr(self, "_used"):
            self._used: set[int] = set()
        count = Counter(
            int(e) for p in people for e in self.view.elements.of_person[p] if e not in self._used
        )
        if count:
            term, _ = max(count.items(), key=lambda item: (item[1], -item[0]))
            self._used.add(term)
            yield {p for p in people if term in self.view.elements.of_person[p]}


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--persons", type=int, default=2_000)
    options.add_argument("--k", type=int, default=5)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as name:
        data = make_blogs(given.persons, Path(name))
        plan = make_plan(json.loads(json.dumps(PLAN)))
        view = encode(make_dataset(read_tables([data]), plan))
        mentions = _mention_counts(view)
    models = [KAnonymity(given.k)]

    def losses(partition: Partition) -> tuple[float, float]:
        labels = SuppressTerms().recode(view, partition, models=models, rng=RNG)
        found = NormalizedCertaintyPenalty().measure(view, partition, Recoding({}, labels))
        return found["relational"], found["textual"]

    rows: list[dict[str, object]] = []
    for weight in (0.0, 0.5, 1.0):
        ours = Mondrian(relational_weight=weight).partition(view, models=models, rng=RNG)
        theirs = Reference(view, mentions, given.k).mondrian(weight)
        rows.append(_row(f"lambda {weight}", losses(ours), losses(theirs)))
    ours = GlobalDocumentFrequency().partition(view, models=models, rng=RNG)
    rows.append(_row("gdf", losses(ours), losses(Reference(view, mentions, given.k).gdf())))
    show(rows)


def _row(method: str, ours: tuple[float, float], theirs: tuple[float, float]) -> dict[str, object]:
    return {
        "method": method,
        "columns, ours": ours[0],
        "columns, reference": theirs[0],
        "terms, ours": ours[1],
        "terms, reference": theirs[1],
    }


def _mention_counts(view: PersonView) -> dict[tuple[int, int], int]:
    """How often a person mentions a term: made up, mostly once."""
    rng = np.random.default_rng(1)
    held = view.elements.of_person
    owner = np.repeat(np.arange(view.persons), np.diff(held.ptr))
    often = rng.geometric(0.7, len(owner))
    return dict(zip(zip(owner.tolist(), held.codes.tolist(), strict=True), often.tolist(), strict=True))


if __name__ == "__main__":
    main()
