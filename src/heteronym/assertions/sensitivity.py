"""Sensitivity: which category of delicate matters an assertion touches, and by which words.

Every lemma is looked up; where the lexicon does not know it, a taxonomy of nouns may be asked for its
ancestors (`ancestors`), so that "leukaemia" counts as soon as its ancestor "cancer" does.

Reference   special categories: GDPR art. 9 and 10; categories at level 2 as the lexicon says
Cost        O(tokens) lookups
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from heteronym.assertions.clauses import Clause
from heteronym.knowledge.lexicons import forms, lexicon
from heteronym.knowledge.wordlists import words
from heteronym.model.assertion import Sensitivity

Ancestors = Callable[[str], Iterable[str]]  # a noun -> more general nouns, nearest first
PERSONAL, DELICATE, SPECIAL = 1, 2, 3


@cache
def categories() -> Mapping[str, Mapping[str, Any]]:
    return {name: entry for name, entry in lexicon("special_categories").items() if "level" in entry}


@cache
def _index() -> Mapping[str, tuple[str, ...]]:
    """Lemma or phrase -> categories."""
    found: dict[str, list[str]] = {}
    for name, entry in categories().items():
        own = {word.replace("_", " ") for word in str(entry["words"]).split()}
        for known in entry.get("lists", ()):
            own |= {word.lower() for word in words(known)}
        for word in own:
            for form in forms(word) if word.isalpha() else (word,):
                found.setdefault(form, []).append(name)
    return {word: tuple(names) for word, names in found.items()}


@cache
def _generalizations() -> Mapping[str, str]:
    entry = lexicon("special_categories")["generalizations"]
    found: dict[str, str] = {}
    for words_key, key in (("places", "place"), ("people", "person")):
        for word in str(entry[words_key]).split():
            found |= dict.fromkeys(forms(word.replace("_", " ")), str(entry[key]))
    return found


@cache
def verbs_of(name: str) -> frozenset[str]:
    """Words of a category that are verbs, whatever the tagger says: "lives"."""
    return frozenset(
        form for verb in str(categories()[name].get("verbs", "")).split() for form in forms(verb)
    )


def general_noun(noun: str, name: str) -> str:
    """What a delicate noun may be called instead."""
    return _generalizations().get(noun) or str(categories()[name]["noun"])


@cache
def _longest() -> int:
    return min(4, max(len(phrase.split()) for phrase in _index()))


def category(lemma: str, ancestors: Ancestors | None = None) -> str | None:
    """The category of a word, or of the nearest of its ancestors that has one."""
    for word in (lemma, *(ancestors(lemma) if ancestors is not None else ())):
        found = _index().get(word)
        if found:
            return max(found, key=lambda name: categories()[name]["level"])
    return None


def sensitive_words(clause: Clause, ancestors: Ancestors | None = None) -> list[tuple[int, int, str]]:
    """(first token, last token, category) of what is delicate, longest phrases first, none overlapping."""
    tokens = list(clause.doc[clause.first : clause.last])
    found, at = [], 0
    while at < len(tokens):
        for length in range(min(_longest(), len(tokens) - at), 0, -1):
            some = tokens[at : at + length]
            name = _category_of(some, ancestors if length == 1 else None)
            if name is not None:
                found.append((some[0].i, some[-1].i, name))
                at += length
                break
        else:
            at += 1
    return found


def _category_of(tokens: list[Any], ancestors: Ancestors | None) -> str | None:
    if len(tokens) == 1 and (
        tokens[0].is_stop or tokens[0].is_punct or tokens[0].pos_ in ("ADP", "AUX", "DET")
    ):
        return None
    spelt = " ".join(token.lower_ for token in tokens)
    lemmas = " ".join(token.lemma_.lower() for token in tokens)
    return category(spelt) or category(lemmas, ancestors if len(tokens) == 1 else None)


def sensitivity_of(clause: Clause, about_somebody: bool, ancestors: Ancestors | None = None) -> Sensitivity:
    """The level is that of the gravest category; what is about nobody has level 0."""
    if not about_somebody:
        return Sensitivity(0)
    found = sensitive_words(clause, ancestors)
    if not found:
        return Sensitivity(PERSONAL, score=1)
    names = sorted({name for *_, name in found}, key=lambda name: (-categories()[name]["level"], name))
    levels = [int(categories()[name]["level"]) for *_, name in found]
    reasons = tuple(dict.fromkeys(clause.doc[first : last + 1].text for first, last, _ in found))
    return Sensitivity(max(levels), tuple(names), reasons, sum(levels))
