"""heteronym anonymizes columns, item sets and free text together, with one verified guarantee.

>>> import heteronym as hn
>>> release = hn.anonymize(df, plan)        # pandas, polars or pyarrow in, the same kind out
>>> release.verdict.holds, release.measures["ncp"]["total"]
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from heteronym.errors import HeteronymError, InputError, OutputError, PlanError, PromiseError, UsageError

if TYPE_CHECKING:
    from heteronym.api.analyze import analyze
    from heteronym.api.anonymize import anonymize
    from heteronym.api.attack import attack
    from heteronym.api.compare import compare
    from heteronym.api.estimate import estimate
    from heteronym.api.explain import explain
    from heteronym.api.hierarchy import build_hierarchy, check_hierarchy
    from heteronym.api.judge import judge
    from heteronym.api.preview import preview
    from heteronym.api.profile import profile
    from heteronym.api.restore import restore
    from heteronym.api.review import review
    from heteronym.api.sanitize import sanitize
    from heteronym.api.scan import scan
    from heteronym.api.utility import utility
    from heteronym.api.verify import verify
    from heteronym.io.plans import read_plan
    from heteronym.model.plan import Plan
    from heteronym.model.release import Verdict
    from heteronym.publish import Release
    from heteronym.run import Run
    from heteronym.text.installed import models

__version__ = "0.1.0"

__all__ = ["HeteronymError", "InputError", "OutputError", "PlanError", "PromiseError", "UsageError"]
__all__ += ["Plan", "Release", "Run", "Verdict", "__version__", "read_plan"]
__all__ += ["analyze", "anonymize", "attack", "build_hierarchy", "check_hierarchy", "compare", "estimate"]
__all__ += ["explain", "judge", "models", "preview", "profile", "restore", "review", "sanitize", "scan"]
__all__ += ["utility", "verify"]

_HOMES = {  # every other call has a file of its own name in heteronym.api
    "Plan": "model.plan",
    "Release": "publish",
    "Run": "run",
    "Verdict": "model.release",
    "build_hierarchy": "api.hierarchy",
    "check_hierarchy": "api.hierarchy",
    "models": "text.installed",
    "read_plan": "io.plans",
}


def __getattr__(name: str) -> Any:
    # Importing heteronym loads nothing heavy; what is asked for is.
    if name not in __all__:
        raise AttributeError(f"module 'heteronym' has no attribute '{name}'")
    return getattr(importlib.import_module(f"heteronym.{_HOMES.get(name, f'api.{name}')}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    def __setattr__(self, name: str, value: Any) -> None:
        # Loading the rooms heteronym.verify and .utility would hide the calls of the same names.
        if not (name in ("verify", "utility") and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
