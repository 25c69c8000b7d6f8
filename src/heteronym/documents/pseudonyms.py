"""Pseudonyms: every mention becomes another of its kind, the same for the same entity everywhere.

Reference   surrogates as in Uzuner, Luo and Szolovits 2007 (i2b2 de-identification); keyed, with a vault
Guarantee   no mention stands in its own words; equal entities have equal surrogates. Nothing is hidden from
            who knows a person: renaming keeps everything else that is told
Cost        O(mentions), some hashes each
Randomness  none beside the key
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import ClassVar, Literal

from heteronym.documents._residue import stands, times_otherwise
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit, edited
from heteronym.model.mention import Span
from heteronym.model.release import Check
from heteronym.registry import document_methods
from heteronym.surrogates import dates
from heteronym.surrogates.renaming import Renaming
from heteronym.surrogates.vault import KEY, VAULT, Vault, digest, open_vault, way_back
from heteronym.text.entities import terms_of
from heteronym.text.entity_types import is_direct


@document_methods.register("pseudonyms")
@dataclass(frozen=True)
class Pseudonyms:
    """Renames what was found: names by gender and origin, dates by a shift per document, codes by shape."""

    style: Literal["surrogates", "placeholders"] = field(
        default="surrogates", metadata={"help": "invented names and codes, or numbers such as [PERSON 1]"}
    )
    shift: Literal["document", "folder", "all"] = field(
        default="document",
        metadata={"help": "what shares one shift of dates: a document, a folder (per person), or all"},
    )
    shift_weeks: int = field(
        default=dates.MOST_WEEKS,
        metadata={"help": "how far dates move at most, in weeks", "min": 52, "max": 5200},
    )

    vault_files: ClassVar[Sequence[str]] = (VAULT, KEY)
    _vault: ClassVar[Vault | None] = None  # of an opened method; no parameter, because it is a secret

    def opened(self, owner: Mapping[str, bytes], *, passphrase: str | None) -> Pseudonyms:
        """The method with the key and the surrogates of earlier runs."""
        fresh = replace(self)
        object.__setattr__(fresh, "_vault", open_vault(owner, passphrase))
        return fresh

    def sanitize(self, documents: Sequence[Document]) -> Sanitized:
        vault = self._vault or open_vault({}, None)
        documents = [_with_calendar_words(document) for document in documents]
        renaming = _Renamed(vault, documents, self)
        edits = [renaming.edits(number) for number in range(len(documents))]
        for document, some in zip(documents, edits):
            vault.remember(edited(document.text, some), way_back(document.text, some))
        replaced = sum(map(len, edits))
        mentions = sum(len(document.mentions) for document in documents)
        facts = {"replaced": replaced, "entities": renaming.count, "left_relative": mentions - replaced}
        return Sanitized(edits, facts, vault.files())

    def audit(self, document: Document, released: str) -> Check:
        """What stood between the mentions still does, holds none of them, and none is its own surrogate."""
        document = _with_calendar_words(document)
        surfaces = [document.text[span.start : span.end] for span in document.mentions]
        gaps, shown = _aligned(document.text, released, document.mentions)
        if gaps is None:
            return Check("residue", False, "something else than the mentions was changed")
        rest = "\x00".join(gaps)
        marked = [
            (surface, text, span.type)
            for surface, text, span in zip(surfaces, shown, document.mentions)
            if _is_absolute(surface, span.type)
        ]
        left = sum(_stands(surface, rest) for surface in {surface for surface, _, _ in marked})
        left += times_otherwise(
            {surface for surface, _, kind in marked if kind == "PERSON" or is_direct(kind)}, rest
        )
        same = sum(
            _stands(surface, text) or _keeps_a_name(surface, text, kind) for surface, text, kind in marked
        )
        if left or same:
            return Check("residue", False, f"{left + same} of {len(marked)} mentions still stand in the text")
        detail = "nothing found stands in its own words; a surrogate hides nothing from who knows the person"
        return Check("residue", True, detail)


class _Renamed:
    """What stands for each mention of a set of documents."""

    def __init__(self, vault: Vault, documents: Sequence[Document], method: Pseudonyms) -> None:
        self.documents, self.method = documents, method
        self.renaming = Renaming(vault, shift_weeks=method.shift_weeks)
        self.terms: list[list[str]] = []
        seen: set[tuple[str, str]] = set()
        for document in documents:
            [terms] = terms_of([document.text], [document.mentions])
            self.terms.append([term.text for term in terms])
            seen.update((term.type, term.text) for term in terms)
            for term, span in zip(terms, document.mentions):
                self.renaming.look_at(term.type, term.text, document.text[span.start : span.end])
        self._join_single_names(seen)
        self.day_first = dates.day_comes_first([document.text for document in documents])

    def _join_single_names(self, seen: set[tuple[str, str]]) -> None:
        """A single name that only one full name of all documents holds is that person's."""
        holders: dict[str, set[str]] = defaultdict(set)
        for kind, term in seen:
            words = term.split()
            if kind == "PERSON" and len(words) > 1:
                for word in words:
                    holders[word].add(term)
        joined = {("PERSON", word): next(iter(full)) for word, full in holders.items() if len(full) == 1}
        for document, terms in zip(self.documents, self.terms):
            for place, span in enumerate(document.mentions):
                terms[place] = joined.get((span.type, terms[place]), terms[place])
        self.count = len(seen - set(joined))

    def edits(self, number: int) -> list[Edit]:
        document, made = self.documents[number], []
        here = dates.day_comes_first([document.text])
        for span, term in zip(document.mentions, self.terms[number]):
            surface = document.text[span.start : span.end]
            if self.method.style == "surrogates":
                new = self.renaming.surrogate(
                    span.type,
                    surface,
                    term,
                    subject=self._subject(document),
                    day_first=self.day_first if here is None else here,
                )
            else:
                new = self.renaming.number(span.type, surface, term)
            if new != surface:
                made.append(Edit(span.start, span.end, new))
        return made

    def _subject(self, document: Document) -> str:
        if self.method.shift == "all":
            return ""
        path = PurePosixPath(document.name)
        if self.method.shift == "folder":
            return str(path.parent)
        # Not by the name alone: texts have none, and equal names of two runs are different documents.
        return f"{path}\x00{digest(document.text)}"


