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
from heteronym.text.rule import NAME_WORD, Rule, find, rule


class _Frame(NamedTuple):
    """What stands before an occupation and behind it, so that it is said of a person."""

    name: str
    before: re.Pattern[str]
    score: float
    after: re.Pattern[str] | None = None
    capital: bool = False  # the occupation is written as a title


# "retired primary school", "non-commissioned", "year 4": what tells of which kind an occupation is
_KIND = (
    r"(?P<kind>(?:(?!(?:is|was|the|an?|his|her|and|or|of|in|for|to|who|that|very|good|bad|great|best|not|as|by|with|at)\b)"
    r"[A-Za-z][a-z]+(?:-[a-z]+)*\s(?:\d\s)?){0,3}?)$"
)
_TITLED_KIND = r"(?P<kind>(?:[A-Z][\w&-]*[ ](?:of[ ])?){0,4}?)$"
_BE = (
    r"\b(?:(?:I(?:['’]m|\sam|\swas)|[Ii]m|i['’]m|(?:[Hh]e|[Ss]he)(?:['’]s|\sis|\swas)|(?:who|applicant|plaintiff|claimant|victim|father"
    r"|mother|dad|mum|mom|husband|wife|brother|sister|son|daughter|partner|ex|uncle|aunt|grandfather|grandmother|boyfriend|girlfriend|hubby"
    r"|patient|client|suspect|witness)(?:\s(?:is|was)|['’]s)|became|becoming|become|been|being))"
    r"\s(?:now\s|then\s|also\s|currently\s|formerly\s|at\sthe\smaterial\stime\s|once\s|just\s)?"
)
_WORK = (
    r"(?:\b(?:[Ww]ork(?:s|ed|ing)?|employed|serv(?:e|es|ed|ing)|act(?:s|ed|ing)?|appointed|job|career|trained|training|qualified"
    r"|practis(?:es|ed|ing)|retired|post|position|profession|occupation|elected|promoted(?:\sto)?)\s(?:is\s|was\s)?(?:as|of|to\sbe|to)\s)"
)
_END_OF_LINE = re.compile(r"[ \t]*(?:\n|$|,\s[A-Z]|\s\||\s[-–]\s|\sat\s[A-Z]|\s\()")


def _before(frame: str, kind: str = _KIND) -> re.Pattern[str]:
    return re.compile(frame + kind)


_FRAMES: tuple[_Frame, ...] = (
    _Frame("being an occupation", _before(rf"{_BE}an?\s"), 0.85),
    _Frame("working as", _before(rf"{_WORK}(?:an?\s|the\s)?"), 0.85),
    _Frame(
        "working for somebody as",
        _before(
            r"\b(?:[Ww]ork(?:s|ed|ing)?|employed)\s(?:for|at|with|by|from|in)\s[^.;\n]{2,40}?\sas\s(?:an?\s|the\s)?"
        ),
        0.8,
    ),
    _Frame("occupation after an age", _before(r"[\s-](?:old|aged\s\d\d|yo|y/o)\s"), 0.85),
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
    ),
    _Frame(
        "name is an occupation",
        _before(rf"(?:(?<!\w){NAME_WORD}|,)\s(?:is|was)\s(?:now\s|then\s)?an?\s"),
        0.75,
    ),
    _Frame(
        "occupation behind a name",
        _before(
            rf"(?<!\w)(?:{NAME_WORD}|applicant|plaintiff|claimant|patient|victim|defendant|suspect)\)?,\s(?:an?|the)\s"
        ),
        0.7,
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
    ),
    _Frame(
        "as an occupation",
        _before(r"(?<!\w)[Aa]s\san?\s"),
        0.7,
        re.compile(r"[\s,.]+(?:I|he|she|you|we|my|his|her|at|for|in|from|with|and)\b|[.;](?!\w)"),
    ),
    # A line of its own in a signature or a curriculum vitae, or behind a name: "Sam Okoro, Site Manager"
    _Frame(
        "title on a line",
        _before(r"(?:^|(?<=\n)|\n[^\n]{4,24}[ \t]{2,4})[ \t]*", _TITLED_KIND),
        0.75,
        _END_OF_LINE,
        capital=True,
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
_IN_CHIEF = re.compile(r"-in-chief\b")

_RULES: tuple[Rule, ...] = (
    rule(
        "employment status",
        r"(?:\b(?:is|was|am|['’]m|become|became|currently|and)|,)\s(?P<m>unemployed"
        r"|self-employed|retired|jobless)\b",
        "JOB",
        0.7,
        needs=("employed", "retired", "jobless"),
    ),
    rule(
        "head of something",
        r"\b(?:owner|founder|co-founder|CEO|CFO|CTO|COO|head|chief|vice[-\s]president"
        r"|editor)(?:\sand\s(?:the\s)?(?:owner|founder|editor(?:-in-chief)?|CEO|director|manager))?\s(?=of\s(?:an?\s|"
        r"the\s)?[A-Za-z])",
        "JOB",
        0.5,
        needs=(
            "owner of",
            "founder of",
            "CEO of",
            "CFO of",
            "CTO of",
            "COO of",
            "head of",
            "chief of",
            "resident of",
            "editor of",
            "founder and",
        ),
    ),
    rule(
        "office of a department",
        rf"(?<=,\s)(?:(?:Deputy|Assistant|Vice)\s)?(?:Head|Director|Chief|President|Dean|Chair|Secretary|Minister)\sof\s{NAME_WORD}(?:\s(?:and\s)?{NAME_WORD}){{0,2}}",
        "JOB",
        0.75,
        needs=(
            ", Head of",
            ", Director of",
            ", Chief of",
            ", President of",
            ", Dean of",
            ", Chair of",
            ", Deputy",
            ", Assistant",
            ", Vice",
        ),
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
    for number, (start, end, _) in enumerate(found):
        if start < done:
            continue
        chief = _IN_CHIEF.match(text, end)
        end = chief.end() if chief else end
        # "nurse practitioner", "writer and editor": what is joined to an occupation belongs to it
        for other_start, other_end, _ in found[number + 1 :]:
            if not _JOINED.fullmatch(text, end, other_start):
                break
            end = other_end
        for frame in _FRAMES:
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
    match = frame.before.search(text, max(0, start - _WINDOW), start)
    if match is None:
        return None
    if frame.name in ("occupation behind a name", "title behind a name") and _represents(text, match.start()):
        return None
    return Span(match.start("kind"), end, "JOB", frame.score, "jobs", frame.name)


def _represents(text: str, start: int) -> bool:
    """The lawyer who speaks for somebody: the name is found, the calling says nothing more."""
    before = text[max(0, start - 80) : start]
    return "represented by" in before or "counsel" in before
