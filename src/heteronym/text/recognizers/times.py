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
    """'due 0800' and 'paged 2350' are times; 'about 1200' is an amount, 'since 1848' a year."""
    cue = _TIME_CUE.search(match.string, max(0, match.start() - 24), match.start())
    if cue is None:
        return False
    return match.group()[0] == "0" or "." in match.group() or _ALSO_OF_NUMBERS.match(cue.group()) is None


_ALSO_OF_NUMBERS = re.compile(
    r"(?i:by|from|since|born|died|around|about|before|after|post|next|last|approx\.?)\b"
)


_TIME_CUE = re.compile(
    r"(?<!\w)(?:[Pp]aged|[Ff]inish(?:es|ed)?|[Ss]tart(?:s|ed)|[Oo]pens|[Cc]loses|[Tt]ime:|[Aa]rrived|[Aa]ttended|[Ll]eft|[Aa]pprox\.?|[Hh]ours|[Aa]t|@|[Bb]ooked|[Dd]ue|[Gg]iven|[Bb]y|[Ss]een|[Rr]eview(?:ed)?|[Cc]alled|[Rr]ang|[Bb]leeped"
    r"|[Uu]ntil|[Tt]ill|[Tt]il|[Ff]rom|[Ss]ince|[Ee]nd(?:s|ed)?|[Ll]anding|[Dd]eparts|[Dd]epart(?:ed|ing)?|[Dd]ep|[Aa]rr|[Aa]rriv(?:ing|es)|ETA|ETD|[Oo]nset|[Cc]ollect(?:ed)?|[Tt]aken"
    r"|[Bb]oard(?:s|ing)|[Cc]all(?:ed)?|[Ss]tart|[Ff]inish|[Bb]orn|[Dd]ied|[Hh]andover|[Aa]round|[Aa]bout|[Bb]efore|[Aa]fter|[Oo]n\sscene|[Pp]ronounced|[Tt]ransferred|[Aa]dmitted|[Dd]/?c|[Pp]ost"
    r"|[Nn]ext|[Ll]ast|[Dd]ose|[Oo]bs|(?:there|here|booked|table|ready|meet|home)\sfor)(?:\sapprox\.?|\sabout|\saround|\sat)?:?\s$"
)

