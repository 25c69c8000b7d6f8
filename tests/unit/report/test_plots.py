"""Plots: what is drawn is what is given, every number stands in a table, nothing breaks the page."""

from __future__ import annotations

import math
import random
import re
import xml.etree.ElementTree as ET

import pytest

from heteronym.report.plots import HEIGHT, WIDTH, Axis, Point, bars, histogram, lines, meter, scatter, three

SHARES = Axis("share", percent=True)


def parsed(figure: str) -> ET.Element:
    return ET.fromstring(figure.replace("class=n", 'class="n"'))


def cells(figure: str) -> list[list[str]]:
    return [
        ["".join(cell.itertext()).replace("\u00a0", " ") for cell in row]
        for row in parsed(figure).iterfind(".//tbody/tr")
    ]


@pytest.mark.parametrize(
    ("value", "percent", "said"),
    [
        (0, False, "0"),
        (0.0, True, "0 %"),
        (1.0, True, "100 %"),
        (0.94, True, "94.0 %"),
        (0.00123456, True, "0.123 %"),
        (12345, False, "12,345"),
        (12345.678, False, "12,300"),
        (3.14159, False, "3.14"),
        (0.5, False, "0.500"),
        (99.96, False, "100.0"),
        (-2.0, False, "-2.00"),
        (1e-9, False, "below 0.000001"),
        (-1e-9, False, "above -0.000001"),
        (0.00001234, False, "0.0000123"),
        (None, False, "unknown"),
        (math.nan, False, "unknown"),
    ],
)
def test_a_number_is_shown_with_three_digits(value: float | None, percent: bool, said: str) -> None:
    assert three(value, percent=percent) == said.replace(" %", "\u00a0%")


def test_three_digits_are_never_further_off_than_half_a_digit() -> None:
    chance = random.Random(7)
    for _ in range(2000):
        value = chance.choice((-1, 1)) * 10 ** chance.uniform(-6, 8)
        said = float(three(value).replace(",", ""))
        assert abs(said - value) <= abs(value) * 0.0051


def test_bars_and_histograms_tell_their_numbers_in_a_table() -> None:
    names, series = ["age", "sex"], {"before": [0.125, 0.5], "after": [0.25, 0.0]}
    expected = [["age", "12.5 %", "25.0 %"], ["sex", "50.0 %", "0 %"]]
    assert cells(bars("loss", names, series, value=SHARES)) == expected
    assert cells(histogram("loss", names, series, x="column", y=SHARES)) == expected


def test_bars_are_as_long_as_their_values() -> None:
    drawn = parsed(bars("loss", ["a", "b", "c"], {"": [0.2, 0.4, 0.0]}, value=Axis("x")))
    widths = [float(r.attrib["width"]) for r in drawn.iterfind("./svg/rect")]
    assert widths[1] == pytest.approx(2 * widths[0], abs=0.02)
    assert widths[2] == 0


def test_columns_of_a_histogram_stand_on_the_axis() -> None:
    drawn = parsed(histogram("sizes", ["1", "2"], {"": [3, 6]}, x="size", y=Axis("groups")))
    ends = [float(r.attrib["y"]) + float(r.attrib["height"]) for r in drawn.iterfind("./svg/rect")]
    assert ends[0] == pytest.approx(ends[1], abs=0.02)


def test_everything_lies_inside_the_plot() -> None:
    chance = random.Random(3)
    for round_ in range(100):
        points = [
            Point(10 ** chance.uniform(-3, 3), chance.uniform(-5, 5), f"p{n}", f"s{n % 8}")
            for n in range(chance.randint(1, 20))
        ]
        figure = parsed(scatter("points", points, x=Axis("x", log=round_ % 2 == 0), y=Axis("y")))
        for mark in figure.iterfind("./svg/g"):
            x, y = re.findall(r"-?[\d.]+", mark.attrib["transform"])
            assert 0 <= float(x) <= WIDTH
            assert 0 <= float(y) <= 260


def test_a_line_passes_through_its_points() -> None:
    drawn = parsed(lines("loss", {"a": [(1, 0.0), (2, 1.0)], "b": [(1, 1.0)]}, x=Axis("k"), y=SHARES))
    way = drawn.find("./svg/polyline")
    assert way is not None
    ys = [float(pair.split(",")[1]) for pair in way.attrib["points"].split()]
    assert ys[0] > ys[1]  # upwards
    assert [row[0] for row in cells(ET.tostring(drawn, encoding="unicode"))] == ["a", "a", "b"]


def test_a_point_with_a_place_is_a_link_that_keys_reach() -> None:
    drawn = parsed(scatter("runs", [Point(1, 2, "k = 5", href="#run-5")], x=Axis("x"), y=Axis("y")))
    link = drawn.find("./svg/a")
    assert link is not None
    assert link.attrib["href"] == "#run-5"
    assert "k = 5" in link.attrib["aria-label"]
    assert drawn.find("./svg").attrib["role"] == "group"  # type: ignore[union-attr]


@pytest.mark.parametrize("values", [[], [0.0], [0.0, 0.0], [5.0], [-3.0, 4.0], [1e-12, 1e12]])
def test_any_values_can_be_drawn(values: list[float]) -> None:
    names = [f"n{i}" for i in range(len(values))]
    for figure in (
        bars("t", names, {"": values}, value=Axis("v")),
        histogram("t", names, {"": values}, x="x", y=Axis("v")),
        lines("t", {"a": list(enumerate(values))}, x=Axis("x"), y=Axis("y")),
    ):
        assert "nan" not in figure
        assert parsed(figure).tag == "figure"
        height = float(parsed(figure).find("./svg").attrib["viewBox"].split()[3])  # type: ignore[union-attr]
        assert height <= max(HEIGHT, 40 + 30 * len(values))


def test_names_cannot_break_out_of_the_page() -> None:
    evil = '<script>alert("x")</script>&'
    for figure in (
        bars(evil, [evil], {evil: [1.0], "b": [1.0]}, value=Axis(evil)),
        histogram(evil, [evil], {evil: [1.0], "b": [1.0]}, x=evil, y=Axis(evil)),
        lines(evil, {evil: [(1, 1)], "b": []}, x=Axis(evil), y=Axis(evil)),
        scatter(evil, [Point(1, 1, evil, evil, evil)], x=Axis(evil), y=Axis(evil)),
    ):
        assert "<script" not in figure
        assert parsed(figure).tag == "figure"


def test_a_meter_is_full_at_one() -> None:
    assert 'width="100" height="8"/></svg>' in meter(1.0)
    assert 'width="0" height="8"/></svg>' in meter(-0.5)
    assert 'width="100" height="8"/></svg>' in meter(7.0)
