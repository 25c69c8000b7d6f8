"""What a plan promises against an attacker, as the largest certainty it allows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from heteronym.contracts import PrivacyModel, Trace
from heteronym.model.plan import Plan
from heteronym.registry import parameters_in_use, privacy_models

ALL = 1 << 30  # elements an attacker may know, where the model sets no limit


def promising_models(plan: Plan) -> Iterator[PrivacyModel]:
    """The models of the plan that promise something about persons who are known to be in the data.

    Models beside a population do not, and here everybody is known to be in the data.
    """
    for model in plan.privacy:
        part = privacy_models.build(model.name, model.parameters)
        if not hasattr(part, "population"):
            yield part


def models_of(plan: Plan) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
    """Parameters with their defaults, and what is protected, of each of these models."""
    for part in promising_models(plan):
        yield parameters_in_use(part), frozenset(getattr(part, "protects", ()))


def sensitive_bound(
    plan: Plan, attribute: str, limit: Literal["largest_share", "largest_distance"]
) -> float | None:
    """The tightest limit that the models set for the values of a sensitive attribute."""
    limits = [
        getattr(part, limit, None)
        for part in promising_models(plan)
        if getattr(part, "attribute", None) in (None, attribute)
    ]
    return min((float(one) for one in limits if one is not None), default=None)


def trace_bounds(plan: Plan, trace: Trace) -> list[dict[str, Any]]:
    """Parameters of the models that count such a trace of a person, and say how many must share it."""
    found = [
        parameters_in_use(part)
        for part in promising_models(plan)
        if trace in getattr(part, "bounds_traces", ())
    ]
    return [given for given in found if given.get("k")]


def column_bound(plan: Plan) -> float | None:
    """For who knows quasi columns: one in k, or in the fewest persons that a group may have."""
    sizes = [
        getattr(part, "k", None) or part.least_persons
        for part in promising_models(plan)
        if "columns" in getattr(part, "protects", ())
    ]
    return 1 / max(sizes) if max(sizes, default=1) > 1 else None


def element_bound(plan: Plan, kind: str, known: int) -> float | None:
    """For who knows so many items or terms: one in k, if a model counts that many together."""
    ks = [
        given["k"]
        for given, protects in models_of(plan)
        if kind in protects and given.get("k") and known <= _reach(given)
    ]
    return 1 / max(ks) if ks else None


def element_reach(plan: Plan, kinds: set[str]) -> int:
    """How many elements an attacker may know and still be bounded; 0 if none."""
    reaches = [_reach(given) for given, protects in models_of(plan) if kinds & protects and given.get("k")]
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
