"""What a word is, in the plainest words that fit a sentence: "a medical condition", "a relative".

Concepts of WordNet that a reader would use (`neutral_phrases.tsv`) are anchors: everything below one may be
called by its phrase. A phrase of several words tells as much as the plain word beside it there, not what
its words would tell one by one: who reads "a medical condition" has learnt "a disease" at most.

Cost        a chain per word
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from heteronym.knowledge.bases import base, senses_in
from heteronym.knowledge.frequencies import information, word_frequency
from heteronym.knowledge.nouns import plural, singular
from heteronym.knowledge.taxonomy import normalized
from heteronym.knowledge.word_classes import verb_bases
from heteronym.knowledge.wordlists import lines, words

_MOST_WORDS = 3
_MOST_BITS = 7.75  # of a label of several words: "soft drug" reads well, "male offspring" does not
_KNOWN = 2.5e-6  # the share of a word in English text from which on a reader knows it


class Neutral(NamedTuple):
    """A phrase for all things of a kind, and the word that tells as much."""

    phrase: str
    telling: str


@cache
def _anchors() -> dict[int, Neutral]:
    found = {}
    for line in lines("neutral_phrases.tsv"):
        concept, phrase, telling = line.split("\t")
        found[_node(concept)] = Neutral(phrase, telling)
    return found


def _node(concept: str) -> int:
    term, _, sense = concept.partition("#")
    return base("wordnet").senses(term)[int(sense) - 1]


@cache
def plain_words() -> dict[str, str]:
    """Neutral phrases of several words, in both numbers -> the word that tells as much."""
    return {
        form: neutral.telling
        for neutral in _anchors().values()
        if " " in neutral.phrase
        for form in (neutral.phrase, plural(neutral.phrase))
    }


def neutrals(node: int) -> Iterator[Neutral]:
    """Neutral phrases for a concept of WordNet, the nearest first."""
    for above in base("wordnet").chain(node):
        found = _anchors().get(above)
        if found is not None:
            yield found


def neutrals_of(concept: str) -> Iterator[Neutral]:
    """The same for a concept as data files write it: `illness#1`."""
    return neutrals(_node(concept))


@cache
def telling_words() -> frozenset[str]:
    """Words for which there is a phrase that reads better without an article."""
    return frozenset(n.telling for n in _anchors().values() if " " in n.phrase)


def readable_labels(node: int, term: str = "") -> Iterator[str]:
    """Names of the concepts above one, as far as a reader takes each for what it means, up to the anchor.

    A name whose usual sense is another one misleads: a boiler is a "vessel", an invoice a "statement".
    """
    wordnet = base("wordnet")
    chain = wordnet.chain(node)
    for above in chain if node not in senses_in(wordnet, term) else chain[1:]:
        if above in _anchors():
            return
        name = wordnet.form(above)
        if name[:1].islower() and is_readable(name, above, term):
            yield name


def kind_by_ending(word: str) -> str | None:
    """The anchor of a word that no base knows, by how it ends: tonsillitis, zolpidem, colostomy."""
    low = singular(word.lower())
    for size in range(min(8, len(low) - 3), 2, -1):
        found = _endings().get(low[-size:])
        if found is not None:
            return found
    return None


@cache
def _endings() -> dict[str, str]:
    rows = (line.split("\t") for line in lines("word_endings.tsv"))
    return {ending: concept for concept, those in rows for ending in those.split()}


def kinds_by_cue(before: Sequence[str], behind: str = "") -> tuple[str, ...]:
    """Anchors of what stands between these words: what is prescribed is a drug, who speaks is a person."""
    for word in before:
        found = [kind for form in dict.fromkeys(verb_bases(word.lower())) for kind in _cues().get(form, ())]
        if found:
            return tuple(found)
    return tuple(
        kind for form in dict.fromkeys(verb_bases(behind.lower())) for kind in _cues().get(f"<{form}", ())
    )


def concept_of(anchor: str) -> int:
    """The concept that a data file writes as `illness#1`."""
    return _node(anchor)


@cache
def _cues() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines("kind_cues.tsv"):
        concept, those = line.split("\t")
        for cue in those.split():
            found.setdefault(cue, []).append(concept)
    return found


def is_readable(label: str, node: int | None, term: str = "") -> bool:
    """Whether a reader takes a label for what it means: short, of known words, and in a usual sense."""
    if f" {label}" in f" {term}":
        return True  # "pain" of "phantom limb pain"
    parts = label.split()
    if len(parts) > 1 and information(label) > _MOST_BITS:
        return False
    if len(parts) > _MOST_WORDS or "," in label or label in words("too_general"):
        return False
    if any((word_frequency(part) or 0.0) < _KNOWN for part in parts):
        return False
    if node is None:
        return True
    wordnet = base("wordnet")
    if _node("person#1") in wordnet.chain(node) and normalized(label) not in base("occupations"):
        return False  # a janitor is no "defender", a seamstress no "maker"
    senses = wordnet.senses(normalized(label))
    return not senses or node in senses[:2]
