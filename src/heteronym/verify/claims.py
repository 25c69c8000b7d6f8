"""Compares what facts.json and the report claim with what the released files show.

Every figure that the table and the plan can tell is computed again here, with code of the auditor's own.
Whether rows are counted or persons, a claim must not be better than what the files show; figures that only
originals can tell are left to the owner, whose folder holds a keyed digest of facts, report and plan.

Cost        O(rows)
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.plan import Plan
from heteronym.model.release import Check, Verdict
from heteronym.model.schema import Role
from heteronym.registry import privacy_models
from heteronym.verify.values import cell_text, coded

_CLOSE = 1e-6
_SPAN = re.compile(r'<span data-fact="([^"]*)">([^<]*)</span>')
_NUMBER = re.compile(r"-?[\d,]*\.?\d+(?:e[-+]?\d+)?")
# lower for persons than for rows: classes of persons are no larger than those of rows
_LEAST_BY_ROWS = ("prosecutor", "marketer", "linkability", "unique", "singling_out")


def claim_checks(
    facts: Any, report: bytes | None, table: pl.DataFrame, plan: Plan, verdict: Verdict, sizes: Sizes
) -> list[Check]:
    """Whether facts.json and report.html say what the files show; `verdict` is what was found just now."""
    if not isinstance(facts, Mapping):
        return [Check("facts", False, "facts.json cannot be read as what is claimed of a release")]
    wrong = [
        *_verdict_claims(facts, plan, sizes),
        *_data_claims(facts, table, plan, sizes),
        *_group_claims(facts, sizes),
        *_risk_claims(facts, verdict),
        *_cell_claims(facts, table, plan),
        *_method_claims(facts, plan),
    ]
    found = [
        _checked("facts", "facts.json", wrong, "facts.json says what the files show, as far as they tell")
    ]
    if report is not None:
        said = [*_report_claims(facts, report)]
        found.append(
            _checked("report", "report.html", said, "the figures of the report are those of facts.json")
        )
    return found


def _checked(name: str, file: str, wrong: list[str], fine: str) -> Check:
    if not wrong:
        return Check(name, True, fine)
    more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
    return Check(name, False, f"{file} is not true of the released files: {', '.join(wrong[:5])}{more}")


class Sizes:
    """Classes of equal quasi labels, counted in rows, and in persons where they are known."""

    def __init__(self, group_of_row: NDArray[np.int64], person: NDArray[np.int64] | None) -> None:
        self.rows = np.bincount(group_of_row) if len(group_of_row) else np.zeros(0, np.int64)
        self.persons: NDArray[np.int64] | None = None
        self.people: int | None = None
        if person is not None and len(group_of_row):
            pairs = pl.DataFrame({"group": group_of_row, "person": person}).unique()
            self.persons = np.bincount(pairs["group"].to_numpy(), minlength=len(self.rows))
            self.people = pairs["person"].n_unique()

    @property
    def classes(self) -> NDArray[np.int64]:
        """By persons if that is known, else by rows, of which there are at least as many."""
        return self.rows if self.persons is None else self.persons


def _get(facts: Any, *way: str) -> Any:
    for step in way:
        facts = facts.get(step) if isinstance(facts, Mapping) else None
    return facts


def _number(facts: Any, *way: str) -> float | None:
    found = _get(facts, *way)
    is_number = isinstance(found, (int, float)) and not isinstance(found, bool) and math.isfinite(found)
    return float(found) if is_number else None


# --- the verdict and the data -----------------------------------------------------------------------


def _verdict_claims(facts: Any, plan: Plan, sizes: Sizes) -> Iterator[str]:
    models = _get(facts, "verdict", "models")
    models = models if isinstance(models, list) else []
    holds = [_get(model, "holds") for model in models]
    checks = _get(facts, "verdict", "checks")
    failed = [c for c in checks if _get(c, "holds") is False] if isinstance(checks, list) else [None]
    if _get(facts, "verdict", "holds") is not (bool(holds) and all(h is True for h in holds) and not failed):
        yield "verdict.holds"
    promised = [(model.name, dict(model.parameters)) for model in plan.privacy]
    for place, model in enumerate(models):
        name, given = _get(model, "model"), _get(model, "parameters")
        if place >= len(promised) or name != promised[place][0] or not isinstance(given, Mapping):
            yield f"verdict.models.{place}"
            continue
        wanted = promised[place][1]
        if any(str(given.get(key)) != str(value) for key, value in wanted.items() if key in given):
            yield f"verdict.models.{place}.parameters"
        smallest, most = _number(model, "smallest_group"), sizes.classes.sum()
        if getattr(privacy_models.get(str(name)), "smallest_group_is_a_class", False):
            most = sizes.classes.min(initial=most)
        if smallest is None or smallest > most:
            yield f"verdict.models.{place}.smallest_group"
    if len(models) != len(promised):
        yield "verdict.models"


def _data_claims(facts: Any, table: pl.DataFrame, plan: Plan, sizes: Sizes) -> Iterator[str]:
    rows, persons, gone = (_number(facts, "data", name) for name in ("rows", "persons", "persons_left_out"))
    if rows is None or persons is None or gone is None:
        yield "data"
        return
    if rows < table.height or (gone == 0) != (rows == table.height):
        yield "data.rows"
    if gone < 0 or gone > plan.release.suppress_up_to * persons + _CLOSE:
        yield "data.persons_left_out"
    shown = persons - gone
    if shown > table.height or (sizes.people is not None and shown != sizes.people) or persons > rows:
        yield "data.persons"
    if plan.data.person is None and persons != rows:
        yield "data.persons"
    if _get(facts, "data", "title") != plan.data.title:
        yield "data.title"


def _group_claims(facts: Any, sizes: Sizes) -> Iterator[str]:
    """Groups that show the same labels are one class: there are at most as many of these, and no smaller."""
    claimed = _get(facts, "measures", "groups")
    if not isinstance(claimed, Mapping) or not len(sizes.classes):
        if len(sizes.rows):
            yield "measures.groups"
        return
    count, mean, least, most = (_number(claimed, name) for name in ("count", "mean", "min", "max"))
    bars = claimed.get("histogram")
    if count is None or mean is None or least is None or most is None or not isinstance(bars, Mapping):
        yield "measures.groups"
        return
    try:
        size, many = (np.array([*map(int, part)], np.float64) for part in (bars.keys(), bars.values()))
    except (TypeError, ValueError):
        yield "measures.groups.histogram"
        return
    persons = float((size * many).sum())
    shown = (_number(facts, "data", "persons") or 0) - (_number(facts, "data", "persons_left_out") or 0)
    if not len(size) or many.sum() != count or persons != shown:
        yield "measures.groups.histogram"
        return
    if count < (sizes.classes > 0).sum():
        yield "measures.groups.count"
    if not _near(mean, persons / count):
        yield "measures.groups.mean"
    spread = math.sqrt(max(float((many * (size - persons / count) ** 2).sum()) / count, 0.0))
    if not _near(_number(claimed, "std"), spread):
        yield "measures.groups.std"
    if least != size.min() or least > sizes.classes[sizes.classes > 0].min():
        yield "measures.groups.min"
    if most != size.max() or most > sizes.classes.max():
        yield "measures.groups.max"


def _near(a: float | None, b: float, *, digits: float = _CLOSE) -> bool:
    return a is not None and abs(a - b) <= digits * max(abs(a), abs(b), 1.0)


# --- risk, cells, method ----------------------------------------------------------------------------


def _risk_claims(facts: Any, verdict: Verdict) -> Iterator[str]:
    """Risk as it was computed when the release was made; never below what the files show."""
    by_rows = verdict.unit == "rows" and _get(facts, "verdict", "unit") == "persons"
    for name, found in verdict.risk.items():
        after, said = (
            _number(facts, "measures", "risk", name, "after"),
            _number(facts, "verdict", "risk", name),
        )
        loose = 0.01 if name == "population_unique" else _CLOSE
        if by_rows and name not in _LEAST_BY_ROWS:
            continue
        for way, claim in (("measures.risk", after), ("verdict.risk", said)):
            if claim is not None and claim < found - loose * max(found, 1.0):
                yield f"{way}.{name}"
        if not by_rows and said is not None and not _near(said, found, digits=loose):
            yield f"verdict.risk.{name}"
    claim = _get(facts, "verdict", "risk")
    if verdict.risk and not (isinstance(claim, Mapping) and set(verdict.risk) <= set(claim)) and not by_rows:
        yield "verdict.risk"


def _cell_claims(facts: Any, table: pl.DataFrame, plan: Plan) -> Iterator[str]:
    fates = _get(facts, "fates", "cells")
    gone = (_number(facts, "data", "rows") or 0) - table.height
    for name, attribute in plan.attributes.items():
        if attribute.role is not Role.QUASI or name not in table.columns or name in plan.in_numbers:
            continue
        claimed = _get(fates, name)
        labels = coded(table[name]).mapped(cell_text)
        often = np.bincount(labels.code, minlength=len(labels.values))
        starred = sum(int(n) for label, n in zip(labels.values, often, strict=True) if label == "*")
        missing = sum(int(n) for label, n in zip(labels.values, often, strict=True) if label in (None, ""))
        shown = [_number(claimed, key) or 0 for key in ("kept", "generalized", "withheld")]
        expected = {"suppressed": starred, "missing": missing, "left_out": gone}
        wrong = [key for key, count in expected.items() if _number(claimed, key) != count]
        if sum(shown) != table.height - starred - missing or min(shown) < 0:
            wrong.append("kept")
        yield from (f"fates.cells.{name}.{key}" for key in wrong)
    for kind in ("items", "events", "terms", "mentions"):
        for name, one in (_get(facts, "fates", kind) or {}).items():
            counts = [_number(one, key) for key in one] if isinstance(one, Mapping) else [None]
            if None in counts or 2 * (_number(one, "found") or 0) != sum(c for c in counts if c is not None):
                yield f"fates.{kind}.{name}"


def _method_claims(facts: Any, plan: Plan) -> Iterator[str]:
    method = _get(facts, "method")
    if _get(method, "partition", "method") != plan.partition.name:
        yield "method.partition"
    given = plan.partition.parameters
    if any(_get(method, "partition", key) != value for key, value in given.items()):
        yield "method.partition"
    if _get(method, "seed") != plan.seed:
        yield "method.seed"
    claimed = _get(method, "privacy")
    if claimed != [model.model_dump() for model in plan.privacy]:
        yield "method.privacy"
    for key, wanted in (
        ("recode", plan.recode.model_dump(mode="json")),
        ("release", plan.release.model_dump()),
    ):
        if _get(method, key) != wanted:
            yield f"method.{key}"
    columns = _get(method, "attributes")
    if not isinstance(columns, Mapping) or set(columns) != set(plan.attributes):
        yield "method.attributes"
        return
    for name, attribute in plan.attributes.items():
        if (_get(columns, name, "role"), _get(columns, name, "scale")) != (attribute.role, attribute.scale):
            yield f"method.attributes.{name}"


# --- the report -------------------------------------------------------------------------------------


def _report_claims(facts: Any, report: bytes) -> Iterator[str]:
    """Figures that the page marks with their place in facts.json, read off and compared."""
    page = report.decode("utf-8", "replace")
    seen = _SPAN.findall(page)
    if not seen:
        yield "it marks no figure"
    for pointer, said in seen:
        steps = [s.replace("~1", "/").replace("~0", "~") for s in html.unescape(pointer).split("/")[1:]]
        claimed = _at(facts, steps)
        shown = _NUMBER.search(html.unescape(said))
        if claimed is None or shown is None or not _reads_as(claimed, shown[0], percent="%" in said):
            yield html.unescape(pointer)[:80]


def _at(facts: Any, steps: list[str]) -> float | None:
    for step in steps:
        if isinstance(facts, list) and step.isdecimal() and int(step) < len(facts):
            facts = facts[int(step)]
        else:
            facts = facts.get(step) if isinstance(facts, Mapping) else None
    return _number({"": facts}, "")


def _reads_as(claimed: float, shown: str, *, percent: bool) -> bool:
    """Whether a figure of three digits stands for a number."""
    said, value = float(shown.replace(",", "")), claimed * (100 if percent else 1)
    return abs(said - value) <= max(0.006 * abs(value), 1e-6)
