"""The owner's say over what is found: `text.allow`, `text.deny` and `text.thresholds` of a plan.

An entry is a word or phrase, a /pattern/ or, for `allow`, the name of a type; `@file` stands for the entries
of a file, one a line. What is allowed is never a mention. What is denied always is, as type DENIED, which
is direct. A threshold is the least score with which a type counts.

Cost        one look-up per mention; one search per text for what is denied
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from heteronym.contracts import Recognizer
from heteronym.errors import PlanError
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.text.entity_types import TYPES
from heteronym.text.forms import Form, name_words, ordinary, value_forms
from heteronym.text.own_values import OwnValues
from heteronym.text.stretches import joined

DENIED = "DENIED"
_SURE = 7  # letters of a listed word that is masked with a slip of the pen


def read_word_list(name: str, *, type: str, folder: Path | None = None) -> tuple[str, ...]:
    """The terms of a list file: one a line, empty lines and lines that begin with # left out."""
    path = Path(name) if folder is None else folder / name
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except FileNotFoundError:
        raise PlanError(f"plan: text.words.{type}: no such file: {path}") from None
    except (OSError, UnicodeDecodeError):
        raise PlanError(f"plan: text.words.{type}: cannot be read as UTF-8 text: {path}") from None
    terms = tuple(line.strip() for line in lines if line.strip() and not line.startswith("#"))
    if not terms:
        raise PlanError(f"plan: text.words.{type}: the list is empty: {path}")
    return terms


def entries(listed: Sequence[str], *, key: str, folder: Path | None) -> list[str]:
    """The entries of a list, those of its files among them."""
    found: list[str] = []
    for entry in listed:
        found += read_word_list(entry[1:], type=key, folder=folder) if entry.startswith("@") else [entry]
    return found


def pattern_of(listed: Sequence[str], *, key: str) -> re.Pattern[str] | None:
    """One pattern for words and /patterns/; None: there are none."""
    parts = [
        entry[1:-1]
        if _is_pattern(entry)
        else r"(?<!\w)" + r"\s+".join(map(re.escape, entry.split())) + r"(?!\w)"
        for entry in listed
    ]
    try:
        return re.compile("|".join(f"(?:{part})" for part in parts), re.IGNORECASE) if parts else None
    except re.error:
        raise PlanError(f"plan: text.{key}: a pattern cannot be read") from None


def _is_pattern(entry: str) -> bool:
    return len(entry) > 2 and entry[0] == entry[-1] == "/"


@dataclass(frozen=True)
class Denied:
    """What the owner's list names."""

    listed: tuple[str, ...] = field(metadata={"help": "words and /patterns/ that are always masked"})
    languages: ClassVar[frozenset[str]] = frozenset()

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        pattern = pattern_of(self.listed, key="deny")
        if pattern is None:
            return [[] for _ in texts]
        forms: OwnValues = OwnValues()
        for entry in self.listed:
            if not _is_pattern(entry):
                _add_entry(forms, entry)
        return [self._found(text, pattern, forms) for text in texts]

    @staticmethod
    def _found(text: str, pattern: re.Pattern[str], forms: OwnValues) -> list[Span]:
        """As it is written in the list, and in every form in which a value is found."""
        places = {match.span() for match in pattern.finditer(text) if match.group()}
        places |= {(hit.start, hit.end) for hit in forms.find(text)}
        return [Span(start, end, DENIED, 1.0, "owner", "deny") for start, end in joined(places)]


def _add_entry(forms: OwnValues, entry: str) -> None:
    """Whole, in every writing; of a name also the last word first, and with a slip of the pen."""
    forms.add(value_forms(entry), 0)
    forms.add_digits(entry, 0)
    names = name_words(entry)
    if len(names) > 1:
        forms.add([Form((names[-1], *names[:-1]), (",", *[""] * (len(names) - 2)))], 0)
    forms.add_slips((name for name in names if len(name) >= _SURE and name not in ordinary()), 0)


@dataclass(frozen=True)
class Allowed:
    """A recognizer without what the owner allows, or thinks too unsure."""

    part: Recognizer
    listed: tuple[str, ...] = ()
    thresholds: Mapping[str, float] = field(default_factory=dict)
    languages: ClassVar[frozenset[str]] = frozenset()

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        types = frozenset(entry for entry in self.listed if entry in TYPES)
        pattern = pattern_of([entry for entry in self.listed if entry not in types], key="allow")

        def counts(text: str, span: Span) -> bool:
            if span.type in types or span.score < self.thresholds.get(span.type, 0.0):
                return False
            return pattern is None or pattern.fullmatch(text, span.start, span.end) is None

        return [
            [span for span in spans if counts(text, span)]
            for text, spans in zip(texts, self.part.recognize(texts), strict=True)
        ]


def apply_owner_lists(
    parts: Sequence[Recognizer], plan: TextPlan, folder: Path | None
) -> Iterator[Recognizer]:
    """The parts by rank: what is denied first, and nothing that is allowed."""
    if plan.deny:
        yield Denied(tuple(entries(plan.deny, key="deny", folder=folder)))
    allowed = tuple(entries(plan.allow, key="allow", folder=folder))
    for part in parts:
        yield Allowed(part, allowed, plan.thresholds) if allowed or plan.thresholds else part