_HOUR = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_HOUR_BUT_ONE = "(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_H = rf"(?:1[0-2]|[1-9]|{_HOUR})"
# 4, 4:10, four, four thirty, ten past four, half four
_SAID = (
    rf"(?:(?:(?:[Ff]ive|[Tt]en|(?:[Aa]\s)?[Qq]uarter|[Tt]wenty(?:[\s-]five)?|[Hh]alf|\d\d?(?:\smin(?:ute)?s)?|[a-z]+\sminutes)\s(?:past|to|till|before|after|of)\s{_H}|[Hh]alf[-\s]{_H}"
    rf"|(?:1[0-2]|0?[1-9])[:.][0-5]\d|{_H}[-\s](?:thirty|fifteen|forty[-\s]five|(?:twenty|forty|fifty|ten|twenty[-\s]five|thirty[-\s]five|oh[-\s]five))|{_H}))"
)
_PART_OF_DAY = (
    r"(?:(?:in\sthe|of\sthe)\s(?:(?:early|late)\s)?(?:morning|afternoon|evening|night)|at\snight|(?:yesterday|tomorrow|this|that|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|last|the\snext|the\sfollowing"
    r"|every|each)\s(?:morning|afternoon|evening|night)|tonight|prompt|sharp|on\sthe\sdot|on\sthe\snose|(?:local|London|Eastern|Pacific|Central|GMT|UTC)\stime|latest|at\sthe\slatest)"
)
_WITHOUT_NOUN = (
    r"(?=[.,;:!?)\]](?!\d)|\s?$|\n|\s(?:on|tomorrow|today|tonight|yesterday|and|but|so|because|cos|when|to|for|with|re|or|if|then|she|he|I|i|we|they|you|every|each|most|pls|please"
    r"|this|that|next|last|in\sthe|at\s(?:the|my|our|his|her)|sharp|prompt|when|while|as|until|till|from|there|here|again|max|latest|daily|weekdays|Mon|Tue|Wed|Thu|Fri|Sat|Sun|[MTWFS][a-z]+day)\b)"
)
_DATE_BEFORE = re.compile(
    r"(?:\d[/.-]\d{1,2}(?:[/.-]\d{2,4})?|(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
    r"(?:\s(?:\d{4}|\d{1,2}))?),?[ ]{1,6}(?:at\s|@\s?|[-–|]\s)?$"
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

_MEASURED = re.compile(
    r"(?i:\b(?:price[ds]?|shares?|valu(?:ed|e)|rat(?:e|ed|es)|set|capped|fixed|st(?:ood|ands?)|speed|temp(?:erature)?|sats|spo2|hr|bp|rr|bmi|pulse|glucose|score[ds]?|level|pain|remain(?:s|ed)?"
    r"|sold|estimated|limit(?:ed)?|count(?:ed)?|peak(?:ed)?|number|total(?:led)?|chapter|page|item|channel|platform|gate|junction|table|room|door|bed|house|flat|ph|point|top|odds|goals?"
    r"|multipl(?:y|ied)|divided|outnumbered|look(?:s|ed|ing)?|aged?|question|step|section|article|figure|grade|stage|exit|bus|route|unit)\b)[^.\n]{0,20}$"
)
_CHANGED = re.compile(
    r"(?i:\b(?:cut|up|down|increased?|reduced?|rose|fell|grew|won|lost|beat|ahead|led|trail(?:ed|ing)|split|rows?|times)\s)$"
)


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


_OPENS = re.compile(
    r"(?i:\b(?:hours|open(?:s|ing)?|shift|times?|mon|tues?|wed|thurs?|fri|sat|sun|[a-z]+days?|daily|class|lesson|clinic|session|works?|rota|slot|from|between|start(?:s|ing)?|meeting|visiting))[:,]?\s(?:is\s|are\s|from\s|at\s)?$"
)


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
        r"(?<![\w:./,$€£-])(?:(?:[01]?\d|2[0-3])\.[0-5]\d|(?:0\d|1[0-8]|2[0-3])[0-5]\d)(?![\w%/:-]|[.,]\d|\s(?:m|cm|km|kg|million|people|points?|euros?)\b)",
        "TIME",
        0.8,
        check=lambda match: (
            _DATE_BEFORE.search(match.string, max(0, match.start() - 24), match.start()) is not None
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
        r"(?<![\w:./,$€£-])(?:(?:[01]\d|2[0-3])\.?[0-5]\d|[1-9]\.[0-5][05])(?![\w%/:-]|[.,]\d|\s(?:m|cm|km|kg|million|people|points?|euros?)\b)",
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
        r"\b(?:(?:(?:12|[Tt]welve)\s)?(?:[Nn]oon|[Mm]idnight|[Mm]idday)|[Tt]onight|[Ll]ast\snight|[Tt]his\s(?:morning"
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
    # 4 in the afternoon, three-thirty in the morning, ten past eleven at night, 6 yesterday evening, 8 prompt
    rule(
        "hour and part of the day",
        rf"(?<![\w:./,$€£-]){_SAID}(?:\s(?:or\sso|ish)|ish|-ish)?,?\s{_PART_OF_DAY}(?!\w)",
        "TIME",
        0.85,
        check=_is_an_hour,
    ),
    # before nine, don't answer before 2, up for work at seven
    rule(
        "hour behind a word",
        rf"(?<![\w-])(?:[Aa]t|[Bb]efore|[Uu]ntil|[Tt]ill|[Tt]il|gone|[Bb]y)\s(?:about\s|around\s|like\s|nearly\s|just\safter\s|approx\.?\s|~)?(?P<m>1[0-2]|[1-9]|{_HOUR_BUT_ONE}|half[-\s]{_HOUR}"
        rf"|{_HOUR}[-\s](?:thirty|fifteen|forty[-\s]five|twenty|forty|fifty|ten|oh[-\s]five)){_WITHOUT_NOUN}",
        "TIME",
        0.7,
        check=_no_measure,
    ),
    rule(
        "hour that ends a sentence",
        rf"(?<![\w-])(?:[Aa]fter|[Aa]round|[Ss]ince|[Ff]rom|about)\s(?:about\s|around\s|like\s|just\safter\s)?(?P<m>1[0-2]|[1-9]|{_HOUR_BUT_ONE})"
        r"(?=[.,;!?)](?!\d|\s\d)|\s?$|\n|\s(?:tomorrow|today|tonight|yesterday|onwards|on\s(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)|in\sthe\s(?:morning|afternoon|evening)|every\s(?:day|morning|night))\b)",
        "TIME",
        0.6,
        check=_no_measure,
    ),
    # a quarter past 8, 5 past three, ten minutes to nine; "10 to 9" may be votes
    rule(
        "minutes past or to an hour",
        rf"(?<![\w:./,$€£-])(?:(?:[Aa]\s)?[Qq]uarter\s(?:past|to|till|of)|(?:[Hh]alf|[Ff]ive|[Tt]en|[Tt]wenty(?:[\s-][Ff]ive)?|[1-5]?\d)\spast"
        rf"|(?:[Ff]ive|[Tt]en|[Tt]wenty(?:[\s-]five)?|[a-z]+|[1-5]?\d)\s(?:minutes|mins)\s(?:past|to|before|after))\s(?:1[0-2]|[1-9]|{_HOUR}|noon|midnight)(?![\w-]|[.,]\d)",
        "TIME",
        0.85,
    ),
    # the 7.52, caught the 8.15 to York; from 23.48 - 00.41
    rule(
        "time of a train",
        r"(?<!\w)(?:the|[Tt]he)\s(?P<m>(?:[01]?\d|2[0-3])[.:][0-5]\d)(?=\s(?:to|from|train|bus|out\sof|service|ferry|flight|into|\(|[A-Z])|[;)]|[.,!?]\s|\s?\n|$)",
        "TIME",
        0.75,
    ),
    rule(
        "from one time to another with points",
        r"(?<![\w:./,$€£-])(?:0\d|1\d|2[0-3])\.[0-5]\d\s?(?:-|–|—|to|till|until)\s?(?:0\d|1\d|2[0-3])\.[0-5]\d(?![\w%/:]|[.,]\d|\s?(?:m|cm|mm|km|kg|g|mg|mmol|million|points?|euros?|per)\b)",
        "TIME",
        0.75,
    ),
    rule(
        "from one time to another in four figures",
        r"(?<![\w:./,$€£-])(?:0\d|1\d|2[0-3])[0-5]\d\s?(?:-|–|—|to|till|until)\s?(?:0\d|1[0-8]|2[0-3])[0-5]\d(?![\w%/:-]|[.,]\d)",
        "TIME",
        0.7,
        check=_hours_not_years,
    ),
    # 5-6pm, 9 to 11.30 am, 9-5
    rule(
        "from one hour to another",
        rf"(?<![\w:./,$€£-])(?:1[0-2]|[1-9])(?:[:.][0-5]\d)?\s?(?:-|–|—|to|till|until|and|or)\s?(?:1[0-2]|[1-9])(?:[:.][0-5]\d)?\s?{_HALF_DAY}(?!\w)"
        r"|(?<![\w:./,$€£-])(?:9\s?(?:-|–|to)\s?5|[Nn]ine[-\s]to[-\s]five)(?=[\s.,;)!?]|$)(?!\s(?:votes?|win|lead))",
        "TIME",
        0.85,
    ),
    # Surgery hours 8.30-6.30, Mon to Fri 9-5.30
    rule(
        "opening hours",
        r"(?<![\w:./,$€£-])(?:1[0-2]|0?[1-9])(?:[.:][0-5][05])?\s?(?:-|–|—|to|till|til|until)\s?(?:1[0-2]|0?[1-9])[.:][0-5][05](?![\w%/:-]|[.,]\d|\s?(?:m|cm|mm|km|kg|g|mg|mmol|million|points?|euros?|per)\b)",
        "TIME",
        0.75,
        check=_opens,
    ),
    # 1530Z, 1422L; 3h40, 5pm-ish
    rule(
        "time of a zone",
        r"(?<![\w:./,-])(?:[01]\d|2[0-3]):?[0-5]\d\s?(?:Z|Zulu|zulu|UTC|GMT|BST|CET|EST|PST|IST|WAT|EAT|SAST|AEST|JST)(?!\w)",
        "TIME",
        0.85,
    ),
    # at dawn, by lunchtime, before bedtime; the small hours, this arvo
    rule(
        "meal or light as an hour",
        r"(?<!\w)(?:[Aa]t|[Bb]efore|[Aa]fter|[Bb]y|[Uu]ntil|[Tt]ill|[Aa]round|[Ss]ince)\s(?P<m>(?:first\slight|dawn|dusk|daybreak|sunrise|sunset|sundown|lunch[-\s]?time|tea[-\s]?time|dinner[-\s]?time|bed[-\s]?time"
        r"|breakfast[-\s]?time|home[-\s]?time|playtime|closing\stime|iftar|fajr|maghrib|zuhr|isha))(?!\w)",
        "TIME",
        0.7,
    ),
    rule(
        "part of a day in other words",
        r"(?<!\w)(?:(?:[Ii]n\s)?the\s(?:small|wee|early)\s(?:small\s)?hours|[Tt]his\s(?:arvo|aft|eve|am|pm|lunchtime|teatime)|(?:[Yy]esterday|[Tt]omorrow|tmrw|tomoz|2moro|[Ll]ast|[Tt]his)\s(?:teatime|lunchtime|eve|arvo|aft|pm|am)"
        r"|[Tt]onite|2nite|(?:[Ee]arly|[Ll]ate|[Mm]id)[-\s](?:morning|afternoon|evening)|[Ff]irst\sthing(?:\sin\sthe\smorning)?(?=[\s.,;!?]|$)(?!\s(?:I|you|he|she|we|they|that|to)\b)|(?:[Mm]iddle|[Dd]ead)\sof\sthe\snight)(?!\w)",
        "TIME",
        0.7,
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
