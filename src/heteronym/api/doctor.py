"""What is installed, what is missing, and whether a small release verifies.

Reads the metadata that the package was installed with; opens no file of the user and no connection.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from heteronym.compiled import are_compiled
from heteronym.errors import HeteronymError
from heteronym.model.in_words import InWords
from heteronym.run import Run, cores

_REQUIREMENT = re.compile(
    r"\s*([\w.-]+)[^>;]*(?:>=\s*([\w.]+))?[^;]*(?:;\s*extra\s*==\s*['\"]([\w-]+)['\"])?"
)
_SERVES = {  # what somebody installs an extra for; extras for developers are not here
    "gliner": "GLiNER models for free text",
    "statistics": "SPSS, Stata and SAS files",
    "engines": "databases, DuckDB",
    "databases": "databases",
    "duckdb": "tables larger than memory",
    "spark": "Spark",
}
_FOR_DEVELOPERS = {"test", "docs"}
OK, NOT_VERIFIED, NOT_WHOLE = 0, 1, 2


@dataclass(frozen=True)
class Found:
    """A package that heteronym uses."""

    name: str
    version: str | None  # None: it is not installed
    least: str | None
    extra: str | None

    @property
    def state(self) -> str:
        if self.version is None:
            return "missing"
        if self.least is not None and _parts(self.version) < _parts(self.least):
            return "too old"
        return "ok"


@dataclass(frozen=True)
class Health(InWords):
    """What `heteronym doctor` saw."""

    heteronym: str
    python: str
    system: str
    cores: int
    compiled: bool
    packages: tuple[Found, ...]
    models: tuple[tuple[str, bool], ...]
    verified: bool | None  # None: it was not tried, because something is missing
    trouble: str = ""  # why the small release failed

    @property
    def required(self) -> list[Found]:
        return [one for one in self.packages if one.extra is None]

    @property
    def broken(self) -> list[Found]:
        """Required packages that are missing or too old."""
        return [one for one in self.required if one.state != "ok"]

    @property
    def exit_code(self) -> int:
        if self.broken:
            return NOT_WHOLE
        return OK if self.verified else NOT_VERIFIED

    def extras(self) -> dict[str, list[Found]]:
        found: dict[str, list[Found]] = {}
        for one in self.packages:
            if one.extra is not None and one.extra not in _FOR_DEVELOPERS:
                found.setdefault(one.extra, []).append(one)
        return found

    def in_words(self, *, verbose: bool = False) -> str:
        return "\n".join(self._lines(verbose=verbose)) + "\n"

    def _lines(self, *, verbose: bool) -> Iterator[str]:
        yield f"heteronym {self.heteronym}, Python {self.python}, {self.system}, {self.cores} cores"
        if self.compiled:
            yield "ok       search kernels are compiled"
        else:
            yield "slow     search kernels run in Python: install a C compiler, then heteronym again"
        for one in self.broken:
            least = f", {one.least} or newer is needed" if one.least else ""
            yield f"BROKEN   {one.name}: {one.state}{least}: pip install '{one.name}>={one.least or 0}'"
        if not self.broken:
            yield f"ok       {len(self.required)} required packages"
        if verbose:
            yield from (f"         {one.name} {one.version}" for one in self.required if one.version)
        for name, installed in self.models:
            yield f"ok       language model {name}" if installed else f"absent   language model {name}"
        for extra, packages in self.extras().items():
            lacking = [one.name for one in packages if one.state != "ok"]
            what = _SERVES.get(extra, ", ".join(one.name for one in packages))
            if lacking:
                yield f"absent   {what}: pip install 'heteronym[{extra}]'"
            else:
                yield f"ok       {what}"
        if self.verified:
            yield "ok       a small release was made, written and verified"
        elif self.verified is None:
            yield "skipped  a small release: something is missing"
        else:
            yield f"BROKEN   a small release: {self.trouble}"

    def to_dict(self) -> dict[str, Any]:
        packages = [
            {"name": p.name, "version": p.version, "least": p.least, "extra": p.extra, "state": p.state}
            for p in self.packages
        ]
        return {
            "healthy": self.exit_code == OK,
            "heteronym": self.heteronym,
            "python": self.python,
            "system": self.system,
            "cores": self.cores,
            "compiled": self.compiled,
            "packages": packages,
            "models": dict(self.models),
            "verified": self.verified,
            "trouble": self.trouble,
        }


def doctor(*, run: Run | None = None) -> Health:
    """What is installed, what is missing, and whether a small release verifies."""
    from heteronym import __version__

    packages = tuple(_packages())
    whole = all(one.state == "ok" for one in packages if one.extra is None)
    models: tuple[tuple[str, bool], ...] = ()
    verified, trouble = None, ""
    if whole:
        from heteronym.text.installed import models as known

        models = tuple((model.name, model.installed) for model in known())
        verified, trouble = _small_release(run or Run())
    return Health(
        __version__,
        platform.python_version(),
        f"{platform.system()} {platform.machine()}",
        cores(),
        are_compiled(),
        packages,
        models,
        verified,
        trouble,
    )


def _packages() -> Iterator[Found]:
    for line in requires("heteronym") or ():
        match = _REQUIREMENT.match(line)
        if match is None:
            continue
        name, least, extra = match.groups()
        try:
            installed = version(name)
        except PackageNotFoundError:
            installed = None
        yield Found(name, installed, least, extra)


def _parts(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def _small_release(run: Run) -> tuple[bool, str]:
    """The bundled example, anonymized into a folder that is thrown away, then verified beside its data."""
    from heteronym.api.anonymize import anonymize
    from heteronym.api.verify import verify

    try:
        with as_file(files("heteronym") / "examples" / "visits") as folder, TemporaryDirectory() as place:
            release, owner = Path(place) / "release", Path(place) / "owner"
            data = folder / "visits.csv"
            anonymize(data, folder / "plan.yaml", output=release, private=owner, run=run)
            holds = verify(release, against=data, private=owner).holds
    except (HeteronymError, OSError, ImportError) as error:
        kind = error.code if isinstance(error, HeteronymError) else type(error).__name__
        return False, f"{kind}: {error}" if isinstance(error, HeteronymError) else kind
    return bool(holds), "" if holds else "it was made, but does not verify"
