"""Plots as SVG text, each with the table of its numbers: bars, histogram, lines, scatter.

They draw numbers that are given, three digits of each, and compute nothing. Colours are CSS
variables of `page.html.jinja`, so that a plot follows light, dark and paper; series differ by shape,
pattern or place as well as by colour. A plot is 360 units wide, so that its letters stay readable on a
phone; on a wide screen several stand side by side.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 360, 220
_RIGHT, _TOP, _BOTTOM = 10, 10, 42  # what is kept free around the data; left as the numbers there need
_COLOURS = 6  # --s0 to --s5
_PERCENT = "\u00a0%"  # never parted from its number
_LETTER = 6.6  # about the width of one, in units


@dataclass(frozen=True)
class Axis:
    """What an axis says. Ends are found in the data unless given; `percent` shows shares, `whole` counts."""

    label: str
    percent: bool = False
    log: bool = False
    low: float | None = None
    high: float | None = None
    whole: bool = False


class Point(NamedTuple):
    """A point of a scatter plot; `href` (of a place on the page) makes it a link."""

    x: float
    y: float
    name: str
    series: str = ""
    href: str = ""


def three(value: float | int | None, *, percent: bool = False) -> str:
    """A number with three digits, as all pages show it; whole numbers stay whole."""
    if value is None:
        return "unknown"
    if percent:
        share = 100 * float(value)
        return f"{share:.0f}{_PERCENT}" if share in (0.0, 100.0) else f"{_digits(share)}{_PERCENT}"
    return f"{value:,}" if isinstance(value, int) else _digits(value)


_SMALLEST = 1e-6


def _digits(value: float) -> str:
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else "unknown"
    places = 2 - math.floor(math.log10(abs(value)))
    rounded = round(value, places)
    if abs(value) < _SMALLEST:  # nobody reads 1e-16
        return f"{'below ' if value > 0 else 'above -'}{_SMALLEST:f}"
    if abs(rounded) < 1e-4:
        return f"{rounded:.{places}f}"
    return f"{rounded:,.{max(min(places, 6), 0)}f}"


# --- whole plots ----------------------------------------------------------------------------------


def bars(title: str, names: Sequence[str], series: Mapping[str, Sequence[float]], *, value: Axis) -> str:
    """Horizontal bars, one per name and series: for names that are words."""
    height_of_bar, between = 13, 8
    room = min(max((len(n) for n in names), default=0) * _LETTER + 10, 160)
    step = height_of_bar * len(series) + between
    height = step * len(names) + 34
    numbers = [v for values in series.values() for v in values]
    right = max((len(three(v, percent=value.percent)) for v in numbers), default=0) * _LETTER + 8
    scale = _Scale(value, numbers, room, WIDTH - right, from_zero=True)
    drawn = [
        f'<line class="grid" x1="{_n(x)}" x2="{_n(x)}" y1="0" y2="{height - 34}"/>'
        f'<text x="{_n(x)}" y="{height - 21}" text-anchor="middle">{label}</text>'
        for x, label in scale.ticks(2)
    ]
    for row, name in enumerate(names):
        middle = row * step + (step - between) / 2 + between / 2
        drawn.append(
            f'<text x="{_n(room - 6)}" y="{_n(middle + 3.5)}" text-anchor="end">{_short(name, 23)}</text>'
        )
        for number, (called, values) in enumerate(series.items()):
            top = row * step + between / 2 + number * height_of_bar
            wide = max(scale(values[row]) - room, 0)
            said = three(values[row], percent=value.percent)
            drawn.append(
                f'<rect class="f{number}" x="{_n(room)}" y="{_n(top)}" width="{_n(wide)}"'
                f' height="{height_of_bar - 2}">'
                f"<title>{escape(_joined(name, called))}: {said}</title></rect>"
                f'<text class="v" x="{_n(room + wide + 4)}" y="{_n(top + 9.5)}">{said}</text>'
            )
    drawn.append(f'<text class="axis" x="{(room + WIDTH) / 2}" y="{height - 5}" text-anchor="middle">'
                 f"{escape(value.label)}</text>")  # fmt: skip
    return _figure(title, drawn, height, _table(("", *_heads(series, value)), names, series, value), series)


def histogram(
    title: str, names: Sequence[str], series: Mapping[str, Sequence[float]], *, x: str, y: Axis
) -> str:
    """Columns side by side over names in an order: counts of sizes, years, numbers in bins."""
    scale = _Scale(
        y, [v for values in series.values() for v in values], HEIGHT - _BOTTOM, _TOP, from_zero=True
    )
    left = _left_of(scale)
    step = (WIDTH - left - _RIGHT) / max(len(names), 1)
    wide = min(step * 0.86, 60) / max(len(series), 1)
    drawn = _horizontal_lines(scale, left)
    # as many names below the axis as find room
    every = math.ceil((max((len(n) for n in names), default=1) * _LETTER + 8) / max(step, 1e-9))
    for place, name in enumerate(names):
        middle = left + (place + 0.5) * step
        start = middle - wide * len(series) / 2
        for number, (called, values) in enumerate(series.items()):
            top = scale(values[place])
            drawn.append(
                f'<rect class="f{number}" x="{_n(start + number * wide)}" y="{_n(top)}" width="{_n(wide)}"'
                f' height="{_n(max(HEIGHT - _BOTTOM - top, 0))}"><title>'
                f"{escape(_joined(name, called))}: {three(values[place], percent=y.percent)}</title></rect>"
            )
        if place % every == 0:
            drawn.append(
                f'<text x="{_n(middle)}" y="{HEIGHT - _BOTTOM + 15}" text-anchor="middle">'
                f"{_short(name, 16)}</text>"
            )
    drawn += _axis_names(x, y.label, left)
    return _figure(title, drawn, HEIGHT, _table((x, *_heads(series, y)), names, series, y), series)


def lines(
    title: str, series: Mapping[str, Sequence[tuple[float, float]]], *, x: Axis, y: Axis, height: int = HEIGHT
) -> str:
    """A line per series, with a mark of its own shape at every point."""
    points = [Point(px, py, "", name) for name, found in series.items() for px, py in found]
    across, up, left = _scales(points, x, y, height)
    drawn = [*_horizontal_lines(up, left), *_vertical_ticks(across, left, height)]
    for number, found in enumerate(series.values()):
        way = " ".join(f"{_n(across(px))},{_n(up(py))}" for px, py in found)
        drawn.append(f'<polyline class="l{number % _COLOURS}" points="{way}"/>')
    numbers = {name: n for n, name in enumerate(series)}
    drawn += [_mark(point, numbers[point.series], across, up, x, y) for point in points]
    drawn += _axis_names(x.label, y.label, left, height)
    return _figure(title, drawn, height, _point_table(points, x, y), series)


def scatter(
    title: str,
    points: Sequence[Point],
    *,
    x: Axis,
    y: Axis,
    front: Sequence[tuple[float, float]] = (),
    height: int = 260,
) -> str:
    """Points, and a line through those of `front`; a point with `href` is a link."""
    across, up, left = _scales(points, x, y, height)
    drawn = [*_horizontal_lines(up, left), *_vertical_ticks(across, left, height)]
    if front:
        way = " ".join(f"{_n(across(px))},{_n(up(py))}" for px, py in front)
        drawn.append(f'<polyline class="front" points="{way}"/>')
    names = dict.fromkeys(point.series for point in points)
    numbers = {name: n for n, name in enumerate(names)}
    drawn += [_mark(point, numbers[point.series], across, up, x, y) for point in points]
    drawn += _axis_names(x.label, y.label, left, height)
    linked = any(point.href for point in points)
    return _figure(title, drawn, height, _point_table(points, x, y), names, linked=linked)


def meter(share: float) -> str:
    """A share as a small bar for a cell of a table, where the number stands beside it."""
    full = _n(100 * min(max(share, 0.0), 1.0))
    return (
        '<svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="trough" width="100" height="8"/><rect class="f0" width="{full}" height="8"/></svg>'
    )


# --- scales and axes ------------------------------------------------------------------------------


class _Scale:
    """From numbers to units of the plot."""

    def __init__(
        self, axis: Axis, values: Sequence[float], start: float, end: float, *, from_zero: bool = False
    ) -> None:
        found = [v for v in values if math.isfinite(v) and (v > 0 or not axis.log)]
        low, high = min(found, default=1.0 if axis.log else 0.0), max(found, default=1.0)
        low = min(low, 0.0) if from_zero and not axis.log else low
        low = low if axis.low is None else axis.low
        high = high if axis.high is None else axis.high
        self.axis, self.start, self.end = axis, start, end
        self.low, self.high = low, high if high > low else low + (abs(low) or 1.0)

    def __call__(self, value: float) -> float:
        low, high = self.low, self.high
        if self.axis.log:
            low, high, value = math.log(low), math.log(high), math.log(max(value, low))
        return self.start + (self.end - self.start) * (value - low) / (high - low)

    def ticks(self, about: int) -> list[tuple[float, str]]:
        """Where a mark stands, and what it says: round numbers between the ends."""
        if self.axis.log:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            chosen = [m * 10.0**p for p in powers for m in (1, 2, 5) if self.low <= m * 10.0**p <= self.high]
            chosen = chosen[:: max(len(chosen) // (2 * about), 1)]
        else:
            step = _round_step((self.high - self.low) / about)
            step = max(step, 1.0) if self.axis.whole else step
            first = math.ceil(self.low / step - 1e-9)
            chosen = [n * step for n in range(first, math.floor(self.high / step + 1e-9) + 1)]
        return [(self(value), _tick(value, percent=self.axis.percent)) for value in chosen]


def _round_step(least: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not much above `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return max(m * power for m in (1, 2, 5, 10) if m * power <= least * 1.35)


def _tick(value: float, *, percent: bool) -> str:
    if percent:
        return f"{100 * value:.4g}{_PERCENT}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _scales(points: Sequence[Point], x: Axis, y: Axis, height: int) -> tuple[_Scale, _Scale, float]:
    up = _Scale(y, [p.y for p in points], height - _BOTTOM - 4, _TOP + 4)
    left = _left_of(up)
    return _Scale(x, [p.x for p in points], left + 6, WIDTH - _RIGHT - 6), up, left


def _left_of(scale: _Scale) -> float:
    """Where the data begins: right of the axis' name and its numbers."""
    return 24 + _LETTER * max((len(label) for _, label in scale.ticks(4)), default=1)


