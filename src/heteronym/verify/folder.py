"""A release folder as an outsider finds it, or its owner: everything that is there is read and compared.

The owner's plan counts, not the one in the release; the owner's files are bound to the release, to each other
and to the data by digests. What differs is a failed check, what could not be looked at is named.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.databases.address import Address
from heteronym.errors import HeteronymError, InputError
from heteronym.model.plan import DataPlan, Plan
from heteronym.model.release import Check, Verdict
from heteronym.model.schema import Role
from heteronym.verify.audit import audit
from heteronym.verify.claims import Sizes, claim_checks
from heteronym.verify.csv_reader import read_csv
from heteronym.verify.database_reader import content_of, read_database
from heteronym.verify.evidence import EDITS_FILE, MENTIONS_FILE, Evidence, read_edits, read_mentions
from heteronym.verify.forms import BLANKS
from heteronym.verify.groups import class_of_row, numbered
from heteronym.verify.numbers import labelled
from heteronym.verify.originals import Originals
from heteronym.verify.plain_json import read_json
from heteronym.verify.promises import differing_keys, is_reduced, owners_promise, released_promise
from heteronym.verify.risk import claimed_risk
from heteronym.verify.sweep import files_check
from heteronym.verify.tables import (
    KNOWN,
    Source,
    read_data,
    read_table,
    readers_check,
    with_numbers_that_stay,
)
from heteronym.verify.trees import read_trees
from heteronym.verify.unlinked import compare_unlinked
from heteronym.verify.values import number_persons
from heteronym.verify.withheld import claimed_cells

BOUND_FILE = "release.json"
ROWS_FILE = "rows.csv"
PLAN_FILE = "plan.json"
TREES_FILE = "hierarchies.json"
SECRET_FILE = "secret"
TABLE_FILE = "data.table"  # what digests call rows that lie in a database


Draw = Callable[[Any, pl.DataFrame, Plan], str | None]


@dataclass(repr=False)
class Owner:
    """The files of the owner's folder, and what is wrong with them."""

    folder: Path
    files: Mapping[str, bytes]
    bound: Mapping[str, Any] | None
    differing: list[str] = field(default_factory=list)
    is_sealed: bool = False


def verify_release(
    folder: Path,
    *,
    against: Any = None,
    private: Path | None = None,
    how: DataPlan | None = None,
    stored: Address | None = None,
    draw: Draw | None = None,
) -> Verdict:
    """Audit a release folder with as much as the caller has: nothing, the owner's files, the data.

    `stored` is where the released rows are, if that is a database; `how` is what is said of the original data
    beside the plan.

    `against` is a file, a frame, or several of them as the plan joins them. `draw` makes a report of facts, a
    released table and a plan: with it the report is compared word by word, otherwise by its figures.
    """
    files, others = _read_folder(folder)
    released, table = _release(folder, files, stored)
    owner = None if private is None else open_owner(private, files)
    plan, checks = (released, []) if owner is None else _promise(owner, released)
    table = with_numbers_that_stay(table, plan)
    rows = None if owner is None else _row_map(owner, table.height, plan)
    source = None
    if against is not None:
        source = read_data(against, _layout(plan, against, how or DataPlan()))
    originals = None
    if source is not None and owner is not None and rows is not None:
        if len(rows.everybody) != source.frame.height:
            facts = f"{source.frame.height} rows, but the row map has {len(rows.everybody)}"
            raise InputError(f"{source.name}: {facts}")
        originals, more = _originals(owner, plan, source, rows)
        checks += [*_data_checks(owner, source), *more]
    person = _persons(table, plan, rows)
    facts = _facts(files)
    claims, cells = claimed_risk(facts), claimed_cells(facts)
    verdict = audit(table, plan, person=person, originals=originals, claimed=claims, cells=cells)
    if any(check.name == "plan" and check.holds is False for check in checks):
        # what the release itself claims must be true as well
        claimed = audit(table, released, person=person, originals=originals)
        checks += [check for check in claimed.checks if check.holds is False]
    if source is not None and originals is None:
        checks += compare_unlinked(table, plan, source.frame)
    if source is not None:
        checks += readers_check(source)
    if "facts.json" in files:
        group = class_of_row(labelled(table, plan), plan)
        own = person if person is not None or plan.data.person is not None else np.arange(table.height)
        checks += claim_checks(facts, files.get("report.html"), table, plan, verdict, Sizes(group, own))
        if draw is not None and all(check.holds is not False for check in checks):
            has_whole_plan = owner is not None and PLAN_FILE in owner.files
            checks += _report_check(files, table, plan if has_whole_plan else None, draw)
    if originals is not None and any(check.name == "sweep" for check in verdict.checks):
        checks.append(files_check(files, labelled(table, plan), plan, originals))
    checks += _intact(files, others, owner)
    return replace(verdict, checks=(*verdict.checks, *checks))


