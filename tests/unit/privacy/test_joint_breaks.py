"""Releases that break the joint model in the ways that are easy to forget; the audit refuses each.

Every release here is written by hand beside one that holds, so that what is refused is the break alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.evidence import evidence_for

import heteronym as hn
from heteronym.errors import PlanError
from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.model.release import Verdict
from heteronym.pipeline import make_dataset, make_draft
from heteronym.verify.audit import audit
from heteronym.verify.originals import Originals

AGES = [30, 31, 32, 33]


def plan_for(**more: Any) -> dict[str, Any]:
    return {
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
            "text": {"role": "text"},
        },
        "data": {"person": "id"},
        "text": {
            "model": "none",
            "entities": ["GPE", "PHONE", "AGE"],
            "patterns": {
                "GPE": "Rome|Milan|Oslo|Paris|UK|Britain",
                "PHONE": "555-[0-9]+",
                "AGE": "[0-9]+ years old",
            },
        },
        "privacy": [{"model": "joint", "k": 2, "m": 2}],
        **more,
    }


def audited(
    texts: Sequence[str | None],
    released: Sequence[str | None],
    *,
    reviewed: list[str] | None = None,
    **more: Any,
) -> Verdict:
    """The verdict on texts that somebody released so for four persons of one group.

    `reviewed` are the texts as recognizers saw them, where they missed something.
    """
    plan = make_plan(plan_for(**more))
    frame = pl.DataFrame({"id": list("abcd"), "age": AGES, "text": texts})
    seen = frame if reviewed is None else frame.with_columns(text=pl.Series(reviewed))
    draft = make_draft(make_dataset(from_frame(seen)[0], plan), plan)
    assert draft.mentions is not None
    written = pl.DataFrame({"age": ["[30-33]"] * 4, "text": released})
    person = np.arange(4)
    evidence = evidence_for(draft.mentions, texts, released)
    originals = Originals(frame, np.arange(4), person, evidence=evidence)
    return audit(written, plan, person=person, originals=originals)


def test_what_all_show_holds() -> None:
    assert audited(["I love Rome."] * 4, ["I love Rome."] * 4).holds
    assert audited(["I love Rome."] * 4, ["I love [GPE]."] * 4).holds
    assert audited(["I love Rome. So it is."] * 4, ["So it is."] * 4).holds


def test_a_term_that_one_person_shows_is_refused() -> None:
    verdict = audited(["I love Rome."] * 3 + ["I love Oslo."], ["I love Rome."] * 3 + ["I love Oslo."])
    assert not verdict.models[0].holds


def test_linked_values_of_other_members_get_the_label_for_all() -> None:
    texts = ["He is 31 years old.", "I am 31 years old.", "He is 31 years old.", "He is 31 years old."]
    good = ["He is [30-33].", "I am [30-33] years old.", "He is [30-33].", "He is [30-33]."]
    assert audited(texts, good).models[0].holds
    # linked for its owner, masked for the others: the owner is the only one to show the label
    bad = ["He is [AGE].", "I am [30-33] years old.", "He is [AGE].", "He is [AGE]."]
    assert not audited(texts, bad).models[0].holds


def test_a_label_that_only_one_person_shows_twice_is_refused() -> None:
    texts = ["Rome and Milan it is."] + ["Rome it is."] * 3
    assert not audited(texts, ["Italy and Italy it is."] + ["Italy it is."] * 3).models[0].holds
    texts = ["Rome and Milan it is."] * 2 + ["Rome it is."] * 2
    assert audited(texts, ["Italy and Italy it is."] * 2 + ["Italy it is."] * 2).models[0].holds


def test_a_lone_placeholder_of_a_direct_type_is_refused() -> None:
    texts = ["Call 555-1234 now. Bye."] + ["Bye."] * 3
    assert not audited(texts, ["Call [PHONE] now. Bye.", "Bye.", "Bye.", "Bye."]).models[0].holds
    assert not audited(texts, ["Call [...] now. Bye.", "Bye.", "Bye.", "Bye."]).models[0].holds
    assert audited(texts, ["Bye."] * 4).holds  # gone with its sentence


def test_a_deleted_word_leaves_a_trace() -> None:
    texts = ["I am from Oslo. Bye."] + ["Bye."] * 3
    assert not audited(texts, ["I am from . Bye.", "Bye.", "Bye.", "Bye."]).models[0].holds


def test_the_line_break_before_a_mention_is_no_part_of_it() -> None:
    texts = ["Hello.\n\nOslo it is. I love Rome."] + ["Hello."] * 3
    assert audited(texts, ["Hello."] * 4).holds
    assert not audited(texts, ["Hello.\n\n", "Hello.", "Hello.", "Hello."]).holds


def test_an_empty_text_is_no_missing_one() -> None:
    texts = ["I am from Oslo.", None, None, None]
    assert audited(texts, [None] * 4).holds
    assert not audited(texts, ["", None, None, None]).holds


def test_the_program_leaves_no_trace_of_what_went() -> None:
    texts = [
        "Hello. I am from Oslo.",
        "Hello.",
        "I love Milan.",
        None,
        "Hello. Rome it is.",
        "Hello.",
        "",
        None,
    ]
    people = pl.DataFrame({"id": list("abcdefgh"), "age": [30] * 8, "text": texts})
    release = hn.anonymize(people, plan_for(privacy=[{"model": "joint", "k": 4, "m": 2}]))
    assert release.verdict.holds
    assert set(release.data["text"]) == {"Hello.", None}


def test_part_of_a_sentence_must_not_go() -> None:
    texts = ["I am from Oslo. All is well. Bye."] * 4
    assert audited(texts, ["I am from Oslo. Bye."] * 4).holds  # a whole one may
    assert not audited(texts, ["All is well. Bye."] * 3 + ["from Oslo. All is well. Bye."]).holds


def test_two_spellings_are_two_labels() -> None:
    texts = ["The UK it is."] * 3 + ["The Britain it is."]
    synonyms = {"text": {**plan_for()["text"], "synonyms": {"UK": ["Britain"]}}}
    assert not audited(texts, texts, **synonyms).models[0].holds
    assert audited(texts, ["The UK it is."] * 4, **synonyms).models[0].holds


def test_what_is_masked_for_one_stands_in_no_text_of_the_group() -> None:
    texts = ["I love Paris."] * 4
    # in the last text nobody recognized it
    missed = ["I love Paris."] * 3 + ["I love xxxxx."]
    plan = make_plan(plan_for())
    frame = pl.DataFrame({"id": list("abcd"), "age": AGES, "text": texts})
    seen = frame.with_columns(text=pl.Series(missed))
    draft = make_draft(make_dataset(from_frame(seen)[0], plan), plan)
    assert draft.mentions is not None
    written = pl.DataFrame({"age": ["[30-33]"] * 4, "text": ["I love [GPE]."] * 3 + ["I love Paris."]})
    evidence = evidence_for(draft.mentions, texts, written["text"].to_list())
    originals = Originals(frame, np.arange(4), np.arange(4), evidence=evidence)
    verdict = audit(written, plan, person=np.arange(4), originals=originals)
    assert [check.name for check in verdict.checks if check.holds is False] == ["missed"]


def test_pseudonyms_that_link_rows_are_refused_before_the_run() -> None:
    frame = pl.DataFrame({"id": list("aabb"), "age": [30, 30, 31, 31], "text": ["Rome."] * 4})
    with pytest.raises(PlanError, match="person_key"):
        hn.anonymize(frame, plan_for(release={"person_key": "pseudonym"}))
    single = pl.DataFrame({"id": list("abcd"), "age": AGES, "text": ["Rome."] * 4})
    assert hn.anonymize(single, plan_for(release={"person_key": "pseudonym"})).verdict.holds


def test_arrangements_over_rows_with_pseudonyms_are_refused_by_the_audit() -> None:
    """Everybody shows Rome and Oslo by person, and each alone by row, but one person in one row only."""
    told = ["Rome it is. Oslo it is.", "So it is."] + ["Rome it is.", "Oslo it is."] * 3
    together = ["Rome it is. Oslo it is.", "So it is."] * 4
    for texts in (told, together):
        frame = pl.DataFrame({"id": list("aabbccdd"), "age": [30] * 8, "text": texts})
        person = np.arange(8) // 2
        hidden = make_plan(plan_for())
        draft = make_draft(make_dataset(from_frame(frame)[0], hidden), hidden)
        assert draft.mentions is not None
        evidence = evidence_for(draft.mentions, texts, texts)
        originals = Originals(frame, np.arange(8), person, evidence=evidence)
        written = pl.DataFrame({"age": ["30"] * 8, "text": texts})
        assert audit(written, hidden, person=person, originals=originals).models[0].holds == (texts != told)
        named = make_plan(plan_for(release={"person_key": "pseudonym"}))
        linked = written.insert_column(0, pl.Series("id", [f"P{n}" for n in person]))
        verdict = audit(linked, named, person=person, originals=originals)
        assert "linked" in verdict.models[0].detail


def test_a_value_inside_a_columns_label_has_one_fate_whoever_holds_it() -> None:
    """38 is the age of one and a word of another: both show the label, or both sentences go."""
    texts = ["She is 38 years old. Bye."] + ["I am {} years old. Bye."] * 5 + ["Bye."] * 2
    ages = [31, 38, 36, 31, 39, 33, 34, 35]
    frame = pl.DataFrame(
        {
            "id": [*"abcdefgh", "a"],
            "age": [*ages, 31],
            "text": [
                *(text.format(age) for text, age in zip(texts, ages, strict=True)),
                "I am 31 years old.",
            ],
            "day": ["2021-01-01"] * 4 + ["2021-05-05"] * 5,
        }
    )
    plan = plan_for(privacy=[{"model": "joint", "k": 3, "m": 2}], partition={"method": "joint", "delta": 1})
    plan["attributes"]["day"] = {"role": "event", "scale": "date"}
    release = hn.anonymize(frame, plan)
    shown = dict(zip(frame["text"][release.source_row.tolist()], release.data["text"], strict=True))
    mine, others = shown["I am 38 years old. Bye."], shown["She is 38 years old. Bye."]
    assert release.verdict.holds
    assert ("[" in mine) == ("[" in others)


def test_plain_columns_that_link_rows_are_refused_by_the_audit() -> None:
    frame = pl.DataFrame(
        {"id": list("aabbcc"), "age": [30] * 6, "text": ["Rome."] * 6, "note": list("xxyyzz")}
    )
    plan = plan_for()
    plan["attributes"]["note"] = {"role": "plain"}
    with pytest.raises(hn.PromiseError, match="linked"):
        hn.anonymize(frame, plan)


def test_events_need_the_joint_model() -> None:
    frame = pl.DataFrame({"age": AGES, "visit": ["2021-01-01"] * 4})
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "visit": {"role": "event", "scale": "date"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    with pytest.raises(PlanError, match="joint"):
        hn.anonymize(frame, plan)


def test_sets_that_every_row_repeats_show_once() -> None:
    frame = pl.DataFrame({"id": list("aabb"), "age": [30, 30, 31, 31], "codes": ["A B", "A B", "A B", "A B"]})
    plan = {
        "attributes": {
            "id": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "codes": {"role": "items", "separator": " "},
        },
        "data": {"person": "id"},
        "privacy": [{"model": "joint", "k": 2, "m": 2}],
    }
    data = hn.anonymize(frame, plan).data
    assert sorted(cell or "" for cell in data["codes"]) == ["", "", "A B", "A B"]


def test_a_term_equal_to_an_identifier_of_a_member_is_masked_for_all() -> None:
    frame = pl.DataFrame({"id": ["Rome", "b", "c", "d"], "age": AGES, "text": ["I love Rome and Oslo."] * 4})
    data = hn.anonymize(frame, plan_for(privacy=[{"model": "joint", "k": 4, "m": 2}])).data
    assert all("Oslo" in text for text in data["text"])
    assert all("Rome" not in text for text in data["text"])


def test_white_space_where_the_end_of_a_text_went_is_a_trace() -> None:
    texts = ["All is well. I am from Oslo."] + ["All is well."] * 3
    assert not audited(texts, ["All is well. ", *["All is well."] * 3]).holds
    assert audited(texts, ["All is well."] * 4).holds
    ended = [f"{text}\n" for text in texts]
    assert not audited(ended, ["All is well.", *["All is well.\n"] * 3]).holds
    assert audited(ended, ["All is well.\n"] * 4).holds
