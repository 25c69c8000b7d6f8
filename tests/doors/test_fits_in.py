"""Other people's tools: intervals of pandas and polars, calls on frames, metadata for catalogues."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import heteronym as hn

PLAN = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "seen": {"role": "quasi", "scale": "date"},
        "town": {"role": "quasi"},
        "pay": {"role": "sensitive", "scale": "numeric"},
    },
    "privacy": [{"model": "k-anonymity", "k": 4}],
}
ROWS = {
    "age": [20, 21, 30, None, 44, 45, 46, 50] * 3,
    "seen": [f"2020-01-0{day}" for day in range(1, 9)] * 3,
    "town": list("mfmfmfmf") * 3,
    "pay": list(range(24)),
}


def test_labels_become_intervals_that_cover_the_values() -> None:
    release = hn.anonymize(pl.DataFrame(ROWS), PLAN)
    found = release.intervals()
    assert found["town"].to_list() == release.data["town"].to_list()
    assert found["pay"].to_list() == release.data["pay"].to_list()
    labels = release.data["age"].to_list()
    values = [ROWS["age"][row] for row in release.source_row]
    for ends, value, label in zip(found["age"].to_list(), values, labels, strict=True):
        assert (ends is None) is (label is None)
        if value is not None:
            assert ends["low"] <= value <= ends["high"], label
    days = found["seen"].struct.field("low"), found["seen"].struct.field("high")
    assert all(one.dtype == pl.Date for one in days)
    assert (days[0] <= days[1]).all()


def test_pandas_gets_intervals_of_its_own_and_pyarrow_structs() -> None:
    release = hn.anonymize(pd.DataFrame(ROWS), PLAN)
    found = release.intervals()
    assert isinstance(found["age"].dtype, pd.IntervalDtype)
    assert found["age"].dropna().array.closed == "both"
    assert found["age"].isna().tolist() == release.data["age"].isna().tolist()
    assert isinstance(found["seen"].dtype, pd.IntervalDtype)
    table = hn.anonymize(pa.table(ROWS), PLAN).intervals()
    assert pa.types.is_struct(table.schema.field("age").type)


@pytest.mark.parametrize(
    ("label", "low", "high"),
    [
        ("[24-36]", 24.0, 36.0),
        ("7", 7.0, 7.0),
        ("90+", 90.0, float("inf")),
        ("12 or less", float("-inf"), 12.0),
        ("*", float("-inf"), float("inf")),
        ("[-9--2]", -9.0, -2.0),
    ],
)
def test_open_labels_and_suppressed_cells_are_open_intervals(label: str, low: float, high: float) -> None:
    from heteronym.model.schema import Attribute
    from heteronym.utility.intervals import with_intervals

    attribute = Attribute(role="quasi", scale="numeric")
    found = with_intervals(pl.DataFrame({"age": [label, None, "3"]}), {"age": attribute})["age"].to_list()
    assert found == [{"low": low, "high": high}, None, {"low": 3.0, "high": 3.0}]


def test_a_column_with_a_label_that_is_no_range_stays_as_it_is() -> None:
    from heteronym.model.schema import Attribute
    from heteronym.utility.intervals import with_intervals

    attribute = Attribute(role="quasi", scale="numeric")
    frame = pl.DataFrame({"age": ["[1-2]", "many"]})
    assert with_intervals(frame, {"age": attribute}).equals(frame)


def test_frames_have_calls_after_the_module_is_asked_for_and_not_before() -> None:
    code = """
import pandas, polars, heteronym
assert not hasattr(pandas.DataFrame, "heteronym") and not hasattr(polars.DataFrame, "heteronym")
import heteronym.accessors
frame = pandas.DataFrame({"age": [20, 21, 30, 31], "zip": ["1", "1", "2", "2"]})
plan = {"attributes": {"age": {"role": "quasi", "scale": "numeric"}, "zip": {"role": "quasi"}},
        "privacy": [{"model": "k-anonymity", "k": 2}]}
print(frame.heteronym.anonymize(plan).verdict.holds, frame.heteronym)
print(type(polars.from_pandas(frame).heteronym.profile(trial=False)).__name__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[0] == "True"
    assert done.stdout.split()[-1] == "Profile"


def test_metadata_describe_the_release_and_are_part_of_it(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    pl.DataFrame(ROWS).write_csv(data)
    target, owner = tmp_path / "release", tmp_path / "owner"
    hn.anonymize(data, {**PLAN, "data": {"title": "Few people"}}, output=target, private=owner, metadata=True)
    assert hn.verify(target, private=owner, against=data).holds
    package = json.loads((target / "datapackage.json").read_text())
    croissant = json.loads((target / "croissant.json").read_text())
    resource, file = package["resources"][0], croissant["distribution"][0]
    content = (target / resource["path"]).read_bytes()
    assert package["name"] == croissant["name"] == "few-people"
    assert resource["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"
    assert (file["sha256"], resource["bytes"]) == (hashlib.sha256(content).hexdigest(), len(content))
    header = content.decode().splitlines()[0].split(resource["dialect"]["delimiter"])
    assert [field["name"] for field in resource["schema"]["fields"]] == header
    assert [field["name"] for field in croissant["recordSet"][0]["field"]] == header
    (target / "croissant.json").write_text(json.dumps(croissant | {"name": "other"}))
    assert not hn.verify(target).holds
    assert not hn.verify(target, private=owner, against=data).holds


def test_a_missing_package_is_named_with_a_remedy(tmp_path: Path) -> None:
    """As in an environment for tables only."""
    (tmp_path / "notes.txt").write_text("Anna Smith called.")
    code = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("spacy", "sklearn", "onnxruntime"):
            raise ModuleNotFoundError(f"No module named '{name}'", name=name)
sys.meta_path.insert(0, Absent())
from heteronym.cli import main
sys.argv = ["heteronym", "sanitize", "notes.txt", "-o", "out", "--method", "information-content"]
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "needs the package" in done.stderr
    assert "Anna" not in done.stderr
    assert not (tmp_path / "out").exists()
