"""Word lists of the package: names, occupations, languages, peoples, creeds, parties, common words.

Each list is one file in `data/`, read when first asked for. Files say where their words come from;
words with a space are written with an underscore where a file holds several words to a line.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def lines(name: str) -> list[str]:
    """The lines of a data file without comments."""
    text = files("heteronym.knowledge").joinpath("data", name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


@cache
def words(name: str) -> frozenset[str]:
    """The words of a list: first_names, surnames, occupations, languages, peoples, creeds, parties, ..."""
    return frozenset(word.replace("_", " ") for line in lines(f"{name}.txt") for word in line.split())


@cache
def first_names() -> frozenset[str]:
    """First names, of English-speaking countries and of the world."""
    return words("first_names") | words("first_names_world")


@cache
def nationalities() -> dict[str, str]:
    """Adjective or demonym, singular and plural -> country."""
    found: dict[str, str] = {}
    for line in lines("countries.tsv"):
        country, _, people = line.split("\t")
        for word in filter(None, people.split("|")):
            found[word] = country
            if not word.endswith(("s", "ch", "sh", "ese", "man", "x")):
                found[word + "s"] = country
            elif word.endswith("man"):
                found[word[:-3] + "men"] = country
    return found


@cache
def peoples() -> frozenset[str]:
    """Everything that NORP names: nationalities, peoples, creeds' and parties' members."""
    return frozenset(nationalities()) | words("peoples") | words("creeds") | words("parties")
