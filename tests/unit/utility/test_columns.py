"""Statistics of columns and pairs, against lists of values written out."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from heteronym.model.schema import Attribute, Role, Scale
from heteronym.utility.columns import Both, correlation, cramers_v, pairs, statistics
from heteronym.utility.learning import learned
from heteronym.utility.read_cells import read_labels, read_values
from heteronym.utility.texts import terms_kept

NUMBER = Attribute(role=Role.QUASI, scale=Scale.NUMERIC)
NAME = Attribute(role=Role.QUASI)


def both(values: list[object], labels: list[str | None], attribute: Attribute, name: str = "x") -> Both:
    return Both.of(
        read_values(pl.Series(name, values, strict=False), attribute),
        read_labels(pl.Series(name, labels), attribute),
    )


def test_labels_of_whole_numbers_have_the_statistics_of_their_values_written_out() -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        low = rng.integers(0, 50, 40)
        high = low + rng.integers(0, 9, 40)
        spread = np.concatenate(
            [np.repeat(np.arange(a, b + 1), 2520 // (b - a + 1)) for a, b in zip(low, high, strict=True)]
        )
        labels = [str(a) if a == b else f"[{a}-{b}]" for a, b in zip(low, high, strict=True)]
        told = statistics(both(low.tolist(), labels, NUMBER))["after"]  # type: ignore[arg-type]
        assert told["mean"] == pytest.approx(spread.mean())
        assert told["std"] == pytest.approx(spread.std())
        assert abs(told["median"] - np.median(spread)) <= 1


def test_a_column_that_stays_has_the_same_statistics() -> None:
    values = [3, 9, 9, 41, None, 7]
    told = statistics(both(values, [None if v is None else str(v) for v in values], NUMBER))
    assert told["before"] == told["after"]
    assert told["distance"] == 0
    assert told["before"]["mean"] == pytest.approx(13.8)
    assert told["before"]["missing"] == 1


def test_nothing_is_said_of_labels_that_cannot_be_read() -> None:
    assert "distance" not in statistics(both([1, 2], ["low", "high"], NUMBER))


def test_pairs_are_counted_cell_by_cell() -> None:
    a = both(["u", "u", "v", "v"], ["{u,v}"] * 4, NAME, "a")
    b = both(["p", "p", "q", "q"], ["p", "p", "q", "q"], NAME, "b")
    told = pairs([a, b])[0]
    assert told["columns"] == ["a", "b"]
    assert told["association"] == {"before": pytest.approx(1.0), "after": pytest.approx(0.0, abs=1e-9)}
    assert told["contingency_drift"] == pytest.approx(0.5)
    assert "correlation" not in told


def test_correlation_is_pearsons() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=50).round(2)
    y = (x + rng.normal(size=50)).round(2)
    cells = [read_values(pl.Series("x", v), NUMBER) for v in (x, y)]
    assert correlation(*cells) == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_association_against_the_chi_square_of_a_table() -> None:
    table = np.array([[10.0, 20.0, 30.0], [20.0, 20.0, 5.0]])
    n = table.sum()
    expected = table.sum(1, keepdims=True) @ table.sum(0, keepdims=True) / n
    chi = ((table - expected) ** 2 / expected).sum()
    assert cramers_v(table / n) == pytest.approx(np.sqrt(chi / n))


def known_from(labels: list[str]) -> dict[str, object]:
    """A target that is told by one column, which is released as these labels."""
    values: list[object] = [f"v{n % 3}" for n in range(120)]
    target = both([f"t{n % 3}" for n in range(120)], [f"t{n % 3}" for n in range(120)], NAME, "t")
    rows = np.arange(120)
    return learned(target, [both(values, list(labels), NAME, "x"), target], rows, rows // 2, seed=0)


def test_what_the_release_keeps_can_be_learned_from_it() -> None:
    told = known_from([f"v{n % 3}" for n in range(120)])
    assert told["data"] == told["release"]
    assert told["data"]["mean"] == 1.0  # type: ignore[index]
    assert told["blind"] < 0.6  # type: ignore[operator]


def test_what_it_hides_cannot() -> None:
    told = known_from(["{v0,v1,v2}"] * 120)
    assert told["data"]["mean"] == 1.0  # type: ignore[index]
    assert told["release"]["mean"] < 0.6  # type: ignore[index]


def test_numbers_are_learned_too_and_targets_may_be_labels() -> None:
    x = [float(n % 20) for n in range(200)]
    target = both([2 * v for v in x], [f"[{max(2 * v - 2, 0):g}-{2 * v + 2:g}]" for v in x], NUMBER, "t")
    rows = np.arange(200)
    told = learned(target, [both(x, [f"{v:g}" for v in x], NUMBER, "x")], rows, rows, seed=1)
    assert told["score"] == "r2"
    assert told["data"]["mean"] > 0.95
    assert told["release"]["mean"] > 0.9


def test_information_of_terms_by_hand() -> None:
    elements = pl.DataFrame(
        {
            "group": [0, 1, 1, 0],
            "domain": ["GPE", "GPE", "GPE", "JOB"],
            "name": ["rome", "rome", "oslo", "cook"],
            "sense": [""] * 4,
            "context": [""] * 4,
            "fate": ["kept", "typed", "generalized", "typed"],
            "label": [None, None, "a town", None],
            "stands_for": [1, 1, 2, 1],
            "holders": [2, 2, 1, 4],
        }
    )
    told = terms_kept(elements, 8)
    # rome: 4 of 8 persons, 1 bit; oslo: 1 of 8, 3 bits, and so is its label; cook: 4 of 8, 1 bit
    assert told["GPE"]["kept_share"] == pytest.approx(2 / 5)
    assert told["GPE"]["information_share"] == pytest.approx((2 * 1 + 1 * 3) / (4 * 1 + 1 * 3))
    assert told["JOB"]["information_share"] == 0
    assert told["all"]["pairs"] == 9
