"""Nationalities, peoples, creeds' and parties' members (NORP), languages, and facts of origin.

A nation's adjective before its organs and laws ("the Turkish authorities", "Polish law") tells of a
state, not of a person, and is left alone. A word that is both a people and a language is a language
where it is spoken, written or translated.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from heteronym.knowledge.wordlists import first_names, nationalities, peoples, words
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lexicon import lexicon
from heteronym.text.rule import UPPER, find

_LEXICON = lexicon("peoples")

_WORD = re.compile(rf"(?<![\w’'])[{UPPER}][\w'’]*[\w](?:[-‑][{UPPER}a-z]\w+)*")
_OF_A_STATE = _LEXICON.compiled("OF_A_STATE")
_LANGUAGE_BEFORE = _LEXICON.compiled("LANGUAGE_BEFORE")
_LANGUAGE_AFTER = _LEXICON.compiled("LANGUAGE_AFTER")
_AFTER_IN = _LEXICON.compiled("AFTER_IN")


@cache
def _is_people() -> frozenset[str]:
    return peoples()


@cache
def _no_languages() -> frozenset[str]:
    return first_names() | frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday The".split())


_ORIGIN = _LEXICON.rules(
    "origin",
    checks={
        "language_behind_a_word_for_speaking": lambda match: (
            match.group("m").split()[0] not in _no_languages()
        )
    },
)


@recognizers.register("peoples")
@dataclass(frozen=True)
class Peoples:
    """Nationalities and other groups, languages, origin, by word list and neighbouring words."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        known, tongues, creeds = _is_people(), words("languages"), words("creeds")
        adjectives, named = nationalities(), words("first_names")
        result = find(texts, _ORIGIN, source="peoples")
        for text, spans in zip(texts, result):
            for match in _WORD.finditer(text):
                word = match.group()
                if word.endswith(("'s", "’s")):
                    word = word[:-2]
                if word not in known and word not in tongues:
                    # "Turkish-born", "Polish-speaking", "German-Austrian"
                    head, dash, tail = word.replace("‑", "-").partition("-")
                    if not dash or head not in known or not (tail in known or tail in _SUFFIXES):
                        continue
                    if tail == "speaking":
                        spans.append(
                            Span(
                                match.start(),
                                match.start() + len(head),
                                "LANGUAGE",
                                0.9,
                                "peoples",
                                "language spoken",
                            )
                        )
                        continue
                start, end = match.start(), match.start() + len(word)
                if word in tongues and _spoken(text, start, end, only=word not in known):
                    spans.append(Span(start, end, "LANGUAGE", 0.9, "peoples", "language spoken"))
                elif word in adjectives and _OF_A_STATE.match(text, end):
                    continue
                elif word in known:
                    kind, how = (
                        ("RELIGION", "list of creeds") if word in creeds else ("NORP", "list of peoples")
                    )
                    # "Christian" and "Dane" are first names too; there the model knows better.
                    sure = 0.7 if word in named else 0.85
                    spans.append(Span(start, end, kind, sure, "peoples", how))
        return result


_SUFFIXES = frozenset("born speaking based American British language origin style".split())


def _spoken(text: str, start: int, end: int, *, only: bool) -> bool:
    if _LANGUAGE_AFTER.match(text, end):
        return True
    before = _LANGUAGE_BEFORE.search(text, max(0, start - 40), start)
    if before is None:
        return only and text[start:end] not in ("Latin", "Mandarin", "Basque")
    weak = before.group().strip(" ,").lower() in (
        "in",
        "from",
        "and",
        "or",
        "in the",
        "from the",
        "and the",
        "or the",
        "",
    )
    return not weak or (
        before.group().strip().lower() in ("in", "from") and _AFTER_IN.match(text, end) is not None
    )
