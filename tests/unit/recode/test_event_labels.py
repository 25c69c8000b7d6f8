"""The ladder of labels of every value of an event column."""

from __future__ import annotations

import datetime as dt

import numpy as np
import polars as pl

from heteronym.encode import encode
from heteronym.model.dataset import Dataset
from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute, Role, Scale, Schema
from heteronym.recode.event_labels import ladders


def climbed(values: list[object], hierarchy: Hierarchy | None = None, **more: object) -> dict[str, list[str]]:
    """Labels of each value above itself, narrow ones first."""
    attributes = {
        "id": Attribute(role=Role.IDENTIFIER),
        "age": Attribute(role=Role.QUASI, scale=Scale.NUMERIC),
        "event": Attribute(role=Role.EVENT, **more),  # type: ignore[arg-type]
    }
    frame = pl.DataFrame({"id": [str(n) for n in range(len(values))], "age": 30, "event": values})
    trees = {} if hierarchy is None else {"event": hierarchy}
    view = encode(Dataset(Schema(attributes, person="id"), frame, hierarchies=trees))
    (column,) = view.events
    present = sorted({value for value in values if value is not None})  # type: ignore[type-var]
    return {
        str(value): [label.text for label, _ in ladder if label is not None]
        for value, ladder in zip(present, ladders(column))
    }


def test_a_day_climbs_to_its_month_its_quarter_and_its_year() -> None:
    days = [dt.date(2021, month, day) for month in (1, 3, 4, 12) for day in (2, 30)] + [dt.date(2022, 6, 1)]
    found = climbed(days, scale=Scale.DATE)
    assert found["2021-03-30"] == ["2021-03", "2021-Q1", "2021"]
    assert found["2021-04-02"] == ["2021-04", "2021"]  # alone in its quarter: that would tell no less
    assert found["2021-12-30"] == ["2021-12", "2021"]
    assert found["2022-06-01"] == []


def test_ranges_of_numbers_halve_the_values_and_cover_them_all() -> None:
    found = climbed([1, 2, 3, 5, 8, 13, 21, 34], scale=Scale.NUMERIC)
    assert found["3"] == ["[3-5]", "[1-5]"]
    assert found["34"] == ["[21-34]", "[8-34]"]
    for value, labels in found.items():
        for label in labels:
            low, high = label[1:-1].split("-")
            assert int(low) <= int(value) <= int(high)


def test_a_value_with_a_hierarchy_climbs_from_the_lowest_node_and_never_to_the_root() -> None:
    wards = ["a1", "a2", "b1", "b2"]
    node = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)
    tree = Hierarchy(tuple(wards), node, (tuple(wards), ("A", "B"), ("*",)))
    assert climbed(list(wards), tree) == {"a1": ["A"], "a2": ["A"], "b1": ["B"], "b2": ["B"]}
