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
from heteronym.text.index import index_of
from heteronym.text.recognizers.health import is_clinical
from heteronym.text.rule import MONTH, NAME_WORD, NUMBER_WORDS, WEEKDAY, Rule, find, rule

_NUMBER = rf"(?:1?\d{{1,2}}(?:½|\.5)?|{NUMBER_WORDS}(?:\sand\sa\shalf)?)"
_DECADE = r"(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|[1-9]0['’]?s)"

_RELATIVES = (
    r"(?:(?:step|grand|god|great-grand)?(?:mother|father|mum|mom|dad|sons?|daughters?)|(?:step)?(?:brothers?|sisters?)|grand?daughters?|siblings?"
    r"|wife|husband|partner|spouse|gran|nan|nana|grandma|grandpa|grandad|uncle|aunt|auntie|cousins?|nephews?|nieces?|twins|triplets|(?:grand)?children"
    r"|(?:grand)?kids|child|boys?|girls?|lads?|lass|baby|eldest|youngest|oldest|girlfriend|boyfriend|fianc[eé]e?|widow|lodger|carer|bro|sis|dau|[a-z]+-in-law)"
)
_RELATIVES_OR_ROLE = (
    rf"(?:{_RELATIVES}|lady|gentleman|woman|man|patient|client|applicant|claimant|victim|deceased|caller|tenant|resident|suspect|defendant|landlord"
    r"|neighbour|neighbor|friend|mate|housemate|flatmate|boss|teacher|ex|other\shalf|hubby|missus|little\sone|kid|boss|driver|pensioner|teenager|soldier|officer|nurse|motorist|cyclist|pedestrian|passenger|student|fella|bloke|guy)"
)
_ENDS = (
    r"(?=\s?(?:[.,;!?)\n]|$)|\s(?:and|but|when|now|next|this|today|years|yrs|in\s(?:[A-Z]\w*|\d+|a|two|three|march|may|june|july|[a-z]+\s(?:days|weeks|months|years)\b)|lol|with|at\sthe\stime|btw|who)\b)"
    r"(?!\s?(?:years|yrs)\s(?!old)|[.,]\d)"
)
_TENS = (
    r"(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[-\s](?:one|two|three|four|five|six|seven|eight"
    r"|nine))?|(?:thir|four|fif|six|seven|eigh|nine)teen)"
)
# Any age but "one", which is a pronoun as well; in figures, and from 13 on, where smaller ones are hours
_AGE = rf"(?:1[01]\d|[1-9]\d?|{_TENS}|(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))"
_GROWN = rf"(?:1[01]\d|1[3-9]|[2-9]\d|{_TENS})"
_ROUGHLY = (
    r"(?:(?:now|then|only|just|already|still|barely|hardly|maybe|perhaps|probably|like|about|around|approx\.?|approximately|roughly|almost|nearly"
    r"|over|under|well\sover|at\sleast|not\s(?:yet|even|quite)|going\son|getting\son\sfor|coming\sup\s(?:to|for|on)|pushing|approaching|knocking\son"
    r"|turning|c\.|circa|some|say|what)\s){0,2}"
)
# is, was then, would have been, 'll be, looks, claims to be, has just turned
_IS = (
    r"(?:['’](?:m|s|re|d\s(?:now\s)?(?:be|have\sbeen)|ll\s(?:soon\s)?be)|\s(?:am|is|was|are|were|(?:would|will|must|may|might|could|should|cannot|can['’]t)(?:\snow|\sonly|\snot)?\s(?:be|have\sbeen)"
    r"|(?:claim(?:s|ed)?|appear(?:s|ed)?|seem(?:s|ed)?|says\s(?:he|she)|reckons\s(?:he|she)|thought)(?:\sto\sbe|['’]s|\sis|\swas)?"
    r"|look(?:s|ed)|sound(?:s|ed)|turn(?:s|ed)|ha(?:s|d|ve)\s(?:just\s|recently\s)?turned|gave\s(?:his|her)\sage\sas))"
)
_AGED_PERSONS = (
    r"(?:men|women|man|woman|kids|children|child|boys?|girls?|people|persons?|anyone|anybody|everyone|everybody|those|adults?|teens|teenagers|students|pupils"
    r"|patients|residents|members|players|workers|males?|females?|pensioners|runners|drivers|sons|daughters|grandchildren|grandkids|siblings|youngsters"
    r"|lads?|lass(?:es)?|ladies|gentlem[ae]n|youths?|toddlers|infants|babies|residents|soul|person|fella|bloke|chap|guy|lady)"
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


_MEASURED = re.compile(
    r"(?i:\b(?:price[ds]?|shares?|clos(?:ed|ing)|trad(?:ed|ing)|valu(?:ed|e)|rat(?:e|ed|es)|set|capped|fixed|st(?:ood|ands?)|speed|temp(?:erature)?"
    r"|sats|spo2|hr|bp|rr|bmi|pulse|glucose|score[ds]?|level|pain|remain(?:s|ed)?|sold|estimated|limit(?:ed)?|count(?:ed)?|peak(?:ed)?|number|total(?:led)?"
    r"|driving|run(?:s|ning)?|chapter|page|item|channel|platform|gate|junction|table|room|door|bed|house|flat|trains?|bus|buses|flights?|ferry|tram|shops?|doors|meeting)\b)[^.\n]{0,24}$"
)


def _no_measure(match: re.Match[str]) -> bool:
    """'a stroke at 52' tells an age, 'sats at 94' and 'sold at 52' do not."""
    return _MEASURED.search(match.string, max(0, match.start() - 40), match.start()) is None


_TITLE_BEFORE = re.compile(
    rf"(?<!\w)(?:Mr|Mrs|Ms|Miss|Dr|Rev|Fr|Sr|Sister|Master|Nana?|Gran|Granny|Grandma|Grandad|Uncle|Aunt|Auntie)\.?\s(?:{NAME_WORD}\s)?$"
)
_NAME_BEFORE = re.compile(rf"(?<!\w)(?P<name>{NAME_WORD})\s(?:[A-Z]\.?\s)?$")


def _of_a_person(match: re.Match[str]) -> bool:
    """A number behind a comma is an age if a title, a relative or a first name comes before it."""
    text, start, name = match.string, match.start(), match.group("name")
    if name in _NOT_NAMES:
        return False
    if name == "Me" or _is_first_name(name) or _TITLE_BEFORE.search(text, max(0, start - 40), start):
        return True
    if _RELATIVE_BEFORE.search(text, max(0, start - 24), start):
        return True
    first = _NAME_BEFORE.search(text, max(0, start - 40), start)
    return first is not None and _is_first_name(first.group("name"))


_WARD_SIGNS = re.compile(
    r"\b(?:[Bb]ed\s\d|[Ww]ard|DNACPR|DNR|NOK|COPD|T2DM|NOF|CVA|UTI|inpt|[Nn]ebs?|[Oo]bs|[Ss]ats|[Cc]annula|[Cc]atheter|[Hh]andover|NBM|IVABx?|NEWS|CIWA|MFFD|PCA|TTOs?)\b"
)


def _of_a_ward(text: str) -> bool:
    return len({sign.group() for sign in _WARD_SIGNS.finditer(text)}) > 1


def _of_a_patient_by_name(match: re.Match[str]) -> bool:
    """'Dot Eccleshall 71 COPD' is written on wards, whose shorthand is_clinical does not know."""
    if not _of_a_person(match):
        return False
    return is_clinical(match.string) or index_of(match.string).told(_of_a_ward)


_RULES: tuple[Rule, ...] = (
    rule(
        "years old",
        rf"(?<![\w.,])(?:{_NUMBER}[\s\-‑]*(?i:years?|yrs?|months?|mths?|mos?|weeks?|wks?|days?)\b\.?|\d{{1,2}}/(?:7|12|52))"
        rf"[\s\-‑]+(?i:olds?|young)\b",
        "AGE",
        0.97,
    ),
    rule(
        "years of age",
        rf"(?<![\w.,]){_NUMBER}\s(?i:years?|yrs?|months?|weeks?|days?)\s(?i:of\sage)\b",
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
        rf"|[Tt]urn(?:ed|ing|s)?|[Aa]ge\s(?:group|range|band)|[Bb]etween\sthe\sages\sof)[:\s]\s?(?:about\s|around\s|approx\.?\s|c\.\s?|just\s|only\s)?"
        rf"(?P<m>{_NUMBER}(?:,\s{_NUMBER}){{0,4}}(?:(?:,?\s(?:and|to|or|-|–|&)\s|\s?[-–]\s?){_NUMBER})?)\b"
        r"(?!\s?(?:%|:\d|hours?|minutes?|days?|into|to\b|in\b|off\b|down\b|out\b|of\b))",
        "AGE",
        0.9,
    ),
    rule(
        "turned",
        rf"(?<!\w)[Tt]urn(?:ed|ing|s)?\s(?P<m>{_AGE})(?=\s(?:in|on|last|this|next|yesterday|today)\b)",
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
        rf"\b(?:(?:I|[Hh]e|[Ss]he|[Ww]ho|[Yy]ou){_IS}|(?:[Ww]hen|while|both)\s(?:we|they|both)\swere|(?:im|Im|hes|shes|ur|youre)(?=\s)|(?:[Mm]um|[Mm]om|[Dd]ad|[Nn]an|[Gg]ran|[Gg]randma|[Gg]randad|[Hh]ubby|[Tt]wins){_IS}"
        rf"|(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]he|[Tt]heir|[Yy]our)\s(?:\w+\s)?{_RELATIVES_OR_ROLE}{_IS})\s{_ROUGHLY}"
        rf"(?P<m>{_AGE}){_ENDS}",
        "AGE",
        0.75,
    ),
    # I'm fifty-eight, fifty-nine in March; the kids are 7 and 4
    rule(
        "second number said of a person",
        rf"\b(?:(?:I|[Hh]e|[Ss]he|[Ww]ho|[Yy]ou){_IS}|(?:[Tt]hey|[Ww]e)(?:['’]re|\sare|\swere)|(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]he|[Tt]heir|[Yy]our)\s(?:\w+\s)?"
        rf"{_RELATIVES_OR_ROLE}{_IS})\s{_ROUGHLY}{_AGE}(?:,|\s(?:and|&|or)|,\s(?:and|or|nearly|almost))\s(?P<m>{_AGE})"
        rf"(?=[.;!?)\n]|,\s|$|\s(?:in|next|this|on|now|respectively|when|at\sthe\stime)\b)(?!,\d)",
        "AGE",
        0.7,
    ),
    # She says nineteen, claimed 21, gave his age as 40; "said five" tells anything
    rule(
        "age as it is claimed",
        rf"(?<!\w)(?:says|said|claims|claimed|states|stated|reckons|looks|looked|sounds|sounded|appears|appeared|age\s(?:given|stated|recorded)\sas)\s"
        rf"{_ROUGHLY}(?P<m>{_GROWN})(?=[,.;)\n]\D|\n|$|\s(?:but|though|or\sso|at\smost|tops)\b)",
        "AGE",
        0.7,
    ),
    # Our Tracey is twenty-three now, Kofi will be 9 in May
    rule(
        "number said of a first name",
        rf"(?<!\w)(?P<name>{NAME_WORD}){_IS}\s{_ROUGHLY}(?P<m>{_AGE}){_ENDS}",
        "AGE",
        0.7,
        check=lambda match: _is_first_name(match.group("name")),
    ),
    # Daughter 12 has asthma, son 9 and daughter 7; DS1 (6)
    rule(
        "number right behind a relative",
        r"(?<![\w-])(?:(?:[Ss]tep)?(?:[Ss]on|[Dd]aughter|[Bb]rother|[Ss]ister)|[Dd]au|[Dd]tr|[Bb]ro|[Ss]is|[Ww]ife|[Hh]usband|[Hh]usb|[Mm]other|[Ff]ather|[Mm]um|[Mm]om|[Dd]ad|[Bb]oy|[Gg]irl|[Nn]iece|[Nn]ephew"
        r"|[Gg]randson|[Gg]randdaughter|[Pp]artner|[Ss]pouse|[Ee]ldest|[Yy]oungest)\s(?P<m>1[01]\d|[1-9]\d?)(?=[,;)\n]|\.\s|\s?$|\s(?:has|and|&|is|was|with|who|lives?|at|both|also|in\s(?:[A-Z]|care|school))\b)(?!,\d)",
        "AGE",
        0.7,
    ),
    rule(
        "number behind a child of a forum",
        r"(?<!\w)(?:DS|DD|DC|DSS|DSD|LO|DH|DW|DP|MIL|FIL|SIL|BIL)\d?(?:\s\(|,\s|\s)(?P<m>[1-9]\d?)(?=[,;)\n]|\.\s|\s?$|\s(?:and|is|has|&)\b)",
        "AGE",
        0.7,
    ),
    # The driver, 27, was arrested: as newspapers write
    rule(
        "number between commas before a verb",
        r"(?<=[a-z],\s)[1-9]\d(?=,\s(?:was|is|has|had|who|whose|from|said|told|died|lives|lived|suffered|admitted|denied|appeared|pleaded|works|worked|moved)\b)",
        "AGE",
        0.7,
    ),
    # only six when her father left, 24 when she died
    rule(
        "age when something happened",
        rf"(?<!\w)(?:was|were|is|am|be|been|only|just|barely|about|aged|around|nearly|[’']m|[’']s|,)\s(?P<m>{_AGE})"
        rf"(?=,?\s(?:when|the\s(?:day|year|summer|winter|time)|at\sthe\stime)\s(?:I|he|she|we|they|you|his|her|my|our|their|the|it|that|this|of|{NAME_WORD})\b)",
        "AGE",
        0.75,
    ),
    # a stroke at 52, came to Leeds at seventeen, and, at 76, could do without it
    rule(
        "number behind at",
        rf"(?<![\w@])[Aa]t\s(?:just\s|only\s|barely\s|about\s|around\s)?(?P<m>{_GROWN})"
        r"(?=[.,;)!?]|\s?$|\n|\s(?:and|but|to|from|with|after|when|because|while|until|having|he|she|I|they|who|which|as\sa|on\sa|due\sto|following|of)\b)(?![.,:]\d)",
        "AGE",
        0.7,
        check=_no_measure,
    ),
    # kids under ten, women between 40 and 70, anyone over 65, a man of about sixty
    rule(
        "age of people",
        rf"(?<!\w){_AGED_PERSONS}\s(?:[a-z]+\s){{0,1}}(?:(?:is|are|was|were)\s)?(?:under|over|below|above|of|from)\s(?:the\sage\sof\s)?(?:about\s|around\s|nearly\s|some\s)?"
        rf"(?P<m>{_AGE}(?:(?:\sto\s|\s?[-–]\s?){_AGE})?)(?=[.,;:!?)]|\s?$|\n|\s(?:who|with|and|or|in|at|that|to|is|are|was|were|can|may|must|living|called|named|from|on|came|went|has|had|said|did|does)\b)(?![.,:]\d)",
        "AGE",
        0.75,
    ),
    rule(
        "people between two ages",
        rf"(?<!\w){_AGED_PERSONS}\s(?:[A-Za-z.]+\s){{0,6}}?between\s(?:the\sages\sof\s)?(?P<m>{_AGE}\sand\s{_AGE})"
        r"(?=[.,;:!?)]|\s?$|\n|\s(?:who|with|and|or|in|at|that|to|is|are|was|were|can|may|must|living|from|on)\b)(?![.,:]\d)",
        "AGE",
        0.75,
    ),
    # under-fives, the over-60s, under 12s
    rule(
        "those under or over an age",
        r"(?<!\w)(?:[Uu]nder|[Oo]ver)[-\s](?P<m>[1-9]\d?['’]?s|(?:four|five|six|seven|eight|nine|ten|eleven|twelve|sixteen|eighteen|twentie|thirtie|fiftie|sixtie|seventie|eightie)s)(?!\w)",
        "AGE",
        0.7,
    ),
    # a 70 something, thirty-something, sixty-odd; late fifties, early to mid 30s
    rule(
        "rough age",
        r"(?<![\w.,$€£])(?:[2-9]0|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)(?:[-\s]?(?:some?thing|sumthing)s?|[-\s]odd(?=[.,;)]|\s?\n)|(?<=ty)[-\s]?ish)(?!\w)|(?<![\w.,$€£])(?:[3-9]\d|2[5-9])[-\s]?ish(?!\w)",
        "AGE",
        0.8,
    ),
    rule(
        "part of a decade of life",
        r"(?<!\w)(?:[Ee]arly|[Mm]id|[Mm]iddle|[Ll]ate|[Ll]ower|[Uu]pper)(?:[-\s](?:to|or)[-\s](?:mid|late))?[-\s](?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)(?!\w)",
        "AGE",
        0.75,
    ),
    rule(
        "decade of somebody's life",
        r"(?<!\w)(?:my|his|her|their|your|our)\s(?P<m>(?:(?:early|mid|late)[-\s])?(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties|[2-9]0['’]?s))(?!\w)",
        "AGE",
        0.75,
    ),
    rule(
        "person of an age",
        r"(?<!\w)(?:[Qq]uinqua|[Ss]exa|[Ss]eptua|[Oo]cto|[Nn]ona)genarians?\b|(?<!\w)[Cc]entenarians?\b",
        "AGE",
        0.75,
    ),
    # her 80th birthday, in his ninety-first year
    rule(
        "birthday with a number",
        r"(?<!\w)(?P<m>\d{1,2}(?:st|nd|rd|th)|1[01]\dth|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-\w+|(?:twen|thir|for|fif|six|seven|eigh|nine)tieth|hundredth"
        r"|(?:thir|four|fif|six|seven|eigh|nine)teenth|(?:fif|six|seven|eigh|nin|ten|eleven|twelf)th|first|second|third)\s(?:birthday|b-?day)s?(?!\w)",
        "AGE",
        0.8,
    ),
    rule(
        "year of somebody's life",
        r"(?<!\w)[Ii]n\s(?:his|her|my|their)\s(?P<m>(?:[2-9]\d|10\d)(?:st|nd|rd|th)|(?:(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-\w+|(?:six|seven|eigh|nine)tieth|hundredth))\syear(?!\w)",
        "AGE",
        0.85,
    ),
    # Mrs Pargeter, 88, ...; Joyce, 81, registered blind; Priya, 34
    rule(
        "number behind a name and a comma",
        rf"(?<!\w)(?P<name>{NAME_WORD}),\s(?P<m>1[01]\d|[1-9]\d?)(?=,\s\D|[;)]|\.\s|\.$|\s?\n|\s?$|\s(?:and|years|yrs|with)\b)",
        "AGE",
        0.72,
        check=_of_a_person,
    ),
    # Dot Eccleshall 71 COPD exac, Mr Ahmed 66 CVA: as wards write
    rule(
        "number behind a patient's name",
        rf"(?<!\w)(?P<name>{NAME_WORD})\s(?P<m>1[01]\d|[2-9]\d|1[6-9])(?=\s(?:[A-Z#]|with\b|w/|adm|post|s/p|c/o|\?)|,\s\D|\s?\n|\.\s)(?!\s?(?:RA|Bed|Ward|Room)\b)",
        "AGE",
        0.7,
        check=_of_a_patient_by_name,
    ),
    # Spouse      56; Son | 17; Wife: 44: as forms have it in columns
    rule(
        "number in the column of a relative",
        rf"(?<![\w-])(?i:{_RELATIVES}|self|insured|dependant|dependent)(?:[ \t]{{2,30}}|[ ]?[|;:\t][ ]?)"
        r"(?P<m>1[01]\d|[1-9]\d?)(?=[ \t]*(?:[|;,\n]|$)|[ \t]{2}|\s[MF]\b)(?![.,]\d)",
        "AGE",
        0.75,
    ),
    # Age / Sex    58 / F; Age (yrs): 4; AGE 61
    rule(
        "number in a field for age",
        r"(?<!\w)(?:Age|AGE|age)(?:[ ]?[/&][ ]?(?i:sex|gender)|[ ]\((?i:yrs?|years?)\)"
        r"|[ ](?i:at|on)[ ][A-Za-z ]{3,24}?)?"
        r"[ ]?(?:[:=|\t][ \t]*|[ \t]{2,24})(?P<m>1[01]\d|[1-9]\d?)(?![\w:]|[.,]\d|/\d)",
        "AGE",
        0.85,
    ),
    # M/34, F 62; 34, male; 27/f/leeds; (24f); [F27]
    rule(
        "sex and age",
        r"(?<![\w/.])(?:[MFmf]/(?P<m>[1-9]\d)(?!\w|[/.]\d))",
        "AGE",
        0.75,
    ),
    rule(
        "age and sex with a stroke",
        r"(?<![\w/.,$€£-])[1-9]\d(?=\s?/\s?[MFmf](?!\w))|(?<=[a-z]/)[1-9]\d(?=/[MFmf](?!\w))",
        "AGE",
        0.75,
    ),
    rule(
        "age and sex in brackets",
        r"(?<=[(\[])(?:[1-9]\d\s?[MFmf]|[MFmf]\s?[1-9]\d)(?=[)\],])",
        "AGE",
        0.8,
    ),
    rule(
        "age before a sex in words",
        r"(?<![\w.,/$€£-])(?P<m>1[01]\d|[1-9]\d)[,\s|/]{1,3}(?:[Mm]ale|[Ff]emale|MALE|FEMALE)(?=\s?(?:[,.;|)\n]|$)|\s{2}|\s(?:who|with|from|presents|presenting|presented|living|patient|admitted)\b)",
        "AGE",
        0.75,
    ),
    rule(
        "age behind a sex in words",
        r"(?<!\w)(?:[Mm]ale|[Ff]emale|MALE|FEMALE|[Bb]oy|[Gg]irl|[Ll]ady|[Gg]ent|[Mm]an|[Ww]oman)[,|/]?\s(?P<m>1[01]\d|[1-9]\d)(?=\s?(?:[,;|)\n]|$)|\.\s|\syrs?\b|\s(?:who|with|from)\b)(?!,\d)",
        "AGE",
        0.7,
    ),
    # 58y, 3 yrs, 2y 4m in a note about a patient
    rule(
        "years in a clinical note",
        r"(?<![\w.,/-])(?:1[01]\d|[1-9]\d?)\s?(?:y|Y)(?:\s?(?:1[01]|\d)\s?m)?(?=[\s,.;)]|$)",
        "AGE",
        0.75,
        check=_of_a_patient,
    ),
    # 40 next month, 7 in May: where it begins a sentence, an answer or a clause
    rule(
        "age to come",
        rf"(?:(?<=[,:(]\s)|(?<=\n)|(?<=[.!?]\s))(?P<m>{_AGE})(?=\s(?:in\s(?:{MONTH}(?!\s\d)|\d\sweeks|a\s(?:week|month|fortnight))|next\s(?:week|month|year|{MONTH}|{WEEKDAY})|come\s{MONTH})(?!\w))",
        "AGE",
        0.6,
    ),
    rule(
        "answer to how old",
        rf"(?<!\w)(?:[Hh]ow\sold|HOW\sOLD|(?:[Yy]our|[Hh]is|[Hh]er|ur)\sage)\b[^\n\d]{{0,40}}?"
        rf"(?:\n[^\n:\d]{{0,24}}:?[ ]?|[?.!][ ])"
        rf"(?P<m>{_AGE}|{NUMBER_WORDS})(?=[\s.,!?]|$)(?![.,]\d)",
        "AGE",
        0.7,
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
        rf"(?<!\w){NAME_WORD}(?:\s(?:is|was|turned|turns|will\sbe)|(?<=[a-z])['’]s)\s(?:now\s|only\s|just\s)?(?P<m>[1-9]\d?)(?=\s?(?:,\s[a-z]|[.;!?](?!\d))|\sand\s(?:[a-z]+s|in|has|a|{NAME_WORD})\b)",
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
        rf"(?<![\w-])(?i:{_RELATIVES_OR_ROLE})(?:\s\(|\)?,\s|\s(?:d\.|dec\.|died|dec['’]?d)\s(?:at\s|aged\s)?)"
        r"(?P<m>1[01]\d|[1-9]\d?)(?=\s?[,;)]|\.(?:\s|$)|\s(?:and|&|of|from|who|in)\s|\s[a-z]+\s(?:CA|ca|cancer)\b|\n|$)(?!,\s?\d\d\d)",
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
        rf"(?<!\w)(?:[Aa]t|[Bb]y)\s(?:just\s|only\s|barely\s)?(?P<m>1[3-9]|[2-9]\d|{_TENS})(?=,?\s(?:he|she)\s(?!said|told))",
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
