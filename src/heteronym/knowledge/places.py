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
def states() -> dict[str, str]:
    """Postal code -> state of the United States."""
    return dict(line.split("\t") for line in lines("states.tsv"))


@cache
def regions() -> dict[str, tuple[str, PlaceType]]:
    """Name -> (kind, entity type) for what is neither a country nor a town."""
    found: dict[str, tuple[str, PlaceType]] = dict.fromkeys(states().values(), ("state", "GPE"))
    for line in lines("regions.tsv"):
        name, kind, label = line.split("\t")
        found[name] = (kind, "LOC" if label == "LOC" else "GPE")
    return found


@cache
def cities() -> dict[str, str]:
    """Name of a place of 15,000 and more inhabitants -> country code of the largest of that name."""
    return dict(line.split("\t") for line in lines("cities.tsv"))


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


def kind_by_context(text: str, start: int, end: int) -> str | None:
    """The kind of the place at `text[start:end]`, if its name has several and the text tells a smaller."""
    name = text[start:end]
    possible = kinds(name)
    if len(possible) < 2:
        return None
    before = _KIND_BEFORE.search(text, max(0, start - 40), start)
    after = _KIND_AFTER.match(text, end)
    if before is not None and before[1] is not None:
        word = before[1].lower()
    elif before is not None and cities().get(before[2]) == "US" and name in states().values():
        word = "state"
    elif after is not None and after[1] is not None:
        word = after[1].lower()
    elif after is not None and any(after[2] in known for known in (states(), states().values(), countries())):
        word = "city"
    else:
        return None
    return word if word in possible and word != possible[0] else None


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
    names = words("first_names") | words("surnames")
    common, doubtful = words("common_words"), words("doubtful_places")
    towns = (city for city in cities() if len(city) > 3 and city not in names and city.lower() not in common)
    found: dict[str, PlaceType] = dict.fromkeys(towns, "GPE")
    found |= {name: label for name, (_, label) in regions().items() if name not in doubtful}
    found |= dict.fromkeys(countries().keys() - doubtful, "GPE")
    return found | dict.fromkeys(words("great_cities"), "GPE")
