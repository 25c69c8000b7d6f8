"""How released labels are written: members of sets, what stands beside `*` or a missing value, periods.

Written from the description of the release format alone; it shares nothing with the recoders. Which
values a label is true of says `verify.labels`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from heteronym.model.schema import Attribute, Scale

_NAMES = re.compile(r"\[((?:\\.|[^\\-])+)-((?:\\.|[^\\-])+)\]", re.DOTALL)
_MEMBER = re.compile(r"(?:^|,)((?:\\.|[^,\\])*)", re.DOTALL)
_PERIOD = r"\d{4}(?:-Q[1-4]|-\d\d(?:-\d\d)?)?"
_PERIODS = re.compile(rf"\[({_PERIOD})-({_PERIOD})\]|({_PERIOD})")


def set_members(label: str) -> list[str]:
    r"""The members of `{a,b}`, with `\` taken away; a label without braces is its own only member."""
    if not (label.startswith("{") and label.endswith("}")):
        return [label]
    if "\\" not in label:
        return label[1:-1].split(",")
    return [bare(member) for member in _MEMBER.findall(label[1:-1])]


def bare(text: str) -> str:
    r"""A name as it was, before `\` protected parts of it."""
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def is_starred(label: str | None) -> bool:
    """Whether a label says that some who show it withhold their value: `{*,x}`, `{,*,x}`, `{,*}`."""
    return label is not None and label.startswith(("{*,", "{,*,", "{,*}")) and label.endswith("}")


def unstarred(label: str | None) -> str | None:
    """What a label says of those who do not withhold their value; any other label as it is."""
    if label is None or not is_starred(label):
        return label
    if label.startswith("{*,"):
        alone = set_members("{" + label[3:])
        return alone[0] if len(alone) == 1 else "{" + label[3:]
    return "{," + label[4:] if label.startswith("{,*,") else None


def beside_missing(label: str) -> str:
    """What stands beside the empty entry of `{,x}`; any other label as it is."""
    members = set_members(label)
    return members[1] if len(members) == 2 and not members[0] and label.startswith("{") else label


def period_ends(label: str) -> tuple[str, str] | None:
    """What no day of a date's label stands before, and none behind, as texts; None if it is no period."""
    periods = _PERIODS.fullmatch(beside_missing(label))
    if periods is None:
        return None
    return ends_of(periods[1] or periods[3])[0], ends_of(periods[2] or periods[3])[1]


def ends_of(period: str) -> tuple[str, str]:
    """What no day of a period stands before, and none behind: days of equal length compare as texts."""
    first = last = period
    if "Q" in period:
        first, last = (f"{period[:4]}-{int(period[-1]) * 3 - back:02}" for back in (2, 0))
    return first, last if len(last) == 10 else last + "-99"


def names_between(label: str, attribute: Attribute) -> Sequence[str]:
    r"""The names of `[low-high]` in the plan's order; `\` stands before `-` and `\` inside a name."""
    found = _NAMES.fullmatch(label)
    if attribute.scale is not Scale.ORDINAL or found is None:
        return ()
    low, high = map(bare, found.groups())
    if low not in attribute.order or high not in attribute.order:
        return ()
    return attribute.order[attribute.order.index(low) : attribute.order.index(high) + 1]
