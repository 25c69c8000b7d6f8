"""Recognizers that are rows of rules: one per file of the language packs that is named here or has a reader.

What they find is in `knowledge/<language>/<name>.toml`; a row asks for what stands around it with the keys of
`text.guards`. A reader is a function for what no row can say: it takes a text and what the rows found in it,
and gives all that counts.

Cost        each rule is tried where its trigger stands (text.triggers)
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.grammar import grammar
from heteronym.text.lexicon import languages_of, lexicon
from heteronym.text.rule import Rule, find

Reader = Callable[[str, list[Span]], Iterable[Span]]
FILES = {
    "ages": "Ages: the number where words around it say that it is one, else the whole phrase.",
    "dates": "Dates, periods and durations of a day or more, also relative ones.",
    "demographics": "Family, marital status and education, where they are said of a person.",
    "laws": "References to laws; not sensitive, but their numbers are no dates and codes.",
    "measurements": "Vital signs, lab values, doses and settings: not sensitive, no part of a name.",
    "money": "Amounts of money with their unit.",
    "pack": "Names, numbers and addresses of languages that have no part of their own for them.",
    "phones": "Telephone numbers by shape and by the words beside them.",
    "quantities": "Percentages, measurements and exact counts.",
    "secrets": "Passwords, keys, tokens and codes for one use.",
    "spoken": "Numbers and mail addresses as they are said on the telephone.",
    "things": "Vehicles by make and colour.",
    "times": "Times of day and durations below a day.",
    "usernames": "Handles and account names.",
}


@cache
def rules_of(name: str, language: str = "en") -> tuple[Rule, ...]:
    return lexicon(name, language).rules()


@dataclass(frozen=True)
class Rows:
    """The rules of one file of a language's pack, and its reader."""

    language: str = field(default="en", metadata={"help": "language of the texts"})

    part_name: ClassVar[str]
    languages: ClassVar[frozenset[str]]
    by_default: ClassVar[bool] = True
    read: ClassVar[Reader | None] = None

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        rules, read = rules_of(self.part_name, self.language), type(self).read
        found = find(texts, rules, source=self.part_name) if rules else [[] for _ in texts]
        if lexicon(self.part_name, self.language).rows("forms"):
            for text, spans in zip(texts, found):
                for start, end, form, _ in grammar(self.language).find(text, self.part_name):
                    spans.append(Span(start, end, form.type, form.score, self.part_name, form.name))
        return found if read is None else [list(read(text, spans)) for text, spans in zip(texts, found)]

    def __reduce__(self) -> tuple[Any, ...]:
        return recognizer_of, (self.part_name, self.language)  # workers look their parts up by name


def recognizer_of(name: str, language: str) -> Any:
    return recognizers.get(name)(language)


def reader(name: str) -> Callable[[Reader], Reader]:
    """Registers a function as the reader of a file's recognizer; what it says of itself describes both."""

    def keep(read: Reader) -> Reader:
        _register(name, read.__doc__, read.__module__, staticmethod(read))
        return read

    return keep


def _register(name: str, about: str | None, module: str, read: Any = None) -> None:
    members = {"__doc__": about, "__module__": module, "languages": languages_of(name), "read": read}
    part: type[Rows] = dataclass(frozen=True)(type(name.capitalize(), (Rows,), members))
    recognizers.register(name)(part)


for _name, _about in FILES.items():
    _register(_name, _about, __name__)
