"""What a term is a kind of: `ancestors`, the one source of generalizations.

Several bases are asked in order. A typed mention asks the bases of its type first (a GPE places, a JOB
occupations), an untyped noun phrase WordNet first; a type whose bases do not know the term answers with
what a thing of that type is ("person", "organization"). Bases are read when first asked for.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from heteronym.knowledge import dates
from heteronym.knowledge.frequencies import phrase_frequency, singulars, word_frequency
from heteronym.knowledge.taxonomy import Taxonomy, normalized, read_taxonomy
from heteronym.knowledge.wordlists import lines

TAXONOMIES = ("wordnet", "places", "occupations", "diseases", "diagnoses")
UNTYPED = TAXONOMIES
_ARTICLES = ("the ", "a ", "an ")


class Ancestor(NamedTuple):
    """A more general concept of a term."""

    name: str  # in its base: "Spain", "E08-E13", "Medical doctors"
    form: str  # in a sentence, in place of the term: "Spanish city", "medical doctor"
    level: int  # steps above the term
    leaves: int  # how many most special concepts lie below it
    base: str
    node: int = -1

    @property
    def frequency(self) -> float:
        """The share of its readable form in English text."""
        return phrase_frequency(self.form)


class Sense(NamedTuple):
    """A concept that a term means, and where it was found."""

    base: str
    node: int


@cache
def base(name: str) -> Taxonomy:
    """A taxonomy of the package by its name."""
    found = read_taxonomy(files("heteronym.knowledge").joinpath("data", f"{name}.base").read_bytes())
    found.is_shared = True
    return found


@cache
def _types() -> dict[str, tuple[tuple[str, ...], str, str]]:
    """Entity type -> (bases to ask, the noun for things of the type, what they all are)."""
    rows = (line.split("\t") for line in lines("type_words.tsv"))
    return {
        name: (() if asked == "-" else tuple(asked.split()), noun, anchor)
        for name, asked, noun, anchor in rows
    }


@cache
def anchor_of(type: str | None) -> int | None:
    """The concept of WordNet that everything of a type is: Siemens, an ORG, is no unit of measurement."""
    anchor = _types()[type][2] if type in _types() else "-"
    term, _, sense = anchor.partition("#")
    return None if anchor == "-" else _sense(base("wordnet"), term, int(sense))


@cache
def _kinds() -> dict[str, str]:
    rows = (line.split("\t") for line in lines("organization_kinds.tsv"))
    return {word: kind for listed, kind in rows for word in listed.split()}


Own = Sequence[Taxonomy]


def ancestors(
    term: str, type: str | None = None, *, sense: int = 1, every: bool = False, own: Own = ()
) -> tuple[Ancestor, ...]:
    """What `term` is a kind of, nearest first; empty if nobody knows it.

    `sense` picks another meaning than the usual one. `every` lists the ancestors over all parents instead
    of the first parents' chain. `own` are taxonomies of the caller, asked before all others.
    """
    found = chain_of(term, type, sense=sense, every=every, own=own)
    if found or type is None:
        return found
    return _of_type(type)


def chain_of(
    term: str, type: str | None = None, *, sense: int = 1, every: bool = False, own: Own = ()
) -> tuple[Ancestor, ...]:
    """Like `ancestors`, but a type alone answers nothing."""
    name = normalized(term)
    if name[:1] in "at" and name.startswith(_ARTICLES):
        name = name.partition(" ")[2]
    for taxonomy in own:
        node = _sense(taxonomy, name, sense)
        if node is not None:
            return above(taxonomy, node, every=every)
    for asked in asked_for(type):
        special = _COMPUTED.get(asked)
        if special is not None:
            answer = special(term)
            if answer:
                return answer
            continue
        node = _sense(base(asked), name, sense)
        if asked == "wordnet" and node is not None and sense == 1:
            node = _sense_of_type(name, node, anchor_of(type))
        if node is not None:
            return above(base(asked), node, every=every)
    return ()


def _sense_of_type(name: str, usual: int, anchor: int | None) -> int | None:
    """The first sense of a noun that lies below the concept of its type."""
    if anchor is None:
        return usual
    wordnet = base("wordnet")
    nodes = wordnet.senses(name) or (usual,)
    return next((node for node in nodes if anchor in wordnet.chain(node)), None)


def senses_of(term: str, type: str | None = None, *, own: Own = ()) -> tuple[Sense, ...]:
    """The concepts a term means in the first base that knows it, the usual one first."""
    name = normalized(term)
    for taxonomy in [*own, *(base(asked) for asked in asked_for(type) if asked not in _COMPUTED)]:
        for form in (name, *_last_word_singulars(name)):
            nodes = taxonomy.senses(form)
            if nodes:
                return tuple(Sense(taxonomy.name, node) for node in nodes)
    return ()


def asked_for(type: str | None) -> tuple[str, ...]:
    """Names of the bases that a mention of the type asks, in order."""
    if type is None:
        return UNTYPED
    return _types()[type][0] if type in _types() else UNTYPED


def same(term: str, other: str, type: str | None = None) -> bool:
    """Whether two terms mean the same concept: "Germany's capital" and "Berlin"."""
    first, second = senses_of(term, type), senses_of(other, type)
    return bool(first) and bool(second) and first[0] == second[0]


def senses_in(taxonomy: Taxonomy, name: str) -> Sequence[int]:
    """The concepts of a normalized term, or of its singular, in one base."""
    nodes = taxonomy.senses(name)
    if nodes and taxonomy.name == "wordnet" and name.endswith(("s", "men")) and len(name) > 2:
        nodes = _persons(taxonomy, name) or nodes
    return nodes or next(filter(None, map(taxonomy.senses, _last_word_singulars(name))), ())


@cache
def _persons(wordnet: Taxonomy, name: str) -> Sequence[int]:
    """Several persons, where WordNet knows a plural as something else: "leaders" as leadership, "judges" as a
    book, "men" as a work force. A word that has no other form ("pliers") is what it is, and so is a name
    that is commoner than its singular ("Kansas")."""
    known_as, person = wordnet.form(wordnet.senses(name)[0]), wordnet.senses("person")[0]
    if known_as == name:
        return ()
    for form in _last_word_singulars(name):
        nodes = wordnet.senses(form)
        common = known_as.lower() != name or (word_frequency(form) or 0.0) > (word_frequency(name) or 0.0)
        if nodes and person in wordnet.chain(nodes[0]) and common:
            return nodes
    return ()


def _sense(taxonomy: Taxonomy, name: str, sense: int) -> int | None:
    nodes = senses_in(taxonomy, name)
    return nodes[sense - 1] if 0 < sense <= len(nodes) else None


def _last_word_singulars(name: str) -> Iterable[str]:
    first, joint, last = name.rpartition(" ")
    return (first + joint + form for form in singulars(last))


_tails: dict[tuple[str, int, int], tuple[Ancestor, ...]] = {}


def above(taxonomy: Taxonomy, node: int, *, every: bool = False, level: int = 0) -> tuple[Ancestor, ...]:
    if every:
        chain = taxonomy.all_above(node)[1:]
        return tuple(record(taxonomy, higher, number) for number, higher in enumerate(chain, 1))
    if taxonomy.name == "places":
        return place_chain(taxonomy, node)
    parents = taxonomy.parents(node)
    if not parents:
        return ()
    # what lies above is the same for all children of a concept, so it is kept with the parent
    key = (taxonomy.name, parents[0], level)
    found = _tails.get(key) if taxonomy.is_shared else None
    if found is None:
        higher = above(taxonomy, parents[0], level=level + 1)
        found = (record(taxonomy, parents[0], level + 1), *higher)
        if taxonomy.is_shared:
            _tails[key] = found
    return found


def record(taxonomy: Taxonomy, node: int, level: int) -> Ancestor:
    return Ancestor(
        taxonomy.names[node], taxonomy.form(node), level, taxonomy.leaves[node], taxonomy.name, node
    )


@cache
def _adjectives() -> dict[str, str]:
    found = dict(line.split("\t") for line in lines("continent_adjectives.tsv"))
    for line in lines("countries.tsv"):
        country, _, people = line.split("\t")
        if people:
            found.setdefault(country, people.split("|")[0])
    return found


@cache
def _region_kinds() -> dict[str, str]:
    return dict(line.split("\t") for line in lines("region_kinds.tsv"))


@cache
def place_chain(taxonomy: Taxonomy, node: int) -> tuple[Ancestor, ...]:
    """Names of the places around, each with a form that keeps what the term is: "Spanish city"."""
    chain = taxonomy.chain(node)
    names = [taxonomy.names[place] for place in chain]
    kind = _kind_of_place(names)
    own = without_accents(names[0])
    records = []
    for level in range(1, len(chain)):
        name = names[level]
        if without_accents(name) in own or own in without_accents(name):
            continue  # "State of Berlin" tells the city, the canton of Zurich tells Zürich
        adjective = _adjectives().get(name)
        form = kind if name == "place" else f"{adjective} {kind}" if adjective else f"{kind} in {name}"
        records.append(Ancestor(name, form, level, taxonomy.leaves[chain[level]], "places", chain[level]))
    return tuple(records)


def kind_of_place(taxonomy: Taxonomy, node: int) -> str:
    """city, region (state, province), country, continent or place"""
    return _kind_of_place([taxonomy.names[place] for place in taxonomy.chain(node)])


def without_accents(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _kind_of_place(names: Sequence[str]) -> str:
    """By how many places lie around it: place, continent, country, region, city."""
    if len(names) == 4 and names[1] in _adjectives():
        return _region_kinds().get(names[1], "region")
    return ("place", "continent", "country", "region", "city")[min(len(names), 5) - 1]


def kinds_of_organizations() -> int:
    return len(set(_kinds().values()))


def _organization(term: str) -> tuple[Ancestor, ...]:
    """The kind of an organization by the nouns in its name, the last one first."""
    parts = normalized(term).replace(".", "").replace(",", " ").split()
    before_of = parts[: parts.index("of")] if "of" in parts[1:] else parts
    for word in [*reversed(before_of), *reversed(parts)]:
        kind = _kinds().get(word)
        if kind is not None:
            return named(kind)
    return ()


def named(noun: str) -> tuple[Ancestor, ...]:
    """A concept of WordNet written as `term#sense`, as an ancestor, and what lies above it."""
    term, _, sense = noun.partition("#")
    node = _sense(base("wordnet"), term, int(sense or 1))
    if node is None:
        return ()
    wordnet = base("wordnet")
    own = Ancestor(wordnet.names[node], term, 1, wordnet.leaves[node], "wordnet", node)
    return (own, *above(wordnet, node, level=1))


@cache
def _of_type(type: str) -> tuple[Ancestor, ...]:
    return named(_types()[type][1]) if type in _types() else ()


def _date(term: str) -> tuple[Ancestor, ...]:
    periods = dates.periods_around(term)
    return tuple(Ancestor(name, name, level, days, "dates") for level, (name, days) in enumerate(periods, 1))


_COMPUTED: dict[str, Callable[[str], tuple[Ancestor, ...]]] = {"organizations": _organization, "dates": _date}


def noun_of_type(type: str) -> str | None:
    """The concept that a thing of an entity type is, as data files write it."""
    return _types()[type][1] if type in _types() else None
