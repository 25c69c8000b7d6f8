"""`df.heteronym` for pandas and polars: `import heteronym.accessors`, then `df.heteronym.profile()`.

Registered where somebody imports this module, never by `import heteronym`, which changes no other library.
Both libraries offer accessors as a public way to add calls to their frames; these call `heteronym.<call>`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import polars as pl

import heteronym


class Calls:
    """Calls of heteronym on this frame; arguments are those of `heteronym.<call>`."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def profile(self, **options: Any) -> Any:
        """A first look, and a draft plan."""
        return heteronym.profile(self._frame, **options)

    def preview(self, plan: Any, **options: Any) -> Any:
        """Rows of a sample before and after."""
        return heteronym.preview(self._frame, plan, **options)

    def anonymize(self, plan: Any, **options: Any) -> Any:
        """An audited release of the frame."""
        return heteronym.anonymize(self._frame, plan, **options)

    def compare(self, plan: Any, **options: Any) -> Any:
        """Many settings of a plan on the frame."""
        return heteronym.compare(self._frame, plan, **options)

    def judge(self, released: Any, **options: Any) -> Any:
        """What a released table gives away of this frame."""
        return heteronym.judge(released, against=self._frame, **options)

    def __repr__(self) -> str:
        return "heteronym: profile(), preview(plan), anonymize(plan), compare(plan), judge(released)"


def _register() -> None:
    pl.api.register_dataframe_namespace("heteronym")(Calls)
    if "pandas" in sys.modules or find_spec("pandas") is not None:
        import_module("pandas").api.extensions.register_dataframe_accessor("heteronym")(Calls)


_register()
