"""What the released texts show: the owner's edits are replayed, and what stands for each mention is read off.

Terms are searched wherever they stand, whatever was meant to happen to them; what stands in the place of a
mention is known from the edits: something more general, a placeholder, a column's label. That a mention
follows a column is believed only where its own person's released cells say the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import row_list
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Role
from heteronym.run import current
from heteronym.verify.entries import entries_of
from heteronym.verify.evidence import Evidence
from heteronym.verify.groups import Label
from heteronym.verify.label_forms import set_members, unstarred
from heteronym.verify.masking import Put, blanked
from heteronym.verify.originals import Originals
from heteronym.verify.replay import Edit, Span, Standing, replay
from heteronym.verify.residue import FreeTerm, Left, Side, Visible, visible_terms
from heteronym.verify.surrogates import names_in_texts
from heteronym.verify.truth import settled
from heteronym.verify.value_search import alike

_LONGEST_SET = 40  # characters
UNKNOWN_TYPE = "VALUE"  # of a term that stands where no mention was found


def texts_of(frame: pl.DataFrame, names: Sequence[str]) -> dict[str, list[str | None]]:
    return {name: frame[name].cast(pl.String).to_list() for name in names}


def text_columns(released: pl.DataFrame, plan: Plan) -> list[str]:
    return [n for n, a in plan.attributes.items() if a.role is Role.TEXT and n in released.columns]


def labels_of(released: pl.DataFrame, plan: Plan) -> dict[str, list[str | None]]:
    """Labels that linking may have put into texts: those of quasi columns, which are a person's own."""
    quasi = [n for n, a in plan.attributes.items() if a.role is Role.QUASI and n in released.columns]
    return texts_of(released, quasi)


def labels_in_texts(released: pl.DataFrame, plan: Plan) -> dict[str, list[str | None]]:
    """The same labels as texts show them."""
    found = labels_of(released, plan)
    short = {name: {label: short_label(label, name) for label in set(mine)} for name, mine in found.items()}
    return {name: [short[name][label] for label in mine] for name, mine in found.items()}


def short_label(label: str | None, name: str) -> str | None:
    """A column's label as texts show it: a set of more than 40 characters by the number of its values."""
    text = unstarred(label)
    if label is None or text is None or len(label) <= _LONGEST_SET or set_members(text) == [text]:
        return label
    members = set_members(text)
    known = [member for member in members if member]
    many = name.replace("_", " ").replace("-", " ")
    if re.search(r"[^aeiou]y$", many):
        many = many[:-1] + "ie"
    elif re.search(r"(?:s|x|z|ch|sh)$", many):
        many += "e"
    none = " or none" if len(known) < len(members) else ""
    withheld = " or withheld" if text != label else ""
    return f"[one of {len(known)} {many}s{none}{withheld}]"


def _entries(released: pl.DataFrame, plan: Plan) -> dict[str, list[list[str]]]:
    return {
        n: entries_of(released[n], a.separator)
        for n, a in plan.attributes.items()
        if a.role is Role.ITEMS and n in released.columns
    }


class Place(NamedTuple):
    """A mention of a released row: what it was, and what stands there now (None: gone with its sentence)."""

    row: int  # of the release
    column: str
    span: Span
    surface: str
    now: Standing | None

    @property
    def stays(self) -> bool:
        return self.now is not None and not self.now.changed


