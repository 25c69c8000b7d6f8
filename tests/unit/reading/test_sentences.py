"""Sentences that go leave a text as it would read without them."""

from __future__ import annotations

from itertools import product

import numpy as np
import polars as pl
import pytest

from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.pipeline import make_dataset, make_draft
from heteronym.reading.sentences import sentences_of

PLAN = {
    "attributes": {"age": {"role": "quasi", "scale": "numeric"}, "text": {"role": "text"}},
    "text": {"model": "none", "entities": ["GPE"], "patterns": {"GPE": "Lisbon|Athens|Vienna"}},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
TOWNS = ["Lisbon", "Athens", "Vienna"]


@pytest.mark.parametrize("tail", ["", "\n", "  "])
@pytest.mark.parametrize("goes", list(product([False, True], repeat=3)))
def test_what_goes_takes_the_space_between_along(goes: tuple[bool, ...], tail: str) -> None:
    said = [f"He saw {town}." for town in TOWNS]
    text = " ".join(said) + tail
    plan = make_plan(PLAN)
    dataset = make_dataset(from_frame(pl.DataFrame({"age": [1, 2], "text": [text, "None."]}))[0], plan)
    mentions = make_draft(dataset, plan).mentions
    assert mentions is not None
    sentences = sentences_of(dataset, mentions)
    gone = np.flatnonzero(goes).astype(np.int64)
    left, at = "", 0
    for start, end in zip(*sentences.stretches(gone), strict=True):
        left, at = left + text[at:start], end
    left += text[at:]
    kept = " ".join(sentence for sentence, is_gone in zip(said, goes, strict=True) if not is_gone)
    assert left == (kept + tail if kept else "")
