"""Texts told apart and put in order by their hashes, beside the plain ways."""

from __future__ import annotations

import random

import polars as pl
import pytest

from heteronym.io import many_texts
from heteronym.io.many_texts import distinct_texts, text_order, vocabulary_order


def some_texts(seed: int, count: int = 200) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choices("abÄ\U0001f600 ", k=rng.randint(0, 20))) for _ in range(count)]


@pytest.mark.parametrize("many", [0, 1 << 20])
@pytest.mark.parametrize("seed", range(10))
def test_texts_are_told_apart(seed: int, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many_texts, "MANY", many)
    texts = some_texts(seed) * 2
    different, number = distinct_texts(pl.Series(texts))
    assert sorted(different) == sorted(set(texts))
    assert [different[n] for n in number.tolist()] == texts


def test_texts_of_one_hash_are_told_apart_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pl.Series, "hash", lambda self: pl.Series([7] * len(self), dtype=pl.UInt64))
    texts = some_texts(0)
    different, number = distinct_texts(pl.Series(texts))
    assert [different[n] for n in number.tolist()] == texts
    assert len(different) == len(set(texts))
    assert [texts[i] for i in text_order(pl.Series(texts))] == sorted(texts, key=str.encode)


@pytest.mark.parametrize("seed", range(20))
def test_a_vocabulary_is_in_the_order_of_a_plain_sort(seed: int) -> None:
    rng = random.Random(seed)
    spelt = [rng.choice(["Rome", "rome", "ROME", "Oslo", "oslo", "Bern"]) for _ in range(60)]
    whole = pl.DataFrame(
        {
            "place": [rng.choice([-1, 0, 1]) for _ in spelt],
            "domain": [rng.choice(["GPE", "ORG"]) for _ in spelt],
            "term": [text.lower() for text in spelt],
            "count": [rng.randint(1, 3) for _ in spelt],
            "spelling": spelt,
        }
    ).unique(["place", "domain", "spelling"])
    found = whole[vocabulary_order(whole, ["place", "domain", "term"])]
    down = [False, False, False, True, False]
    assert found.equals(whole.sort("place", "domain", "term", "count", "spelling", descending=down))
