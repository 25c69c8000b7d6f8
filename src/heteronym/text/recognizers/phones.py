"""Telephone, fax and pager numbers as people write them: by their shape, or by a word beside them.

`structured` knows the numbering plans of many countries; here are the numbers it refuses (invented or old
ones, local numbers without a prefix, extensions) and those that would pass for codes: 555-123-4567.

Cost        one pass for runs of digits with separators; words around them are read only there
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers

_RUN = re.compile(r"[+(0-9][0-9 ().\-–/+‑]{4,24}[0-9](?!%|[.,]\d|(?!x\d)\w)")
_END_OF_SENTENCE = re.compile(r"[.)]?\.\s|\s[(/–-]?\s|[ ]{2,}")
_SHORT = re.compile(r"[0-9]{3,6}(?!\w|[.,:/-]\d)")
_EXTENSION = re.compile(r"\s?(?:x|ext\.?|extension)\s?[0-9]{1,6}\b", re.IGNORECASE)
# A plus and a country, or the grouping of North America; with points or dashes nothing else looks so.
_SURE = re.compile(
    r"\+\s?[1-9][0-9 ().\-–/‑]{6,20}|(?:\+?1[ .‑-])?\([0-9]{3}\)\s?[0-9]{3}[ .‑-][0-9]{4}"
    r"|(?:1[.‑-])?[2-9][0-9]{2}([.‑-])[0-9]{3}\1[0-9]{4}|\(0[0-9]{1,5}\)\s?[0-9]{2,4}[ -]?[0-9]{2,5}"
    r"(?:[ -]?[0-9]{2,4})?"
    r"|00[1-9][0-9 ().\-]{8,18}"
)
# A leading zero and groups: the rest of the world. Three groups of ten digits: North America without dashes.
_LIKELY = re.compile(
    r"0[1-9][0-9]{0,4}(?:[ ‑-][0-9]{2,7}){1,5}|0[1-9](?:\.[0-9]{2}){4}|07[0-9]{9}|04[0-9]{8}"
    r"|(?:1 )?[2-9][0-9]{2} [0-9]{3} [0-9]{4}|\([0-9]{2,4}\)\s?[0-9]{3,4}[ -][0-9]{3,4}"
)
_CUE_BEFORE = re.compile(
    r"\b(?:tel|telephone|phones?|ph|mobile|mob|cell|cellphone|fax|call(?:s|ed|ing)?|ring|rang|dial|texts?|text(?:ed|ing)|sms"
    r"|whatsapp|reach(?:ed)?|contact(?:ed)?|answering|messages?|landline|desk|hotline|voicemail|numbers?)\b[^\n\d]{0,24}$",
    re.IGNORECASE,
)
_CUE_AFTER = re.compile(
    r"\s?[(\-–]?\s?(?:office|fax|mobile|cell|home|work|desk|landline|phone|mob|tel)\b", re.IGNORECASE
)
_SHORT_CUE = re.compile(
    r"\b(?:ext|extn?|extension|pager|bleep|beeper|bleeped)\b[.:]?\s?(?:no\.?\s?|#)?$", re.IGNORECASE
)
_DATE = re.compile(r"[0-9]{1,4}([./-])[0-9]{1,2}\1[0-9]{1,4}")
_RANGE_OF_YEARS = re.compile(r"(?:1[5-9]|20)[0-9]{2}\s?[-–/]\s?(?:1[5-9]|20)?[0-9]{2}")


@recognizers.register("phones")
@dataclass(frozen=True)
class Phones:
    """Telephone numbers by shape and by the words beside them."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    by_default: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return [list(_spans(text)) for text in texts]


def _spans(text: str) -> Iterator[Span]:
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
