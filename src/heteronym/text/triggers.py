"""What must stand in a text for a pattern to match there: words, strings, numbers, capitals, line starts.

`(?<!\\w)(?:[Aa]ged|[Aa]ge\\sof)\\s\\d+` cannot match without "aged" or "age" at its start. A text is split
once (text.index), and a rule is tried at its few triggers instead of at every character. Nobody writes
triggers down: `training/derive_triggers.py` reads them off the patterns, `docs/make_reference.py`
keeps them beside this file, a test compares them. A rule that is not among them is tried everywhere.

Guarantee   every match that `pattern.finditer` finds has a trigger; none of its matches starts further
            than FAR characters before it, or is longer, unless the pattern is unbounded
Cost        one look-up per rule
Randomness  none
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import Any, NamedTuple

# What no spelling tells: the first digit or capital of a run, any one of it, the start of a line
NUMBER, DIGIT, CAPITAL, CAPITALS, LINE = "number", "digit", "capital", "capitals", "line"
FAR = 200  # what has no longest match is followed this far
CAPITAL_LETTERS = "A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽȘȚ"
STORED = "triggers.json"
NARROW = 3  # so few possible starts are tried one by one


class Trigger(NamedTuple):
    """Every match has one of these, which begins `low` to `high` characters behind the match's start."""

    words: frozenset[str]  # whole words in small letters: what stands between two characters that are none
    strings: frozenset[str]  # parts of words, and signs, in small letters
    kinds: frozenset[str]
    low: int
    high: int
    length: int = FAR  # characters from the start of a match to the last one it depends on


def trigger_of(expression: str) -> Trigger | None:
    """The trigger of a rule's pattern; None if it must be tried everywhere."""
    return _stored().get(key_of(expression))


def folded(text: str) -> str:
    """A text in small letters, of the same length; letters that `re` takes for one without case are one."""
    if text.isascii():
        return text.lower()
    return text.replace("İ", "i").lower().replace("ı", "i").replace("ſ", "s")


def key_of(expression: str) -> str:
    return blake2b(expression.encode(), digest_size=8).hexdigest()


@cache
def _stored() -> dict[str, Trigger | None]:
    path = files("heteronym.text").joinpath(STORED)
    content = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {key: None if one is None else _read(one) for key, one in content.items()}


def _read(row: list[Any]) -> Trigger:
    words, strings, kinds, *numbers = row
    return Trigger(frozenset(words.split()), frozenset(strings), frozenset(kinds), *numbers)
