"""Replays the owner's edits: what the released texts must be, and what stands in the place of each mention.

The edits are carried out on the data's texts by code of this file alone; the result must be the released
text, byte for byte. An edit must lie on a mention (with an article or "on" before it and a possessive mark
behind it, which agree with what stands there now), turn an article "an" into "a", or take out whole
sentences. Then what became of a mention is known: it stands, something else stands there, or it is gone.

Cost        O(characters + mentions + edits) per text
Randomness  none
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

_BEFORE = re.compile(r"(?<![\w'’-])(?:on\s+)?(?:(?:an?|the)\s+)?\Z", re.IGNORECASE)
_INNER_ARTICLE = re.compile(r"(?:an?|the)\s+", re.IGNORECASE)
_BEHIND = re.compile(r"['’]s?(?!\w)")
_FRONT = re.compile(r"((?:on|in)\s+)?((?:an?|the)\s+)?", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?\Z")
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’)\]]*\s+(?![a-z\s])|[^\S\n]*\n[^\S\n]*\n\s*")


class Span(NamedTuple):
    """A mention in a text of the data."""

    start: int
    end: int
    type: str
    follows: str | None = None  # the column whose label is said to stand in its place


class Edit(NamedTuple):
    """Characters `start` to `end` of a text of the data became `text`."""

    start: int
    end: int
    text: str


class Standing(NamedTuple):
    """What stands in the place of a mention, and where in the released text."""

    text: str
    start: int
    end: int
    changed: bool


class Replayed(NamedTuple):
    """A text after its edits, what stands for each mention (None: gone), and what is wrong with an edit."""

    text: str
    standing: Sequence[Standing | None]
    fault: str | None


def replay(original: str, edits: Sequence[Edit], mentions: Sequence[Span]) -> Replayed:
    """Carry out the edits of one text; both are in order, and neither overlap among themselves."""
    if not edits:
        standing = [Standing(original[a:b], a, b, changed=False) for a, b, *_ in mentions]
        return Replayed(original, standing, None)
    return _Replay(original, edits, mentions).run()


class _Replay:
    """One text, its edits and its mentions."""

    def __init__(self, original: str, edits: Sequence[Edit], mentions: Sequence[Span]) -> None:
        self.original, self.edits, self.mentions = original, _joined_removals(edits), mentions
        self.starts = [mention.start for mention in mentions]
        self.ends = [mention.end for mention in mentions]

    def run(self) -> Replayed:
        pieces: list[str] = []
        standing: list[Standing | None] = []
        done = length = 0  # characters of the original and of the released text so far
        fault = None
        for number, edit in enumerate(self.edits):
            if edit.start < done:
                return Replayed(self.original, (), "two edits overlap")
            first = bisect_left(self.ends, edit.start + 1)  # the first mention that ends behind its start
            last = bisect_left(self.starts, edit.end)
            self._stay(standing, first, length - done)
            at = length + edit.start - done
            if self._takes_sentences(edit):
                standing += [None] * (last - first)
            elif last - first == 1 and (inside := self._core(first, edit)) is not None:
                text = edit.text[slice(*inside)]
                standing.append(Standing(text, at + inside[0], at + inside[1], changed=True))
            elif first == last and self._is_article(edit, number):
                pass
            else:
                fault = fault or "an edit lies neither on a mention nor on whole sentences"
                standing += [None] * (last - first)
            pieces += (self.original[done : edit.start], edit.text)
            length, done = at + len(edit.text), edit.end
        self._stay(standing, len(self.mentions), length - done)
        text = "".join([*pieces, self.original[done:]])
        if fault is None and not self._ends_well(text):
            fault = "white space is left where the last sentences went"
        return Replayed(text, standing, fault)

    def _stay(self, standing: list[Standing | None], until: int, shift: int) -> None:
        """Mentions before number `until` of which nothing is known yet stand as they stood."""
        for start, end, *_ in self.mentions[len(standing) : until]:
            standing.append(Standing(self.original[start:end], start + shift, end + shift, changed=False))

    @cached_property
    def _borders(self) -> set[int]:
        """Where sentences begin or end; not inside of a mention."""
        found = {0, len(self.original)}
        for match in _SENTENCE_END.finditer(self.original):
            at = match.end()
            number = bisect_left(self.starts, at) - 1
            if number < 0 or self.ends[number] <= at:
                found.add(at)
        return found

    @cached_property
    def _gaps(self) -> set[int]:
        """Where the white space before a sentence begins."""
        return {len(self.original[:border].rstrip()) for border in self._borders}

    def _takes_sentences(self, edit: Edit) -> bool:
        """Whether whole sentences go; at the end of a text the white space before them may go instead."""
        if edit.text:
            return False
        begins = edit.start in self._borders or edit.start in self._gaps
        return begins and (edit.end in self._borders or not self.original[edit.end :].strip())

    def _ends_well(self, released: str) -> bool:
        """Whether the end of the text tells nothing of sentences that stood there."""
        last, kept = self.edits[-1], released.rstrip()
        if last.text or self.original[last.end :].strip() or not self._takes_sentences(last):
            return True
        return not kept or released == kept + self.original[len(self.original.rstrip()) :]

    def _is_article(self, edit: Edit, number: int) -> bool:
        """ "an" becomes "a" before something that is changed: "an" would tell how the word began."""
        if edit.text or edit.end - edit.start != 1 or self.original[edit.start] not in "nN":
            return False
        before = self.original[max(edit.start - 2, 0) : edit.start]
        if before[-1:] not in ("a", "A") or before[:-1].isalnum():
            return False
        following = self.edits[number + 1] if number + 1 < len(self.edits) else None
        return following is not None and self.original[edit.end : following.start].isspace()

    def _core(self, number: int, edit: Edit) -> tuple[int, int] | None:
        """Where in the text of an edit the label of a mention is; None if the edit takes or adds more."""
        start, end, *_ = self.mentions[number]
        floor = self.ends[number - 1] if number else 0
        front = _BEFORE.search(self.original, max(floor, start - 12), start)
        first = start if front is None else front.start()
        behind = _BEHIND.match(self.original, end)
        ceiling = self.starts[number + 1] if number + 1 < len(self.starts) else len(self.original)
        last = behind.end() if behind is not None and behind.end() <= ceiling else end
        inner = _INNER_ARTICLE.match(self.original, start, end)
        if not (first <= edit.start <= (start if inner is None else inner.end())):
            return None
        mark = _POSSESSIVE.search(self.original, start, end)  # "Berlin's" may be a mention as a whole
        if not (end if mark is None else mark.start()) <= edit.end <= last:
            return None
        return _label_in(edit.text, self.original[edit.start : max(start, edit.start)], edit.end > end)


def _joined_removals(edits: Sequence[Edit]) -> list[Edit]:
    """The same with removals that touch each other as one: together they take whole sentences."""
    found: list[Edit] = []
    for edit in edits:
        if found and not edit.text and not found[-1].text and edit.start == found[-1].end:
            found[-1] = found[-1]._replace(end=edit.end)
        else:
            found.append(edit)
    return found


def _label_in(text: str, before: str, possessive: bool) -> tuple[int, int] | None:
    """Where in what stands there the label is; None if a word around it came or went that may not."""
    end = len(text)
    front = _FRONT.match(text)
    assert front is not None  # it matches nothing, too
    start = front.end()
    if before[:2].lower() == "on":
        if front[1] is None:
            return None
    elif front[1] is not None:
        start = 0  # "in" belongs to the label where none of the kind stood before it
    if possessive:
        mark = _POSSESSIVE.search(text)
        if mark is None:
            return None
        end = mark.start()
    return (start, end) if start <= end else (end, end)
