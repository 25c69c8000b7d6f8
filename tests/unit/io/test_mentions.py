from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.unit.reading.data import mentions_of, posts, read, told

from heteronym.errors import InputError
from heteronym.io.closing import closing_line, digest_of_texts
from heteronym.io.mentions import mention_lines, read_mentions
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions
from heteronym.model.plan import TextPlan
from heteronym.verify.evidence import read_mentions as read_found
from heteronym.verify.evidence import texts_digest

DATA = posts(["Pedro from Rome 🙂 Rome", None, "x pedro"], [1, 2, 1])
PATTERNS = {"PERSON": "Pedro", "GPE": "Rome"}


def write_mentions(path: Path, mentions: Mentions, dataset: Dataset) -> None:
    lines = [*mention_lines(mentions), closing_line(dataset)]
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def line(**changes: Any) -> str:
    told = {"row": 0, "column": "text", "start": 0, "end": 5, "type": "PERSON", "score": 0.5, "source": "s"}
    return json.dumps({key: value for key, value in {**told, **changes}.items() if value is not ...})


def put(path: Path, *lines: str) -> Path:
    """A file as `scan` leaves it: the lines, and the one that closes it."""
    path.write_text("\n".join([*lines, closing_line(DATA)]), encoding="utf-8")
    return path


def refused(tmp_path: Path, *lines: str) -> str:
    path = tmp_path / "m.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_mentions(path, DATA)
    return str(caught.value)


def test_what_scan_found_comes_back_exactly(tmp_path: Path) -> None:
    found = mentions_of(DATA, patterns=PATTERNS)
    write_mentions(tmp_path / "m.jsonl", found, DATA)
    back = read(DATA, read_mentions(tmp_path / "m.jsonl", DATA), TextPlan(model="none"), linked=False)
    assert told(back) == told(found)
    assert (back.types, back.sources, back.terms, back.columns) == (
        found.types,
        found.sources,
        found.terms,
        found.columns,
    )
    for name in ("row", "column", "start", "end", "type", "term", "score", "source", "link"):
        assert np.array_equal(getattr(back, name), getattr(found, name)), name
    write_mentions(tmp_path / "again.jsonl", back, DATA)
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "m.jsonl").read_bytes()


def test_lines_hold_offsets_and_types_but_no_text() -> None:
    lines = list(mention_lines(mentions_of(DATA, patterns=PATTERNS)))
    assert json.loads(lines[0]) == {
        "row": 0,
        "column": "text",
        "start": 0,
        "end": 5,
        "type": "PERSON",
        "score": 1.0,
        "source": "patterns",
    }
    assert not any(word in "".join(lines) for word in ("Pedro", "pedro", "Rome", "rome"))


def test_a_mention_a_reviewer_added_is_followed_through_the_persons_texts(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_text(line(score=..., source=...) + "\n\n", encoding="utf-8")
    found = read(DATA, read_mentions(tmp_path / "m.jsonl", DATA), TextPlan(model="none"), linked=False)
    assert told(found) == [(0, "PERSON", "pedro", ""), (2, "PERSON", "pedro", "")]
    assert found.sources == ("propagated", "reviewed")


@pytest.mark.parametrize("status", ["confirmed", "added"])
def test_what_a_reviewer_said_of_a_mention_stays_with_it(tmp_path: Path, status: str) -> None:
    put(tmp_path / "m.jsonl", line(status=status))
    found = read(DATA, read_mentions(tmp_path / "m.jsonl", DATA), TextPlan(model="none"), linked=False)
    lines = [json.loads(told) for told in mention_lines(found)]
    assert [told.get("status") for told in lines] == [status, None]


def test_a_rejected_mention_is_none_unless_its_term_is_one_elsewhere(tmp_path: Path) -> None:
    path = put(tmp_path / "m.jsonl", line(status="rejected"))
    assert len(read(DATA, read_mentions(path, DATA), TextPlan(model="none"), linked=False)) == 0
    put(path, line(status="rejected"), line(row=2, start=2, end=7))
    found = read(DATA, read_mentions(path, DATA), TextPlan(model="none"), linked=False)
    assert [found.sources[s] for s in found.source] == ["propagated", "s"]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"column": "txet"}, "'column'"),
        ({"column": ...}, "'column'"),
        ({"column": 7}, "'column'"),
        ({"row": 3}, "'row'"),
        ({"row": -1}, "'row'"),
        ({"row": True}, "'row'"),
        ({"row": "0"}, "'row'"),
        ({"row": 1}, "beyond"),
        ({"end": 99}, "beyond"),
        ({"start": 5}, "'start'"),
        ({"start": -1}, "'start'"),
        ({"start": 0.5}, "'start'"),
        ({"end": ...}, "'start'"),
        ({"type": ...}, "'type'"),
        ({"type": ""}, "'type'"),
        ({"type": None}, "'type'"),
        ({"score": "high"}, "'score'"),
        ({"score": 2}, "'score'"),
        ({"source": 1}, "'source'"),
        ({"rule": 1}, "'rule'"),
        ({"status": "maybe"}, "'status'"),
        ({"status": 1}, "'status'"),
        ({"text": "Pedro"}, "unknown key"),
        ({"file": "a.txt"}, "file"),
    ],
)
def test_faults_are_named_by_line_and_key(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    message = refused(tmp_path, line(start=11, end=15), line(**changes))
    assert "line 2" in message
    assert says in message
    assert "Pedro" not in message
    assert "txet" not in message


@pytest.mark.parametrize("bad", ["{", "[]", "7", "Pedro was here", "[" * 100_000])
def test_lines_that_are_no_objects_are_refused(tmp_path: Path, bad: str) -> None:
    message = refused(tmp_path, line(), bad)
    assert "line 2" in message
    assert "Pedro" not in message


def test_overlapping_mentions_are_refused_by_both_lines(tmp_path: Path) -> None:
    message = refused(tmp_path, line(start=3, end=6), line(row=2, end=3), line(start=0, end=4))
    assert "line 1" in message
    assert "line 3" in message


def test_what_is_rejected_makes_room_for_what_stands_there_instead(tmp_path: Path) -> None:
    shorter, retyped = line(status="added", end=3), line(status="added", type="ORG")
    for instead in (shorter, retyped):
        path = put(tmp_path / "m.jsonl", line(status="rejected"), instead)
        found = read(DATA, read_mentions(path, DATA), TextPlan(model="none"), linked=False)
        first = json.loads(next(mention_lines(found)))
        assert {key: first[key] for key in ("start", "end", "type", "status")} == {
            key: json.loads(instead)[key] for key in ("start", "end", "type", "status")
        }
    assert "line 2" in refused(tmp_path, line(status="rejected"), line())  # one of the two is not meant


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_mentions(tmp_path / "none.jsonl", DATA)
    (tmp_path / "m.jsonl").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="UTF-8"):
        read_mentions(tmp_path / "m.jsonl", DATA)


