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
from heteronym.text.rule import LOWER, NUMBER_WORDS, UPPER, Rule, any_of, find, rule

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
    "relatives in-laws mums moms dads grandaughter grandsons granddaughters "
    "stepchildren stepchild half-brother "
    "half-sister great-aunt great-uncle foster-son foster-daughter".split()
)
_KIN_WORDS += [f"{kin} in law" for kin in "mother father brother sister son daughter".split()]
_KIN = any_of(_KIN_WORDS)
_KIN_AS_NAME = "(?:Mum|Mom|Mummy|Mommy|Dad|Daddy|Granny|Gran|Nan|Nana|Grandma|Grandpa|Grandad|Granddad)"
# What parents are called in other tongues; a name where nothing else says so.
_KIN_ABROAD = (
    "(?:[Aa]mma|[Aa]bbu|[Aa]mmi|[Aa]ppa|[Aa]buela|[Aa]buelo|[Tt]ía|[Tt]ío|[Bb]abcia|[Dd]ziadek"
    "|[Oo]ma|[Oo]pa|[Nn]onna|[Nn]onno|[Yy]iayia|[Bb]abushka|[Mm]ama|[Pp]apa|[Hh]almoni|[Ll]ola)"
)
_SPEAK = (
    "(?:says|said|is|was|has|had|hasnt|hasn['’]t|isnt|isn['’]t|wants"
    "|thinks|told|asked|called|rang|and|died|will|would|comes|came|cooks|made|makes)"
)
_NEAREST = any_of(
    (
        "mother father mom mum dad brother sister son daughter wife husband stepmother stepfather stepson "
        "stepdaughter stepbrother stepsister grandmother grandfather grandson granddaughter grandaughter "
        "uncle aunt auntie cousin nephew niece boyfriend girlfriend fiancé fiancée fiance fiancee gran nan "
        "grandma grandpa"
    ).split()
)
_SECONDS = (
    r"(?:little|big|baby|older|younger|elder|eldest|youngest|oldest"
    r"|twin|half|step|maternal|paternal|late|only|favourite|favorite|great)"
)
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
_DEGREE = re.compile(r"\b(?:B\.?Sc|B\.?A|B\.?Eng|LL\.?B|M\.?Eng|M\.?Chem|M\.?Math|[Hh]ons|degree)\b")
_SCHOOLING = (
    "school",
    "college",
    "earned",
    "passed",
    "certificate",
    "education",
    "diploma",
    "sekolah",
    "studied",
    "exam",
)


def _schooling(match: re.Match[str]) -> bool:
    """Short capitals are a certificate where school is spoken of."""
    around = match.string[max(0, match.start() - 120) : match.end() + 120].lower()
    return any(word in around for word in _SCHOOLING)