def _read_folder(folder: Path) -> tuple[dict[str, bytes], list[str]]:
    """The files of a release, and the names of whatever else lies there: folders, links that lead nowhere."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such release folder")
    try:
        paths = sorted(folder.iterdir())
        files = {path.name: path.read_bytes() for path in paths if path.is_file()}
        return files, [path.name for path in paths if path.name not in files]
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({error.strerror or 'input error'})") from None


def _release(folder: Path, files: dict[str, bytes], address: Address | None) -> tuple[Plan, pl.DataFrame]:
    if "plan.yaml" not in files:
        raise InputError(f"{folder}: no plan.yaml; this is no release")
    plan = released_promise(files["plan.yaml"])
    names = [name for name in files if name.startswith("data.")]
    if address is not None:
        if names:
            raise InputError(f"{folder}: holds {names[0]}; it is not that of a table in a database")
        table = read_database(address)
        files[TABLE_FILE] = content_of(table)
        return plan, table
    if not names and isinstance(_facts(files).get("table"), Mapping):
        raise InputError(f"{folder}: its rows are in a database; name the table instead of the folder")
    if len(names) != 1:
        raise InputError(f"{folder}: expected one data file, found {len(names)}")
    if Path(names[0]).suffix.lower() not in KNOWN:
        raise InputError(f"{folder}: {names[0]} is no known kind of table")
    is_csv = names[0] in ("data.csv", "data.tsv", "data.tab", "data.txt")
    table = read_table(
        files[names[0]],
        names[0],
        delimiter=plan.data.delimiter if is_csv else None,
        encoding=plan.data.encoding if is_csv else None,
    )
    return plan, table


def _layout(plan: Plan, against: Any, how: DataPlan) -> DataPlan:
    data = plan.data
    if isinstance(against, (list, tuple, Mapping)) and len(against) > 1:  # each file has its own
        data = data.model_copy(update={"delimiter": None, "encoding": None})
    given = {key: getattr(how, key) for key in how.model_fields_set if getattr(how, key) is not None}
    if given.keys() & {"table", "query"}:
        given = {"table": None, "query": None, **given}
    return data.model_copy(update=given)


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# --- the files themselves -------------------------------------------------------------------------


def open_owner(private: Path, release: Mapping[str, bytes]) -> Owner:
    """The owner's files in place, or lying ready after a crash before they could settle."""
    ready = private / f".ready-{_digest(release.get('facts.json', b''))[:32]}"
    folder = ready if (ready / BOUND_FILE).is_file() else private
    if not (folder / ROWS_FILE).is_file() and not (folder / BOUND_FILE).is_file():
        raise InputError(f"{folder / ROWS_FILE}: not a readable row map")
    files = {
        path.name: path.read_bytes()
        for path in sorted(folder.iterdir())
        if path.is_file() and not path.name.startswith(".")
    }
    if BOUND_FILE not in files:
        return Owner(folder, files, None)
    try:
        bound = read_json(files[BOUND_FILE])
        given, kept = dict(bound["release"]), dict(bound["files"])
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{folder}: {BOUND_FILE} cannot be read") from None
    differing = [name for name, digest in given.items() if _digest(release.get(name, b"")) != digest]
    if {*differing, "plan.yaml"} >= set(given):  # two releases may have the same plan, and nothing else
        raise InputError(f"{folder}: the row map does not belong to this release")
    differing += [name for name in release if name not in given]
    differing += [name for name, digest in kept.items() if _digest(files.get(name, b"")) != digest]
    return Owner(folder, files, bound, differing, is_sealed=_is_sealed(bound, files.get(SECRET_FILE, b"")))


def _is_sealed(bound: Mapping[str, Any], secret: bytes) -> bool:
    """Whether the digests are those that the holder of the secret wrote: HMAC-SHA256 over their JSON."""
    sealed = {name: bound.get(name) for name in ("release", "files", "data")}
    content = json.dumps(sealed, sort_keys=True, separators=(",", ":")).encode()
    seal = hmac.digest(secret, content, hashlib.sha256).hex()
    return len(secret) >= 16 and hmac.compare_digest(seal, str(bound.get("seal")))


