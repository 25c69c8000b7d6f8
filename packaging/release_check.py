"""Is this commit fit to be released? One command: `make release-check`.

    python packaging/release_check.py [--out build/release] [--quick]

Everything happens in a clean clone of HEAD, never in this folder: the source archive and the wheel are built;
the wheel is installed into a fresh environment of every Python found (3.11 to 3.13) and into one for tables
only; there `heteronym doctor`, the demo and a release are run, without the clone in sight. Then the pages are
built, the licences of all installed packages are compared with those that may stand beside Apache-2.0, and a
bill of materials (CycloneDX) is written beside the wheel. `--quick` leaves out pages and all Pythons but one.
It ends with 0 if every step passed, and says which did not.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("python3.11", "python3.12", "python3.13")
MOST_FOR_TABLES = 350  # megabytes of an environment that serves tables only
FORBIDDEN = re.compile(r"\b(?:A?GPL|GNU (?:Affero )?General Public)", re.IGNORECASE)
LESSER = re.compile(r"\bLGPL|Lesser General Public", re.IGNORECASE)  # used as a library, unchanged: allowed
# Reads what is installed in another environment; run there.
LISTING = """
import json
from importlib.metadata import distributions
found = []
for one in distributions():
    about = one.metadata
    classes = [c.split(" :: ")[-1] for c in about.get_all("Classifier") or () if c.startswith("License")]
    told = (about.get("License") or "").split("\\n")[0]
    licence = about.get("License-Expression") or "; ".join(classes) or told
    found.append({"name": about["Name"], "version": one.version, "licence": licence})
print(json.dumps(sorted(found, key=lambda one: one["name"].lower())))
"""
TABLE = "age,zip,pay\n" + "".join(f"{20 + n % 40},{10115 + n % 9},{2000 + 10 * n}\n" for n in range(120))
PLAN = """
version: 1
attributes:
  age: {role: quasi, scale: numeric}
  zip: {role: quasi}
  pay: {role: sensitive, scale: numeric}
privacy:
  - {model: k-anonymity, k: 4}
"""


class StepError(Exception):
    """A step did what it must not, or did not do what it must."""


@dataclass
class Checks:
    """The steps so far."""

    failed: list[str] = field(default_factory=list)

    def step(self, name: str, work: Callable[[], str]) -> None:
        print(f"... {name}", flush=True)
        try:
            said = work()
        except StepError as error:
            self.failed.append(name)
            print(f"FAILED  {name}\n{error}", flush=True)
        else:
            print(f"ok      {name}{f': {said}' if said else ''}", flush=True)


def run(*command: str | Path, cwd: Path, env: Mapping[str, str] | None = None) -> str:
    """The standard output of a command; StepError with the end of what it said if it fails."""
    done = subprocess.run(
        list(map(str, command)), cwd=cwd, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:])
        raise StepError(f"{' '.join(map(str, command))} ended with {done.returncode}\n{said}")
    return done.stdout


def alone() -> dict[str, str]:
    """The environment variables without those that would show a clone to Python."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


def build(clone: Path, out: Path) -> str:
    """The source archive, and the wheel made of it, each in an environment of its own."""
    tools = clone / ".build-tools"
    run(sys.executable, "-m", "venv", tools, cwd=clone)
    run(tools / "bin/python", "-m", "pip", "install", "-q", "build", "twine", cwd=clone, env=alone())
    run(tools / "bin/python", "-m", "build", "--outdir", out, cwd=clone, env=alone())
    made = sorted(out.glob("heteronym-*"))
    if len(made) != 2:
        raise StepError(f"expected an archive and a wheel, found {len(made)} files")
    run(tools / "bin/twine", "check", "--strict", *made, cwd=clone, env=alone())
    return ", ".join(f"{one.name} {one.stat().st_size / 2**20:.0f} MB" for one in made)


def environment(python: str, folder: Path, requirements: Sequence[str | Path]) -> Path:
    """The Python of a new environment with these requirements."""
    run(python, "-m", "venv", folder, cwd=folder.parent)
    program = folder / "bin/python"
    run(program, "-m", "pip", "install", "-q", *requirements, cwd=folder.parent, env=alone())
    return program


def release_in(place: Path, program: Path) -> str:
    """A small table released and verified by an installed heteronym."""
    place.mkdir()
    (place / "people.csv").write_text(TABLE)
    (place / "plan.yaml").write_text(PLAN)
    said = run(
        program, "-m", "heteronym", "anonymize", "people.csv", "-c", "plan.yaml", "-o", "release",
        "--private", "owner", cwd=place, env=alone(),
    )  # fmt: skip
    arguments = ("verify", "release", "--private", "owner", "--against", "people.csv")
    run(program, "-m", "heteronym", *arguments, cwd=place, env=alone())
    return said.split("\n")[0]


def whole(python: str, work: Path, wheel: Path) -> str:
    """The wheel in a fresh environment: doctor, the demo, a release."""
    folder = work / f"whole-{Path(python).name}"
    program = environment(python, folder, [wheel])
    health = json.loads(run(program, "-m", "heteronym", "doctor", "--json", cwd=work, env=alone()))
    if not health["healthy"]:
        raise StepError("heteronym doctor: not healthy")
    run(program, "-m", "heteronym", "demo", "-o", work / f"demo-{Path(python).name}", cwd=work, env=alone())
    release_in(work / f"people-{Path(python).name}", program)
    kernels = "compiled" if health["compiled"] else "in Python"
    return f"Python {health['python']}, kernels {kernels}, {megabytes(folder)} MB"


