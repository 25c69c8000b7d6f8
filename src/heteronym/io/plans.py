"""Plans: read and validated before any data is, overridden by options, written beside a release.

Unknown keys are errors with the nearest known name. In a release, everything that could hold
original values (patterns, word lists, synonyms, orders) is reduced to count and hash.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import polars as pl
from pydantic import BaseModel, ValidationError

from heteronym import registry
from heteronym.contracts import ElementRecoder, Measure, Partitioner, PrivacyModel
from heteronym.errors import PlanError, UsageError, nearest, reading
from heteronym.io.plan_checks import check_plan, with_households
from heteronym.io.presets import with_preset
from heteronym.model.elements import Elements
from heteronym.model.part import Recoder
from heteronym.model.plan import Plan
from heteronym.model.schema import Role, Schema
from heteronym.registry import parameters_of

Content = TypeVar("Content", bound=BaseModel)


def read_plan(path: str | Path) -> Plan:
    if not isinstance(path, (str, Path)):
        raise PlanError(f"plan: must be the path of a plan file, not {type(path).__name__}")
    path = Path(path)
    with reading(path, "plan", refusal=PlanError):
        text = path.read_text("utf-8")
    from heteronym.io.plan_yaml import parse_yaml  # plans in Python need none of it

    return make_plan(parse_yaml(text, path.name), source=path.name)


def make_plan(content: Mapping[str, Any] | Plan, *, source: str = "plan") -> Plan:
    """A plan from plain data; every part is looked up, every parameter checked."""
    plan = content if isinstance(content, Plan) else valid(Plan, content, source=source)
    _check_parts(plan, source)
    try:
        plan = with_households(plan)
        check_plan(plan)
    except PlanError as error:
        raise PlanError(f"{source}: {error}") from None
    return plan


def valid(kind: type[Content], content: Any, *, source: str) -> Content:
    """A plan, or a part of one, from plain data; refused in words of ours, which quote nothing."""
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        raise PlanError(f"{source}: {_first_problem(error)}") from None


def _first_problem(error: ValidationError) -> str:
    """The most telling problem, by the plan's own names and without any value."""
    problem = min(error.errors(), key=lambda p: p["type"] != "no_such_key")
    path = [str(part) for part in problem["loc"] if not str(part).startswith("function-")]
    context, message = problem.get("ctx", {}), f"{problem['msg'][0].lower()}{problem['msg'][1:]}"
    if path and path[-1] == "[key]":
        path, message = path[:-2], f"the name {path[-2]} is not text; put it in quotes"
    elif problem["type"] == "no_such_key":
        path.append(context["key"])
    elif problem["type"] == "missing":
        message = "missing"
    elif problem["type"] == "enum":
        known = [c.strip(" '") for c in context["expected"].replace(" or ", ",").split(",")]
        # What is far from every name gets no proposal: it might be a weaker promise.
        message = f"must be {context['expected']}.{nearest(str(problem['input']), known, surely=True)}"
    return ": ".join([".".join(path), message]) if path else message


def _check_parts(plan: Plan, source: str) -> None:
    for model in plan.privacy:
        if not registry.privacy_models.knows(model.name):
            models = registry.privacy_models.names()
            # k-, km- and l- promise different things: a proposal must begin alike
            alike = [name for name in models if name.split("-")[0] == model.name.split("-")[0]]
            close = nearest(model.name, alike, surely=True) or f" Known: {', '.join(models)}."
            raise PlanError(f"{source}: privacy: no model is called '{model.name}'.{close}")
    try:
        build_parts(plan)
        for attribute in plan.attributes.values():
            if attribute.recode is not None and attribute.role in (Role.QUASI, Role.EVENT):
                registry.recoders.build(attribute.recode.name, attribute.recode.parameters)
        if plan.named(Role.TEXT) or "linkers" in plan.text.model_fields_set:
            for name in plan.text.linkers:
                registry.linkers.get(name)
    except UsageError as error:
        raise PlanError(f"{source}: {error}") from None


