"""What recoders share: labels that follow from the outer codes of a cover, and runs of prefixes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import PlanError
from heteronym.model.person_view import Domain
from heteronym.model.schema import Scale
from heteronym.model.sets import Sets

SUPPRESSED = "*"
ANY = 1 << 30  # so many neighbours may one label name: as many as there are
_SPECIAL = re.compile(r"([,{}\\])")
NO_RUNS: NDArray[np.int32] = np.zeros((1, 0), np.int32)


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


def label_outer(
    domain: Domain,
    covers: Sets,
    between: Callable[[int, int], str],
    single: Sequence[str],
    *,
    mixed: Callable[[str], str] = beside_missing,
) -> list[str | None]:
    """One label per cover from its lowest and highest code; each pair of codes is labelled once.

    `mixed` makes of a label what it is where a value is missing beside those that it covers.
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
            label = single[first] if first == last else between(first, last)
            labels.append(mixed(label) if pair % 2 else label)
    return [labels[n] for n in number.tolist()]


def runs_of(nodes: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For [levels, codes] node numbers, ascending along codes: first code and end of each code's node."""
    starts = np.empty(nodes.shape, np.int32)
    ends = np.empty(nodes.shape, np.int32)
    for level, row in enumerate(nodes):
        starts[level] = np.searchsorted(row, row, side="left")
        ends[level] = np.searchsorted(row, row, side="right")
    return starts, ends
