"""Plans as the auditor reads them: plain YAML or JSON; and where a released plan differs from its owner's."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from pydantic import ValidationError

from heteronym import registry
from heteronym.errors import InputError, PlanError, UsageError
from heteronym.model.plan import Plan
from heteronym.verify.plain_json import read_json

# Lists that may hold original values: a release says how many entries there are, no more.
_COUNTED_IN_TEXT = ("patterns", "words", "synonyms", "allow", "deny")
_MOST_CHARACTERS = 10_000_000


def released_promise(content: bytes) -> Plan:
    """The plan of a release; lists of which it tells only the count are left out."""
    from heteronym.verify.plain_yaml import read_yaml  # only a written release has one

    try:
        if len(content) > _MOST_CHARACTERS:
            raise ValueError
        content_read = read_yaml(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise PlanError("plan.yaml: not readable as a plan") from None
    if not isinstance(content_read, Mapping):
        raise PlanError("plan.yaml: not a plan")
    return _plan(_without_counted(content_read), "plan.yaml")


def owners_promise(content: bytes) -> Plan:
    """The whole plan, as the owner keeps it."""
    try:
        promise = read_json(content)
    except (ValueError, RecursionError):
        raise InputError("plan.json: not readable as the owner's plan") from None
    return _plan(promise, "plan.json")


def _plan(content: Any, source: str) -> Plan:
    try:
        plan = Plan.model_validate(content)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise PlanError(f"{source}: {where}: not as a plan has it") from None
    for model in plan.privacy:
        try:
            registry.privacy_models.build(model.name, model.parameters)
        except UsageError as error:
            raise PlanError(f"{source}: privacy: {error}") from None
    return plan


def _without_counted(promise: Mapping[str, Any]) -> dict[str, Any]:
    content = dict(promise)
    text, data, columns = (content.get(key) for key in ("text", "data", "attributes"))
    if isinstance(text, Mapping):
        content["text"] = {k: v for k, v in text.items() if k not in _COUNTED_IN_TEXT}
    if isinstance(data, Mapping):
        content["data"] = {k: v for k, v in data.items() if k != "missing"}
    if isinstance(columns, Mapping):
        content["attributes"] = {
            name: {k: v for k, v in one.items() if k != "order"} if isinstance(one, Mapping) else one
            for name, one in columns.items()
        }
    return content


def is_reduced(content: bytes) -> bool:
    """Whether a released plan leaves out what a report needs: words for missing, the order of a column."""
    from heteronym.verify.plain_yaml import read_yaml

    content_read = read_yaml(content.decode("utf-8"))
    columns = content_read.get("attributes", {}).values()
    return "missing" in content_read.get("data", {}) or any("order" in one for one in columns)


def differing_keys(released: Plan, owners: Plan) -> list[str]:
    """What the release's plan says otherwise than the owner's, by the plan's own names."""
    a, b = (_comparable(plan) for plan in (released, owners))
    return sorted(key for key in {*a, *b} if a.get(key) != b.get(key))


def _comparable(plan: Plan) -> dict[str, Any]:
    """A plan by dotted keys, without what a release leaves out or adds."""
    content = _without_counted(plan.model_dump(mode="json"))
    for key in (
        "delimiter",
        "encoding",
        "sheet",
        "table",
        "query",
    ):  # of the written file or the source alone
        content["data"].pop(key)
    for join in content["data"]["join"]:
        join.pop("query")
    flat: dict[str, Any] = {}
    for key, value in content.items():
        inner = value if isinstance(value, Mapping) and key != "partition" else {"": value}
        flat |= {f"{key}.{name}" if name else key: one for name, one in inner.items()}
    for name, attribute in plan.attributes.items():
        described = flat[f"attributes.{name}"]
        described["hierarchy"] = PurePath(attribute.hierarchy).name if attribute.hierarchy else None
    return flat
