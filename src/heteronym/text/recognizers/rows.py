"""Recognizers that are nothing but rows of rules: one per file of the language packs that is named here.

What they find is in `knowledge/<language>/<name>.toml`; a row asks for what stands around it with the keys of
`text.guards`, and names a function of `_checks` where no key can say it.

Cost        each rule is tried where its trigger stands (text.triggers)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import languages_of, lexicon
from heteronym.text.recognizers._checks import CHECKS
from heteronym.text.rule import Rule, find

FILES = {
    "ages": "Ages: the number where words around it say that it is one, else the whole phrase.",
    "dates": "Dates, periods and durations of a day or more, also relative ones.",
    "demographics": "Family, marital status and education, where they are said of a person.",
    "laws": "References to laws; not sensitive, but their numbers are no dates and codes.",
    "money": "Amounts of money with their unit.",
    "pack": "Names, numbers and addresses of languages that have no part of their own for them.",
    "quantities": "Percentages, measurements and exact counts.",
    "secrets": "Passwords, keys, tokens and codes for one use.",
    "spoken": "Numbers and mail addresses as they are said on the telephone.",
    "times": "Times of day and durations below a day.",
    "usernames": "Handles and account names.",
}


@cache
def rules_of(name: str, language: str = "en") -> tuple[Rule, ...]:
    return lexicon(name, language).rules(checks=CHECKS)


@dataclass(frozen=True)
class Rows:
    """The rules of one file of a language's pack."""

    language: str = field(default="en", metadata={"help": "language of the texts"})

    part_name: ClassVar[str]
    languages: ClassVar[frozenset[str]]
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, rules_of(self.part_name, self.language), source=self.part_name)


for _name, _about in FILES.items():
    _told = {"__doc__": _about, "__module__": __name__, "languages": languages_of(_name)}
    _part: type[Rows] = dataclass(frozen=True)(type(_name.capitalize(), (Rows,), _told))
    globals()[_part.__name__] = recognizers.register(_name)(_part)  # workers look their parts up by name
