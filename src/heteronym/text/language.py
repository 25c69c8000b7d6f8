"""Says whether texts look English, without a model: by function words and script.

The rules and both models read English only. A text in another language is scanned all the same, but
its owner must hear that little will be found in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from heteronym.text.lexicon import lexicon

_LEXICON = lexicon("language")

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = _LEXICON.words("ENGLISH")
# Function words of the languages that are likeliest beside English, without those that English shares.
_OTHERS = (
    frozenset(
        "der die das und ist nicht ein eine mit auf für dem den des von zu ich sie wir auch sich nach bei "
        "le la les des et est une un dans pour que qui pas sur avec ce au aux du "
        "je il elle nous vous ne sont "
        "el los las y es una por con para no se lo como más pero sus del al está yo ella "
        "il di che è per non una sono con del della gli si ha questo ma come anche nel "
        "de het een en van ik dat niet op te zijn voor met hij ze er maar ook aan "
        "o os e um uma não em para com por mais como mas foi ao ele das dos "
        "och att det som en är på för av inte med jag han hon den till "
        "og at det er en på til som ikke med jeg han den "
        "i w na się nie że jest z do to jak ale za od po są być "
        "ve bir bu da için çok ile gibi ama ne daha kadar olarak olan değil ben "
        "je se v na da za su od koji nije ali kao bi nu care este sunt si cu din pe la un "
        "ja on ei että se oli hän mutta kun niin".split()
    )
    - _ENGLISH
)
_SHARED = frozenset("a i in an on as am at so was will me no do all he of we is".split())  # with some of them
_LOOK = 4_000  # characters are enough to tell
_FEW = 5  # words are not


def looks_english(text: str) -> bool | None:
    """True, False, or None where there are too few words to tell."""
    words = [word.lower() for word in _WORD.findall(text[:_LOOK])]
    letters = sum(map(len, words))
    if letters == 0:
        return None
    latin = sum(len(word) for word in words if word[0] < "\u0250")
    if letters >= 4 and latin < letters / 2:
        return False
    if len(words) < _FEW:
        return None
    english = sum(word in _ENGLISH for word in words)
    other = sum(word in _OTHERS for word in words)
    clearly = sum(word in _ENGLISH and word not in _SHARED for word in words)
    if other > 2 * clearly and other >= 2:
        return False
    if english * 12 >= len(words):
        return True
    return None if other == 0 else english >= other


class LanguageShare(NamedTuple):
    """How many rows were long enough to tell, and how many of them do not look English."""

    rows: int
    told: int
    other: int

    @property
    def share(self) -> float:
        """Share of all rows that look like another language."""
        return self.other / self.rows if self.rows else 0.0


def language_share(texts: Iterable[str | None]) -> LanguageShare:
    """Counts over the rows of a text column."""
    rows = told = other = 0
    for text in texts:
        rows += 1
        verdict = looks_english(text) if text else None
        if verdict is not None:
            told += 1
            other += not verdict
    return LanguageShare(rows, told, other)