_RULES: tuple[Rule, ...] = (
    rule(
        "somebody's relative",
        rf"\b{_WHOSE}\s(?P<m>{_MODIFIER}{_KIN})\b(?!\s(?:company|companies|organisation"
        rf"|organization|tongue|country|land|board|language|nature|hood))",
        "FAMILY",
        0.6,
    ),
    rule(
        "children and siblings counted",
        rf"(?<![\w.,])(?P<m>(?:{NUMBER_WORDS}|\d{{1,2}}|[Nn]o|[Ss]everal)(?:[-\s](?:year|month|week)[-\s]old)?\s(?:(?:younger|older|elder|little|small|young"
        rf"|grown-up|adult|adopted|minor|teenage|school-age)\s)?(?:children|kids|sons?|daughters?|brothers?|sisters?|siblings|grandchildren|grandkids"
        rf"|stepchildren|twins|dependants|dependents|wives))\b",
        "FAMILY",
        0.7,
        check=lambda match: (
            match.group().split()[0].lower() != "one"
            or match.group().split()[-1].lower() in ("son", "daughter", "child", "brother", "sister", "twins")
        ),
    ),
    rule(
        "parent of several",
        r"\b(?:mum|mom|dad|mother|father|mommy|daddy|parent|grandmother|grandfather)(?:-|\s)(?:of|to)(?:-|\s)(?:\d|one|two|three|four|five|six|seven|eight|nine|ten|twins)\b",
        "FAMILY",
        0.85,
    ),
    # "granny Jean", "(husband)", "Son (Curtis", "wife died": in notes nobody writes whose
    rule(
        "relative in a note",
        rf"(?:(?<=\()|(?<=[.;:]\s)|(?<=,\s)|(?<=\n)|(?<=since\s)|(?<=with\s)|(?<=and\s)|(?<=that\s)|(?<=by\s)|(?<=from\s)|(?<=of\s))(?P<m>(?i:{_KIN}))"
        rf"(?=\)|\s\([A-Z]|,\s[A-Z][a-z]+(?:,|\s[A-Z])|\s(?:[A-Z][a-z]+(?:[,.;)]|\s[a-z])|has\b|had\b|is\b|was\b|died|deceased|called|rang|phoned|reports?|reported|lives|works|still|in\s[A-Z]|aware|informed|present|states?|says|said))"
        rf"(?<!\bex)",
        "FAMILY",
        0.65,
    ),
    # "little sister Citlali (9)", "plus uncle Shabs", "a cousin in Gaziantep", "There is a son, Andrzej"
    rule(
        "relative and a name",
        rf"(?<![\w-])(?P<m>(?:{_SECONDS}\s)?{_NEAREST})(?=\x20[{UPPER}][{LOWER}]+(?:[-‑][{UPPER}][{LOWER}]+)?(?:\s|[,.;:!?)’']|$))(?!\s(?:I|Mr|Mrs|Ms|God|Christ)\b)",
        "FAMILY",
        0.65,
    ),
    rule(
        "a relative told of",
        rf"(?<!\w)(?:an?|one|every\ssingle|every|another|plus)\s(?P<m>(?:{_SECONDS}\s)?{_NEAREST})"
        rf"(?=\s(?:in|from|back\sin|living\sin|near|outside)\s(?:the\s)?[{UPPER}]|,?\s[{UPPER}][{LOWER}]+|\s(?:called|named)\s[{UPPER}]|\s\([{UPPER}\d])",
        "FAMILY",
        0.65,
    ),
    # "w/ mother and son (11)", "FH: father d. 61", "sister w/ lupus", "(5, daughter born 20 Jan)"
    rule(
        "relative in shorthand",
        rf"(?:(?<=w/\s)|(?<=w/)|(?<=\bFH:\s)|(?<=\bFHx:\s)|(?<=\bNOK:\s)|(?<=\bSH:\s)|(?<=\bNOK\s)|(?<=[Ss]een:\s))(?P<m>(?i:{_KIN}))(?![\w-])",
        "FAMILY",
        0.75,
    ),
    rule(
        "relative with a fact in shorthand",
        rf"(?<![\w-])(?P<m>(?i:{_NEAREST}))(?=\s(?:w/|d\.\s?\d|dec['’]?d|\(\d\d?\)|\(\d\d?\sand|born\s\d|alive\s(?:and|&)\swell|A&W)|,\s\d\d?[,;)]|\),\s\d\d?,)",
        "FAMILY",
        0.7,
    ),
    rule(
        "relatives who live with somebody",
        rf"\b(?:[Ll]ives?|[Ll]iving|[Ll]ived|[Ss]taying|[Ss]tays)\s(?:[^.;\n]{{0,30}}?\s)?(?:with|w/)\s(?:an?\s|the\s)?(?P<m>{_KIN})(?![\w-])",
        "FAMILY",
        0.65,
    ),
    # A column of a table: "Fatima          wife        01/01/1978", or an item of a list: "son, Danny Nguyen"
    rule(
        "relative in a column",
        rf"(?:(?<=[\x20\t]{{2}})|(?<=\t)|(?<=\|\s))(?P<m>(?i:{_KIN}|dau|dtr|m-in-law|f-in-law|bro|sis))(?=[\x20\t]{{2,}}\S|\t|\s\||\sof\s[{UPPER}]|,\s[{UPPER}])",
        "FAMILY",
        0.7,
    ),
    # "husband drives for UPS": posts and notes begin so, without whose
    rule(
        "relative who does something",
        r"(?:(?:^|(?<=\n))[\x20\t•*-]*|(?<=[.;:!?]\s))(?P<m>(?:husband|wife|hubby|mum|mom|dad|bf|gf|boyfriend|girlfriend|fianc[eé]e?|(?:mother|father|sister|brother)[\s-]in[\s-]law"
        r"|parents|sister|brother|son|daughter))(?=\s(?:drives|works|worked|pick|picks|does|did|earns|runs|teaches|lives|lived|makes|stays|came|comes|says|thinks|wants|doesnt|doesn['’]t)\b)",
        "FAMILY",
        0.65,
    ),
    rule(
        "parents of a people",
        rf"(?<!\w)(?:born\s(?:in\s[{UPPER}]\w+\s)?to|of)\s(?:an?\s)?[{UPPER}][a-z]+(?:[-\s][{UPPER}][a-z]+)?\s(?P<m>parents)\b",
        "FAMILY",
        0.65,
    ),
    rule(
        "kin in another tongue",
        rf"(?<![\w'’-])(?P<m>{_KIN_ABROAD}(?=\s{_SPEAK}\b)|(?<=says\s){_KIN_ABROAD}(?=[.,;!?])|(?<=with\s){_KIN_ABROAD}\b)",
        "FAMILY",
        0.6,
    ),
    rule("kin as a name", rf"(?<![\w’']){_KIN_AS_NAME}(?=[\s,.’'!?)])", "FAMILY", 0.65),
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
        "marital status field",
        r"\b(?:marital\sstatus|family\sstatus)\s?[:\-]\s?(?P<m>\w+)",
        "MARITAL",
        0.9,
    ),
    rule(
        "marrying or divorcing",
        r"\b(?:[Hh]e|[Ss]he|I|[Tt]hey|who|applicants?|couple)\s(?:had\s|have\s|has\s)?"
        r"(?P<m>(?:got\s)?(?:married|divorced|remarried))\b",
        "MARITAL",
        0.7,
    ),
    rule(
        "marital status in a list",
        r"(?<=,\s)(?:single|married|divorced|widowed|separated|unmarried)(?=,\s|\.\s)|(?:(?<=[:.]\s)|(?<=\n))(?:[Dd]ivorced|[Ww]idowed|[Uu]nmarried|[Mm]arried|[Ss]eparated)(?=[.,;]|\stho|\swith\b|\sto\b|\n|$)"
        r"|(?<=[Ii]m\s)(?:divorced|married|single|widowed|separated)\b",
        "MARITAL",
        0.75,
    ),
    rule(
        "degree and subject",
        r"(?<![\w.])(?:B\.?Sc|M\.?Sc|B\.?A|M\.?A|M\.?Eng|B\.?Eng|Ph\.?D|M\.?B\.?A|LL\.?[BM]|M\.?Phil|D\.?Phil|B\.?Ed|M\.?Ed|MBBS|HND|PGCE|GCSEs?|A-[Ll]evels?|Diploma|Bachelor(?:\sof\s\w+)?"
        r"|Master(?:\sof\s\w+)?|NVQ(?:\sLevel\s\d)?|BTEC|Doctorate)\.?(?:\s\(?Hons\.?\)?)?\s(?:in\s)?[A-Z][a-z]+(?:\s(?:and\s|&\s|of\s)?[A-Z][a-z]+){0,3}",
        "EDUCATION",
        0.8,
    ),
    rule(
        "degree in agriculture, arts or the like",
        r"(?<![\w.])(?:BAgr|BAgrSc|BAcc|BArch|BBA|BCom|BComm|BDes|BFA|BMus|BN|BPharm|BSN|BTech|MAcc|MArch|MBBCh|MBChB|MChem|MCom|MDes|MFA|MLitt|MMath|MPA|MPH|MPharm"
        r"|MPhys|MRes|MSN|MSW|MTech|MusB|DPharm|PharmD|EdD|PGDip|PGCert|CertHE|DipHE|HNC|FdA|FdSc)(?:\s\(?Hons\.?\)?)?(?:\s(?:in\s)?[A-Z][a-z]+(?:\s(?:and\s|&\s|of\s)?[A-Z][a-z]+){0,3})?(?!\w)",
        "EDUCATION",
        0.75,
    ),
    rule(
        "leaving certificate",
        r"(?<![\w-])(?:GED|STPM|SPM|Abitur|Matura|Leaving\sCert(?:ificate)?|Junior\sCert(?:ificate)?|[Bb]accalaur[eé]at(?:e)?|IB\s[Dd]iploma|A[-\s][Ll]evels|AS[-\s][Ll]evels|O[-\s][Ll]evels"
        r"|GCSEs?|NCEA(?:\s[Ll]evel\s\d)?|HSC|ATAR|WASSCE|KCSE|KCPE|CSEC|[Hh]igh\s[Ss]chool\s(?:[Dd]iploma|[Ee]quivalency)|BTECs?|NVQs?|T\sLevels?)(?![\w-])",
        "EDUCATION",
        0.65,
        check=lambda match: not match.group().startswith(("SPM", "HSC", "GED")) or _schooling(match),
    ),
    rule(
        "associate degree",
        r"\b[Aa]ssociate(?:['’]?s)?\s[Dd]egree(?:\sin\s[A-Za-z]+(?:\s(?:[A-Z][a-z]+|science|studies|technology|engineering|administration))?)?",
        "EDUCATION",
        0.8,
    ),
    # "in fifth grade", "7th gr", "is in Year 10"
    rule(
        "class at school",
        r"(?<!\w)(?:(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth)\s(?:grade|class|form)(?=[.,;)\"”’]|\s(?:at|in|and|when|teacher|class|then|but|I)\b|$)(?<!second\sclass)(?<!first\sclass)"
        r"|(?:[1-9]|1[0-2])(?:st|nd|rd|th)\s(?:grade|gr\b\.?)(?:r\b)?)",
        "EDUCATION",
        0.7,
    ),
    rule(
        "year at school",
        r"(?:\b(?:[Ii]n|[Ii]nto|[Ss]tarts?|[Ss]tarted|[Ss]tarting|[Ll]eft\sin|[Ff]inished)\s(?P<m>(?:Year|Yr|year|yr|Form|Grade|grade|gr)\s(?:1[0-3]|[1-9])|Sixth\sForm|sixth\sform|[Kk]indergarten))"
        r"(?=[.,;)]|\s(?:at|and|now|with|this|when)\b|\n|$)",
        "EDUCATION",
        0.65,
    ),
    rule(
        "year at college",
        r"(?:(?<=\ba\s)|(?<=:\s)|(?<=\bas\sa\s)|(?<=\bis\s)|(?<=\bmy\s)|(?<=\bher\s)|(?<=\bhis\s)|(?<=,\s))(?:college\s|high\sschool\s)?(?:sophomore|freshman)(?:\syear)?(?=[.,;)\n]|\s(?:at|in|and|year|majoring|who)\b|$)",
        "EDUCATION",
        0.7,
    ),
    rule(
        "major subject",
        r"\b(?:[Dd]ouble[\s-][Mm]ajor(?:\sin|:)?|[Mm]ajor(?:ing|ed)\sin|[Mm]ajor:|[Mm]ajor\sin|[Mm]inor\sin)\s(?P<m>(?:bio|chem|math|econ|psych|phys|comp|poli|engl|hist|soci|anthro|philo|geo|neuro|ling|journ|account|nurs|educ|engin|business|art|dance|music|theat|law|film|stat)[a-z]*(?:\ssci(?:ence)?)?"
        r"(?:\s?(?:/|&|and)\s?[a-z]{3,})?)",
        "EDUCATION",
        0.7,
    ),
    rule(
        "going to read a subject",
        r"\b(?:off\sto|at|going\sto|place\sat|offer\sfrom)\s[A-Z][a-z]+\sto\s(?:do|read|study)\s(?P<m>[a-zA-Z][a-z]+(?:\s(?:and|with)\s[a-zA-Z][a-z]+)?)",
        "EDUCATION",
        0.75,
    ),
    rule(
        "class of a degree",
        r"(?<![\w:.,/-])(?:2[:.][12]|1st|2i{1,2})(?=\s\(?[Hh]ons|\s(?:in|from)\s[A-Z]|\s?(?:\n|$))",
        "EDUCATION",
        0.6,
        check=lambda match: (
            _DEGREE.search(match.string, max(0, match.start() - 90), match.start()) is not None
        ),
    ),
    rule(
        "student of a subject",
        r"\b(?:doctoral|PhD|graduate|postgraduate|undergraduate|master['’]?s|medical|law|nursing|engineering|first-year|second-year|third-year|final-year)\s"
        r"(?:student|candidate)(?:\sin\s[a-z]+(?:\s[a-z]+ing)?)?\b",
        "EDUCATION",
        0.75,
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
)


@recognizers.register("demographics")
@dataclass(frozen=True)
class Demographics:
    """Family, marital status and education, where they are said of a person."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return find(texts, _RULES, source="demographics")
