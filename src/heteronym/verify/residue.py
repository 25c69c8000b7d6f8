"""Residue: original values and recognized terms that still stand in the released texts.

Plain code of its own, that trusts nothing the search did: each person's values and terms are looked
up, word by word, in what was released for that person, with case, spacing and plural variants. What
the release may show is excused: terms kept in the person's group, the row's own released labels,
and placeholders. Reports counts and row numbers, never text.

Cost        O(words of the released texts + words of values and terms)
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.model.function_words import FUNCTION_WORDS
from heteronym.model.mention import Mentions
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.run import current

_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|(?:[^\W{_UNSPACED}]|[\u0300-\u036f])+")
_ASCII_WORD = re.compile(r"\w+", re.ASCII)
_SPACE = re.compile(r"[\s\-‐‑‒–—−]+")
_IN_NUMBER = re.compile(r"\d[.,:/]\d")
_MASK = "\x00"
_LONGEST_GAP = 24


@dataclass(frozen=True)
class Residue:
    """What is left. `values` and `terms` must be empty; `words` is a warning."""

    values: Mapping[str, int] = field(default_factory=dict)  # attribute with entities -> occurrences
    terms: Mapping[str, int] = field(default_factory=dict)  # entity type -> occurrences
    words: Mapping[str, int] = field(default_factory=dict)  # attribute without entities -> occurrences
    rows: tuple[int, ...] = ()  # released rows, from 0, where values or terms are left

    @property
    def clean(self) -> bool:
        return not self.values and not self.terms


def find_residue(
    released: Mapping[str, Sequence[str | None]],
    released_person: NDArray[Any],
    *,
    labels: Mapping[str, Sequence[str | None]],
    original: Mapping[str, Sequence[str | None]],
    original_person: NDArray[Any],
    cells: Mapping[str, Sequence[Any]],
    attributes: Mapping[str, Attribute],
    mentions: Mentions,
    kept: NDArray[np.bool_],
    missing: Collection[str] = frozenset(),
    without_labels: Mapping[str, Sequence[str | None]] | None = None,
) -> Residue:
    """Search each person's released texts for that person's originals.

    released        text column -> text per released row
    labels          attribute -> released cell per released row
    original, cells text column, attribute -> original cell per original row
    mentions, kept  the linked mentions of the original texts; kept[i] if mention i was to stay
    without_labels  the released texts, what stands for mentions blanked: a term inside a label is none
    Persons carry the same numbers in `released_person` and `original_person`.
    """
    searched = {
        name: attribute
        for name, attribute in attributes.items()
        if name in cells and (attribute.entities or attribute.role in (Role.QUASI, Role.IDENTIFIER))
        and attribute.role not in (Role.TEXT, Role.TERMS, Role.ITEMS)
    }  # fmt: skip
    rows_of = _rows_by_person(original_person)
    mentions_of = _rows_by_person(np.asarray(original_person)[mentions.row])
    placeholders = _placeholders({*mentions.types, *(e for a in searched.values() for e in a.entities)})
    values: Counter[str] = Counter()
    terms: Counter[str] = Counter()
    words: Counter[str] = Counter()
    rows: set[int] = set()
    run = current()
    by_person = _rows_by_person(released_person)
    for number, (person, released_rows) in enumerate(by_person.items()):
        if number % 256 == 0:
            run.tell(number / len(by_person))
        wanted = _Wanted()
        for name, attribute in searched.items():
            kind = "value" if attribute.entities else "word"
            for cell in {cells[name][row] for row in rows_of.get(person, ())}:
                for form in _forms(cell, attribute, missing):
                    wanted.add(form, (kind, name), singular=True)
        _add_terms(wanted, mentions_of.get(person, ()), mentions, original, kept)
        for row in released_rows:
            shown = {label for name in searched if (label := labels.get(name, {row: None})[row])}
            for column, cells_of_column in released.items():
                text = cells_of_column[row]
                if not text:
                    continue
                bare = text if without_labels is None else without_labels[column][row] or ""
                found = list(wanted.found_in(_masked(text, placeholders, shown), text))
                if bare != text:
                    found = [meaning for meaning in found if meaning[0] != "term"]
                    again = wanted.found_in(_masked(bare, placeholders, shown), text)
                    found += [meaning for meaning in again if meaning[0] == "term"]
                for kind, name in found:
                    {"value": values, "term": terms, "word": words}[kind][name] += 1
                    if kind != "word":
                        rows.add(row)
    return Residue(dict(values), dict(terms), dict(words), tuple(sorted(rows)))


def _add_terms(
    wanted: _Wanted,
    which: Iterable[int],
    mentions: Mentions,
    original: Mapping[str, Sequence[str | None]],
    kept: NDArray[np.bool_],
) -> None:
    """What was recognized of a person: gone, or excused where it was to stay."""
    for i in which:
        if mentions.link[i] >= 0:
            continue
        source = original[mentions.columns[mentions.column[i]]][int(mentions.row[i])] or ""
        surface = source[mentions.start[i] : mentions.end[i]]
        if kept[i]:
            wanted.excuse(surface)
        else:
            wanted.add(surface, ("term", mentions.types[mentions.type[i]]), singular=surface.islower())


class _Wanted:
    """What one person's released texts must not hold, and what they may."""

    def __init__(self) -> None:
        self._phrases: dict[str, dict[tuple[str, ...], list[tuple[str, str | None, tuple[str, str]]]]] = {}
        self._excused: set[str] = set()

    def add(self, phrase: str, meaning: tuple[str, str], *, plural: bool = True, singular: bool) -> None:
        single = phrase.isascii() and phrase.isalnum()
        words = [phrase.lower()] if single else [word.casefold() for word in _WORD.findall(phrase)]
        if not words:
            return
        gaps = "" if single else _gaps(phrase)
        exact = None
        if all(w in FUNCTION_WORDS or (len(w) == 1 and w.isascii() and w.isalpha()) for w in words):
            exact = _spaced(phrase)
        as_it_is = exact is not None or not plural
        lasts = {words[-1]} if as_it_is else _variants(words[-1], singular=singular)
        for last in lasts:
            tokens = (*words[:-1], last)
            entries = self._phrases.setdefault(tokens[0], {}).setdefault(tokens, [])
            entry = (gaps, exact, meaning)
            if entry not in entries:
                entries.append(entry)

    def excuse(self, surface: str) -> None:
        """A kept mention stands in the release as it stood in the original."""
        self._excused.add(surface)

    def found_in(self, text: str, released: str = "") -> Iterator[tuple[str, str]]:
        """What `text`, the released text with its labels masked, still tells."""
        for start, end, meaning in self.places_in(text):
            shown = text[start:end]
            if not any(_covers(released, s, start, end) for s in self._excused if shown in s):
                yield meaning

    def places_in(self, text: str) -> Iterator[tuple[int, int, tuple[str, str]]]:
        plain = text.isascii()
        pattern = _ASCII_WORD if plain else _WORD
        words = pattern.findall(text.lower()) if plain else [w.casefold() for w in pattern.findall(text)]
        if self._phrases.keys().isdisjoint(words):
            return
        spans = [match.span() for match in pattern.finditer(text)]
        for i, word in enumerate(words):
            for tokens, entries in self._phrases.get(word, {}).items():
                if tuple(words[i : i + len(tokens)]) != tokens:
                    continue
                start, end = spans[i][0], spans[i + len(tokens) - 1][1]
                shown = text[start:end]
                if _MASK in shown or _continues_a_number(text, start, end):
                    continue
                for gaps, exact, meaning in entries:
                    if gaps == _gaps(shown) and (exact is None or exact == _spaced(shown)):
                        yield start, end, meaning


