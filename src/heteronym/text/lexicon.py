"""What a language pack says for one recognizer: rows of rules, pieces of patterns, lists of words.

A pack is the folder `knowledge/<language>`; one TOML file per recognizer, and `common.toml` for what
several of them need (months, weekdays, numbers in words). `[words]` has lists, `[patterns]` pieces of regular
expressions, `[[rules]]` one row per rule. «NAME» in a pattern stands for the piece of that name, or for any
word of the list of that name. Patterns are put together when a recognizer is first built.

Cost        O(size of the file), once per process
Randomness  none
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from heteronym.errors import UsageError, nearest
from heteronym.text.guards import guard_of
from heteronym.text.index import index_of
from heteronym.text.rule import LOWER, NAME_WORD, UPPER, Rule, any_of

_PIECE = re.compile(r"«(\w+)»")
_OF_ALL_LANGUAGES = {"UPPER": UPPER, "LOWER": LOWER, "NAME_WORD": NAME_WORD}
COMMON = "common"


def is_clinical(text: str) -> bool:
    """Whether two different signs of a note about a patient are in a text: words mean other things there."""
    return index_of(text).cached(_has_two_signs)


class Lexicon:
    """One file of a pack."""

    is_clinical = staticmethod(is_clinical)  # for guards of rules, which know no file but this one

    def __init__(self, name: str, language: str) -> None:
        self.name, self.language = name, language
        self._tables = _read(name, language)
        self._patterns: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Lexicon({self.language}/{self.name})"

    def words(self, name: str) -> frozenset[str]:
        """A list of words; underscores stand for blanks."""
        return frozenset(self.listed(name))

    def listed(self, name: str) -> list[str]:
        """A list of words in its order."""
        lists = self._tables.get("words", {})
        if name not in lists:
            raise UsageError(f"{self!r} has no list '{name}'.{nearest(name, lists)}")
        return [word.replace("_", " ") for word in lists[name].split()]

    def lists(self) -> dict[str, list[str]]:
        return {name: self.listed(name) for name in self._tables.get("words", {})}

    def pattern(self, name: str) -> str:
        """A piece of a pattern, put together."""
        if name not in self._patterns:
            self._patterns[name] = self._piece(name)
        return self._patterns[name]

    def _piece(self, name: str) -> str:
        if name in self._tables.get("patterns", {}):
            return self.expanded(self._tables["patterns"][name])
        if name in self._tables.get("words", {}):
            return any_of(self.listed(name))
        if name in _OF_ALL_LANGUAGES:
            return _OF_ALL_LANGUAGES[name]
        if self.name != COMMON:
            return lexicon(COMMON, self.language).pattern(name)
        raise UsageError(f"language pack '{self.language}' has no pattern '{name}'")

    def compiled(self, name: str) -> re.Pattern[str]:
        return re.compile(self.pattern(name))

    def expanded(self, template: str) -> str:
        """A pattern with its pieces in their places."""
        return _PIECE.sub(lambda piece: self.pattern(piece.group(1)), template)

    def table(self, name: str) -> dict[str, str]:
        return dict(self._tables.get(name, {}))

    def rows(self, table: str) -> list[dict[str, Any]]:
        return list(self._tables.get(table, ()))

    def rules(self, table: str = "rules") -> tuple[Rule, ...]:
        """The rules of a table, each with what it asks of its place (text.guards)."""
        return tuple(
            Rule(row["name"], self.expanded(row["pattern"]), row["type"], row["score"], guard_of(row, self))
            for row in self.rows(table)
        )


_lexicons = cache(Lexicon)


def lexicon(name: str, language: str = "en") -> Lexicon:
    """One object per file, whether or not English is named."""
    return _lexicons(name, language)


@cache
def _read(name: str, language: str) -> dict[str, Any]:
    path = files("heteronym.knowledge").joinpath(language, f"{name}.toml")
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def languages_of(name: str) -> frozenset[str]:
    """The languages whose packs have a file of this name."""
    packs = files("heteronym.knowledge").iterdir()
    return frozenset(pack.name for pack in packs if pack.joinpath(f"{name}.toml").is_file())


@cache
def _signs() -> re.Pattern[str]:
    return lexicon("health").compiled("SIGNS")


def _has_two_signs(text: str) -> bool:
    signs = (sign.group().lower() for sign in _signs().finditer(text))
    first = next(signs, None)
    return any(sign != first for sign in signs)
