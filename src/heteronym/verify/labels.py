"""Reads released labels back: what values does a label stand for?

Written from the description of the release format alone; it shares nothing with the recoders.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import cache

from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute, Scale

_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_INTERVAL = re.compile(rf"\[({_NUMBER})-({_NUMBER})\]")
_ITEM = re.compile(r"(?:\\.|[^,\\])+", re.DOTALL)
_QUARTER = re.compile(r"(\d{4})-Q([1-4])")
_YEARS = re.compile(r"\[(\d{4})-(\d{4})\]")


def covers(
    label: str | None, value: object, attribute: Attribute, hierarchy: Hierarchy | None = None
) -> bool:
    """Whether a released label is true of an original value (None for missing)."""
    if label == "*":
        return True
    if label is None or value is None:
        return (label is None) == (value is None) or (label is not None and "" in set_members(label))
    if hierarchy is not None:
        return _above(label, str(value), hierarchy)
    return _RULES[attribute.scale](label, value, attribute)


def set_members(label: str) -> list[str]:
    r"""The members of `{a,b}`, with `\` taken away; a label without braces is its own only member."""
    if not (label.startswith("{") and label.endswith("}")):
        return [label]
    members, current, escaped = [], "", False
    for character in label[1:-1]:
        if escaped:
            current, escaped = current + character, False
        elif character == "\\":
            escaped = True
        elif character == ",":
            members.append(current)
            current = ""
        else:
            current += character
    return [*members, current]


def _number_in(label: str, value: object, attribute: Attribute) -> bool:
    number = float(str(value))
    interval = _INTERVAL.fullmatch(label)
    if interval:
        return float(interval[1]) <= number <= float(interval[2])
    return any(_same_number(member, number) for member in set_members(label))


def _same_number(text: str, number: float) -> bool:
    try:
        return float(text) == number
    except ValueError:
        return False


def _date_in(label: str, value: object, attribute: Attribute) -> bool:
    if not isinstance(value, date):
        return False
    day = value.isoformat()
    years = _YEARS.fullmatch(label)
    if years:
        return int(years[1]) <= value.year <= int(years[2])
    quarter = _QUARTER.fullmatch(label)
    if quarter:
        return value.year == int(quarter[1]) and (value.month + 2) // 3 == int(quarter[2])
    return day in set_members(label) or (len(label) in (4, 7, 10) and day.startswith(label))


def _name_in(label: str, value: object, attribute: Attribute) -> bool:
    text = str(value)
    if text == label:
        return True
    if attribute.recode == "prefix" and label.endswith("*"):
        return text.startswith(label[:-1])
    return text in set_members(label)


def _above(label: str, value: str, hierarchy: Hierarchy) -> bool:
    try:
        leaf = hierarchy.leaves.index(value)
    except ValueError:
        return False
    return any(
        hierarchy.names[level][int(hierarchy.node[level, leaf])] == label for level in range(hierarchy.levels)
    )


_RULES: dict[Scale, Callable[[str, object, Attribute], bool]] = {
    Scale.NUMERIC: _number_in,
    Scale.DATE: _date_in,
    Scale.NOMINAL: _name_in,
    Scale.ORDINAL: _name_in,
}


def leaves_below(label: str, hierarchy: Hierarchy) -> frozenset[str]:
    """Leaves of the nodes that have this name."""
    found: set[str] = set()
    for level, names in enumerate(hierarchy.names):
        for node, name in enumerate(names):
            if name == label:
                found.update(
                    hierarchy.leaves[int(leaf)] for leaf in (hierarchy.node[level] == node).nonzero()[0]
                )
    return frozenset(found)


@cache
def item_members(label: str) -> frozenset[str]:
    r"""The items of `(a,b)`, with `\` taken away; a single item stands for itself."""
    if not (label.startswith("(") and label.endswith(")")):
        return frozenset([label[1:] if label.startswith("\\") else label])
    return frozenset(re.sub(r"\\(.)", r"\1", item) for item in _ITEM.findall(label[1:-1]))


def split_entries(cell: str, separator: str) -> list[str]:
    """Entries of a set-valued cell; a generalized item `(a,b)` is one entry whatever the separator."""
    if "(" not in cell:
        return [entry for entry in cell.split(separator) if entry]
    return [entry for entry in _entry_pattern(separator).findall(cell) if entry]


@cache
def _entry_pattern(separator: str) -> re.Pattern[str]:
    # a block, with what `\` protects inside it, then anything up to the next separator
    stop = re.escape(separator)
    rest = rf"[^{stop}]*" if len(separator) == 1 else rf"(?:(?!{stop}).)*"
    return re.compile(rf"((?:\((?:\\.|[^\\)])*\))?{rest})(?:{stop}|\Z)", re.DOTALL)
