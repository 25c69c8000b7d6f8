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
from heteronym.text.recognizers.health import is_clinical
from heteronym.text.rule import MONTH, NAME_WORD, NUMBER_WORDS, WEEKDAY, Rule, find, rule

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
_SINGLE = (
    rf"(?:{WEEKDAY}|{_SEASON}|night|morning|afternoon|evening|weekend|{_SPAN_UNIT}|{MONTH}|Christmas|Easter|Thanksgiving|Ramadan|Eid|Diwali"
    r"|term|semester|season|half[-\s]term|bank\sholiday)"
)
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


_ANY_MONTH = rf"(?:{MONTH}|{_SMALL_MONTH}|{_SHORT_MONTH})"
_ORDINAL = (
    r"(?:\d{1,2}(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|First|Second|Third|Fourth|Fifth|Last"
    r"|last|final|penultimate|very\sfirst)"
)
_DAY_NUMBER = r"(?:(?:[12]?1st|2?2nd|2?3rd|[12]?\dth|30th|31st))"
_TENS_OF_YEARS = (
    "(?:[Tt]wenties|[Tt]hirties|[Ff]orties|[Ff]ifties|[Ss]ixties"
    "|[Ss]eventies|[Ee]ighties|[Nn]ineties|[Nn]oughties)"
)
_SPOKEN_UNIT = "(?:one|two|three|four|five|six|seven|eight|nine)"
_SPOKEN_TEEN = "(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)"
_SPOKEN_TENS = "(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)"
# nineteen ninety-six, twenty nineteen, two thousand and four
_SPOKEN_YEAR = (
    rf"(?:[Nn]ineteen[-\s](?:{_SPOKEN_TENS}(?:[-\s]{_SPOKEN_UNIT})?|(?:oh|nought)[-\s]{_SPOKEN_UNIT}|{_SPOKEN_TEEN})"
    rf"|[Tt]wenty[-\s](?:{_SPOKEN_TEEN}|twenty(?:[-\s]{_SPOKEN_UNIT})?|oh[-\s]{_SPOKEN_UNIT})"
    rf"|[Tt]wo\sthousand(?:\sand)?[-\s](?:{_SPOKEN_UNIT}|{_SPOKEN_TEEN}))"
)
# Months of the Ethiopian, Islamic, Hebrew, Persian, Afghan, Nepali and Indian calendars
_OTHER_CALENDARS = (
    "Meskerem|Tikimt|Tekemt|Hidar|Tahsas|Tir|Yekatit|Megabit|Miazia|Miyazya|Ginbot|Sene|Hamle|Nehas[se]e?|Pagumen"
    "|Muharram|Safar|Rabi['’]?\\s(?:al-)?(?:[Aa]wwal|[Tt]hani|I{1,2})|Jumada|Rajab|Sha['’]?ban|Ramad[h]?an|Ramazan|Shawwal|Dhu[\\s-](?:al-)?(?:Qi?['’]?dah?|Hijjah?)"
    "|Zil[\\s-]?(?:Hajj?|Qad)|Nisan|Iyyar|Iyar|Sivan|Tammuz|Elul|Tishr[ei]i?|Cheshvan|Heshvan|Kislev|Tevet|Sh[e']?vat|Adar"
    "|Farvardin|Ordibehesht|Khordad|Mordad|Shahrivar|Mehr|Aban|Azar|Dey|Bahman|Esfand|Hamal|Sawr|Jawza|Saratan|Asad|Sunbula|Mizan|Aqrab|Qaws|Jadi|Dalwa|Hut"
    "|Baisakh|Baishakh|Jestha|Jeth|Asar|Asadh|Shrawan|Saun|Bhadra|Bhadau|Ashwin|Asoj|Kartik|Mangsir|Poush|Push|Magh|Falgun|Phagun|Chaitra|Vaishakh|Vaisakha|Ashadha?|Shravana?"
    "|Margashirsha|Pausha?|Magha|Phalguna?"
)
_REPEATED = (
    rf"(?:{WEEKDAY}|weekend|{_SEASON}|{MONTH}|Christmas|Easter|Ramadan|(?:other|second|third|fourth|few|couple\sof|two|three|four|five|six|\d{{1,2}})\s"
    rf"(?:{_SPAN_UNIT}s?|nights?|weekends?|mornings?|{WEEKDAY}|{_SEASON})|fortnight|morning|evening|afternoon|night)"
)


