"""Occupations, ranks and offices where they are said of a person: "I am an engineer", "worked as a
teacher", "a lawyer by profession", "Jane, a retired nurse,", "Site Manager" below a name. An occupation
word alone ("ask a lawyer", "the judge decided") tells nothing about anybody.

Cost        one pass over the tokens for words of occupations; the words around are read only there
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple

from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.phrases import Phrases
from heteronym.text.rule import LOWER, NAME_WORD, UPPER, Rule, find, rule


class _Frame(NamedTuple):
    """What stands before an occupation and behind it, so that it is said of a person."""

    name: str
    before: re.Pattern[str]
    score: float
    after: re.Pattern[str] | None = None
    capital: bool = False  # the occupation is written as a title
    signs: tuple[
        str, ...
    ] = ()  # one of these stands before it: a plain search is far cheaper than the pattern
    alone: bool = False  # one person's: no plural, no word that is an adjective too


# "retired primary school", "non-commissioned", "year 4": what tells of which kind an occupation is
_KIND = (
    r"(?P<kind>(?:(?!(?:is|was|the|an?|his|her|and|or|of|in|for|to|who|that|very|good|bad|great|best|not|as|by|with|at)\b)"
    r"(?:[A-Za-z][a-z]+(?:-[a-z]+)*|[A-Z]{2,4})\s(?:\d{1,2}\s)?){0,3}?)$"
)
_TITLED_KIND = r"(?P<kind>(?:[A-Z][\w&-]*[ ](?:of[ ])?){0,4}?)$"
_BE = (
    r"\b(?:(?:I(?:['’]m|\sam|\swas)|[Ii]m|i['’]m|(?:[Hh]e|[Ss]he)(?:['’]?s|\sis|\swas)|(?:who|[a-z]+-in-law|applicant|plaintiff|claimant|victim|father"
    r"|mother|dad|mum|mom|husband|wife|brother|sister|son|daughter|partner|ex|uncle|aunt|grandfather|grandmother|boyfriend|girlfriend|hubby"
    r"|patient|client|suspect|witness)(?:\s(?:is|was)|['’]s)|became|becoming|become|been|being))"
    r"\s(?:now\s|then\s|also\s|currently\s|formerly\s|at\sthe\smaterial\stime\s|once\s|just\s)?"
)
_WORK = (
    r"(?:\b(?:[Ww]ork(?:s|ed|ing)?|employed|serv(?:e|es|ed|ing)|act(?:s|ed|ing)?|appointed|job|career|trained|training|qualified"
    r"|practis(?:es|ed|ing)|retired|post|position|profession|occupation|elected|promoted(?:\sto)?|hired|chosen|selected|life|days|shifts?|years)\s(?:is\s|was\s)?(?:as|of|to\sbe|to)\s)"
)
_END_OF_LINE = re.compile(
    r"[ \t]*(?:\n|$|,\s[A-Z]|\s\||\s[-–/·•]\s|\sat\s[A-Z]|\s\(|\sto\s(?:Dr|Mr|Mrs|Ms|Prof)\b)"
)
_RELATIVE = (
    r"(?:father|mother|dad|mum|mom|husband|wife|brother|sister|son|daughter|partner|uncle|aunt|cousin|nephew|niece|boyfriend|girlfriend"
    r"|hubby|fianc[eé]e?|[a-z]+-in-law)"
)
_FULL_NAME = rf"(?<!\w)(?:{NAME_WORD}|[{UPPER}]\.)(?:\s[{UPPER}]\.)?\s{NAME_WORD}"
# Heads that are jobs only with a word before them ("line lead", "deck hand"), and those that are adjectives
# or say something else where no article stands before them ("he is general", "she is major").
_NEEDS_KIND = frozenset("lead hand associate crew rep temp practitioner generalist".split())
_ADJECTIVES = frozenset(
    "general major minor model principal marine official orderly deputy fellow executive volunteer cardinal "
    "representative veteran contractor agent guard captain refugee private student".split()
)
_SPEAKS_FOR = frozenset("lawyer counsel solicitor barrister attorney advocate representative judge".split())


_POLICE = re.compile(
    r"(?i:\bpolice\b|\bsuspects?\b|\bsheriff|\bconstable|\barrest|\bcustody\b|\bregiment|\bbattalion)"
)


def _about_police(match: re.Match[str]) -> bool:
    """'DC' and 'PC' are ranks where the police or an army are spoken of nearby."""
    reach = 160 if len(match.group("m")) == 2 else 1200
    start, end = max(0, match.start() - reach), match.end() + reach
    return _POLICE.search(match.string, start, end) is not None


def _before(frame: str, kind: str = _KIND) -> re.Pattern[str]:
    return re.compile(frame + kind)


_FRAMES: tuple[_Frame, ...] = (
    _Frame("being an occupation", _before(rf"{_BE}an?\s"), 0.85, signs=(" a ", " an ")),
    _Frame("working as", _before(rf"{_WORK}(?:an?\s|the\s)?"), 0.85, signs=("as ", "of ", "to ")),
    _Frame(
        "working for somebody as",
        _before(
            r"\b(?:[Ww]ork(?:s|ed|ing)?|employed)\s(?:for|at|with|by|from|in)\s[^.;\n]{2,40}?\sas\s(?:an?\s|the\s)?"
        ),
        0.8,
        signs=(" as ",),
    ),
    _Frame(
        "occupation after an age",
        _before(r"[\s-](?:old|aged\s\d\d|yo|y/o)\s"),
        0.85,
        signs=("old ", "aged ", "yo ", "y/o "),
    ),
    _Frame(
        "occupation in a list of facts",
        _before(
            r"(?<![\w])(?:single|married|divorced|widowed|separated|[MF]|male|female|yo|y/o|old|\d\d),\s"
        ),
        0.75,
    ),
    _Frame(
        "whose job is",
        _before(r"(?:\b(?:[Mm]y|[Hh]is|[Hh]er)\s(?:job|profession|occupation|work)\s(?:is|was)\s(?:an?\s)?)"),
        0.8,
        signs=("job ", "profession ", "occupation ", "work "),
    ),
    _Frame(
        "name is an occupation",
        _before(
            rf"(?:(?<!\w)(?!(?:There|It|This|That|What|Here)\b){NAME_WORD}|,)\s(?:is|was)\s(?:now\s|then\s)?an?\s"
        ),
        0.75,
        signs=("is a", "was a", "now a", "then a"),
    ),
    _Frame(
        "occupation behind a name",
        _before(
            rf"(?<!\w)(?:{NAME_WORD}|applicant|plaintiff|claimant|patient|victim|defendant|suspect)\)?,\s(?:an?|the)\s"
        ),
        0.7,
        signs=(", a ", ", an ", ", the "),
    ),
    _Frame(
        "holding an office",
        _before(rf"{_BE}(?:the\s)?"),
        0.7,
        re.compile(r"\s(?:of|at|for|in|with|by)\b"),
    ),
    _Frame(
        "by profession",
        _before(r"(?<!\w)"),
        0.9,
        re.compile(r"\sby\s(?:profession|trade|training|occupation)\b"),
    ),
    _Frame(
        "with years of experience",
        _before(r"(?<!\w)"),
        0.75,
        re.compile(r"\swith\s(?:over\s|more\sthan\s)?(?:\d+|[a-z]+)\s?\+?\s?(?:years|yrs)\b"),
    ),
    _Frame(
        "retired or former",
        re.compile(
            r"(?<!\w)(?P<kind>(?:[Rr]etired|[Ff]ormer|[Ss]elf-employed)\s(?:[A-Za-z][a-z]+\s){0,2}?)$"
        ),
        0.7,
        signs=("etired ", "ormer ", "-employed "),
    ),
    _Frame(
        "formerly an occupation",
        _before(r"(?<![\w-])[Ee]x[-\s](?!parte\b|officio\b)"),
        0.7,
        alone=True,
        signs=("ex ", "ex-", "Ex ", "Ex-"),
    ),
    _Frame(
        "as an occupation",
        _before(r"(?<!\w)[Aa]s\san?\s"),
        0.7,
        re.compile(r"[\s,.]+(?:I|he|she|you|we|my|his|her|at|for|in|from|with|and)\b|[.;](?!\w)"),
        signs=("s a ", "s an "),
    ),
    _Frame(
        "once an occupation",
        _before(r"(?:,\s(?:once|formerly|previously|later|then|now)|\b[Oo]nce)\san?\s"),
        0.75,
        re.compile(r"[,.;)]|\s(?:in|at|for|with|by|and)\b"),
        alone=True,
        signs=("nce a", "ly a", "later a", "then a", "now a"),
    ),
    _Frame(
        "was an occupation",
        _before(
            r"(?<!\b[Tt]here\s)(?<!\b[Ii]t\s)(?<!\b[Tt]his\s)(?<!\b[Tt]hat\s)(?<!\b[Ww]hich\s)(?<!\b[Ww]hat\s)(?<!\b[Hh]ere\s)\bwas\san?\s"
        ),
        0.65,
        re.compile(r"[,.;)]|\s(?:in|at|for|with|by|and|from|there|then|before|until)\b|\n|$"),
        alone=True,
        signs=("was a",),
    ),
    # "She is pharmacist", "My wife Mandeep is LVN at Rideout": as it is said in other tongues
    _Frame(
        "being without an article",
        re.compile(
            rf"\b(?:(?:I\sam|I['’]m|[Hh]e(?:\sis|\swas|['’]s)|[Ss]he(?:\sis|\swas|['’]s))"
            rf"|(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur)\s{_RELATIVE}\s(?:{NAME_WORD}\s)?(?:is|was))\s(?P<kind>(?:[a-z]{{3,}}\s)??)$"
        ),
        0.7,
        re.compile(r"[,.;]\s|\s(?:at|in|for|by)\s|\n|$"),
        alone=True,
        signs=(" is ", " was ", " am ", "'s ", "’s ", "'m ", "’m "),
    ),
    # "Kyle Brandvold (shift supervisor)", "J. Sandvik, plant manager,"
    _Frame(
        "occupation in brackets",
        _before(rf"(?<!\w){NAME_WORD}\s\((?:an?\s|the\s|our\s)?"),
        0.75,
        re.compile(r"\)|,\s"),
        alone=True,
        signs=("(",),
    ),
    _Frame(
        "occupation and employer in brackets",
        _before(r"(?<=\w)\s\("),
        0.7,
        re.compile(
            rf",\s[{UPPER}][a-z]|\sat\s[{UPPER}]|\s@|,\s(?:cash|part|full|self|nights|days|retired|temp)"
        ),
        alone=True,
        signs=(" (",),
    ),
    _Frame(
        "occupation after a full name",
        _before(rf"{_FULL_NAME},\s"),
        0.7,
        re.compile(rf"[,;]\s|\.(?:\s|$)|\n|$|\)|\s(?:at|of|for)\s(?:the\s)?[{UPPER}]"),
        alone=True,
        signs=(", ",),
    ),
    _Frame(
        "somebody's helper by name",
        _before(r"(?<!\w)(?:[Oo]ur)\s(?!(?:first|last|new|old|next)\s)"),
        0.65,
        re.compile(rf",?\s(?:(?:Mr|Mrs|Ms|Miss|Dr)\.?\s)?[{UPPER}][{LOWER}]+"),
        alone=True,
        signs=("ur ",),
    ),
    _Frame("occupation and employer", _before(r"(?<!\w)"), 0.75, re.compile(rf"\s@\s?[{UPPER}]"), alone=True),
    # A line of its own in a signature or a curriculum vitae, or behind a name: "Sam Okoro, Site Manager"
    _Frame(
        "title on a line",
        _before(r"(?:^|(?<=\n)|\n[^\n]{4,24}[ \t]{2,4})[ \t]*", _TITLED_KIND),
        0.75,
        _END_OF_LINE,
        capital=True,
    ),
    _Frame(
        "title in a curriculum vitae",
        _before(
            r"(?:^|(?<=\n))[\x20\t•*-]*(?:[A-Z][a-z]{2,8}\.?\s)?(?:\d\d/)?(?:19|20)\d\d\s?[-–—]\s?(?:[A-Z][a-z]{2,8}\.?\s)?"
            r"(?:(?:\d\d/)?(?:19|20)?\d\d|[Pp]resent|[Nn]ow|[Cc]urrent|[Tt]oday)?:?[ \t|,]+",
            r"(?P<kind>(?:[A-Z][\w&-]*[ ](?:[a-z]+[ ])?){0,4}?)$",
        ),
        0.75,
        re.compile(r"[ \t]*(?:\n|$|[,;|(]|\s[-–/]\s|\s(?:at|for|with)\s)"),
        signs=("19", "20"),
    ),
    _Frame(
        "title behind a name",
        _before(rf"(?<!\w){NAME_WORD}(?:,\s|\s[-–|]\s|\s\()", _TITLED_KIND),
        0.75,
        re.compile(r"[ \t]*(?:\n|$|[,.;|)])"),
        capital=True,
    ),
)
_WINDOW = 96
_JOINED = re.compile(r"\s(?:(?:and|/|&)\s(?:an?\s|the\s)?(?:[a-z]+\s)?)?")
_MOST_JOINED = 4
_IN_CHIEF = re.compile(r"-in-chief\b")

_RULES: tuple[Rule, ...] = (
    rule(
        "employment status",
        r"(?:\b(?:is|was|am|['’]m|become|became|currently|and)|,)\s(?P<m>unemployed"
        r"|self-employed|retired|jobless)\b",
        "JOB",
        0.7,
    ),
    # "I do payroll at a dental group"
    rule(
        "doing a job",
        r"\b(?:[Ii]|[Hh]e|[Ss]he)\s(?:do|does|did)\s(?P<m>payroll|accounts|bookkeeping|reception|admin|catering|security|marketing|logistics|landscaping"
        r"|cleaning|childcare|plumbing|roofing|plastering|nails|hair|IT(?:\ssupport)?|tech\ssupport|data\sentry|night\sshifts|deliveries|sales|HR)"
        r"(?=\s(?:at|for)\s)",
        "JOB",
        0.75,
    ),
    rule(
        "office on a line",
        rf"(?:^|(?<=\n))[\x20\t]*(?P<m>(?:(?:Deputy|Assistant|Vice|Acting|Regional|Group|Global|Senior)\s){{0,2}}(?:Head|Director|Chief|President|Dean|Chair"
        rf"|Secretary|Manager|Consultant|Professor|Lecturer|Officer|VP)\s(?:of|in|for)\s(?:the\s)?{NAME_WORD}(?:\x20(?:(?:and|&|of)\x20)?{NAME_WORD}){{0,4}})(?=[\x20\t]*(?:\n|$|,|\||/))",
        "JOB",
        0.8,
    ),
    rule(
        "rank before a name",
        rf"(?<![\w/])(?P<m>(?:PC|DC|PS|DS|DI|DCI|WPC|PCSO|TDC|A/Sgt|D/Sgt|S/Const|L/Cpl|P\.?O\.|Sgt|Cpl|Pte|Lt|Capt|Cst|Const|Inv|Det|Insp|Ofc|Dep|Supt)\b\.?)"
        rf"(?=\s(?:\d{{2,6}}\s|[#]\d+\s)?(?:[{UPPER}]\.?\s)?{NAME_WORD})",
        "JOB",
        0.65,
        check=_about_police,
    ),
    rule(
        "head of something",
        r"\b(?:owner|founder|co-founder|CEO|CFO|CTO|COO|head|chief|vice[-\s]president"
        r"|editor)(?:\sand\s(?:the\s)?(?:owner|founder|editor(?:-in-chief)?|CEO|director|manager))?\s(?=of\s(?:an?\s|"
        r"the\s)?[A-Za-z])",
        "JOB",
        0.5,
    ),
    rule(
        "office of a department",
        rf"(?<=,\s)(?:(?:Deputy|Assistant|Vice)\s)?(?:Head|Director|Chief|President|Dean|Chair|Secretary|Minister)\sof\s{NAME_WORD}(?:\s(?:and\s)?{NAME_WORD}){{0,2}}",
        "JOB",
        0.75,
    ),
)


@cache
def _heads() -> Phrases[str]:
    heads: Phrases[str] = Phrases()
    for word in words("occupations"):
        heads.add(word.replace("-", " "), word, plural=True)
    return heads


@recognizers.register("jobs")
@dataclass(frozen=True)
class Jobs:
    """Occupations said of a person, by word list and sentence frame."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        result = find(texts, _RULES, source="jobs")
        for text, spans in zip(texts, result):
            spans.extend(_framed(text))
        return result


