"""Pages from templates: the environment and the filters that all of them share."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from heteronym.report.plots import meter, three


def render(template: str, **given: Any) -> str:
    """A template of this folder, drawn; what it shows is escaped, and every name must be known."""
    return _environment().get_template(template).render(**given)


def _moment(value: float, kind: str) -> str:
    """A number, or the day it means."""
    if kind != "days":
        return three(float(value))
    return (date(1970, 1, 1) + timedelta(days=round(value))).isoformat()


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(lambda name: files("heteronym.report").joinpath(name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["three"] = three
    environment.filters["percent"] = lambda share: three(share, percent=True)
    environment.filters["moment"] = _moment
    environment.filters["meter"] = lambda share: Markup(meter(share))
    return environment
