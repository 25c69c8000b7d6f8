"""Quotations: who says "I" inside of quotation marks, and to whom."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from heteronym.assertions.referent import PRONOUNS, Referent
from heteronym.knowledge.lexicons import forms

_QUOTED = re.compile(r"\"[^\"\n]{2,2000}?\"|“[^”\n]{2,2000}?”|«[^»\n]{2,2000}?»")
_NEAR = 80  # characters between a quotation and who said it
SPEECH = frozenset(
    "say tell add ask think believe write claim report state note explain argue suggest reply answer shout "
    "whisper cry know guess suppose recall insist announce warn admit confess declare "
    "respond mutter testify remark".split()
)
_SPOKEN = frozenset(form for verb in SPEECH for form in forms(verb)) | {
    "said",
    "told",
    "wrote",
    "thought",
    "knew",
}


class Speech(NamedTuple):
    speaker: Referent | None
    hearer: Referent | None


def speeches(text: str, referents: Sequence[Referent]) -> dict[Referent, Speech]:
    """For every "I" and "you" inside of quotation marks, who speaks and who is spoken to."""
    found: dict[Referent, Speech] = {}
    starts = [referent.start for referent in referents]
    for match in _QUOTED.finditer(text):
        start, end = match.span()
        inside = [
            r
            for r in referents[bisect_right(starts, start) : bisect_left(starts, end)]
            if r.form == "pronoun" and PRONOUNS[r.head.lower_] in ("author", "recipient")
        ]
        if inside:
            near = referents[bisect_left(starts, start - _NEAR) : bisect_right(starts, end + _NEAR)]
            found |= dict.fromkeys(inside, _speech(start, end, near))
    return found


def _inverted(referent: Referent) -> bool:
    """ "...," said Bob: the verb stands between the quotation and who spoke."""
    if referent.np_first < 2:
        return False
    verb, before = referent.doc[referent.np_first - 1], referent.doc[referent.np_first - 2]
    return verb.lower_ in _SPOKEN and before.text in _MARKS


_MARKS = frozenset('" ” » ,'.split())


def _speech(start: int, end: int, referents: Sequence[Referent]) -> Speech:
    """Who speaks and who listens, among those near a quotation."""
    speaker = hearer = None
    for referent in referents:
        if not (referent.end <= start or referent.start >= end) or referent.plural:
            continue
        if speaker is None and _inverted(referent):
            speaker = referent
        elif referent.head.head.lower_ not in _SPOKEN:
            continue
        elif referent.is_subject:
            speaker = speaker or referent
        elif referent.head.dep_ in ("obj", "iobj", "obl"):
            hearer = hearer or referent
    return Speech(speaker, hearer)