def _framed(text: str) -> Iterator[Span]:
    found = _heads().find(text)
    done = 0
    for number, (start, end, head) in enumerate(found):
        if start < done or (not head.islower() and text[start:end] != head):
            continue
        chief = _IN_CHIEF.match(text, end)
        end = chief.end() if chief else end
        # "nurse practitioner", "writer and editor": what is joined to an occupation belongs to it
        for other_start, other_end, _ in found[number + 1 : number + _MOST_JOINED]:
            if not _JOINED.fullmatch(text, end, other_start):
                break
            end = other_end
        before = text[max(0, start - _WINDOW) : start].replace("\n", " ")
        for frame in _FRAMES:
            if frame.signs and not any(sign in before for sign in frame.signs):
                continue
            span = _said(text, start, end, frame)
            if span is not None:
                done = end
                yield span
                break


def _said(text: str, start: int, end: int, frame: _Frame) -> Span | None:
    if frame.capital and not text[start].isupper():
        return None
    if frame.after is not None and not frame.after.match(text, end):
        return None
    if frame.alone and not _is_one(text[start:end].lower(), frame.name):
        return None
    match = frame.before.search(text, max(0, start - _WINDOW), start)
    if match is None:
        return None
    if frame.name in _BEHIND_NAMES and _represents(text, match.start()):
        return None
    if match.start("kind") == start and text[start:end].lower() in _NEEDS_KIND:
        return None
    return Span(match.start("kind"), end, "JOB", frame.score, "jobs", frame.name)


_BEHIND_NAMES = frozenset(
    (
        "occupation behind a name",
        "title behind a name",
        "occupation in brackets",
        "occupation after a full name",
    )
)


def _is_one(head: str, frame: str) -> bool:
    """Whether a head is one person's, and says of what calling it is without an article."""
    if head.endswith("s") and not head.endswith("ss"):
        return False
    if frame == "somebody's helper by name":
        return head not in _SPEAKS_FOR
    return head not in _ADJECTIVES or frame in ("was an occupation", "once an occupation")


def _represents(text: str, start: int) -> bool:
    """The lawyer who speaks for somebody: the name is found, the calling says nothing more."""
    before = text[max(0, start - 80) : start]
    return "represented by" in before or "counsel" in before