def _horizontal_lines(scale: _Scale, left: float) -> list[str]:
    return [
        f'<path class="grid" d="M{_n(left)} {_n(at)}H{WIDTH - _RIGHT}"/>'
        f'<text x="{_n(left - 5)}" y="{_n(at + 3.5)}" text-anchor="end">{label}</text>'
        for at, label in scale.ticks(4)
    ]


def _vertical_ticks(scale: _Scale, left: float, height: int) -> list[str]:
    base = f'<path class="grid" d="M{_n(left)} {height - _BOTTOM}H{WIDTH - _RIGHT}"/>'
    return [base] + [
        f'<path class="grid" d="M{_n(at)} {height - _BOTTOM}v4"/>'
        f'<text x="{_n(at)}" y="{height - _BOTTOM + 15}" text-anchor="middle">{label}</text>'
        for at, label in scale.ticks(4 if scale.axis.percent else 6)
    ]


def _axis_names(x: str, y: str, left: float, height: int = HEIGHT) -> list[str]:
    middle = (height - _BOTTOM) / 2
    return [
        f'<text class="axis" x="{_n((left + WIDTH - _RIGHT) / 2)}" y="{height - 6}" text-anchor="middle">'
        f"{escape(x)}</text>",
        f'<text class="axis" transform="translate(11 {_n(middle)}) rotate(-90)" text-anchor="middle">'
        f"{escape(y)}</text>",
    ]


