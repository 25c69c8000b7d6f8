"""The bundled examples, start to finish."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import pytest


@pytest.mark.parametrize("example", ["visits", "blog", "clinic"])
def test_a_bundled_example_ends_with_its_report(example: str, command: Any, tmp_path: Path) -> None:
    outcome = command("demo", "--example", example, "-o", tmp_path / "release")
    assert outcome.exit_code == 0
    last = outcome.out.strip().splitlines()[-1]
    assert last == f"report:  {tmp_path / 'release' / 'report.html'}"
    assert (tmp_path / "release" / "report.html").is_file()


def test_an_unknown_example_is_refused(command: Any, tmp_path: Path) -> None:
    outcome = command("demo", "--example", "clinc", "-o", tmp_path / "release")
    assert outcome.exit_code == 2
    assert "clinic" in outcome.err


def test_the_clinic_shows_all_kinds_of_data_together(command: Any, tmp_path: Path) -> None:
    facts = command("demo", "--example", "clinic", "-o", tmp_path / "release", "--json").json
    assert {"cells", "items", "terms", "mentions", "words"} <= set(facts["fates"])
    assert facts["verdict"]["holds"]
    assert facts["fates"]["mentions"]["GPE"]["kept"] > 0
    assert facts["fates"]["mentions"]["AGE"]["follows_column"] > 0
    assert facts["fates"]["mentions"]["MAIL"]["kept"] == 0


def test_the_first_example_is_what_the_page_of_examples_prints(command: Any, tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "examples.md").read_text("utf-8")
    printed = page.split("become", 1)[1].split("The age in the text")[0]
    rows = [line.strip("| ").split(" | ") for line in printed.splitlines() if line.startswith("| female")]
    facts = command("demo", "-o", tmp_path / "release", "--json").json
    assert facts["verdict"]["holds"]
    with (tmp_path / "release" / "data.csv").open(newline="") as file:
        released = [[cell.strip().replace("|", ", ") for cell in row] for row in list(csv.reader(file))[1:]]
    assert len(rows) == 4
    assert all(row in released for row in rows)
    front = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    [shown] = re.findall(r"^\| (\[34-38\] .*) \|$", front, re.M)
    assert shown.split(" | ") in [row[1:] for row in released]


def test_the_data_of_an_example_can_be_had_alone(command: Any, tmp_path: Path) -> None:
    outcome = command("demo", "--example", "clinic", "--files", tmp_path / "desk")
    assert outcome.exit_code == 0
    assert [path.name for path in (tmp_path / "desk").iterdir()] == ["visits.csv"]
    assert command("demo", "--example", "clinic", "--files", tmp_path / "desk").exit_code == 2
