"""What stands for a mention or a cell: a surrogate from the vault, or its number where there is none.

Documents and tables ask here, so that an entity is called the same in both.

Guarantee   nothing is its own surrogate; what `look_at` was shown is nobody's
Cost        O(1) per mention, some hashes
Randomness  none beside the key
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from heteronym.knowledge.name_parts import name_parts
from heteronym.surrogates import dates
from heteronym.surrogates.draws import Draws
from heteronym.surrogates.terms import (
    ADDRESSES,
    CODES,
    WORDS,
    Person,
    bare_code,
    renamed,
    revealed_by_surrogate,
    titles_and_particles,
    written,
)
from heteronym.surrogates.vault import Vault

_GENDERS = dict.fromkeys(
    "mr sir lord herr monsieur señor mister uncle brother".split(), "male"
) | dict.fromkeys("mrs ms miss mme madame frau lady dame señora aunt auntie sister".split(), "female")
_SURNAME_FIRST = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*,\s*[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")


STAND_IN = re.compile(r"\[([A-Z_]+) \x00(\d+)\]")  # of a number that nobody has given yet


class Renaming:
    """Surrogates by a vault, with what mentions tell of names: surnames and genders."""

    def __init__(
        self, vault: Vault, *, shift_weeks: int = dates.MOST_WEEKS, numbers_later: bool = False
    ) -> None:
        """With `numbers_later`, new numbers are stand-ins until `settle_numbers` knows their order."""
        self.vault, self.shift_weeks = vault, shift_weeks
        self._waiting: dict[tuple[str, str], int] | None = {} if numbers_later else None
        self._families: dict[str, str] = {}  # surnames of people by their terms, where a mention tells it
        self._genders: dict[str, str] = {}  # of people by their terms, where a title tells it

    def look_at(self, kind: str, term: str, surface: str) -> None:
        """What must be nobody's surrogate, and what a mention tells about a name."""
        if kind in CODES:
            self.vault.avoid(kind, bare_code(kind, surface))
            return
        self.vault.avoid(kind, surface)
        if kind == "PERSON":
            parts = name_parts(surface)
            titled = len(parts) == 1 and _WORD.findall(surface) != parts
            if titled or (parts and _SURNAME_FIRST.match(surface)):
                self._families.setdefault(term, parts[0].lower())
            first = surface.split(maxsplit=1)[0].strip(".").lower()
            if first in _GENDERS:
                self._genders.setdefault(term, _GENDERS[first])
        if kind == "PERSON" or kind in WORDS or kind in ADDRESSES:
            for word in _WORD.findall(surface):
                self.vault.avoid("NAME", re.sub(r"['’]s$", "", word))

    def surrogate(
        self,
        kind: str,
        surface: str,
        term: str,
        *,
        subject: str = "",
        day_first: bool | None = None,
        checks: Collection[str] | None = None,
    ) -> str:
        """The surrogate in the writing of the surface, else a number; the surface itself where it tells no
        date of the calendar, and is as true after the shift."""
        if kind in CODES:
            new = written(kind, surface, self.vault.key, ask=self.vault.ask, checks=checks)
        else:
            new = self._made(kind, surface, term, subject, day_first)
        if new == surface and kind in ("DATE", "TIME"):
            return surface
        if new is None or re.search(rf"(?<!\w){re.escape(surface)}(?!\w)", new):
            return self.number(kind, surface, term)
        return new

    def revealed_by_surrogate(self, kind: str, surface: str, term: str) -> str:
        """What the surrogate of a cell tells of it; equal where two cells cannot be told apart."""
        if kind == "PERSON" and term in self._genders:
            return surface
        return revealed_by_surrogate(kind, surface, family=self._families.get(term))

    def number(self, kind: str, surface: str, term: str) -> str:
        tail = re.search(r"['’]s$", surface)
        return self._number(kind, term) + (tail.group() if tail else "")

    def _number(self, kind: str, term: str) -> str:
        if self._waiting is None or self.vault.has_number(kind, term):
            return self.vault.number(kind, term)
        return f"[{kind} \x00{self._waiting.setdefault((kind, term), len(self._waiting))}]"

    def settle_numbers(self, places: Mapping[int, Sequence[int]]) -> dict[int, str]:
        """Numbers for all stand-ins, in the order of the places where each stands.

        Where those are the same, a keyed hash decides: nothing that is released tells such terms apart, and
        neither their spelling nor the order of the source may.
        """
        waiting = {} if self._waiting is None else self._waiting
        by_chance = {one: Draws(self.vault.key, "number", *one).below(1 << 62) for one in waiting}
        order = sorted(waiting, key=lambda one: (sorted(places.get(waiting[one], ())), by_chance[one]))
        return {waiting[one]: self.vault.number(*one) for one in order}

    def _made(self, kind: str, surface: str, term: str, subject: str, day_first: bool | None) -> str | None:
        vault = self.vault
        if kind == "DATE":
            weeks = dates.weeks_for(subject, vault.key, most=self.shift_weeks)
            return dates.shifted_date(surface, weeks, day_first=day_first)
        if kind == "TIME":
            return dates.shifted_time(surface, dates.minutes_for(subject, vault.key))
        if kind == "PERSON":
            parts = name_parts(term) or name_parts(surface)
            person = Person(parts, family=self._families.get(term), gender=self._genders.get(term))
            return renamed(surface, person, vault.key, ask=vault.ask, kept=titles_and_particles(surface))
        return written(kind, surface, vault.key, ask=vault.ask)
