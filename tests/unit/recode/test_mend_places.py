"""Where what an auditor found lies in the original text, and which mentions it replaces."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.pipeline import make_dataset, make_draft
from heteronym.recode.mend import FlaggedPlace, in_the_original, mended

PLAN = {
    "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "note": {"role": "text"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
    "text": {"model": "none", "entities": ["GPE"], "patterns": {"GPE": "Rome|Oslo|New Ulm"}},
}


def after(
    notes: Sequence[str], released: str, *found: tuple[str, str | None]
) -> list[tuple[str, str | None]]:
    """Mentions of the first note, with their links, after pieces of its released text were found there."""
    plan = make_plan(PLAN)
    frame = pl.DataFrame({"age": [30, 31], "note": notes})
    draft = make_draft(make_dataset(from_frame(frame)[0], plan), plan)
    assert draft.mentions is not None
    assert draft.edits is not None
    places = [
        FlaggedPlace(0, "note", released.index(piece), released.index(piece) + len(piece), link, "VALUE")
        for piece, link in found
    ]
    carried = [in_the_original(draft.dataset, draft.edits, place) for place in places]
    made = mended(draft.view, draft.mentions, [place for place, inside in carried if place and not inside])
    mentions = draft.mentions if made is None else made[0]
    return [
        (
            notes[0][mentions.start[n] : mentions.end[n]],
            None if mentions.link[n] < 0 else mentions.links[mentions.link[n]],
        )
        for n in range(len(mentions))
        if mentions.row[n] == 0
    ]


def test_a_place_behind_a_longer_label_is_carried_back_to_the_original() -> None:
    notes = ["Oslo, Rome: 30 and Bishop", "none"]
    found = after(notes, "[GPE], [GPE]: 30 and Bishop", ("Bishop", None), ("30", "age"))
    assert found == [("Oslo", None), ("Rome", None), ("30", "age"), ("Bishop", None)]


def test_a_place_inside_what_the_release_put_there_is_no_place_of_the_original() -> None:
    assert after(["Oslo is far", "none"], "[GPE] is far", ("GPE", None)) == [("Oslo", None)]


def test_places_that_overlap_become_one_and_two_columns_give_no_label() -> None:
    notes, released = ["seen 30 31 today", "none"], "seen 30 31 today"
    assert after(notes, released, ("30 3", "age"), ("0 31", "age")) == [("30 31", "age")]
    assert after(notes, released, ("30 31", "age"), ("31 today", None)) == [("30 31 today", None)]
    assert after(notes, released, ("30 31", "age"), ("31", None)) == [("30 31", None)]


def test_a_mention_that_is_touched_goes_into_the_place_and_part_of_it_gets_no_label() -> None:
    notes = ["of New Ulm hall", "to New Ulm"]  # both mention it: it is kept
    assert after(notes, notes[0], ("Ulm hall", None)) == [("New Ulm hall", None)]
    assert after(notes, notes[0], ("Ulm", "age")) == [("New Ulm", None)]


def test_a_place_that_reaches_into_a_label_takes_in_what_the_label_stands_for() -> None:
    notes = ["He saw Oslo then.", "none"]
    assert after(notes, "He saw [GPE] then.", ("saw [GP", None)) == [("saw Oslo", None)]
    assert after(notes, "He saw [GPE] then.", ("PE] then", None)) == [("Oslo then", None)]
    # what lies in the label alone tells nothing of the original
    assert after(notes, "He saw [GPE] then.", ("GPE", None)) == [("Oslo", None)]
