"""What commands can do, Python can: tables scanned, documents rewritten and restored, hierarchies, joins."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import heteronym as hn
from heteronym.errors import CancelledError, HeteronymError, InputError, OutputError, PlanError, UsageError
from tests.doors.test_python import PLAN, POSTS

TEXT = {"model": "none", "entities": ["PERSON"], "patterns": {"PERSON": "Ann|Bob"}}


@pytest.fixture
def stopped() -> hn.Run:
    run = hn.Run()
    run.cancel()
    return run


# --- scan ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow", "file"])
def test_a_table_is_scanned_to_lines_without_text(kind: str, tmp_path: Path) -> None:
    POSTS.write_csv(tmp_path / "posts.csv")
    given = {"polars": POSTS, "pandas": POSTS.to_pandas(), "pyarrow": POSTS.to_arrow()}
    found = hn.scan(given.get(kind, tmp_path / "posts.csv"), plan=PLAN)
    told = [(m["row"], m["column"], m["start"], m["end"], m["type"]) for m in found]
    name = ("text", 0, 3, "PERSON")
    assert told == [(0, *name), (0, "text", 7, 9, "AGE"), (2, *name), (4, *name)]
    assert all(m.keys() == {"row", "column", "start", "end", "type", "score", "source"} for m in found)


def test_scanned_mentions_come_back_to_anonymize_also_after_a_review(tmp_path: Path) -> None:
    file = tmp_path / "mentions.jsonl"
    hn.scan(POSTS, plan=PLAN, output=file)
    as_found = hn.anonymize(POSTS, PLAN, mentions=file).data
    assert as_found.equals(hn.anonymize(POSTS, PLAN).data)
    *mentions, closing = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert closing.keys() == {"covered", "digest"}
    mentions[3]["status"] = "rejected"
    file.write_text("".join(json.dumps(line) + "\n" for line in [*mentions, closing]), "utf-8")
    reviewed = hn.anonymize(POSTS, PLAN, mentions=file).data
    assert "Bob" in reviewed["text"].to_list()
    assert "Bob" not in as_found["text"].to_list()
    with pytest.raises(OutputError, match="reviewed"):
        hn.scan(POSTS, plan=PLAN, output=file)


def test_scan_writes_what_the_command_writes(tmp_path: Path, command: Any) -> None:
    import yaml

    POSTS.write_csv(tmp_path / "posts.csv")
    (tmp_path / "plan.yaml").write_text(yaml.safe_dump(PLAN), "utf-8")
    command("scan", tmp_path / "posts.csv", "-c", tmp_path / "plan.yaml", "-o", tmp_path / "a.jsonl")
    hn.scan(
        tmp_path / "posts.csv", plan=tmp_path / "plan.yaml", output=tmp_path / "b.jsonl", cache=tmp_path / "c"
    )
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()


def test_documents_are_scanned_by_their_paths(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ann", "utf-8")
    [found] = hn.scan(tmp_path / "letter.txt", plan=TEXT)
    assert (found["file"], found["start"], found["type"]) == (str(tmp_path / "letter.txt"), 5, "PERSON")


def test_a_table_needs_a_whole_plan() -> None:
    with pytest.raises(UsageError, match="attributes"):
        hn.scan(POSTS, plan=TEXT)


def test_scanning_tells_how_far_it_is_and_can_be_stopped(stopped: hn.Run) -> None:
    seen: list[str] = []
    hn.scan(["Ann", "Bob"], plan=TEXT, run=hn.Run(lambda step, share: seen.append(step)))
    assert seen == ["scan"]
    for data, plan in ((["Ann"], TEXT), (POSTS, PLAN)):
        with pytest.raises(CancelledError):
            hn.scan(data, plan=plan, run=stopped)


# --- documents ----------------------------------------------------------------------------------------


def test_a_folder_of_documents_is_sanitized_as_by_the_command(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "one.txt").write_text("Ann writes to Bob", "utf-8")
    (tmp_path / "broken.docx").write_bytes(b"no document")
    given = [tmp_path / "in", tmp_path / "broken.docx"]
    done = hn.sanitize(given, output=tmp_path / "out", plan={"text": TEXT}, cache=tmp_path / "cache")
    assert [path.read_text("utf-8") for path in done.written] == ["[PERSON] writes to [PERSON]"]
    assert len(done.skipped) == 1
    assert "one.txt" in done.text
    assert "skipped" in done._repr_html_()
    with pytest.raises(OutputError):
        hn.sanitize(given, output=tmp_path / "out", plan={"text": TEXT})
    assert (
        hn.sanitize(given, output=tmp_path / "out", plan={"text": TEXT}, overwrite=True).written
        == done.written
    )


@pytest.mark.parametrize("call", [hn.sanitize, lambda data, **more: hn.restore(data, private="own", **more)])
def test_texts_and_documents_are_not_mixed_up(call: Callable[..., Any], tmp_path: Path) -> None:
    hn.sanitize("Ann", method="pseudonyms", plan=TEXT, private=tmp_path / "own")
    wrong: list[tuple[Any, dict[str, Any]]] = [
        ("Ann", {"output": tmp_path / "out"}),
        ("Ann", {"overwrite": True}),
        (tmp_path, {}),
        ([str(tmp_path)], {"output": tmp_path / "out"}),
    ]
    for data, more in wrong:
        with pytest.raises((UsageError, InputError)):
            call(data, **more)


def test_pseudonyms_come_back_as_texts_and_as_documents(tmp_path: Path) -> None:
    own, text = tmp_path / "own", "Ann wrote to Bob, and Bob to Ann."
    sanitized = hn.sanitize(text, method="pseudonyms", plan=TEXT, private=own)
    assert "Ann" not in sanitized
    assert hn.restore(sanitized, private=own) == text
    assert hn.restore(f"He said: {sanitized}", private=own) == f"He said: {text}"
    (tmp_path / "new.txt").write_text(sanitized, "utf-8")
    done = hn.restore(tmp_path / "new.txt", output=tmp_path / "back", private=own)
    assert [path.read_text("utf-8") for path in done.written] == [text]
    with pytest.raises(InputError, match="vault"):
        hn.restore("Nobody we know", private=own)


def test_a_text_part_alone_is_a_plan_for_texts() -> None:
    assert hn.sanitize("Ann", plan={"text": TEXT}) == hn.sanitize("Ann", plan=TEXT) == "[PERSON]"
    assert hn.scan("Ann", plan={"version": 1, "text": TEXT}) == hn.scan("Ann", plan=TEXT)


# --- hierarchies and models ---------------------------------------------------------------------------

PEOPLE = pl.DataFrame({"age": [31, 32, 47, 48], "city": ["Ulm", "Rom", "Ulm", "Oslo"]})


def test_a_built_hierarchy_passes_the_check_and_serves_a_run(tmp_path: Path) -> None:
    built = hn.build_hierarchy(PEOPLE, "age", output=tmp_path / "age.csv", ranges=2)
    assert (built.kind, len(built.paths), built.levels) == ("ranges", 4, 5)
    assert hn.check_hierarchy(tmp_path / "age.csv", against=PEOPLE, column="age").usable
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric", "hierarchy": str(tmp_path / "age.csv")},
            "city": {"role": "plain"},
        },
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    assert hn.check_hierarchy(plan=plan, against=PEOPLE).usable
    assert hn.anonymize(PEOPLE, plan).verdict.holds


def test_a_hierarchy_that_lacks_values_says_how_many_and_not_which(tmp_path: Path) -> None:
    (tmp_path / "city.csv").write_text("Ulm;Germany;*\nRom;Italy;*\n", "utf-8")
    found = hn.check_hierarchy(tmp_path / "city.csv", against=PEOPLE, column="city")
    assert not found.usable
    assert "lacks 1 of the 3 values of 'city' (row 4)" in found.text
    assert "Oslo" not in found.text + found._repr_html_() + repr(found)


def test_a_hierarchy_file_is_not_overwritten_unasked(tmp_path: Path) -> None:
    hn.build_hierarchy(PEOPLE, "city", output=tmp_path / "city.txt")
    with pytest.raises(OutputError):
        hn.build_hierarchy(PEOPLE, "city", output=tmp_path / "city.txt")


def test_models_are_listed_with_our_own_first() -> None:
    assert [model.name for model in hn.models()][:2] == ["accurate", "fast"]
    assert "accurate:" in hn.models().text


# --- joined frames ------------------------------------------------------------------------------------

NAMED = pl.DataFrame(
    {
        "id": [1, 2, 3, 4],
        "age": [30, 31, 60, 61],
        "born": pl.Series([f"19{y}-01-02" for y in (70, 71, 40, 41)]).str.to_date(),
    }
)
VISITS = pl.DataFrame({"id": [1, 1, 2, 3, 4], "code": ["x", "y", "x", "z", "z"], "cost": [1, 2, 3, 4, 5]})
JOINED: dict[str, Any] = {
    "data": {"person": "id", "join": [{"table": "visits", "on": "id"}]},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "born": {"role": "plain"},
        "code": {"role": "plain"},
        "cost": {"role": "plain"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
KINDS: dict[str, Callable[[pl.DataFrame], Any]] = {
    "polars": lambda frame: frame,
    "pandas": pl.DataFrame.to_pandas,
    "pyarrow": pl.DataFrame.to_arrow,
}


@pytest.mark.parametrize("kind", KINDS)
def test_frames_are_joined_as_the_plan_says_and_come_back_as_their_kind(kind: str, tmp_path: Path) -> None:
    people, visits = KINDS[kind](NAMED), KINDS[kind](VISITS)
    by_name = {"people": people, "visits": visits}
    release = hn.anonymize(by_name, JOINED, output=tmp_path / "out", private=tmp_path / "own")
    assert type(release.data) is type(people)
    back = pl.DataFrame(release.data) if kind != "pandas" else pl.from_pandas(release.data)
    assert back.schema["cost"] == pl.Int64
    assert back.schema["born"].is_temporal()
    assert sorted(back["cost"]) == [1, 2, 3, 4, 5]
    for against in (by_name, [people, visits]):
        assert hn.verify(tmp_path / "out", private=tmp_path / "own", against=against).holds
    in_order = hn.anonymize([people, visits], JOINED).data
    assert in_order.equals(release.data)


@pytest.mark.parametrize("kind", KINDS)
def test_rows_without_a_partner_are_missing_in_their_kind(kind: str) -> None:
    people, visits = KINDS[kind](NAMED), KINDS[kind](VISITS.filter(pl.col("id") > 1))
    plan = {**JOINED, "data": {"person": "id", "join": [{"table": "visits", "on": "id", "how": "left"}]}}
    data = hn.anonymize({"people": people, "visits": visits}, plan).data
    back = pl.from_pandas(data) if kind == "pandas" else pl.DataFrame(data)
    assert back["cost"].null_count() == 1
    assert back["cost"].dtype.is_numeric()
    assert sorted(back["cost"].drop_nulls()) == [3, 4, 5]


def test_joined_frames_release_what_joined_files_do(tmp_path: Path) -> None:
    for name, frame in (("people", NAMED), ("visits", VISITS)):
        frame.write_csv(tmp_path / f"{name}.csv")
    by_files = hn.anonymize([tmp_path / "people.csv", tmp_path / "visits.csv"], JOINED).data
    by_frames = hn.anonymize({"people": NAMED, "visits": VISITS}, JOINED).data
    renamed = hn.anonymize({"a": tmp_path / "people.csv", "visits": tmp_path / "visits.csv"}, JOINED).data
    assert by_files["age"].to_list() == by_frames["age"].to_list() == renamed["age"].to_list()


def test_joined_frames_are_profiled_estimated_and_compared() -> None:
    both = {"people": NAMED, "visits": VISITS}
    assert hn.profile(both).plan["data"]["join"] == [{"table": "visits", "on": "id"}]
    assert "5 rows" in hn.estimate(both, JOINED).text
    assert len(hn.compare(both, JOINED, k=[2], processes=1).rows) >= 1


def test_frames_that_do_not_fit_the_plan_are_refused(tmp_path: Path) -> None:
    for wrong in (NAMED, {"people": NAMED, "visit": VISITS}, {"people": NAMED, "visits": VISITS.to_pandas()}):
        with pytest.raises(InputError):
            hn.anonymize(wrong, JOINED)
    file = tmp_path / "visits.csv"
    VISITS.write_csv(file)
    with pytest.raises(UsageError, match="not both"):
        hn.anonymize({"people": NAMED, "visits": file}, JOINED)


# --- every result shows itself ------------------------------------------------------------------------


def test_every_result_shows_in_a_notebook_what_it_says_and_no_value(tmp_path: Path) -> None:
    out, own = tmp_path / "out", tmp_path / "own"
    hn.anonymize(POSTS, PLAN, output=out, private=own)
    results: dict[str, Any] = {
        "verify": hn.verify(out, private=own, against=POSTS),
        "attack": hn.attack(out, private=own, against=POSTS),
        "utility": hn.utility(out, private=own, against=POSTS),
        "profile": hn.profile(POSTS),
        "estimate": hn.estimate(POSTS, PLAN),
        "explain": hn.explain(out, private=own, row=1, values=True),
        "models": hn.models(),
    }
    for name, result in results.items():
        assert result.text.strip(), name
        shown = result._repr_html_()
        assert not {"Ann", "Bob"} & set(re.findall(r"\w+", shown)), name
        assert shown.startswith("<"), name
    assert "Originals" in results["explain"].text
    assert "Originals" not in results["explain"]._repr_html_()


def test_what_a_notebook_shows_is_escaped() -> None:
    shown = hn.profile(POSTS.rename({"text": "<b>text</b>"}))._repr_html_()
    assert "<b>" not in shown
    assert "&lt;b&gt;" in shown


# --- what is refused ----------------------------------------------------------------------------------

CANARY = "Zq9canary"


def _no_path(wrong: Any) -> Any:
    """None is right where something may be left out."""
    return 7.5 if wrong is None else wrong


WRONG: dict[str, Callable[[Any], Any]] = {
    "anonymize": lambda wrong: hn.anonymize(wrong, PLAN),
    "plan": lambda wrong: hn.anonymize(POSTS, wrong),
    "output": lambda wrong: hn.anonymize(POSTS, PLAN, output=_no_path(wrong)),
    "mentions": lambda wrong: hn.anonymize(POSTS, PLAN, mentions=_no_path(wrong)),
    "run": lambda wrong: hn.anonymize(POSTS, PLAN, run=_no_path(wrong)),
    "estimate": lambda wrong: hn.estimate(wrong, PLAN),
    "profile": lambda wrong: hn.profile(wrong),
    "scan": lambda wrong: hn.scan(wrong),
    "plan for texts": lambda wrong: hn.scan("Ann", plan={"x": 1} if wrong is None else wrong),
    "scan several": lambda wrong: hn.scan([wrong]),
    "sanitize": lambda wrong: hn.sanitize(wrong),
    "restore": lambda wrong: hn.restore("text", private=wrong),
    "analyze": lambda wrong: hn.analyze(wrong),
    "verify": lambda wrong: hn.verify(wrong),
    "attack": lambda wrong: hn.attack(wrong, against=POSTS),
    "utility": lambda wrong: hn.utility(wrong, against=POSTS, private="own"),
    "explain": lambda wrong: hn.explain("release", private="own", row=_no_path(wrong)),
    "compare": lambda wrong: hn.compare(wrong, PLAN, k=[2]),
    "build_hierarchy": lambda wrong: hn.build_hierarchy(wrong, "age"),
    "column": lambda wrong: hn.build_hierarchy(PEOPLE, wrong),
    "check_hierarchy": lambda wrong: hn.check_hierarchy(wrong),
    "read_plan": lambda wrong: hn.read_plan(wrong),
}


@pytest.mark.parametrize("call", WRONG)
@pytest.mark.parametrize(
    "wrong", [None, CANARY.encode(), 7.5, [None], pd.DataFrame({"x": [CANARY]}), {"x": [CANARY]}], ids=type
)
def test_wrong_types_are_refused_in_our_words(call: str, wrong: Any) -> None:
    if (call, type(wrong)) in {("anonymize", pd.DataFrame), ("profile", pd.DataFrame)}:
        wrong = pa.array([1])  # a column is no table
    with pytest.raises(HeteronymError) as caught:
        WRONG[call](wrong)
    assert CANARY not in str(caught.value)


def test_long_work_can_be_stopped(stopped: hn.Run, tmp_path: Path) -> None:
    out, own = tmp_path / "out", tmp_path / "own"
    hn.anonymize(POSTS, PLAN, output=out, private=own)
    calls: list[Callable[[], Any]] = [
        lambda: hn.verify(out, private=own, against=POSTS, run=stopped),
        lambda: hn.profile(POSTS, run=stopped),
        lambda: hn.attack(out, private=own, against=POSTS, run=stopped),
        lambda: hn.utility(out, private=own, against=POSTS, run=stopped),
        lambda: hn.compare(POSTS, PLAN, k=[2], run=stopped),
        lambda: hn.analyze("Ann is ill.", plan=TEXT, run=stopped),
        lambda: hn.sanitize("Ann", plan=TEXT, run=stopped),
    ]
    for call in calls:
        with pytest.raises(CancelledError):
            call()


def test_a_plan_of_a_wrong_kind_is_a_plan_error() -> None:
    with pytest.raises(PlanError, match="path of a plan file"):
        hn.anonymize(POSTS, 5)  # type: ignore[arg-type]
