"""Dates and periods: calendar dates in all common forms, years, decades, seasons, weekdays, holidays,
relative dates ("four days ago", "last Tuesday") and durations of a day or more.

Dates whose year is left out are read together with the one that has it ("30 May and 10 July 1997"),
and so is a period with its two ends, because none of the pieces tells a date alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import MONTH, NUMBER_WORDS, WEEKDAY, Rule, find, rule

_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:\s?(?:st|nd|rd|th))?"
_YEAR = r"(?:1[0-9]\d\d|20\d\d)"
_YEAR_OR_SHORT = rf"(?:{_YEAR}|['’]\d\d)"
_WEEK = rf"(?:{WEEKDAY},?\s(?:the\s)?)?"
# 14 May 2004, 14th of May, 2004, the 14th day of May 2004, May 14, 2004, 14-May-2004
_DAY_MONTH = rf"{_DAY}(?:\s(?:day\s)?of)?[\s\-]{MONTH}"
_MONTH_DAY = rf"{MONTH}\s{_DAY}(?![\d:.,]*\d)"
_FULL = (
    rf"(?:{_WEEK}(?:the\s)?{_DAY_MONTH},?[\s\-]?{_YEAR_OR_SHORT}\b|{_WEEK}{_MONTH_DAY},?\s{_YEAR_OR_SHORT}\b"
    rf"|{_WEEK}{MONTH}\s(?:of\s)?{_YEAR_OR_SHORT}\b)"
)
_WITHOUT_YEAR = rf"(?:{_WEEK}(?:the\s)?{_DAY_MONTH}\b|{_WEEK}{_MONTH_DAY}\b)"
_JOIN = r"(?:(?:\s?[,–/&-]\s?|\s(?:and|or|to|until|till|through)\s)(?:(?:and|on|or)\s){0,2})"
_ELIDED = rf"(?:(?:{_WITHOUT_YEAR}|{MONTH}|{_DAY}){_JOIN}){{1,6}}(?:{_FULL}|{_WITHOUT_YEAR})"
_ONE = rf"(?:{_ELIDED}|{_FULL}|{_WITHOUT_YEAR}|{_YEAR})"
_CALENDAR = (
    rf"(?:{_FULL}\s(?:to|until|till|–|-)\s(?:{_FULL}|present|date|now)\b|{_ELIDED}(?!\w)|{_FULL}"
    rf"|{_WITHOUT_YEAR}(?!\w))"
)
_SEASON = r"(?:[Ss]pring|[Ss]ummer|[Aa]utumn|[Ff]all|[Ww]inter)"
_PART = (
    r"(?:(?:[Ee]arly|[Ll]ate|[Mm]id)[\s\-]|(?:(?:[Tt]he\s)?(?:beginning|end|middle"
    r"|start|course|turn)\sof\s(?:the\s)?))"
)
_PERIOD = (
    rf"(?:(?:[Bb]etween|[Ff]rom)\s{_ONE}\s(?:and|to|until|till|through)\s{_ONE}\b"
    rf"|{_PART}(?:{_FULL}|{_WITHOUT_YEAR}|{MONTH})(?!\w))"
)
_SPAN_UNIT = r"(?:day|week|wk|fortnight|month|mth|quarter|year|yr|decade|centur(?:y|ie))"
_COUNT = (
    rf"(?:\d{{1,4}}(?:[.,]\d+)?|{NUMBER_WORDS}|[Aa]n?|[Ss]everal|[Aa]\sfew|[Ff]ew"
    rf"|[Ss]ome|[Mm]any|[Aa]\scouple\sof|[Cc]ouple\sof|[Hh]alf\san?)"
)
_DURATION = (
    rf"{_COUNT}(?:\sand\sa\shalf)?(?:\s?(?:to|or|and|-|–)\s?{_COUNT})?(?:\s(?:working|business|calendar|school|consecutive|full|long|whole|more))?[\s\-‑]?{_SPAN_UNIT}s?(?:['’]s?)?(?!\w)"
    rf"(?:,?\s(?:and\s)?{_COUNT}[\s\-‑]{_SPAN_UNIT}s?(?:['’]s?)?(?!\w)){{0,2}}"
)
_SINGLE = rf"(?:{WEEKDAY}|{_SEASON}|night|weekend|{_SPAN_UNIT}|{MONTH}|Christmas|Easter)"
_SMALL_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_SHORT_MONTH = "(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)"
_BEFORE_YEAR = r"(?<![\w./:#§$€£@,\-])"
_AFTER_YEAR = (
    r"(?![\w%°$€£]|[.,/:]\d|\s?(?:per\scent|percent|%|euros?|dollars?|pounds?"
    r"|metres?|meters?|km|kg|people|persons))"
)


def _is_month(match: re.Match[str]) -> bool:
    """'May', 'March' and abbreviations alone are months only after a word that places them in time."""
    return (
        match.group() not in _WORDS_TOO
        or _MONTH_CUE.search(match.string, max(0, match.start() - 8), match.start()) is not None
    )


_MONTH_CUE = re.compile(
    r"(?<!\w)(?:[Ii]n|[Ss]ince|[Uu]ntil|[Tt]ill|[Dd]uring|[Oo]f|[Bb]y|[Ll]ast|[Nn]ext|[Tt]his|[Ee]very|[Ff]rom|[Bb]efore|[Aa]fter"
    r"|[Ee]arly|[Ll]ate|[Mm]id|[Ff]or|and)[\s\-]$"
)


def _after_a_day_word(match: re.Match[str]) -> bool:
    """'on 2/12' and 'until the 23rd' are days; 'about 2/3' and 'the second' are not."""
    return _DAY_CUE.search(match.string, max(0, match.start() - 12), match.start()) is not None


_DAY_CUE = re.compile(
    r"(?:(?<!\w)(?:[Oo]n|[Ss]ince|[Uu]ntil|[Tt]ill|[Bb]y|[Ff]rom|[Dd]ue|[Dd]ated|[Bb]efore|[Aa]fter|this|next|last"
    r"|[Ss]een|[Rr]eview|CXR|[Aa]dmitted|[Dd]ischarged?|d/c|[Aa]nticipated?)[.:]?\s)$"
)


_WORDS_TOO = frozenset(
    ("May March Jan Mar Jun Dec Apr Sep Oct Nov Feb Aug Jul Sept Jan. Mar. August April June").split()
)


def _not_a_number(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 12) : match.start()].lower()
    return not before.endswith(
        ("no. ", "nos. ", "number ", "article ", "section ", "rule ", "room ", "§ ", "page ", "p. ")
    )


def _means_a_time(match: re.Match[str]) -> bool:
    """'a day' and 'a year' tell a rate ('twice a day') as often as a duration."""
    return match.group().lower() not in _RATES


_RATES = frozenset(
    ("a day|a week|a month|a year|a quarter|a decade|a century|one day|some day|many days").split("|")
)

_FOREIGN_MONTH = (
    "januari|februari|mars|maj|juni|juli|augusti|oktober|Januar|Februar|März|Mai|Juni|Juli|Oktober|Dezember|januar|februar|desember|december"
    "|november|september|janvier|février|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo"
    "|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre"
    "|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|januari|maart|mei|augustus|stycznia|lutego|marca"
    "|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|Eanáir|Feabhra|Márta|Aibreán|Bealtaine|Meitheamh|Iúil"
    "|Lúnasa|Samhain|Nollaig"
)
_ANSWER = re.compile(
    r"(?:(?:^|\n|:|\bd\.?o\.?b\.?|\bborn(?:\son)?|\bbirthday|\bbirth|\bis|\bits|\bdob)\s*)$", re.IGNORECASE
)
_BIRTH = re.compile(r"\b(?:dob|d\.o\.b|birth|born|birthday)\b", re.IGNORECASE)


def _is_an_answer(match: re.Match[str]) -> bool:
    """Three numbers are a date where birth was asked for, and they begin the answer."""
    text, start = match.string, match.start()
    return (
        _ANSWER.search(text, max(0, start - 12), start) is not None
        and _BIRTH.search(text, max(0, start - 160), start) is not None
    )


_DAY_MONTHS = re.compile(r"(?<![\w./:,-])(?:\d{1,2}/\d{1,2})(?:/(?:19|20)?\d\d)?(?![\w/%-]|[.,:]\d)")
_DATES_WORDS = re.compile(
    r"(?:\b(?:edit(?:\s\d)?|update(?:d)?|order\sof|of|log|wk|week\sof|dated?|visit|appt|appointment|f/u|call\sback\sby|due|by|on|since|est|meds|DOS)"
    r"[,:]?\s\(?)$|\d\sof\s$",
    re.IGNORECASE,
)
_LETTER_OF = re.compile(
    r"\b(?:order|letter|e?mail|notice|decision|call|note|visit|report|session|meeting)\s(?:of|from|on)\s\Z"
)
_TIME_AFTER = re.compile(r",?\s(?:at\s)?\d{1,2}:\d\d|,?\s\d{1,2}\s?[ap]m\b")


def _among_dates(match: re.Match[str]) -> bool:
    """'6/19' is a day behind a word for one, before a time, or where a day cannot be a part of a whole."""
    text, start, end = match.string, match.start(), match.end()
    first, second = map(int, match.group().split("/"))
    if _TIME_AFTER.match(text, end) or _LETTER_OF.search(text, max(0, start - 20), start):
        return True
    if _DATES_WORDS.search(text, max(0, start - 16), start) and (
        first > second or second > 12 or text[start - 2 : start - 1] != "f"
    ):
        return _has_other_date(text, start, end) or first > 12 or second > 12
    if not (text[start - 1 : start] in ("(", "\n", "") or text[max(0, start - 2) : start] == ", "):
        return False
    return _has_other_date(text, start, end)


def _has_other_date(text: str, start: int, end: int) -> bool:
    low, high = max(0, start - 300), end + 300
    return any(
        other.start() != start and _plausible(other.group())
        for other in islice(_DAY_MONTHS.finditer(text, low, high), 8)
    )


def _plausible(surface: str) -> bool:
    parts = [int(part) for part in surface.split("/")]
    return len(parts) == 3 or max(parts[:2]) > 12


_RULES: tuple[Rule, ...] = (
    # Periods, lists with one year, dates with and without a year: one pass, the fullest reading first.
    # What it can begin with is said first, because few words begin so.
    rule(
        "calendar date",
        rf"(?<![/\w])(?=[A-Z]|the\s|[mtwfs][a-z]+day|(?<!-)\d){_CALENDAR}",
        "DATE",
        0.96,
    ),
    rule("period or part of a month", rf"(?<![/\w]){_PERIOD}", "DATE", 0.96),
    # 2004-05-14, 14/05/2004, 05/14/04, 14.05.2004
    rule(
        "date in figures",
        r"(?<![\d./:\-])(?:(?:1[89]|20)\d\d([-/.])(?:0?[1-9]|1[0-2])\1(?:[12]\d|3[01]|0?[1-9])"
        r"|(?:[12]\d|3[01]|0?[1-9])([-/.])(?:0?[1-9]|1[0-2])\2(?:(?:1[89]|20)\d\d|['’]?\d\d)"
        r"|(?:0[1-9]|1[0-2])/(?:19|20)\d\d|(?:0?[1-9]|1[0-2])([-/])(?:[12]\d|3[01]|0?[1-9])\3(?:(?:1[89]|20)\d\d|\d\d))"
        r"(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?(?![\d/:\-]|\.\d)",
        "DATE",
        0.93,
    ),
    # 1964-Jan-09, 2019 - present
    rule(
        "year, month, day",
        rf"(?<![\w./-])(?:1[89]|20)\d\d[- /](?:{MONTH})[- /]\d\d?(?!\w)",
        "DATE",
        0.93,
    ),
    rule(
        "day, month, short year",
        rf"(?<![\w./-])\d\d?([-/ ])(?:{MONTH})\1\d\d(?![\w:.]|[-/]\d)",
        "DATE",
        0.9,
    ),
    rule(
        "until now",
        rf"(?<![\w./-])(?:(?:0?[1-9]|1[0-2])[/.])?{_YEAR}\s?(?:-|–|to)\s?(?:[Pp]resent|[Cc]urrent|[Nn]ow|[Dd]ate|[Oo]ngoing|PRESENT)\b",
        "DATE",
        0.93,
    ),
    # on 2/12, since 14/3: a day and a month, where a word before says that it is one
    rule(
        "day and month in figures",
        r"(?<![\w./:,-])(?:(?:0?[1-9]|[12]\d|3[01])[/.](?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])/(?:[12]\d|3[01]))(?![\w/%-]|[.,:]\d|\s?(?:of|cup|inch|mile|hour|year|way|full)s?\b)",
        "DATE",
        0.8,
        check=_after_a_day_word,
    ),
    # Fri 2nd, Thursday 13th; until the 23rd, on the fourteenth
    rule(
        "weekday and day",
        rf"(?<!\w){WEEKDAY},?\s(?:the\s)?(?:(?:[12]?1st|2?2nd|2?3rd|[12]?\dth|30th|31st)|{_DAY}(?=[,;.]?\s?(?:\n|at\b|from\b|$)))(?!\w)",
        "DATE",
        0.9,
    ),
    rule(
        "day of a month",
        r"(?<!\w)[Tt]he\s(?:(?:[12]?1st|2?2nd|2?3rd|[12]?\dth|30th|31st)|(?:twenty-|thirty-)?(?:first|second|third|fourth|fifth|sixth|seventh"
        r"|eighth|ninth)|tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth|thirtieth)(?=[.,;:!?)]|\s?$|\s(?:of\s(?:this|last|next|each|every)"
        r"\smonth|with|and\s(?:I|we|he|she|they)|at|but|because|so|when|if)\b)",
        "DATE",
        0.8,
        check=_after_a_day_word,
    ),
    rule("month", rf"(?<!\w){MONTH}(?!\s?\d|\w)", "DATE", 0.8, check=_is_month),
    # 9 aug, in march, last october: as people type in chats
    rule(
        "month in small letters",
        rf"(?<![\w.])(?:(?P<day>{_DAY}\s(?:of\s)?)(?:{_SMALL_MONTH}|{_SHORT_MONTH})(?:\s(?:19|20)\d\d)?|(?:{_SMALL_MONTH})\s(?:{_DAY}(?![\d:])|(?:19|20)\d\d)(?!\w)"
        rf"|(?<=\bin\s){_SMALL_MONTH}|(?<=\b(?:last|next)\s){_SMALL_MONTH}|(?<=\bthis\s){_SMALL_MONTH}|(?<=\bsince\s){_SMALL_MONTH})(?!\w|['’])",
        "DATE",
        0.8,
    ),
    rule(
        "weekday in short",
        r"(?<=[a-z]\s)(?:mon|tues?|wed|thurs?|fri|sat|sun)(?=\s?(?:[?!.,;]|$|\n|at\b|morning|night|eve|around|for\b))",
        "DATE",
        0.75,
        check=_after_a_day_word,
    ),
    # years, also school and tax years, decades and centuries
    rule(
        "year",
        rf"{_BEFORE_YEAR}(?:1[5-9]\d\d|20[0-4]\d)(?:\s?[-–]\s(?:1[5-9]\d\d|20[0-4]\d)|[-–/](?:1[5-9]\d\d|20\d\d|\d\d))?{_AFTER_YEAR}",
        "DATE",
        0.85,
        check=_not_a_number,
    ),
    rule(
        "part of a year",
        rf"(?<![\w/]){_PART}(?:the\s)?(?:(?:1[5-9]\d\d|20[0-4]\d)(?:[-–/](?:1[5-9]\d\d|20\d\d|\d\d))?{_AFTER_YEAR}|(?:(?:1[5-9]|20)\d0|['’]?\d0)['’]?s\b)",
        "DATE",
        0.85,
        check=_not_a_number,
    ),
    rule(
        "decade",
        r"(?<![\w/])(?:(?:the\s)?(?:1[5-9]|20)\d0|(?:the\s)?['’]?\d0)['’]?s\b",
        "DATE",
        0.85,
    ),
    rule("year in short", r"(?<![\w’'])['’][0-9]{2}(?![\w’'])", "DATE", 0.7),
    rule(
        "century",
        rf"\b{_PART}?(?:\d\d?(?:st|nd|rd|th)|(?:[a-z]+teen|twen)?[a-z]+th|first|second"
        rf"|third|twenty-first)\s(?:to\s(?:the\s)?(?:early\s|late\s)?\d\d?(?:st|nd"
        rf"|rd|th)\s)?centur(?:y|ies)\b",
        "DATE",
        0.8,
    ),
    rule(
        "season and year",
        rf"\b(?:{_PART}|the\s)?{_SEASON}(?:\sand\s{_SEASON})?(?:\sof)?\s{_YEAR}\b",
        "DATE",
        0.96,
    ),
    rule(
        "season",
        rf"\b(?:[Ii]n|[Dd]uring|[Oo]ver)\s(?P<m>(?:the\s)?(?:{_PART})?(?:spring|summer"
        rf"|autumn|fall|winter))\b(?!\s(?:of\s)?\w*(?:school|job|camp))",
        "DATE",
        0.75,
    ),
    rule("weekday", rf"(?<![\w.]){WEEKDAY}(?:\s(?:morning|afternoon|evening|night)s?)?(?!\w)", "DATE", 0.85),
    # relative dates
    rule(
        "duration",
        rf"(?<![\w.,/-]){_DURATION}(?:\s(?:ago|earlier|later|before|afterwards|previously"
        rf"|hence|back|from\snow|prior)\b"
        rf"|(?!\s(?:old|of\sage)\b|[\s-]old))",
        "DATE",
        0.8,
        check=_means_a_time,
    ),
    rule(
        "relative date",
        rf"\b(?:[Tt]he\s)?(?:[Ll]ast|[Nn]ext|[Tt]his|[Pp]ast|[Pp]revious|[Ff]ollowing"
        rf"|[Cc]oming)\s(?:(?:few|couple\sof|{NUMBER_WORDS}|\d+)\s)?"
        rf"{_SINGLE}s?\b(?![\s-]old\b)",
        "DATE",
        0.8,
    ),
    rule(
        "today and its neighbours",
        r"\b(?:[Tt]he\sday\s(?:before\syesterday|after\stomorrow)|[Yy]esterday|[Tt]omorrow"
        r"|[Tt]oday|[Tt]he\sother\sday|[Tt]he\ssame\s(?:day|evening|night|morning|afternoon|week|month|year)"
        r"|(?:[Tt]he\s)?(?:day|week|month|year|evening|night)\s(?:before|after)\s(?:last|next))\b",
        "DATE",
        0.85,
    ),
    rule(
        "holiday",
        r"\b(?:[Cc]hristmas(?:\s(?:Eve|Day|[Ee]ve))?|[Xx]mas|[Ee]aster(?:\s(?:Sunday"
        r"|Monday))?|Good\sFriday|[Tt]hanksgiving(?:\sDay)?|[Hh]alloween"
        r"|New\sYear(?:['’]s)?(?:\s(?:Eve|Day))?|Independence\sDay|Labor\sDay|Memorial\sDay"
        r"|Valentine['’]s\sDay|Mother['’]s\sDay"
        r"|Father['’]s\sDay|Ramadan|Eid|Passover|Hanukkah|Yom\sKippur|Diwali|Boxing\sDay|Veterans\sDay)\b",
        "DATE",
        0.85,
    ),
    # Sun 5 Jan, Sat 12 March: "Sun" and "Sat" are words, and days before a number and a month only
    rule(
        "short weekday and date",
        rf"(?<!\w)(?:Sun|Sat)\.?,?\s{_DAY_MONTH}(?:,?\s{_YEAR_OR_SHORT})?(?!\w)",
        "DATE",
        0.96,
    ),
    rule(
        "part of a dated day",
        rf"(?<!\w)(?:the\s)?(?:early\s|late\s)?(?:morning|afternoon|evening|night|eve|hours)\sof\s(?:the\s)?(?:{_FULL}|{_WITHOUT_YEAR})(?!\w)",
        "DATE",
        0.96,
    ),
    # Thursday week, a week on Friday
    rule(
        "weekday of another week",
        rf"(?<!\w){WEEKDAY}\s(?:week|fortnight)(?!\w|-|\s(?:of|off|at|and)\b)"
        rf"|(?<!\w)(?:a\s(?:week|fortnight)|two\sweeks)\son\s{WEEKDAY}(?!\w)",
        "DATE",
        0.9,
    ),
    # three winters ago, two weekends ago, a few nights ago, several summers back
    rule(
        "seasons or nights ago",
        rf"(?<![\w.,/-]){_COUNT}\s(?:weekends?|nights?|mornings?|evenings?|afternoons?|winters?|summers?|springs?|autumns?|falls?"
        rf"|terms?|semesters?|seasons?|Christmases|moons|{WEEKDAY})\s(?:ago|back|earlier|later|running)(?!\w)",
        "DATE",
        0.85,
    ),
    rule(
        "the one before last",
        rf"(?<!\w)(?:[Tt]he\s)?(?:{_SEASON}|weekend|term|semester|season|{WEEKDAY}|{MONTH}|Christmas|Easter)\s(?:before\slast|after\snext)(?!\w)",
        "DATE",
        0.85,
    ),
    # since the autumn, before spring, until the new year, the end of this month
    rule(
        "season as a point in time",
        r"(?<!\w)(?:[Ss]ince|[Uu]ntil|[Tt]ill|[Bb]efore|[Bb]y|[Aa]fter|[Ff]rom)\s(?P<m>(?:(?:the|this|last|next)\s)?(?:(?:early|late|mid)[\s-])?"
        r"(?:spring|summer|autumn|winter|new\syear))(?!\s?-|\s(?:school|job|camp|term|coat|tyres?|tires?|break|holidays?)\b|\w)",
        "DATE",
        0.75,
    ),
    rule(
        "part of a running period",
        r"(?<!\w)(?:the\s)?(?:end|beginning|start|middle)\sof\s(?:this|last|next)\s(?:week|month|quarter|year|term|semester)(?!\w)",
        "DATE",
        0.8,
    ),
    # your letter of the 28th ult., 14th inst.
    rule(
        "day of this or the last month",
        r"(?<![\w/])(?:the\s)?\d{1,2}(?:st|nd|rd|th)?\s(?:inst|ult|prox)(?:\.|\b)",
        "DATE",
        0.95,
    ),
    # 09DEC, 12MAR24: as on tickets
    rule(
        "day and month without a blank",
        r"(?<![\w./-])(?:[12]\d|3[01]|0[1-9])(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(?:\d{4}|\d\d)?(?!\w)",
        "DATE",
        0.93,
    ),
    rule("week of a year", r"(?<![\w./-])(?:19|20)\d\d-?W[0-5]\d(?:-[1-7])?(?!\w)", "DATE", 0.93),
    rule(
        "calendar week",
        r"(?<!\w)(?:[Ww]k|[Ww]eek|CW|KW)\s[0-5]?\d(?:,?\s(?:of\s)?(?:[Tt]erm\s[1-4]|(?:19|20)\d\d))(?!\w)",
        "DATE",
        0.85,
    ),
    # FY2023, FY 22/23, AY2019
    rule(
        "financial year",
        r"(?<!\w)(?:FY|AY|SY)(?:\s?['’]?(?:19|20)\d\d(?:[-/](?:20)?\d\d)?|\s?['’]?\d\d[-/]\d\d)(?!\w)",
        "DATE",
        0.9,
    ),
    # 22 7 91, 3 12 2004: a day, a month, a year with blanks; where birth is spoken of, or alone as an answer
    rule(
        "date with blanks",
        r"(?<![\w.,/:+-])(?<!\d\s)(?:[12]\d|3[01]|0?[1-9])[ ](?:0?[1-9]|1[0-2])[ ](?:(?:19|20)\d\d|\d\d)"
        r"(?!\w|[ ]?[\d/:-]|[.,]\d)",
        "DATE",
        0.85,
        check=_is_an_answer,
    ),
    # (30/12, 31/12, 2/1); 6/19: a day and a month, where others of that form stand near
    rule(
        "day and month among others",
        r"(?<![\w./:,-])(?:(?:0?[1-9]|[12]\d|3[01])/(?:0?[1-9]|1[0-2])|(?:0?[1-9]|1[0-2])/(?:[12]\d|3[01]))"
        r"(?![\w/%-]|[.,:]\d|\s?(?:of|cup|inch|mile|hour|year|way|full|tsp|tbsp|pound|lb|size)s?\b)",
        "DATE",
        0.8,
        check=_among_dates,
    ),
    rule(
        "holiday of a people",
        r"(?<!\w)(?:(?:the\s(?:day|week|month|weekend)\s(?:before|after|of)\s)?(?:(?:St\.?|Saint)\s(?:Stephen|Patrick|Andrew|George|David|Nicholas|Lucia|Lucy)['’]?s?\s(?:Day|Eve|Night)"
        r"|(?:Stephen|Martin|Paddy|Patrick)['’]s\sDay|Tết|Tet\sholiday|Nowruz|Norouz|Holi\b(?=\s(?:week|festival|day))|Vaisakhi|Navratri|Onam|Pongal|Ramadhan|Ramazan"
        r"|Eid(?:\s[au]l[\s-](?:Fitr|Adha))?|Diwali|Deepavali|Hogmanay|Pesach|Rosh\sHashanah?|Purim|Sukkot|Shavuot|Shrove\sTuesday|Ash\sWednesday|Palm\sSunday|Maundy\sThursday|Whit\sMonday"
        r"|Whitsun|Pentecost|Michaelmas|Candlemas|All\s(?:Saints|Souls)['’]?(?:\sDay)?|Advent\sSunday|Twelfth\sNight|Epiphany|Bonfire\sNight|Guy\sFawkes(?:\sNight)?|Remembrance\s(?:Day|Sunday)"
        r"|Armistice\sDay|Anzac\sDay|ANZAC\sDay|Australia\sDay|Waitangi\sDay|Canada\sDay|Bastille\sDay|Cinco\sde\sMayo|Juneteenth|Martin\sLuther\sKing\sDay|MLK\sDay|Presidents['’]?\sDay|Columbus\sDay"
        r"|Labour\sDay|May\sDay|Groundhog\sDay|Midsummer(?:\s(?:Eve|Day|Night))?|Chinese\sNew\sYear|Lunar\sNew\sYear|Black\sFriday|Cyber\sMonday|[Bb]ank\s[Hh]oliday(?:\s(?:Monday|weekend))?|Kwanzaa))(?!\w)"
        r"|(?<=\bin\s)ramadan|(?<=\b(?:during|before)\s)ramadan|(?<=\bafter\s)ramadan",
        "DATE",
        0.85,
    ),
    # 4 mars 2019, den 21 november 2018, 3. Oktober 1999: months of other languages
    rule(
        "date in another language",
        rf"(?<![\w./-])(?:(?:den|am|el|le|il|dne)\s)?(?:[12]\d|3[01]|0?[1-9])(?:\.|ú|er|º)?\s(?:de\s)?(?:{_FOREIGN_MONTH})\s(?:de\s|del\s)?(?:19|20)\d\d(?!\w)",
        "DATE",
        0.9,
    ),
    # The theatre pays on the fifteenth; "the first" is too much of a word
    rule(
        "day of a month in words",
        r"(?<=\b[Oo]n\s)the\s(?:tenth|eleventh|twelfth|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth|twenty-\w+|thirtieth|thirty-first)"
        r"(?=\s(?:I|we|he|she|they|you|it)\b|[.,;:!?)\n]|\s?$)",
        "DATE",
        0.8,
    ),
)


@recognizers.register("dates")
@dataclass(frozen=True)
class Dates:
    """Dates, periods and durations by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="dates")