def _covers(text: str, surface: str, start: int, end: int) -> bool:
    """Whether `surface` stands in the text around start:end."""
    at = text.find(surface, max(end - len(surface), 0))
    return 0 <= at <= start


def _rows_by_person(person: NDArray[Any]) -> dict[Any, list[int]]:
    rows: dict[Any, list[int]] = defaultdict(list)
    for row, number in enumerate(np.asarray(person).tolist()):
        rows[number].append(row)
    return rows


def _forms(cell: Any, attribute: Attribute, missing: Collection[str]) -> Iterable[str]:
    """The spellings of a cell that are searched."""
    text = "" if cell is None or cell != cell else str(cell).strip()
    if not text or text in missing:
        return ()
    if isinstance(cell, bool):
        return ()  # "true" and "false" tell nothing in a text
    if attribute.scale == Scale.NUMERIC:
        try:
            number = float(text.replace(",", ""))
        except ValueError:
            return (text,)
        if number.is_integer() and abs(number) < 1e15:
            return {text, str(int(number)), f"{int(number):,}"}
    return (text,)


def _variants(word: str, *, singular: bool) -> set[str]:
    """A word with its plurals, and with its singulars where it may be one."""
    forms = {word}
    if word.isalpha() and len(word) >= 3:
        forms.add(word + "s")
        if word.endswith(("s", "x", "z", "ch", "sh", "o")):
            forms.add(word + "es")
        if word.endswith("y"):
            forms.add(word[:-1] + "ies")
    if singular and word.isalpha() and len(word) >= 5 and not word.endswith(("ss", "us", "is")):
        if word.endswith("ies"):
            forms.add(word[:-3] + "y")
        if word.endswith(("ses", "xes", "zes", "ches", "shes", "oes")):
            forms.add(word[:-2])
        if word.endswith("s"):
            forms.add(word[:-1])
    return forms


