"""Facts about a person that no name tells: family, marital status, schooling.

They count where they are said of somebody, not wherever the word stands: "his wife", "a widow",
"divorced", "he holds a degree in law". "The married women's act" says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import CAPITALS, NUMBER_WORDS, UPPER, Rule, any_of, find, rule

_KIN_WORDS = (
    "mother father mom mum dad daddy mommy parents parent brother brothers "
    "sister sisters son sons daughter daughters child "
    "children kids wife husband spouse partner fiancé fiancée fiance fiancee "
    "grandmother grandfather grandma grandpa granny "
    "grandparents grandson granddaughter grandchildren uncle uncles aunt auntie "
    "aunts cousin cousins nephew nephews niece nieces "
    "stepmother stepfather stepson stepdaughter stepbrother stepsister mother-in-law "
    "father-in-law brother-in-law "
    "sister-in-law son-in-law daughter-in-law twin twins girlfriend boyfriend "
    "ex-wife ex-husband widow widower hubby hubbie missus gran nan nana nanna grandad granddad gramps "
    "mama papa mam bro sis "
    "siblings sibling step-dad stepdad stepmum step-mum eldest youngest stepdaughter great-grandmother "
    "great-grandfather "
    "godmother godfather godson goddaughter foster-mother foster-father carer bf gf ex other-half fiance "
    "relatives".split()
)
_KIN = any_of(_KIN_WORDS)
_KIN_BEGINS = re.compile(any_of([*_KIN_WORDS, *map(str.capitalize, _KIN_WORDS), *map(str.upper, _KIN_WORDS)]))
_KIN_AS_NAME = "(?:Mum|Mom|Mummy|Mommy|Dad|Daddy|Granny|Gran|Nan|Nana|Grandma|Grandpa|Grandad|Granddad)"
_WHOSE = (
    rf"(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our|[Tt]heir|ur|yr|maternal|paternal|[{UPPER}]\w+['’]s|applicant['’]s"
    rf"|applicants['’]|patient['’]s|plaintiff['’]s|victim['’]s|claimant['’]s|defendant['’]s)"
)
_MODIFIER = (
    r"(?:(?:late|elder|older|younger|eldest|youngest|oldest|only|own|first|second"
    r"|third|former|future|new|ex|little|big|big|baby|twin|minor|adult|estranged"
    r"|deceased|pregnant|adopted|biological|unborn|two|three|four|five|six|seven)\s){0,3}"
)
_BE = (
    r"(?:\b(?:is|was|am|are|were|be|been|being|became|become|got|get|getting"
    r"|remained|and|an?|as|who|both)|['’](?:m|re|s)|,)\s"
)
_RULES: tuple[Rule, ...] = (
    rule(
        "somebody's relative",
        rf"\b{_WHOSE}\s(?P<m>{_MODIFIER}{_KIN})\b(?!\s(?:company|companies|organisation"
        rf"|organization|tongue|country|land|board|language|nature|hood))",
        "FAMILY",
        0.6,
        near=_KIN_BEGINS,
    ),
    rule(
        "children and siblings counted",
        rf"(?<![\w.,])(?P<m>(?:{NUMBER_WORDS}|\d{{1,2}}|[Nn]o|[Ss]everal)(?:[-\s](?:year|month|week)[-\s]old)?\s(?:(?:younger|older|elder|little|small|young"
        rf"|grown-up|adult|adopted|minor|teenage|school-age)\s)?(?:children|kids|sons?|daughters?|brothers?|sisters?|siblings|grandchildren|grandkids"
        rf"|stepchildren|twins|dependants|dependents|wives))\b",
        "FAMILY",
        0.7,
        needs=(
            "child",
            "kids",
            "son",
            "daughter",
            "brother",
            "sister",
            "siblings",
            "twins",
            "dependants",
            "dependents",
            "wives",
        ),
        check=lambda match: (
            match.group().split()[0].lower() != "one"
            or match.group().split()[-1].lower() in ("son", "daughter", "child", "brother", "sister", "twins")
        ),
        near=re.compile(
            "(?:child|kids|son|daughter|brother|sister|siblings|twins|dependants|dependents|wives)"
        ),
    ),
    rule(
        "parent of several",
        r"\b(?:mum|mom|dad|mother|father|mommy|daddy|parent|grandmother|grandfather)(?:-|\s)(?:of|to)(?:-|\s)(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|twins)\b",
        "FAMILY",
        0.85,
        near=re.compile("(?:mum|mom|dad|mother|father|parent)"),
    ),
    # "granny Jean", "(husband)", "Son (Curtis", "wife died": in notes nobody writes whose
    rule(
        "relative in a note",
        rf"(?:(?<=\()|(?<=[.;:]\s)|(?<=,\s)|(?<=\n)|(?<=since\s)|(?<=with\s)|(?<=and\s)|(?<=that\s)|(?<=by\s)|(?<=from\s)|(?<=of\s))(?P<m>(?i:{_KIN}))"
        rf"(?=\)|\s\([A-Z]|,\s[A-Z][a-z]+(?:,|\s[A-Z])|\s(?:[A-Z][a-z]+(?:[,.;)]|\s[a-z])|has\b|had\b|is\b|was\b|died|deceased|called|rang|phoned|reports?|reported|lives|works|still|in\s[A-Z]|aware|informed|present|states?|says|said))"
        rf"(?<!\bex)",
        "FAMILY",
        0.65,
        at=_KIN_BEGINS,
    ),
    rule("kin as a name", rf"(?<![\w’']){_KIN_AS_NAME}(?=[\s,.’'!?)])", "FAMILY", 0.65, at=CAPITALS),
    rule(
        "kind of parent",
        rf"{_BE}(?P<m>(?:single|expectant|stay-at-home|unmarried|pregnant|proud|new"
        rf"|working)\s(?:mother|father|mom|mum|dad|parent)|(?:mother|father)\sof\s(?:\w+\s)?"
        rf"(?:children|kids|sons|daughters|twins|one|two|three|four|five|six|\d))\b",
        "FAMILY",
        0.85,
        near=re.compile("(?:mother|father|mom|mum|dad|parent)"),
    ),
    rule(
        "giving birth",
        r"\b(?:gave|given|giving|gives)\sbirth(?:\sto\s(?:an?\s|their\s|her\s|twins"
        r"|triplets)?(?:\w+\s)?(?:son|daughter|child|baby|boy|girl)?)?",
        "FAMILY",
        0.8,
        needs=("birth",),
    ),
    rule("family word", r"\b(?:breadwinner|only\schild|orphan)\b", "FAMILY", 0.7),
    rule(
        "marital status",
        rf"{_BE}(?P<m>(?:un|re|newly\s)?married|divorced|widowed|separated|engaged"
        rf"(?=\sto\s(?:be\smarried|[A-Z]|my|his|her|an?\s))|single(?=[.,;!?]|\sand\b|$)"
        rf"|an?\s(?:bachelor|widow|widower|divorcee|spinster)|bachelor|widow|widower"
        rf"|divorcee|spinster|cohabit(?:ing|ed))\b",
        "MARITAL",
        0.8,
        near=re.compile("(?:arried|ivorce|idow|eparated|ngaged|ingle|achelor|pinster|ohabit)"),
    ),
    rule(
        "marital status field",
        r"\b(?:marital\sstatus|family\sstatus)\s?[:\-]\s?(?P<m>\w+)",
        "MARITAL",
        0.9,
        needs=("status",),
    ),
    rule(
        "marrying or divorcing",
        r"\b(?:[Hh]e|[Ss]he|I|[Tt]hey|who|applicants?|couple)\s(?:had\s|have\s|has\s)?"
        r"(?P<m>(?:got\s)?(?:married|divorced|remarried))\b",
        "MARITAL",
        0.7,
        near=re.compile("(?:married|divorced)"),
    ),
    rule(
        "marital status in a list",
        r"(?<=,\s)(?:single|married|divorced|widowed|separated|unmarried)(?=,\s|\.\s)|(?:(?<=[:.]\s)|(?<=\n))(?:[Dd]ivorced|[Ww]idowed|[Uu]nmarried|[Mm]arried|[Ss]eparated)(?=[.,;]|\stho|\swith\b|\sto\b|\n|$)"
        r"|(?<=[Ii]m\s)(?:divorced|married|single|widowed|separated)",
        "MARITAL",
        0.75,
        needs=("ingle", "arried", "ivorced", "idowed", "eparated"),
    ),
    rule(
        "degree and subject",
        r"(?<![\w.])(?:B\.?Sc|M\.?Sc|B\.?A|M\.?A|M\.?Eng|B\.?Eng|Ph\.?D|M\.?B\.?A|LL\.?[BM]|M\.?Phil|D\.?Phil|B\.?Ed|M\.?Ed|MBBS|HND|PGCE|GCSEs?|A-[Ll]evels?|Diploma|Bachelor(?:\sof\s\w+)?"
        r"|Master(?:\sof\s\w+)?|NVQ(?:\sLevel\s\d)?|BTEC|Doctorate)\.?(?:\s\(?Hons\.?\)?)?\s(?:in\s)?[A-Z][a-z]+(?:\s(?:and\s|&\s|of\s)?[A-Z][a-z]+){0,3}",
        "EDUCATION",
        0.8,
        at=CAPITALS,
    ),
    rule(
        "student of a subject",
        r"\b(?:doctoral|PhD|graduate|postgraduate|undergraduate|master['’]?s|medical|law|nursing|engineering|first-year|second-year|third-year|final-year)\s"
        r"(?:student|candidate)(?:\sin\s[a-z]+(?:\s[a-z]+ing)?)?\b",
        "EDUCATION",
        0.75,
        needs=(" student", " candidate"),
    ),
    rule(
        "academic title",
        r"\b(?:Ph\.?D\.?|M\.?B\.?A\.?|LL\.?[MB]\.?|B\.Sc\.?|M\.Sc\.?|BSc|MSc|B\.A\.|M\.A\.|MD)"
        r"(?!\w)",
        "EDUCATION",
        0.6,
        at=CAPITALS,
    ),
    rule(
        "academic degree",
        r"\b(?:(?:bachelor|master|doctor)['’]?s?(?:\sdegree)?\s(?:in|of)\s[A-Za-z]+"
        r"(?:\s(?:and\s)?[A-Z][a-z]+)?|(?:bachelor|master)['’]s\sdegree|(?:university"
        r"|college|law|engineering|medical|doctoral|doctorate|PhD)\s(?:degree|graduate"
        r"|diploma)|doctorate(?:\sin\s\w+)?|degree\sin\s\w+(?:\s(?:and\s)?\w+ing)?)\b",
        "EDUCATION",
        0.75,
        near=re.compile("(?:achelor|aster|octor|egree|raduate|iploma)"),
    ),
    rule(
        "field of study",
        r"\b(?:[Hh]e|[Ss]he|I|who)\s(?:\w+ed\s|is\s|was\s)?(?:studie[sd]|studying"
        r"|majored\sin|majoring\sin|graduated\sin)"
        r"\s(?!(?:in|and|at|the|for|with|to|on|under|hard|abroad|it|there|by|from|as|a)\b)(?P<m>[a-z]+(?:\s(?:and\s)?(?:science"
        r"|engineering|studies|law|history|literature))?)\b(?!\s(?:the|this|that"
        r"|at))",
        "EDUCATION",
        0.6,
        near=re.compile("(?:studie|studying|majored|majoring|graduated)"),
    ),
)


@recognizers.register("demographics")
@dataclass(frozen=True)
class Demographics:
    """Family, marital status and education, where they are said of a person."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="demographics")
