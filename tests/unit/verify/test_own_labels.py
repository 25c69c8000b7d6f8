"""Labels of a person's own values in its texts, as the auditor reads them."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
from tests.evidence import evidence_for
from tests.unit.verify.test_residue import people, residue

import heteronym as hn
from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.model.release import Verdict
from heteronym.pipeline import make_dataset, make_draft
from heteronym.verify.audit import audit
from heteronym.verify.masking import Put
from heteronym.verify.names import is_aged, says_little
from heteronym.verify.originals import Originals

NOTES: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "name": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "note": {"role": "text"},
    },
    "text": {"model": "none"},
}


def test_an_item_that_one_row_tells_may_be_held_in_another() -> None:
    frame = pl.DataFrame(
        {
            "id": ["1", "1", "2", "2"],
            "age": [30, 30, 31, 31],
            "drugs": ["Qwerin", None, "Zomba", None],
            "note": ["", "I take Qwerin daily.", "", "I take Zomba daily."],
        }
    )
    plan: dict[str, Any] = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "drugs": {"role": "items", "separator": " "},
            "note": {"role": "text"},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 2, "m": 1}, {"model": "k-anonymity", "k": 2}],
        "text": {"model": "none"},
    }
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    assert set(release.data["note"]) == {"", "I take (Qwerin,Zomba) daily."}


def test_what_is_masked_for_one_of_a_group_is_masked_for_all_of_it() -> None:
    notes = ["may came in.", "He may go home.", "He slept.", "He slept well."]
    frame = pl.DataFrame(
        {"id": ["a1", "a2", "a3", "a4"], "name": ["May Ott", "Ada Fox", "Ida Poe", "Eva Roe"], "age": 30}
    ).with_columns(note=pl.Series(notes))
    plan = NOTES | {"privacy": [{"model": "joint", "k": 2, "m": 1}]}
    release = hn.anonymize(frame, plan)
    assert release.verdict.holds
    assert set(release.data["note"]) == {
        "He [PERSON] go home.", "[PERSON] came in.", "He slept.", "He slept well.",
    }  # fmt: skip


def test_a_word_that_too_few_of_a_group_do_not_show_tells_who_bears_it_as_a_name() -> None:
    notes = ["Takes 1 tablet at night.", *["Takes 1 tablet at night."] * 3, "He slept.", "He slept."]
    frame = pl.DataFrame(
        {
            "id": [f"a{place}" for place in range(6)],
            "name": ["Rose Night", "Ada Fox", "Ida Poe", "Eva Roe", "Ivo Cruz", "Lars Falk"],
            "age": 30,
            "note": notes,
        }
    )

    def checked(k: int, written: list[str]) -> bool:
        """The check `missed` on the data with its notes so written."""
        plan = make_plan(NOTES | {"privacy": [{"model": "joint", "k": k, "m": 1}]})
        draft = make_draft(make_dataset(from_frame(frame)[0], plan), plan)
        assert draft.mentions is not None
        evidence = evidence_for(draft.mentions, notes, written, column="note")
        originals = Originals(frame, np.arange(6), np.arange(6), evidence=evidence)
        data = pl.DataFrame({"age": ["30"] * 6, "note": written})
        verdict = audit(data, plan, person=np.arange(6), originals=originals)
        return next(check.holds for check in verdict.checks if check.name == "missed")

    masked = ["Takes 1 tablet at [PERSON].", *notes[1:]]
    assert checked(3, masked)  # she and two others
    assert not checked(4, masked)
    assert checked(4, [*masked[:1], "Takes 1 tablet at [PERSON].", *notes[2:]])


def test_figures_say_little_unless_something_marks_them_as_an_age() -> None:
    assert [says_little(one) for one in ("96", "2 weeks", "day")] == [True] * 3
    assert [says_little(one) for one in ("1964", "96 Elm", "Zlatka")] == [False] * 3
    for text, is_age in {
        "96 years": True,
        "SpO2 96 %": False,
        "aged 96": True,
        "96F": True,
        "HR 96,": False,
    }.items():
        start = text.index("96")
        assert is_aged(text, start, start + 2) is is_age, text


def test_the_name_of_a_month_in_a_label_is_not_the_name_of_a_person() -> None:
    data = people(("May", "36", "Education", "seen 20/05/2004"), ("May", "36", "Education", "seen by May"))
    put = {"text": [[Put(5, 13, "20/05/2004")], [Put(8, 11, "May Ott")]]}
    found = residue(data, ["seen May 2004", "seen by may"], put=put)
    assert {left.row for left in found.places} == {1}  # the second stands for something that tells the name


def test_a_name_stays_in_its_bearers_texts_nowhere() -> None:
    data = people(("May", "36", "Education", "x"), ("Ann", "36", "Education", "x"))
    assert [left.row for left in residue(data, ["it may be", "it may be"]).places] == [0]


def verdict_on(frame: pl.DataFrame, written: pl.DataFrame, **attributes: Any) -> Verdict:
    """The auditor's word on rows that somebody released so, in this order, under the joint model."""
    plan = make_plan(
        {
            "data": {"person": "id"},
            "attributes": {"id": {"role": "identifier"}, "note": {"role": "text"}, **attributes},
            "privacy": [{"model": "joint", "k": 2, "m": 2}],
            "recode": {"terms": "generalize"},
            "text": {
                "model": "none",
                "entities": ["DATE", "CODE"],
                "patterns": {"DATE": r"30 March 2005|(?<=born in )2005", "CODE": r"(?<=code )\w+"},
            },
        }
    )
    draft = make_draft(make_dataset(from_frame(frame)[0], plan), plan)
    person = np.arange(frame.height) // 2
    assert draft.mentions is not None
    evidence = evidence_for(draft.mentions, frame["note"].to_list(), written["note"].to_list(), column="note")
    originals = Originals(frame, np.arange(frame.height), person, evidence=evidence)
    return audit(written, plan, person=person, originals=originals)


