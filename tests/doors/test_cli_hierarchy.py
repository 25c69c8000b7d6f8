"""heteronym hierarchy build | check."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

DATA = "age,city\n31,Ulm\n32,Rom\n47,Ulm\n48,Oslo\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "people.csv").write_text(DATA)
    return tmp_path / "people.csv"


@pytest.mark.parametrize("ending", [".csv", ".txt"])
def test_what_is_built_passes_the_check_and_serves_a_run(
    ending: str, data: Path, command: Any, desk: Any
) -> None:
    at = desk(
        DATA,
        {
            "attributes": {
                "age": {"role": "quasi", "scale": "numeric", "hierarchy": f"age{ending}"},
                "city": {"role": "plain"},
            },
            "privacy": [{"model": "k-anonymity", "k": 2}],
        },
    )
    file = at.folder / f"age{ending}"
    assert command("hierarchy", "build", data, "--column", "age", "-o", file).exit_code == 0
    assert command("hierarchy", "check", file, "--against", data, "--column", "age").exit_code == 0
    assert command("hierarchy", "check", "-c", at.folder / "plan.yaml", "--against", data).exit_code == 0
    assert at.anonymize().exit_code == 0


def test_values_without_a_leaf_are_counted_and_not_shown(data: Path, command: Any) -> None:
    file = data.parent / "city.csv"
    file.write_text("Ulm;Germany;*\nRom;Italy;*\nKoeln;Germany;*\n")
    outcome = command("hierarchy", "check", file, "--against", data, "--column", "city")
    assert outcome.exit_code == 2
    assert "lacks 1 of the 3 values of 'city' (row 4)" in outcome.err
    assert "Oslo" not in outcome.out + outcome.err
    told = command("hierarchy", "check", file, "--against", data, "--column", "city", "--json").json
    assert told["hierarchies"][0].items() >= {"uncovered": 1, "unused": 1, "usable": False}.items()


BROKEN = {
    "a node lies above itself": "a;b;c;*\nb;c;a;*\n",
    "have the same leaf": "Ulm;x;*\nUlm;y;*\n",
    "two different parents": "Ulm;x;y;*\nRom;x;z;*\n",
    "has no name": "Ulm;x;*\n;x;*\n",
    "is empty": "\n",
}


@pytest.mark.parametrize("why", BROKEN)
def test_a_broken_hierarchy_is_refused_by_check_and_by_anonymize(
    why: str, data: Path, command: Any, desk: Any
) -> None:
    at = desk(
        DATA,
        {
            "attributes": {"age": {"role": "plain"}, "city": {"role": "quasi", "hierarchy": "city.csv"}},
            "privacy": [{"model": "k-anonymity", "k": 2}],
        },
    )
    at.put(BROKEN[why], "city.csv")
    for outcome in (command("hierarchy", "check", at.folder / "city.csv"), at.anonymize()):
        assert outcome.exit_code == 2
        assert why in outcome.err


WRONG_CALLS = {
    "no file": ("check",),
    "a column without data": ("check", "x.csv", "--column", "age"),
    "a builder that does not exist": ("build", "DATA", "--column", "age", "--kind", "rangs", "-o", "OUT"),
    "a column that does not exist": ("build", "DATA", "--column", "aeg", "-o", "OUT"),
    "an existing file": ("build", "DATA", "--column", "age", "-o", "DATA"),
}


@pytest.mark.parametrize("case", WRONG_CALLS)
def test_wrong_calls_are_refused(case: str, data: Path, command: Any) -> None:
    words = {"DATA": data, "OUT": data.parent / "out.csv"}
    outcome = command("hierarchy", *(words.get(word, word) for word in WRONG_CALLS[case]))
    assert outcome.exit_code == 2
    assert "heteronym:" in outcome.err
