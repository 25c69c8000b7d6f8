"""Every benchmark that a page names runs from a clone: at a small size, without neighbouring folders.

    make check-benchmarks

Not part of `make test`, which must not depend on how busy a machine is.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from benchmarks.figures import write
from benchmarks.generators.__main__ import GENERATORS
from benchmarks.mutants import SURVIVED, known_results, listed

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]
SMALL = {
    "benchmarks.generators": ["adult-like", "--size", "50", "-o", "{folder}/adult.csv"],
    "benchmarks.permuted": ["--cases", "1"],
    "benchmarks.tampering": ["--changes", "1"],
    "benchmarks.trials": ["--cases", "1", "--first", "1"],
    "benchmarks.drafts": ["--kind", "orders", "--persons", "40"],
    "benchmarks.mutants": ["--list"],
    "benchmarks.track.tables": ["--size", "300", "--rows", "400"],
    "benchmarks.track.compare": ["--persons", "60", "--k", "2", "--weights", "1"],
    "benchmarks.track.blogs": ["--persons", "60", "--growth"],
    "benchmarks.track.beside_old": ["--old", ".", "--only", "blog", "--persons", "60", "--pairs", "1"],
    "benchmarks.track.commands": ["--scale", "0.002", "--only", "excel"],
    "benchmarks.track.install": [],
    "benchmarks.track.bars": ["--only", "items", "--scale", "0.005"],
    "benchmarks.track.joint": ["--persons", "300", "--k", "2", "--m", "1"],
    "benchmarks.studies.items_informs": ["--size", "200", "--k", "5", "--methods", "r", "tum rt"],
    "benchmarks.studies.items_orderings": ["--rows", "150"],
    "benchmarks.studies.items_paths": ["--cases", "400"],
    "benchmarks.studies.recognition_frames": ["benchmarks/studies/genres/later", "--model", "none"],
    "benchmarks.studies.items_tables": ["--size", "500"],
    "benchmarks.studies.informs_visits": ["--persons", "60", "--k", "2", "--m", "1", "--delta", "0.9"],
    "benchmarks.studies.mondrian_finish": ["--size", "200", "--k", "5"],
    "benchmarks.studies.table_passes": ["--size", "200", "--k", "5"],
    "benchmarks.studies.withheld_cells": ["--size", "200", "--k", "5"],
    "benchmarks.studies.rx_reference": ["--persons", "40"],
    "benchmarks.studies.rx_paper": ["--blogs", "150", "--hotels", "0", "--k", "3", "--cuts", "widest"],
    "benchmarks.studies.rt_paper": ["--size", "200", "--k", "5", "--steps", "1"],
    "benchmarks.studies.ic_paper": ["--documents", "person"],
    "benchmarks.studies.plausibility": ["--texts", "2", "--pairs", "100", "--m", "5"],
    "benchmarks.studies.assertions": [],
    "benchmarks.studies.assertions_speed": ["2"],
    "benchmarks.studies.information_content": [],
    "benchmarks.track.documents": ["--documents", "2"],
    "benchmarks.track.start": ["--runs", "1"],
    "benchmarks.track.serve": ["--notes", "60", "--mentions", "3", "--calls", "2"],
    "benchmarks.track.waits": ["--scale", "0.01"],
    "benchmarks.studies.joint_groups": ["--persons", "90"],
    "benchmarks.studies.terms_generalize": ["--persons", "80", "--k", "3", "--m", "1", "--delta", "0.6"],
    "benchmarks.track.growth": ["--only", "tables", "--rows", "300", "600", "--plots", "{folder}"],
}
NEED_DATA = {
    "benchmarks.studies.document_privacy",
    "benchmarks.studies.hipaa_texts",
    "benchmarks.studies.parse",
    "benchmarks.studies.sensitive_models",
    "benchmarks.studies.table_bars",
    "benchmarks.track.beside_arx",
}


def named_in_the_pages() -> set[str]:
    return {
        name for page in PAGES for name in re.findall(r"python -m (benchmarks\.[\w.]+)", page.read_text())
    }


PASSED_ALL_TESTS_ONCE = {
    "merge t ranks by columns",
    "merge rt ranks by columns",
    "merge r takes the farthest",
    "the seed has the largest Rum",
    "tum-bound merges everything",
    "t-first is random",
    "lambda is ignored for columns",
    "lambda is ignored for terms",
    "lambda is ignored by gain for columns",
    "lambda is ignored by gain for terms",
    "the width of ranges is doubled",
    "the width of sets is doubled",
    "the true count ignores columns",
    "ul_unweighted weighs single items by half",
    "coat_ul ignores how many persons show a label",
    "std is that of a sample",
    "exact ordering is replaced by BTD",
}


def test_nine_of_ten_errors_are_noticed_and_every_other_has_a_reason() -> None:
    """As the last runs of `benchmarks.mutants` found; the page says how many of the list were run."""
    results = known_results()
    found = {mutant: results[mutant.key].result for mutant in listed() if mutant.key in results}
    left = [mutant for mutant, result in found.items() if result == SURVIVED]
    assert len(found) >= 200
    assert len(left) <= len(found) / 10
    assert [mutant.wrong for mutant in left if not mutant.excuse] == []
    assert {mutant.wrong for mutant in found} >= PASSED_ALL_TESTS_ONCE
    assert not PASSED_ALL_TESTS_ONCE & {mutant.wrong for mutant in left}


def test_every_benchmark_of_the_pages_is_run_here() -> None:
    assert named_in_the_pages() <= set(SMALL) | NEED_DATA


@pytest.mark.parametrize("name", sorted(NEED_DATA))
def test_a_benchmark_that_needs_data_says_so(name: str) -> None:
    run = subprocess.run([sys.executable, "-m", name], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 2
    assert "data" in run.stderr


@pytest.mark.parametrize("name", SMALL)
def test_a_benchmark_runs_from_a_clone(name: str, tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "HETERONYM_SHARED"}
    arguments = [argument.format(folder=tmp_path) for argument in SMALL[name]]
    run = subprocess.run(
        [sys.executable, "-m", name, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


@pytest.mark.parametrize("name", GENERATORS)
def test_a_generator_gives_the_same_rows_for_the_same_seed_and_others_for_another(name: str) -> None:
    first, again, other = (GENERATORS[name](40, seed) for seed in (3, 3, 4))
    assert first.equals(again)
    assert not first.equals(other)


def test_adult_like_rows_keep_the_marginals_and_the_pairs_of_adult() -> None:
    frame = GENERATORS["adult-like"](20_000, 1)
    married = frame.filter(pl.col("marital-status") == "Married-civ-spouse")
    assert frame["sex"].eq("Male").mean() == pytest.approx(0.676, abs=0.02)
    assert married["sex"].eq("Male").mean() == pytest.approx(0.89, abs=0.02)
    assert frame.filter(pl.col("age") < 20)["marital-status"].eq("Never-married").mean() > 0.9


def test_figures_replace_what_stands_between_their_marks(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- figures: one -->\nold\n<!-- end of figures -->\nb\n")
    write(page, "one", "new")
    assert page.read_text() == "a\n<!-- figures: one -->\n\nnew\n\n<!-- end of figures -->\nb\n"
    with pytest.raises(SystemExit, match="no place"):
        write(page, "two", "new")
