"""What the program knows about places: which names are places, and of which kinds.

"Georgia" is a country, a state and a city: `kinds` tells all of them, largest first, because the
text alone seldom decides. Countries, states and regions are typed by hand; places of 15,000 and more
inhabitants come from GeoNames (CC BY 4.0).
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal

from heteronym.knowledge.wordlists import lines, words

PlaceType = Literal["GPE", "LOC"]

STATES = {
    "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
    "CT": "Connecticut", "DE": "Delaware", "FL": "Florida", "GA": "Georgia", "HI": "Hawaii", "ID": "Idaho",
    "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky", "LA": "Louisiana",
    "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota",
    "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada",
    "NH": "New Hampshire", "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina",
    "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania",
    "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas",
    "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington", "WV": "West Virginia",
    "WI": "Wisconsin", "WY": "Wyoming", "DC": "District of Columbia",
}  # fmt: skip


@cache
def countries() -> dict[str, str]:
    """Every name of a country -> its usual name."""
    found: dict[str, str] = {}
    for line in lines("countries.tsv"):
        country, others, _ = line.split("\t")
        for name in (country, *filter(None, others.split("|"))):
            found[name.removeprefix("The ").removeprefix("the ")] = country
    return found


@cache
def regions() -> dict[str, tuple[str, PlaceType]]:
    """Name -> (kind, entity type) for what is neither a country nor a town."""
    found: dict[str, tuple[str, PlaceType]] = dict.fromkeys(STATES.values(), ("state", "GPE"))
    for line in lines("regions.tsv"):
        name, kind, label = line.split("\t")
        found[name] = (kind, "LOC" if label == "LOC" else "GPE")
    return found


@cache
def cities() -> dict[str, str]:
    """Name of a place of 15,000 and more inhabitants -> country code of the largest of that name."""
    return dict(line.split("\t") for line in lines("cities.tsv"))


@cache
def great_cities() -> frozenset[str]:
    """Towns that a name in a text means before it means a person."""
    return frozenset(_GREAT_CITIES)


def kinds(name: str) -> tuple[str, ...]:
    """All kinds of place that bear the name, largest first; empty if it is not known as one."""
    found = []
    if name in countries():
        found.append("country")
    if name in regions():
        found.append(regions()[name][0])
    if name in cities():
        found.append("city")
    return tuple(found)


_KIND_BEFORE = re.compile(
    r"\b([Ss]tate|[Cc]ity|[Tt]own|[Rr]epublic|[Cc]ountry|[Pp]rovince|[Cc]ounty)\sof\s(?:the\s)?$|([A-Z][\w’'.-]+),\s$"
)
_KIND_AFTER = re.compile(r"\s(State|City|Province|County)\b|,\s([A-Z][\w’'.-]+(?:\s[A-Z][\w’'.-]+)?)")


def told_kind(text: str, start: int, end: int) -> str | None:
    """The kind of the place at `text[start:end]`, if its name has several and the text tells a smaller."""
    name = text[start:end]
    possible = kinds(name)
    if len(possible) < 2:
        return None
    told = None
    before = _KIND_BEFORE.search(text, max(0, start - 40), start)
    after = _KIND_AFTER.match(text, end)
    if before is not None:
        if before[1] is not None:
            told = before[1].lower()
        elif cities().get(before[2]) == "US" and name in STATES.values():
            told = "state"
    if told is None and after is not None:
        if after[1] is not None:
            told = after[1].lower()
        elif after[2] in STATES or after[2] in STATES.values() or after[2] in countries():
            told = "city"
    return told if told in possible and told != possible[0] else None


def type_of(name: str) -> PlaceType | None:
    """GPE or LOC for a known place."""
    if name in countries():
        return "GPE"
    if name in regions():
        return regions()[name][1]
    return "GPE" if name in cities() else None


@cache
def plain_places() -> dict[str, PlaceType]:
    """Names that are a place wherever they stand in capitals: not also a word, a first name or a surname."""
    doubtful = words("common_words")
    names = words("first_names") | words("surnames")
    found: dict[str, PlaceType] = {}
    for city in cities():
        if city not in names and city.lower() not in doubtful and len(city) > 3:
            found[city] = "GPE"
    for name, (_, label) in regions().items():
        if name not in _AMBIGUOUS:
            found[name] = label
    for name in countries():
        if name not in _AMBIGUOUS:
            found[name] = "GPE"
    for name in _GREAT_CITIES:
        found[name] = "GPE"
    return found


# Countries and regions that are as often a first name, a surname, a word or another thing.
_AMBIGUOUS = frozenset(
    "Jordan Chad Georgia Israel Kent Essex Devon Somerset Norfolk Surrey Java "
    "Queens Camden Lorraine Burgundy "
    "Attica Emirates Turkey Jersey Midlands Highlands Trinidad Dominica Virginia Carolina Pacific Levant "
    "Gold Coast US".split()
) - {"Turkey", "Georgia", "Jordan", "Israel", "Virginia", "US", "Jersey", "Trinidad", "Pacific"}

# Towns whose names are also words, first names or surnames, but nearly always mean the town.
_GREAT_CITIES = tuple(
    "London Paris Berlin Vienna Rome Madrid Moscow Warsaw Athens Dublin Boston Chicago Houston Dallas Denver "
    "Phoenix Seattle Detroit Philadelphia Atlanta Miami Cleveland Birmingham "
    "Manchester Liverpool Leeds Sheffield "
    "Bristol Nottingham Leicester York Cambridge Oxford Sydney Melbourne Perth Florence Venice Milan Cologne "
    "Geneva Zurich Orlando Austin Memphis Nashville Portland Baltimore Buffalo "
    "Edinburgh Glasgow Belfast Cardiff "
    "Delhi Mumbai Tokyo Beijing Shanghai Cairo Istanbul Ankara Kingston Lima Havana Barcelona Lyon Marseille "
    "Hamburg Frankfurt Munich Stuttgart Prague Budapest Bucharest Sofia Belgrade Zagreb Lisbon Porto Oslo "
    "Stockholm Copenhagen Helsinki Brussels Antwerp Amsterdam Rotterdam Washington "
    "Brisbane Adelaide Auckland "
    "Wellington Montreal Toronto Vancouver Ottawa Calgary Lincoln Norwich Exeter "
    "Plymouth Southampton Portsmouth "
    "Brighton Swansea Newcastle Sunderland Coventry Derby Bradford Durham".split()
)
