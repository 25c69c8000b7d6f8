"""The owner's registry: two releases of overlapping people are told apart, counted and warned of."""

from __future__ import annotations

import base64
import json
import stat
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml

import heteronym as hn
from heteronym.errors import InputError, OutputError, PlanError, UsageError
from heteronym.io.past_releases import open_registry

BY_AGE: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric", "weight": 100},
        "zip": {"role": "quasi", "scale": "numeric", "weight": 0.01},
        "ill": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}],
}
BY_ZIP: dict[str, Any] = json.loads(json.dumps(BY_AGE))
BY_ZIP["attributes"]["age"]["weight"], BY_ZIP["attributes"]["zip"]["weight"] = 0.01, 100
SIDE = 6


def square() -> pl.DataFrame:
    """One person for each age and zip: whoever knows both rows and columns of it knows everybody."""
    places = [(row, column) for row in range(SIDE) for column in range(SIDE)]
    return pl.DataFrame(
        {
            "id": [f"p-{row}-{column}" for row, column in places],
            "age": [20 + 10 * row for row, _ in places],
            "zip": [1000 + 100 * column for _, column in places],
            "ill": [("flu", "gout", "cold")[(row + column) % 3] for row, column in places],
        }
    )


def release(folder: Path, name: str, frame: pl.DataFrame, plan: dict[str, Any], **more: Any) -> Any:
    where = {"output": folder / name, "private": folder / f"{name}-owner", "registry": folder / "registry"}
    return hn.anonymize(frame, plan, **(where | more))


def narrowed(frame: pl.DataFrame, *releases: Any) -> tuple[int, int]:
    """Persons below k, and the smallest crowd, by looking at the released labels of everybody."""
    groups = []
    for one in releases:
        ids = frame["id"][one.source_row].to_list()
        groups.append(dict(zip(ids, one.data.select("age", "zip").iter_rows(), strict=True)))
    crowds = [sum(all(group[a] == group[b] for group in groups) for b in groups[0]) for a in groups[0]]
    return sum(crowd < 3 for crowd in crowds), min(crowds)


def test_a_second_release_that_narrows_people_is_warned_of_and_counted(tmp_path: Path) -> None:
    frame = square()
    first = release(tmp_path, "one", frame, BY_AGE)
    assert first.facts["intersection"]["persons"] == 0
    second = release(tmp_path, "two", frame, BY_ZIP)
    found = second.facts["intersection"]
    assert (found["narrowed"], found["smallest_crowd"]) == narrowed(frame, second, first)
    assert found["narrowed"] > 0
    assert (found["releases"], found["persons"], found["k"]) == (1, frame.height, 3)
    [warning] = [check for check in second.verdict.checks if check.name == "intersection"]
    assert warning.holds is None
    assert f"narrows {found['narrowed']} persons to fewer than 3" in warning.detail
    told = json.loads((tmp_path / "two" / "facts.json").read_text())
    assert told["intersection"] == found
    assert second.verdict.holds


def test_values_that_only_both_tell_are_counted(tmp_path: Path) -> None:
    frame = square()
    release(tmp_path, "one", frame, BY_AGE)
    assert release(tmp_path, "two", frame, BY_ZIP).facts["intersection"]["told"] == 0  # all three everywhere
    mine = frame.with_columns(ill=pl.when(pl.col("age") < 30).then(pl.lit("gout")).otherwise("ill"))
    mine = mine.with_columns(ill=pl.when(pl.int_range(pl.len()) == 0).then(pl.lit("rash")).otherwise("ill"))
    other = tmp_path / "other"
    other.mkdir()
    release(other, "one", mine, BY_AGE)
    assert release(other, "two", mine, BY_ZIP).facts["intersection"]["told"] > 0


def test_the_same_grouping_again_or_other_people_narrow_nobody(tmp_path: Path) -> None:
    frame = square()
    release(tmp_path, "one", frame, BY_AGE)
    again = release(tmp_path, "two", frame.with_columns(ill=pl.lit("flu")), BY_AGE).facts["intersection"]
    assert (again["persons"], again["narrowed"], again["told"]) == (frame.height, 0, 0)
    others = frame.with_columns(id="x" + pl.col("id"))
    assert release(tmp_path, "three", others, BY_ZIP).facts["intersection"]["persons"] == 0
    # the very same release, made once more, is one release
    same = release(tmp_path, "one", frame, BY_AGE, overwrite=True).facts["intersection"]
    assert same["releases"] == 1


def test_only_those_who_are_in_both_are_counted(tmp_path: Path) -> None:
    frame = square()
    half = frame.head(18)
    first = release(tmp_path, "one", half, BY_AGE)
    second = release(tmp_path, "two", frame, BY_ZIP)
    found = second.facts["intersection"]
    assert found["persons"] == 18
    # who is not in the first one is no candidate for who is
    ids = frame["id"][first.source_row].to_list()
    before = dict(zip(ids, first.data.select("age", "zip").iter_rows(), strict=True))
    ids = frame["id"][second.source_row].to_list()
    now = dict(zip(ids, second.data.select("age", "zip").iter_rows(), strict=True))
    crowds = [sum(now[a] == now[b] and before[a] == before[b] for b in before) for a in before]
    assert found["narrowed"] == sum(crowd < 3 for crowd in crowds)


