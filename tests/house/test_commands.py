"""Every command that a page shows runs as it stands there, on small files of the names it uses."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLE = Path(str(files("heteronym") / "examples" / "blog"))
LETTER = "Dear Helen Miller, my brother Tom has diabetes. He lives in Leeds and works as a carpenter.\n"


def shown(page: Path) -> list[str]:
    """Lines of code blocks that call the program, without the explanation that may stand behind them."""
    blocks = re.findall(r"^```(?:sh|bash|console)?\n(.*?)^```", page.read_text("utf-8"), re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    calls = [re.split(r"\s{2,}|\s#", line.removeprefix("$ "))[0].strip() for line in lines]
    return [call for call in calls if re.match(r"heteronym [a-z]", call)]


WITH_COMMANDS = [page for page in PAGES if shown(page)]


def arguments(line: str, folder: Path) -> list[str]:
    """As a shell would split it: quotes, and names with a star."""
    found: list[str] = []
    for word in shlex.split(line)[1:]:
        found += sorted(str(p.relative_to(folder)) for p in folder.glob(word)) if "*" in word else [word]
    return found


@pytest.fixture
def full_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Callable[..., Any]) -> Path:
    """Files of all names that the pages use, a release and its owner's folder among them."""
    monkeypatch.chdir(tmp_path)
    for path in EXAMPLE.iterdir():
        shutil.copy(path, tmp_path)
    (tmp_path / "letter.txt").write_text(LETTER)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "one.txt").write_text(LETTER)
    ages, zips = [20 + n for n in range(30)], [f"{10000 + 37 * n}" for n in range(30)]
    pl.DataFrame({"age": ages, "zip": zips}).write_csv(tmp_path / "people.csv")
    return tmp_path


def prepared(page: Path, folder: Path, command: Callable[..., Any]) -> None:
    """What a page takes for granted: it comes after the quick start, or goes on with a plan of its own."""
    if page.name in ("attacks.md", "report.md", "utility.md"):
        made = command("anonymize", "posts.csv", "-c", "plan.yaml", "-o", "release", "--private", "owner")
        assert made.exit_code == 0, made.err
    if page.name in ("README.md", "tutorial.md"):
        (folder / "plan.yaml").unlink()
    if page.name in ("gdpr.md", "hipaa.md", "monthly.md", "review.md"):
        for path in (EXAMPLE.parent / "visits").iterdir():
            shutil.copy(path, folder)
    if page.name == "gdpr.md":
        assert (
            command(
                "anonymize", "visits.csv", "-c", "plan.yaml", "-o", "release", "--private", "owner"
            ).exit_code
            == 0
        )
    if page.name == "ema.md":
        for path in (EXAMPLE.parent / "clinic").iterdir():
            shutil.copy(path, folder)
    if page.name == "files.md":
        pl.read_csv(EXAMPLE.parent / "clinic" / "visits.csv").with_columns(
            admitted=pl.lit("03.02.2024")
        ).head(60).write_csv(folder / "with-notes.csv")
        people = [f"p{n}" for n in range(30)]
        pl.DataFrame({"patient": people, "age": [20 + n % 9 for n in range(30)]}).write_csv(
            folder / "visits.csv"
        )
        pl.DataFrame({"patient": people * 2, "diagnosis": ["gout", "flu", "asthma"] * 20}).write_csv(
            folder / "diagnoses.csv"
        )
    if page.name in ("spark.md", "scale.md"):
        pl.read_csv(folder / "people.csv").write_parquet(folder / "people.parquet")
        (folder / "plan.yaml").write_text(
            "attributes: {age: {role: quasi}, zip: {role: quasi}}\nprivacy: [{model: k-anonymity, k: 5}]\n"
        )
    if page.name in ("judge.md", "from-arx.md", "from-presidio.md", "from-sdcmicro.md"):
        people = {"age": [30] * 12, "town": ["Leeds"] * 12}
        pl.DataFrame({"name": [f"Person {n}" for n in range(12)], **people}).write_csv(
            folder / "original.csv"
        )
        pl.DataFrame(people).write_csv(folder / "released.csv")
    if page.name == "hierarchies.md":
        (folder / "plan.yaml").write_text(
            "attributes: {age: {role: quasi, scale: numeric, hierarchy: age.csv}, "
            "zip: {role: quasi, hierarchy: zip.txt}}\nprivacy: [{model: k-anonymity, k: 2}]\n"
        )


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_commands_of_a_page_run(page: Path, full_desk: Path, command: Callable[..., Any]) -> None:
    prepared(page, full_desk, command)
    for line in shown(page):
        outcome = command(*arguments(line, full_desk))
        assert outcome.exit_code == 0, f"{line}: {outcome.err}"


def test_several_pages_show_commands() -> None:
    assert len(WITH_COMMANDS) >= 5
    assert sum(len(shown(page)) for page in WITH_COMMANDS) >= 15
