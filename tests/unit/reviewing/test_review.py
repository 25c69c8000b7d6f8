"""A review of terms: its queue, decisions, undo, missed mentions, samples, and a second reviewer."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import heteronym as hn
from heteronym.io.decisions import Decision, Decisions, append_decisions, read_decisions
from heteronym.reviewing.agreement import agreement, kappa
from heteronym.reviewing.review import Filter, Review
from heteronym.reviewing.sampling import share_of

NOTES = [
    "Lives in Paris with Copper Kettle. Works as a nurse.",
    "Lives in Madrid with Copper Kettle. Works as a nurse.",
    "Moved from Paris to Madrid in spring. copper kettle is a game.",
    "Born in Springfield. Nothing else is known. The weather was fine.",
    "Has no town at all. Sleeps well. Eats little.",
    "Saw Paris twice. Sleeps badly. Reads a lot.",
]
PLAN = {
    "data": {"person": "id"},
    "attributes": {"id": {"role": "identifier"}, "age": {"role": "quasi"}, "note": {"role": "text"}},
    "text": {
        "model": "none",
        "words": {"GPE": "towns.txt", "JOB": "jobs.txt"},
        "entities": ["GPE", "JOB", "LOC", "PERSON"],
    },
    "privacy": [{"model": "k-anonymity", "k": 6}],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return written(tmp_path, NOTES)


def written(folder: Path, notes: list[str]) -> Path:
    (folder / "towns.txt").write_text("Paris\nMadrid\nSpringfield\n")
    (folder / "jobs.txt").write_text("nurse\n")
    (folder / "plan.yaml").write_text(json.dumps(PLAN))
    frame = pl.DataFrame({"id": range(len(notes)), "age": [30] * len(notes), "note": notes})
    frame.write_csv(folder / "data.csv")
    return folder / "data.csv"


def opened(data: Path, name: str = "decisions.jsonl", **more: Any) -> Review:
    return hn.review(data, data.parent / "plan.yaml", decisions=data.parent / name, **more)


def texts(data: Path, decisions: str = "decisions.jsonl") -> list[str]:
    """Released texts, in the order of the data."""
    release = hn.anonymize(data, data.parent / "plan.yaml", mentions=data.parent / decisions)
    assert release.verdict.holds
    order = release.source_row.tolist()
    return [note for _, note in sorted(zip(order, release.data["note"].to_list(), strict=True))]


# --- the queue ------------------------------------------------------------------------------------


def test_the_queue_lists_every_term_once_and_what_is_worth_most_first(data: Path) -> None:
    review = opened(data)
    listed = review.queue(most=100)
    assert sorted(one.term for one in listed) == ["madrid", "nurse", "paris", "springfield"]
    assert [one.worth for one in listed] == sorted((one.worth for one in listed), reverse=True)
    [paris] = [one for one in listed if one.term == "paris"]
    assert (paris.places, paris.persons, paris.spelling, paris.type) == (3, 3, "Paris", "GPE")


def test_contexts_show_the_term_in_its_words_with_other_mentions_marked(data: Path) -> None:
    context = opened(data).contexts("Madrid")[1]
    assert "".join(piece.text for piece in context.pieces) == NOTES[2]
    assert [(p.text, p.mark) for p in context.pieces if p.mark] == [("Paris", "GPE"), ("Madrid", "this")]


def test_a_decided_term_leaves_the_queue_and_the_file_has_who_and_when(data: Path) -> None:
    review = opened(data, who="first reader")
    assert review.decide("Paris", "mask") == 3
    assert "paris" not in [one.term for one in review.queue()]
    [line] = read_decisions(data.parent / "decisions.jsonl")
    assert (line.decision, line.term, line.who) == ("mask", "paris", "first reader")
    assert line.when.startswith("20")
    assert review.progress()[:2] == (4, 1)


def test_the_file_is_the_owners_alone_and_a_repr_shows_no_word(data: Path) -> None:
    review = opened(data)
    review.decide("springfield", "keep")
    assert stat.S_IMODE((data.parent / "decisions.jsonl").stat().st_mode) == 0o600
    shown = repr(review) + repr(review.queue()) + repr(review.decisions) + repr(review.decisions.all)
    for word in ("paris", "Paris", "springfield", "madrid"):
        assert word not in shown


def test_a_review_goes_on_where_it_ended(data: Path) -> None:
    first = opened(data)
    first.decide("paris", "mask")
    first.add("Copper Kettle", "LOC")
    again = opened(data)
    assert again.progress() == first.progress()
    assert again.undo() == "copper kettle"
    assert again.undo() == "paris"
    assert again.undo() is None
    assert again.progress().decided == 0


def test_a_step_that_is_sent_twice_is_done_once(data: Path) -> None:
    review = opened(data)
    for _ in range(2):
        review.decide("paris", "mask", id="a-1")
        review.decide("madrid", "never", id="a-2")
    assert len(read_decisions(data.parent / "decisions.jsonl")) == 2
    assert opened(data)._done == {"a-1", "a-2"}


def test_undo_brings_back_what_held_before(data: Path) -> None:
    review = opened(data)
    review.decide("paris", "mask")
    review.decide("paris", "keep")
    review.undo()
    assert review.said(review.terms.by_name["paris"]).decision == "mask"
    review.undo()
    assert review.said(review.terms.by_name["paris"]) is None


def test_all_in_view_are_decided_at_once_and_undone_at_once(data: Path) -> None:
    review = opened(data)
    towns = Filter(type="GPE")
    with pytest.raises(hn.UsageError, match="3 terms are in view, not 2"):
        review.decide_all(towns, "mask", expected=2)
    assert review.decide_all(towns, "mask", expected=3) == 3
    assert [one.term for one in review.queue()] == ["nurse"]
    review.undo()
    assert len(review.queue()) == 4


def test_the_view_is_filtered_by_state_type_and_letters(data: Path) -> None:
    review = opened(data)
    review.decide("paris", "mask")
    assert [one.term for one in review.queue(Filter(state="decided"))] == ["paris"]
    assert [one.term for one in review.queue(Filter(contains="RING"))] == ["springfield"]
    assert review.count(Filter(type="GPE", state="all")) == 3


@pytest.mark.parametrize(
    ("decision", "more", "message"),
    [
        ("burn", {}, "a decision is one of"),
        ("type", {"type": "NOISE"}, "does not count"),
        ("type", {}, "does not count"),
        ("same", {"same_as": "paris"}, "already"),
        ("same", {"same_as": "nowhere"}, "no such term"),
    ],
)
def test_what_cannot_be_is_refused_and_not_written(
    data: Path, decision: str, more: dict[str, str], message: str
) -> None:
    with pytest.raises(hn.UsageError, match=message):
        opened(data).decide("paris", decision, **more)
    assert read_decisions(data.parent / "decisions.jsonl") == []


def test_somebody_who_only_looks_on_decides_nothing(data: Path) -> None:
    review = opened(data, read_only=True)
    with pytest.raises(hn.UsageError, match="read only"):
        review.decide("paris", "mask")
    assert not (data.parent / "decisions.jsonl").exists()


# --- what comes of it -----------------------------------------------------------------------------


def test_masked_is_masked_in_every_group(data: Path) -> None:
    same = written(data.parent, ["Works as a nurse in Paris."] * 6)
    append_decisions(data.parent / "none.jsonl", [Decision("confirm", "nurse")])
    assert texts(same, "none.jsonl") == ["Works as a nurse in Paris."] * 6
    opened(same).decide("nurse", "mask")
    assert texts(same) == ["Works as a [JOB] in Paris."] * 6


@pytest.mark.parametrize("recode", ["suppress", "generalize"])
def test_masked_is_masked_whatever_recodes_terms(data: Path, recode: str) -> None:
    same = written(data.parent, ["Lives in Paris."] * 3 + ["Lives in Madrid."] * 3)
    (data.parent / "plan.yaml").write_text(
        json.dumps({**PLAN, "recode": {"terms": recode}, "privacy": [{"model": "k-anonymity", "k": 3}]})
    )
    append_decisions(data.parent / "none.jsonl", [Decision("confirm", "paris")])
    assert texts(same, "none.jsonl") == ["Lives in Paris."] * 3 + ["Lives in Madrid."] * 3
    opened(same).decide_all(Filter(type="GPE"), "mask", expected=2)
    assert texts(same) == ["Lives in [GPE]."] * 6


def test_masked_is_masked_where_a_model_settles_labels(data: Path) -> None:
    same = written(data.parent, ["Works as a nurse in Paris."] * 6)
    joint = {**PLAN, "privacy": [{"model": "joint", "k": 2, "m": 1}], "partition": {"method": "joint"}}
    (data.parent / "plan.yaml").write_text(json.dumps(joint))
    opened(same).decide("nurse", "mask")
    assert not [text for text in texts(same) if text and "nurse" in text]


def test_kept_and_never_stand_as_they_stood(data: Path) -> None:
    review = opened(data)
    review.decide("springfield", "keep")
    review.decide("nurse", "never")
    shown = texts(data)
    assert shown[3] == NOTES[3]
    assert "nurse" in shown[0]
    assert "[GPE]" in shown[0]


def test_never_stands_as_it_stood_where_a_model_settles_labels_and_others_have_it_as_a_value(
    data: Path,
) -> None:
    notes = ["My neighbour is a welder."] + ["Nothing else is known."] * 5
    same = written(data.parent, notes)
    frame = pl.read_csv(same).with_columns(job=pl.Series(["baker"] * 2 + ["welder", "tiler"] * 2))
    frame.write_csv(same)
    joint = {**PLAN, "privacy": [{"model": "joint", "k": 2, "m": 1}], "partition": {"method": "joint"}}
    joint["attributes"] = PLAN["attributes"] | {"job": {"role": "quasi", "entities": ["JOB"]}}
    (data.parent / "plan.yaml").write_text(json.dumps(joint))
    opened(same).decide("welder", "never")
    assert texts(same) == notes


def test_another_type_is_shown_in_its_place(data: Path) -> None:
    opened(data).decide("springfield", "type", type="PERSON")
    assert texts(data)[3].startswith("Born in [PERSON].")


def test_a_missed_mention_is_found_wherever_it_stands_with_its_capitals(data: Path) -> None:
    review = opened(data)
    one = review.add("Copper  Kettle", "LOC")
    assert (one.places, one.persons) == (2, 2)
    assert "copper kettle" not in [each.term for each in review.queue()]
    assert [
        piece.text for c in review.contexts("copper kettle") for piece in c.pieces if piece.mark == "this"
    ]
    shown = texts(data)
    assert "[LOC]" in shown[0]
    assert "[LOC]" in shown[1]
    assert "copper kettle is a game" in shown[2]


def test_what_was_added_and_taken_back_is_no_term(data: Path) -> None:
    review = opened(data)
    review.add("Copper Kettle", "LOC")
    review.undo()
    assert "copper kettle" not in [one.term for one in review.queue(Filter(state="all"))]
    assert "Copper Kettle" in texts(data)[0]
    assert review.add("Copper Kettle", "LOC").places == 2


def test_a_longer_missed_mention_takes_the_place_of_what_it_covers(data: Path) -> None:
    review = opened(data)
    review.add("Paris with Copper Kettle", "LOC")
    assert texts(data)[0].startswith("Lives in [LOC]. Works")


def test_only_here_leaves_other_places_alone(data: Path) -> None:
    review = opened(data)
    first, second, *_ = review.contexts("paris")
    assert review.decide("paris", "never", spot=first.spot) == 1
    shown = texts(data)
    assert "Paris" in shown[first.spot.row]
    assert "Paris" not in shown[second.spot.row]
    assert "paris" in [one.term for one in review.queue()]


def test_terms_that_are_the_same_are_one_element(data: Path) -> None:
    notes = ["Lives in Paris."] * 3 + ["Lives in Madrid."] * 3
    same = written(data.parent, notes)
    opened(same).decide("madrid", "same", same_as="paris")
    private = data.parent / "owner"
    hn.anonymize(same, data.parent / "plan.yaml", mentions=data.parent / "decisions.jsonl",
                 output=data.parent / "release", private=private)  # fmt: skip
    elements = pl.read_parquet(private / "elements.parquet")
    assert set(elements["name"]) == {"paris"}


def test_decisions_survive_a_new_version_of_the_data(data: Path) -> None:
    review = opened(data)
    review.decide("nurse", "never")
    review.add("Copper Kettle", "LOC")
    place = review.contexts("springfield")[0]
    review.decide("springfield", "never", spot=place.spot)
    newer = written(data.parent, ["Nothing of note.", *reversed(NOTES), "A nurse of Copper Kettle."])
    shown = texts(newer)
    assert shown[3] == NOTES[3]
    assert shown[7] == "A nurse of [LOC]."
    assert opened(newer).progress().decided == 2


def test_a_decision_about_a_type_that_the_plan_does_not_count_is_refused(data: Path) -> None:
    append_decisions(data.parent / "d.jsonl", [Decision("type", "paris", type="MONEY")])
    with pytest.raises(hn.PlanError, match="MONEY"):
        hn.anonymize(data, data.parent / "plan.yaml", mentions=data.parent / "d.jsonl")


# --- the file -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{",
        '{"decision": "burn", "term": "x"}',
        '{"decision": "mask"}',
        '{"decision": "mask", "term": ""}',
        '{"decision": "mask", "term": "x", "colour": "red"}',
        '{"decision": "type", "term": "x"}',
        '{"decision": "same", "term": "x"}',
        '{"decision": "checked", "term": "x"}',
        '{"decision": "never", "term": "x", "place": {"column": "a"}}',
        '{"decision": "never", "term": "x", "place": {"column": "a", "text": "d", "start": 4, "end": 4}}',
        '{"decision": "never", "term": "x", "who": 4}',
    ],
)
def test_a_broken_line_is_named_by_its_number_alone(tmp_path: Path, line: str) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"decision": "mask", "term": "Zebedee"}\n' + line + "\n")
    with pytest.raises(hn.InputError, match="line 2") as told:
        read_decisions(path)
    assert "Zebedee" not in str(told.value)


def test_half_a_line_of_a_crash_is_left_out_and_written_over(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"decision": "mask", "term": "a"}\n{"decision": "ma')
    assert [one.term for one in read_decisions(path)] == ["a"]
    append_decisions(path, [Decision("keep", "b")])
    assert [one.term for one in read_decisions(path)] == ["a", "b"]


def test_a_last_line_without_an_end_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text('{"decision": "mask", "term": "a"}')
    append_decisions(path, [Decision("keep", "b")])
    assert [one.term for one in read_decisions(path)] == ["a", "b"]


# --- sentences without marks ----------------------------------------------------------------------


def test_sentences_without_marks_are_drawn_and_counted(data: Path) -> None:
    review = opened(data)
    drawn = review.sample(50)
    shown = ["".join(piece.text for piece in one.pieces) for one in drawn]
    assert len(shown) == len(set(shown)) == 7
    assert not [text for text in shown if "Paris" in text or "Springfield" in text]
    for number, one in enumerate(drawn[:4]):
        share = review.check(one.spot, missed=number == 0)
    assert (share.checked, share.missed, share.share) == (4, 1, 0.25)
    assert 0.0 < share.low < 0.25 < share.high < 1.0
    assert len(review.sample(50)) == 3
    review.undo()
    assert review.missed().checked == 3


def test_facts_and_report_tell_of_the_review_in_counts(data: Path) -> None:
    review = opened(data, who="first")
    review.decide("paris", "mask")
    for number, one in enumerate(review.sample(4)):
        review.check(one.spot, missed=number == 0)
    release = hn.anonymize(data, data.parent / "plan.yaml", mentions=data.parent / "decisions.jsonl")
    assert release.facts["review"]["decisions"] == {"mask": 1}
    assert release.facts["review"]["sentences"]["missed"] == 1
    page = release.report(data.parent / "report.html").read_text()
    assert "Of 4 sentences without a mark, drawn at random, 1 had a mention that was missed" in page
    assert "paris" not in page.lower()
    plain = hn.anonymize(data, data.parent / "plan.yaml")
    assert "review" not in plain.facts


def test_sentences_are_drawn_evenly_whatever_their_length(tmp_path: Path) -> None:
    long = "It was a day of which much could be said and of which nothing much needs to be said here."
    data = written(tmp_path, [f"{long} Fine." for _ in range(400)])
    drawn = opened(data).sample(200)
    short = sum("".join(p.text for p in one.pieces).strip() == "Fine." for one in drawn)
    assert 70 < short < 130


def test_the_interval_is_that_of_wilson() -> None:
    found = share_of(3, 50)
    assert (round(found.low, 4), round(found.high, 4)) == (0.0206, 0.1622)
    assert share_of(0, 50).low == 0.0
    assert round(share_of(0, 50).high, 4) == 0.0713
    assert share_of(0, 0).share is None


# --- a second reviewer ----------------------------------------------------------------------------


def test_two_reviewers_are_merged_and_what_they_differ_in_is_open_again(data: Path) -> None:
    first, second = opened(data, who="first"), opened(data, "second.jsonl", who="second")
    for review, said in ((first, ("mask", "keep", "mask")), (second, ("mask", "mask", "mask"))):
        for term, decision in zip(("paris", "madrid", "springfield"), said, strict=True):
            review.decide(term, decision)
    second.decide("nurse", "never")
    found = first.merge(data.parent / "second.jsonl")
    assert (found.both, found.agreed, found.differing, found.only_second) == (3, 2, 1, 1)
    assert found.kappa == 0.0
    [open_] = first.queue(Filter(state="differing"))
    assert open_.term == "madrid"
    assert first.said(open_).said == {"first": "keep", "second": "mask"}
    assert first.said(first.terms.by_name["nurse"]).who == "second"
    first.decide("madrid", "mask")
    assert first.queue(Filter(state="differing")) == []
    assert "[GPE]" in texts(data)[1]


def test_kappa_is_that_of_cohen() -> None:
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
    assert kappa(pairs) == pytest.approx(0.4)
    assert kappa([]) is None
    assert kappa([("a", "a")]) == 1.0


def test_agreement_asks_for_types_too() -> None:
    first = Decisions([Decision("type", "a", type="ORG"), Decision("mask", "b")])
    second = Decisions([Decision("type", "a", type="GPE"), Decision("mask", "b")])
    assert agreement(first, second)[:3] == (2, 1, 1)
