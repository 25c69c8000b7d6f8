"""Whether a release keeps the bound that its partitioner was given: delta, read off the written labels.

Loss is taken from the labels alone, by the definitions and not by the measures' code: a label loses the
share of its column's values that it may mean. How many values a column has is known to the owner only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

import numpy as np
import polars as pl

from heteronym.model.hierarchy import Hierarchy
from heteronym.model.plan import Plan
from heteronym.model.release import Check
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.verify.entries import entries_of
from heteronym.verify.forms import key_form
from heteronym.verify.label_forms import beside_missing
from heteronym.verify.labels import item_members, leaves_below, meaning
from heteronym.verify.originals import Originals
from heteronym.verify.values import values_of
from heteronym.verify.withheld import as_known

CLOSE = 1e-6  # labels are texts: ends of ranges may have been rounded when they were written


def bound_checks(released: pl.DataFrame, plan: Plan, originals: Originals) -> list[Check]:
    """One check if the plan bounds a loss, none otherwise."""
    given = plan.partition.parameters
    if plan.partition.name not in ("rum-bound", "tum-bound", "joint"):
        return []
    if plan.partition.name == "joint" and given.get("delta") is None:
        return []
    delta = float(given.get("delta", 0.65))
    person, hierarchies = originals.released_person, originals.hierarchies
    first = np.unique(person, return_index=True)[1]

    def values(name: str) -> pl.Series:
        attribute, cells = plan.attributes[name], originals.frame[name]
        if attribute.role is Role.ITEMS:
            return cells
        found = values_of(cells, attribute, originals.missing, as_text=name in hierarchies)
        return pl.Series(list(found.values), strict=False).gather(found.code)

    if plan.partition.name != "tum-bound":
        measure = str(given.get("rum", "ncp"))
        shown = as_known(released, plan, originals) if measure == "ncp" else released
        loss = _loss_of_columns(shown[first], plan, measure, values, hierarchies)
        what = "columns"
    else:
        measure = str(given.get("tum", "ul"))
        rows = [(int(p), int(row)) for p, row in zip(person, originals.source_row, strict=True)]
        loss = _loss_of_items(released, plan, measure, rows, values, hierarchies)
        what = "items"
    kept = loss <= delta + CLOSE
    return [Check("bound", kept, f"the {what} lose {loss:.4f} ({measure}), delta is {delta:g}")]


# --- columns --------------------------------------------------------------------------------------


def _loss_of_columns(
    persons: pl.DataFrame,
    plan: Plan,
    measure: str,
    values: Callable[[str], pl.Series],
    hierarchies: Mapping[str, Hierarchy],
) -> float:
    """One row per person."""
    quasi = [name for name, attribute in plan.attributes.items() if attribute.role is Role.QUASI]
    if measure != "ncp":
        sizes = persons.group_by(quasi).len()["len"].to_numpy() if quasi else np.array([persons.height])
        if measure == "discernibility":
            return float((sizes.astype(np.float64) ** 2).sum() / persons.height**2)
        least = max(int(model.parameters.get("k", 1)) for model in plan.privacy)
        return float(persons.height / len(sizes) / least)
    total, weights = 0.0, 0.0
    for name in quasi:
        attribute = plan.attributes[name]
        domain = values(name).unique().to_list()
        for label, often in persons[name].cast(pl.String).value_counts().iter_rows():
            total += attribute.weight * often * _label_loss(label, domain, attribute, hierarchies.get(name))
        weights += attribute.weight
    return total / max(weights * persons.height, 1e-300)


def _label_loss(
    label: str | None, domain: Sequence[object], attribute: Attribute, hierarchy: Hierarchy | None
) -> float:
    known = [value for value in domain if value is not None]
    if label is None:
        return 0.0
    if label == "*":
        return 1.0 if len(domain) > 1 else 0.0
    if len(known) < len(domain) and not _lists_values(attribute, hierarchy):
        # missing is one of the values: beside others it costs its share, which they never lose
        share, alone = 1.0 / len(domain), beside_missing(label)
        return _label_loss(alone, known, attribute, hierarchy) * (1.0 - share) + share * (alone != label)
    if hierarchy is not None and attribute.recoder in (None, "hierarchy"):
        below = len(leaves_below(label, hierarchy))
        return below / len(hierarchy.leaves) if below > 1 else 0.0
    is_set = label.startswith("{")
    meant = list(filter(meaning(label, attribute, hierarchy), domain))
    if len(meant) <= 1 and not label.endswith("*"):
        return 0.0
    if attribute.scale is Scale.NUMERIC and not is_set:
        numbers = [float(str(value)) for value in known]
        mine = [float(str(value)) for value in meant]
        return (max(mine) - min(mine)) / (max(numbers) - min(numbers))
    if attribute.scale is Scale.DATE and not is_set:
        return len([d for d in meant if isinstance(d, date)]) / len(known)
    # a set counts what it names, anything else the values that it may mean
    return len(meant) / len(domain if is_set else known)


def _lists_values(attribute: Attribute, hierarchy: Hierarchy | None) -> bool:
    if attribute.recoder is not None or hierarchy is not None:
        return attribute.recoder in ("set", "suppress", "numbers")
    return attribute.scale in (Scale.NOMINAL, Scale.ORDINAL)


# --- items ----------------------------------------------------------------------------------------


def _loss_of_items(
    released: pl.DataFrame,
    plan: Plan,
    measure: str,
    rows: Sequence[tuple[int, int]],
    values: Callable[[str], pl.Series],
    hierarchies: Mapping[str, Hierarchy],
) -> float:
    """`rows` gives person and original row of every released one."""
    shown: dict[int, set[tuple[str, str]]] = {person: set() for person, _ in rows}
    held: dict[int, set[tuple[str, str]]] = {p: set() for p in shown}
    meaning: dict[tuple[str, str], frozenset[str]] = {}
    domain: dict[str, int] = {}
    for name, attribute in plan.attributes.items():
        if attribute.role is not Role.ITEMS or name not in released.columns:
            continue
        cells = entries_of(values(name), attribute.separator, held=True)
        items = [{key_form(item) for item in cell} - {""} for cell in cells]
        secret = frozenset(attribute.sensitive) & frozenset().union(*items)
        items = [mine - secret for mine in items]
        hierarchy = hierarchies.get(name)
        everything = frozenset().union(*items)
        if hierarchy is not None:
            everything = frozenset(hierarchy.leaves) - secret
        domain[name] = len(everything)
        for (person, row), labels in zip(rows, entries_of(released[name], attribute.separator), strict=True):
            for label in labels:
                if (name, label) not in meaning:
                    meaning[name, label] = _items_meant(label, hierarchy, everything) - secret
                if meaning[name, label]:
                    shown[person].add((name, label))
            held[person].update((name, item) for item in items[row])
    if measure == "ul":
        losses = [_record_loss([len(meaning[label]) for label in mine]) for mine in shown.values()]
        return sum(losses) / max(len(losses), 1)
    lost = occurrences = 0.0
    for who, mine in held.items():
        for name, item in mine:
            meant = [meaning[label] for label in shown[who] if label[0] == name]
            size = min((len(group) for group in meant if item in group), default=domain[name])
            weight = plan.attributes[name].weight
            lost += weight * (size - 1) / max(domain[name] - 1, 1)
            occurrences += weight
    return lost / max(occurrences, 1e-300)


def _items_meant(label: str, hierarchy: Hierarchy | None, everything: frozenset[str]) -> frozenset[str]:
    if label == "*":
        return everything
    below = leaves_below(label, hierarchy) if hierarchy is not None else frozenset()
    return below or item_members(label)


def _record_loss(sizes: Sequence[int]) -> float:
    """UL of one person; single items lose nothing. Whole numbers, so that nothing overflows."""
    if not sizes:
        return 0.0
    return float(sum(2**size - 1 for size in sizes if size > 1) / (2 ** sum(sizes) - 1))
