"""Percentages, measurements, and exact counts of things.

A measurement has a unit. A count has none, but "571 landowners" or "seventy-one hearings" singles out
a story as well as a date does; small round counts do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.recognizers.health import is_clinical
from heteronym.text.rule import DIGITS, NUMBER_WORDS, Rule, any_of, find, rule

_UNIT = any_of(
    [
        *(
            "mm cm dm m km metre metres meter meters centimetre centimetres centimeter "
            "centimeters millimetre millimetres "
            "kilometre kilometres kilometer kilometers mile miles yard yards foot feet inch "
            "inches ft lb lbs pound "
            "ounce ounces oz g kg kilo kilos kilogram kilograms kilogramme kilogrammes "
            "gram grams gramme grammes "
            "ton tons tonne tonnes stone litre litres liter liters ml gallon "
            "gallons pint pints hectare hectares acre acres "
            "km2 m2 km² m² sqm mph kph km/h kW kWh MW Hz kHz MHz GHz KB MB GB TB degrees "
            "°C °F calories kcal dioptres diopters"
        ).split(),
        "square metres",
        "square meters",
        "square kilometres",
        "square feet",
        "square miles",
        "cubic metres",
        "sq m",
        "sq ft",
    ]
)
_ABOUT = r"(?:(?:[Aa]pproximately|[Aa]pprox\.|[Aa]bout|[Aa]round|[Rr]oughly|[Nn]early|[Aa]lmost)\s)?"
_SPELT_UNITS = tuple(
    (
        "metres meters kilometres kilometers miles kilos kilograms acres hectares "
        "tonnes tons feet inches litres grams stone"
    ).split()
)
_PERCENT = r"(?:\s?%|\s?(?:per\scent|percent|percentage\spoints?)\b)"


def _is_exact(match: re.Match[str]) -> bool:
    """A count that few others share: of three digits and more, or a compound number in words."""
    digits = re.sub(r"\D", "", match.group("n"))
    noun = match.group("noun").lower()
    if noun in _NOT_COUNTED or noun.endswith("ss"):
        return False
    if digits:
        return int(digits) > 20 and not 1500 <= int(digits) <= 2049
    return True


_NOT_COUNTED = frozenset(
    "days weeks months years hours minutes seconds decades centuries per cents "
    "was is has its this his as does "
    "articles sections paragraphs times euros dollars pounds degrees thus plus "
    "unless across always others".split()
)

_FINDING_UNIT = re.compile(r"(?<![a-z])(?:mm|cm|ml|g|degrees|litres?|liters?)$")
_FINDING = re.compile(
    r"(?i:\b(?:nodules?|lesions?|mass(?:es)?|foc(?:us|i)|cysts?|wounds?|lacerations?|polyps?|calcul(?:us|i)|effusions?|opacit(?:y|ies)|thickness|diameter|ulcers?|tumou?rs?|fibroids?|aneurysms?|hypodens\w+"
    r"|spiculated|lymph|nodes?|follicles?|endometri\w+|ducts?|kidneys?|liver|spleen|prostate|haematomas?|hematomas?|incisions?|abscess(?:es)?|gallstones?|herniat\w+|bulge|flexion|abduction|dilated)\b)"
)
_BUILD = re.compile(
    r"(?i:\b(?:height|hgt|ht|weigh(?:s|t|ed|ing)?|wgt|wt|tall|bmi|build|girth|waist|born|birth\s?weight|shoe|stands|measures)\b)"
)
_VITAL = re.compile(
    r"(?i:\b(?:sats?|spo2|sao2|o2|ef|lvef|hba1c|a1c|hct|haematocrit|hematocrit|fev1|fvc|saturations?|saturating|oxygen|fio2|neutrophils?|lymphocytes?|stenosis|occlusion))\b[^.\n]{0,20}$"
)
_ON_AIR = re.compile(
    r"\s?(?:RA\b|on\s(?:RA|air|room\sair|\dL|\d\s?l|oxygen|O2)|OA\b|stenosis|occlu\w+|neutrophils)"
)


def _no_finding(match: re.Match[str]) -> bool:
    """'a 9 mm nodule' is a finding that many have; height and weight belong to a person."""
    text, start, end = match.string, match.start(), match.end()
    if _FINDING_UNIT.search(match.group()) is None:
        return True
    if _BUILD.search(text, max(0, start - 24), end + 12):
        return True
    return not is_clinical(text) and _FINDING.search(text, max(0, start - 60), end + 40) is None


def _no_vital_sign(match: re.Match[str]) -> bool:
    """'sats 91% on air' is no fact that singles a person out."""
    text, start, end = match.string, match.start(), match.end()
    return _VITAL.search(text, max(0, start - 36), start) is None and _ON_AIR.match(text, end) is None


_FEW = rf"(?:\d{{1,2}}|{NUMBER_WORDS})"
_OFFSPRING = (
    r"(?:(?:great-)*(?:grand|step|god|foster\s)?(?:children|kids|sons|daughters)|(?:great-)*grandkids|(?:half-|step)?(?:brothers|sisters)|siblings|boys|girls|nieces|nephews|cousins|godchildren"
    r"|aunts|uncles|bairns|weans|babies|little\sones|toddlers|teenagers|wives|husbands|marriages|pregnancies|miscarriages|dependants|dependents|dogs|cats|horses)"
)
_RANK = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teenth|last|runner-up|\d{1,3}(?:st|nd|rd|th))"
)

_RULES: tuple[Rule, ...] = (
    rule(
        "percentage",
        rf"(?<![\w.,]){_ABOUT}{DIGITS}(?:{_PERCENT})?(?:\s?(?:to|and|or|-|–)\s?{DIGITS})?{_PERCENT}",
        "PERCENT",
        0.95,
        check=_no_vital_sign,
    ),
    rule(
        "percentage in words",
        rf"\b{NUMBER_WORDS}\s(?:per\scent|percent)\b",
        "PERCENT",
        0.95,
    ),
    rule(
        "measurement",
        rf"(?<![\w.,$€£]){_ABOUT}{DIGITS}(?:\s?(?:x|by|to|-|–)\s?{DIGITS})?[\s\-]?{_UNIT}"
        rf"(?![\w/])",
        "QUANTITY",
        0.85,
        check=_no_finding,
    ),
    rule(
        "measurement in words",
        rf"\b{NUMBER_WORDS}[\s\-]{any_of(_SPELT_UNITS)}\b",
        "QUANTITY",
        0.8,
    ),
    rule("feet and inches", r"\b[4-7]['’′]\s?(?:1[01]|0?\d)[\"”″]?(?!\w)", "QUANTITY", 0.75),
    rule(
        "exact count",
        r"(?<![\w.,/§$€£:-])(?P<m>(?P<n>\d{1,3}(?:[,.]\d{3})+|\d{2,6}|(?:(?:[Tt]wenty"
        r"|[Tt]hirty|[Ff]orty|[Ff]ifty|[Ss]ixty|[Ss]eventy|[Ee]ighty|[Nn]inety)[-‑\s]"
        r"(?:one|two|three|four|five|six|seven|eight|nine)))"
        r"(?:\s(?!of\b|in\b|to\b|and\b|at\b|the\b|by\b|on\b|for\b|with\b|from\b|as\b|or\b|who\b|but\b|is\b|was\b|has\b|had\b|when\b|per\b)[a-z]+)??\s(?P<noun>[a-z]{3,}s"
        r"|people|children|men|women))\b",
        "QUANTITY",
        0.6,
        check=_is_exact,
    ),
    # seven grandchildren, two grown-up sons, 3 kids: a household can be told by its numbers
    rule(
        "number of relatives",
        rf"(?<![\w.,/$€£-])(?P<m>{_FEW})\s(?:(?:adult|grown(?:-up)?|young(?:er)?|small|little|wee|older|elder|surviving|living|beautiful|lovely|adopted|foster|school-age|teenage|primary-age|disabled|rescue)\s){{0,2}}{_OFFSPRING}(?!\w)",
        "QUANTITY",
        0.7,
    ),
    # the youngest of nine, fourth of six children, one of 11 siblings, mother of three, mum-of-two
    rule(
        "number among brothers and sisters",
        rf"(?<!\w)(?:youngest|eldest|oldest|middle|baby|[Oo]ne(?=\sof\s{_FEW}\s{_OFFSPRING}\b)|{_RANK}|[Mm]other|[Ff]ather|[Mm]um|[Mm]om|[Dd]ad|[Gg]randmother|[Gg]randfather|[Gg]ran|[Nn]an|[Gg]randad|[Pp]arents|family|household|widow(?:er)?)"
        rf"(?:\schild|\sson|\sdaughter|\sborn)?[\s-]of[\s-](?P<m>{_FEW})(?=[.,;:!?)]|\s?$|\n|\s(?:{_OFFSPRING}|and|from|who|in|with|born|now|living|to|whose)\b)(?![.,]\d)",
        "QUANTITY",
        0.7,
    ),
    rule(
        "rank among brothers and sisters",
        rf"(?<!\w)(?:the|his|her|their|my|was|born)\s(?P<m>{_RANK})(?=\s(?:child\s|son\s|daughter\s|born\s)?of\s{_FEW}(?:\s(?:{_OFFSPRING})|[.,;]))",
        "QUANTITY",
        0.7,
    ),
    # a group of five doctoral students, a team of 12, his batch of 146
    rule(
        "size of a group",
        rf"(?<!\w)(?:group|staff|class|batch|cohort|crew|congregation|year\sgroup|squad|workforce|department|parish|village|school)\sof\s(?:about\s|around\s|some\s|nearly\s|over\s|just\s|only\s)?(?P<m>\d{{1,3}}(?:,\d{{3}})?|{NUMBER_WORDS})(?!\w|[.,]\d|\s?(?:%|per\s?cent|years?))",
        "QUANTITY",
        0.65,
    ),
    # He placed second in the fair, finished 4th, is ninth in his batch
    rule(
        "rank in a contest",
        rf"(?<!\w)(?:placed|finished|ranked|graduated|seeded|(?:came|comes|coming|finishing)(?=\s(?:joint\s)?(?!first\b|last\b)))\s(?:in\s)?(?:joint\s|equal\s)?(?P<m>{_RANK})(?=[.,;:!?)]|\s?$|\n|\s(?:in|out\sof|of|at|overall|nationally|among|with|for|place|and|from)\b)",
        "QUANTITY",
        0.65,
    ),
    rule(
        "rank of a person",
        rf"(?<!\w)(?:[Hh]e|[Ss]he|I|[Ww]ho)\s(?:is|was|am)\s(?P<m>{_RANK})(?=,?\s(?:in\s(?:his|her|my|the|a)\s(?:class|batch|year|cohort|race|league|table|list|world)|out\sof|with\s\d))",
        "QUANTITY",
        0.65,
    ),
)


@recognizers.register("quantities")
@dataclass(frozen=True)
class Quantities:
    """Percentages, measurements and exact counts by pattern."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="quantities")