_PLACE = re.compile(
    r"\s(?i:floor|street|st|avenue|ave|place|grade|century|year|edition|birthday|anniversary|percentile|time|person|hole|row|army|battalion|regiment|amendment"
    r"|circuit|district|ward|round|attempt|child|son|daughter|trimester|degree|of\s(?!the\smonth|each|every|this|last|next))\b"
)


def _no_place(match: re.Match[str]) -> bool:
    """'flight is 10th Harmattan Air' tells a day; 'on the 3rd floor' and 'came 2nd' do not."""
    return _PLACE.match(match.string, match.end()) is None


_DATE_WORD = re.compile(
    r"(?:(?<!\w)(?i:of|on|from|since|until|till|by|dated|date:|to|due|before|after|and|letter|mail|cert|notice|call|seen|visit)"
    r"[ ](?:the\s)?|[(–-][ ]?)$"
)
_GERMAN_DATE_WORD = re.compile(r"(?<!\w)(?:am|vom|bis|ab|zum|und)[ ]$")


def _after_a_word_for_dates(match: re.Match[str]) -> bool:
    """'cert of 12.02.' is a day; 'and 3.9.' is a version, unless the words are German."""
    text, start = match.string, match.start()
    if _GERMAN_DATE_WORD.search(text, max(0, start - 6), start):
        return True
    month = match.group().split(".")[1]
    return len(month) == 2 and _DATE_WORD.search(text, max(0, start - 12), start) is not None


_NOTE_CUE = re.compile(
    r"(?:(?<!\w)(?i:for|in|x|x\s|after|over|every|past|last|review|rv|r/v|f/u|fu|follow-?up|hx|history|of|within|next|repeat|recheck|bloods|back|~|ago|at|since|about))[:\s]\s?$"
)
_NOTE_NEXT = re.compile(r"\s(?:ago|hx|Hx|history|hist|h/o|course|later|post|prior|time|time\.|of\s[a-z])")


