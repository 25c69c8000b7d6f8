"""What recoders share: labels that follow from the outer codes of a cover, and runs of prefixes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import PlanError
from heteronym.model.person_view import Domain, Sets
from heteronym.model.schema import Scale

SUPPRESSED = "*"
NO_RUNS: NDArray[np.int32] = np.zeros((1, 0), np.int32)


def need_scale(domain: Domain, recoder: str, *scales: Scale) -> None:
    if domain.attribute.scale not in scales or domain.hierarchy is not None:
        wanted = " or ".join(scales)
        raise PlanError(f"attributes.{domain.name}: recode '{recoder}' needs scale {wanted} and no hierarchy")


def value_texts(domain: Domain) -> list[str]:
    """Each value as it is released when it stands alone; numbers without exponent or trailing zeros."""
    if np.issubdtype(domain.values.dtype, np.floating):
        return [np.format_float_positional(value, trim="-") for value in domain.values]
    return [str(value) for value in domain.values]


def label_outer(
    domain: Domain,
    covers: Sets,
    between: Callable[[int, int], str],
    single: Sequence[str],
    mixed: str,
) -> list[str | None]:
    """One label per cover from its lowest and highest code; each pair of codes is labelled once."""
    missing = domain.missing_code
    low = covers.codes[covers.ptr[:-1]]
    high = covers.codes[covers.ptr[1:] - 1]
    pairs, number = np.unique(low.astype(np.int64) * (missing + 1) + high, return_inverse=True)
    labels: list[str | None] = []
    for first, last in zip((pairs // (missing + 1)).tolist(), (pairs % (missing + 1)).tolist(), strict=True):
        if first == missing:
            labels.append(None)
        elif last == missing:
            labels.append(mixed)
        elif first == last:
            labels.append(single[first])
        else:
            labels.append(between(first, last))
    return [labels[n] for n in number.tolist()]


def runs_of(nodes: NDArray[np.int64]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For [levels, codes] node numbers, ascending along codes: first code and end of each code's node."""
    starts = np.empty(nodes.shape, np.int32)
    ends = np.empty(nodes.shape, np.int32)
    for level, row in enumerate(nodes):
        starts[level] = np.searchsorted(row, row, side="left")
        ends[level] = np.searchsorted(row, row, side="right")
    return starts, ends
