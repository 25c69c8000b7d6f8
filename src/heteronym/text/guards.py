"""What a row of a rule asks of the place where its pattern matched.

behind, not_behind    a pattern that must, or must not, end where the match begins
ahead, not_ahead      a pattern that must, or must not, begin where the match ends
like, not_like        a pattern that must, or must not, be found in what is marked
unless                a list of words: what is marked is none of them; unless_first, unless_last: its first
                      or last word is none of them
digits, letters       how many of them what is marked has at least
clinical              the text is a note about a patient
somebody              somebody is spoken of nearby
check                 the name of a function, for what no key can say
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from heteronym.text.rule import Check

_REACH = 90  # characters before a match
_NEAR = 160
KEYS = frozenset(
    "behind not_behind ahead not_ahead like not_like unless unless_first unless_last digits letters "
    "clinical somebody check".split()
)


def guard_of(
    row: Mapping[str, Any],
    *,
    compiled: Callable[[str], re.Pattern[str]],
    words: Callable[[str], Iterable[str]],
    checks: Mapping[str, Check],
) -> Check | None:
    """One check of all that a row asks; None: nothing. Patterns are compiled when they are first needed."""
    asked = [(key, row[key]) for key in row if key in KEYS]
    if not asked:
        return None
    made: list[Check] = []

    def check(match: re.Match[str]) -> bool:
        if not made:
            made.extend(_one(key, value, compiled, words, checks) for key, value in asked)
        return all(one(match) for one in made)

    return check


def _one(
    key: str,
    value: Any,
    compiled: Callable[[str], re.Pattern[str]],
    words: Callable[[str], Iterable[str]],
    checks: Mapping[str, Check],
) -> Check:
    if key == "check":
        return checks[value]
    if key == "clinical":
        from heteronym.text.clinical import is_clinical

        return lambda match: is_clinical(match.string)
    if key == "somebody":
        person = compiled("«SOMEBODY»")
        return lambda match: person.search(match.string, *around(match.string, *match.span())) is not None
    if key in ("digits", "letters"):
        kind = str.isdigit if key == "digits" else str.isalpha
        return lambda match: sum(map(kind, marked(match))) >= value
    if key.startswith("unless"):
        listed = frozenset(word.lower() for word in words(value))
        part = {"unless": slice(None), "unless_first": slice(1), "unless_last": slice(-1, None)}[key]
        return lambda match: " ".join(marked(match).lower().split()[part]).strip(",") not in listed
    pattern, wanted = compiled(value), not key.startswith("not_")
    if key.endswith("behind"):
        return lambda match: (behind(match, pattern) is not None) == wanted
    if key.endswith("ahead"):
        return lambda match: (pattern.match(match.string, match.end()) is not None) == wanted
    return lambda match: (pattern.search(marked(match)) is not None) == wanted


def behind(match: re.Match[str], pattern: re.Pattern[str], reach: int = _REACH) -> re.Match[str] | None:
    """What is found among the characters before a match."""
    return pattern.search(match.string, max(0, match.start() - reach), match.start())


def marked(match: re.Match[str]) -> str:
    """What a match marks: its group `m`, or all of it."""
    return match.group("m" if "m" in match.re.groupindex else 0)


_PARAGRAPH = re.compile(r"\n\s*\n")


def around(text: str, start: int, end: int) -> tuple[int, int]:
    """The paragraph, as far as it is near."""
    low = max(0, start - _NEAR)
    for empty in _PARAGRAPH.finditer(text, low, start):
        low = empty.end()
    after = _PARAGRAPH.search(text, end, end + _NEAR)
    return low, after.start() if after else end + _NEAR
