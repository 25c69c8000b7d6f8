"""What a release is still good for, beside its originals: for their owner, who has both.

Statistics of columns and pairs, a model that learns from either, the owner's own counts, and what is left of
terms. Exact figures of originals are in it: it is written to the owner's folder and nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError, UsageError, nearest
from heteronym.io.given import door
from heteronym.io.hierarchies import read_hierarchy
from heteronym.io.owned import open_owned, read_row_map
from heteronym.io.owner_files import write_private
from heteronym.io.plans import read_plan
from heteronym.io.recodings import ELEMENTS_FILE, PARTITION_FILE
from heteronym.io.releases import original_table
from heteronym.io.repeated import as_texts
from heteronym.io.tables import Table
from heteronym.model.plan import Plan
from heteronym.model.schema import Attribute, Role
from heteronym.report.utility import render_utility
from heteronym.run import Run
from heteronym.utility.chances import Side
from heteronym.utility.columns import Both, pairs, statistics
from heteronym.utility.learning import learned
from heteronym.utility.queries import answers
from heteronym.utility.read_cells import is_drawable, read_labels, read_values
from heteronym.utility.texts import terms_kept
from heteronym.verify.numbers import labelled

JSON_FILE, PAGE_FILE = "utility.json", "utility.html"
PLAN_FILE = "plan.json"
_LABELLED = (Role.QUASI, Role.EVENT)
_COLUMNS = (*_LABELLED, Role.SENSITIVE, Role.PLAIN)
_SETS = (Role.ITEMS, Role.TERMS, Role.TEXT)


@dataclass(frozen=True, repr=False)
class Utility:
    """Before and after in figures. Holds marginals of the originals: the owner's."""

    figures: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return dict(self.figures)

    def report(self, path: str | Path) -> Path:
        """The figures as one HTML file, for the owner."""
        Path(path).write_text(render_utility(self.figures), "utf-8")
        return Path(path)

    def _repr_html_(self) -> str:
        return render_utility(self.figures, alone=False)

    @property
    def text(self) -> str:
        lines = [f"{name}: {_moved(c)}" for name, c in self.figures["columns"].items()]
        drift = [pair["contingency_drift"] for pair in self.figures["pairs"]]
        if drift:
            lines.append(f"pairs of columns: mean drift {np.mean(drift):.3f}, largest {max(drift):.3f}")
        task = self.figures.get("learning")
        if task:
            lines.append(
                f"learning {task['target']} ({task['score']}): from the data {task['data']['mean']:.3f}, "
                f"from the release {task['release']['mean']:.3f}, by a blind guess {task['blind']:.3f}"
            )
        units = ("persons",) if self.figures["persons"] == self.figures["rows"] else ("persons", "rows")
        lines += [_answer(q["query"], unit, q[unit]) for q in self.figures["queries"] for unit in units]
        kept = self.figures["terms"].get("all")
        if kept:
            lines.append(
                f"terms and items: {100 * kept['kept_share']:.1f} % kept, "
                f"{100 * kept['information_share']:.1f} % of their information"
            )
        return "\n".join(lines) + "\n"

    def __repr__(self) -> str:
        return f"Utility({len(self.figures['columns'])} columns, {len(self.figures['queries'])} queries)"


def _moved(column: Mapping[str, Any]) -> str:
    if column["lost"]:
        return "lost, one label for everybody"
    return f"distance {column['distance']:.3f}" if "distance" in column else "labels cannot be read"


def _answer(query: str, unit: str, counts: Mapping[str, Any]) -> str:
    return (
        f"{query}: {counts['before']:,} {unit}, from the release {counts['after']:,.1f} "
        f"({counts['low']:,.1f} to {counts['high']:,.1f}), error {100 * counts['error']:.1f} % "
        f"({100 * counts['error_low']:+.1f} to {100 * counts['error_high']:+.1f})"
    )


@door
def utility(
    release: str | Path,
    *,
    against: Any,
    private: str | Path,
    target: str | None = None,
    queries: Sequence[str] = (),
    hierarchies: str | Path | None = None,
    seed: int = 0,
    delimiter: str | None = None,
    encoding: str | None = None,
    run: Run | None = None,
) -> Utility:
    """What a release is still good for, beside its originals, for their owner.

    `against` are the originals, `target` is a column to learn, `queries` are counts like "age < 30 and
    codes has 250", `hierarchies` is a folder. The figures are written to the owner's folder as well.
    """
    with (run or Run()).active() as running:
        running.tell(None, "utility")
        opened = open_owned(Path(release), Path(private))
        data = original_table(Path(release), against, delimiter=delimiter, encoding=encoding)
        where = None if hierarchies is None else Path(hierarchies)
        figures = _figures(opened, data, where, target, queries, seed)
        running.poll()
        content = json.dumps(figures, indent=1, ensure_ascii=False).encode()
        write_private(Path(private), {JSON_FILE: content, PAGE_FILE: render_utility(figures).encode()})
    return Utility(figures)


