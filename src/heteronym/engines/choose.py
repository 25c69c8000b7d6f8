"""Which engine a release runs on: the one that is asked for, or DuckDB where memory will not do."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from heteronym.databases.address import is_address
from heteronym.engines.contract import Engine
from heteronym.engines.duckdb import DuckDB
from heteronym.engines.limits import check_exact, is_exact
from heteronym.engines.road import Job, release_on
from heteronym.engines.sources import KINDS, Rows, open_rows
from heteronym.engines.spark import Spark
from heteronym.engines.spill import check_room, spill_folder
from heteronym.errors import UsageError, nearest
from heteronym.io.bundles import Target
from heteronym.io.tables import ENDINGS
from heteronym.model.plan import Plan
from heteronym.publish import Release
from heteronym.run import Run

ENGINES = ("duckdb", "spark")
LEAST = 1_000_000_000  # bytes
PROGRAM, IN_MEMORY = 250_000_000, 7  # bytes: of the program, and per byte of CSV; measured, docs/scale.md
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_PACKED = 8  # times larger than a Parquet file are its rows


class Chosen(NamedTuple):
    """An engine, why it is taken, and what it has to do."""

    name: str
    reason: str
    file: Path
    memory: int
    target: Target
    master: str | None = None


def engine_for(
    data: Any,
    plan: Plan,
    target: Target | None,
    *,
    engine: str | None,
    memory: str | None,
    master: str | None,
    others: Mapping[str, Any],
) -> Chosen | None:
    """The engine that is asked for, or the one that makes the same release where memory will not do.

    `others` is what else was asked for by name: engines do none of it.
    """
    given, file = [name for name, value in others.items() if value], _one_file(data)
    if target is not None and target.table is not None:
        given.append("a table as output")
    if engine is None:
        if memory is not None or master is not None:
            raise UsageError("memory and master are an engine's: name one with `engine`")
        if target is None or file is None or given:
            return None
        reason = _why_not_in_memory(file, plan)
        return None if reason is None else Chosen("duckdb", reason, file, memory_given(None), target)
    if engine not in ENGINES:
        raise UsageError(f"no engine '{engine}'.{nearest(engine, ENGINES)}")
    if target is None:
        raise UsageError("an engine writes its release: name a folder for it with `output`")
    if given:
        raise UsageError(f"{given[0]} does not go with an engine: leave out one of them")
    if file is None:
        raise UsageError(f"engine '{engine}' reads one file: CSV, Parquet or JSON lines")
    if master is not None and engine != "spark":
        raise UsageError("master is where Spark runs: it goes with engine 'spark'")
    check_exact(plan, engine)
    return Chosen(engine, "asked for", file, memory_given(memory), target, master)


def _why_not_in_memory(file: Path, plan: Plan) -> str | None:
    """Where memory will not do and an engine can: in words what it would take."""
    if not is_exact(plan) or find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return None
    needed, free = PROGRAM + _size_of_rows(file) * IN_MEMORY, free_memory()
    if needed < free:
        return None
    return f"in memory it would take about {needed / 1e9:.3g} GB, and {free / 1e9:.3g} GB are free"


def release_by_engine(chosen: Chosen, plan: Plan, run: Run) -> Release:
    """A release of one file on an engine."""
    rows = open_rows(chosen.file, plan.data)
    with spill_folder(chosen.target.folder) as folder:
        check_room(folder, _size_of_rows(chosen.file) // 4)
        engine = _made(chosen, rows, folder)
        try:
            return release_on(engine, Job(chosen.file, plan, chosen.target, folder, chosen.reason), run)
        finally:
            engine.close()


def _made(chosen: Chosen, rows: Rows, folder: Path) -> Engine:
    if chosen.name == "duckdb":
        return DuckDB(rows, folder, memory=chosen.memory)
    if chosen.target.private is not None:
        raise UsageError("engine 'spark' knows no order of rows, and makes no row map: leave out --private")
    return Spark(rows, folder, memory=chosen.memory, master=chosen.master)


def _size_of_rows(path: Path) -> int:
    """Bytes, about as many as the file would have as CSV."""
    try:
        return path.stat().st_size * (_PACKED if ENDINGS.get(path.suffix.lower()) == "parquet" else 1)
    except OSError:  # whoever reads it says why it cannot be read
        return 0


def _one_file(data: Any) -> Path | None:
    given = list(data) if isinstance(data, (list, tuple)) else [data]
    if len(given) != 1 or not isinstance(given[0], (str, Path)) or is_address(given[0]):
        return None
    path = Path(given[0])
    return path if ENDINGS.get(path.suffix.lower()) in KINDS else None


def memory_given(memory: str | None) -> int:
    """Bytes, from what a person writes: 4GB, 1500 MB; half of what is free where nothing is said."""
    if memory is None:
        return max(LEAST, free_memory() // 2)
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?\s*", memory, re.IGNORECASE)
    if found is None:
        raise UsageError("--memory is a size such as 4GB or 800MB")
    size = int(float(found[1]) * _UNITS[found[2].upper()])
    if size < LEAST:
        raise UsageError("--memory must be at least 1GB")
    return size


def free_memory() -> int:
    """Bytes that this process could still take: of the machine, or of the container that it runs in."""
    free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, ValueError):
        lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
        free = int(lines["MemAvailable"].split()[0]) * 1024
    with suppress(OSError, ValueError):
        limit, used = (int(Path(f"/sys/fs/cgroup/memory.{one}").read_text()) for one in ("max", "current"))
        free = min(free, max(limit - used, 0))
    return free