@dataclass(frozen=True, repr=False, eq=False)
class Texts:
    """What stands in the place of every mention, and what the release may have put into texts."""

    places: Sequence[Place]
    check: Check  # whether the edits give the released texts
    labels: Sequence[set[str]]  # that linking may have put into the row's texts
    own: Sequence[Mapping[str, tuple[bool, str]]]  # own labels by spelling: whether an item, and the label
    put: Mapping[
        str, Sequence[list[Put]]
    ]  # labels of mentions: a term inside a label is no trace of the term
    follows: Sequence[bool]  # beside `places`: whether it is a column's or an item's label, by its own cells

    def without_labels(self, released: Mapping[str, Sequence[str | None]]) -> dict[str, list[str | None]]:
        """Released texts in which labels of mentions are blanked."""
        return {
            name: [text and blanked(text, places) for text, places in zip(texts, self.put[name], strict=True)]
            for name, texts in released.items()
        }

    def masked(self, person: NDArray[np.int64]) -> list[tuple[int, str]]:
        """Person and surface of what stands in none of the person's texts as it stood."""
        stays = {(int(person[place.row]), alike(place.surface)) for place in self.places if place.stays}
        both = {(int(person[place.row]), place.surface) for place in self.places if not place.stays}
        shown = {(int(person[p.row]), alike(p.now.text)) for p in self.places if p.now is not None}
        open_ = stays | shown
        return sorted((who, surface) for who, surface in both if (who, alike(surface)) not in open_)

    def standing(self) -> dict[tuple[int, str], list[tuple[int, int]]]:
        """By released row and column, what stands for mentions, a label or itself: models count it."""
        found: dict[tuple[int, str], list[tuple[int, int]]] = {}
        for place in self.places:
            if place.now is not None:
                found.setdefault((place.row, place.column), []).append((place.now.start, place.now.end))
        return found

    def free_terms(self, person: NDArray[np.int64]) -> dict[Any, list[FreeTerm]]:
        """By person, the mentions that repeat no column, and whether they stand as they stood."""
        found: dict[Any, list[FreeTerm]] = {}
        for place, follows in zip(self.places, self.follows, strict=True):
            if not follows:
                term = FreeTerm(place.surface, place.span.type, place.stays)
                found.setdefault(int(person[place.row]), []).append(term)
        return found


def read_texts(released: pl.DataFrame, plan: Plan, originals: Originals) -> Texts:
    """Replay the edits of all texts; rows in which they do not give the released text fail the check."""
    assert originals.evidence is not None
    values = [*labels_of(released, plan).values()]
    cells = [*values, *labels_in_texts(released, plan).values()]
    sets = [*_entries(released, plan).values()]
    whose = originals.released_person.tolist()
    held: dict[int, set[str]] = {}  # by a person: what one row tells may be held in another
    for row, person in enumerate(whose):
        held.setdefault(person, set()).update(entry for column in sets for entry in column[row])
    names = text_columns(released, plan)
    now, before = texts_of(released, names), texts_of(originals.frame, names)
    called = names_in_texts(released, plan, [*now.values()])
    labels = [
        {cell for column in cells if (cell := column[row])} | held[person] | called[row]
        for row, person in enumerate(whose)
    ]
    own = [
        {alike(cell): (False, cell) for column in values if (cell := column[row])}
        | {alike(entry): (True, entry) for entry in held[person]}
        for row, person in enumerate(whose)
    ]
    may_go = settled(plan)  # whole sentences, and whole texts
    wrong: set[int] = set()
    faults: Counter[str] = Counter()
    places: list[Place] = []
    run = current()
    for row, column, text, spans, edits in _rows_of_evidence(originals, before, names):
        if row % 1024 == 0:
            run.tell(row / released.height)
        here = now[column][row]
        replayed = replay(text, edits, spans)
        emptied = text != "" and replayed.text == ""
        same = (here or "") == replayed.text and not (emptied and may_go and here is not None)
        if not same or replayed.fault is not None:
            wrong.add(row + 1)
            faults[replayed.fault or "the edits of the owner's folder give another text"] += 1
            continue
        places += [
            Place(row, column, span, text[span.start : span.end], standing)
            for span, standing in zip(spans, replayed.standing, strict=True)
        ]
    put: dict[str, list[list[Put]]] = {name: [[] for _ in texts] for name, texts in now.items()}
    for place in places:
        shown = shown_as(place, labels[place.row])
        labelled = shown is not None and shown.kind != "placeholder" and not place.stays
        if place.now is not None and labelled and place.span.type not in plan.recode.surrogates:
            put[place.column][place.row].append(Put(place.now.start, place.now.end, place.surface))
    follows = [_follows(place, own[place.row], plan) for place in places]
    detail = "replaying the owner's edits on the data gives every released text, byte for byte"
    if wrong:
        reasons = ", ".join(sorted(faults))
        detail = (
            f"the texts of released {row_list(sorted(wrong))} are not the data's after its edits: {reasons}"
        )
    return Texts(places, Check("edits", not wrong, detail), labels, own, put, follows)


def _rows_of_evidence(
    originals: Originals, before: Mapping[str, Sequence[str | None]], names: Sequence[str]
) -> Iterator[tuple[int, str, str, list[Span], list[Edit]]]:
    """Per released row and text column: the data's text, its mentions and its edits."""
    evidence = originals.evidence
    assert evidence is not None
    mentions_of, edits_of = _by_text(evidence, originals.frame.height)
    none: list[Any] = []
    for row, source in enumerate(originals.source_row.tolist()):
        for column in names:
            key = (source, column)
            yield (
                row,
                column,
                before[column][source] or "",
                mentions_of.get(key, none),
                edits_of.get(key, none),
            )