# --- marks, legends, tables -----------------------------------------------------------------------

_SHAPES = (  # around 0 0, one per series
    '<circle r="3.6"/>',
    '<rect x="-3.3" y="-3.3" width="6.6" height="6.6"/>',
    '<path d="M0-4.4L4.2 3.2H-4.2Z"/>',
    '<path d="M0-4.8L4.8 0L0 4.8L-4.8 0Z"/>',
    '<path d="M0 4.4L4.2-3.2H-4.2Z"/>',
    '<path d="M-4-1.4H-1.4V-4H1.4V-1.4H4V1.4H1.4V4H-1.4V1.4H-4Z"/>',
)


def _mark(point: Point, number: int, across: _Scale, up: _Scale, x: Axis, y: Axis) -> str:
    said = ", ".join(
        part
        for part in (
            point.name,
            point.series,
            f"{x.label} {three(point.x, percent=x.percent)}",
            f"{y.label} {three(point.y, percent=y.percent)}",
        )
        if part
    )
    drawn = (
        f'<g class="f{number % _COLOURS}" transform="translate({_n(across(point.x))} {_n(up(point.y))})">'
        f"{_SHAPES[number % len(_SHAPES)]}<title>{escape(said)}</title></g>"
    )
    if not point.href:
        return drawn
    return f'<a href="{escape(point.href)}" aria-label="{escape(said)}">{drawn}</a>'


