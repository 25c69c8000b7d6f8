"""Says whether texts look English, without a model: by function words and script.

The rules and both models read English only. A text in another language is scanned all the same, but
its owner must hear that little will be found in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from heteronym.text.lexicon import languages_of, lexicon

_LEXICON = lexicon("language")

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = _LEXICON.words("ENGLISH")
# Function words of the languages that are likeliest beside English, without those that English shares.
_OTHERS = _LEXICON.words("OTHERS") - _ENGLISH
_CLEARLY = _ENGLISH - _LEXICON.words("SHARED")  # with some of them
_LOOK = 4_000  # characters are enough to tell
_FEW = 5  # words are not


def tells(language: str) -> bool:
    """Whether texts of a language can be told from others: its pack has the words for it."""
    return language in languages_of("language")


def looks_english(text: str) -> bool | None:
    """True, False, or None where there are too few words to tell."""
    seen = text[:_LOOK]
    words = _WORD.findall(seen.lower()) if seen.isascii() else [w.lower() for w in _WORD.findall(seen)]
    letters = sum(map(len, words))
    if letters == 0:
        return None
    latin = letters if seen.isascii() else sum(len(word) for word in words if word[0] < "\u0250")
    if letters >= 4 and latin < letters / 2:
        return False
    if len(words) < _FEW:
        return None
    english = sum(map(_ENGLISH.__contains__, words))
    other = sum(map(_OTHERS.__contains__, words))
    clearly = sum(map(_CLEARLY.__contains__, words))
    if other > 2 * clearly and other >= 2:
        return False
    if english * 12 >= len(words):
        return True
    return None if other == 0 else english >= other


def not_english(texts: Iterable[str | None]) -> int:
    """How many rows of a text column look like another language."""
    return sum(looks_english(text) is False for text in texts if text)


def remark_on(texts: Iterable[str | None], language: str) -> str | None:
    """What whoever relies on recognition must hear: the share of texts that no pack and no model reads."""
    if not tells(language):
        return None
    given = [text for text in texts if text and not text.isspace()]
    many = not_english(given)
    if not many:
        return None
    return (
        f"{100 * many / len(given):.1f} % of the texts do not look English; the rules and models read "
        "English, and miss names in other languages. If they are German, the plan "
        "says so with text: {language: de}"
    )