def _figures(
    opened: tuple[pl.DataFrame, Plan, Mapping[str, bytes], Path],
    data: Table,
    hierarchies: Path | None,
    target: str | None,
    queries: Sequence[str],
    seed: int,
) -> dict[str, Any]:
    written, plan, files, owners = opened
    table = labelled(written, plan)
    rows = read_row_map(owners, released=table.height, originals=data.frame.height)
    missing = _missing(owners, plan)
    original = as_texts(data.frame)
    columns = _both(table, original, plan, missing, hierarchies)
    sides = (
        _side(original, plan, columns, rows.everybody, is_labelled=False),
        _side(table, plan, columns, rows.person, is_labelled=True),
    )
    figures: dict[str, Any] = {
        "persons": {"before": len(np.unique(rows.everybody)), "after": len(np.unique(rows.person))},
        "rows": {"before": original.height, "after": table.height},
        "columns": {column.name: statistics(column) for column in columns},
        "pairs": pairs(columns),
        "queries": answers(queries, *sides),
        "terms": _terms(owners),
        "texts": _texts(files),
    }
    if target is not None:
        chosen = next((column for column in columns if column.name == target), None)
        if chosen is None:
            known = [column.name for column in columns]
            raise UsageError(f"--target: no such column in both tables.{nearest(target, known)}")
        figures["learning"] = learned(chosen, columns, rows.source, rows.everybody, seed=seed)
    return figures


def _missing(owners: Path, plan: Plan) -> frozenset[str]:
    known = owners / PLAN_FILE
    return frozenset((read_plan(known) if known.is_file() else plan).data.missing)


def _both(
    table: pl.DataFrame,
    original: pl.DataFrame,
    plan: Plan,
    missing: frozenset[str],
    hierarchies: Path | None,
) -> list[Both]:
    found = []
    for name, attribute in plan.attributes.items():
        if attribute.role not in _COLUMNS:
            continue
        if name not in original.columns:
            raise InputError(f"the data has no column '{name}', which the release has")
        if not all(is_drawable(frame[name].dtype) for frame in (table, original)):
            continue
        before = read_values(original[name], _as_scaled(attribute, original[name]), missing)
        known = [text for text in before.texts if text is not None] if before.kind == "names" else []
        tree = None
        if attribute.hierarchy is not None and hierarchies is not None and attribute.role in _LABELLED:
            tree = read_hierarchy(hierarchies / attribute.hierarchy)
        after = (
            read_labels(table[name], attribute, known=known, hierarchy=tree)
            if attribute.role in _LABELLED
            else read_values(table[name], _as_scaled(attribute, original[name]), missing)
        )
        found.append(Both.of(before, after))
    return found


def _as_scaled(attribute: Attribute, cells: pl.Series) -> Attribute:
    """Columns that are released as they were need no scale in a plan; numbers are numbers all the same."""
    if attribute.role in _LABELLED or not cells.dtype.is_numeric():
        return attribute
    return attribute.model_copy(update={"scale": "numeric"})


def _side(
    frame: pl.DataFrame,
    plan: Plan,
    columns: Sequence[Both],
    person: NDArray[np.int64],
    *,
    is_labelled: bool,
) -> Side:
    cells = {column.name: column.after if is_labelled else column.before for column in columns}
    sets = {
        name: (frame[name], attribute.role, attribute.separator or " ")
        for name, attribute in plan.attributes.items()
        if attribute.role in _SETS and name in frame.columns
    }
    return Side(cells, sets, person, is_labelled)


def _terms(owners: Path) -> dict[str, dict[str, float]]:
    try:
        elements = pl.read_parquet(owners / ELEMENTS_FILE)
        persons = pl.read_parquet(owners / PARTITION_FILE).height
    except (OSError, pl.exceptions.PolarsError):
        raise InputError(f"{owners}: {ELEMENTS_FILE} or {PARTITION_FILE} cannot be read") from None
    if "holders" not in elements.columns:
        raise InputError(f"{owners / ELEMENTS_FILE}: was written by an older version")
    return terms_kept(elements, persons)


def _texts(files: Mapping[str, bytes]) -> dict[str, Any]:
    """What the facts of the release say of its texts."""
    try:
        fates = dict(json.loads(files.get("facts.json", b"{}")).get("fates", {}))
    except (ValueError, AttributeError, TypeError):
        raise InputError("facts.json cannot be read") from None
    return {name: fates[name] for name in ("words", "mentions") if name in fates}