def _intact(files: Mapping[str, bytes], others: Sequence[str], owner: Owner | None) -> list[Check]:
    """Whether the files are those that were audited, by digests in facts.json and in the owner's folder."""
    if others:
        return [Check("intact", False, f"{', '.join(others)}: no file of a release, and was not audited")]
    changed = _changed_since_audit(files)
    if owner is None:
        if "facts.json" not in files:
            detail = "facts.json is missing: whether files were changed cannot be told"
        elif changed:
            detail = f"{', '.join(changed)} changed since the audit that facts.json tells of"
            return [Check("intact", False, detail)]
        else:
            return []
        return [Check("intact", None, detail)]
    if owner.bound is None:
        detail = f"{BOUND_FILE} is missing: nothing says which release and data the row map belongs to"
        return [Check("intact", False, detail)]
    changed += [name for name in owner.differing if name not in changed]
    if changed:
        return [Check("intact", False, f"{', '.join(changed)} changed, appeared or vanished since the audit")]
    if not owner.is_sealed:
        detail = f"the digests in {BOUND_FILE} are not those that were sealed with the owner's secret"
        return [Check("intact", False, detail)]
    return [Check("intact", True, "the files of the release and of its owner are those that were audited")]


def _report_check(
    files: Mapping[str, bytes], table: pl.DataFrame, plan: Plan | None, draw: Draw
) -> list[Check]:
    """Whether the report is what the program draws of facts and table; `plan` is the owner's whole one."""
    if plan is None and is_reduced(files["plan.yaml"]):
        detail = "the words of the report were not compared: that needs the owner's plan (--private)"
        return [Check("report", None, detail)]
    drawn = draw(_facts(files), table, plan or released_promise(files["plan.yaml"]))
    if drawn is None:
        detail = "the words of the report were not compared: another version of the program drew it"
        return [Check("report", None, detail)]
    if drawn.encode() != files.get("report.html", b""):
        return [Check("report", False, "report.html is not what facts.json and the released table draw")]
    return []


def _facts(files: Mapping[str, bytes]) -> Any:
    try:
        return read_json(files.get("facts.json", b"{}"))
    except (ValueError, RecursionError):
        return {}


def _changed_since_audit(files: Mapping[str, bytes]) -> list[str]:
    try:
        digests = dict(read_json(files.get("facts.json", b"{}")).get("files", {}))
    except (ValueError, AttributeError, TypeError):
        return ["facts.json"]
    changed = [name for name in sorted(digests) if digests[name] != _digest(files.get(name, b""))]
    return changed + ([n for n in files if n not in digests and n != "facts.json"] if digests else [])


def _promise(owner: Owner, released: Plan) -> tuple[Plan, list[Check]]:
    """The owner's plan, and whether the release says the same."""
    if PLAN_FILE not in owner.files:
        return released, [Check("plan", None, "the release's plan was taken: the owner's is not there")]
    try:
        plan = owners_promise(owner.files[PLAN_FILE])
    except HeteronymError as error:
        return released, [Check("plan", False, f"the owner's plan cannot be read: {error}")]
    differing = differing_keys(released, plan)
    if differing:
        detail = f"plan.yaml says otherwise than the owner's plan: {', '.join(differing)}"
        return plan, [Check("plan", False, detail)]
    return plan, [Check("plan", True, "the plan of the release is the owner's")]


# --- the row map ----------------------------------------------------------------------------------


class _Rows(NamedTuple):
    """Where released rows came from, whose they are, and the person of each row of the data."""

    source: NDArray[np.int64]
    person: NDArray[np.int64]
    everybody: NDArray[np.int64]


def _row_map(owner: Owner, released: int, plan: Plan) -> _Rows | None:
    """None if it does not fit, and that something changed is known already."""
    try:
        found = _parsed_map(owner.files.get(ROWS_FILE, b""), owner.folder / ROWS_FILE)
        return _rows(*found, plan, released, owner.folder / ROWS_FILE)
    except InputError:
        if not owner.differing:
            raise
        return None


