"""Whatever a recognizer says, scan, link and rewrite leave nothing that the auditor finds."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

from heteronym.model.mention import Mentions, Span
from heteronym.model.plan import TextPlan
from heteronym.model.recoding import placeholder
from heteronym.reading.scan import scan
from heteronym.verify.residue import FreeTerm, Residue, Side, find_residue
from tests.unit.reading.data import dataset, read, rewrite

ATTRIBUTES: dict[str, dict[str, Any]] = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE", "CARDINAL"]},
    "date": {"role": "quasi", "scale": "date", "entities": ["DATE"]},
    "city": {"role": "quasi", "entities": ["GPE"]},
    "name": {"role": "identifier", "entities": ["PERSON"]},
    "text": {"role": "text"},
}
WORDS = (
    "Pedro pedros PEDRO's Rome romes New York new-york 36 37 36.5 2004 2004-05-14 14 May 2004 May may city "
    "Cities it IT who WHO boss bosses Boss Will will York Times of the , . -- <b>Rome</b> [GPE] éRome Röme "
    "O'Brien o’brien 36-year-old 東京 東 years old US us 🙂 שלום"
).split()
PERSONS = [f"p{i % 3}" for i in range(6)]


class Guessing:
    """Marks words at random, sometimes half a word, sometimes several, under any type."""

    languages: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [self._spans(text) for text in texts]

    def _spans(self, text: str) -> list[Span]:
        words = [match.span() for match in re.finditer(r"\S+", text)]
        found = []
        for i, (start, _) in enumerate(words):
            if self.rng.random() < 0.3:
                end = words[min(len(words) - 1, i + self.rng.randrange(3))][1]
                end -= self.rng.random() < 0.3 and end - start > 3
                kind = self.rng.choice(["PERSON", "GPE", "DATE", "AGE", "MAIL", "ORG"])
                found.append(Span(start, end, kind, 0.5, "guess"))
        return found


class Case:
    """One random table, scanned and linked, with terms kept at random."""

    def __init__(self, seed: int) -> None:
        rng = random.Random(seed)
        count = len(PERSONS)

        def column(*values: str | None) -> list[str | None]:
            return [rng.choice(values) for _ in range(count)]

        self.cells: dict[str, list[Any]] = {
            "id": list(PERSONS),
            "age": column("36", "37", "36.0", None),
            "date": column("2004-05-14", "2003-01-02", None),
            "city": column("Rome", "New York", "cities", "boss", "US", None),
            "name": column("Pedro", "Will", None),
        }
        self.texts = [" ".join(rng.choices(WORDS, k=rng.randrange(12))) for _ in range(count)]
        self.data = dataset({**self.cells, "text": self.texts}, ATTRIBUTES, person="id")
        plan = TextPlan(model="none")
        self.mentions: Mentions = read(self.data, scan(self.data, plan, recognizers=[Guessing(rng)]), plan)
        m = self.mentions
        kept = {(p, t, n) for p in PERSONS for t in m.types for n in m.terms if rng.random() < 0.2}
        self.kept = np.array(
            [
                m.link[i] < 0 and (PERSONS[m.row[i]], m.types[m.type[i]], m.terms[m.term[i]]) in kept
                for i in range(len(m))
            ],
            dtype=bool,
        )
        self.labels = {
            "age": ["[30-40]"] * count,
            "date": [rng.choice(["2004", "[2003-2004]"])] * count,
            "city": [rng.choice(["{New York,Rome,US,boss}", "*"])] * count,
        }

    def replacements(self) -> list[str | None]:
        m = self.mentions
        made: list[str | None] = []
        for i in range(len(m)):
            if self.kept[i]:
                made.append(None)
            elif m.link[i] >= 0 and m.links[m.link[i]] in self.labels:
                made.append(self.labels[m.links[m.link[i]]][m.row[i]])
            else:
                made.append(placeholder(m.types[m.type[i]]))
        return made

    def residue(self, replacements: Sequence[str | None]) -> Residue:
        released = rewrite(self.texts, self.mentions, replacements, column="text")
        return find_residue(
            Side(np.array(PERSONS), {"text": released}, self.labels),
            Side(np.array(PERSONS), {"text": self.texts}, self.cells),
            self.data.schema.attributes,
            terms=self.free_terms(),
            types=self.mentions.types,
        )

    def free_terms(self) -> dict[Any, list[FreeTerm]]:
        m = self.mentions
        found: dict[Any, list[FreeTerm]] = {}
        for i in np.flatnonzero(m.link < 0).tolist():
            surface = self.texts[m.row[i]][m.start[i] : m.end[i]]
            term = FreeTerm(surface, m.types[m.type[i]], bool(self.kept[i]))
            found.setdefault(PERSONS[m.row[i]], []).append(term)
        return found


@pytest.mark.parametrize("seed", range(250))
def test_what_was_replaced_is_gone(seed: int) -> None:
    case = Case(seed)
    assert not case.residue(case.replacements()).places


@pytest.mark.parametrize("seed", range(250))
def test_mentions_never_overlap(seed: int) -> None:
    m = Case(seed).mentions
    same_text = (m.row[1:] == m.row[:-1]) & (m.column[1:] == m.column[:-1])
    assert (m.start[1:][same_text] >= m.end[:-1][same_text]).all()


@pytest.mark.parametrize("seed", range(250))
def test_a_mention_that_slips_through_is_found(seed: int) -> None:
    case = Case(seed)
    m = case.mentions
    for i in range(len(m)):
        surface = case.texts[m.row[i]][m.start[i] : m.end[i]]
        if case.kept[i] or m.link[i] >= 0 or not re.fullmatch(r"[A-Z][a-z]{4,}", surface):
            continue
        mine = [j for j in np.flatnonzero(case.kept) if PERSONS[m.row[j]] == PERSONS[m.row[i]]]
        if any(surface in case.texts[m.row[j]][m.start[j] : m.end[j]] for j in mine):
            continue
        leaking = case.replacements()
        leaking[i] = None
        assert case.residue(leaking).places
