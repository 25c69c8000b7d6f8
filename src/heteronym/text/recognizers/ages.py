"""Ages. The number alone where words around it say that it is one ("aged 36"), so that a replaced
age still reads; the whole phrase where the words belong to it ("36 years old", "36-year-old").
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.wordlists import first_names, nationalities
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.recognizers.health import is_clinical
from heteronym.text.rule import NAME_WORD, NUMBER_WORDS, Rule, find, rule

_NUMBER = rf"(?:1?\d{{1,2}}(?:½|\.5)?|{NUMBER_WORDS}(?:\sand\sa\shalf)?)"
_DECADE = r"(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|[1-9]0['’]?s)"

_KIN = (
    r"(?:mother|father|mum|mom|dad|son|daughter|brother|sister|wife|husband|gran|nan|grandmother|grandfather|uncle|aunt"
    r"|eldest|youngest|oldest|boy|girl|child|baby|twins|partner|girlfriend|boyfriend|patient|client|applicant|victim|lady|gentleman|woman|man)"
)
_RELATIVES = (
    r"(?:(?:step|grand|god|great-grand)?(?:mother|father|mum|mom|dad|sons?|daughters?)|(?:step)?(?:brothers?|sisters?)|grand?daughters?|siblings?"
    r"|wife|husband|partner|spouse|gran|nan|nana|grandma|grandpa|grandad|uncle|aunt|auntie|cousins?|nephews?|nieces?|twins|triplets|(?:grand)?children"
    r"|(?:grand)?kids|child|boys?|girls?|baby|eldest|youngest|oldest|girlfriend|boyfriend|fianc[eé]e?|widow|lodger|carer|bro|sis|dau|[a-z]+-in-law)"
)
_ENDS = (
    r"(?=\s?(?:[.,;!?)\n]|$)|\s(?:and|but|when|now|next|this|today|years|yrs|in\s(?:[A-Z]|\d|a\s|two|three|march|may|june|july|[a-z]+\s(?:days|weeks|months|years)\b)|lol|with|at\sthe\stime|btw|who)\b)"
    r"(?!\s?(?:years|yrs)\s(?!old))"
)
_TENS = (
    r"(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[-\s](?:one|two|three|four|five|six|seven|eight"
    r"|nine))?|(?:thir|four|fif|six|seven|eigh|nine)teen)"
)


def _of_a_patient(match: re.Match[str]) -> bool:
    """'78M' is an age in a note about a patient, and an amount elsewhere."""
    return is_clinical(match.string)


_NOT_NAMES = frozenset(
    "It This That There The Article Rule Section Page Chapter Number Score What Which Table Figure Total "
    "One Unit Room "
    "Appendix Level Grade Band Day Week Year Step Part Item Question Answer My His Her".split()
)
_HYPHENS = re.compile("[-‑]")
_RELATIVE_BEFORE = re.compile(rf"(?<![\w-])(?i:{_RELATIVES})\s$")


_NEXT_NAME = re.compile(rf"\),?\s(?:and\s|&\s)?(?P<name>{NAME_WORD})\s\([1-9]\d?\)")


@cache
def _countries() -> frozenset[str]:
    return frozenset(nationalities().values())


def _is_first_name(name: str) -> bool:
    return (
        name not in _NOT_NAMES
        and name not in _countries()
        and any(part in first_names() for part in (name, *_HYPHENS.split(name)))
    )


def _given_name(match: re.Match[str]) -> bool:
    """A number in brackets is an age behind a first name, and behind what a relative is called."""
    if _is_first_name(match.group("name")):
        return True
    following = _NEXT_NAME.match(match.string, match.end())
    if following is not None and _is_first_name(following.group("name")):
        return True
    return _RELATIVE_BEFORE.search(match.string, max(0, match.start() - 24), match.start()) is not None


_RULES: tuple[Rule, ...] = (
    rule(
        "years old",
        rf"(?<![\w.,]){_NUMBER}[\s\-‑]+(?:(?i:years?|yrs?|months?|weeks?)[\s\-‑]+)"
        rf"(?i:olds?)\b",
        "AGE",
        0.97,
    ),
    rule(
        "years of age",
        rf"(?<![\w.,]){_NUMBER}\s(?i:years?|yrs?|months?)\s(?i:of\sage)\b",
        "AGE",
        0.97,
    ),
    rule(
        "years old in short",
        r"(?<![\w.,])1?\d{1,2}[\s-]?(?:y/o|yo|y\.o\.|Y/O|YO|yrs?\.?[\s-]old|y\.?/?o\.?[mfMF]|yom|yof)(?!\w)",
        "AGE",
        0.95,
    ),
    # 67F, 78M, 45 M, 33 y F
    rule(
        "age and sex",
        r"(?<![\w.,/$€£-])(?:[1-9]\d?|10\d)\s?(?:y\s?)?/?[MF](?=[\s,.;)]|$)(?!\s?(?:euros|dollars|pounds))",
        "AGE",
        0.85,
        check=_of_a_patient,
    ),
    # "Farida, 28F from Karachi", "my fiancé (30M)": as posts begin
    rule(
        "age and sex in a post",
        r"(?:(?<=\()|(?<=,\s)|(?<=\b[Ii]\s)|(?<=[Ii]['’]m\sa\s))[1-9]\d\s?[MF](?=[,)]|\s(?:from|here|living|and\sI)\b)",
        "AGE",
        0.8,
    ),
    rule(
        "aged",
        rf"\b(?:[Aa]ged(?:\sbetween)?|[Aa]ges|[Aa]ge\sof|[Aa]ge\swas|[Aa]ge\sis|[Aa]ge:"
        rf"|[Tt]urn(?:ed|ing|s)?)\s(?P<m>{_NUMBER}(?:\s(?:and|to|or|-)\s{_NUMBER})?)\b"
        r"(?!\s?(?:%|:\d|hours?|minutes?|days?|into|to\b|in\b|off\b|down\b|out\b|of\b))",
        "AGE",
        0.9,
    ),
    rule(
        "turned",
        r"(?<!\w)[Tt]urn(?:ed|ing|s)?\s(?P<m>[1-9]\d)(?=\s(?:in|on|last|this|next|yesterday|today)\b)",
        "AGE",
        0.8,
    ),
    rule("age", rf"\b[Aa]ge\s(?P<m>{_NUMBER})\b", "AGE", 0.85),
    rule(
        "decade of life",
        rf"\b(?:[Ii]n(?:to)?\s(?:his|her|their|my|your|the)\s)(?P<m>(?:(?:early|mid"
        rf"|late)[\s\-])?{_DECADE})\b(?!\s(?:and\s)?(?:century|music))",
        "AGE",
        0.85,
    ),
    rule(
        "number after a name",
        rf"(?<!\w){NAME_WORD},\s(?P<m>[1-9]\d)(?=,\s(?:single|married|divorced|widowed|male|female|who|whose|of|from|was|is|has|had"
        rf"|an?\s|said|told))",
        "AGE",
        0.8,
    ),
    rule(
        "number after a full name",
        rf"(?<!\w){NAME_WORD}\s(?:[A-Z]\.\s)?{NAME_WORD}(?:,\s|\s\()(?P<m>[1-9]\d)(?=,\s[a-z]|\)|\.\s|$)",
        "AGE",
        0.8,
        check=lambda match: match.group().split()[0] not in _NOT_NAMES,
    ),
    rule(
        "number said of a person",
        rf"\b(?:I(?:['’]m|\sam|\swas)|(?:[Hh]e|[Ss]he|[Ww]ho)(?:['’]s|\sis|\swas)|[Yy]ou(?:['’]re|\sare)|(?:im|hes|shes)(?=\s\d)"
        rf"|(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]he|[Tt]heir)\s(?:\w+\s)?{_KIN}\s(?:is|was|are))\s(?:now\s|only\s|just\s|already\s|about\s|almost\s|nearly\s)?"
        rf"(?P<m>[1-9]\d?|{_TENS}){_ENDS}",
        "AGE",
        0.75,
    ),
    rule(
        "age at an event",
        r"\b(?:(?:was|is)\s(?P<m>[1-9]\d)(?=\sat\sthe\s(?:time|date)\b))",
        "AGE",
        0.8,
    ),
    rule(
        "died or retired at",
        r"\b(?:[Dd]ied|passed\saway|retired|married|diagnosed)\b[^.\n\d]{0,24}?\sat\s(?P<m>[1-9]\d)(?=[.,;)\n]|\s(?:from|of|and|on\sa|with)\b|$)",
        "AGE",
        0.8,
    ),
    rule(
        "number said of a name",
        rf"(?<!\w){NAME_WORD}\s(?:is|was|turned)\s(?:now\s|only\s|just\s)?(?P<m>[1-9]\d?)(?=\s?(?:,\s[a-z]|[.;!?])|\sand\s(?:[a-z]+s|in|has|a)\b)",
        "AGE",
        0.75,
        check=lambda match: match.group().split()[0] not in _NOT_NAMES,
    ),
    # "Kayden (7), Lexi-Mae (3)", "little sister Citlali (9)"
    rule(
        "number in brackets after a name",
        rf"(?<!\w)(?P<name>{NAME_WORD})\s\((?P<m>[1-9]\d?)(?=\)|,\s[a-z])",
        "AGE",
        0.75,
        check=_given_name,
    ),
    # "son (11)", "our sons (13 and 10)", "twins (4)", "Tadhg (son), 20,", "father d. 61"
    rule(
        "number after a relative",
        rf"(?<![\w-])(?i:{_RELATIVES})(?:\s\(|\)?,\s|\s(?:d\.|dec\.|died|dec['’]?d)\s(?:at\s|aged\s)?)"
        r"(?P<m>[1-9]\d?)(?=\s?[,;)]|\.(?:\s|$)|\s(?:and|&|of|from)\s|\s[a-z]+\s(?:CA|ca|cancer)\b|\n|$)(?!,\s?\d\d\d)",
        "AGE",
        0.75,
    ),
    rule(
        "second number after a relative",
        rf"(?<![\w-])(?i:{_RELATIVES})\s\([1-9]\d?(?:,\s[1-9]\d?)?(?:\sand\s|\s?&\s?|,\s)(?P<m>[1-9]\d?)(?=[,;)])",
        "AGE",
        0.75,
    ),
    rule(
        "rough age of a relative",
        rf"(?<![\w-])(?i:{_RELATIVES})[^\n().]{{0,30}}\((?P<m>(?:~|c\.\s?|about\s|approx\.?\s)[1-9]\d)\)",
        "AGE",
        0.75,
    ),
    # "W/M, 26,", "white, 19 or 20, slim": as police describe people
    rule(
        "age in a description",
        r"(?<![\w/])(?:[WBHAIOU]/[MF]|(?:IC\d\s)?[Mm]ale|[Ff]emale|[Cc]aucasian|[Ww]hite|[Bb]lack|[Aa]sian|[Hh]ispanic),\s(?:about\s|approx\.?\s|aged\s)?"
        r"(?P<m>[1-9]\d(?:(?:\sor\s|\sto\s|\s?[-–]\s?)[1-9]\d)?)(?=[,;)]|\.\s|\n)(?!,\d)",
        "AGE",
        0.75,
    ),
    # "me: 41F", "DH: 44M", "me 41 F"
    rule(
        "age and sex after a label",
        r"(?<!\w)(?:[Mm]e|DH|DW|DS|DD|DP|OH|[Hh]usband|[Ww]ife|[Hh]ubby|[Pp]artner|[Pp]atient|[Pp]t|[Hh]im|[Hh]er|bf|gf|BF|GF)(?::\s?|\s\(?)"
        r"(?P<m>[1-9]\d\s?/?[MFmf])(?!\w)",
        "AGE",
        0.8,
    ),
    rule(
        "sexes and ages in a row",
        r"(?<![\w.,$€£])[1-9]\d\s?[MF](?=\s?[/,&+]\s?[1-9]\d\s?[MF]\b)|(?<=[MF]\s[/&+]\s)[1-9]\d\s?[MF]\b|(?<=[MF][/&+])[1-9]\d\s?[MF]\b",
        "AGE",
        0.75,
    ),
    rule(
        "at an age",
        rf"(?<!\w)[Aa]t\s(?:just\s|only\s|barely\s)?(?P<m>1[3-9]|[2-9]\d|{_TENS})(?=,?\s(?:he|she)\s(?!said|told))",
        "AGE",
        0.7,
    ),
    rule(
        "what was done at an age",
        r"\b(?:I|[Hh]e|[Ss]he|who)\s(?:first\s)?(?:did|became\s[^.,;\n]{2,24}?|quit|dropped\sout|left\s(?:school|home)"
        r"|(?:had|lost)\s(?:my|his|her)\s\w+)\sat\s(?P<m>1[3-9]|[2-9]\d)(?=[.,;]\s|\n|$|\sand\b)",
        "AGE",
        0.7,
    ),
    rule(
        "presenting oneself",
        rf"\b(?:I(?:['’]m|\sam)|(?:[Mm]y|[Hh]er|[Hh]is)\sname\s?(?:is|['’]s)|[Nn]ame['’]s)\s{NAME_WORD}(?:\s{NAME_WORD})?(?:,\s|\s\()(?P<m>[1-9]\d)(?=[,.;)]|\sand\b|\n|$)",
        "AGE",
        0.85,
    ),
)


@recognizers.register("ages")
@dataclass(frozen=True)
class Ages:
    """Ages by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="ages")
