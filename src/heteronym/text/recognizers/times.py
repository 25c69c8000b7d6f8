"""Times of day and durations below a day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import find

_LEXICON = lexicon("times")


def _after_a_time_word(match: re.Match[str]) -> bool:
    """'due 0800' and 'paged 2350' are times; 'about 1200' is an amount, 'since 1848' a year."""
    cue = _TIME_CUE.search(match.string, max(0, match.start() - 24), match.start())
    if cue is None:
        return False
    return match.group()[0] == "0" or "." in match.group() or _ALSO_OF_NUMBERS.match(cue.group()) is None


_ALSO_OF_NUMBERS = _LEXICON.compiled("ALSO_OF_NUMBERS")


_TIME_CUE = _LEXICON.compiled("TIME_CUE")

_DATE_BEFORE = _LEXICON.compiled("DATE_BEFORE")
_LOG_LINE = _LEXICON.compiled("LOG_LINE")


def _in_a_log(match: re.Match[str]) -> bool:
    """One line with a number proves nothing; a log has several of them near each other."""
    low, high = max(0, match.start() - 400), match.end() + 400
    lines = _LOG_LINE.finditer(match.string, low, high)
    return sum(1 for _ in islice(lines, 2)) > 1


def _is_spoken_hour(match: re.Match[str]) -> bool:
    """'three in the morning' is an hour behind a word for times; 'cut from ten to six' is none."""
    surface = match.group()
    if "past" in surface or "clock" in surface or surface.startswith("half"):
        return True
    if " to " in surface or " till " in surface:
        return (
            "uarter" in surface
            or _AN_HOUR_FOLLOWS.search(match.string, max(0, match.start() - 10), match.start()) is not None
        )
    return _HOUR_CUE.search(match.string, max(0, match.start() - 10), match.start()) is not None


_AN_HOUR_FOLLOWS = re.compile(r"(?<!\w)(?:[Aa]t|about)\s$")
_HOUR_CUE = _LEXICON.compiled("HOUR_CUE")

_MEASURED = _LEXICON.compiled("MEASURED")
_CHANGED = _LEXICON.compiled("CHANGED")


def _hours_not_years(match: re.Match[str]) -> bool:
    """'0800-1600' are hours; '1914-1918' and '1960-1987' are years."""
    first = match.group()[:4]
    return (
        first[0] == "0"
        or _TIME_CUE.search(match.string, max(0, match.start() - 24), match.start()) is not None
    )


def _no_measure(match: re.Match[str]) -> bool:
    """'home by six' tells an hour, 'cut by six' and 'pain at 8' do not."""
    text, start = match.string, match.start()
    if (
        text.startswith("by", start)
        and " " not in match.group("m")
        and _CHANGED.search(text, max(0, start - 12), start)
    ):
        return False
    return _MEASURED.search(text, max(0, start - 32), start) is None


_OPENS = _LEXICON.compiled("OPENS")


def _opens(match: re.Match[str]) -> bool:
    """'8.30-6.30' are hours behind a word for opening, working or a day, and values elsewhere."""
    return _OPENS.search(match.string, max(0, match.start() - 24), match.start()) is not None


def _is_an_hour(match: re.Match[str]) -> bool:
    """'one in the morning group' is none; '10:30 sharp' is found without the last word."""
    surface = match.group().lower()
    if surface.startswith(
        ("one in the", "one of the", "one this", "one that", "one every", "one each", "one last")
    ):
        return False
    return not (":" in surface and surface.endswith(("sharp", "prompt", "latest")))


_RULES = _LEXICON.rules(
    checks={
        "in_a_log": _in_a_log,
        "time_with_a_point_behind_a_date": lambda match: (
            _DATE_BEFORE.search(match.string, max(0, match.start() - 24), match.start()) is not None
        ),
        "is_spoken_hour": _is_spoken_hour,
        "after_a_time_word": _after_a_time_word,
        "hours_or_minutes": lambda match: (
            match.group().lower() not in ("an hour", "one second", "a few seconds")
        ),
        "is_an_hour": _is_an_hour,
        "no_measure": _no_measure,
        "hours_not_years": _hours_not_years,
        "opens": _opens,
    }
)


@recognizers.register("times")
@dataclass(frozen=True)
class Times:
    """Times of day and short durations by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="times")
