"""Links a person's mentions to the columns they repeat, and finds column values that no recognizer reported.

A mention is linked to a quasi attribute that has the mention's type among its `entities` if it tells
one of the same person's values, on any of that person's rows. Each mention is judged by itself.
A linked mention shrinks to the part that tells the value, so that only this part is recoded.
Values of attributes with `entities` are also searched in the person's texts as they stand in the
column, with case, spacing and plural variants, and full dates in every form.

Cost        O(tokens of the texts) + the linkers', one call per person and attribute
Randomness  none
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heteronym.contracts import Linker
from heteronym.model.mention import Span
from heteronym.model.schema import Attribute, Scale
from heteronym.model.terms import normalize
from heteronym.text.dates import find_full, parse_cell
from heteronym.text.numbers import number_of
from heteronym.text.phrases import Phrases

SOURCE = "value"

_Hit = tuple[int, int, int]  # start, end, number of the target


@dataclass(frozen=True)
class Target:
    """An attribute whose values turn up in texts."""

    name: str
    attribute: Attribute
    takes_links: bool


@dataclass
class Piece:
    """A mention on its way: where, what, and the attribute it repeats."""

    span: Span
    target: int | None = None
    part: tuple[int, int] | None = None  # offsets in the text that tell the value


def link_person(
    texts: Sequence[str],
    found: Sequence[Sequence[Span]],
    values: Sequence[Sequence[Any]],
    targets: Sequence[Target],
    parts: Sequence[Linker],
    synonyms: Mapping[str, Collection[str]],
) -> list[list[Piece]]:
    """The mentions of one person, each with the target whose value it repeats, and the values found beside.

    `values` are the person's cells of each target, none missing.
    """
    pieces = [[Piece(span) for span in spans] for spans in found]
    widened = [_with_synonyms(mine, target.attribute, synonyms) for target, mine in zip(targets, values)]
    for number, target in enumerate(targets):
        if target.takes_links and widened[number]:
            _link_mentions(texts, pieces, number, target.attribute, widened[number], parts)
    matcher: Phrases[int] = Phrases()
    days: dict[int, set[Any]] = {}
    for number, target in enumerate(targets):
        for value in widened[number]:
            for form in value_forms(value, target.attribute):
                matcher.add(form, number, plural=True, singular=True)
        if target.attribute.scale == Scale.DATE:
            days[number] = {day for v in values[number] for day in parse_cell(v, target.attribute.format)}
    years = {f"{day.year % 100:02d}" for known in days.values() for day in known}
    for place, text in enumerate(texts):
        if not text:
            continue
        hits = matcher.find(text, overlapping=True)
        if any(year in text for year in years):
            for reading in find_full(text):
                for number, known in days.items():
                    if any(reading.date.contains(day) for day in known):
                        hits.append((reading.start, reading.end, number))
        if hits:
            pieces[place] = _with_values(pieces[place], hits, targets)
    return pieces


def _link_mentions(
    texts: Sequence[str],
    pieces: Sequence[Sequence[Piece]],
    number: int,
    attribute: Attribute,
    values: Sequence[Any],
    parts: Sequence[Linker],
) -> None:
    open_pieces: dict[str, list[Piece]] = {}
    for text, mine in zip(texts, pieces):
        for piece in mine:
            if piece.target is None and piece.span.type in attribute.entities:
                open_pieces.setdefault(text[piece.span.start : piece.span.end], []).append(piece)
    for part in parts:
        if not open_pieces:
            return
        surfaces = list(open_pieces)
        for surface, telling in zip(surfaces, part.links(surfaces, values, attribute=attribute)):
            if telling is None:
                continue
            for piece in open_pieces.pop(surface):
                piece.target = number
                piece.part = (piece.span.start + telling[0], piece.span.start + telling[1])


def _with_values(pieces: Sequence[Piece], hits: Sequence[_Hit], targets: Sequence[Target]) -> list[Piece]:
    """Mentions and value occurrences together, none overlapping."""
    whole: list[Piece] = []
    near: list[Piece] = []
    near_hits: list[_Hit] = []
    reach = 0
    # Only what overlaps needs settling: clusters are small, however long the text is.
    events: list[Piece | _Hit] = sorted([*pieces, *hits], key=lambda event: _place(event))
    for event in events:
        start, end = _place(event)
        if start >= reach:
            whole += _settled(near, near_hits, targets)
            near, near_hits = [], []
        if isinstance(event, Piece):
            near.append(event)
        else:
            near_hits.append(event)
        reach = max(reach, end)
    return whole + _settled(near, near_hits, targets)


def _place(event: Piece | _Hit) -> tuple[int, int]:
    return (event.span.start, event.span.end) if isinstance(event, Piece) else event[:2]


def _settled(pieces: Sequence[Piece], hits: Sequence[_Hit], targets: Sequence[Target]) -> list[Piece]:
    """One cluster of overlapping mentions and occurrences.

    An occurrence inside a mention is the mention's affair. A mention inside an occurrence gives
    way to it. Where they only touch, one mention covers both, so that no piece is left standing.
    """
    whole = list(pieces)
    for start, end, number in sorted(hits, key=lambda hit: (hit[0] - hit[1], hit[0], hit[2])):
        near = [piece for piece in whole if piece.span.start < end and start < piece.span.end]
        kind = targets[number].attribute.entities[0]
        fresh = Piece(Span(start, end, kind, 1.0, SOURCE, targets[number].name), number, (start, end))
        if any(
            piece.span.start <= start
            and end <= piece.span.end
            and (piece.target is not None or (piece.span.start, piece.span.end) != (start, end))
            for piece in near
        ):
            continue
        if near and not all(start <= piece.span.start and piece.span.end <= end for piece in near):
            longer = max((piece.span for piece in near), key=lambda span: span.end - span.start)
            covering = longer._replace(
                start=min(start, *(piece.span.start for piece in near)),
                end=max(end, *(piece.span.end for piece in near)),
            )
            fresh = Piece(covering)
        whole = [piece for piece in whole if piece not in near]
        whole.append(fresh)
    return sorted(whole, key=lambda piece: piece.span.start)


def value_forms(value: Any, attribute: Attribute) -> list[str]:
    """How a value is written in a text when it is written as it is."""
    if attribute.scale == Scale.NUMERIC:
        number = number_of(value)
        if number is None:
            return [str(value)]
        forms = [str(value).strip()]
        if number.is_integer() and abs(number) < 1e15:
            forms += [str(int(number)), f"{int(number):,}"]
        return list(dict.fromkeys(forms))
    return [str(value).strip()]


def synonym_groups(synonyms: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Every name of a thing -> all its names."""
    groups: dict[str, tuple[str, ...]] = {}
    for name, others in synonyms.items():
        known = dict.fromkeys([name, *others])
        for each in [name, *others]:
            known |= dict.fromkeys(groups.get(normalize(each), ()))
        for each in known:
            groups[normalize(each)] = tuple(known)
    return groups


def _with_synonyms(
    values: Sequence[Any], attribute: Attribute, synonyms: Mapping[str, Collection[str]]
) -> list[Any]:
    if not synonyms or attribute.scale in (Scale.NUMERIC, Scale.DATE):
        return list(values)
    widened = dict.fromkeys(values)
    for value in values:
        widened |= dict.fromkeys(synonyms.get(normalize(str(value)), ()))
    return list(widened)
