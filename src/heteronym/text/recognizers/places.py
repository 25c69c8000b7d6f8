"""Places by gazetteer, by head noun and by the words before them.

Names that are a place wherever they stand come from the gazetteer. Names that are also words or
surnames count after a word that places somebody ("lives in Reading", "born in Van"). Head nouns split
what most models call LOC: "county", "village" -> GPE, "river", "lake" -> LOC, "street", "bridge" -> FAC.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.places import STATES, plain_places, type_of
from heteronym.knowledge.wordlists import nationalities
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.rule import MONTHS, UPPER, Rule, find, rule

_CAP = rf"[{UPPER}](?:[\w’'‑-]*[\w])?"
_WORD = re.compile(rf"(?<![\w’'‑.@#/-]){_CAP}")

GPE_HEADS = (
    "County Province District State Region Municipality City Town Village Governorate "
    "Prefecture Parish Oblast Canton Borough Township Emirate Voivodeship"
)
LOC_HEADS = (
    "River Lake Sea Ocean Bay Gulf Strait Channel Mountain Mountains Mount "
    "Hills Hill Valley Island Islands Peninsula Desert Forest Coast Beach Canyon "
    "Falls Glacier Plateau Delta Basin Archipelago Cape Reef"
)
FAC_HEADS = (
    "Street Road Avenue Boulevard Lane Drive Square Bridge Tunnel Highway Motorway "
    "Airport Station Stadium Arena Tower Building Palace Castle "
    "Cathedral Church Mosque Temple Museum Hospital Prison Hotel Park Mall "
    "Plaza Terminal Harbour Port Dam Pier Cemetery Zoo Monument Barracks"
)
FACILITY_WORDS = frozenset(FAC_HEADS.lower().split()) | frozenset(
    (
        "st rd ave blvd hall house theatre theater library gardens centre center clinic jail stadium school"
    ).split()
)
WATER_AND_LAND_WORDS = frozenset(LOC_HEADS.lower().split()) | frozenset(
    "north south east west northern southern eastern western".split()
)


def _heads(words: str) -> str:
    return "(?:" + "|".join(sorted(words.split(), key=len, reverse=True)) + ")"


_HOUSES = (
    "hostel|factory|warehouse|practice|surgery|clinic|market|retail park|shopping centre|shopping center|"
    "pub|hotel|restaurant|café|cafe|gym|nursery|school|primary school|secondary school|high school|"
    "sixth form|college|church|mosque|temple|synagogue|gurdwara|estate|farm|depot|plant|mill|mine|"
    "shipyard|bakery|brewery|foundry|branch|store|supermarket|ward|wing|building|lodge|care home|"
    "nursing home|children's home|hospice|hospital|prison|barracks|camp|library|leisure centre|"
    "community centre|health centre|medical centre|day centre|job centre|station|office|offices|club|"
    "academy|campus|flats|site|terminal|refinery|quarry|salon|garage|showroom|canteen|orphanage|convent|"
    "monastery|cemetery|allotments|playgroup|playschool|preschool|kindergarten|hall|theatre|cinema|arena|"
    "studio|studios|festival|bar|bistro|takeaway|chippy|deli"
)


def _houses(words: str) -> str:
    return (
        "(?:" + "|".join(word.replace(" ", r"\s") for word in sorted(words.split("|"), key=len)[::-1]) + ")"
    )


# Capitalized words that name no house: "Our local pub", "Monday market", "Regional hospital"
_NO_HOUSE = (
    frozenset(
        "I He She They We It A An The My His Her Our Your Their This That Then There When Where What "
        "Which Who If But And So Or No Not Yes On In At By For From To Of As Is Was Are Were Some Any "
        "All Every Each Both Another Other New Old Local Nearby High Primary Secondary Main Head Front "
        "Back Car Post Home Post-office Any".split()
    )
    | frozenset(MONTHS)
    | frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
)
# A town ("St Albans", "St Helens") or a person ("St John")
_SAINT_AND_TOWN = re.compile(
    r"^(?:St\.?|Saint)\s(?:Albans|Helens|Ives|Andrews|Austell|Petersburg|Louis|Paul|Lucia|Kitts|Vincent)$"
)


def _names_a_house(surface: str) -> bool:
    words = surface.split()
    head = words[0].removesuffix("'s").removesuffix("’s")
    return head not in _NO_HOUSE and head not in _ADJECTIVES and head not in nationalities()


_NOT_THE = (
    r"(?!The\b|This\b|That\b|In\b|On\b|At\b|Our\b|My\b|His\b|Her\b|Each\b|Every\b|No\b|Member\b"
    r"|Contracting\b|United\b|First\b)"
)

_WAYS = ("Street", "Road", "Avenue", "Boulevard", "Lane", "Drive", "Square")
_ADJECTIVES = frozenset(
    (
        "Supreme High Regional District Federal National State Central General "
        "Public Civil Military Criminal Detention Remand Police Railway Train Bus "
        "Fire Power Main Old New"
    ).split()
) - {"Old", "New"}
_INSTITUTIONAL = frozenset(
    ("Justice Emergency Appeal Cassation Law State Defence Interior Affairs War Origin").split()
)
_NOT_PLACES = frozenset(
    "I He She They We It January February March April May June July August "
    "September October November December Monday Tuesday Wednesday "
    "Thursday Friday Saturday Sunday Mr Mrs Ms Dr Article Court Government "
    "Section Ministry Supreme Constitutional Christmas Easter Law Act Rule "
    "English French German "
    "Spanish Italian Russian Chinese Turkish Polish The A An His Her Their Our My".split()
)

_RULES: tuple[Rule, ...] = (
    rule(
        "district or town of a name",
        rf"(?<![\w’'])(?:(?:[Dd]istrict|[Cc]ounty|[Pp]rovince|[Mm]unicipality|[Rr]egion"
        rf"|[Ss]tate|[Cc]ity|[Tt]own|[Vv]illage|commune|governorate|prefecture|parish"
        rf"|borough|suburb|port|hamlet|department|canton)\sof\s)(?:the\s)?{_CAP}(?:\s{_CAP}){{0,2}}",
        "GPE",
        0.85,
        check=lambda match: match.group().rsplit(" ", 1)[-1] not in _INSTITUTIONAL,
    ),
    rule(
        "name before a kind of town",
        rf"(?<![\w’']){_NOT_THE}(?:{_CAP}\s){{1,3}}{_heads(GPE_HEADS)}\b(?!\s[A-Z]"
        rf"|\s(?:Court|Council|Office))",
        "GPE",
        0.75,
        check=lambda match: match.group().split()[0] not in _ADJECTIVES,
    ),
    rule(
        "name before a kind of landscape",
        rf"(?<![\w’']){_NOT_THE}(?:{_CAP}\s){{1,3}}{_heads(LOC_HEADS)}\b(?!\s[A-Z])",
        "LOC",
        0.8,
    ),
    rule(
        "kind of landscape before a name",
        rf"\b(?:Mount|Mt\.?|Lake|River|Cape|Gulf\sof|Bay\sof|Sea\sof|Strait\sof|Isle\sof)\s{_CAP}"
        rf"(?:\s{_CAP})?",
        "LOC",
        0.85,
    ),
    rule(
        "name before a kind of building",
        rf"(?<![\w’']){_NOT_THE}(?:{_CAP}\s){{1,4}}{_heads(FAC_HEADS)}\b(?!\s[A-Z])",
        "FAC",
        0.8,
        check=lambda match: match.group().split()[0] not in _ADJECTIVES or match.group().endswith(_WAYS),
    ),
    # "Fennimore's warehouse", "the Woodvale practice", "Hillview retail park": as in speech and notes
    rule(
        "name before a house in small letters",
        rf"(?<![\w’'.]){_NOT_THE}(?P<m>{_CAP}(?:\s(?:and\s|&\s|of\s|the\s)?{_CAP}){{0,3}}(?:(?<=['’]s)\s[a-z]+)?\s{_houses(_HOUSES)})(?![\w-])",
        "FAC",
        0.7,
        check=lambda match: _names_a_house(match.group("m")),
    ),
    # "St. Jude's", "St Osyth's C of E Primary", "Our Lady of the Cypress"
    rule(
        "house of a saint",
        rf"(?<![\w’'])(?:(?:St\.?|Saint|SS)\s{_CAP}(?:['’]s?)?(?:\s(?:C\sof\sE|CofE|RC|Catholic|Roman\sCatholic|Church\sof\sEngland))?(?:\s{_CAP}){{0,2}}"
        rf"|(?:Our\sLady|Sacred\sHeart|Holy\s(?:Trinity|Cross|Family|Name|Rosary|Redeemer|Spirit)|Christ\sthe\sKing|Immaculate\s{_CAP}|All\s(?:Saints|Souls))(?:['’]s?)?"
        rf"(?:\sof\s(?:the\s)?{_CAP}(?:\s{_CAP})?)?(?:\s(?:Church|School|Primary|College|Parish|Hospital|Academy|Convent))?)",
        "FAC",
        0.75,
        check=lambda match: not _SAINT_AND_TOWN.search(match.group()),
    ),
    rule(
        "house before its name",
        rf"(?<![\w’'])(?:Hospital|Clínica|Clinica|Hôpital|Universidad|Universidade|Università|Université|Universität|Colegio|Collège|Lycée|Gymnasium|Instituto|Institut|Escuela|Escola|Café|Restaurante?|Hotel|Villa"
        rf"|Klinik|Klinikum|Ospedale|Masjid|Gurdwara|Gereja|Iglesia|Chiesa|Kirche|Stadion|Estadio|Stade)\s(?:(?:da|de|do|di|del|della|dos|das|du|des|la|le|el|al|der|für|of|São|San|Santa|Santo|Sankt|St\.?)\s){{0,2}}"
        rf"{_CAP}(?:\s{_CAP}){{0,2}}",
        "FAC",
        0.75,
    ),
    rule(
        "after a word that places somebody",
        rf"\b(?:[Ll]ives?|[Ll]ived|[Ll]iving|resid(?:es?|ed|ing)|[Bb]orn|grew\sup"
        rf"|raised|based|located|situated|practising|practicing|detained|imprisoned"
        rf"|moved|moving|travell?ed|went|flew|arrived|stayed|staying|"
        rf"settled|native|home|near|outside|residing|works?|worked|working|studying"
        rf"|studied|deported|extradited|expelled|returned|emigrated|immigrated)\s(?:permanently\s|currently"
        rf"\s)?(?:in|to|at|of|from|near|on)?\s?(?:the\s)?(?P<m>{_CAP}(?:[\s‑-]{_CAP}){{0,2}}(?:\s?"
        rf"(?:,\s(?:in\s)?|\()(?:{_CAP})(?:\s{_CAP})?\)?)?)",
        "GPE",
        0.65,
        check=lambda match: match.group("m").split()[0].strip(",") not in _NOT_PLACES,
    ),
)


@cache
def _places() -> tuple[dict[str, str], dict[str, int]]:
    """Names -> type, and for every first word the largest number of words a name with it has."""
    types: dict[str, str] = dict(plain_places())
    lengths: dict[str, int] = {}
    for name in types:
        first = name.split(" ", 1)[0]
        lengths[first] = max(lengths.get(first, 1), name.count(" ") + 1)
    return types, lengths


_NEXT = re.compile(r"\s(?:(?:of|and|the|del|de|la|d['’]|du)\s){0,2}[\w.'’‑-]*\w")
_STATE = re.compile(rf",\s(?:{'|'.join([*STATES, *map(re.escape, STATES.values())])})\b(?!\s[A-Z][a-z])")
_TITLE_BEFORE = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Judge|Justice|President|Captain|St)\.?\s(?:[A-Z]\.\s?)*$"
)


@recognizers.register("places")
@dataclass(frozen=True)
class Places:
    """Places by gazetteer, head noun and cue, split into GPE, LOC and FAC."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        types, lengths = _places()
        result = find(texts, _RULES, source="places")
        for text, spans in zip(texts, result):
            done = 0
            for match in _WORD.finditer(text):
                start, end = match.span()
                if start < done:
                    continue
                word = match.group()
                if word.endswith(("'s", "’s")):
                    word, end = word[:-2], end - 2
                longest = lengths.get(word)
                if longest is None:
                    continue
                best = end if word in types else 0
                stop = end
                for _ in range(longest - 1):
                    more = _NEXT.match(text, stop)
                    if more is None:
                        break
                    stop = more.end()
                    if text[start:stop] in types:
                        best = stop
                if not best or (best == end and _TITLE_BEFORE.search(text, max(0, start - 16), start)):
                    continue
                kind, how = types[text[start:best]], "gazetteer"
                state = _STATE.match(text, best)
                if state is not None:
                    best, how = state.end(), "gazetteer and state"
                spans.append(Span(start, best, kind, 0.75, "places", how))
                done = best
        return result


def place_type(surface: str) -> str:
    """GPE, LOC or FAC for what a model calls a location."""
    known = type_of(surface.removeprefix("the ").removeprefix("The "))
    if known is not None:
        return known
    folded = surface.lower().replace(",", " ").split()
    if not folded:
        return "GPE"
    if folded[-1].strip(".") in FACILITY_WORDS:
        return "FAC"
    if not WATER_AND_LAND_WORDS.isdisjoint(folded):
        return "LOC"
    return "GPE"
