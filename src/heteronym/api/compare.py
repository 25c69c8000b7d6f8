"""A comparison from start to end: settings, runs, table, page; and the plan of a run that was picked.

The folder belongs to the owner of the data: it says much about them (exact losses of many settings), but it
holds no value and no text of theirs. Nothing in it was audited or released; `anonymize` with the plan
of a run does both.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import polars as pl
import yaml

from heteronym import registry
from heteronym.comparing.front import advice, best_by_promise, front_of, knee_of, recommendation
from heteronym.comparing.grid import Setting, same_values, settings, values_of
from heteronym.comparing.runs import Facts, Kept, carry_out
from heteronym.comparing.table import frame_of, rows_of
from heteronym.comparing.trial import ROWS, WORDS, sample_of
from heteronym.databases.address import is_address
from heteronym.errors import InputError, OutputError, UsageError
from heteronym.io.given import PlanLike, as_frames, door, paths_in, plan_and_folder, read_given
from heteronym.io.mentions import read_mentions
from heteronym.io.tables import Table
from heteronym.model.dataset import Dataset
from heteronym.model.plan import Plan
from heteronym.model.schema import Role
from heteronym.pipeline import make_dataset
from heteronym.report.comparison import render_comparison
from heteronym.run import Run

FILE = "comparison.json"
TABLES = ("comparison.csv", "comparison.parquet")
PAGE = "comparison.html"
RUNS = "runs"
_VERSION = 1


@dataclass(frozen=True, repr=False, eq=False)
class Comparison:
    """The runs of a grid: `table` has a row for each, `front` those that no other run beats."""

    settings: tuple[Setting, ...]
    rows: tuple[Mapping[str, Any], ...]
    histograms: Mapping[int, Mapping[str, int]]  # run -> size of a group -> how many

    @property
    def table(self) -> pl.DataFrame:
        return frame_of(self.rows)

    @property
    def front(self) -> list[int]:
        """Numbers of the runs that no other run beats in both chance and loss."""
        return [int(row["run"]) for row in front_of(self._done)]

    @property
    def recommended(self) -> int | None:
        knee = knee_of(front_of(self._done))
        return None if knee is None else int(knee["run"])

    @property
    def recommendation(self) -> list[str]:
        return recommendation(self.rows, self.promised)

    @property
    def promised(self) -> list[str]:
        """Settings that change what is promised, and not only how it is kept."""
        names = list(dict.fromkeys(name for setting in self.settings for name in setting.values))
        return [name for name in names if any(_promises(setting.plan, name) for setting in self.settings)]

    @property
    def _done(self) -> list[Mapping[str, Any]]:
        return [row for row in self.rows if row["kind"] == "run" and row["status"] == "done"]

    def plan(self, run: int | str) -> Plan:
        """The plan of a run: its number, `recommended`, or its settings (`k=5,relational_weight=0.3`)."""
        return picked(self.settings, run, self.recommended).plan

    def report(self, path: str | Path) -> Path:
        """The comparison as one HTML file."""
        path = Path(path)
        path.write_text(self.report_text(), "utf-8")
        return path

    def report_text(self) -> str:
        return render_comparison(self.page_data())

    def page_data(self) -> dict[str, Any]:
        """All that the page draws."""
        return {
            "rows": list(self.rows),
            "names": list(dict.fromkeys(name for setting in self.settings for name in setting.values)),
            "promised": self.promised,
            "front": self.front,
            "recommended": self.recommended,
            "recommendation": self.recommendation,
            "best": best_by_promise(self.rows, self.promised),
            "advice": advice(self.rows, self.promised),
            "histograms": self.histograms,
        }

    def _repr_html_(self) -> str:
        said = "".join(f"<li>{escape(line)}</li>" for line in self.recommendation)
        return f"<p>{len(self._done)} runs, {len(self.front)} on the front.</p><ul>{said}</ul>"

    def __repr__(self) -> str:
        return f"Comparison({len(self.rows)} runs, {len(self.front)} on the front)"


@door
def compare(
    data: Any,
    plan: PlanLike,
    *,
    output: str | Path | None = None,
    mentions: str | Path | None = None,
    cache: str | Path | None = None,
    paths: Mapping[str, Any] | None = None,
    overwrite: bool = False,
    processes: int = 0,
    sample: bool = False,
    run: Run | None = None,
    **options: Any,
) -> Comparison:
    """What settings cost, side by side: `compare(df, plan, k=[2, 5, 10], relational_weight="0:1:0.1")`.

    Options are plan values as for `anonymize`, each with one value, a list, or a text like `2,5,10` and
    `0:1:0.1` (both ends included); `paths` names any other plan value: {"attributes.age.weight": [1, 2]}.
    `output` is a folder for table and page; a comparison that was stopped goes on there. `sample` compares
    on some persons alone, drawn at random: fast, and more is lost than on all. Nothing is released: the
    plan of a run, `comparison.plan(7)`, is for `anonymize`.
    """
    made, folder = plan_and_folder(plan)
    run = run or Run()
    run.folder, run.cache = run.folder or folder, None if cache is None else Path(cache)
    beside, named = run.folder, [] if any(map(is_address, paths_in(data))) else paths_in(data)
    tables: dict[str, Table] = {}

    def table_of(one: Plan) -> Table:
        key = one.data.model_dump_json()
        if key not in tables:
            table = read_given(as_frames(data, one.attributes), one.data)[0]
            tables[key] = _some_of(table, one) if sample else table
        return tables[key]

    def dataset_of(one: Plan) -> Dataset:
        return make_dataset(table_of(one), one, folder=beside)

    if sample and mentions is not None:
        raise UsageError("mentions are those of all rows, and a sample has only some: leave one of them out")
    found = None if mentions is None else read_mentions(Path(mentions), dataset_of(made))
    grid, target = settings(made, options, paths or {}), None if output is None else Path(output)
    if target is not None:
        _make_ready(target, overwrite=overwrite)
    inputs = digest_of(named or table_of(made), made, beside, mentions)
    kept = Kept(None if target is None else target / RUNS, f"{inputs}-sample" if sample else inputs)
    with run.active():
        facts = carry_out(grid, dataset_of, kept=kept, run=run, mentions=found, processes=processes)
        result = Comparison(tuple(grid), tuple(rows_of(grid, facts)), _histograms(grid, facts))
        if target is not None:
            with run.step("report"):
                _write(result, target, made, options, paths or {})
    return result


def _some_of(table: Table, plan: Plan) -> Table:
    """Persons drawn at random, until there is enough to tell plans apart."""
    texts = [name for name in plan.named(Role.TEXT) if name in table.frame.columns]
    return sample_of(table, plan.data.person, texts, words=4 * WORDS, rows=2 * ROWS).table


def _histograms(grid: Sequence[Setting], facts: Sequence[Facts]) -> dict[int, Mapping[str, int]]:
    return {
        setting.number: found["measures"]["groups"]["histogram"]
        for setting, found in zip(grid, facts, strict=True)
        if found["status"] == "done" and "groups" in found["measures"]
    }


# --- the folder -----------------------------------------------------------------------------------


def _make_ready(folder: Path, *, overwrite: bool) -> None:
    """A folder of one's own, or that of an earlier comparison, which is continued."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise OutputError(f"{folder}: exists and is not a folder")
    if folder.is_dir():
        foreign = [path.name for path in folder.iterdir() if path.name not in {FILE, *TABLES, PAGE, RUNS}]
        foreign = [name for name in foreign if not (name.startswith("plan-") and name.endswith(".yaml"))]
        if foreign:
            raise OutputError(f"{folder}: holds other files than those of a comparison")
        if overwrite and (folder / RUNS).is_dir():
            for path in (folder / RUNS).glob("*.json"):
                path.unlink()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _write(
    found: Comparison, folder: Path, plan: Plan, options: Mapping[str, Any], paths: Mapping[str, Any]
) -> None:
    table = found.table
    table.write_csv(folder / TABLES[0])
    table.write_parquet(folder / TABLES[1])
    found.report(folder / PAGE)
    content = {
        "version": _VERSION,
        "plan_hash": plan.hash,
        "options": {name: values_of(v, name) for name, v in options.items() if v is not None},
        "paths": {path: values_of(given, path) for path, given in paths.items()},
        "front": found.front,
        "recommended": found.recommended,
        "recommendation": found.recommendation,
    }
    (folder / FILE).write_text(json.dumps(content, indent=1, ensure_ascii=False), "utf-8")


