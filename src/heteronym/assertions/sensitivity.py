"""Sensitivity: which category of delicate matters an assertion touches, and by which words.

Words and phrases are looked up in `knowledge/categories.py`, which asks the taxonomies, so that
"leukaemia" counts because it is a kind of cancer. Words of the persons' own names are left alone: Mr.
Bishop is no clergyman for that.

Cost        O(tokens) lookups
Randomness  none
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Any, NamedTuple

from heteronym.assertions.clauses import Clause
from heteronym.knowledge.categories import (
    Delicate,
    categories,
    delicate,
    is_kind_of,
    level_of,
    longest_listed,
)
from heteronym.knowledge.lexicons import forms, lexicon
from heteronym.model.assertion import Sensitivity

PERSONAL, DELICATE, SPECIAL = 1, 2, 3


class SensitiveWords(NamedTuple):
    """Delicate words: first and last token, and why they are."""

    first: int
    last: int
    why: Delicate


@cache
def verbs_of(name: str) -> frozenset[str]:
    """Words of a category that are verbs, whatever the tagger says: "lives"."""
    return frozenset(
        form for verb in str(categories()[name].get("verbs", "")).split() for form in forms(verb)
    )


def general_noun(noun: str, name: str) -> str:
    """What a delicate noun may be called instead."""
    for kind, roots in lexicon("special_categories")["generalizations"].items():
        if any(is_kind_of(noun, root.strip()) for root in str(roots).split("|")):
            return str(kind)
    return str(categories()[name]["noun"])


def sensitive_words(clause: Clause, names: Collection[str] = ()) -> list[SensitiveWords]:
    """What is delicate, longest phrases first, none overlapping; `names` are words of persons' names in
    small letters."""
    tokens = list(clause.doc[clause.first : clause.last])
    found, at = [], 0
    while at < len(tokens):
        for length in range(min(longest_listed(), len(tokens) - at), 0, -1):
            some = tokens[at : at + length]
            why = _delicate(some, names)
            if why is not None:
                found.append(SensitiveWords(some[0].i, some[-1].i, why))
                at += length
                break
        else:
            at += 1
    return found


def _delicate(tokens: list[Any], names: Collection[str]) -> Delicate | None:
    if any(token.is_space or (token.is_title and token.lower_ in names) for token in tokens):
        return None
    head = tokens[-1]
    if len(tokens) == 1 and (head.is_stop or head.is_punct or head.pos_ in ("ADP", "AUX", "DET")):
        return None
    # The tagger takes rare nouns for adjectives; what is an object is a noun, and so is what is written
    # with a capital ("a Methodist lawyer").
    noun = head.pos_ in ("NOUN", "PROPN") or (
        head.pos_ == "ADJ" and (head.is_title or head.dep_ in ("obj", "nsubj", "nsubj:pass", "obl", "nmod"))
    )
    spelt = " ".join(token.lower_ for token in tokens)
    lemmas = " ".join(token.lemma_.lower() for token in tokens)
    return delicate(spelt, noun) or delicate(lemmas, noun)


def sensitivity_of(clause: Clause, about_somebody: bool, names: Collection[str] = ()) -> Sensitivity:
    """The level is that of the gravest category; what is about nobody has level 0."""
    if not about_somebody:
        return Sensitivity(0)
    found = sensitive_words(clause, names)
    if not found:
        return Sensitivity(PERSONAL, score=1)
    every = {name for word in found for name in word.why.categories}
    touched = sorted(every, key=lambda name: (-level_of(name), name))
    levels = [level_of(word.why.category) for word in found]
    reasons = (word.why.reason(clause.doc[word.first : word.last + 1].text) for word in found)
    return Sensitivity(max(levels), tuple(touched), tuple(dict.fromkeys(reasons)), sum(levels))