def _by_text(
    evidence: Evidence, rows: int
) -> tuple[dict[tuple[int, str], list[Span]], dict[tuple[int, str], list[Edit]]]:
    """Mentions and edits by row of the data and text column."""
    m, e = evidence
    spans: dict[tuple[int, str], list[Span]] = {}
    links = [*m.links, None]  # -1: none
    for row, column, start, end, kind, link in zip(
        *(part.tolist() for part in (m.row, m.column, m.start, m.end, m.type, m.link)), strict=True
    ):
        span = Span(start, end, m.types[kind], links[link])
        spans.setdefault((row, m.columns[column]), []).append(span)
    edits: dict[tuple[int, str], list[Edit]] = {}
    for row, column, start, end, text in zip(
        *(part.tolist() for part in (e.row, e.column, e.start, e.end, e.text)), strict=True
    ):
        edits.setdefault((row, e.columns[column]), []).append(Edit(start, end, e.texts[text]))
    return spans, edits


def _follows(place: Place, own: Mapping[str, tuple[bool, str]], plan: Plan) -> bool:
    """Whether what stands there is no term of its own: the column that it claims to follow shows the same.

    What was replaced shows what stands there now, whatever it follows.
    """
    if place.span.follows is None:
        return False
    if not place.stays:
        return True
    spellings = {alike(place.surface), *_synonyms(place.surface, plan)}
    if not spellings.isdisjoint(own):
        return True
    # an item may be mentioned in the plural, or hyphenated: "couples" of a "Couple"
    loose = {_loosely(spelling) for spelling in spellings}
    return any(is_item and _loosely(spelling) in loose for spelling, (is_item, _) in own.items())


def _loosely(spelling: str) -> str:
    letters = "".join(filter(str.isalnum, spelling))
    for ending in ("ies", "es", "s"):
        if len(letters) > len(ending) + 2 and letters.endswith(ending):
            return letters[: -len(ending)] + ("y" if ending == "ies" else "")
    return letters


def _synonyms(surface: str, plan: Plan) -> set[str]:
    found = set[str]()
    for main, others in plan.text.synonyms.items():
        spellings = {alike(main), *map(alike, others)}
        found |= spellings if alike(surface) in spellings else set()
    return found


Kind = Literal["term", "placeholder", "link"]


class Shown(NamedTuple):
    """What a reader sees of a mention: a term or something more general, a placeholder, a column's label."""

    kind: Kind
    label: str


def shown_as(
    place: Place, labels: Collection[str], *, renamed: Collection[str] = (), hidden_types: bool = True
) -> Shown | None:
    """What a reader learns from what stands in the place of a mention; nothing, if its sentence is gone.

    Mentions of the types in `renamed` may be shown as surrogates, which count as the terms themselves. With
    `hidden_types`, an untyped placeholder counts under the type that it hides; words around it may tell.
    """
    if place.now is None:
        return None
    text, surface, kind = place.now.text, place.surface, place.span.type
    if text == "[...]" and not hidden_types:
        return Shown("placeholder", "...")
    if text in (f"[{kind}]", "[...]", ""):  # a hole in a sentence counts as the placeholder of its type
        return Shown("placeholder", kind)
    if text != surface and text in labels:
        return Shown("link", text)
    if text != surface and text[:1] + text[-1:] in ("()", "[]"):
        # another's item, or another's range: the label of a group, of which brackets are a part
        return Shown("term", " ".join(text.split()).casefold())
    return Shown("term", alike(surface if kind in renamed else text))


@dataclass(frozen=True, repr=False, eq=False)
class InTexts:
    """Per released row what its texts show and how often, and where; labels that replace something else."""

    shown: Sequence[Counter[Label]]
    replacing: set[Label]  # labels that stand in the place of something else
    where: Mapping[tuple[int, Label], list[Left]]  # where a row's texts show a label
    invented: Check  # whether a term stands where another stood, although the plan only suppresses
    standing: Counter[tuple[str, str, str]]  # column, type and text of mentions that stand as they stood