def pick(folder: Path, plan: Plan, beside: Path, which: int | str) -> Path:
    """Writes the plan of a run of an earlier comparison into its folder; `beside` is where `plan` lies."""
    try:
        content = json.loads((folder / FILE).read_text("utf-8"))
        known, options, paths = content["plan_hash"], content["options"], content["paths"]
        best = content["recommended"]
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{folder}: holds no comparison that can be read") from None
    if known != plan.hash:
        raise InputError(f"{folder}: was made with another plan than the one given")
    return write_picked(folder, picked(settings(plan, options, paths), which, best), beside)


def write_picked(folder: Path, setting: Setting, beside: Path) -> Path:
    path = folder / f"plan-{setting.number}.yaml"
    content = setting.plan.to_dict()
    # Files that a plan names are looked for beside it: they must be found from its new place.
    way = os.path.relpath(beside.resolve(), folder.resolve())
    for attribute in content["attributes"].values():
        if "hierarchy" in attribute:
            attribute["hierarchy"] = _moved(attribute["hierarchy"], way)
    text = content.get("text", {})
    for kind, name in text.get("words", {}).items():
        text["words"][kind] = _moved(name, way)
    for key in ("allow", "deny"):
        if key in text:
            text[key] = [f"@{_moved(v[1:], way)}" if v.startswith("@") else v for v in text[key]]
    path.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True), "utf-8")
    return path


