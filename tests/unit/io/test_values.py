"""Texts that repeat are held once, and nobody sees a difference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import heteronym as hn
from heteronym.io.repeated import REPEATED, as_texts, distinct_cells, held_once


def test_only_texts_that_repeat_are_held_once() -> None:
    often = pl.Series("often", ["a", "b", None, "a"] * 30)
    seldom = pl.Series("seldom", [str(n) for n in range(120)])
    assert held_once(often).dtype == REPEATED
    assert held_once(seldom).dtype == pl.String
    assert held_once(pl.Series([1, 1, 1] * 40)).dtype == pl.Int64
    assert as_texts(pl.DataFrame([held_once(often)]))["often"].to_list() == often.to_list()


@pytest.mark.parametrize("seed", range(20))
def test_different_texts_and_numbers_give_the_column_back(seed: int) -> None:
    rng = np.random.default_rng(seed)
    words = [None, "", "x", "ß", *(f"w{seed}-{n}" for n in range(5))]
    cells = pl.Series("c", [words[i] for i in rng.integers(0, len(words), 50)], pl.String)
    texts, number = distinct_cells(cells.cast(REPEATED))
    assert len(set(texts.to_list())) == len(texts)
    assert [None if n == len(texts) else texts[n] for n in number.tolist()] == cells.to_list()


def test_nothing_known_is_nothing_different() -> None:
    texts, number = distinct_cells(pl.Series("c", [None, None], pl.String).cast(REPEATED))
    assert texts.to_list() == []
    assert number.tolist() == [0, 0]


def test_a_release_of_a_file_shows_plain_texts(tmp_path: Path) -> None:
    rows = [f"{'ab'[n % 2]},{30 + n % 3},note {n % 2}" for n in range(60)]
    data = tmp_path / "people.csv"
    data.write_text("\n".join(["sex,age,plain", *rows]) + "\n", "utf-8")
    plan = {
        "attributes": {
            "sex": {"role": "quasi"},
            "age": {"role": "quasi", "scale": "numeric"},
            "plain": {"role": "plain"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}],
    }
    for output in (None, tmp_path / "release"):
        release = hn.anonymize(data, plan, output=output)
        assert set(release.data.dtypes) == {pl.String}
        assert sorted(release.data["plain"].to_list()) == ["note 0"] * 30 + ["note 1"] * 30


def test_a_cell_that_does_not_fit_is_told_by_its_row_even_if_it_repeats(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    data.write_text("\n".join(["age", *(["30", "31"] * 20), "old", *(["32"] * 20), "old"]) + "\n", "utf-8")
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    with pytest.raises(hn.InputError, match="rows 41, 62 "):
        hn.anonymize(data, plan)
