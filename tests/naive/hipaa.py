"""Safe Harbor cell by cell, as one would do it by hand."""

from __future__ import annotations

SPARSE = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split()


def year(day: str | None, as_of: int) -> str | None:
    if day is None:
        return None
    told = int(day[:4])
    return f"{as_of - 90} or earlier" if told <= as_of - 90 else str(told)


def age(years: int | None) -> str | None:
    return None if years is None else "90+" if years > 89 else str(years)


def area(code: str | None) -> str | None:
    if code is None:
        return None
    digits = code.replace("-", "")
    if not digits.isdigit() or len(digits) > 9:
        return "*"
    first = digits.rjust(9 if len(digits) > 5 else 5, "0")[:3]
    return "000" if first in SPARSE else first
