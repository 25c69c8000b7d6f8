"""What is exact on an engine; whatever is not is refused before any row is read, with the way out.

Groups and labels follow from the kinds of persons alone where sizes of groups decide over columns. Everything
else would look at all persons at once, and an engine that did it in parts would find other groups.
"""

from __future__ import annotations

from collections.abc import Iterator

from heteronym.errors import PlanError
from heteronym.io.plans import build_parts
from heteronym.model.plan import Plan
from heteronym.model.schema import Role

COLUMNS = (Role.IDENTIFIER, Role.QUASI, Role.SENSITIVE, Role.PLAIN)


def check_exact(plan: Plan, engine: str) -> None:
    """Refuses a plan whose release would not be the one that a single machine makes, to the byte."""
    for where, what in _beyond(plan):
        raise PlanError(
            f"{where}: {what} on engine '{engine}'. Leave out --engine; docs/scale.md says what is exact"
        )


def is_exact(plan: Plan) -> bool:
    return next(_beyond(plan), None) is None


def _beyond(plan: Plan) -> Iterator[tuple[str, str]]:
    """Where a plan asks for more than is exact, and what that is."""
    yield from _columns_beyond(plan)
    parts = build_parts(plan)
    for model, part in zip(plan.privacy, parts.models, strict=True):
        if not (part.size_only and hasattr(part, "audit_counted")):
            yield f"privacy: '{model.name}'", "needs all persons at once, which is not done"
    method = plan.partition
    if method.name != "mondrian" or getattr(parts.partitioner, "cut", "gain") != "gain":
        yield f"partition: '{method.name}'", "needs all persons at once; `mondrian` with `cut: gain` is exact"
    if plan.release.suppress_up_to or plan.release.suppress_cells_up_to:
        yield (
            "release",
            "who is left out, or withholds a cell, is chosen among all persons, which is not done",
        )
    if plan.release.person_key != "drop":
        yield "release.person_key", "pseudonyms are not given"
    if plan.release.numeric != "label":
        yield "release.numeric", "only labels are released"


def _columns_beyond(plan: Plan) -> Iterator[tuple[str, str]]:
    for name, attribute in plan.attributes.items():
        if attribute.role not in COLUMNS:
            yield f"attributes.{name}", f"columns with role {attribute.role.value} are not read"
        if attribute.is_renamed:
            yield f"attributes.{name}", "surrogates are not given"
        if attribute.role is Role.SENSITIVE and attribute.separator is not None:
            yield f"attributes.{name}", "sensitive sets are not counted"
    if not plan.named(Role.QUASI):
        yield "attributes", "a plan without quasi columns is not searched"
    if plan.data.person is not None and plan.named(Role.SENSITIVE):
        yield "data.person", "who shows which sensitive value is counted only where every row is a person"
    data = plan.data
    for key, given in (("join", data.join), ("unite", data.unite), ("decimal", data.decimal)):
        if given:
            yield f"data.{key}", "tables are read as they are"
    for key in ("household", "weight"):
        if getattr(data, key) is not None:
            yield f"data.{key}", "only persons are counted"
