"""Links a person's mentions to the columns they repeat, and finds values that no recognizer reported.

A mention is linked to an attribute that has the mention's type among its `entities` if it tells one of
the same person's values, on any of that person's rows. Each mention is judged by itself. A linked
mention shrinks to the part that tells the value, so that only this part is recoded. Beside, the
person's own values are searched in all its texts (`reading.search_targets`); ordinary words are a value
only where more than their letters says so (`reading.ordinary_values`). Whatever an identifier touches goes.

Cost        O(words of the texts) + the linkers', one call per person and attribute
Randomness  none
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from heteronym.contracts import Linker
from heteronym.model.mention import Span
from heteronym.model.schema import Scale
from heteronym.model.terms import normalize
from heteronym.reading.ordinary_values import of_values
from heteronym.reading.search_targets import Target, own_values
from heteronym.text.own_values import Hit
from heteronym.text.stretches import clusters

SOURCE = "value"
NAMES = frozenset({"PERSON", "ORG", "GPE", "LOC", "FAC", "INSTITUTION", "WORK_OF_ART"})


@dataclass
class Piece:
    """A mention on its way: where, what, and the attribute it repeats."""

    span: Span
    target: Target | None = None
    part: tuple[int, int] | None = None  # offsets in the text that tell the value
    item: str = ""  # of a set-valued attribute: the entry that is told

    @property
    def link(self) -> str | None:
        """The column whose recoding the mention follows."""
        return self.target.name if self.target is not None and self.target.takes_links else None


def link_person(
    texts: Sequence[str],
    found: Sequence[Sequence[Span]],
    values: Sequence[Sequence[Any]],
    targets: Sequence[Target],
    parts: Sequence[Linker],
    synonyms: Mapping[str, Collection[str]],
) -> list[list[Piece]]:
    """The mentions of one person, each with the target whose value it repeats, and the values found beside.

    `values` are the person's cells of each target, none missing; of set-valued columns their entries.
    """
    pieces = [[Piece(span) for span in spans] for spans in found]
    if not any(texts):
        return pieces
    for target, mine in zip(targets, values, strict=True):
        if target.takes_links and target.attribute.entities and mine:
            _link_mentions(texts, pieces, target, mine, parts, synonyms)
    own = own_values(targets, values, synonyms)
    for place, text in enumerate(texts):
        hits: Sequence[Hit] = own.find(text) if text else ()
        if hits:
            places = {(piece.span.start, piece.span.end) for piece in pieces[place]}
            hits = of_values(text, hits, targets, places)
        if hits:
            pieces[place] = _with_values(pieces[place], hits, targets)
    return pieces


def _link_mentions(
    texts: Sequence[str],
    pieces: Sequence[Sequence[Piece]],
    target: Target,
    values: Sequence[Any],
    parts: Sequence[Linker],
    synonyms: Mapping[str, Collection[str]],
) -> None:
    open_pieces: dict[str, list[Piece]] = {}
    for text, mine in zip(texts, pieces):
        for piece in mine:
            if piece.target is None and piece.span.type in target.attribute.entities:
                open_pieces.setdefault(text[piece.span.start : piece.span.end], []).append(piece)
    # which item is told decides what stands in its place; of other columns all values do alike
    together = [[value] for value in values] if target.is_items else [values]
    names = {} if target.attribute.scale in (Scale.NUMERIC, Scale.DATE) else synonyms
    for part in parts:
        for stated in together:
            if not open_pieces:
                return
            widened = [*stated, *(name for value in stated for name in names.get(normalize(str(value)), ()))]
            surfaces = list(open_pieces)
            for surface, telling in zip(surfaces, part.links(surfaces, widened, attribute=target.attribute)):
                if telling is None:
                    continue
                for piece in open_pieces.pop(surface):
                    piece.target, piece.item = target, str(stated[0]) if target.is_items else ""
                    piece.part = (piece.span.start + telling[0], piece.span.start + telling[1])


def _with_values(pieces: Sequence[Piece], hits: Sequence[Hit], targets: Sequence[Target]) -> list[Piece]:
    """Mentions and value occurrences together, none overlapping."""
    whole: list[Piece] = []
    both: list[Piece | Hit] = [*hits, *pieces]
    for near in clusters(both, lambda one: (one.span if isinstance(one, Piece) else one)[:2]):
        mine = [one for one in near if isinstance(one, Piece)]
        whole += _settled(mine, [one for one in near if isinstance(one, Hit)], targets)
    return whole


def _settled(pieces: Sequence[Piece], hits: Sequence[Hit], targets: Sequence[Target]) -> list[Piece]:
    """One cluster of overlapping mentions and occurrences.

    An identifier takes in all that it touches. Another occurrence inside a mention is the mention's affair,
    which tells the value where it is of the column's type: "reliable lawyer". A mention inside an occurrence
    gives way to it. Where they only touch, one mention covers both, so that no piece is left standing.
    """

    def weight(hit: Hit) -> tuple[bool, int, int, int]:
        return not targets[hit.target].is_identifier, hit.start - hit.end, hit.start, hit.target

    whole = list(pieces)
    for start, end, number, item in sorted(hits, key=weight):
        target = targets[number]
        near = [piece for piece in whole if piece.span.start < end and start < piece.span.end]
        span = Span(start, end, target.type, 1.0, SOURCE, target.name)
        fresh = Piece(span, target, (start, end), item)
        owner = next((p for p in (*near, fresh) if p.target is not None and p.target.is_identifier), None)
        around = [
            piece
            for piece in near
            if piece.span.start <= start
            and end <= piece.span.end
            and (piece.target is not None or (piece.span.start, piece.span.end) != (start, end))
        ]
        if around and owner is not fresh:
            for piece in around:
                if piece.target is None and _tells_by_words(target, piece.span.type):
                    piece.target, piece.item = target, item
            continue
        if near and (owner is not None or not all(start <= p.span.start and p.span.end <= end for p in near)):
            longer = max((piece.span for piece in near), key=lambda span: span.end - span.start)
            covering = longer._replace(
                start=min(start, *(piece.span.start for piece in near)),
                end=max(end, *(piece.span.end for piece in near)),
            )
            fresh = Piece(covering, None if owner is None else owner.target)
        whole = [piece for piece in whole if piece not in near]
        whole.append(fresh)
    return sorted(whole, key=lambda piece: piece.span.start)


def _tells_by_words(target: Target, kind: str) -> bool:
    """Whether a longer phrase of this type tells the value in it; another's name does not: "New York"."""
    numbers = target.attribute.scale in (Scale.NUMERIC, Scale.DATE)  # of which the linkers have spoken
    return kind in target.attribute.entities and kind not in NAMES and not numbers


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