def shown_in_texts(released: pl.DataFrame, plan: Plan, originals: Originals, texts: Texts) -> InTexts:
    """Unless the plan's recoder invents terms, a mention is left as it was, masked, or given a label."""
    invents = plan.recode.terms.name != "suppress"
    labels: dict[str, list[Any]] = {**labels_of(released, plan)}
    entries = _entries(released, plan)
    labels |= {n: [[e for e in row if e[:1] == "("] for row in rows] for n, rows in entries.items()}
    bare = texts.without_labels(texts_of(released, text_columns(released, plan)))
    person = originals.released_person
    assert originals.evidence is not None
    types = originals.evidence.mentions.types
    visible = visible_terms(Side(person, bare, labels), texts.free_terms(person), types)
    shown = [Counter({(one.column, "term", one.term): 1 for one in found}) for found in visible]
    replacing: set[Label] = set()
    where: dict[tuple[int, Label], list[Left]] = {}
    for row, found in enumerate(visible):
        for one in found:
            left = Left(row, one.column, one.start, one.end, "term", UNKNOWN_TYPE)
            where.setdefault((row, (one.column, "term", one.term)), []).append(left)
    invented: set[int] = set()
    stayed: Counter[tuple[int, Label]] = Counter()  # places where a term stands as it stood
    standing: Counter[tuple[str, str, str]] = Counter()
    for place in texts.places:
        row, name, kind = place.row, place.column, place.span.type
        if place.now is not None and place.now.text == place.surface:
            standing[name, kind, place.surface] += 1
        seen = shown_as(
            place, texts.labels[row], renamed=plan.recode.surrogates, hidden_types=counts_hidden_types(plan)
        )
        if seen is None:
            continue
        label: Label = (name, seen.kind, seen.label)
        if place.now is not None:
            left = Left(row, name, place.now.start, place.now.end, "term", kind)
            where.setdefault((row, label), []).append(left)
        if seen.kind == "term" and place.stays:
            stayed[row, label] += 1
            continue
        # a model that settles labels counts whatever stands there
        if seen.kind == "term" and not (invents or settled(plan) or kind in plan.recode.surrogates):
            invented.add(row + 1)
        shown[row][label] += 1
        if alike(place.surface) != seen.label:
            replacing.add(label)
    if settled(plan):
        _count_own_labels(shown, stayed, replacing, texts.own, sensitive_items(plan))
    _count_stayed(shown, stayed, replacing, visible)
    detail = "in the place of a mention stands the mention itself, its type, or a label of its row"
    if invented:
        detail = f"something else stands in the place of a mention: released {row_list(sorted(invented))}"
    return InTexts(shown, replacing, where, Check("labels", not invented, detail), standing)


def _count_own_labels(
    shown: Sequence[Counter[Label]],
    stayed: Mapping[tuple[int, Label], int],
    replacing: set[Label],
    own: Sequence[Mapping[str, tuple[bool, str]]],
    sensitive: Collection[str],
) -> None:
    """A value that is its own label shows that label: an item is there, a column's label counts by number.

    A sensitive item is no knowledge of an attacker's, in its cell or in its text.
    """
    for row, (name, kind, spelling) in stayed:
        is_item, label = own[row].get(spelling, (False, ""))
        if is_item and spelling in sensitive:
            shown[row].pop((name, kind, spelling), None)
        elif is_item:
            shown[row][name, "term", label] = 1
        elif label:
            replacing.add((name, kind, spelling))


def counts_hidden_types(plan: Plan) -> bool:
    """Whether an untyped placeholder counts under its type: unless a model that settles labels says not."""
    return not settled(plan) or any(model.parameters.get("types") is True for model in plan.privacy)


def sensitive_items(plan: Plan) -> frozenset[str]:
    """Spellings of the items that the plan calls sensitive."""
    items = (a.sensitive for a in plan.attributes.values() if a.role is Role.ITEMS)
    return frozenset(alike(item) for mine in items for item in mine)


def _count_stayed(
    shown: Sequence[Counter[Label]],
    stayed: Mapping[tuple[int, Label], int],
    replacing: Collection[Label],
    visible: Sequence[Sequence[Visible]],
) -> None:
    """A label that stands for others, too, is told by its number: terms that stayed are some of them."""
    for (row, label), times in stayed.items():
        if label in replacing:
            seen = any((one.column, "term", one.term) == label for one in visible[row])
            shown[row][label] += times - seen
