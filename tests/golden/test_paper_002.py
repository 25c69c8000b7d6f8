"""Figures 1 and 2 of paper 002 (Poulis et al. 2013), records 0 and 1 of Fig. 2a corrected.

G and H are underlined in the paper: sensitive, not the attacker's. As ordinary items they would
break every figure, which is tested too.
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import polars as pl
import pytest
from tests.naive.transactions import Person, is_kkm_anonymous, is_km_anonymous, released

import heteronym as hn
from heteronym.errors import PromiseError
from heteronym.privacy.kkm_anonymity import KkmAnonymity
from heteronym.privacy.km_anonymity import KmAnonymity
from heteronym.verify.labels import split_entries

FOLDER = Path(str(files("heteronym") / "examples" / "fig1"))
SECRET = ("G", "H")


def people(text: str) -> list[Person]:
    """`age origin gender: items` per line."""
    rows = (line.split(":", 1) for line in text.replace("[", "").strip().splitlines())
    return [(tuple(columns.split()), frozenset(split_entries(items.strip(), " "))) for columns, items in rows]


FIG_1B = people("""
19-22 Europe Male: E F (A,B,C,D) G
19-22 Europe Male: E F (A,B,C,D) H
28-39 Europe Female: E (A,B,C,D) G
28-39 Europe Female: F (A,B,C,D) H
55-70 Africa All: E G
55-70 Africa All: F (A,B,C,D) H
""")
FIG_2 = {
    "a": people("""
19-22 Europe Male: E F (B,D) G
19-22 Europe Male: E F (B,D) H
28-39 Europe Female: (B,C,F) (D,E) G
28-39 Europe Female: (B,C,F) (D,E) H
55-70 Africa All: (A,E,F) G
55-70 Africa All: (A,E,F) H
"""),
    "b": people("""
19-70 All All: E F (A,B,C,D) G
19-70 All All: E F (A,B,C,D) H
19-70 All All: E (A,B,C,D) G
19-70 All All: F (A,B,C,D) H
19-70 All All: E G
19-70 All All: F (A,B,C,D) H
"""),
    "c": people("""
19-39 Europe All: E F (B,C,D) G
19-39 Europe All: E F (B,C,D) H
19-39 Europe All: E (B,C,D) G
19-39 Europe All: F (B,C,D) H
55-70 Africa All: (A,E,F) G
55-70 Africa All: (A,E,F) H
"""),
    "d": people("""
19-70 All All: E F (A,B,D) G
19-70 All All: E F (A,B,D) H
19-70 All All: E G
19-70 All All: F (A,B,D) H
28-39 Europe Female: (B,C,F) (D,E) G
28-39 Europe Female: (B,C,F) (D,E) H
"""),
}
MODEL = KkmAnonymity(k=2, m=2)


@pytest.mark.parametrize("figure", FIG_2)
def test_figure_2_is_anonymous_with_g_and_h_sensitive(figure: str) -> None:
    assert MODEL.audit(released(FIG_2[figure], SECRET)).holds
    assert is_kkm_anonymous(FIG_2[figure], 2, 2, SECRET)


@pytest.mark.parametrize("figure", FIG_2)
def test_figure_2_is_not_anonymous_if_an_attacker_may_know_g_and_h(figure: str) -> None:
    assert not MODEL.audit(released(FIG_2[figure])).holds


def test_figure_1b_is_anonymous_in_its_items_but_not_together_with_the_columns() -> None:
    assert KmAnonymity(k=2, m=2).audit(released(FIG_1B, SECRET)).holds
    assert is_km_anonymous([items for _, items in FIG_1B], 2, 2, SECRET)
    verdict = MODEL.audit(released(FIG_1B, SECRET))
    assert not verdict.holds
    assert verdict.smallest_group == 1


def jim_in(rows: list[Person]) -> list[int]:
    """Records that fit a 55-year-old male Nigerian who purchased F."""

    def fits(columns: tuple[str, ...], items: frozenset[str]) -> bool:
        age, origin, gender = columns
        low, _, high = age.strip("[]").partition("-")
        return (
            int(low) <= 55 <= int(high or low)
            and origin in ("Nigeria", "Africa", "All", "*")
            and ("Male" in gender.strip("{}").split(",") or gender in ("All", "*"))
            and any("F" in label.strip("()").split(",") for label in items)
        )

    return [number for number, person in enumerate(rows) if fits(*person)]


def test_jim_is_found_in_figure_1b() -> None:
    assert jim_in(FIG_1B) == [5]


@pytest.mark.parametrize("merge", ["r", "t", "rt", "top-down"])
@pytest.mark.parametrize("delta", [0.65, 1.0])
def test_jim_is_not_found_in_our_release(tmp_path: Path, merge: str, delta: float) -> None:
    out = tmp_path / "release"
    release = hn.anonymize(
        FOLDER / "customers.csv", FOLDER / "plan.yaml", output=out, merge=merge, delta=delta
    )
    assert release.verdict.holds
    table = pl.read_csv(out / "data.csv", infer_schema=False)
    rows = [
        ((age, origin, gender), frozenset(split_entries(items, " ")))
        for age, origin, gender, items in table.iter_rows()
    ]
    assert len(jim_in(rows)) >= 2
    assert is_kkm_anonymous(rows, 2, 2, SECRET)
    assert sum("G" in items for _, items in rows) == 3
    assert release.facts["measures"]["ncp"]["relational"] <= delta


def with_tum_bound(tmp_path: Path, merge: str, delta: float) -> hn.Release:
    return hn.anonymize(
        FOLDER / "customers.csv",
        FOLDER / "plan.yaml",
        output=tmp_path / "release",
        method="tum-bound",
        merge=merge,
        delta=delta,
    )


@pytest.mark.parametrize("merge", ["r", "t", "rt"])
def test_clusters_that_keep_the_bound_are_not_merged(tmp_path: Path, merge: str) -> None:
    """Their items lose .5075; merging everything would cost all of the columns."""
    measures = with_tum_bound(tmp_path, merge, 0.51).measures
    assert measures["splits"] == {"merges": 0}
    assert measures["transaction"]["ul"] == pytest.approx(0.5075, abs=1e-4)
    assert measures["ncp"]["relational_covered"] == pytest.approx(0.2854, abs=1e-4)


def test_a_refusal_names_a_bound_that_can_be_kept(tmp_path: Path) -> None:
    with pytest.raises(PromiseError, match=r"smallest reached is 0\.2606"):
        with_tum_bound(tmp_path, "t", 0.25)
    assert with_tum_bound(tmp_path, "t", 0.2606).measures["transaction"]["ul"] <= 0.2606
