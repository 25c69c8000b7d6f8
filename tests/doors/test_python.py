"""Python can do what the command line can, and gives columns back in useful types."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import heteronym as hn
from heteronym.encode import encode
from heteronym.errors import InputError, OutputError, PlanError, UsageError
from heteronym.io.plans import make_plan
from heteronym.io.recodings import read_recoding
from heteronym.io.tables import from_frame
from heteronym.model.recoding import Renamed
from heteronym.pipeline import make_dataset, make_draft
from heteronym.reading.sentences import sentences_of
from heteronym.recode.apply import InTexts, apply

POSTS = pl.DataFrame(
    {
        "id": ["a", "a", "b", "c", "d"],
        "age": [30, 30, 31, 60, 61],
        "codes": ["x y", "x", "x y", "z", "z"],
        "text": ["Ann is 30", "hi", "Ann rocks", "no", "Bob"],
    }
)
PLAN: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "codes": {"role": "items", "separator": " "},
        "text": {"role": "text"},
    },
    "text": {"model": "none", "entities": ["PERSON", "AGE"], "patterns": {"PERSON": "Ann|Bob"}},
    "privacy": [{"model": "k-anonymity", "k": 2}, {"model": "kkm-anonymity", "k": 2}],
}


def test_a_frame_can_be_published_with_owners_files_and_verified(tmp_path: Path) -> None:
    release = hn.anonymize(POSTS, PLAN, output=tmp_path / "out", private=tmp_path / "own")
    assert release.data.height == 5
    assert pl.read_parquet(tmp_path / "out" / "data.parquet").equals(release.data)
    assert hn.verify(tmp_path / "out", private=tmp_path / "own", against=POSTS).holds


def test_files_reviewed_mentions_and_a_cache_work_as_on_the_command_line(
    tmp_path: Path, command: Any
) -> None:
    import yaml

    POSTS.write_csv(tmp_path / "posts.csv")
    (tmp_path / "plan.yaml").write_text(yaml.safe_dump(PLAN), "utf-8")
    line = '{"row": 1, "column": "text", "start": 0, "end": 2, "type": "PERSON"}\n'
    (tmp_path / "m.jsonl").write_text(line, "utf-8")
    at = [tmp_path / "posts.csv", "-c", tmp_path / "plan.yaml", "--mentions", tmp_path / "m.jsonl"]
    assert command("anonymize", *at, "-o", tmp_path / "by-command").exit_code == 0
    hn.anonymize(
        tmp_path / "posts.csv",
        tmp_path / "plan.yaml",
        mentions=tmp_path / "m.jsonl",
        output=tmp_path / "by-call",
        cache=tmp_path / "cache",
    )
    assert (tmp_path / "by-call" / "data.csv").read_bytes() == (
        tmp_path / "by-command" / "data.csv"
    ).read_bytes()


def test_owners_files_without_a_release_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="output"):
        hn.anonymize(POSTS, PLAN, private=tmp_path / "own")
    assert not (tmp_path / "own").exists()


def test_one_text_is_scanned_and_sanitized_with_a_plan() -> None:
    text = {"model": "none", "entities": ["PERSON"], "patterns": {"PERSON": "Ann|Bob"}}
    assert [tuple(span[:3]) for span in hn.scan("Ann!", plan=text)] == [(0, 3, "PERSON")]
    assert [len(spans) for spans in hn.scan(["Ann!", "no"], plan=text)] == [1, 0]
    assert hn.sanitize("Ann and Bob", plan=text) == "[PERSON] and [PERSON]"
    assert hn.sanitize("Ann and Bob", plan=make_plan(PLAN)) == "[PERSON] and [PERSON]"


def test_a_plan_for_texts_may_be_a_whole_plan_and_is_checked_without_quoting_it() -> None:
    assert hn.sanitize("Ann and Bob", plan=PLAN) == "[PERSON] and [PERSON]"
    for wrong, said in (
        ({"words": {"PERSON": ["Zq9canary"]}}, "words.PERSON"),
        ({"wurds": {}}, "Did you mean 'words'"),
    ):
        with pytest.raises(PlanError, match=said) as caught:
            hn.sanitize("Ann", plan=wrong)
        assert "canary" not in str(caught.value)
        assert caught.value.__cause__ is None


def test_the_package_lists_its_functions() -> None:
    assert {"anonymize", "estimate", "profile", "sanitize", "scan", "verify", "Run"} <= set(dir(hn))


def test_a_release_shows_itself_in_a_notebook_without_any_value() -> None:
    shown = hn.anonymize(POSTS, PLAN)._repr_html_()
    assert "the promise holds" in shown
    assert "Ann" not in shown


def test_an_estimate_says_what_would_run_and_runs_nothing() -> None:
    found = hn.estimate(POSTS, PLAN)
    assert [step for step, _, _ in found.steps][:2] == ["scan", "link"]
    assert found.memory_mb > 100
    large = hn.estimate(pl.concat([POSTS] * 200), PLAN)
    assert large.seconds > 10 * found.seconds


def test_dry_run_says_the_same_and_writes_nothing(tmp_path: Path, command: Any) -> None:
    import yaml

    POSTS.write_csv(tmp_path / "posts.csv")
    (tmp_path / "plan.yaml").write_text(yaml.safe_dump(PLAN), "utf-8")
    call = [
        "anonymize",
        tmp_path / "posts.csv",
        "-c",
        tmp_path / "plan.yaml",
        "-o",
        tmp_path / "out",
        "--dry-run",
    ]
    said = command(*call)
    assert (said.exit_code, (tmp_path / "out").exists()) == (0, False)
    assert "memory: about" in said.out
    assert command(*call, "--json").json["steps"][0]["step"] == "scan"


def test_what_the_run_would_refuse_the_estimate_refuses(tmp_path: Path, desk: Any) -> None:
    with pytest.raises(InputError, match="larger than the number of persons"):
        hn.estimate(POSTS, PLAN, k=5)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "facts.json").write_text("{}", "utf-8")
    (tmp_path / "file").write_text("", "utf-8")
    for output in (tmp_path / "full", tmp_path / "file", tmp_path / "file" / "out"):
        with pytest.raises(OutputError):
            hn.estimate(POSTS, PLAN, output=output)
    assert hn.estimate(POSTS, PLAN, output=tmp_path / "full", overwrite=True).seconds
    at = desk()
    assert at.anonymize("--dry-run", "--k", "9").exit_code == 2
    assert at.anonymize().exit_code == 0
    assert at.anonymize("--dry-run").exit_code == 2
    assert at.anonymize("--dry-run", "--overwrite").exit_code == 0


def test_mentions_that_are_given_need_no_scan(tmp_path: Path) -> None:
    hn.scan(POSTS, plan=PLAN, output=tmp_path / "m.jsonl")
    assert hn.estimate(POSTS, PLAN, mentions=tmp_path / "m.jsonl").steps[0][0] == "link"
    with pytest.raises(InputError, match="no such file"):
        hn.estimate(POSTS, PLAN, mentions=tmp_path / "none.jsonl")


def baskets(rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(rows)
    share = 1 / np.arange(1, 61)
    codes = [rng.choice(60, 1 + rng.poisson(3), p=share / share.sum()) for _ in range(rows)]
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "sex": rng.choice(["f", "m"], rows),
            "codes": [" ".join(sorted({f"c{code}" for code in row})) for row in codes],
        }
    )


def test_the_estimate_of_items_grows_with_their_number_and_states_its_factor() -> None:
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "sex": {"role": "quasi"},
            "codes": {"role": "items", "separator": " "},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 5, "m": 2}],
    }
    few, many = (hn.estimate(baskets(rows), plan) for rows in (1_500, 6_000))
    assert 0 < few.seconds < many.seconds
    for told in (few, many):
        assert told.factor
        assert f"give or take a factor of {told.factor}" in told.text


def test_an_estimate_that_nobody_measured_claims_no_factor() -> None:
    told = hn.estimate(POSTS, {**PLAN, "privacy": [{"model": "joint", "k": 2}]})
    assert told.factor is None
    assert "a rough guess" in told.text


# --- types --------------------------------------------------------------------------------------------

LEVELS = ["low", "low", "middle", "high", "high", "high"]
SIMPLE = {
    "attributes": {"level": {"role": "quasi", "scale": "ordinal"}, "note": {"role": "plain"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def test_ordered_categories_of_polars_bring_their_order_and_stay_ordered() -> None:
    levels = pl.Enum(["none", "low", "middle", "high"])
    frame = pl.DataFrame({"level": pl.Series(LEVELS, dtype=levels), "note": range(6)})
    data = hn.anonymize(frame, SIMPLE).data
    assert data.schema["level"] == pl.Enum(["{low,middle}", "high"])  # and no category that is not shown
    assert data.schema["note"] == pl.Int64


def test_ordered_categories_of_pandas_bring_their_order_and_stay_ordered() -> None:
    levels = pd.Categorical(LEVELS, ["none", "low", "middle", "high"], ordered=True)
    data = hn.anonymize(pd.DataFrame({"level": levels, "note": range(6)}), SIMPLE).data
    assert data["level"].dtype == pd.CategoricalDtype(["{low,middle}", "high"], ordered=True)
    assert data["note"].dtype == np.dtype("int64")


def test_ordered_categories_of_pyarrow_bring_their_order_and_stay_ordered() -> None:
    numbers = pa.array([["none", "low", "middle", "high"].index(level) for level in LEVELS], pa.int8())
    levels = pa.DictionaryArray.from_arrays(numbers, ["none", "low", "middle", "high"], ordered=True)
    table = pa.table({"level": levels, "note": levels, "plain": pa.array(LEVELS).dictionary_encode()})
    plan = {**SIMPLE, "attributes": {**SIMPLE["attributes"], "plain": {"role": "plain"}}}
    data = hn.anonymize(table, plan).data
    for name, shown in (("level", ["{low,middle}", "high"]), ("note", ["low", "middle", "high"])):
        assert data.schema.field(name).type.ordered
        assert data[name].unify_dictionaries().chunk(0).dictionary.to_pylist() == shown
    assert sorted(data["note"].to_pylist()) == sorted(LEVELS)
    assert not data.schema.field("plain").type.ordered


def test_generalized_columns_are_labels() -> None:
    frame = pl.DataFrame({"age": [30, 31, 60, 61]})
    plan = {**SIMPLE, "attributes": {"age": {"role": "quasi", "scale": "numeric"}}}
    assert set(hn.anonymize(frame, plan).data["age"]) == {"[30-31]", "[60-61]"}


# --- what the owner may read back ---------------------------------------------------------------------


def test_partition_and_recoding_come_back_from_the_owners_folder(tmp_path: Path) -> None:
    hn.anonymize(POSTS, PLAN, output=tmp_path / "out", private=tmp_path / "own")
    plan = make_plan(PLAN)
    dataset = make_dataset(from_frame(POSTS)[0], plan)
    draft = make_draft(dataset, plan)
    partition, recoding = read_recoding(tmp_path / "own", dataset, encode(dataset, draft.mentions))
    assert partition.group.tolist() == draft.partition.group.tolist()
    assert dict(recoding.columns) == {name: list(labels) for name, labels in draft.recoding.columns.items()}
    ours, theirs = recoding.elements, draft.recoding.elements
    assert ours.of_group.codes.tolist() == theirs.of_group.codes.tolist()
    assert ours.fate.tolist() == theirs.fate.tolist()
    texts = [[labels.labels[n].text if n >= 0 else "" for n in labels.label] for labels in (ours, theirs)]
    assert texts[0] == texts[1]


PEOPLE = pl.DataFrame(
    {
        "id": [f"n{n}" for n in range(8)],
        "name": "Ann Lee,Bob Ray,Cid Fox,Dan Moe,Eve Poe,Fay Roe,Gus Toe,Hal Woe".split(","),
        "age": [20, 21, 22, 23, 40, 41, 42, 90],
        "note": ["I like Brixton.", "Oh Brixton.", "Brixton. Ann Lee.", "Brixton"] + ["Carnell rocks."] * 4,
    }
)
KINDS: dict[str, dict[str, Any]] = {
    "labels": {},
    "bounds": {"release": {"numeric": "bounds"}},
    "means": {"release": {"numeric": "mean"}},
    "nodes": {"partition": {"method": "full-domain"}},
    "persons left out": {"release": {"suppress_up_to": 0.3}},
    "cells withheld": {"release": {"suppress_cells_up_to": 0.3}},
    "sentences that go": {"privacy": [{"model": "joint", "k": 3, "m": 1}], "partition": {"method": "joint"}},
    "pseudonyms": {"release": {"person_key": "pseudonym"}},
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_decided_makes_the_same_table_again(tmp_path: Path, kind: str) -> None:
    described = {
        "data": {"person": "id"},
        "attributes": {
            "id": {"role": "identifier"},
            "name": {"role": "identifier"},
            "age": {"role": "quasi", "scale": "numeric"},
            "note": {"role": "text"},
        },
        "text": {"model": "none", "patterns": {"GPE": "Brixton|Carnell"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    } | KINDS[kind]
    hn.anonymize(PEOPLE, described, output=tmp_path / "out", private=tmp_path / "own")
    plan = make_plan(described)
    draft = make_draft(make_dataset(from_frame(PEOPLE)[0], plan), plan)
    partition, recoding = read_recoding(tmp_path / "own", draft.dataset, draft.view)
    assert partition.splits == draft.partition.splits
    for column in draft.view.columns:
        assert partition.covers(column).codes.tolist() == draft.partition.covers(column).codes.tolist()
    texts = InTexts(draft.mentions, sentences_of(draft.dataset, draft.mentions))
    numbered = plan.release.person_key == "pseudonym"
    found = draft.dataset, draft.view, partition, recoding, texts
    made = apply(*found, renamed=Renamed(persons=numbered))
    assert made[0].equals(draft.frame)


def test_a_recoding_of_other_persons_is_refused(tmp_path: Path) -> None:
    hn.anonymize(POSTS, PLAN, output=tmp_path / "out", private=tmp_path / "own")
    dataset = make_dataset(from_frame(POSTS.with_columns(id=pl.Series(list("aabce"))))[0], make_plan(PLAN))
    with pytest.raises(InputError, match="other persons"):
        read_recoding(tmp_path / "own", dataset, encode(dataset))


# --- persons who are left out -------------------------------------------------------------------------

AGES = [20, 21, 22, 23, 24, 99]
LEAVING = {
    "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "note": {"role": "plain"}},
    "privacy": [{"model": "k-anonymity", "k": 5}],
}


def test_an_outlier_is_left_out_where_the_plan_allows_it(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": AGES, "note": range(6)})
    assert set(hn.anonymize(frame, LEAVING).data["age"]) == {"[20-99]"}
    plan = {**LEAVING, "release": {"suppress_up_to": 0.2}}
    release = hn.anonymize(frame, plan, output=tmp_path / "out", private=tmp_path / "own")
    assert set(release.data["age"]) == {"[20-24]"}
    assert sorted(release.data["note"]) == [0, 1, 2, 3, 4]
    assert release.facts["data"]["persons_left_out"] == 1
    loss = (5 * 4 / 79 + 1) / 6
    assert release.measures["ncp"]["by_attribute"]["age"] == pytest.approx(loss)
    assert hn.verify(tmp_path / "out", private=tmp_path / "own", against=frame).holds


def test_a_release_that_left_out_more_than_the_plan_allows_fails(tmp_path: Path) -> None:
    frame = pl.DataFrame({"age": AGES, "note": range(6)})
    plan = {**LEAVING, "release": {"suppress_up_to": 0.2}}
    hn.anonymize(frame, plan, output=tmp_path / "out", private=tmp_path / "own")
    text = (tmp_path / "out" / "plan.yaml").read_text("utf-8")
    (tmp_path / "out" / "plan.yaml").write_text(text.replace("0.2", "0.1"), "utf-8")
    verdict = hn.verify(tmp_path / "out", private=tmp_path / "own", against=frame)
    assert not verdict.holds
    assert any(check.name == "rows" and check.holds is False for check in verdict.checks)


@pytest.mark.parametrize("share", [0.0, 0.05, 0.3])
def test_no_more_are_left_out_than_allowed_and_loss_never_grows_by_it(share: float) -> None:
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"age": rng.normal(40, 12, 200).round(), "note": range(200)})
    plain = hn.anonymize(frame, LEAVING)
    release = hn.anonymize(frame, LEAVING, suppress_up_to=share)
    assert release.facts["data"]["persons_left_out"] <= share * 200
    assert release.measures["ncp"]["total"] <= plain.measures["ncp"]["total"] + 1e-12


# --- documents ----------------------------------------------------------------------------------------


def test_owners_files_of_a_document_are_sealed_with_a_passphrase(tmp_path: Path) -> None:
    from heteronym.api.analyze import restored

    text = "Mary is in London. John saw Mary's uncle, Jim, in Paris."
    hn.sanitize(text, method="assertions", model="fast", private=tmp_path / "own", passphrase="open sesame")
    for path in (tmp_path / "own").iterdir():
        assert path.suffix == ".sealed"
        assert b"Mary" not in path.read_bytes()
    assert list(restored(tmp_path / "own", "open sesame").values()) == [text]
    with pytest.raises(InputError, match="passphrase"):
        restored(tmp_path / "own", "wrong")


def test_a_passphrase_for_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="passphrase"):
        hn.sanitize("Ann", method="redact", model="none", private=tmp_path / "own", passphrase="x")


def test_an_index_of_pandas_that_the_plan_names_is_a_column_and_the_index_again() -> None:
    frame = pd.DataFrame({"age": [30, 31, 50, 51]}, index=pd.Index(["a", "b", "c", "d"], name="ward"))
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    assert isinstance(hn.anonymize(frame, plan).data.index, pd.RangeIndex)  # as the plan does not name it
    plain = {**plan, "attributes": {**plan["attributes"], "ward": {"role": "plain"}}}
    data = hn.anonymize(frame, plain).data
    assert data.index.name == "ward"
    assert list(zip(data.index, data["age"], strict=True)) == [
        ("a", "[30-31]"), ("b", "[30-31]"), ("c", "[50-51]"), ("d", "[50-51]")
    ]  # fmt: skip
    gone = {**plan, "attributes": {**plan["attributes"], "ward": {"role": "identifier"}}}
    assert isinstance(hn.anonymize(frame, gone).data.index, pd.RangeIndex)
    assert [column.name for column in hn.profile(frame, trial=False).columns] == ["ward", "age"]


def test_categories_and_booleans_that_stay_keep_their_kinds() -> None:
    city, paid = pd.Categorical(["x", "y", "x", "y"]), pd.array([True, None, False, True], dtype="boolean")
    frame = pd.DataFrame({"city": city, "paid": paid, "ok": [True, False, True, False], "age": [1, 1, 2, 2]})
    stays = {name: {"role": "plain"} for name in ("city", "paid", "ok")}
    plan = {"attributes": {**stays, "age": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    data = hn.anonymize(frame, plan).data
    assert [str(data[name].dtype) for name in ("city", "paid", "ok")] == ["category", "boolean", "bool"]


@pytest.mark.parametrize("kind", [pd.Series, pl.Series])
def test_a_series_is_a_table_of_one_column(kind: Any) -> None:
    ages = kind([30, 31, 50, 51]).rename("age")
    assert [column.name for column in hn.profile(ages, trial=False).columns] == ["age"]
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    assert hn.anonymize(ages, plan).data.shape == (4, 1)


def test_several_texts_are_sanitized_one_by_one() -> None:
    texts = ["Call 0113 496 0000.", "Nothing here."]
    assert hn.sanitize(texts, model="none") == [hn.sanitize(text, model="none") for text in texts]
    assert hn.sanitize(pd.Series(texts), model="none") == ["Call [PHONE].", "Nothing here."]
    with pytest.raises(UsageError, match="texts must be str, not int at place 1"):
        hn.sanitize(["a", 1])