def _parsed_map(content: bytes, path: Path) -> tuple[pl.Series, pl.Series, pl.Series]:
    try:
        table = read_csv(content, path.name, delimiter=",", encoding="utf-8").cast(pl.String)
        table = table.select(
            pl.col("released_row").cast(pl.Int64).alias("released"),
            pl.col("source_row").cast(pl.Int64).alias("source") - 1,
            pl.col("person").fill_null(""),
        )
    except (InputError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: not a readable row map") from None
    return table["released"], table["source"], table["person"]


def _rows(shown: pl.Series, came: pl.Series, keys: pl.Series, plan: Plan, released: int, path: Path) -> _Rows:
    source, known = came.to_numpy(), shown.is_not_null()
    place = shown.filter(known).to_numpy() - 1
    if came.null_count() or not _is_order(source, len(came)) or not _is_order(place, released):
        raise InputError(f"{path}: does not belong to this release")
    person = np.arange(len(came))
    if plan.data.person is not None:
        person[source] = numbered(keys.str.strip_chars(BLANKS))[0]  # as in the data's own keys
    source_row = np.empty(released, np.int64)
    source_row[place] = source[known.to_numpy()]
    return _Rows(source_row, person[source_row], person)


def _is_order(numbers: NDArray[np.int64], count: int) -> bool:
    """Whether each of 0 to count - 1 is there once."""
    if len(numbers) != count or not count or numbers.min() < 0 or numbers.max() >= count:
        return False
    return bool((np.bincount(numbers, minlength=count) == 1).all())


_TYPED = r"^\[[A-Z_]+\]$"  # the placeholder of some persons' surrogates, which tells none apart


def _persons(table: pl.DataFrame, plan: Plan, rows: _Rows | None) -> NDArray[np.int64] | None:
    if rows is not None:
        return rows.person
    key = plan.data.person
    named = plan.release.person_key == "pseudonym" or key in plan.surrogates
    if named and key in table.columns and not table[key].cast(pl.String).str.contains(_TYPED).any():
        return number_persons(table.with_columns(pl.col(key).fill_null("P")), key)
    return None


# --- the data -------------------------------------------------------------------------------------


def cells_digest(frame: pl.DataFrame) -> str:
    """Of data that came as a frame: what its cells would be as a text file."""
    return _digest(content_of(frame))


def data_record(source: Source) -> dict[str, Any]:
    """What binds the owner's files to the data."""
    if source.digests:
        return {"files": list(source.digests)}
    try:
        return {"cells": cells_digest(source.frame)}
    except pl.exceptions.PolarsError:  # kinds of cells that no text file holds
        return {}


def _data_checks(owner: Owner, source: Source) -> list[Check]:
    bound = (owner.bound or {}).get("data", {})
    here = data_record(source)
    same_kind = set(bound) & set(here)
    if not same_kind:
        detail = "whether this is the data that was anonymized was not told by its digest: it came otherwise"
        return [Check("data", None, detail)]
    if any(bound[kind] != here[kind] for kind in same_kind):
        return [Check("data", False, "this is not the data that the row map was made for, by its digest")]
    return [Check("data", True, "the data is that which was anonymized, by its digest")]


def _originals(owner: Owner, plan: Plan, source: Source, rows: _Rows) -> tuple[Originals, list[Check]]:
    """The data as the auditor reads it, with the owner's hierarchies and what was found in texts."""
    checks: list[Check] = []
    missing = frozenset(plan.data.missing)
    texts = [name for name, one in plan.attributes.items() if one.role is Role.TEXT]

    def read(name: str, how: Callable[[bytes], Any]) -> Any:
        if name not in owner.files:
            return None
        try:
            return how(owner.files[name])
        except InputError as error:
            checks.append(Check("owner", False, str(error)))
            return None

    trees = read(TREES_FILE, read_trees) or {}
    evidence: Evidence | None = None
    if texts and all(name in source.frame.columns for name in texts):
        mentions = read(MENTIONS_FILE, lambda content: read_mentions(content, source.frame, texts))
        edits = read(EDITS_FILE, lambda content: read_edits(content, source.frame, texts))
        lacking = [name for name in (MENTIONS_FILE, EDITS_FILE) if name not in owner.files]
        if lacking:
            detail = f"{' and '.join(lacking)} missing: what the texts show cannot be told"
            checks.append(Check("owner", False, detail))
        if mentions is not None and edits is not None:
            evidence = Evidence(mentions, edits)
    person = number_persons(source.frame, plan.data.person, missing)
    return Originals(source.frame, rows.source, person, trees, missing, evidence), checks
