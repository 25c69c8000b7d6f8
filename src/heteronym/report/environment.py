"""Templates: their environment and the filters that all of them share."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from heteronym import kept
from heteronym.report.plots import meter, three


def _moment(value: float, kind: str) -> str:
    """A number, or the day it means."""
    if kind != "days":
        return three(float(value))
    return (date(1970, 1, 1) + timedelta(days=round(value))).isoformat()


class _Kept(BytecodeCache):
    """Templates as Python's byte code."""

    def load_bytecode(self, bucket: Any) -> None:
        found = kept.read(f"template-{bucket.key}")
        if found is not None:
            bucket.load_bytecode(BytesIO(found))

    def dump_bytecode(self, bucket: Any) -> None:
        kept.keep(f"template-{bucket.key}", bucket.bytecode_to_string())


@cache
def environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(lambda name: files("heteronym.report").joinpath(name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_Kept(),
    )
    made.filters["three"] = three
    made.filters["percent"] = lambda share: three(share, percent=True)
    made.filters["moment"] = _moment
    made.filters["meter"] = lambda share: Markup(meter(share))
    return made
