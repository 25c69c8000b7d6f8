"""Benchmarks compile, and pages show what they wrote. `make check-benchmarks` runs them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from benchmarks.generators.__main__ import GENERATORS

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]
SCRIPTS = sorted((ROOT / "benchmarks").rglob("*.py"))


def test_every_place_for_figures_holds_what_its_command_wrote() -> None:
    marks = re.compile(r"<!-- figures: ([^>]*) -->\n(.*?)<!-- end of figures -->", re.DOTALL)
    places = {(page, name): text for page in PAGES for name, text in marks.findall(page.read_text("utf-8"))}
    assert len(places) > 20
    assert [f"{page.name}: {name}" for (page, name), text in places.items() if not text.strip()] == []


def test_losses_told_at_a_glance_are_those_that_the_commands_wrote() -> None:
    measured = (ROOT / "docs" / "measured.md").read_text()
    front = measured.split("## At a glance")[1].split("## Tables")[0]
    for name, column, digits in (("adult", "NCP", 4), ("blog-like", "columns lost", 3)):
        lines = measured.split(f"<!-- figures: {name} -->")[1].split("<!-- end")[0].strip().splitlines()
        head, rows = lines[0].split(" | "), [line.split(" | ") for line in lines[2:]]
        assert len(rows) == 4
        for row in rows:
            loss = float(row[head.index(column)])
            assert f"NCP {loss:.{digits}f}".replace(" 0.", " .") in front


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_benchmark_compiles(path: Path) -> None:
    compile(path.read_text("utf-8"), str(path), "exec")


def test_every_benchmark_that_a_page_names_exists() -> None:
    named = {name for page in PAGES for name in re.findall(r"python -m (benchmarks[\w.]*)", page.read_text())}
    assert len(named) > 20
    places = [ROOT.joinpath(*name.split(".")) for name in named]
    assert [
        place.name
        for place in places
        if not (place.with_suffix(".py").exists() or (place / "__main__.py").exists())
    ] == []


def test_the_bundled_clinic_is_the_generated_one() -> None:
    bundled = ROOT / "src" / "heteronym" / "examples" / "clinic" / "visits.csv"
    assert bundled.read_text() == GENERATORS["clinic"](300, 7).write_csv()
