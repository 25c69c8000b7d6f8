"""One term per entity: the mentions of a person that speak of one thing get one term.

"Smith" joins "John Smith", a misspelt repeat joins its name, "Georgia" of "Atlanta, Georgia" is another
term than the country, and with contexts what governs a mention is part of its term. How a mention is
spelt is kept beside its term, because a release may keep a term only where all spell it alike.

Cost        O(mentions) per person, plus pairs of like names; with contexts a parse of the texts
Randomness  none
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions, Span
from heteronym.text.contexts import contexts_of
from heteronym.text.entities import terms_of
from heteronym.text.scan import person_numbers, span_of, texts_of


def join_entities(dataset: Dataset, mentions: Mentions, *, contexts: bool = False) -> Mentions:
    """Mentions with the term of their entity; linked ones keep theirs."""
    free = np.flatnonzero(mentions.link < 0)
    person = person_numbers(dataset)[mentions.row[free]]
    free = free[np.argsort(person, kind="stable")]
    person = np.sort(person, kind="stable")
    cells = [texts_of(dataset.frame[name]) for name in mentions.columns]
    number_of: dict[str, int] = {}
    term = np.zeros(len(mentions), np.int32)
    begins = np.flatnonzero(np.r_[True, person[1:] != person[:-1]]) if len(free) else np.empty(0, np.int64)
    for mine in np.split(free, begins[1:]):
        places: dict[tuple[int, int], list[int]] = {}
        for which in mine.tolist():
            places.setdefault((int(mentions.column[which]), int(mentions.row[which])), []).append(which)
        texts = [cells[column][row] or "" for column, row in places]
        spans: list[list[Span]] = [[span_of(mentions, which) for which in some] for some in places.values()]
        governed = contexts_of(texts, spans) if contexts else None
        for some, terms in zip(places.values(), terms_of(texts, spans, contexts=governed), strict=True):
            for which, name in zip(some, terms, strict=True):
                term[which] = number_of.setdefault(name, len(number_of))
    for which in np.flatnonzero(mentions.link >= 0).tolist():
        name = mentions.terms[int(mentions.term[which])]
        term[which] = number_of.setdefault(name, len(number_of))
    names = sorted(number_of)
    new = np.zeros(len(names), np.int32)
    for number, name in enumerate(names):
        new[number_of[name]] = number
    joined = new[term] if len(names) else term
    return replace(mentions, terms=tuple(names), term=joined, spelling=mentions.term)