def tables_only(work: Path, wheel: Path, listed: Path) -> str:
    """An environment without what reads texts, made by uv: it serves tables, and is small."""
    uv = environment(sys.executable, work / "uv", ["uv"]).parent / "uv"
    folder = work / "tables"
    run(uv, "venv", "-q", "--python", sys.executable, folder, cwd=work, env=alone())
    there = alone() | {"VIRTUAL_ENV": str(folder)}
    run(uv, "pip", "install", "-q", "-r", listed, cwd=work, env=there)
    run(uv, "pip", "install", "-q", "--no-deps", wheel, cwd=work, env=there)
    release_in(work / "people-tables", folder / "bin/python")
    size = megabytes(folder)
    if size >= MOST_FOR_TABLES:
        raise StepError(f"{size} MB, at most {MOST_FOR_TABLES} are wanted")
    return f"{size} MB"


def installed_by_uv_tool(work: Path, wheel: Path) -> str:
    """`uv tool install` puts the command into an environment of its own, as pipx does."""
    uv, bins = work / "uv/bin/uv", work / "tool-bin"
    there = alone() | {"UV_TOOL_DIR": str(work / "tools"), "UV_TOOL_BIN_DIR": str(bins)}
    run(uv, "tool", "install", "-q", "--python", sys.executable, wheel, cwd=work, env=there)
    return run(bins / "heteronym", "--version", cwd=work, env=there).strip()


def megabytes(folder: Path) -> int:
    """Disk that the files of a folder take, each once."""
    seen: dict[int, int] = {}
    for path in folder.rglob("*"):
        about = path.lstat()
        seen[about.st_ino] = about.st_blocks * 512
    return round(sum(seen.values()) / 2**20)


def installed(program: Path, work: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads(run(program, "-c", LISTING, cwd=work, env=alone()))
    return found


def forbidden(packages: Sequence[Mapping[str, str]]) -> list[str]:
    """Packages whose licence may not stand beside Apache-2.0, or is not told."""
    return [
        f"{one['name']}: {one['licence'] or 'no licence told'}"
        for one in packages
        if not one["licence"] or (FORBIDDEN.search(one["licence"]) and not LESSER.search(one["licence"]))
    ]


def licences(packages: Sequence[Mapping[str, str]]) -> str:
    wrong = forbidden(packages)
    if wrong:
        raise StepError("\n".join(wrong))
    return f"{len(packages)} packages"


def materials(packages: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    """A bill of materials in the form of CycloneDX 1.5."""
    components = [
        {
            "type": "library",
            "name": one["name"],
            "version": one["version"],
            "purl": f"pkg:pypi/{re.sub(r'[-_.]+', '-', one['name']).lower()}@{one['version']}",
            "licenses": [{"license": {"name": one["licence"]}}],
        }
        for one in packages
        if one["name"] != "heteronym"
    ]
    own = [one for one in packages if one["name"] == "heteronym"]
    about = {"component": {"type": "application", "name": "heteronym", "version": own[0]["version"]}}
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": f"urn:uuid:{uuid.uuid4()}",
        "version": 1,
        "metadata": about,
        "components": components,
    }


def pythons(*, quick: bool) -> Iterator[str]:
    """Those of 3.11 to 3.13 that run here; this one first."""
    yield sys.executable
    if quick:
        return
    own = f"python{sys.version_info.major}.{sys.version_info.minor}"
    for name in PYTHONS:
        if name == own or shutil.which(name) is None:
            continue
        answers = subprocess.run([name, "-c", "import venv, ensurepip"], capture_output=True, check=False)
        if answers.returncode == 0:
            yield name


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "release", help="where the files go")
    parser.add_argument("--quick", action="store_true", help="one Python, no pages")
    asked = parser.parse_args()
    out: Path = asked.out.resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    checks = Checks()
    with TemporaryDirectory(prefix="release-check-") as place:
        work = Path(place)
        clone = work / "clone"
        checks.step("a clean clone of HEAD", lambda: run("git", "clone", "-q", ROOT, clone, cwd=work))
        checks.step("archive and wheel", lambda: build(clone, out))
        wheels = list(out.glob("*.whl"))
        if not wheels:
            print("nothing to install; stopped", flush=True)
            return 1
        for python in pythons(quick=asked.quick):
            name = "python" if python == sys.executable else python
            checks.step(
                f"the wheel in a fresh environment of {name}", lambda p=python: whole(p, work, wheels[0])
            )
        listed = clone / "packaging" / "tables-only.txt"
        checks.step("an environment for tables only", lambda: tables_only(work, wheels[0], listed))
        checks.step("uv tool install", lambda: installed_by_uv_tool(work, wheels[0]))
        found = sorted(work.glob("whole-*/bin/python"))
        if found:
            packages = installed(found[0], work)
            checks.step("licences", lambda: licences(packages))
            (out / "sbom.cdx.json").write_text(json.dumps(materials(packages), indent=1) + "\n")
        if not asked.quick:
            checks.step("the pages", lambda: run("make", "docs", cwd=clone, env=alone()).strip())
    print(f"{len(checks.failed)} steps failed" if checks.failed else f"all steps passed; see {out}")
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main())
