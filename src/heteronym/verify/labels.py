"""Reads released labels back: what values does a label stand for?

Written from the description of the release format alone; it shares nothing with the recoders.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from functools import cache, lru_cache

from heteronym.model.hierarchy import Hierarchy
from heteronym.model.schema import Attribute, Scale
from heteronym.verify.label_forms import (
    bare,
    beside_missing,
    ends_of,
    is_starred,
    names_between,
    period_ends,
    set_members,
    unstarred,
)

_NUMBER = r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
_INTERVAL = re.compile(rf"\[({_NUMBER})-({_NUMBER})\]")
_ITEM = re.compile(r"(?:\\.|[^,\\])+", re.DOTALL)
_EARLIER = re.compile(r"(\d{4}) or earlier")


Meaning = Callable[[object], bool]


def meaning(label: str | None, attribute: Attribute, hierarchy: Hierarchy | None = None) -> Meaning:
    """A label, read once: of which original values it is true."""
    if label == "*":
        return lambda value: True
    if label is None:
        return lambda value: value is None
    if is_starred(label):  # of those who do not withhold their value
        alone = unstarred(label)
        if alone == "*":
            return lambda value: value in ("*", label)
        read = meaning(alone, attribute, hierarchy)
        return lambda value: read(value) or value == label
    may_lack = "" in set_members(label)
    below = leaves_by_name(hierarchy).get(beside_missing(label)) if hierarchy is not None else None
    rule = {Scale.NUMERIC: _number_in, Scale.DATE: _date_in}.get(attribute.scale, _name_in)
    known = (lambda value: str(value) in below) if below is not None else rule(label, attribute)
    return lambda value: may_lack if value is None else known(value)


def interval(label: str) -> tuple[int | float, int | float] | None:
    """Both ends of `[a-b]`."""
    found = _INTERVAL.fullmatch(label)
    return None if found is None else (as_number(found[1]), as_number(found[2]))


def as_number(text: str) -> int | float:
    """A number of a label: whole ones exactly, however long they are."""
    return int(text) if text.lstrip("-").isdecimal() else float(text)


def _number_in(label: str, attribute: Attribute) -> Meaning:
    known = beside_missing(label)
    if attribute.recoder == "top" and known.endswith("+"):
        least = as_number(known[:-1])
        return lambda value: _at_most(least, value)
    if attribute.recoder == "bottom" and known.endswith(" or less"):
        most = as_number(known.removesuffix(" or less"))
        return lambda value: _at_most(value, most)
    ends = interval(beside_missing(label))
    if ends is not None:
        low, high = ends
        return lambda value: _at_most(low, value) and _at_most(value, high)
    members = [as_number(text) for text in set_members(label) if re.fullmatch(_NUMBER, text)]
    return lambda value: any(_at_most(n, value) and _at_most(value, n) for n in members)


def _at_most(a: object, b: object) -> bool:
    # a whole number beside fractions was one of them when the label was made
    if isinstance(a, float) or isinstance(b, float):
        return float(str(a)) <= float(str(b))
    return int(str(a)) <= int(str(b))


def _date_in(label: str, attribute: Attribute) -> Meaning:
    year = _EARLIER.fullmatch(beside_missing(label))
    if year is not None:
        latest = ends_of(year[1])[1]
        return lambda value: isinstance(value, date) and value.isoformat() <= latest
    ends = period_ends(label)
    if ends is not None:
        first, last = ends
        return lambda value: isinstance(value, date) and first <= value.isoformat() <= last
    members = frozenset(set_members(label))
    return lambda value: isinstance(value, date) and value.isoformat() in members


def _zip_in(label: str, attribute: Attribute) -> Meaning:
    """Areas by three digits; 000 stands for areas that it does not name."""
    areas = set_members(label)

    def is_meant(value: object) -> bool:
        digits = str(value).strip().split("-")[0]
        area = digits.zfill(9 if len(digits) > 5 else 5)[:3]
        return area in areas or ("000" in areas and digits.isdecimal())

    return is_meant


def _allowed_in(label: str, attribute: Attribute) -> Meaning:
    """Values as they are, years of dates, `1936 or earlier` and `90+`."""
    members = frozenset((label, *set_members(label)))
    latest = max((int(year) for one in members for year in _EARLIER.findall(one)), default=-1)

    def is_meant(value: object) -> bool:
        text = str(value)
        years = re.findall(r"(?<!\d)\d{4}(?!\d)", text) + re.findall(
            r"(?<!\d)\d{4}(?=\d{4}(?:\d{4})*(?!\d))", text
        )
        old = "90+" in members and re.search(
            r"(?<!\d)(?:9\d|1\d\d)(?!\d)|ninet|hundred|arian", text, re.IGNORECASE
        )
        return text in members or bool(old) or any(year in members or int(year) <= latest for year in years)

    return is_meant


def _name_in(label: str, attribute: Attribute) -> Meaning:
    if attribute.recoder == "zip3":
        return _zip_in(label, attribute)
    if attribute.recoder == "hipaa-values":
        return _allowed_in(label, attribute)
    alone = beside_missing(label)
    listed = set_members(label)
    # a value with braces around it is written as a set of one: no label of several stands for itself
    literal = () if len(listed) > 1 else (label,)
    members = frozenset((*literal, *listed, *names_between(alone, attribute)))
    prefix = alone[:-1] if attribute.recoder == "prefix" and alone.endswith("*") else None
    return lambda value: str(value) in members or (prefix is not None and str(value).startswith(prefix))


@lru_cache(maxsize=64)
def leaves_by_name(hierarchy: Hierarchy) -> Mapping[str, frozenset[str]]:
    """For every name of a leaf or node, the leaves that it stands for; names at several levels are united."""
    found: dict[str, set[str]] = {}
    for names, nodes in zip(hierarchy.names, hierarchy.node.tolist(), strict=True):
        for leaf, node in zip(hierarchy.leaves, nodes, strict=True):
            found.setdefault(names[node], set()).add(leaf)
    return {name: frozenset(leaves) for name, leaves in found.items()}


def leaves_below(label: str, hierarchy: Hierarchy) -> frozenset[str]:
    """Leaves of the nodes that have this name."""
    return leaves_by_name(hierarchy).get(label, frozenset())


@cache
def item_members(label: str) -> frozenset[str]:
    r"""The items of `(a,b)`, with `\` taken away; a single item stands for itself."""
    if not (label.startswith("(") and label.endswith(")")):
        return frozenset([label[1:] if label.startswith("\\") else label])
    return frozenset(map(bare, _ITEM.findall(label[1:-1])))


def split_entries(cell: str, separator: str) -> list[str]:
    """Entries of a set-valued cell; a generalized item `(a,b)` is one entry whatever the separator."""
    parts = _entry_pattern(separator).findall(cell) if "(" in cell else cell.split(separator)
    return [entry for entry in parts if entry]


@cache
def _entry_pattern(separator: str) -> re.Pattern[str]:
    # a block, with what `\` protects inside it, then anything up to the next separator
    stop = re.escape(separator)
    rest = rf"[^{stop}]*" if len(separator) == 1 else rf"(?:(?!{stop}).)*"
    return re.compile(rf"((?:\((?:\\.|[^\\)])*\))?{rest})(?:{stop}|\Z)", re.DOTALL)
