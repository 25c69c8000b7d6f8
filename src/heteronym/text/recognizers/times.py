"""Times of day and durations below a day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import NUMBER_WORDS, Rule, find, rule

_CLOCK = r"(?:[01]?\d|2[0-4])"
_HALF_DAY = r"(?:[ap]\.?\s?m\b\.?|[AP]\.?M\b\.?)"
_ZONE = r"(?:\s(?:GMT|UTC|EST|EDT|PST|PDT|CET|CEST|MST|CST|BST))?"


def _after_a_time_word(match: re.Match[str]) -> bool:
    return _TIME_CUE.search(match.string, max(0, match.start() - 12), match.start()) is not None


_TIME_CUE = re.compile(
    r"(?<!\w)(?:[Pp]aged|[Ff]inish(?:es|ed)?|[Ss]tart(?:s|ed)|[Oo]pens|[Cc]loses|[Tt]ime:|[Aa]rrived|[Aa]ttended|[Ll]eft|[Aa]t\sapprox\.?|[Aa]pprox\.?|[Hh]ours|[Aa]t)\s$"
)

_HOUR = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_DATE_BEFORE = re.compile(
    r"(?:\d[/.-]\d{1,2}(?:[/.-]\d{2,4})?|(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
    r"(?:\s(?:\d{4}|\d{1,2}))?),?\s(?:at\s)?$"
)
_LOG_LINE = re.compile(
    r"(?:^|\n)\s?(?:(?:[01]\d|2[0-3])[0-5]\d[ ]*(?:\||hrs?\b|[-–—:]\s|[ ]{2})|(?:[01]?\d"
    r"|2[0-3])\.[0-5]\d[ ]+[A-Za-z])"
)


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
_HOUR_CUE = re.compile(
    r"(?<!\w)(?:[Aa]t|[Bb]y|about|around|until|till|before|after|since|from|nearly|almost)\s$"
)

_RULES: tuple[Rule, ...] = (
    rule(
        "clock time with am or pm",
        rf"(?<![\d:./]){_CLOCK}[:.][0-5]\d(?::[0-5]\d)?\s?{_HALF_DAY}{_ZONE}",
        "TIME",
        0.95,
    ),
    rule("clock time", rf"(?<![\d:./]){_CLOCK}:[0-5]\d(?::[0-5]\d)?{_ZONE}(?![\d:])", "TIME", 0.85),
    # 09:12:44 +0000, as in the head of a mail
    rule(
        "clock time with an offset",
        rf"(?<![\d:./]){_CLOCK}:[0-5]\d(?::[0-5]\d)?\s?[+-](?:0\d|1[0-4]):?[034][05](?![\d:])",
        "TIME",
        0.9,
    ),
    # A log: each line begins with its time. 2130 | Shop theft, 08.35 tried landline
    rule(
        "time at the beginning of a line",
        r"(?:(?<=\n)|(?<=\n\s)|(?<![\s\S]))(?:(?:[01]\d|2[0-3])[0-5]\d(?=\s*\||[ ]?(?:hrs?\b|[-–—:]\s)"
        r"|\s{2,}\S)"
        r"|(?:[01]?\d|2[0-3])\.[0-5]\d(?=\s+[A-Za-z]))",
        "TIME",
        0.8,
        check=_in_a_log,
    ),
    # Sun 5 Jan, 08.20; 5/1/20 at 08.20
    rule(
        "time with a point behind a date",
        r"(?<![\w:./,$€£-])(?:[01]?\d|2[0-3])\.[0-5]\d(?![\w%/:-]|[.,]\d|\s(?:m|cm|km|kg|million|people|points?|euros?)\b)",
        "TIME",
        0.8,
        check=lambda match: (
            _DATE_BEFORE.search(match.string, max(0, match.start() - 16), match.start()) is not None
        ),
    ),
    # ten past four, quarter to six, half three, one o clock, five in the morning
    rule(
        "hour as it is spoken",
        rf"\b(?:(?:[Ff]ive|[Tt]en|(?:a\s)?[Qq]uarter|[Tt]wenty(?:[\s-]five)?|[Hh]alf)\s(?:past|to|till)\s{_HOUR}"
        rf"|(?<=\bat\s)half\s{_HOUR}|(?<=\b(?:about|after|until)\s)half\s{_HOUR}|(?<=\b(?:before|around)\s)half\s{_HOUR}"
        rf"|(?<=\b(?:by|or)\s)half\s{_HOUR}|(?:{_HOUR}|1[0-2]|[1-9])\so\s?clock"
        rf"|(?:{_HOUR}|1[0-2]|[1-9])\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight))(?!\w|-)",
        "TIME",
        0.85,
        check=_is_spoken_hour,
    ),
    rule("hour", rf"(?<![\d:./,]){_CLOCK}\s?(?:{_HALF_DAY}|o['’]clock|ish\b)", "TIME", 0.9),
    # 2140 hrs, 0910h, 14h20; paged 2350, finishes 3.15
    rule(
        "military time",
        r"(?<![\w:./,-])(?:(?:[01]\d|2[0-3])[:.]?[0-5]\d\s?(?:hrs?|HRS?|hours|HOURS|[hH])|(?:[01]?\d|2[0-3])[hH][0-5]\d)(?!\w)",
        "TIME",
        0.9,
    ),
    rule(
        "time after a word",
        r"(?<![\w:./,$€£-])(?:(?:0\d|1[0-9]|2[0-3])[0-5]\d|(?:0?[1-9]|1\d|2[0-3])\.(?:[0-5][05]))(?![\w%/:-]|[.,]\d|\s(?:m|cm|km|kg|million|people|points?|euros?)\b)",
        "TIME",
        0.75,
        check=_after_a_time_word,
    ),
    rule(
        "between two hours",
        r"(?<=between\s)(?:1[0-2]|[1-9])(?::\d\d)?\s(?:and|to)\s(?:1[0-2]|[1-9])(?::\d\d)?(?:\s?[ap]\.?m\.?)?(?=[.,;]|\s(?:on|in\sthe|tomorrow|today)\b)",
        "TIME",
        0.75,
    ),
    rule(
        "hour in words",
        rf"\b{NUMBER_WORDS}\s(?:[ap]\.\s?m\b\.?|o['’]clock)",
        "TIME",
        0.9,
    ),
    # Mon a.m., Saturday teatime
    rule(
        "part of a weekday",
        r"(?<=(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|day|mrw)\s)(?:[ap]\.m\.|[ap]m\b|teatime\b|lunchtime\b|dinnertime\b|breakfast\stime\b|bedtime\b)",
        "TIME",
        0.85,
    ),
    rule(
        "part of a day",
        r"\b(?:[Nn]oon|[Mm]idnight|[Mm]idday|[Tt]onight|[Ll]ast\snight|[Tt]his\s(?:morning"
        r"|afternoon|evening)"
        r"|(?:yesterday|tomorrow)\s(?:morning|afternoon|evening|night))\b",
        "TIME",
        0.8,
    ),
    rule(
        "hours or minutes",
        rf"(?<![\w.,])(?:\d{{1,4}}(?:\.\d+)?|{NUMBER_WORDS}|[Hh]alf\san?|[Ss]everal"
        rf"|[Aa]\sfew|[Aa]\scouple\sof|[Aa]n)"
        rf"[\s\-]?(?i:hours?|hrs?|minutes?|mins?|seconds?|secs?)\b(?:\s(?:and\s)?"
        rf"(?:\d+|{NUMBER_WORDS})\s(?:minutes?|seconds?))?"
        rf"(?:\s(?:ago|later|earlier|before))?",
        "TIME",
        0.75,
        check=lambda match: match.group().lower() not in ("an hour", "one second", "a few seconds"),
    ),
)


@recognizers.register("times")
@dataclass(frozen=True)
class Times:
    """Times of day and short durations by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="times")
