"""Rules: a name, a pattern, the type it finds, how sure it is. What the rule recognizers share.

The name says in plain words what the pattern recognizes; the owner's trace shows it for each mention, so
it stays when the pattern is improved. A rule marks the named group `m` of its pattern if there is one,
else the whole match. A pattern is compiled when a text first gives it something to do: compiling all of
them takes longer than reading a letter. Fragments that several rules need (numbers in words, months) are
kept here, so that all of them read the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from heteronym.model.mention import Span

Check = Callable[[re.Match[str]], bool]


class Rule(NamedTuple):
    """Finds spans of one type; `check` may refuse a match that the pattern cannot tell apart."""

    name: str
    expression: str
    type: str
    score: float
    check: Check | None = None
    # One of these must be in the text: a plain search is far cheaper than the pattern.
    needs: tuple[str, ...] = ()
    at: re.Pattern[str] | None = None  # where alone a match can begin, if that is quicker to find
    near: re.Pattern[str] | None = None  # what every match holds or stands beside, likewise

    @property
    def pattern(self) -> re.Pattern[str]:
        return _compiled(self.expression)


@cache
def _compiled(expression: str) -> re.Pattern[str]:
    return re.compile(expression)


def rule(
    name: str,
    pattern: str,
    type: str,
    score: float,
    *,
    check: Check | None = None,
    needs: tuple[str, ...] = (),
    at: re.Pattern[str] | None = None,
    near: re.Pattern[str] | None = None,
) -> Rule:
    return Rule(name, pattern, type, score, check, needs, at, near)


# Most rules begin with what stands before a match, and are tried at every character for it. Those that
# can only begin with a number or a capital are tried at the few places that have one.
NUMBERS = re.compile("[0-9]+")


def _tried_at(pattern: re.Pattern[str], text: str, places: Sequence[int]) -> Iterator[re.Match[str]]:
    """What `pattern.finditer` gives if its matches begin at these places only."""
    end = 0
    for place in places:
        if place >= end and (match := pattern.match(text, place)) is not None:
            end = match.end()
            yield match


_REACH = 80  # characters on both sides of what a rule is run near


def _tried_near(pattern: re.Pattern[str], text: str, windows: Sequence[list[int]]) -> Iterator[re.Match[str]]:
    for start, end in windows:
        yield from pattern.finditer(text, start, end)


def _windows(anchor: re.Pattern[str], text: str) -> list[list[int]]:
    """Stretches of text around an anchor's matches; none of them cuts a word in two."""
    windows: list[list[int]] = []
    for match in anchor.finditer(text):
        start, end = max(0, match.start() - _REACH), match.end() + _REACH
        if windows and start <= windows[-1][1]:
            windows[-1][1] = end
        else:
            windows.append([start, end])
    for window in windows:
        end = min(window[1], len(text))
        stop = min(end + _REACH, len(text))
        while end < stop and not text[end].isspace():
            end += 1
        window[1] = end
    return windows


def find(texts: Sequence[str], rules: Iterable[Rule], *, source: str) -> list[list[Span]]:
    """The spans of all rules, text by text."""
    result: list[list[Span]] = []
    prepared = [(r, "(?P<m>" in r.expression) for r in rules]
    for text in texts:
        spans: list[Span] = []
        places: dict[re.Pattern[str], list[int]] = {}
        windows: dict[re.Pattern[str], list[list[int]]] = {}
        for one, grouped in prepared:
            name, _, kind, score, check, needs, at, near = one
            if needs and not any(word in text for word in needs):
                continue
            matches: Iterable[re.Match[str]]
            if at is not None:
                if at not in places:
                    places[at] = [place.start() for place in at.finditer(text)]
                if not places[at]:
                    continue
                matches = _tried_at(one.pattern, text, places[at])
            elif near is not None:
                if near not in windows:
                    windows[near] = _windows(near, text)
                if not windows[near]:
                    continue
                matches = _tried_near(one.pattern, text, windows[near])
            else:
                matches = one.pattern.finditer(text)
            for match in matches:
                if check is not None and not check(match):
                    continue
                start, end = match.span("m") if grouped else match.span()
                if start < end:
                    spans.append(Span(start, end, kind, score, source, name))
        result.append(spans)
    return result


def any_of(words: Iterable[str]) -> str:
    """An alternation that prefers the longest word; blanks match any run of blanks.

    Words are grouped by their first letter, so that a place where none begins costs few comparisons.
    """
    groups: dict[str, list[str]] = {}
    for word in sorted(set(words), key=lambda word: (-len(word), word)):
        groups.setdefault(word[0], []).append(re.escape(word[1:]).replace(r"\ ", r"\s+"))
    return "(?:" + "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in groups.items()) + ")"


# Capital and small letters of Latin script with their accents, so that `Çalış` and `Łódź` are words.
UPPER = "A-ZÀ-ÖØ-ÞĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮİĲĴĶĹĻĽĿŁŃŅŇŊŌŎŐŒŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŸŹŻŽȘȚ"
LOWER = "a-zß-öø-ÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįıĳĵķĺļľŀłńņňŋōŏőœŕŗřśŝşšţťŧũūŭůűųŵŷźżžșțſ"
CAPITALS = re.compile(rf"[{UPPER}][{UPPER}]*")
NAME_WORD = rf"[{UPPER}](?:[{LOWER}]+|['’][{UPPER}][{LOWER}]+)(?:[-‑'’]?[{UPPER}][{LOWER}]+)*"

MONTHS = (
    "January February March April May June July August September October November December "
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"
).split()
MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)\b\.?)"
)
WEEKDAY = (
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri)\b\.?)"
)
UNITS_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def _any_case(word: str) -> str:
    return f"[{word[0].upper()}{word[0]}]{word[1:]}"  # quicker than (?i:...), which knows no first letters


_UNIT = "(?:" + "|".join(map(_any_case, sorted(UNITS_WORDS, key=len, reverse=True))) + ")"
_TENS = "(?:" + "|".join(map(_any_case, TENS_WORDS)) + ")"
_SMALL = rf"(?:{_TENS}(?:[-‑\s]{_UNIT})?|{_UNIT})"
# "three", "twenty-four", "two hundred and five", "a dozen", "ten thousand"
NUMBER_WORDS = (
    rf"(?:(?:{_SMALL}|[Aa]n?)\s(?:hundred|thousand|million|dozen)(?:\s(?:and\s)?{_SMALL})?"
    rf"(?:\s(?:thousand|million))?"
    rf"|{_SMALL})"
)
# 12; 1,200; 1.200,50; 12.5; 1 200
DIGITS = r"(?:\d{1,3}(?:[,.  ’']\d{3})+(?:[.,]\d{1,4})?|\d+(?:[.,]\d+)?)"