def _with_calendar_words(document: Document) -> Document:
    """With holidays and seasons that no recognizer took for a date: they tell the shift of those beside."""
    free: list[Span] = []
    starts = [span.start for span in document.mentions]
    for start, end in dates.calendar_words(document.text):
        at = bisect_left(starts, end) - 1
        if at < 0 or document.mentions[at].end <= start:
            free.append(Span(start, end, "DATE", 1.0, "calendar", "holiday or season"))
    return replace(document, mentions=tuple(sorted([*document.mentions, *free]))) if free else document


# --- the audit: its own idea of what tells something, and of where it stands --------------------------

_CALENDAR = re.compile(
    r"\d{3,}|\d\s?[./-]\s?\d|(?i:\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|christmas|easter|thanksgiving)\b)"
)
_ON_THE_CLOCK = re.compile(r"\d[:.h]\d\d|\d\s?(?:[ap]\.?m|o['’]clock)", re.IGNORECASE)


def _is_absolute(surface: str, kind: str) -> bool:
    """Whether a mention tells something absolute; "four days ago" and "two hours" stay true, and stay."""
    if kind == "DATE":
        return _CALENDAR.search(surface) is not None
    return kind != "TIME" or _ON_THE_CLOCK.search(surface) is not None


_NAME = re.compile(r"(?!(?:Mrs?|Ms|Miss|Dr|Prof|Professor|Sir|Lady|Lord|Rev|Judge)\b)\b[A-ZÀ-Þ][^\W\d_]{2,}")
_NUMBERED = re.compile(r"\[[A-Z][A-Z_]* \d+\]")


def _stands(surface: str, shown: str) -> bool:
    return stands(surface, _NUMBERED.sub("\x00", shown))


def _keeps_a_name(surface: str, shown: str, kind: str) -> bool:
    """Whether a capitalized word of a person's name, the last one at least, stands in its place."""
    words = _NAME.findall(surface) if kind == "PERSON" else []
    return bool(words) and _stands(words[-1], shown)


def _aligned(text: str, released: str, spans: Sequence[Span]) -> tuple[list[str] | None, list[str]]:
    """The stretches between mentions, if the result has them in their order, and what it has for mentions."""
    bounds = [0, *(place for span in spans for place in (span.start, span.end)), len(text)]
    gaps = [text[start:end] for start, end in zip(bounds[::2], bounds[1::2])]
    if not spans:
        return (gaps, []) if released == text else (None, [])
    if not released.startswith(gaps[0]) or not released.endswith(gaps[-1]):
        return None, []
    shown, place = [], len(gaps[0])
    for gap in gaps[1:-1]:
        # At least one character stands for a mention, so that touching mentions are told apart.
        found = released.find(gap, place + 1)
        if found < 0:
            return None, []
        shown.append(released[place:found])
        place = found + len(gap)
    end = len(released) - len(gaps[-1])
    return (gaps, [*shown, released[place:end]]) if place <= end else (None, [])