def _figure(
    title: str,
    drawn: Sequence[str],
    height: float,
    table: str,
    series: Mapping[str, object],
    *,
    linked: bool = False,
) -> str:
    # an image has no parts for who reads the page aloud; points that are links must stay reachable
    role = "group" if linked else "img"
    legend = ""
    if len(series) > 1:
        keys = "".join(
            f'<li><svg viewBox="-6 -6 12 12" aria-hidden="true"><g class="f{n % _COLOURS}">'
            f"{_SHAPES[n % len(_SHAPES)]}</g></svg>{escape(name)}</li>"
            for n, name in enumerate(series)
        )
        legend = f'<ul class="legend">{keys}</ul>'
    return (
        f'<figure class="plot"><figcaption>{escape(title)}</figcaption>{legend}'
        f'<svg viewBox="0 0 {WIDTH} {_n(height)}" role="{role}" aria-label="{escape(title)}. '
        f'The numbers are in the table that follows.">{"".join(drawn)}</svg>'
        f'<details><summary>Numbers<span class="aloud"> of: {escape(title)}</span></summary>'
        f"{table}</details></figure>"
    )


def _heads(series: Mapping[str, object], value: Axis) -> list[str]:
    return [name or value.label for name in series]


def _table(
    heads: Sequence[str], names: Sequence[str], series: Mapping[str, Sequence[float]], value: Axis
) -> str:
    rows = (
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f'<td class="n">{three(v[row], percent=value.percent)}</td>' for v in series.values())
        + "</tr>"
        for row, name in enumerate(names)
    )
    return _framed(heads, rows)


def _point_table(points: Sequence[Point], x: Axis, y: Axis) -> str:
    named = any(point.name for point in points)
    grouped = any(point.series for point in points)
    rows = (
        "<tr>"
        + (f'<th scope="row">{escape(p.name)}</th>' if named else "")
        + (f"<td>{escape(p.series)}</td>" if grouped else "")
        + f'<td class="n">{three(p.x, percent=x.percent)}</td>'
        + f'<td class="n">{three(p.y, percent=y.percent)}</td></tr>'
        for p in points
    )
    heads = [*(["setting"] if named else []), *(["series"] if grouped else []), x.label, y.label]
    return _framed(heads, rows)


def _framed(heads: Sequence[str], rows: Iterable[str]) -> str:
    first = "".join(
        f'<th scope="col"{" class=n" if number else ""}>{escape(head)}</th>' if head else "<td></td>"
        for number, head in enumerate(heads)
    )
    return (
        '<div class="scroll" tabindex="0" role="region" aria-label="table of numbers">'
        f"<table><thead><tr>{first}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _joined(name: str, series: str) -> str:
    return f"{name}, {series}" if series else name


def _short(name: str, most: int) -> str:
    return escape(name if len(name) <= most else name[: most - 1] + "…")


def _n(value: float) -> str:
    """A coordinate; two digits are finer than a screen."""
    return f"{value:.2f}".rstrip("0").rstrip(".")
