"""The best tag sequence, against trying all of them."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from heteronym.text.models.token_classifier import _viterbi, best_path


def allowed(tags: tuple[int, ...]) -> bool:
    """Columns are O, B-x, I-x, B-y, I-y: an I follows a B or I of its kind."""
    before = (0, *tags)
    return all(tag == 0 or tag % 2 == 1 or (last + 1) // 2 == tag // 2 for last, tag in zip(before, tags))


@pytest.mark.parametrize("seed", range(60))
def test_no_allowed_sequence_scores_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    logits = rng.normal(scale=2.0, size=(int(rng.integers(1, 6)), 5))
    logits[:, 0] += seed % 4
    sequences = [tags for tags in product(range(5), repeat=len(logits)) if allowed(tags)]
    best = max(sum(row[tag] for row, tag in zip(logits, tags)) for tags in sequences)
    found = best_path(logits)
    assert allowed(tuple(found))
    assert logits[np.arange(len(logits)), found].sum() == pytest.approx(best)


@pytest.mark.parametrize("seed", range(60))
def test_a_long_text_is_tagged_as_if_it_were_searched_as_a_whole(seed: int) -> None:
    rng = np.random.default_rng(seed)
    logits = rng.normal(scale=1.5, size=(int(rng.integers(20, 90)), 7))
    logits[rng.random(len(logits)) < 0.6, 0] += 6
    assert best_path(logits) == _viterbi(logits.tolist())
