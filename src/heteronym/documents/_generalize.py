"""What a telling noun phrase may become: shorter, a more general word, or a neutral phrase of its kind.

In this order, the first that tells at most beta:
    the head and those of its modifiers that tell little ("severe abdominal pain" -> "severe pain")
    a more general word that a reader takes for what it means ("a labrador" -> "a dog")
    the plain phrase of its kind ("a medical condition", "a building"), by the hierarchy, by the type of the
    mention, by how the word ends, by the word before it; at last "thing"

Reference   Sanchez, Batet, Viejo 2013 (paper 001), definition 4 and section III.D
Cost        a chain per phrase
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from heteronym.documents._oracles import Oracle
from heteronym.documents._phrases import Phrase
from heteronym.documents._senses import meant_concept
from heteronym.knowledge import kinds
from heteronym.knowledge.bases import (
    Ancestor,
    Own,
    ancestors,
    anchor_of,
    base,
    chain_of,
    noun_of_type,
    senses_of,
)
from heteronym.knowledge.frequencies import long_form
from heteronym.knowledge.nouns import article_for, is_name, own_article, plural, singular
from heteronym.knowledge.taxonomy import normalized
from heteronym.knowledge.word_classes import times_seen
from heteronym.knowledge.wordlists import words

LAST_RESORTS = ("thing", "world")
# Types of names: what is left of one is no more general than the name itself.
NAMES = frozenset("PERSON ORG INSTITUTION GPE LOC FAC PRODUCT EVENT WORK_OF_ART LAW NORP LANGUAGE".split())
_ARTICLE = re.compile(r"(?<![\w'’-])(an?)(\s+)$", re.IGNORECASE)
_WORDS_BEFORE = re.compile(r"[^\W\d_]+")
_WORD_BEHIND = re.compile(r"\s+([^\W\d_]+)")
_SENTENCE = re.compile(r"[.!?;:,\n]")
_AMOUNTS = {"MONEY": "some money", "PERCENT": "some part", "QUANTITY": "some amount"}
_ROOTS = {
    "occupations": "worker#1",
    "diseases": "illness#1",
    "diagnoses": "illness#1",
    "places": "location#1",
}
_NO_ILLNESS = (
    "drug#1",
    "substance#1",
    "artifact#1",
    "food#1",
    "act#2",
    "person#1",
    "organism#1",
    "body part#1",
)
_OWNING = ("'s", "’s", "s'", "s’")
_CUES = 3  # words before a phrase that may say what it is


class Part(NamedTuple):
    """A stretch of a phrase between blanks."""

    start: int
    end: int
    tag: str


class Choice(NamedTuple):
    """What a phrase becomes: a label of a dictionary, or what is left of its own words."""

    text: str
    is_own: bool = False


def parts_of(text: str, phrase: Phrase) -> list[Part]:
    """Words that stand together ("insulin-dependent", "Germany's") are one part."""
    tags = phrase.tags if len(phrase.tags) == len(phrase.words) else ("NN",) * len(phrase.words)
    parts: list[Part] = []
    for (start, end), tag in zip(phrase.words, tags, strict=True):
        if parts and not text[parts[-1].end : start].strip() and parts[-1].end == start:
            parts[-1] = Part(parts[-1].start, end, tag)
        else:
            parts.append(Part(start, end, tag))
    return parts


class Generalizer:
    """Finds what phrases become, below beta by an oracle."""

    def __init__(self, oracle: Oracle, beta: float, own: Own) -> None:
        self.oracle, self.beta, self.own = oracle, beta, own

    def tells(self, label: str) -> float:
        """Bits of a phrase as it will be written; a neutral phrase tells what its plain word tells."""
        plain = kinds.plain_words().get(label.lower())
        return self.oracle(label) if plain is None else min(self.oracle(plain), self.oracle(label))

    def choose(self, text: str, phrase: Phrase, around: Sequence[str]) -> Choice | None:
        """None if nothing at all tells little enough."""
        surface = text[phrase.start : phrase.end]
        if phrase.is_adjective:
            return self._adjective(surface)
        many = bool(phrase.use.plural)
        if phrase.type in _AMOUNTS and phrase.tags and phrase.tags[0] == "CD" and not phrase.use.determined:
            return Choice(_AMOUNTS[phrase.type], True)
        known = surface.isupper() and (long_form(surface) or chain_of(surface, own=self.own))
        if phrase.type in NAMES and not phrase.is_common and not known:
            labels = self._of_name(text, phrase)
        else:
            dated = phrase.type == "DATE" and bool(chain_of(text[phrase.start : phrase.end], "DATE"))
            left = None if dated else self._shortened(text, phrase)
            if left is not None:
                return left
            labels = self._of_common(text, phrase, around)
        for label in labels:
            written = plural(label) if many and not is_name(label) else label
            if self.tells(written) < self.beta and written.lower() != surface.lower():
                counted = label == "amount" and phrase.tags[:1] == ("CD",) and not phrase.use.determined
                return Choice("a certain amount", True) if counted else Choice(label)
        return next((Choice(one) for one in LAST_RESORTS if self.tells(one) < self.beta), None)

    def _adjective(self, surface: str) -> Choice | None:
        return next((Choice(one, True) for one in ("unwell", "ill") if self.tells(one) < self.beta), None)

    def _shortened(self, text: str, phrase: Phrase) -> Choice | None:
        """The head with modifiers that tell little; None if the head tells too much, or is half a term."""
        parts = parts_of(text, phrase)
        head = parts[-1]
        if len(parts) > 1 and head.tag == "CD" and parts[-2].tag in ("NN", "NNS", "NNP"):  # "day 40"
            named = (text[part.start : parts[-2].end] for part in parts[:-1])
            return next((Choice(said, True) for said in named if self.tells(said) <= self.beta), None)
        if len(parts) < 2 or head.tag == "CD" or self.tells(text[head.start : head.end]) > self.beta:
            return None
        if parts[-2].tag not in ("JJ", "JJR", "JJS") and not self._is_a_kind(text, parts[-2].start, head):
            return None  # "memory loss" is no loss
        kept = [head]
        bare = not phrase.use.determined and not phrase.use.plural
        for part in reversed(parts[:-1]):
            longer = " ".join(text[p.start : p.end] for p in [part, *kept])
            if self.tells(longer) <= self.beta:
                kept.insert(0, part)
            elif text[part.start : part.end].endswith(_OWNING):
                break  # what stands before an owner belongs to the owner: "three months' notice"
            elif text[part.start : part.end].lower() in words("kept_modifiers"):
                return None
        owner = any(text[p.start : p.end].endswith(_OWNING) for p in parts[: len(parts) - len(kept)])
        said = " ".join(text[p.start : p.end] for p in kept)
        if bare and said.lower() in kinds.telling_words() and said.lower() in words("bare_nouns"):
            return None  # "with disease" is no English, "with a medical condition" is
        counted = any(p.tag == "CD" for p in parts[:-1]) and not any(p.tag == "CD" for p in kept)
        if bare and not owner and head.tag == "NN":
            said = own_article(said, many=False) + said
        if counted and not phrase.use.determined and phrase.use.plural:
            said = f"several {said}"
        return Choice(f"the {said}" if owner and not phrase.use.determined else said, True)

    def _is_a_kind(self, text: str, start: int, head: Part) -> bool:
        """Whether a term is a kind of what its last word says, as far as a base knows the term."""
        chain = chain_of(text[start : head.end], own=self.own)
        one = singular(text[head.start : head.end].lower())
        return not chain or any(one in ancestor.form.split() for ancestor in chain)

    def _of_common(self, text: str, phrase: Phrase, around: Sequence[str]) -> Iterator[str]:
        parts = parts_of(text, phrase)
        for first in range(len(parts)):
            term = text[parts[first].start : phrase.end]
            term = long_form(term) or term
            chain = chain_of(term, phrase.type, own=self.own) or chain_of(term, own=self.own)
            if chain:
                asked = kinds_around(text, phrase.start, phrase.end)
                yield from self._of_chain(term, phrase.type, chain, around, asked)
                break
        yield from self._unknown(text, phrase)

    def _of_chain(
        self,
        term: str,
        type: str | None,
        chain: Sequence[Ancestor],
        around: Sequence[str],
        asked: Sequence[str],
    ) -> Iterator[str]:
        if chain[0].base != "wordnet":  # but not their roots: "disease", "worker" have plainer names
            yield from _labels(a for a in chain if a.base == "dates" or a.name != chain[-1].name)
        node = wordnet_node(term, type, around, asked)
        if node is not None:
            yield from kinds.readable_labels(node, normalized(term))
            yield from (neutral.phrase for neutral in kinds.neutrals(node))
        elif chain[0].base in _ROOTS:
            yield from (neutral.phrase for neutral in kinds.neutrals_of(_ROOTS[chain[0].base]))

    def _of_name(self, text: str, phrase: Phrase) -> Iterator[str]:
        surface = text[phrase.start : phrase.end]
        chain = chain_of(surface, phrase.type, own=self.own) or ancestors(surface, phrase.type, own=self.own)
        if phrase.before_name and phrase.type == "PERSON":
            said = text[phrase.start : phrase.words[phrase.before_name - 1][1]]
            above = chain_of(said, own=self.own)
            if any(ancestor.name == "person" for ancestor in above):  # "her colleague Ann" is a colleague
                yield said
                chain = above
        first = chain[0] if chain else None
        if first is not None and first.base != "wordnet":
            yield from _labels(chain)
        elif first is not None:
            yield first.form
            yield from kinds.readable_labels(first.node)
            yield from (neutral.phrase for neutral in kinds.neutrals(first.node))

    def _unknown(self, text: str, phrase: Phrase) -> Iterator[str]:
        """By the type of the mention, by how the word ends, and by the words before it."""
        if phrase.type is not None:
            concept = noun_of_type(phrase.type)
            if concept is not None:
                yield from (neutral.phrase for neutral in kinds.neutrals_of(concept))
        head = re.split(r"[\s-]", text[phrase.start : phrase.end])[-1]
        ending = kinds.kind_by_ending(head)
        asked = () if ending else kinds_around(text, phrase.start, phrase.end)
        concept = ending or next(iter(asked), None)
        if concept is not None:
            yield from (neutral.phrase for neutral in kinds.neutrals_of(concept))


def kinds_around(text: str, start: int, end: int) -> tuple[str, ...]:
    """Anchors that the words before a place ask for, the nearest word first, or the word behind it."""
    before = _WORDS_BEFORE.findall(_SENTENCE.split(text[max(0, start - 60) : start])[-1])[-_CUES:]
    behind = _WORD_BEHIND.match(text, end)
    return kinds.kinds_by_cue(before[::-1], behind[1] if behind else "")


def wordnet_node(term: str, type: str | None, around: Sequence[str], asked: Sequence[str] = ()) -> int | None:
    """The concept that a term means beside these words."""
    name = normalized(term)
    found = [sense.node for sense in senses_of(name) if sense.base == "wordnet"]
    anchor = anchor_of(type)
    wordnet = base("wordnet")
    fitting = [node for node in found if anchor is None or anchor in wordnet.chain(node)]
    if (
        not fitting
    ):  # chemotherapy is no illness, though it is a HEALTH mention; a gallstone is one, and no rock
        made = [kinds.concept_of(one) for one in _NO_ILLNESS]
        fitting = [node for node in found if any(one in wordnet.chain(node) for one in made)]
    if not fitting:
        return None
    if len(fitting) == 1:
        return fitting[0]
    return meant_concept(times_seen(name, fitting), around, [kinds.concept_of(one) for one in asked])


def _labels(chain: Iterable[Ancestor]) -> Iterator[str]:
    for ancestor in chain:
        yield ancestor.form
        if ancestor.base == "places" and ancestor.name != "place":
            yield ancestor.name


def shortened(own: str, text: str, start: int, end: int) -> tuple[int, int, str]:
    """The stretch to replace by what is left of a phrase: its article follows the first word."""
    found = _ARTICLE.search(text, max(0, start - 6), start)
    if found is None:
        capital = text[start : start + 1].isupper()
        begins = not text[:start].rstrip(" \"'“‘(") or text[:start].rstrip(" \"'“‘(")[-1] in ".!?\n:"
        return start, end, own[:1].upper() + own[1:] if capital and begins else own
    new = "the" if own.startswith("the ") else article_for(own)
    own = own.removeprefix("the ")
    return found.start(), end, (new.capitalize() if found[1][0].isupper() else new) + found[2] + own