def test_nothing_is_readable_without_the_key(tmp_path: Path) -> None:
    frame = square()
    release(tmp_path, "one", frame, BY_AGE)
    content = (tmp_path / "registry").read_bytes()
    lines = content.splitlines()
    assert len(lines) == 2
    told = json.loads(lines[1])
    assert set(told) == {"release", "sealed"}
    read = content + base64.b64decode(told["sealed"])
    assert not [key for key in frame["id"] if key.encode() in read]
    for name in ("registry", "registry.key"):
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
    key = (tmp_path / "registry.key").read_text()
    (tmp_path / "registry.key").write_text("ab" * 32)
    with pytest.raises(InputError, match="another key"):
        release(tmp_path, "two", frame, BY_ZIP)
    assert not (tmp_path / "two").exists()
    (tmp_path / "registry.key").write_text(key)
    # even opened, it has hashes only
    [past] = open_registry(tmp_path / "registry").read()
    assert past.person.dtype == "uint64"
    assert len(past.person) == frame.height


def test_a_changed_registry_is_refused(tmp_path: Path) -> None:
    frame = square()
    release(tmp_path, "one", frame, BY_AGE)
    head, line = (tmp_path / "registry").read_bytes().splitlines()
    told = json.loads(line)
    for changed in (
        json.dumps({**told, "release": "0" * 32}).encode(),
        json.dumps({**told, "sealed": told["sealed"][:-8] + "AAAAAAA="}).encode(),
        b"{}",
        b"nothing",
    ):
        (tmp_path / "registry").write_bytes(head + b"\n" + changed + b"\n")
        with pytest.raises(InputError, match="damaged"):
            release(tmp_path, "two", frame, BY_ZIP)
    assert not (tmp_path / "two").exists()
    (tmp_path / "registry").write_text("a,b\n1,2\n")
    with pytest.raises(InputError, match="no registry"):
        release(tmp_path, "two", frame, BY_ZIP)
    (tmp_path / "registry.key").unlink()
    with pytest.raises(InputError, match="key of registry is missing"):
        release(tmp_path, "two", frame, BY_ZIP)


def test_what_is_not_published_is_not_registered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = square()
    release(tmp_path, "one", frame, BY_AGE)
    before = (tmp_path / "registry").read_bytes()

    def full(*_: Any, **__: Any) -> None:
        raise OutputError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("heteronym.io.bundles.Bundle.publish", full)
        with pytest.raises(OutputError):
            release(tmp_path, "two", frame, BY_ZIP)
    assert (tmp_path / "registry").read_bytes() == before


def test_where_it_cannot_be_is_said_before_the_run(tmp_path: Path) -> None:
    frame = square()
    nobody = {**BY_AGE, "data": {}}
    with pytest.raises(PlanError, match=r"needs data\.person"):
        release(tmp_path, "one", frame, nobody)
    with pytest.raises(UsageError, match="outside the release"):
        release(tmp_path, "one", frame, BY_AGE, registry=tmp_path / "one" / "registry")
    with pytest.raises(UsageError, match="belong to a release folder"):
        hn.anonymize(frame, BY_AGE, registry=tmp_path / "registry")
    assert not (tmp_path / "registry.key").exists()


def test_the_attack_takes_earlier_releases_from_the_registry(tmp_path: Path, command: Any) -> None:
    frame = square()
    data, plan, registry = tmp_path / "people.csv", tmp_path / "plan.yaml", tmp_path / "registry"
    frame.write_csv(data)
    for name, given in (("one", BY_AGE), ("two", BY_ZIP)):
        plan.write_text(yaml.safe_dump(given))
        outcome = command(
            "anonymize", data, "-c", plan, "-o", tmp_path / name, "--private", tmp_path / f"{name}-owner",
            "--registry", registry,
        )  # fmt: skip
        assert outcome.exit_code == 0
    assert "remark: 36 persons are in 1 earlier releases as well" in outcome.out
    asked = ["attack", tmp_path / "two", "--against", data, "--private", tmp_path / "two-owner"]
    alone = command(*asked, "--only", "intersection", "--json")
    assert (alone.exit_code, alone.json["attacks"][0]["targets"]) == (0, 0)
    both = command(*asked, "--only", "intersection", "--registry", registry, "--json")
    assert both.exit_code == 1
    [found] = both.json["attacks"]
    facts = json.loads((tmp_path / "two" / "facts.json").read_text())
    assert found["holds"] is False
    assert found["bound"] == 1 / 3
    assert found["matched"] == facts["intersection"]["narrowed"]
    assert found["certainty"] == 1 / facts["intersection"]["smallest_crowd"]


def test_the_key_may_lie_elsewhere(tmp_path: Path) -> None:
    safe = tmp_path / "safe"
    safe.mkdir()
    frame = square()
    release(tmp_path, "one", frame, BY_AGE, registry_key=safe / "mine.key")
    assert not (tmp_path / "registry.key").exists()
    found = release(tmp_path, "two", frame, BY_ZIP, registry_key=safe / "mine.key").facts["intersection"]
    assert found["narrowed"] > 0
    siege = hn.attack(
        tmp_path / "two",
        against=frame,
        private=tmp_path / "two-owner",
        only=["intersection"],
        registry=tmp_path / "registry",
        registry_key=safe / "mine.key",
    )
    assert not siege.holds


def test_crowds_are_those_of_the_persons_in_common(tmp_path: Path) -> None:
    many = pl.DataFrame({"id": [f"p-{n}" for n in range(10)], "age": [20] * 10, "zip": [1000] * 10})
    few = pl.DataFrame({"id": ["x-1", "x-2", "x-3"], "age": [60] * 3, "zip": [1000] * 3})
    many, few = (one.with_columns(ill=pl.lit("flu")) for one in (many, few))
    release(tmp_path, "one", many, BY_AGE)
    found = release(tmp_path, "two", pl.concat([many, few]), BY_AGE).facts["intersection"]
    assert (found["persons"], found["narrowed"], found["smallest_crowd"]) == (10, 0, 10)