def _moved(name: str, way: str) -> str:
    return name if Path(name).is_absolute() else str(Path(way) / name)


def picked(grid: Sequence[Setting], which: int | str, recommended: int | None) -> Setting:
    """By number, by the word `recommended`, or by settings; there must be one."""
    runs = [setting for setting in grid if not setting.baseline]
    given = str(which).strip()
    if given == "recommended" and recommended is not None:
        given = str(recommended)
    if given.isdigit():
        found = [setting for setting in runs if setting.number == int(given)]
    elif "=" in given:
        wanted = dict(part.split("=", 1) for part in given.split(",") if "=" in part)
        asked = {name.strip().replace("-", "_"): values_of(v, name)[0] for name, v in wanted.items()}
        found = [setting for setting in runs if same_values(setting.values, asked)]
    else:
        raise UsageError("pick a run by its number, by its settings (k=5,method=gdf), or `recommended`")
    if len(found) != 1:
        many = "no run" if not found else f"{len(found)} runs"
        raise UsageError(f"pick: {many} of {len(runs)} {'has' if len(found) < 2 else 'have'} these settings")
    return found[0]


# --- what the runs depend on ----------------------------------------------------------------------


def digest_of(
    data: Sequence[str | Path] | Table, plan: Plan, folder: Path, mentions: str | Path | None
) -> str:
    """Changes with the data, and with every file that the plan or the caller names."""
    digest = hashlib.sha256()
    if isinstance(data, Table):
        digest.update(_frame_digest(data.frame))
    else:
        for path in data:
            digest.update(_file_digest(Path(path)))
    named = [attribute.hierarchy for attribute in plan.attributes.values() if attribute.hierarchy]
    named += [*plan.text.words.values()]
    named += [value[1:] for value in (*plan.text.allow, *plan.text.deny) if value.startswith("@")]
    for name in named:
        digest.update(_file_digest(folder / name))
    if mentions is not None:
        digest.update(_file_digest(Path(mentions)))
    return digest.hexdigest()


def _file_digest(path: Path) -> bytes:
    if not path.is_file():  # standard input, or what reading will refuse
        return secrets.token_bytes(32)
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _frame_digest(frame: pl.DataFrame) -> bytes:
    try:
        rows = frame.hash_rows(seed=0).to_numpy().tobytes()
    except (pl.exceptions.PolarsError, TypeError):  # cells of no plain kind: nothing is taken for known
        return secrets.token_bytes(32)
    return hashlib.sha256(str(frame.schema).encode() + rows).digest()


def _promises(plan: Plan, name: str) -> bool:
    """Whether a value belongs to a privacy model, leaves persons out or withholds cells."""
    shares = ("suppress_up_to", "suppress_cells_up_to")
    if name.split(".")[0] == "privacy" or name.removeprefix("release.") in shares:
        return True
    return any(registry.privacy_models.has(model.name, name) for model in plan.privacy)
