"""Facts about a person that no name tells: family, marital status, schooling, creed, health.

They count where they are said of somebody, not wherever the word stands: "his wife", "a widow",
"divorced", "he holds a degree in law", "suffers from diabetes". "The married women's act" says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import UPPER, Rule, any_of, find, rule

_KIN = any_of(
    "mother father mom mum dad daddy mommy parents parent brother brothers "
    "sister sisters son sons daughter daughters child "
    "children kids wife husband spouse partner fiancé fiancée fiance fiancee "
    "grandmother grandfather grandma grandpa granny "
    "grandparents grandson granddaughter grandchildren uncle uncles aunt auntie "
    "aunts cousin cousins nephew nephews niece nieces "
    "stepmother stepfather stepson stepdaughter stepbrother stepsister mother-in-law "
    "father-in-law brother-in-law "
    "sister-in-law son-in-law daughter-in-law twin twins girlfriend boyfriend "
    "ex-wife ex-husband widow widower".split()
)
_WHOSE = (
    rf"(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our|[Tt]heir|[{UPPER}]\w+['’]s|applicant['’]s"
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
_COMMON_DISEASES = any_of(
    [
        *(
            "diabetes cancer leukaemia leukemia tuberculosis hepatitis asthma epilepsy "
            "schizophrenia depression dementia autism "
            "anaemia anemia arthritis arthrosis hypertension pneumonia malaria stroke "
            "migraine migraines obesity anorexia bulimia "
            "alcoholism HIV AIDS PTSD ADHD OCD influenza bronchitis cirrhosis meningitis "
            "multiple-sclerosis fibromyalgia sciatica "
            "myopia glaucoma cataract osteoporosis lupus psoriasis eczema paraplegia "
            "tetraplegia quadriplegia haemophilia hemophilia "
            "neuralgia discopathy hernia thrombosis embolism infarction angina insomnia psychosis"
        ).split(),
        "multiple sclerosis",
        "cerebral palsy",
        "heart attack",
        "heart disease",
        "heart failure",
        "bipolar disorder",
        "Down syndrome",
        "Down's syndrome",
        "Parkinson's disease",
        "Alzheimer's disease",
        "Crohn's disease",
        "panic attacks",
    ]
)
# Endings that medicine keeps to itself; common words that happen to end so are excluded by hand.
_DISEASE_END = r"(?:itis|osis|aemia|opathy|algia|opia|plegia|phrenia|myelia|esthesia|trophy|ectomy)"
_NO_DISEASE = frozenset(
    "diagnosis prognosis hypnosis osmosis metamorphosis symbiosis apotheosis "
    "utopia dystopia myopia ethiopia cornucopia "
    "homeopathy telepathy empathy sympathy apathy nostalgia atrophy trophy "
    "philanthropy neurosis".split()
) - {"myopia", "atrophy", "neurosis"}
_DISEASE_WORD = rf"[a-zA-Zé-]{{2,30}}{_DISEASE_END}"
_DISEASE_TAIL = re.compile(rf"(?<=[a-z]{{2}}){_DISEASE_END}(?!\w)")
_WORD_BEFORE = re.compile(
    r"(?:(?<!\w)(?!(?:the|an?|of|and|or|with|from|for|his|her|is|was|as|in|to"
    r"|by|has|had|[a-z]+ed|[a-z]+ing)\s)[a-z]+(?:[‑-][a-z]+)*\s)?[A-Za-zé]+(?:[‑-][a-zé]+)*$"
)
_CONDITION = rf"(?:(?:[a-z‑-]+\s){{0,2}}?(?:{_COMMON_DISEASES}|{_DISEASE_WORD}))"
_BODY = any_of(
    (
        "arm leg knee kneecap hip ankle wrist shoulder skull rib ribs spine vertebra "
        "neck jaw nose hand foot finger thumb pelvis tibia femur back head eye "
        "eyes ear sight vision hearing"
    ).split()
)

_RULES: tuple[Rule, ...] = (
    rule(
        "somebody's relative",
        rf"\b{_WHOSE}\s(?P<m>{_MODIFIER}{_KIN})\b(?!\s(?:company|companies|organisation"
        rf"|organization|tongue|country|land|board|language|nature|hood))",
        "FAMILY",
        0.6,
    ),
    rule(
        "kind of parent",
        rf"{_BE}(?P<m>(?:single|expectant|stay-at-home|unmarried|pregnant|proud|new"
        rf"|working)\s(?:mother|father|mom|mum|dad|parent)|(?:mother|father)\sof\s(?:\w+\s)?"
        rf"(?:children|kids|sons|daughters|twins|one|two|three|four|five|six|\d))\b",
        "FAMILY",
        0.85,
    ),
    rule(
        "giving birth",
        r"\b(?:gave|given|giving|gives)\sbirth(?:\sto\s(?:an?\s|their\s|her\s|twins"
        r"|triplets)?(?:\w+\s)?(?:son|daughter|child|baby|boy|girl)?)?",
        "FAMILY",
        0.8,
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
    ),
    rule(
        "marital status field", r"\b(?:marital\sstatus|family\sstatus)\s?[:\-]\s?(?P<m>\w+)", "MARITAL", 0.9
    ),
    rule(
        "marrying or divorcing",
        r"\b(?:[Hh]e|[Ss]he|I|[Tt]hey|who|applicants?|couple)\s(?:had\s|have\s|has\s)?"
        r"(?P<m>(?:got\s)?(?:married|divorced|remarried))\b",
        "MARITAL",
        0.7,
    ),
    rule(
        "academic title",
        r"\b(?:Ph\.?D\.?|M\.?B\.?A\.?|LL\.?[MB]\.?|B\.Sc\.?|M\.Sc\.?|BSc|MSc|B\.A\.|M\.A\.|MD)"
        r"(?!\w)",
        "EDUCATION",
        0.6,
    ),
    rule(
        "academic degree",
        r"\b(?:(?:bachelor|master|doctor)['’]?s?(?:\sdegree)?\s(?:in|of)\s[A-Za-z]+"
        r"(?:\s(?:and\s)?[A-Z][a-z]+)?|(?:bachelor|master)['’]s\sdegree|(?:university"
        r"|college|law|engineering|medical|doctoral|doctorate|PhD)\s(?:degree|graduate"
        r"|diploma)|doctorate(?:\sin\s\w+)?|degree\sin\s\w+(?:\s(?:and\s)?\w+ing)?)\b",
        "EDUCATION",
        0.75,
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
    ),
    rule(
        "said to have a disease",
        rf"(?:\b(?:[Ss]uffer(?:s|ed|ing)?\sfrom|diagnosed\s(?:with|as\shaving|as)"
        rf"|diagnosis\sof|treated\sfor|died\s(?:of|from)|contracted|infected\swith"
        rf"|history\sof|has|had|have|developed)\s)(?:an?\s|the\s)?(?P<m>{_CONDITION})\b",
        "HEALTH",
        0.8,
    ),
    rule("common disease", rf"\b{_COMMON_DISEASES}(?!\w)", "HEALTH", 0.65),
    rule(
        "injury",
        rf"\b(?:fractures?|amputation|loss|dislocation|rupture|injur(?:y|ies)|calcification)\s(?:of"
        rf"|to)\s(?:(?:his|her|the|sight|vision|hearing)\s?){{0,2}}(?:(?:in|of)\s(?:his"
        rf"|her|the)\s)?(?:(?:left|right|lower|upper|\d(?:st|nd|rd|th)|[a-z]+al)\s){{0,3}}(?:{_BODY})?"
        rf"(?<=\w)",
        "HEALTH",
        0.75,
    ),
    rule(
        "disorder",
        r"\b(?:paranoid|psychotic|mental|personality|anxiety|eating|depressive|post-traumatic"
        r"|bipolar|chronic|terminal)\s(?:\w+\s)?(?:illness|disorder|disease|disorders"
        r"|illnesses|stress)\b",
        "HEALTH",
        0.65,
    ),
    rule(
        "bodily condition",
        r"\b(?:HIV[\s-]positive|blind|deaf|paraplegic|quadriplegic|wheelchair(?:[\s-]bound)?"
        r"|pregnant|transgender|transsexual|homosexual|bisexual|lesbian|gay)\b",
        "HEALTH",
        0.6,
    ),
)


@recognizers.register("demographics")
@dataclass(frozen=True)
class Demographics:
    """Family, marital status, education and health, where they are said of a person."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        result = find(texts, _RULES, source="demographics")
        for text, spans in zip(texts, result):
            for tail in _DISEASE_TAIL.finditer(text):
                # Looking back from the ending costs nothing for the words that have none of them.
                whole = _WORD_BEFORE.search(text, max(0, tail.start() - 40), tail.end())
                if whole is not None and whole.group().rsplit(None, 1)[-1].lower() not in _NO_DISEASE:
                    spans.append(
                        Span(whole.start(), tail.end(), "HEALTH", 0.65, "demographics", "ending of a disease")
                    )
        return result
