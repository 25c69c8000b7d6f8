"""What reviewers decided, carried out on mentions: before persons are read, and on what reading them added.

A decision about a term holds wherever the term stands. What is masked, of another type or missed is looked
for in all texts, as whole words; if it was marked with a capital, an occurrence needs one, too. A decision
about a place goes before one about its term; a rejected place is a mention again if the same term is one
elsewhere in the person's texts. A person's own values stay linked to their columns, whatever was decided.

Cost        O(mentions + characters of the texts)
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.io.decisions import ADD, KEEP, MASK, NEVER, SAME, TYPE, Decision, Decisions, digest_of
from heteronym.model.collect import Collection
from heteronym.model.dataset import Dataset
from heteronym.model.mention import NUMBERS, Mentions, Span, Status
from heteronym.model.schema import Role
from heteronym.model.terms import Term, normalize
from heteronym.reading.scan import texts_of
from heteronym.run import current
from heteronym.text.phrases import Phrases

SOURCE = "review"
DENIED = "DENIED"  # what is masked at one place alone
_FOLLOWED = (ADD, MASK, TYPE)  # looked for in all texts
# Both take a word out of the mentions, and releases treat them alike. They differ in what is meant, and in
# what reviewers read in `web/pages.py`: NEVER says that a recognizer was wrong, KEEP that a right mention
# may be read by anybody, outside of the promise. Under both, a person's own values stay mentions.
_GONE = (KEEP, NEVER)
_STATUS = {ADD: Status.ADDED, MASK: Status.MASKED}
_WORD = re.compile(r"[A-Za-z0-9]+")


class Wanted(NamedTuple):
    """A term to look for, as it was marked."""

    spelling: str
    type: str


def occurrences(texts: pl.Series, wanted: Sequence[Wanted]) -> Iterator[tuple[int, int, int, int]]:
    """Row, start, end and which of the wanted terms it is."""
    phrases: Phrases[int] = Phrases()
    for number, one in enumerate(wanted):
        phrases.add(one.spelling, number)
    firsts = [_first_word(one.spelling) for one in wanted]
    if not wanted:
        return
    rows = list(range(len(texts)))
    if all(firsts):
        likely = texts.str.contains_any([word for word in firsts if word], ascii_case_insensitive=True)
        rows = likely.fill_null(False).arg_true().to_list()
    cells = texts.gather(rows).to_list()
    for row, text in zip(rows, cells, strict=True):
        for start, end, number in phrases.find(text) if text else ():
            if not (text[start].islower() and wanted[number].spelling[:1].isupper()):
                yield row, start, end, number


def _first_word(spelling: str) -> str | None:
    """Letters that every occurrence has, whatever its accents and spaces; None if that cannot be told."""
    found = _WORD.search(spelling) if spelling.isascii() else None
    return None if found is None else found.group()


def names_of(texts: Mapping[str, Sequence[str | None]], mentions: Mentions) -> list[str]:
    """What each mention says, normalized."""
    cells = [texts[name] for name in mentions.columns]
    places = (mentions.column, mentions.row, mentions.start, mentions.end)
    return [
        normalize((cells[column][row] or "")[start:end])
        for column, row, start, end in zip(*(part.tolist() for part in places), strict=True)
    ]


def carry_out(dataset: Dataset, found: Mentions, decisions: Decisions) -> Mentions:
    """The mentions as they were decided, before persons are read."""
    columns = tuple(dataset.schema.named(Role.TEXT))
    texts = {name: texts_of(dataset.frame[name]) for name in columns}
    at_place = _places(texts, decisions)
    by_text: dict[tuple[int, int], list[tuple[Span, Status]]] = {}
    names, spans = names_of(texts, found), found.spans(slice(None))
    types = _types_of(names, spans)
    for name, span, row, column, status in zip(
        names, spans, found.row.tolist(), found.column.tolist(), found.status.tolist(), strict=True
    ):
        number = columns.index(found.columns[column])
        said = at_place.pop((row, number, span.start, span.end), None)
        said_here = said is not None
        said = said or decisions.of_term.get(name)
        if said is None or not said.settles:  # reviewers differ: as it was found
            by_text.setdefault((row, number), []).append((span, Status(status)))
        elif said.decision not in _GONE:
            by_text.setdefault((row, number), []).append(_decided(span, said, here=said_here))
    for (row, number, start, end), said in at_place.items():
        if said.decision not in _GONE and said.type is not None:
            span = Span(start, end, said.type, 1.0, SOURCE, "")
            _put(by_text.setdefault((row, number), []), *_decided(span, said, here=True))
    _follow(dataset, columns, decisions, types, by_text)
    result = Collection(columns)
    for (row, number), mentions in by_text.items():
        for span, settled in mentions:
            result.add_span(row, number, span, settled)
    return result.build()


def _types_of(names: Sequence[str], spans: Sequence[Span]) -> dict[str, str]:
    """The type that a term has most often."""
    often = Counter((name, span.type) for name, span in zip(names, spans, strict=True))
    return {name: kind for (name, kind), _ in sorted(often.items(), key=lambda one: (one[1], one[0]))}


def _decided(span: Span, said: Decision, *, here: bool) -> tuple[Span, Status]:
    if said.decision in (TYPE, ADD) and said.type is not None:
        span = span._replace(type=said.type)
    if here and said.decision == MASK:  # the same term elsewhere is not meant
        return span._replace(type=DENIED), Status.CONFIRMED
    return span, _STATUS.get(said.decision, Status.CONFIRMED)


def _places(
    texts: Mapping[str, Sequence[str | None]], decisions: Decisions
) -> dict[tuple[int, int, int, int], Decision]:
    """Decisions about places, by row, column, start and end in this data."""
    wanted: dict[tuple[str, str], list[Decision]] = {}
    for place, said in decisions.of_place.items():
        if not said.settles:
            continue
        wanted.setdefault((place.column, place.text), []).append(said)
    found: dict[tuple[int, int, int, int], Decision] = {}
    named = {column for column, _ in wanted}
    for number, (name, cells) in enumerate(texts.items()):
        for row, text in enumerate(cells if name in named else ()):
            for said in wanted.get((name, digest_of(text or "")), ()) if text else ():
                at = said.place
                if at is not None and at.end <= len(text or ""):
                    found[row, number, at.start, at.end] = said
    return found


def _follow(
    dataset: Dataset,
    columns: Sequence[str],
    decisions: Decisions,
    types: Mapping[str, str],
    by_text: dict[tuple[int, int], list[tuple[Span, Status]]],
) -> None:
    """Occurrences that nobody found of what is to be masked, or was missed."""
    said = [one for one in decisions.of_term.values() if one.decision in _FOLLOWED]
    wanted = [Wanted(one.spelling or one.term, one.type or types.get(one.term) or DENIED) for one in said]
    rejected = {
        (place.column, place.text, place.start, place.end)
        for place, one in decisions.of_place.items()
        if one.decision in _GONE
    }
    for number, name in enumerate(columns):
        cells = dataset.frame[name].cast(pl.String)
        current().poll()
        for row, start, end, which in occurrences(cells, wanted):
            if rejected and (name, digest_of(cells[row]), start, end) in rejected:
                continue
            span = Span(start, end, wanted[which].type, 1.0, SOURCE, "")
            mine = by_text.setdefault((row, number), [])
            _put(
                mine,
                span,
                _STATUS.get(said[which].decision, Status.CONFIRMED),
                weak=said[which].decision != ADD,
            )


def _put(mine: list[tuple[Span, Status]], span: Span, status: Status, *, weak: bool = False) -> None:
    """A further mention of a text: it takes the place of what it covers, and nothing sticks out of it.

    A weak one yields to what stands there already.
    """
    over = [one for one in mine if one[0].start < span.end and span.start < one[0].end]
    if any(one[0].start <= span.start and span.end <= one[0].end for one in over):
        return
    if over and weak and status is not Status.MASKED:
        return
    start = min([span.start, *(one[0].start for one in over)])
    end = max([span.end, *(one[0].end for one in over)])
    mine[:] = [one for one in mine if one not in over]
    mine.append((span._replace(start=start, end=end), status))


def words_gone(decisions: Decisions) -> frozenset[str]:
    """What somebody said is no mention, or may be read by anybody, wherever it stands; normalized."""
    return frozenset(term for term, said in decisions.of_term.items() if said.decision in _GONE)


def hold_to(dataset: Dataset, read: Mentions, decisions: Decisions) -> Mentions:
    """What reading persons made of the mentions, with what was decided about terms."""
    if not decisions.of_term:
        return read
    texts = {name: texts_of(dataset.frame[name]) for name in read.columns}
    names = names_of(texts, read)
    free = (read.link < 0).tolist()
    here = _said_here(texts, read, decisions)
    said = [
        decisions.of_term.get(name) if is_free and not at else None
        for name, is_free, at in zip(names, free, here, strict=True)
    ]
    masked = np.array([one is not None and one.decision == MASK for one in said], np.bool_)
    status = np.where(masked, Status.MASKED, read.status).astype(read.status.dtype)
    read = _with_same_terms(replace(read, status=status), names, said)
    stays = np.array([one is None or one.decision not in _GONE for one in said], np.bool_)
    return replace(read, **{name: getattr(read, name)[stays] for name in NUMBERS})


def _said_here(
    texts: Mapping[str, Sequence[str | None]], read: Mentions, decisions: Decisions
) -> NDArray[np.bool_]:
    """Which mentions somebody decided about at their place."""
    at = set(_places(texts, decisions))
    if not at:
        return np.zeros(len(read), np.bool_)
    number = [list(texts).index(name) for name in read.columns]
    places = zip(read.row.tolist(), read.column.tolist(), read.start.tolist(), read.end.tolist(), strict=True)
    return np.array([(row, number[column], start, end) in at for row, column, start, end in places], np.bool_)


def _with_same_terms(read: Mentions, names: Sequence[str], said: Sequence[Decision | None]) -> Mentions:
    """Terms that are the same as another become that one."""
    target = {one.term: one.same_as for one in said if one is not None and one.decision == SAME}
    if not target:
        return read
    meant = {name: _end_of_chain(name, target) for name in target}
    wanted, often = set(meant.values()), Counter[tuple[str, int, int]]()
    for name, term, kind, link in zip(
        names, read.term.tolist(), read.type.tolist(), read.link.tolist(), strict=True
    ):
        if name in wanted and link < 0:
            often[name, term, kind] += 1
    known = {name: (term, kind) for (name, term, kind), _ in sorted(often.items(), key=lambda one: one[1])}
    terms, number = list(read.terms), {}
    new_term, new_type = read.term.copy(), read.type.copy()
    for i, (name, one) in enumerate(zip(names, said, strict=True)):
        if one is None or one.decision != SAME:
            continue
        other = meant[name]
        if other in known:
            new_term[i], new_type[i] = known[other]
            continue
        kind = read.types[read.type[i]]
        if (kind, other) not in number:
            number[kind, other] = len(terms)
            terms.append(Term(kind, other))
        new_term[i] = number[kind, other]
    return replace(read, terms=tuple(terms), term=new_term, type=new_type)


def _end_of_chain(name: str, target: Mapping[str, str | None]) -> str:
    seen = {name}
    while (following := target.get(name)) is not None and following not in seen:
        name = following
        seen.add(name)
    return name
