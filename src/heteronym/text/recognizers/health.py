"""Illnesses, disabilities, injuries and operations: by word list, by the endings medicine keeps to itself,
and in the shorthand of notes about patients ("h/o CAD s/p CABG", "PMH: HTN, T2DM").

What is an illness only in such notes ("MS", "CAP", "falls") counts only there: in a text with two signs of
a clinic. A word for an illness takes the words with it that tell which one ("type 2", "breast", "stage 3").

Cost        one pass over the tokens, and one for the endings; the rest happens at hits only
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from heteronym.knowledge.wordlists import words
from heteronym.model.mention import Span
from heteronym.text.lexicon import is_clinical, lexicon
from heteronym.text.phrases import Phrases
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("health")

_ENDING = _LEXICON.compiled("ENDING")
_NO_DISEASE = _LEXICON.words("NO_DISEASE")
_WORD_BEFORE = _LEXICON.compiled("WORD_BEFORE")
_KIND_BEFORE = _LEXICON.compiled("KIND_BEFORE")
_KIND_AFTER = _LEXICON.compiled("KIND_AFTER")
# Head nouns that need such a word before them.
_HEADS = _LEXICON.listed("HEADS")
_HEAD_BEFORE = _LEXICON.compiled("HEAD_BEFORE")


@cache
def _conditions() -> Phrases[tuple[str, str]]:
    """Each condition with what it asks for: nothing, a clinic, or a word before it; and its capitals."""
    phrases: Phrases[tuple[str, str]] = Phrases()
    asked = {"": words("conditions"), "clinic": words("doubtful_conditions"), "kind": frozenset(_HEADS)}
    for asks, listed in asked.items():
        for word in listed:
            phrases.add(word, (asks, "" if word.islower() else word))
    return phrases


@reader("health")
def read(text: str, spans: list[Span]) -> list[Span]:
    """Illnesses, disabilities, injuries and operations."""
    return [*spans, *_listed(text), *_by_ending(text)]


def _listed(text: str) -> Iterator[Span]:
    for start, end, (asks, spelling) in _conditions().find(text):
        if asks == "kind":
            before = _HEAD_BEFORE.search(text, max(0, start - 40), start)
            if before is not None:
                yield Span(before.start(), end, "HEALTH", 0.65, "health", "kind of disease")
            continue
        # "PE:" begins what was examined
        if asks == "clinic" and (text[end : end + 1] == ":" or not is_clinical(text)):
            continue
        if spelling and text[start:end] != spelling:
            continue
        before = _KIND_BEFORE.search(text, max(0, start - 48), start)
        after = _KIND_AFTER.match(text, end)
        first = before.start() if before else start
        yield Span(first, after.end() if after else end, "HEALTH", 0.7, "health", "known condition")


def _by_ending(text: str) -> Iterator[Span]:
    for tail in _ENDING.finditer(text):
        # Looking back from the ending costs nothing for the words that have none of them.
        whole = _WORD_BEFORE.search(text, max(0, tail.start() - 40), tail.end())
        if whole is None:
            continue
        word = whole.group().rsplit(None, 1)[-1]
        if word.lower() not in _NO_DISEASE and not (
            word[0].isupper() and whole.start() and text[whole.start() - 1] not in "\n:"
        ):
            yield Span(whole.start(), tail.end(), "HEALTH", 0.65, "health", "ending of a disease")
