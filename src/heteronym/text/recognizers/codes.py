"""Numbers that stand for one case, record, document or thing: after a word that says so, or by their
shape ("12345/06"). Numbers of laws and articles are no codes of a person and are left to `laws`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("codes")

_DOCUMENTS = _LEXICON.words("DOCUMENTS")
_THINGS = _LEXICON.words("THINGS")
_CUES = _DOCUMENTS | _THINGS
_NO_PREFIX = _CUES | {"ip"}
_FILLERS = _LEXICON.words("FILLERS")
_NUMBERED = _LEXICON.words("NUMBERED")
_GROUPS = _LEXICON.compiled("GROUPS")
_BETWEEN = re.compile(r"[^\w/#]+")


@reader("codes")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Case, record, document and serial numbers by cue and shape."""
    items = set(_ITEM.findall(text)) if spans else ()
    yield from (span for span in spans if text[span.start : span.end] not in items)
    yield from _announced(text)


# "25/031  Apologies" numbers an item of minutes, and so does "25/031" wherever it returns.
_ITEM = re.compile(r"(?m:^)(\d{1,4}/\d{1,4})(?:[ ]{2,}|\t)(?=[A-Z])")


def _announced(text: str) -> Iterator[Span]:
    """Numbers behind a word that says what they number: "badge 3319", "sort code 20-45-77"."""
    done = 0
    for digit in _DIGIT.finditer(text):
        place = digit.start()
        if place < done:
            continue
        # The letters in front belong to it: "RT553208", "GHX 4402"
        prefix = _PREFIX.search(text, max(0, place - 9), place)
        start = (
            place if prefix is None or prefix.group().strip(" -/.").lower() in _NO_PREFIX else prefix.start()
        )
        cue = _cue(text, start)
        if cue is None:
            continue
        match = _GROUPS.match(text, start)
        if match is None:
            continue
        surface = match.group()
        if sum(map(str.isdigit, surface)) >= cue and not _YEAR.fullmatch(surface):
            done = match.end()
            yield Span(start, done, "CODE", 0.85, "codes", "after a word for what is numbered")


_DIGIT = re.compile(r"[0-9]+")
_PREFIX = re.compile(r"(?<![\w.,/:§$€£+-])(?:[A-Z]{1,6}[-/. ]?|[a-z]{1,3})$")
_YEAR = _LEXICON.compiled("YEAR")


def _cue(text: str, start: int) -> int | None:
    """How many digits a number needs after the words before it; None: nothing announces it."""
    if start and (text[start - 1].isalnum() or text[start - 1] in "$€£+/_.,-"):
        return None
    if text[max(0, start - 2) : start].rstrip()[-1:].isdigit():
        return None  # a column of numbers: no word announces this one
    window = _BETWEEN.sub(" ", text[max(0, start - 36) : start]).replace("#", " # ").lower()
    before = window.split()
    numbered = False
    for word in reversed(before[-4:]):
        if word in _NUMBERED:
            numbered = True
        if word in _DOCUMENTS:
            return 2 if numbered else 3
        if word in _THINGS:
            return 2 if numbered else 4
        if word not in _FILLERS:
            return None
    return None