def _duration_of_a_note(match: re.Match[str]) -> bool:
    """'review 2/52' is two weeks in a note about a patient; nothing else is a part of 52."""
    text, start, end = match.string, match.start(), match.end()
    if _NOTE_CUE.search(text, max(0, start - 14), start) is None and _NOTE_NEXT.match(text, end) is None:
        return False
    return is_clinical(text)


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
        rf"(?<!\w)(?:the\s)?(?:early\s|late\s)?(?:morning|afternoon|evening|night|eve|hours|week|weekend|day)\s(?:of|beginning|commencing|ending)\s(?:the\s)?"
        rf"(?:{_ELIDED}|{_FULL}|{_WITHOUT_YEAR}|{_DAY_NUMBER}(?:\s?[/–-]\s?{_DAY_NUMBER})?|{WEEKDAY})(?!\w)",
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
        r"(?:spring|summer|autumn|winter|new\syear|weekend))(?!\s?-|\s(?:school|job|camp|term|coat|tyres?|tires?|break|holidays?)\b|\w)",
        "DATE",
        0.75,
    ),
    rule(
        "part of a running period",
        r"(?<!\w)(?:the\s)?(?:very\s)?(?:back\send|tail\send|end|beginning|start|middle)\sof\s(?:(?:this|last|next|the|that)\s)?(?:(?:tax|school|academic|financial|calendar)\s)?"
        r"(?:week|month|quarter|year|term|semester|summer|winter|autumn|spring|season|decade|war)(?!\w|-)"
        r"|(?<!\w)(?:(?:month|year|quarter)[-\s]end|mid[-\s]?(?:week|month|year|summer|winter|morning))(?!\w|\s(?:accounts|close|report))",
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
    # tmrw, 2moro, yday: as people type
    rule(
        "today and its neighbours in chats",
        r"(?<!\w)(?:[Tt]mrw|[Tt]mr|[Tt]mw|[Tt]morrow|[Tt]omoz|[Tt]omoro|2m(?:oro|orrow|rw|oz)|[Tt]om(?:m)?or?row|[Yy]day|[Yy]est(?:dy)?(?=[\s.,])|2day|2nite|[Tt]onite)(?!\w|['’])",
        "DATE",
        0.8,
    ),
    # feb last year, March of this year, october next yr
    rule(
        "month of a near year",
        rf"(?<![\w.])(?:(?:early|mid|late|end\sof|(?:\d\d?(?:st|nd|rd|th)?))[-\s])?{_ANY_MONTH}\s(?:of\s)?(?:last|this|next|that|the\s(?:same|following|previous))\s(?:year|yr)(?!\w)",
        "DATE",
        0.9,
    ),
    # october was bad, till dec, Nov-Jan; "march", "may", "mar" and "august" are words
    rule(
        "month in small letters alone",
        r"(?<![\w.@/-])(?:january|february|april|june|july|september|october|november|december)(?![\w@-]|['’]s)"
        r"|(?<=\b(?:in|by)\s)(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)(?!\w)|(?<=\b(?:last|next|this|till|from)\s)(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)(?!\w)"
        r"|(?<=\b(?:since|until|early|after)\s)(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)(?!\w)|(?<=\b(?:mid|end|til)[\s-])(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)(?!\w)"
        r"|(?<=\b(?:late|back)\s)(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)(?!\w)|(?<=\bbefore\s)(?:jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)(?!\w)",
        "DATE",
        0.75,
    ),
    rule("two months", rf"(?<![\w.]){MONTH}\s?[-–/]\s?{MONTH}(?!\w|[-–]\w)", "DATE", 0.8),
    # the 1st of the month, last day of each month
    rule(
        "day of the month",
        rf"(?<!\w)(?:[Tt]he\s)?(?:{_DAY_NUMBER}|first|last|fifteenth)\sof\s(?:the|this|last|next)\smonth(?!\w)",
        "DATE",
        0.8,
    ),
    # Tuesday last, Friday next, that summer
    rule(
        "weekday last or next",
        rf"(?<!\w)(?:{WEEKDAY}|{MONTH})\s(?:last|next|gone|just\sgone)(?=[\s.,;!?)]|$)(?!\s(?:year|week|month|night|time))|(?<!\w)(?:[Tt]hat|[Tt]hose)\s(?:(?:same|last|first)\s)?(?:spring|summer|autumn|winter|weekend|Christmas|Easter)s?(?!\w)",
        "DATE",
        0.7,
    ),
    # My flight is 10th, w/c 3rd, from the 3rd to the 9th; not "the 3rd floor"
    rule(
        "day of a month as a number",
        rf"(?<!\w)(?:[Oo]n|is|was|by|[Bb]y|[Ff]rom|[Ss]ince|until|till|til|before|[Bb]efore|after|[Aa]fter|w/c|w/e|wc|due|for|to|and|or|between|till|of|around)\s"
        rf"(?P<m>(?:the\s)?{_DAY_NUMBER})(?=[.,;:!?)]|\s?$|\n|\s?[-–/&]\s?\d|\s(?:of\s(?:the|this|last|next)\smonth|with|and|to|till|until|or|at|but|because|so|when|if|from"
        rf"|for|after|before|in\sthe\s(?:morning|afternoon|evening)|latest|we|I|i|he|she|they|you|it|{NAME_WORD})\b)",
        "DATE",
        0.75,
        check=_no_place,
    ),
    rule(
        "day between two others",
        rf"(?<!\w)(?:the\s)?{_DAY_NUMBER}\s?(?:-|–|/|&|to|till|until|and|or)\s?(?:the\s)?{_DAY_NUMBER}(?=[.,;:!?)]|\s?$|\n|\s(?:of\s(?:the|each|every|this|last|next)\smonth|inclusive|at|for|with|but|so|we|I)\b)",
        "DATE",
        0.75,
    ),
    rule(
        "day alone",
        rf"(?<=[.!?]\s)[Tt]he\s(?:{_DAY_NUMBER}|(?:four|fif|six|seven|eigh|nine|thir)teenth|twentieth|twenty-[a-z]+|tenth|eleventh|twelfth)(?=[.!?])",
        "DATE",
        0.7,
    ),
    # medical cert of 12.02.; vom 3.4. bis 9.4.
    rule(
        "day and month with points",
        r"(?<![\w.,/-])(?:[12]\d|3[01]|0?[1-9])\.(?:1[0-2]|0?[1-9])\.(?=[\s;,)–-]|$)",
        "DATE",
        0.75,
        check=_after_a_word_for_dates,
    ),
    # 2nd week of January, last Friday in May, the first half of 2020, the third Thursday of the month
    rule(
        "part of a month or year",
        rf"(?<!\w)(?:[Tt]he\s)?(?:{_ORDINAL}|[Ll]atter|[Ee]arlier|[Ee]arly|[Ll]ater)\s(?:day|week|wk|weekend|{WEEKDAY}|fortnight|quarter|half|part|third|term)s?\s(?:of|in)\s"
        rf"(?:(?:the|each|every|this|last|next|that)\s)?(?:{_FULL}|{_ANY_MONTH}|{_YEAR}|month|term|year|quarter|season|semester|summer|winter|autumn|spring|holidays|century)(?!\w)",
        "DATE",
        0.85,
    ),
    # on our third day, during his second week
    rule(
        "day or week by number",
        rf"(?<!\w)(?:[Oo]n|[Dd]uring|[Ii]n|[Uu]ntil|[Bb]y|[Ss]ince|[Ff]or|[Aa]fter|[Bb]efore)\s(?:the|my|our|his|her|their|your|its)\s(?P<m>{_ORDINAL}\s(?:day|night|morning|afternoon|evening|week|weekend|month|trimester|term))(?!\w)",
        "DATE",
        0.75,
    ),
    # six nights, three weekends, two summers
    rule(
        "nights or weekends",
        rf"(?<![\w.,/-])(?:\d{{1,2}}|{NUMBER_WORDS}|[Ss]everal|[Aa]\sfew|(?:[Aa]\s)?[Cc]ouple\sof)(?:\s(?:long|whole|full|sleepless|consecutive|straight|more))?\s"
        r"(?:nights|weekends|evenings|mornings|afternoons|summers|winters|autumns|semesters|trimesters|school\sterms|seasons|night\sshifts|sols|moons)(?!\w)",
        "DATE",
        0.75,
    ),
    # Q3 2018, Q2'24, 2019 Q1; during Q2, Q4 results; an interview numbers its questions Q1, Q2
    rule(
        "quarter of a year",
        r"(?<![\w/-])(?:(?:Q[1-4]|H[12])(?:\s?[-–/]\s?(?:Q[1-4]|H2))?[\s/-]?(?:of\s)?(?:FY\s?)?(?:(?:19|20)\d\d|['’]\d\d|FY\s?\d\d)|(?:19|20)\d\d[\s/-]?(?:Q[1-4]|H[12])|[1-4]Q\s?['’]?(?:20)?\d\d)(?!\w)"
        r"|(?<=[Dd]uring\s)(?:Q[1-4]|H[12])(?!\w)|(?<=\b(?:[Ii]n|[Bb]y)\s)(?:Q[1-4]|H[12])(?!\w)|(?<=\b(?:for|end|mid)\s)(?:Q[1-4]|H[12])(?!\w)"
        r"|(?<=\b(?:this|last|next|late|from)\s)(?:Q[1-4]|H[12])(?!\w)|(?<=\b(?:since|until|early|first)\s)(?:Q[1-4]|H[12])(?!\w)|(?<=end\sof\s)(?:Q[1-4]|H[12])(?!\w)"
        r"|(?<![\w/-])(?:Q[1-4]|H[12])(?=\s(?:results?|review|figures|targets?|revenue|bonus|numbers|report|forecast|budget|sales|planning|goals|OKRs|earnings|close)\b)"
        r"|(?<!\w)(?:the\s)?(?:first|second|third|fourth|last|1st|2nd|3rd|4th)\s(?:quarter|half)(?:\sof\s(?:the\s(?:year|season)|(?:19|20)\d\d))(?!\w)",
        "DATE",
        0.85,
    ),
    # every Sunday, each summer, every other week, alternate Tuesdays; "every day" tells nothing
    rule(
        "repeated day",
        rf"(?<!\w)(?:[Ee]very|[Ee]ach|[Aa]lternate|[Mm]ost)\s(?:single\s)?{_REPEATED}s?(?!\w)",
        "DATE",
        0.8,
    ),
    # the August bank holiday, May half term, Michaelmas term, the Easter break, Freshers' week
    rule(
        "holidays and terms",
        rf"(?<!\w)(?:[Tt]he\s)?(?:(?:{MONTH}|[Ee]aster|[Cc]hristmas|[Xx]mas|{_SEASON}|[Ww]hitsun?|[Oo]ctober|[Ff]ebruary|[Ss]chool|[Pp]ublic|[Ll]ast|[Nn]ext|[Ll]ate\sMay|[Ee]arly\sMay)\s)"
        rf"(?:bank[-\s]hol(?:iday)?s?|half[-\s]?terms?|holidays?|hols|vacation|vac|break|recess|weekend|terms?|semester|trimester|period|season|week)(?:\s(?:weekend|Monday|week|{_YEAR}))?(?!\w)"
        r"|(?<!\w)(?:the\s)?(?:Michaelmas|Hilary|Trinity|Lent|Martinmas|Candlemas|Whitsun)\s[Tt]erm(?!\w)"
        r"|(?<!\w)(?:half[-\s]term|[Ff]reshers['’]?\s[Ww]eek|[Rr]eading\s[Ww]eek|[Bb]ank\s[Hh]ol(?:s|iday)?|[Ss]pring\s[Bb]reak|[Ww]inter\sbreak|[Hh]oly\sWeek|Golden\sWeek)(?!\w)",
        "DATE",
        0.8,
    ),
    rule(
        "new year",
        r"(?<!\w)(?:(?:[Tt]he|early\sin\sthe|in\sthe)\s)?(?:[Nn]ew\s[Yy]ear(?:['’]?s)?\s(?:[Ee]ve|[Dd]ay|holiday|break)|NYE|N\.Y\.E\.)(?!\w)|(?<!\w)(?:the\snew\syear|(?<=over\s)[Nn]ew\s[Yy]ears?|(?<=at\s)[Nn]ew\s[Yy]ears?)(?!\w)",
        "DATE",
        0.8,
    ),
    # in small letters, and feasts that few lists have
    rule(
        "other holiday",
        r"(?<!\w)(?:(?:boxing|pancake|mothers?['’]?s?|fathers?['’]?s?|valentine['’]?s?|paddy['’]?s|st\spatrick['’]?s|independence|memorial|labou?r|canada|australia|anzac|remembrance|may)\sday"
        r"|(?:christmas|xmas|new\syear['’]?s?)\seve|bonfire\snight|good\sfriday|[Ee]aster\s(?:sunday|monday|saturday)|guy\sfawkes|hogmanay|Burns\sNight|Mardi\sGras|Day\sof\sthe\sDead"
        r"|Chuseok|Obon|Songkran|Vesak|Wesak|Durga\sPuja|Dussehra|Dashain|Tihar|Raksha\sBandhan|Karva\sChauth|Ganesh\sChaturthi|Janmashtami|Lohri|Makar\sSankranti|Baisakhi|Ugadi|Eid\sMubarak"
        r"|Ashura|Mawlid|Arba['’]?een|Laylat\sal-Qadr|Simchat\sTorah|Tisha\sB['’]Av|Shabbat|Ascension\sDay|Corpus\sChristi|Three\sKings(?:['’]\sDay)?|Orthodox\s(?:Christmas|Easter)|Mid-Autumn\sFestival"
        r"|Meskel|Timkat|Enkutatash|Fasika|Genna|Thingyan|Losar|Ochi\sDay|King['’]s\sDay|Koningsdag|Republic\sDay|Constitution\sDay|Liberation\sDay|National\sDay|Victory\sDay|V[EJ]\sDay|D-Day"
        r"|Fourth\sof\sJuly|July\sFourth|Women['’]s\sDay|Heritage\sDay|Freedom\sDay|Youth\sDay|Family\sDay|Pride\s(?:month|week(?:end)?)|Black\sHistory\sMonth|Super\sBowl\sSunday)(?!\w)",
        "DATE",
        0.8,
    ),
    # the month of Meskerem, 2016; 14 Ramadan 1445; Kartik 2079
    rule(
        "date of another calendar",
        rf"(?<!\w)(?:(?:the\s)?month\sof\s(?:{_OTHER_CALENDARS})(?:,?\s(?:of\s)?\d{{4}}(?:\s(?:AH|BS|EC|SH|AM))?)?"
        rf"|\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?(?:{_OTHER_CALENDARS})(?:,?\s\d{{4}})?|(?:{_OTHER_CALENDARS})\s(?:\d{{1,2}},?\s)?(?:1[34]\d\d|20\d\d|57\d\d)(?:\s(?:AH|BS|EC|SH|AM))?)(?!\w)",
        "DATE",
        0.85,
    ),
    # nineteen ninety-six; that was ninety-six; in seventy-four
    rule("year as it is spoken", rf"(?<![\w-]){_SPOKEN_YEAR}(?![\w-])", "DATE", 0.8),
    rule(
        "short year as it is spoken",
        rf"(?<!\w)(?:[Tt]hat\swas(?:\sin)?|[Bb]ack\sin|[Ii]n|[Ss]ince|(?:[Ss]ummer|[Aa]utumn|[Ww]inter|[Ss]pring|[Cc]lass|[Ee]nd)\sof|[Uu]ntil|{MONTH})\s(?P<m>(?:forty|fifty|sixty|seventy|eighty|ninety)[-\s]{_SPOKEN_UNIT})"
        r"(?=[.,;:!?)]|\s?$|\n|\s(?:when|and|I|we|he|she|they|it|the|after|with|or|to)\b)",
        "DATE",
        0.75,
    ),
    # the summer of '88, class of 99, back in 07, c.1970, b. 1950
    rule(
        "short year behind a word",
        rf"(?<!\w)(?:(?:(?:the\s)?(?:{_SEASON}|[Cc]lass|[Cc]hristmas|[Ee]nd)\sof\s['’‘]?\d\d|(?:[Ee]arly|[Ll]ate|[Mm]id)[\s-]['’‘]\d\d)|(?<=[Bb]ack\sin\s)['’‘]?\d\d)(?!\w|[.,]\d|%|\s(?:people|students|years))",
        "DATE",
        0.8,
    ),
    rule(
        "year behind circa or born",
        r"(?<!\w)(?:c|ca|circa|b|d|est|estd|fl|m)\.?\s?(?P<m>(?:1[5-9]\d\d|20[0-4]\d)(?:[-–/](?:1[5-9]\d\d|20\d\d|\d\d))?)(?!\w|[.,/:]\d|\s?(?:m|km|kg)\b)",
        "DATE",
        0.75,
    ),
    rule(
        "decade in words",
        rf"(?<!\w)[Tt]he\s(?:(?:early|mid|late|swinging|roaring)[-\s])?{_TENS_OF_YEARS}(?!\w)",
        "DATE",
        0.75,
    ),
    # since lockdown, before Covid, during the pandemic
    rule(
        "lockdown as a point in time",
        r"(?<!\w)(?:[Ss]ince|[Dd]uring|[Bb]efore|[Aa]fter|[Ii]n|[Tt]hrough(?:out)?|[Pp]re|[Pp]ost|[Uu]ntil|[Oo]ver)[-\s](?P<m>(?:the\s)?(?:(?:first|second|third|last)\s)?(?:[Ll]ockdown|[Pp]andemic|[Cc]ovid(?:[-\s]?19)?|COVID(?:[-\s]?19)?))(?!\w|\s(?:test|ward|rules|jab|vaccin\w+|symptoms|pneumon\w+|restrictions))",
        "DATE",
        0.7,
    ),
    # on the anniversary, before my birthday
    rule(
        "anniversary as a day",
        r"(?<!\w)(?:[Oo]n|[Bb]efore|[Aa]fter|[Uu]ntil|[Bb]y|[Ss]ince|[Ff]or)\s(?P<m>(?:the|his|her|my|our|their|your)\s(?:(?:wedding|first|second|third|\d{1,2}(?:st|nd|rd|th)|due)\s)?(?:anniversary|birthday|due\sdate|name\sday))(?!\w|\s(?:party|present|card|cake|gift))",
        "DATE",
        0.7,
    ),
    # review 2/52, x 3/7, for 6/12: days, weeks and months of clinical notes; MC at 7w3d, cough x5d
    rule(
        "duration as a fraction",
        r"(?<![\w./-])(?:\d{1,2}(?:[-–]\d{1,2})?/(?:52|7|12|40))(?![\w/%]|[.,]\d)",
        "DATE",
        0.72,
        check=_duration_of_a_note,
    ),
    rule(
        "weeks and days",
        r"(?<![\w.,/-])\d{1,2}w(?:ks?)?\s?\+?\s?[0-6]d?(?![\w-])|(?<![\w.,/-])[1-4]\d\+[0-6](?:/40|\s(?:weeks|wks|gest))(?!\w)",
        "DATE",
        0.7,
    ),
    rule(
        "duration behind x",
        r"(?<!\w)(?:[xX]\s?|for\s|[Pp]ast\s|[Ll]ast\s|in\s|~)(?P<m>\d{1,2}(?:[-–]\d{1,2})?\s?(?:d|w|wk|wks|mo|mos|mths?|y|yr|yrs))(?![\w/-])",
        "DATE",
        0.7,
        check=lambda match: is_clinical(match.string),
    ),
    # after a month, for a year, within a fortnight: a rate has another word before it
    rule(
        "one week or month",
        r"(?<!\w)(?:[Ff]or|[Aa]fter|[Ww]ithin|[Oo]ver|[Uu]nder|[Aa]bout|[Aa]lmost|[Nn]early|[Ii]n|[Jj]ust|[Oo]nly|[Bb]arely)\s(?P<m>a\s(?:week|fortnight|month|year|decade|quarter\sof\sa\scentury))(?!\w|-|\s(?:of|or|old)\b)",
        "DATE",
        0.7,
    ),
    # earlier this year, later that month, this time last year, a week tomorrow
    rule(
        "earlier or later in a period",
        rf"(?<!\w)(?:(?:[Ee]arlier|[Ll]ater|[Ee]arly|[Ll]ate|[Ss]ometime|[Tt]his\stime)\s(?:this|that|last|next|in\sthe|the\ssame)\s(?:{_SPAN_UNIT}|morning|afternoon|evening|night|{_SEASON}|{WEEKDAY}|{MONTH})"
        r"|(?:[Aa]|one|two)\sweeks?\s(?:tomorrow|today|yesterday)|(?:[Ll]ater|[Ee]arlier)\s(?:today|tonight))(?!\w)",
        "DATE",
        0.8,
    ),
    rule(
        "the night before",
        r"(?<!\w)[Tt]he\s(?:day|night|evening|morning|week|month|year|weekend|summer|winter)\s(?:before|after)(?=[.,;:!?)]|\s?$|\n|\s(?:I|he|she|we|they|you|my|his|her|our|their|with|and|but)\b)"
        r"|(?<!\w)(?:fortnight|weeks|months)\sago(?!\w)",
        "DATE",
        0.75,
    ),
    # in year nine, since grade 5, until Year 11: of school
    rule(
        "school year as a time",
        r"(?<!\w)(?:[Ss]ince|[Ii]n|[Uu]ntil|[Tt]ill|[Ff]rom|[Dd]uring|[Aa]fter|[Bb]efore|[Bb]y)\s(?P<m>(?:[Yy]ear|[Yy]r|[Gg]rade)\s?(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|1[0-3]|[1-9]))(?!\w|[.,]\d)",
        "DATE",
        0.7,
    ),
    # sat night, Sun 8pm, drink sat?; weds
    rule(
        "short weekday before a time",
        r"(?<![\w.])(?:[Ss]at|[Ss]un|mon|tues?|wed|thurs?|fri|[Ww]eds|[Tt]hurs)(?:\s(?:morning|afternoon|evening|night|eve)s?(?!\w)|(?=\?|\s(?:am|pm)\b|\s(?:at\s)?\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]m|ish)\b))"
        r"|(?<![\w.])(?:Sat|Sun|Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri)\s?(?:-|–|to|/|&|and)\s?(?:Sat|Sun|Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri)(?!\w)|(?<![\w.])[Ww]eds(?!\w)",
        "DATE",
        0.8,
    ),
    # DOB 220791, born 22071991
    rule(
        "date of birth without signs",
        r"(?<!\w)(?i:d\.?o\.?b\.?|date\sof\sbirth|birthdate|born)[:\s]{1,3}(?P<m>(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:(?:19|20)\d\d|\d\d)|(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?!\w)",
        "DATE",
        0.85,
    ),
    rule(
        "date with a month in roman numerals",
        r"(?<![\w.])(?:[12]\d|3[01]|0?[1-9])[./\s](?:i{1,3}|iv|vi{0,3}|ix|xi{0,2}|I{1,3}|IV|VI{0,3}|IX|XI{0,2})[./\s](?:(?:19|20)\d\d|\d\d(?=[.,;)\s]))(?!\w)",
        "DATE",
        0.85,
    ),
    # the day after the funeral, the night of the fire, the Monday after Easter
    rule(
        "day told by an event",
        rf"(?<!\w)(?:[Tt]he\s)?(?:day|night|morning|afternoon|evening|week|month|year|weekend|summer|{WEEKDAY})\s(?:before|after|of|following)\s(?:(?:the|his|her|my|our|their|your)\s"
        r"(?:funeral|wedding|accident|crash|collision|birth|surgery|operation|op|death|divorce|attack|assault|robbery|burglary|fall|party|match|exams?|interview|move|fire|floods?|incident|stroke|diagnosis"
        r"|election|earthquake|hurricane|coup|Jubilee|Olympics|Coronation|World\sCup|marathon|[Bb]irthday|[Aa]nniversary)|Easter|Christmas|Thanksgiving|Ramadan|Eid|Diwali|New\sYear|Passover|half[-\s]term|Lent|Hurricane\s[A-Z][a-z]+)(?!\w)",
        "DATE",
        0.75,
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
