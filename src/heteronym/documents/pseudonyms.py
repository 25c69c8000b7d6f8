"""Pseudonyms: every mention becomes another of its kind, the same for the same entity everywhere.

Reference   surrogates as in Uzuner, Luo and Szolovits 2007 (i2b2 de-identification); keyed, with a vault
Guarantee   no mention stands in its own words; equal entities have equal surrogates. Nothing is hidden from
            who knows a person: renaming keeps everything else that is told
Cost        O(mentions), some hashes each
Randomness  none beside the key
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from typing import ClassVar, Literal

from heteronym.documents._residue import stands
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit, edited
from heteronym.model.mention import Span
from heteronym.model.release import Check
from heteronym.registry import document_methods
from heteronym.surrogates import dates
from heteronym.surrogates.terms import ADDRESSES, CODES, WORDS, Person, renamed, written
from heteronym.surrogates.vault import KEY, VAULT, Vault, open_vault
from heteronym.text.entities import entities, name_parts

_GENDERS = dict.fromkeys(
    "mr sir lord herr monsieur señor mister uncle brother".split(), "male"
) | dict.fromkeys("mrs ms miss mme madame frau lady dame señora aunt auntie sister".split(), "female")
_SURNAME_FIRST = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*,\s*[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")


@document_methods.register("pseudonyms")
@dataclass(frozen=True)
class Pseudonyms:
    """Renames what was found: names by gender and origin, dates by one shift, codes by shape."""

    style: Literal["surrogates", "placeholders"] = field(
        default="surrogates", metadata={"help": "invented names and codes, or numbers such as [PERSON 1]"}
    )
    shift: Literal["all", "folder", "document"] = field(
        default="all",
        metadata={"help": "what shares one shift of dates: all, a folder, or a document"},
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
        renaming = _Renaming(vault, documents, self)
        edits = [renaming.edits(number) for number in range(len(documents))]
        for document, some in zip(documents, edits):
            vault.remember(edited(document.text, some), _way_back(document.text, some))
        replaced = sum(map(len, edits))
        mentions = sum(len(document.mentions) for document in documents)
        facts = {"replaced": replaced, "entities": renaming.count, "left_relative": mentions - replaced}
        return Sanitized(edits, facts, vault.files())

    def audit(self, document: Document, released: str) -> Check:
        """What stood between the mentions still does, holds none of them, and none is its own surrogate."""
        surfaces = [document.text[span.start : span.end] for span in document.mentions]
        gaps, shown = _aligned(document.text, released, document.mentions)
        if gaps is None:
            return Check("residue", False, "something else than the mentions was changed")
        rest = "\x00".join(gaps)
        told = [
            (surface, text, span.type)
            for surface, text, span in zip(surfaces, shown, document.mentions)
            if _is_told(surface, span.type)
        ]
        left = sum(_stands(surface, rest) for surface in {surface for surface, _, _ in told})
        same = sum(
            _stands(surface, text) or _keeps_a_name(surface, text, kind) for surface, text, kind in told
        )
        if left or same:
            return Check("residue", False, f"{left + same} of {len(told)} mentions still stand in the text")
        detail = "nothing found stands in its own words; a surrogate hides nothing from who knows the person"
        return Check("residue", True, detail)


class _Renaming:
    """What stands for each mention of a set of documents."""

    def __init__(self, vault: Vault, documents: Sequence[Document], method: Pseudonyms) -> None:
        self.vault, self.documents, self.method = vault, documents, method
        self.terms: list[list[str]] = [[""] * len(document.mentions) for document in documents]
        self.families: dict[str, str] = {}  # surnames of people by their terms, where a mention tells it
        self.genders: dict[str, str] = {}  # of people by their terms, where a title tells it
        seen: set[tuple[str, str]] = set()
        for number, document in enumerate(documents):
            for entity in entities([document.text], [document.mentions]):
                kind, term = entity.term.type, entity.term.text
                seen.add((kind, term))
                for _, place in entity.mentions:
                    self.terms[number][place] = term
                    self._look_at(kind, term, document, document.mentions[place])
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

    def _look_at(self, kind: str, term: str, document: Document, span: Span) -> None:
        """What must be nobody's surrogate, and what a mention tells about a name."""
        surface = document.text[span.start : span.end]
        if kind in CODES:
            self.vault.avoid(kind, "".join(c for c in surface if c.isalnum()))
            return
        self.vault.avoid(kind, surface)
        if kind == "PERSON":
            parts = name_parts(surface)
            if _SURNAME_FIRST.match(surface) or (len(parts) == 1 and _WORD.findall(surface) != parts):
                self.families.setdefault(term, parts[0].lower())
            first = surface.split(maxsplit=1)[0].strip(".").lower()
            if first in _GENDERS:
                self.genders.setdefault(term, _GENDERS[first])
        if kind == "PERSON" or kind in WORDS or kind in ADDRESSES:
            for word in _WORD.findall(surface):
                self.vault.avoid("NAME", re.sub(r"['’]s$", "", word))

    def edits(self, number: int) -> list[Edit]:
        document = self.documents[number]
        made = []
        for span, term in zip(document.mentions, self.terms[number]):
            surface = document.text[span.start : span.end]
            new = None
            if self.method.style == "surrogates":
                new = self._surrogate(document, span, surface, term)
                if new == surface and span.type in ("DATE", "TIME"):
                    continue  # it tells no date of the calendar, and is as true after the shift
            if new is None or re.search(rf"(?<!\w){re.escape(surface)}(?!\w)", new):
                new = self._numbered(span.type, surface, term)
            made.append(Edit(span.start, span.end, new))
        return made

    def _numbered(self, kind: str, surface: str, term: str) -> str:
        tail = re.search(r"['’]s$", surface)
        return self.vault.number(kind, term) + (tail.group() if tail else "")

    def _surrogate(self, document: Document, span: Span, surface: str, term: str) -> str | None:
        vault = self.vault
        if span.type == "DATE":
            weeks = dates.weeks_for(self._subject(document), vault.key, most=self.method.shift_weeks)
            here = dates.day_comes_first([document.text])
            return dates.shifted_date(surface, weeks, day_first=self.day_first if here is None else here)
        if span.type == "TIME":
            return dates.shifted_time(surface, dates.minutes_for(self._subject(document), vault.key))
        if span.type == "PERSON":
            parts = name_parts(term) or name_parts(surface)
            person = Person(parts, family=self.families.get(term), gender=self.genders.get(term))
            kept = _titles_and_particles(surface)
            return renamed(surface, person, vault.key, ask=vault.ask, kept=kept)
        return written(span.type, surface, vault.key, ask=vault.ask)

    def _subject(self, document: Document) -> str:
        if self.method.shift == "all":
            return ""
        path = PurePosixPath(document.name)
        return str(path.parent if self.method.shift == "folder" else path)


def _titles_and_particles(surface: str) -> frozenset[str]:
    """Words of a mention that are no part of the name: "Mrs", "Dr", and the small ones of "van der Berg"."""
    named = [re.sub(r"['’]s$", "", word) for word in _WORD.findall(surface)]
    small = {word for word in named if word.islower() and len(word) < 5} if not surface.islower() else set()
    return frozenset({word.lower() for word in named if not name_parts(word)} | small)


def _way_back(text: str, edits: Sequence[Edit]) -> list[tuple[int, str, str]]:
    """Where in the result each surrogate stands, itself, and what stood there."""
    moved, places = 0, []
    for edit in sorted(edits):
        start = edit.start + moved
        places.append((start, edit.text, text[edit.start : edit.end]))
        moved += len(edit.text) - (edit.end - edit.start)
    return places


# --- the audit: its own idea of what tells something, and of where it stands --------------------------

_CALENDAR = re.compile(
    r"\d{3,}|\d\s?[./-]\s?\d|(?i:\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b)"
)
_ON_THE_CLOCK = re.compile(r"\d[:.h]\d\d|\d\s?(?:[ap]\.?m|o['’]clock)", re.IGNORECASE)


def _is_told(surface: str, kind: str) -> bool:
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
