"""Files of statistics programs: the auditor's own readers agree with the producer's, or say so."""

from __future__ import annotations

import datetime as dt
import random
from pathlib import Path
from typing import Any

import pytest

from heteronym.io.statistics_files import read_statistics
from heteronym.model.plan import DataPlan
from heteronym.verify.sav_reader import read_sav
from heteronym.verify.tables import read_data, readers_check

pandas = pytest.importorskip("pandas")
pyreadstat = pytest.importorskip("pyreadstat")


def people(seed: int, longest: int) -> Any:
    rng = random.Random(seed)
    rows = range(rng.randint(1, 60))
    return pandas.DataFrame(
        {
            "id": list(rows),
            "a_rather_long_name": [rng.choice([1.5, None, -3.25, 1e9, 251, -100, -99, 152]) for _ in rows],
            "name": [rng.choice(["Zoë", "", "Bo", "x" * 9, "Müller von Ulm"]) for _ in rows],
            "note": ["".join(rng.choices("abcé ", k=rng.randint(0, longest))).strip() for _ in rows],
            "born": [dt.date(1950, 1, 2) + dt.timedelta(days=rng.randrange(9999)) for _ in rows],
            "seen": [dt.datetime(1999, 1, 2) + dt.timedelta(seconds=rng.randrange(10**8)) for _ in rows],
            "ward": [rng.randint(0, 9) for _ in rows],
        }
    )


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_the_own_reader_of_spss_files_agrees_with_the_producers(
    seed: int, packed: bool, tmp_path: Path
) -> None:
    path = tmp_path / "people.sav"
    pyreadstat.write_sav(
        people(seed, longest=[8, 200, 255, 600][seed % 4]),
        str(path),
        row_compress=packed,
        column_labels={"ward": "the ward"},
        variable_value_labels={"ward": {1: "one", 2: "two"}},
        missing_ranges={"ward": [{"lo": 7, "hi": 8}, 3]},
    )
    source = read_data(path, DataPlan())
    expected = read_statistics(path.read_bytes(), path.name, ".sav")
    assert source.shared == ()
    assert source.frame.to_dict(as_series=False) == expected.to_dict(as_series=False)


@pytest.mark.parametrize("seed", range(5))
def test_stata_files_are_read_by_pandas(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "people.dta"
    pyreadstat.write_dta(people(seed, longest=200), str(path))
    source = read_data(path, DataPlan())
    expected = read_statistics(path.read_bytes(), path.name, ".dta")
    assert source.shared == ()
    for name in expected.columns:
        assert [str(c) for c in source.frame[name]] == [str(c) for c in expected[name]], name


def test_what_only_the_producers_library_reads_is_named(tmp_path: Path) -> None:
    frame = people(1, longest=20)
    pyreadstat.write_sav(frame, str(tmp_path / "a.zsav"), compress=True)
    pyreadstat.write_xport(frame.drop(columns=["seen", "a_rather_long_name"]), str(tmp_path / "b.xpt"))
    for name in ("a.zsav", "b.xpt"):
        source = read_data(tmp_path / name, DataPlan())
        assert source.shared == (name,)
        (check,) = readers_check(source)
        assert check.holds is None
        assert name in check.detail


@pytest.mark.parametrize("cut", [0, 4, 100, 176, 300, 700])
def test_a_file_that_was_cut_off_is_not_guessed_at(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "people.sav"
    pyreadstat.write_sav(people(3, longest=20), str(path))
    assert read_sav(path.read_bytes()[:cut]) is None
