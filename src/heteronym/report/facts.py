"""Numbers of facts.json as pages tell them.

Every number in the text is a fact, found by its place in facts.json and marked with it (`data-fact`), so that
a test can read both.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from markupsafe import Markup

from heteronym.report.plots import meter, three


class Facts:
    """Numbers by their place: `fact("measures", "ncp", "total", percent=True)` says and marks one."""

    def __init__(self, facts: Mapping[str, Any]) -> None:
        self._facts = facts

    def get(self, *way: str | int, default: Any = None) -> Any:
        found: Any = self._facts
        try:
            for step in way:
                found = found[step]
        except (KeyError, IndexError):
            return default
        return found

    def __call__(self, *way: str | int, percent: bool = False, as_meter: bool = False) -> Markup:
        value = self.get(*way)
        if value is None or isinstance(value, (Mapping, list, str, bool)):
            raise KeyError("/".join(map(str, way)))
        if as_meter:
            return Markup(meter(value))
        pointer = "/" + "/".join(str(step).replace("~", "~0").replace("/", "~1") for step in way)
        said = three(value, percent=percent)
        return Markup(f'<span data-fact="{escape(pointer)}">{said}</span>')
