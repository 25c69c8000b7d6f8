"""The settings of a comparison: lists and ranges of plan values, multiplied out to one plan each.

A value is named as an option (`k`, `method`, `relational_weight`) or by its path in the plan
(`attributes.age.weight`, `recode.terms`). A parameter that the method of a setting does not have is left
out there, and settings that are then equal are one: `gdf` is run once per k, not once per lambda.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

import yaml

from heteronym import registry
from heteronym.errors import UsageError
from heteronym.io.plans import make_plan, override
from heteronym.model.plan import Plan

MOST_SETTINGS = 10_000
Values = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Setting:
    """What differs from the plan that was given, and the plan that comes of it."""

    number: int
    values: Mapping[str, Any]
    plan: Plan
    baseline: bool = False  # columns alone, and every item and term suppressed

    @property
    def name(self) -> str:
        """As a person would say it: k = 5, relational_weight = 0.3."""
        given = ", ".join(f"{name} = {in_words(value)}" for name, value in self.values.items())
        if self.baseline:
            return "columns alone" + (f", {given}" if given else "")
        return given or "the plan as it is"


def in_words(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def values_of(given: Any, name: str) -> list[Any]:
    """`2,5,10`, `0:1:0.1` with both ends, a mixture of them, one value, or a sequence of values."""
    if isinstance(given, (list, tuple, range)):
        found = list(given)
    elif not isinstance(given, str):
        found = [given]
    else:
        found = [value for part in given.split(",") for value in _unfolded(part.strip(), name)]
    if not found:
        raise UsageError(f"{name}: no value is given")
    return list(dict.fromkeys(found))


def _unfolded(part: str, name: str) -> list[Any]:
    if not part:
        raise UsageError(f"{name}: a value is missing between two commas")
    bounds = part.split(":")
    if len(bounds) == 1:
        value = yaml.safe_load(part)
        if isinstance(value, (list, dict)):
            raise UsageError(f"{name}: values are single ones, with commas between them")
        return [part if value is None else value]
    try:
        start, end, step = (Decimal(bound) for bound in (*bounds, "1")[:3])
    except (InvalidOperation, ValueError):
        raise UsageError(f"{name}: a range is start:end or start:end:step, in numbers") from None
    if len(bounds) > 3 or not all(number.is_finite() for number in (start, end, step)):
        raise UsageError(f"{name}: a range is start:end or start:end:step, in numbers")
    if step <= 0 or end < start or (end - start) / step > MOST_SETTINGS:
        raise UsageError(f"{name}: the step of a range is above 0, its end at least its start")
    count = int((end - start) / step)
    return [_plain(start + number * step) for number in range(count + 1)]


def _plain(number: Decimal) -> int | float:
    return int(number) if number == number.to_integral_value() else float(number)


def settings(plan: Plan, options: Mapping[str, Any], paths: Mapping[str, Any] | None = None) -> list[Setting]:
    """One setting per distinct plan of the grid, and per promise the baseline behind them."""
    named = {name: values_of(given, name) for name, given in options.items() if given is not None}
    by_path = {path: values_of(given, path) for path, given in (paths or {}).items()}
    axes = [*_with_method_first(named), *((path, values) for path, values in by_path.items())]
    count = 1
    for _, values in axes:
        count *= len(values)
    if count > MOST_SETTINGS:
        raise UsageError(f"the grid has {count:,} settings; at most {MOST_SETTINGS:,} are compared at once")
    found: dict[str, tuple[dict[str, Any], Plan]] = {}
    used: set[str] = set()
    for chosen in itertools.product(*(values for _, values in axes)):
        one = dict(zip((name for name, _ in axes), chosen, strict=True))
        made, kept = _setting(plan, one, named.keys(), by_path.keys())
        used |= kept.keys()
        found.setdefault(made.hash, (kept, made))
    for name in named.keys() - used:
        raise UsageError(f"no part of this plan has a parameter '{name}'")
    listed = [Setting(number, kept, made) for number, (kept, made) in enumerate(found.values(), 1)]
    return [*listed, *_baselines(listed)]


def _with_method_first(named: Mapping[str, list[Any]]) -> list[tuple[str, list[Any]]]:
    return sorted(named.items(), key=lambda item: item[0] != "method")


def _setting(plan: Plan, values: Mapping[str, Any], named: Any, by_path: Any) -> tuple[Plan, dict[str, Any]]:
    """The plan of one combination, and the values that count in it."""
    content = plan.to_dict()
    if by_path:  # parts in full, so that a path may lead into them
        content["partition"] = {"method": plan.partition.name, **plan.partition.parameters}
        recode = (("terms", plan.recode.terms), ("items", plan.recode.items))
        content["recode"] = {kind: {"method": part.name, **part.parameters} for kind, part in recode}
    for path in by_path:
        _put(content, path, values[path])
    made = make_plan(content, source="plan with settings") if by_path else plan
    kept = {name: values[name] for name in named}
    if "method" in kept:
        made = override(made, {"method": kept["method"]})
    kept = {name: value for name, value in kept.items() if _applies(made, name)}
    made = override(made, {name: value for name, value in kept.items() if name != "method"})
    return made, kept | {path: values[path] for path in by_path}


def _applies(plan: Plan, name: str) -> bool:
    """Whether the plan's own parts have this parameter; what no part has at all is no parameter."""
    if registry.partitioners.has(plan.partition.name, name):
        return True
    if any(registry.privacy_models.has(model.name, name) for model in plan.privacy):
        return True
    known = registry.parameters_by_name(registry.privacy_models, registry.partitioners)
    return name not in known


def _put(content: dict[str, Any], path: str, value: Any) -> None:
    """Sets a value by its path: keys and numbers of list entries, with dots between them."""
    *way, last = path.split(".")
    place: Any = content
    for step in way:
        listed = isinstance(place, list)
        place = place[_entry(step, place, path)] if listed else place.setdefault(step, {})
        if not isinstance(place, (dict, list)):
            raise UsageError(f"{path}: '{step}' holds no further values")
    if isinstance(place, list):
        place[_entry(last, place, path)] = value
    else:
        place[last] = value


def _entry(step: str, entries: list[Any], path: str) -> int:
    if not step.isdigit() or int(step) >= len(entries):
        raise UsageError(f"{path}: '{step}' is no number of an entry; there are {len(entries)}, from 0")
    return int(step)


def _baselines(listed: Sequence[Setting]) -> list[Setting]:
    """The independent road, once per promise: groups by columns alone, all items and terms suppressed."""
    found: dict[str, Setting] = {}
    for setting in listed:
        content = setting.plan.to_dict() | {"partition": {"method": "mondrian", "relational_weight": 1.0}}
        content.pop("recode", None)
        plan = make_plan(content, source="baseline")
        kept = {name: value for name, value in setting.values.items() if not _of_method(setting.plan, name)}
        if plan.hash not in found:
            number = len(listed) + len(found) + 1
            found[plan.hash] = Setting(number, kept, plan, baseline=True)
    return list(found.values())


def _of_method(plan: Plan, name: str) -> bool:
    if name in ("method", "terms", "items") or name.split(".")[0] in ("partition", "recode"):
        return True
    if any(registry.privacy_models.has(model.name, name) for model in plan.privacy):
        return False
    return registry.partitioners.has(plan.partition.name, name)


def same_values(setting: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    """Whether a setting has these values, whatever else it has."""
    return all(json.dumps(setting.get(name)) == json.dumps(value) for name, value in wanted.items())