def _gaps(phrase: str) -> str:
    """What stands between the words; white space and hyphens are alike."""
    spans = [match.span() for match in _WORD.finditer(phrase)]
    gaps = [phrase[a[1] : b[0]] for a, b in pairwise(spans)]
    return _MASK.join(_SPACE.sub(" ", gap) if len(gap) <= _LONGEST_GAP else gap for gap in gaps)


def _spaced(phrase: str) -> str:
    return " ".join(phrase.split())


def _continues_a_number(text: str, start: int, end: int) -> bool:
    before = text[max(start - 2, 0) : start + 1]
    after = text[end - 1 : end + 2]
    return bool(_IN_NUMBER.fullmatch(before) or _IN_NUMBER.fullmatch(after))


def _placeholders(types: Collection[str]) -> re.Pattern[str]:
    return re.compile(r"\[(?:" + "|".join(map(re.escape, sorted(types))) + r")\]")


def _masked(text: str, placeholders: re.Pattern[str], labels: Collection[str]) -> str:
    """The text without what the release itself put there."""
    if "[" in text:
        text = placeholders.sub(_mask, text)
    folded = text.lower()
    for label in sorted(labels, key=lambda label: (-len(label), label)):
        if label.lower() in folded:
            text = _label_pattern(label).sub(_mask, text)
    return text


def _mask(match: re.Match[str]) -> str:
    return _MASK * len(match.group())  # offsets stay those of the released text


@lru_cache(maxsize=65_536)
def _label_pattern(label: str) -> re.Pattern[str]:
    # "2004" is excused where it stands alone, not inside 2004-05-14.
    before = r"(?<!\w)(?<!\w[-/.,:])" if label[0].isalnum() else ""
    after = r"(?![-/.,:]?\w)" if label[-1].isalnum() else ""
    return re.compile(before + re.escape(label) + after, re.IGNORECASE)


def visible_terms(
    released: Mapping[str, Sequence[str | None]],
    released_person: NDArray[Any],
    *,
    original: Mapping[str, Sequence[str | None]],
    original_person: NDArray[Any],
    mentions: Mentions,
    labels: Mapping[str, Sequence[str | None]] | None = None,
) -> list[list[tuple[str, str]]]:
    """Per released row, the (column, term) of its person that still stand there, whatever was meant to be.

    A term inside a longer one is not visible by itself: "Pedro Inc" does not show a Pedro. Nor is one
    inside a label of the row (`labels`, attribute -> released cells) that linking put into the text.
    """
    placeholders = _placeholders(mentions.types)
    mentions_of = _rows_by_person(np.asarray(original_person)[mentions.row])
    visible: list[list[tuple[str, str]]] = [[] for _ in range(len(released_person))]
    for person, rows in _rows_by_person(released_person).items():
        wanted = _Wanted()
        for which in mentions_of.get(person, ()):
            if mentions.link[which] < 0:
                source = original[mentions.columns[mentions.column[which]]][int(mentions.row[which])] or ""
                surface = source[mentions.start[which] : mentions.end[which]]
                meaning = ("term", _spaced(surface).casefold())
                wanted.add(surface, meaning, plural=False, singular=False)
        for row in rows:
            shown = {label for cells in (labels or {}).values() if (label := cells[row])}
            for name, column in released.items():
                text = column[row]
                if text:
                    masked = _masked(text, placeholders, shown)
                    visible[row] += sorted({(name, term) for term in _outermost(masked, wanted)})
    return visible


def _outermost(text: str, wanted: _Wanted) -> Iterator[str]:
    places: dict[tuple[int, int], set[str]] = defaultdict(set)
    for start, end, (_, term) in wanted.places_in(text):
        places[start, end].add(term)
    reach = -1
    for start, end in sorted(places, key=lambda place: (place[0], -place[1])):
        if end > reach:
            reach = end
            shown = _spaced(text[start:end]).casefold()
            # "New-York" shows the term spelt so, if there is one, and "New York" otherwise.
            yield from {shown} & places[start, end] or places[start, end]
