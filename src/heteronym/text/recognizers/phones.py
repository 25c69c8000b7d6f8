"""Telephone, fax and pager numbers as people write them: by their shape, or by a word beside them.

`structured` knows the numbering plans of many countries; here are the numbers it refuses (invented or old
ones, local numbers without a prefix, extensions) and those that would pass for codes: 555-123-4567.

Cost        one pass for runs of digits with separators; words around them are read only there
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from heteronym.model.mention import Span
from heteronym.text.lexicon import lexicon
from heteronym.text.recognizers.rows import reader

_LEXICON = lexicon("phones")

_RUN = re.compile(r"[+(0-9][0-9 ().\-–/+‑]{4,24}[0-9](?!%|[.,]\d|(?!x\d)\w)")
_END_OF_SENTENCE = re.compile(r"[.)]?\.\s|\s[(/–-]?\s|[ ]{2,}")
_SHORT = re.compile(r"[0-9]{3,6}(?!\w|[.,:/-]\d)")
_EXTENSION = re.compile(r"\s?(?:x|ext\.?|extension)\s?[0-9]{1,6}\b", re.IGNORECASE)
_SURE = _LEXICON.compiled("SURE")
_LIKELY = _LEXICON.compiled("LIKELY")
_CUE_BEFORE = _LEXICON.compiled("CUE_BEFORE")
_CUE_AFTER = _LEXICON.compiled("CUE_AFTER")
_SHORT_CUE = _LEXICON.compiled("SHORT_CUE")
_DATE = re.compile(r"[0-9]{1,4}([./-])[0-9]{1,2}\1[0-9]{1,4}")
_RANGE_OF_YEARS = re.compile(r"(?:1[5-9]|20)[0-9]{2}\s?[-–/]\s?(?:1[5-9]|20)?[0-9]{2}")


@reader("phones")
def read(text: str, spans: list[Span]) -> Iterator[Span]:
    """Telephone numbers by shape and by the words beside them."""
    for run in _RUN.finditer(text):
        start, end = run.span()
        if start and (text[start - 1].isalnum() or text[start - 1] in ".,:/-_$€£#"):
            continue
        surface = _END_OF_SENTENCE.split(run.group(), maxsplit=1)[0]
        end = start + len(surface)
        if surface[0] == "(" and ")" not in surface:
            start, surface = start + 1, surface[1:]
        judged = _judged(text, start, end, surface)
        if judged is not None:
            more = _EXTENSION.match(text, end)
            yield Span(start, more.end() if more else end, "PHONE", judged[0], "phones", judged[1])
    if any(cue in text for cue in ("xt", "XT", "pager", "Pager", "leep")):
        for short in _SHORT.finditer(text):
            if _SHORT_CUE.search(text, max(0, short.start() - 16), short.start()):
                yield Span(*short.span(), "PHONE", 0.9, "phones", "extension or pager")


def _judged(text: str, start: int, end: int, surface: str) -> tuple[float, str] | None:
    """How sure it is that a run of digits is a telephone number, and why; None: it is none."""
    digits = sum(map(str.isdigit, surface))
    if not 6 <= digits <= 15 or _DATE.fullmatch(surface) or _RANGE_OF_YEARS.fullmatch(surface):
        return None
    if _SURE.fullmatch(surface) and digits >= 8:
        return 0.9, "shape of a telephone number"
    if _LIKELY.fullmatch(surface) and digits >= 9:
        return 0.8, "likely telephone number"
    if _CUE_BEFORE.search(text, max(0, start - 40), start) or _CUE_AFTER.match(text, end):
        return 0.82, "number beside a word for telephones"
    return None
