"""Which words are delicate, and why: the categories of `data/special_categories.toml`.

A noun is delicate because a concept above it is a root of a category: lymphoma is a kind of pathological
state (WordNet), lupus a connective tissue disease (MeSH), an imam a religious professional (ESCO). Words
that no taxonomy of nouns can reach (verbs, adjectives, turns of phrase) are listed beside the roots.

WordNet decides by the usual meaning of a noun. A special base (diseases, diagnoses, occupations) is
believed where WordNet does not know the term, or has the matter among its other meanings: "stroke" is
an illness to both, "love" is a term of MeSH and none in WordNet.

Reference   special categories: GDPR art. 9 and 10; categories at level 2 as the lexicon says
Cost        one walk up per term, kept
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from heteronym.knowledge.bases import base, senses_in
from heteronym.knowledge.lexicons import forms, lexicon
from heteronym.knowledge.taxonomy import Taxonomy, normalized
from heteronym.knowledge.wordlists import first_names, nationalities, words

_SPECIAL_BASES = ("diseases", "diagnoses", "occupations")
_CALLED = {"wordnet": "WordNet", "diseases": "MeSH", "diagnoses": "ICD-10-CM", "occupations": "ESCO"}
_SHORT = 3  # letters: acronyms and slips; such words count only where the lexicon lists them
_CODE = re.compile(r"[a-z]\d\d")  # a diagnosis as much as a camera


class Delicate(NamedTuple):
    """The categories of a term, the gravest first; `kind` and `source` say by which ancestor, and are
    empty if the term itself is listed."""

    categories: tuple[str, ...]
    kind: str = ""
    source: str = ""

    @property
    def category(self) -> str:
        return self.categories[0]

    def reason(self, words: str) -> str:
        if not self.kind or self.kind.lower() == words.lower():
            return words
        return f"{words}, a kind of {self.kind} ({self.source})"


@cache
def categories() -> Mapping[str, Mapping[str, Any]]:
    return {name: entry for name, entry in lexicon("special_categories").items() if "level" in entry}


def level_of(category: str) -> int:
    return int(categories()[category]["level"])


@cache
def delicate(term: str, noun: bool = True) -> Delicate | None:
    """The categories of a word or phrase in small letters; taxonomies are asked about nouns only."""
    listed = _listed().get(term, ())
    asks = noun and len(term) > _SHORT and term not in _besides() and _CODE.match(term) is None
    found = _by_ancestors(term) if asks else None
    if not listed:
        return found
    found = found or Delicate(())
    return found._replace(categories=_gravest_first({*listed, *found.categories}))


def _gravest_first(names: Collection[str]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: (-level_of(name), name)))


def _by_ancestors(term: str) -> Delicate | None:
    name = normalized(term)
    nodes = senses_in(base("wordnet"), name)
    if nodes and _is_a_name(name, nodes[0]):
        return None
    usual = _below("wordnet", nodes[0]) if nodes else None
    if usual is not None:
        return usual
    others = {c for node in nodes[1:] if (other := _below("wordnet", node)) for c in other.categories}
    for special in _SPECIAL_BASES:
        for node in senses_in(base(special), name)[:1]:
            found = _below(special, node)
            if found is not None and (not nodes or others & set(found.categories)):
                return found
    return None


@cache
def is_kind_of(term: str, root: str) -> bool:
    """Whether the usual meaning of a noun lies below a concept of WordNet written as `term#sense`."""
    nodes = senses_in(base("wordnet"), normalized(term))
    return bool(nodes) and _concept("wordnet", root) in base("wordnet").all_above(nodes[0])


@cache
def certain_words(level: int) -> frozenset[str]:
    """Words of categories of at least this level that mean nothing else: listed, or all their senses
    below the roots. For whoever checks a text without parsing it."""
    least = {name for name in categories() if level_of(name) >= level}
    found = {word for word, names in _listed().items() if least & set(names)}
    wordnet = base("wordnet")
    for term in wordnet.terms():
        if len(term) <= _SHORT or " " in term or term in _besides():
            continue
        kinds = [_below("wordnet", node) for node in wordnet.senses(term)]
        only = all(kind is not None and least & set(kind.categories) for kind in kinds)
        if only and not _is_a_name(term, wordnet.senses(term)[0]):
            found.add(term)
    return frozenset(found)


@cache
def _listed() -> Mapping[str, tuple[str, ...]]:
    """Word or phrase -> categories that list it."""
    found: dict[str, list[str]] = {}
    for name, entry in categories().items():
        own = {word.replace("_", " ") for word in str(entry["words"]).split()}
        for known in entry.get("lists", ()):
            own |= {word.lower().replace("_", " ") for word in words(known)}
        for word in own:
            for form in forms(word) if word.isalpha() else (word,):
                found.setdefault(form, []).append(name)
    return {word: tuple(names) for word, names in found.items()}


@cache
def longest_listed() -> int:
    """Words of the longest phrase that is looked up."""
    return min(4, max(len(phrase.split()) for phrase in _listed()))


@cache
def _besides() -> frozenset[str]:
    listed = str(lexicon("special_categories")["besides"]["words"]).split()
    return frozenset(form for word in listed for form in forms(word))


@cache
def _roots() -> Mapping[tuple[str, int], str]:
    """(base, concept) -> category"""
    found: dict[tuple[str, int], str] = {}
    for name in categories():
        for base_name, root in _written_roots(categories()[name]):
            found[base_name, _concept(base_name, root)] = name
    return found


def _written_roots(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, base_name in (("roots", "wordnet"), *((special, special) for special in _SPECIAL_BASES)):
        for root in str(entry.get(key, "")).split("|"):
            if root.strip():
                yield base_name, " ".join(root.split())


@cache
def _numbers(base_name: str) -> Mapping[str, int]:
    return {name: node for node, name in enumerate(base(base_name).names)}


def _concept(base_name: str, root: str) -> int:
    """A concept of WordNet by term and sense, of another base by its name."""
    if base_name != "wordnet":
        return _numbers(base_name)[root]
    term, _, sense = root.partition("#")
    return base("wordnet").senses(term)[int(sense or 1) - 1]


@cache
def _below(base_name: str, node: int) -> Delicate | None:
    """The categories with a root above a concept, and the nearest of these roots."""
    taxonomy: Taxonomy = base(base_name)
    roots = [higher for higher in taxonomy.all_above(node) if (base_name, higher) in _roots()]
    if not roots:
        return None
    names = _gravest_first({_roots()[base_name, root] for root in roots})
    return Delicate(names, taxonomy.form(roots[0]), _CALLED[base_name])


def _is_a_name(term: str, node: int) -> bool:
    """Whether a term of WordNet names one person or place, or a nation: "Castro" is no kind of socialist
    to meet, "Miami" a city before it is a people, and whoever is Japanese has a passport."""
    if not base("wordnet").names[node][:1].isupper():
        return False
    called = term.capitalize()
    names = (first_names(), words("surnames"), nationalities())
    return any(called in some for some in names) or term in base("places")
