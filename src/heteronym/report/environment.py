"""Templates: their environment and the filters that all of them share."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from heteronym.report.plots import meter, three


def _moment(value: float, kind: str) -> str:
    """A number, or the day it means."""
    if kind != "days":
        return three(float(value))
    return (date(1970, 1, 1) + timedelta(days=round(value))).isoformat()


@cache
def environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(lambda name: files("heteronym.report").joinpath(name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["three"] = three
    made.filters["percent"] = lambda share: three(share, percent=True)
    made.filters["moment"] = _moment
    made.filters["meter"] = lambda share: Markup(meter(share))
    return made
