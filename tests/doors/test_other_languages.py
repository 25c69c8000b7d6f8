"""Texts in a language that nothing reads: whoever relies on what was found there is told, with the share."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from heteronym.cli import app

RUNNER = CliRunner()
ENGLISH = "She went to the shop and it was closed, so we had to go home."
FRENCH = "Je ne sais pas ce que vous voulez dans cette maison avec les enfants."
SAID = "25.0 % of the texts do not look English"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Four texts with one in French, and cells without any."""
    frame = pl.DataFrame(
        {
            "id": [f"p{n}" for n in range(8)],
            "age": [30, 31, 32, 33] * 2,
            "said": [ENGLISH, FRENCH, ENGLISH, ENGLISH, None, None, "", None],
        }
    )
    frame.write_csv(tmp_path / "data.csv")
    plan = {
        "data": {"person": "id"},
        "attributes": {"id": {"role": "identifier"}, "age": {"role": "quasi"}, "said": {"role": "text"}},
        "privacy": {"model": "k-anonymity", "k": 2},
        "text": {"model": "none"},
    }
    (tmp_path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
    return tmp_path


def test_a_release_says_it_on_its_first_line_in_the_facts_and_in_the_report(table: Path) -> None:
    asked = ["anonymize", str(table / "data.csv"), "-c", str(table / "plan.json"), "-o", str(table / "out")]
    done = RUNNER.invoke(app, asked)
    assert done.exit_code == 0, done.output
    first = next(line for line in done.output.splitlines() if line.startswith("verified"))
    assert SAID in first
    assert done.output.count(SAID) == 1
    checks = json.loads((table / "out" / "facts.json").read_text(encoding="utf-8"))["verdict"]["checks"]
    assert [check["holds"] for check in checks if SAID in check["detail"]] == [None]
    assert (table / "out" / "report.html").read_text(encoding="utf-8").count(SAID) == 2


def test_a_scan_of_a_table_or_of_documents_says_it(table: Path) -> None:
    for name, text in (("a", ENGLISH), ("b", FRENCH), ("c", ENGLISH), ("d", ENGLISH)):
        (table / f"{name}.txt").write_text(text, encoding="utf-8")
    files = [str(table / f"{name}.txt") for name in "abcd"]
    for given in ([str(table / "data.csv"), "-c", str(table / "plan.json")], files):
        done = RUNNER.invoke(app, ["scan", *given])
        assert done.exit_code == 0, done.output
        assert SAID in done.stderr
    done = RUNNER.invoke(app, ["scan", files[0]])
    assert "English" not in done.stderr


def test_sanitize_says_it(table: Path) -> None:
    (table / "b.txt").write_text(FRENCH, encoding="utf-8")
    asked = ["sanitize", str(table / "b.txt"), "-o", str(table / "clean"), "--method", "redact"]
    done = RUNNER.invoke(app, asked)
    assert done.exit_code == 0, done.output
    assert "100.0 % of the texts do not look English" in done.stderr