@dataclass(frozen=True)
class Parts:
    """The parts a plan names, built once."""

    models: tuple[PrivacyModel, ...]
    partitioner: Partitioner
    terms: ElementRecoder
    items: ElementRecoder | None
    events: ElementRecoder | None
    measures: Mapping[str, Measure]

    @property
    def settling(self) -> PrivacyModel | None:
        """The model that settles all labels itself, if there is one."""
        return next((model for model in self.models if hasattr(model, "settle")), None)

    def needed(self, elements: Elements) -> list[ElementRecoder]:
        """The recoders of the kinds of elements that there are."""
        kinds = (elements.has_terms, self.terms), (elements.has_items, self.items)
        return [part for has, part in (*kinds, (elements.has_events, self.events)) if has and part]

    def offering(self, elements: Elements) -> list[ElementRecoder]:
        """The same for a model that settles their labels."""
        for recoder in self.needed(elements):
            if not hasattr(recoder, "offers"):
                name = getattr(recoder, "part_name", type(recoder).__name__)
                raise PlanError(f"recode: '{name}' does not go with a model that settles labels itself")
        return self.needed(elements)


@lru_cache(maxsize=8)
def build_parts(plan: Plan) -> Parts:
    items = _recoder(plan.recode.items) if plan.named(Role.ITEMS) else None
    for name in plan.measures:
        registry.measures.get(name)
    return Parts(
        models=tuple(registry.privacy_models.build(model.name, model.parameters) for model in plan.privacy),
        partitioner=_partitioner(plan, items),
        terms=_recoder(plan.recode.terms),
        items=items,
        events=registry.element_recoders.build("event-labels") if plan.named(Role.EVENT) else None,
        measures={
            name: registry.measures.build(name, plan.measures.get(name)) for name in registry.measures.names()
        },
    )


def _recoder(part: Recoder) -> ElementRecoder:
    return registry.element_recoders.build(part.name, part.parameters)


def _partitioner(plan: Plan, items: ElementRecoder | None) -> Partitioner:
    """Searches that weigh items do so as their recoder will generalize them, unless told otherwise."""
    name = plan.partition.name
    fitting = {
        "objective": getattr(items, "objective", None),
        "items": "hierarchy" if plan.recode.items.name == "hierarchy" else None,
        "suppress_up_to": plan.release.suppress_up_to,
    }
    known = {k: v for k, v in fitting.items() if v is not None and registry.partitioners.has(name, k)}
    return registry.partitioners.build(name, {**known, **plan.partition.parameters})


def make_schema(plan: Plan, columns: list[str], source: str) -> Schema:
    """The plan's attributes in the order of the data's columns; each must know the other."""
    for name in plan.attributes:
        if name not in columns:
            raise PlanError(
                f"attributes.{name}: no such column. {source} has {len(columns)} columns."
                f"{nearest(name, columns)}"
            )
    unclassified = [name for name in columns if name not in plan.attributes]
    if unclassified:
        others = f" (and {len(unclassified) - 1} more)" if len(unclassified) > 1 else ""
        raise PlanError(
            f"column '{unclassified[0]}'{others} of {source} has no role in the plan. "
            "Every column needs one; `heteronym profile` proposes roles"
        )
    for key in ("person", "household", "weight"):
        name = getattr(plan.data, key)
        if name is not None and name not in columns:
            raise PlanError(f"data.{key}: no column '{name}' in {source}.{nearest(name, columns)}")
    person = plan.data.person
    if person is not None and plan.attributes[person].role is not Role.IDENTIFIER:
        raise PlanError(f"attributes.{person}: the person key must have role identifier")
    if person is None and plan.release.person_key == "pseudonym":
        raise PlanError("release.person_key: pseudonyms need data.person")
    attributes = {name: plan.attributes[name] for name in columns}
    for name, written in plan.in_numbers.items():
        taken = [new for new in written if new != name and new in columns]
        if taken:
            raise PlanError(f"release.numeric: '{name}' would become '{taken[0]}', which the data has, too")
        attributes[name] = attributes[name].model_copy(update={"recode": Recoder(name="numbers")})
    return Schema(attributes, person, plan.data.household, plan.data.weight)


def fit_to_data(plan: Plan, frame: pl.DataFrame) -> Plan:
    """The plan with columns as its models need them for these cells, where a preset asked for that."""
    for model in build_parts(plan).models:
        if hasattr(model, "fitted"):
            content = model.fitted(plan.to_dict(), frame)
            plan = (
                plan
                if content is None
                else make_plan(content, source="plan as the preset fits it to the data")
            )
    return plan


# --- overrides ------------------------------------------------------------------------------------


_EITHER = {"table", "query"}  # of a database
# Options that set one key of a plan, by the section where it stands.
_SECTIONS = {
    "data": ("delimiter", "encoding", "sheet", "table", "query", "person"),
    "recode": ("terms", "items"),
    "release": ("person_key", "suppress_up_to", "suppress_cells_up_to"),
}