def test_a_label_that_reads_like_an_events_and_like_a_term_that_went_is_a_label() -> None:
    frame = pl.DataFrame(
        {
            "id": ["p71", "p71", "p72", "p72", "p73", "p73"],
            "visit": ["2005-05-22", "2005-06-01"] * 3,
            "note": ["A letter of 30 March 2005 came. Bye.", "He was born in 2005. Bye."] * 3,
        }
    )
    visit = {"role": "event", "scale": "date"}
    written = pl.DataFrame({"visit": ["2005"] * 6, "note": ["A letter of 2005 came. Bye.", "Bye."] * 3})
    assert verdict_on(frame, written, visit=visit).holds
    # the same letters where nothing was replaced are a trace, if one person alone shows them
    notes = written["note"].to_list()
    left = written.with_columns(note=pl.Series([*notes[:5], "He was born in 2005. Bye."]))
    assert not verdict_on(frame, left, visit=visit).holds


def test_a_label_of_items_shows_no_item_where_its_set_stands_in_another_row() -> None:
    frame = pl.DataFrame(
        {
            "id": ["p71", "p71", "p72", "p72", "p73", "p73"],
            "codes": ["W30", None, "V22", None, "W30", None],
            "note": ["Well.", "Another has code V22.", "Well.", "Has code V22.", "Well.", "Has code W30."],
        }
    )
    codes = {"role": "items", "separator": " ", "entities": ["CODE"]}
    both = "(V22,W30)"
    notes = ["Well.", f"Another has code {both}.", "Well.", f"Has code {both}.", "Well.", f"Has code {both}."]
    written = pl.DataFrame({"codes": [both, None] * 3, "note": notes})
    assert verdict_on(frame, written, codes=codes).holds
    # one who tells the item itself is alone
    told = written.with_columns(note=pl.Series([*notes[:1], "Another has code V22.", *notes[2:]]))
    assert not verdict_on(frame, told, codes=codes).holds
