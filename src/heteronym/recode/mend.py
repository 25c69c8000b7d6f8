"""Mends texts: what an auditor still found in a released text becomes a mention there, and is masked.

Places are told in the released text and carried back to the original through its edits. A value of a
quasi column gets the column's label, everything else a placeholder. Nothing else of the release
changes.

Cost        O(mentions) + the edits of the texts concerned
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heteronym.model.dataset import Dataset
from heteronym.model.edit import Edits
from heteronym.model.mention import NUMBERS, Mentions, Status
from heteronym.model.person_view import PersonView
from heteronym.model.terms import Term
from heteronym.recode.apply import edits_of

SOURCE = "audit"
UNTYPED = "VALUE"


class FlaggedPlace(NamedTuple):
    """What is left, in offsets of the released text of a row of the data."""

    row: int  # of the data
    column: str
    start: int
    end: int
    link: str | None  # the column whose value it is; None: a term
    type: str


def mended(
    view: PersonView, mentions: Mentions, found: Sequence[FlaggedPlace]
) -> tuple[Mentions, PersonView] | None:
    """The mentions with what was found (in the data's texts) among them, and the view that goes with them;
    None: nothing is new."""
    places = _united(found, mentions)
    if not places:
        return None
    covered = np.concatenate([_touched(mentions, place) for place in places])
    keep = np.delete(np.arange(len(mentions)), covered)
    links = tuple(dict.fromkeys([*mentions.links, *(p.link for p in places if p.link is not None)]))
    types = tuple(dict.fromkeys([*mentions.types, *(p.type for p in places)]))
    stay = replace(
        mentions,
        types=types,
        links=links,
        sources=(*mentions.sources, SOURCE),
        rules=(*mentions.rules, "left in the text"),
        terms=[*mentions.terms, *(Term(place.type, "") for place in places)],
        **{name: getattr(mentions, name)[keep] for name in NUMBERS},
    )
    result, order = stay.with_more(
        {
            "row": [p.row for p in places],
            "column": [mentions.columns.index(p.column) for p in places],
            "start": [p.start for p in places],
            "end": [p.end for p in places],
            "type": [types.index(p.type) for p in places],
            "score": 1.0,
            "source": len(stay.sources) - 1,
            "rule": len(stay.rules) - 1,
            "status": Status.FOUND,
            "link": [-1 if p.link is None else links.index(p.link) for p in places],
            "term": np.arange(len(mentions.terms), len(stay.terms)),
            "spelling": -1,
        }
    )
    elements = replace(
        view.elements,
        of_mention=np.r_[view.elements.of_mention[keep], np.full(len(places), -1, np.int32)][order],
        mention_row=result.row,
        mention_column=result.column,
        mention_spelling=result.spelling,
    )
    return result, replace(view, elements=elements)


def in_the_original(
    dataset: Dataset, edits: Edits | None, found: FlaggedPlace
) -> tuple[FlaggedPlace | None, bool]:
    """The place in the data's text (None: nowhere), and whether the release itself put there what stands."""
    text = dataset.frame[found.column][found.row]
    if text is None or edits is None:
        return None, False
    text = str(text)
    column = edits.columns.index(found.column)
    first, last = np.searchsorted(edits.row, [found.row, found.row + 1])
    mine = first + np.flatnonzero(edits.column[first:last] == column)
    at = done = 0  # places in the released text and in the original
    start = end = None
    put = False  # whether the place begins in what the release put there
    for edit in [*edits_of(edits, mine), None]:
        stop = len(text) if edit is None else edit.start
        shift, last_at = done - at, at + stop - done
        if start is None and at <= found.start < last_at:
            start = found.start + shift
        if start is not None and found.end <= last_at:
            end = max(found.end + shift, done)
            put = False
            break
        if edit is None:
            break
        at, done = last_at + len(edit.text), edit.end
        # a place that reaches into an edit takes in what the edit stands for
        if start is None and found.start < at:
            start, put = edit.start, True
        if start is not None and found.end <= at:
            end = edit.end
            put = put and start == edit.start
            break
    if start is None or end is None or end <= start:
        return None, False
    return found._replace(start=start, end=end), put and end is not None


def _touched(mentions: Mentions, place: FlaggedPlace) -> NDArray[np.int64]:
    first, last = np.searchsorted(mentions.row, [place.row, place.row + 1])
    mine = slice(first, last)
    touches = (
        (mentions.column[mine] == mentions.columns.index(place.column))
        & (mentions.start[mine] < place.end)
        & (mentions.end[mine] > place.start)
    )
    return np.asarray(first + np.flatnonzero(touches), np.int64)


def _united(places: Sequence[FlaggedPlace], mentions: Mentions) -> list[FlaggedPlace]:
    """Places that overlap become one, and take in the mentions that they touch."""
    widened = []
    for place in places:
        touched = _touched(mentions, place)
        if len(touched):
            start, end = int(mentions.start[touched].min()), int(mentions.end[touched].max())
            place = place._replace(start=min(place.start, start), end=max(place.end, end))
            if mentions.link[touched].max() < 0 and place.link is not None:
                place = place._replace(link=None)  # part of something longer: no label fits
        widened.append(place)
    result: list[FlaggedPlace] = []
    for place in sorted(widened, key=lambda p: (p.row, p.column, p.start, -p.end)):
        last = result[-1] if result else None
        if (
            last is not None
            and (last.row, last.column) == (place.row, place.column)
            and place.start < last.end
        ):
            longer = last if last.end - last.start >= place.end - place.start else place
            link = last.link if last.link == place.link else None
            result[-1] = longer._replace(start=last.start, end=max(last.end, place.end), link=link)
        else:
            result.append(place)
    return result
