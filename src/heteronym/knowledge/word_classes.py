"""Which parts of speech a word can be, by word lists alone: no tagger is asked.

A level says how usual a use is: 0 never, 1 known, and above one more than the bits of its count in texts that
people have tagged. Inflected forms (falls, fell, falling) have the levels of the verb they belong to.

Reference   WordNet 3.0 (index files, counts of cntlist.rev, exceptions), see docs/knowledge.md
Cost        a file of 0.2 MB, read once; a word is looked up by a handful of its possible base forms
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from heteronym.knowledge.bases import base
from heteronym.knowledge.frequencies import singulars, word_frequency
from heteronym.knowledge.nouns import looks_plural
from heteronym.knowledge.taxonomy import unpacked
from heteronym.knowledge.wordlists import words

_ENDINGS = (
    ("ies", "y"),
    ("ied", "y"),
    ("es", ""),
    ("es", "e"),
    ("s", ""),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
)
_DOUBLED = re.compile(r"([b-df-hj-np-tv-z])\1(?:ed|ing)$")
_BRITISH = (("ise", "ize"), ("yse", "yze"), ("our", "or"), ("isation", "ization"))
_OWNER = frozenset({"my", "your", "his", "her", "its", "our", "their"})


class Classes(NamedTuple):
    """How usual a word is as each part of speech."""

    noun: int = 0
    verb: int = 0
    adjective: int = 0
    adverb: int = 0

    @property
    def never_a_noun(self) -> bool:
        """Known, and as something else only."""
        return self.noun == 0 and self.verb + self.adjective + self.adverb > 0

    @property
    def only_a_noun(self) -> bool:
        """Whatever a tagger says: a noun, or a word that no list knows."""
        return self.verb == self.adjective == self.adverb == 0


@cache
def _listed() -> tuple[dict[str, Classes], dict[str, str], dict[str, str], dict[str, list[list[str]]]]:
    """Words, base forms of irregular verbs, nouns of adjectives, and idioms by their first word."""
    data = files("heteronym.knowledge").joinpath("data", "word_classes.base").read_bytes()
    _, arrays, texts = unpacked(data)
    levels = zip(arrays["noun"], arrays["verb"], arrays["adj"], arrays["adv"], strict=True)
    known = dict(zip(texts["words"], map(Classes._make, levels), strict=True))
    idioms: dict[str, list[list[str]]] = {}
    for idiom in texts["idioms"]:
        first, *rest = idiom.split(" ")
        idioms.setdefault(first, []).append(rest)
    irregular = dict(pair.split(" ") for pair in texts["irregular"])
    of_noun = dict(pair.split(" ") for pair in texts["of_noun"])
    return known, irregular, of_noun, idioms


@lru_cache(1 << 16)
def classes_of(word: str) -> Classes:
    """The levels of a word in small letters, in whatever form it stands."""
    known = _listed()[0]
    own = known.get(word, Classes())
    verb = max((known[form].verb for form in verb_bases(word) if form in known), default=0)
    adjective = own.adjective
    for ending in ("er", "est"):
        if word.endswith(ending) and not adjective:
            adjective = max(known.get(word[: -len(ending)] + end, own).adjective for end in ("", "e"))
    noun = own.noun
    for form in singulars(word):
        noun = max(noun, known.get(form, Classes()).noun)
    if not noun and is_noun(word):
        noun = 1
    if not (noun or verb or adjective or own.adverb):
        return next(
            (
                classes_of(word.replace(one, other))
                for one, other in _BRITISH
                if one in word and word.replace(one, other) != word
            ),
            Classes(),
        )
    return Classes(noun, verb, adjective, own.adverb)


def is_noun(word: str) -> bool:
    """Whether a base knows it, or its singular, as a thing."""
    taxonomies = [base(name) for name in ("wordnet", "diseases", "occupations")]
    return any(form in taxonomy for form in (word, *singulars(word)) for taxonomy in taxonomies)


@lru_cache(1 << 14)
def is_plural(word: str) -> bool:
    """Whether a word is the plural of a noun; "lupus" and "shingles" are things of their own."""
    if not looks_plural(word):
        return False
    wordnet = base("wordnet")
    nodes = wordnet.senses(word)
    if not nodes or wordnet.form(nodes[0]) != word:
        return True
    return any(
        (word_frequency(form) or 0.0) > (word_frequency(word) or 0.0)
        for form in singulars(word)
        if form in wordnet
    )


@lru_cache(1 << 14)
def is_ailment(word: str) -> bool:
    """Whether a word is first an illness or a drug, and has never been seen as a verb."""
    if classes_of(word).verb > 1:
        return False
    wordnet = base("wordnet")
    nodes = wordnet.senses(word)
    if not nodes:
        return any(form in base("diseases") for form in (word, *singulars(word)))
    above = {wordnet.senses(one)[0] for one in ("illness", "drug")}
    return not above.isdisjoint(wordnet.chain(nodes[0]))


def verb_bases(word: str) -> Iterator[str]:
    """What a form of a verb may be a form of."""
    yield word
    irregular = _listed()[1].get(word)
    if irregular:
        yield irregular
    for ending, other in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 1:
            yield word[: -len(ending)] + other
    if _DOUBLED.search(word):
        yield word[: -len("ing") if word.endswith("ing") else -len("ed")][:-1]


def is_function_word(word: str) -> bool:
    return word in words("function_words")


@cache
def _sense_counts() -> dict[str, tuple[int, ...]]:
    data = files("heteronym.knowledge").joinpath("data", "word_classes.base").read_bytes()
    rows = (line.split("\t") for line in unpacked(data)[2]["senses"])
    return {term: tuple(map(int, counts.split())) for term, counts in rows}


def times_seen(term: str, nodes: Sequence[int]) -> dict[int, int]:
    """How often each sense of a noun was meant in tagged texts, as far as it is one of WordNet's."""
    wordnet = base("wordnet")
    form = next((one for one in (term, *singulars(term)) if one in _sense_counts()), term)
    known = dict(zip(wordnet.senses(form), _sense_counts().get(form, ()), strict=False))
    return {node: known.get(node, 0) for node in nodes}


def noun_of(adjective: str) -> str | None:
    """ "arthritis" of "arthritic"."""
    return _listed()[2].get(adjective)


def idiom_ends(low: Sequence[str], at: int) -> int:
    """Where an idiom ends that begins at a word ("took part", "of course"), or `at`; in small letters."""
    idioms = _listed()[3]
    end = at
    for first in dict.fromkeys(verb_bases(low[at])):
        for rest in idioms.get(first, ()):
            if at + len(rest) < len(low) and all(map(_fits, rest, low[at + 1 : at + 1 + len(rest)])):
                end = max(end, at + 1 + len(rest))
    return end


def _fits(asked: str, word: str) -> bool:
    return asked == word or (asked in ("one's", "someone's", "somebody's") and word in _OWNER)
