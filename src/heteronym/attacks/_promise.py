"""What a plan promises against an attacker, as the largest certainty it allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heteronym.model.plan import Plan
from heteronym.registry import parameters_in_use, privacy_models

ALL = 1 << 30  # elements an attacker may know, where the model sets no limit


def models_of(plan: Plan) -> Iterator[tuple[str, dict[str, Any], frozenset[str]]]:
    """Name, parameters with their defaults, and what is protected, of each model of the plan.

    Models beside a population promise nothing about who is known to be in the data, as here everybody is.
    """
    for model in plan.privacy:
        part = privacy_models.build(model.name, model.parameters)
        if hasattr(part, "population"):
            continue
        yield model.name, parameters_in_use(part), frozenset(getattr(part, "protects", ()))


def column_bound(plan: Plan) -> float | None:
    """For who knows quasi columns: one in k."""
    # l different values of a sensitive attribute take l persons
    sizes = [given.get("k") or given.get("l") for _, given, kinds in models_of(plan) if "columns" in kinds]
    ks = [size for size in sizes if size]
    return 1 / max(ks) if ks else None


def element_bound(plan: Plan, kind: str, known: int) -> float | None:
    """For who knows so many items or terms: one in k, if a model counts that many together."""
    ks = [
        given["k"]
        for _, given, protects in models_of(plan)
        if kind in protects and given.get("k") and known <= _reach(given)
    ]
    return 1 / max(ks) if ks else None


def element_reach(plan: Plan, kinds: set[str]) -> int:
    """How many elements an attacker may know and still be bounded; 0 if none."""
    reaches = [_reach(given) for _, given, protects in models_of(plan) if kinds & protects and given.get("k")]
    return max(reaches, default=0)


def _reach(given: dict[str, Any]) -> int:
    m = given.get("m", ALL)
    return m if isinstance(m, int) else ALL


def outcome(worst: float, bound: float | None, *, can_tell: bool = True) -> bool | None:
    """Whether the promise holds: a larger certainty breaks it, whatever was counted."""
    if bound is None:
        return None
    if worst > bound + 1e-9:
        return False
    return True if can_tell else None
