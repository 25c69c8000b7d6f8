"""What a row of a rule asks of the place where its pattern matched.

behind, not_behind    a pattern that must, or must not, end where the match begins
ahead, not_ahead      a pattern that must, or must not, begin where the match ends
near, not_near        a pattern that must, or must not, be found in the paragraph, as far as it is near
like, not_like        a pattern that must, or must not, be found in what is marked
only, unless          lists of words: what is marked must be one of them, or none; with _first or _last: its
                      first or last word. A group `w` of the pattern is asked in its place.
                      Lists in capitals are the pack's own, others of all that is known (`_KNOWN`)
digits, letters       how many of them what is marked has at least
clinical              whether the text is a note about a patient
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from heteronym.knowledge.places import cities, countries
from heteronym.knowledge.wordlists import first_names, peoples, words
from heteronym.text.rule import Check, compiled

if TYPE_CHECKING:
    from heteronym.text.lexicon import Lexicon

_REACH = 90  # characters before a match
_NEAR = 160
_PARTS = {"": slice(None), "first": slice(1), "last": slice(-1, None)}
KEYS = frozenset(
    "behind not_behind ahead not_ahead near not_near like not_like only only_first unless unless_first "
    "only_last unless_last digits letters clinical".split()
)


@cache
def _plain_words() -> frozenset[str]:
    """Countries, and words and peoples that are nobody's first name, as "Mark" is."""
    said = words("common_words") | {people.lower() for people in peoples()}
    return said - {name.lower() for name in first_names()} | {country.lower() for country in countries()}


_KNOWN: dict[str, Callable[[], Iterable[str]]] = {
    "cities": cities,
    "countries": countries,
    "common_words": lambda: words("common_words"),
    "first_names": first_names,
    "plain_words": _plain_words,
}


def guard_of(row: Mapping[str, Any], pack: Lexicon) -> Check | None:
    """One check of all that a row asks; None: nothing. Patterns are compiled when they are first needed."""
    asked = [(key, row[key]) for key in row if key in KEYS]
    if not asked:
        return None
    made: list[Check] = []

    def check(match: re.Match[str]) -> bool:
        if not made:
            made.extend(_one(key, value, pack) for key, value in asked)
        return all(one(match) for one in made)

    return check


def _one(key: str, value: Any, pack: Lexicon) -> Check:
    if key == "clinical":
        return lambda match: pack.is_clinical(match.string) == value
    if key in ("digits", "letters"):
        kind = str.isdigit if key == "digits" else str.isalpha
        return lambda match: sum(map(kind, marked(match))) >= value
    how, _, part = key.partition("_")
    if how in ("only", "unless"):
        lists = [pack.listed(name) if name.isupper() else _KNOWN[name]() for name in value.split()]
        listed, place = frozenset(word.lower() for one in lists for word in one), _PARTS[part]
        return lambda match: (said := _asked(match, place)) is None or (said in listed) == (how == "only")
    pattern, wanted = compiled(pack.expanded(value)), how != "not"
    look = _LOOK[part if how == "not" else how]
    return lambda match: (look(match, pattern) is not None) == wanted


_LOOK: dict[str, Callable[[re.Match[str], re.Pattern[str]], object]] = {
    "behind": lambda match, pattern: pattern.search(
        match.string, max(0, match.start() - _REACH), match.start()
    ),
    "ahead": lambda match, pattern: pattern.match(match.string, match.end()),
    "near": lambda match, pattern: pattern.search(match.string, *around(match.string, *match.span())),
    "like": lambda match, pattern: pattern.search(marked(match)),
}


def _asked(match: re.Match[str], place: slice) -> str | None:
    """The words that are looked up, in small letters; None: there are none."""
    said = match["w"] if "w" in match.re.groupindex else marked(match)
    if said is None:
        return None
    return " ".join(said.lower().split()[place]).strip(",").removesuffix("'s").removesuffix("’s")


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