def override(plan: Plan, options: Mapping[str, Any]) -> Plan:
    """A plan with options laid over it: `k` sets every part that has a `k`, `method` the partitioner."""
    content = plan.to_dict()
    options = {name: value for name, value in options.items() if value is not None}
    if "preset" in options:  # before the other options, which may ask for more
        content = with_preset(content, options.pop("preset"), options)
    content["seed"] = options.pop("seed", plan.seed)
    if "language_model" in options:
        content.setdefault("text", {})["model"] = options.pop("language_model")
    for section, names in _SECTIONS.items():
        given = {name: options.pop(name) for name in names if name in options}
        kept = dict(content.get(section, {}))
        if given.keys() & _EITHER:  # a table that is asked for takes the place of the plan's query
            kept = {name: value for name, value in kept.items() if name not in _EITHER}
        content[section] = {**kept, **given}
    partition = content.setdefault("partition", {"method": plan.partition.name})
    if "method" in options:
        name = options.pop("method")
        kept = {key: value for key, value in partition.items() if registry.partitioners.has(name, key)}
        content["partition"] = partition = {"method": name, **kept}
    parts = [(partition, registry.partitioners.get(partition["method"]))]
    parts += [(model, registry.privacy_models.get(model["model"])) for model in content["privacy"]]
    known = [(settings, {p.name: p.types for p in parameters_of(part)}) for settings, part in parts]
    for name, value in options.items():
        having = [(settings, types[name]) for settings, types in known if name in types]
        if not having:
            raise UsageError(f"no part of this plan has a parameter '{name}'")
        for settings, types in having:
            settings[name] = _number_if_wanted(value, types)
    return make_plan(content, source="plan with options")


def _number_if_wanted(value: Any, types: Sequence[type]) -> Any:
    """An option that is a number for one part and a word for another comes as text."""
    for kind in (int, float):
        if isinstance(value, str) and kind in types:
            with suppress(ValueError):
                return kind(value)
    return value


# --- out ------------------------------------------------------------------------------------------


def released_plan(plan: Plan, layout: Mapping[str, str] | None = None, *, secret: bytes | None = None) -> str:
    """The plan as it may leave the house: what could hold original values is reduced to its count.

    `layout` is what was found of the data: delimiter and encoding.
    With the secret of the owner's folder, a keyed hash is added, by which the owner can tell plans apart. A
    plain hash of a short list could be found by trying.
    """
    content = plan.to_dict()
    for section, key in _of_values(content):
        section[key] = _reduced(section[key], secret)
    for attribute in content["attributes"].values():
        if "hierarchy" in attribute:
            attribute["hierarchy"] = Path(attribute["hierarchy"]).name
    inside = ("sheet", "table", "query")  # of the source; a query may name values
    data = {key: value for key, value in content.get("data", {}).items() if key not in inside}
    for join in data.get("join", ()):
        join.pop("query", None)
    content["data"] = {**data, **(layout or {})}
    import yaml

    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True)


def _of_values(content: Mapping[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """The keys of a plan, each with the section it stands in, that may hold original values."""
    keys = [("text", key) for key in ("patterns", "words", "synonyms", "allow", "deny")]
    found = [(content.get(section), key) for section, key in (*keys, ("data", "missing"))]
    found += [(attribute, "order") for attribute in (content.get("attributes") or {}).values()]
    return [(section, key) for section, key in found if isinstance(section, dict) and key in section]


def _reduced(value: Any, secret: bytes | None) -> str:
    if secret is None:
        return f"{len(value)} given"
    digest = hmac.new(secret, json.dumps(value, sort_keys=True).encode(), "sha256").hexdigest()[:16]
    return f"{len(value)} given, hmac-sha256 {digest}"


def released_hash(plan: Plan) -> str:
    """Tells plans apart by what is released of them; a hash of all would say whether a guess is right."""
    return hashlib.sha256(released_plan(plan).encode()).hexdigest()[:16]


def read_released_plan(text: str) -> Plan:
    """The plan of a release; what was reduced to count and hash is left out."""
    from heteronym.io.plan_yaml import parse_yaml

    content = parse_yaml(text, "plan.yaml")
    for section, key in _of_values(content):
        del section[key]
    return make_plan(content, source="plan.yaml")
