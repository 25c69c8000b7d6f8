"""Hierarchies that are built from values."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import polars as pl
import pytest

from heteronym.api.hierarchy import build_for
from heteronym.errors import UsageError
from heteronym.io.hierarchies import build_hierarchy
from heteronym.io.tables import Format, Table
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.registry import hierarchy_builders


def table(**columns: list[Any]) -> Table:
    return Table(pl.DataFrame(columns), Format(), "people", "people.csv")


def values_for(scale: Scale, rng: random.Random) -> list[Any]:
    count = rng.choice([1, 2, 3, 7, 40])
    if scale is Scale.NUMERIC:
        width = rng.choice([3, 100, 10_000])
        return [rng.choice([rng.randint(-width, width), rng.uniform(-1, 1)]) for _ in range(count)]
    if scale is Scale.DATE:
        return [date(1960, 1, 1) + timedelta(days=rng.randint(0, 20_000)) for _ in range(count)]
    return ["".join(rng.choice("01a,{") for _ in range(rng.randint(1, 4))) for _ in range(count)]


@pytest.mark.parametrize("name", hierarchy_builders.names())
def test_every_builder_makes_a_sound_hierarchy_over_all_values(name: str) -> None:
    part = hierarchy_builders.get(name)
    for seed in range(60):
        rng = random.Random(seed)
        scale = rng.choice(sorted(part.scales))  # type: ignore[attr-defined]
        values = sorted(set(values_for(scale, rng)))
        texts = [str(value) for value in values]
        rng.seed(seed)
        counts = [rng.randint(1, 50) for _ in values]
        paths = hierarchy_builders.build(name).paths(values, counts, texts=texts)
        hierarchy = build_hierarchy(paths)
        assert sorted(hierarchy.leaves) == sorted(texts)
        assert hierarchy.names[-1] == ("*",)
        nodes = [len(names) for names in hierarchy.names]
        assert nodes == sorted(nodes, reverse=True)


def bounds(label: str) -> tuple[float, float]:
    low, high = label[1:-1].split("-", 1) if not label.startswith("[-") else label[2:-1].split("-", 1)
    return (-float(low) if label.startswith("[-") else float(low)), float(high)


def test_round_ranges_hold_their_values_and_double() -> None:
    _, paths = build_for(table(age=list(range(17, 91))), "age")
    assert paths[20] == ["37", "[35-39]", "[30-39]", "[20-39]", "[0-39]", "[0-79]", "*"]
    for path in paths:
        for label in path[1:-1]:
            low, high = bounds(label)
            assert low <= int(path[0]) <= high


def test_fractions_get_half_open_ranges() -> None:
    _, paths = build_for(table(share=[0.0, 0.25, 0.5, 1.0]), "share", parameters={"ranges": 2})
    assert [path[1] for path in paths] == ["[0-0.5)", "[0-0.5)", "[0.5-1)", "[1-1.5)"]


def test_quantiles_hold_about_equally_many_rows() -> None:
    rng = random.Random(1)
    ages = [int(rng.gauss(40, 12)) for _ in range(2000)]
    _, paths = build_for(table(age=ages), "age", kind="quantiles", parameters={"ranges": 4})
    bin_of = {path[0]: path[1] for path in paths}
    sizes = [0] * 4
    order = list(dict.fromkeys(path[1] for path in paths))
    for age in ages:
        sizes[order.index(bin_of[str(age)])] += 1
    assert max(sizes) - min(sizes) < 200


def test_a_day_goes_up_the_calendar() -> None:
    _, paths = build_for(table(born=["1964-05-17"]), "born")
    assert paths == [["1964-05-17", "1964-05", "1964-Q2", "1964", "[1960-1969]", "*"]]


def test_a_code_loses_its_last_characters() -> None:
    name, paths = build_for(table(zip=["08810", "08811", "08900", "12345"]), "zip")
    assert name == "prefixes"
    assert paths[0] == ["08810", "0881*", "08*", "*"]


def test_ordered_values_join_their_neighbours() -> None:
    attribute = Attribute(role=Role.QUASI, scale=Scale.ORDINAL, order=("low", "mid", "high", "top"))
    _, paths = build_for(table(level=["top", "low"]), "level", attribute=attribute)
    assert paths[1] == ["mid", "{low,mid}", "*"]


def test_words_without_order_become_a_list_to_group() -> None:
    assert build_for(table(city=["Ulm", "Rom", "Oslo"]), "city")[0] == "flat"


def test_a_builder_for_another_scale_is_refused_with_those_that_fit() -> None:
    with pytest.raises(UsageError, match="prefixes"):
        build_for(table(city=["Ulm", "Rom"]), "city", kind="ranges")


def test_a_parameter_of_another_builder_is_refused() -> None:
    with pytest.raises(UsageError, match="step"):
        build_for(table(age=[1, 2]), "age", parameters={"step": 2})