def test_the_owners_trace_tells_the_rule_and_the_lines_of_scan_do_not() -> None:
    found = mentions_of(DATA, patterns=PATTERNS)
    traced = [json.loads(line) for line in mention_lines(found, rules=True)]
    assert [line.pop("rule") for line in traced] == ["pattern"] * len(found)
    assert traced == [json.loads(line) for line in mention_lines(found)]


def test_rules_come_back_from_the_owners_trace(tmp_path: Path) -> None:
    lines = [line(rule="title and name"), line(start=11, end=15), line(row=2, start=2, end=7, source="x")]
    put(tmp_path / "m.jsonl", *lines)
    back = read(DATA, read_mentions(tmp_path / "m.jsonl", DATA), TextPlan(model="none"), linked=False)
    told_rules = [
        (json.loads(told)["source"], json.loads(told)["rule"]) for told in mention_lines(back, rules=True)
    ]
    assert told_rules == [("s", "title and name"), ("s", ""), ("propagated", ""), ("x", "")]


def test_a_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    write_mentions(path, mentions_of(DATA, patterns=PATTERNS), DATA)
    whole = path.read_text().splitlines(keepends=True)
    for kept in range(len(whole)):
        path.write_text("".join(whole[:kept]))
        with pytest.raises(InputError, match="cut off"):
            read_mentions(path, DATA)


def test_a_review_does_not_break_the_closing_line(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    write_mentions(path, mentions_of(DATA, patterns=PATTERNS), DATA)
    first, *others = path.read_text().splitlines()
    reviewed = json.dumps({**json.loads(first), "status": "confirmed"})
    put_last = line(row=2, start=0, end=1, score=..., source=...)
    path.write_text("\n".join([reviewed, *others[1:], put_last]))  # one changed, one gone, one behind the end
    assert len(read_mentions(path, DATA)) == len(others)


def test_mentions_of_other_texts_are_refused(tmp_path: Path) -> None:
    path = put(tmp_path / "m.jsonl", line())
    other = posts(["Pedro from Roma 🙂 Rome", None, "x pedro"], [1, 2, 1])
    with pytest.raises(InputError, match="other texts"):
        read_mentions(path, other)


def test_lines_that_somebody_wrote_by_hand_need_no_closing_line(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_text(line(score=..., source=...), encoding="utf-8")
    assert len(read_mentions(path, DATA)) == 1


# --- the auditor reads them with code of its own --------------------------------------------------


def test_the_auditor_reads_the_same_mentions(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    found = mentions_of(DATA, patterns=PATTERNS)
    path.write_text("\n".join([*mention_lines(found, rules=True), closing_line(DATA, len(found))]))
    back = read_found(path.read_bytes(), DATA.frame, ["text"])
    assert list(mention_lines(back, rules=True)) == list(mention_lines(found, rules=True))


@pytest.mark.parametrize("lost", [0, 1, -1])
def test_the_auditor_misses_every_line_of_a_trace(lost: int) -> None:
    found = mentions_of(DATA, patterns=PATTERNS)
    lines = [*mention_lines(found, rules=True), closing_line(DATA, len(found))]
    del lines[lost]
    with pytest.raises(InputError):
        read_found("\n".join(lines).encode(), DATA.frame, ["text"])


def test_both_make_the_same_digest_of_texts() -> None:
    data = posts(["", None, "-", "1:-", "Zürich \n 🙂", " "], list(range(6)))
    assert texts_digest(data.frame, ["text"]) == digest_of_texts(data)
