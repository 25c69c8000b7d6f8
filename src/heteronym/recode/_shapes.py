"""What recoders share: labels that follow from the outer codes of a cover, and runs of prefixes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import PlanError
from heteronym.model.person_view import Domain, LabelShape, ShapeKind
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets

SUPPRESSED = "*"
ANY = 1 << 30  # so many neighbours may one label name: as many as there are
_SPECIAL = re.compile(r"([,{}\\])")


def need_scale(domain: Domain, recoder: str, *scales: Scale) -> None:
    if domain.attribute.scale not in scales or domain.hierarchy is not None:
        wanted = " or ".join(scales)
        raise PlanError(f"attributes.{domain.name}: recode '{recoder}' needs scale {wanted} and no hierarchy")


def beside_missing(label: str) -> str:
    """A missing value beside others is an empty entry beside their label: `{,[24-36]}`."""
    return label if label == SUPPRESSED else "{," + escaped(label) + "}"


def escaped(value: str) -> str:
    r"""A member of a set, with `\` before what a set is written with; a star alone would mean withheld."""
    return r"\*" if value == SUPPRESSED else _SPECIAL.sub(r"\\\1", value)


def label_of_one(value: str) -> str:
    """A value that all of a group have; what would read as another label is written as a set of one."""
    looks_like_set = value.startswith("{") and value.endswith("}")
    looks_like_range = value.startswith("[") and value.endswith("]")
    if value == SUPPRESSED or looks_like_set or looks_like_range:
        return "{" + escaped(value) + "}"
    return value


def label_outer(
    domain: Domain,
    covers: Sets,
    between: Callable[[int, int], str],
    single: Sequence[str],
    *,
    mixes: bool = True,
) -> list[str | None]:
    """One label per cover from its lowest and highest code; each pair of codes is labelled once.

    Unless it `mixes`, nothing is told where a value is missing beside those that a label covers.
    """
    missing = domain.missing_code
    low, high, lacking = covers.outer(missing)
    pairs, number = np.unique((low * (missing + 1) + high) * 2 + lacking, return_inverse=True)
    labels: list[str | None] = []
    for pair in pairs.tolist():
        first, last = divmod(pair // 2, missing + 1)
        if first == missing:
            labels.append(None)
        else:
            is_one = first == last
            label = single[first] if is_one else between(first, last)
            if is_one and domain.hierarchy is None:  # names of a hierarchy are looked up as they are
                label = label_of_one(label)
            if pair % 2:
                text = "{," + escaped(single[first]) + "}" if is_one else beside_missing(label)
                label = text if mixes else SUPPRESSED
            labels.append(label)
    return [labels[n] for n in number.tolist()]


def run_shape(levels: NDArray[Any], position: NDArray[Any] | None = None, **more: Any) -> LabelShape:
    """For [levels, codes] numbers of nodes, ascending along codes."""
    starts = np.stack([np.searchsorted(row, row, side="left") for row in levels]).astype(np.int32)
    ends = np.stack([np.searchsorted(row, row, side="right") for row in levels]).astype(np.int32)
    place = np.arange(levels.shape[1]) if position is None else position
    return LabelShape(ShapeKind.RUN, place.astype(np.float64), starts, ends, **more)
