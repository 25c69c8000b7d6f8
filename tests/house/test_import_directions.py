"""Rooms import downwards only; the auditor shares nothing with what it audits."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

import heteronym

ROOT = Path(heteronym.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

BOTTOM = [
    "errors",
    "run",
    "workers",
    "compiled",
    "model",
    "databases",
    "contracts",
    "registry",
]
BASE = {*BOTTOM, "io", "knowledge", "itemsets", "statistics", "surrogates", "risk"}
WORKERS = {"text", "encode", "partition", "recode", "privacy", "measures"}
MAY_IMPORT: dict[str, set[str]] = {
    **{room: set(BOTTOM[:number]) for number, room in enumerate(BOTTOM)},
    "io": {*BOTTOM},
    "knowledge": {*BOTTOM},
    "itemsets": {*BOTTOM},
    "surrogates": {*BOTTOM, "knowledge"},
    "statistics": {*BOTTOM},
    **{room: set(BASE) for room in WORKERS},
    "reading": BASE | {"text"},
    "assertions": BASE | {"text"},
    "documents": BASE | WORKERS | {"assertions"},
    "analyzers": BASE | WORKERS | {"assertions"},
    "pipeline": BASE | WORKERS | {"documents", "reading"},
    # readers and parsers of its own: what the producer's lose, it would lose as well
    "verify": {"errors", "run", "model", "databases", "registry"},
    "report": {"errors", "model"},
    "hierarchies": {*BOTTOM, "io", "knowledge"},
    "risk": {"errors"},
    # never what made the release: a mistake there would be shared
    "attacks": {*BOTTOM, "io", "verify"},
}
NEAR_API = {
    "reviewing",
    "utility",
    "release_facts",
    "overlap",
    "mending",
    "refusing",
    "owning",
    "profiling",
    "comparing",
    "judging",
}
HIGH = BASE | WORKERS | {"reading", "documents", "analyzers", "assertions", "pipeline", "verify", "report"}
HIGH |= NEAR_API | {"hierarchies", "attacks", "risk"}
MAY_IMPORT |= {
    "utility": {*BOTTOM, "io", "verify"},
    "judging": {*BOTTOM, "io", "verify", "attacks"},
    "release_facts": BASE | {"pipeline", "utility", "text", "assertions"},
    "overlap": BASE | {"pipeline"},
    "mending": BASE | {"pipeline", "reading", "recode", "refusing", "verify"},
    "refusing": BASE | {"pipeline", "recode", "verify"},
    "owning": BASE | {"pipeline", "recode", "release_facts", "report", "verify"},
    "profiling": BASE | {"text", "encode", "assertions"},
    "comparing": BASE | {"pipeline", "report"},
    "reviewing": BASE | {"text", "reading"},
    "publish": HIGH - {"profiling", "comparing"},
    "engines": HIGH - {"profiling", "comparing"} | {"publish"},
}
# Each call is a room of its own: one that attacks a release must not share code with what made it.
CALLS: dict[str, set[str]] = {
    "vaults": {*BOTTOM, "io", "surrogates"},
    "explain": BASE | {"encode", "verify"},
    "utility": BASE | {"encode", "verify", "utility", "report"},
    "scan": BASE | {"text", "pipeline"},
    "estimate": BASE | {"text", "pipeline"},
    "sanitize": BASE | {"text", "documents", "report", "api.scan", "api.vaults"},
    "restore": BASE | {"api.vaults"},
    "review": BASE | {"text", "pipeline", "reviewing"},
    "hierarchy": BASE | {"hierarchies"},
    # recognizers and the draft of a plan are all that it shares with what makes releases
    "judge": BASE | {"verify", "attacks", "judging", "profiling", "report", "pipeline", "text"},
    "attack": BASE | {"verify", "attacks"},
    "analyze": BASE | {"text", "pipeline", "analyzers", "assertions", "report", "api.scan", "api.sanitize"},
    "compare": BASE | {"pipeline", "report", "comparing"},
    "anonymize": HIGH | {"publish", "comparing", "engines", "api.vaults"},
    "verify": HIGH | {"publish"},
    "preview": BASE | {"pipeline", "comparing"},
    "profile": BASE | {"profiling", "comparing"},
    "doctor": BASE | {"text", "api.anonymize", "api.verify"},
}
API = {f"api.{call}" for call in CALLS}
MAY_IMPORT |= {
    "api": set(),
    **{f"api.{call}": allowed for call, allowed in CALLS.items()},
    "cli": HIGH | API | {"publish", "web"},  # one command starts the web server
    "__main__": {"cli"},
    "accessors": set(),  # the front door alone
    "web": HIGH | API | {"publish"},
    "spark": HIGH | API | {"publish"},
}


def room_of(path: Path) -> str:
    return _room(path.relative_to(ROOT).with_suffix("").parts)


def _room(parts: Sequence[str]) -> str:
    """The first name; of the calls also the second, since each has its own line on the map."""
    is_call = parts[0] == "api" and len(parts) > 1 and parts[1] != "__init__"
    return ".".join(parts[: 2 if is_call else 1])


def imported_rooms(path: Path) -> set[str]:
    rooms: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        parts = [name.split(".") for name in names]
        rooms |= {_room(part[1:]) for part in parts if part[0] == "heteronym" and len(part) > 1}
    return rooms - {"__version__", "*"}


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_what_lies_below_it(path: Path) -> None:
    room = room_of(path)
    if room == "__init__":
        return  # the front door knows names; what it loads at once is tested with the public names
    allowed = MAY_IMPORT.get(room)
    assert allowed is not None, f"the room {room} is not on the map"
    assert imported_rooms(path) - allowed - {room} == set()


@pytest.mark.parametrize("name", ["utils", "util", "helpers", "common", "misc"])
def test_no_room_is_a_drawer(name: str) -> None:
    assert not list(ROOT.rglob(f"{name}.py"))
    assert not list(ROOT.rglob(f"{name}/"))


@pytest.mark.parametrize("path", sorted((ROOT / "text").glob("*.py")), ids=lambda path: path.name)
def test_the_text_room_does_not_reach_up_into_its_recognizers(path: Path) -> None:
    """Parts are found by the registry; what several of them share lies beside or below them."""
    tree = ast.parse(path.read_text("utf-8"))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [name for name in names if name.startswith("heteronym.text.recognizers")]


TABLES = {"heteronym.io", "heteronym.model.dataset", "heteronym.model.schema", "heteronym.model.person_view"}


@pytest.mark.parametrize("path", sorted((ROOT / "text").rglob("*.py")), ids=lambda path: path.name)
def test_the_text_room_knows_no_table(path: Path) -> None:
    """A text is read for what it says; what that has to do with cells is the room `reading`'s question."""
    tree = ast.parse(path.read_text("utf-8"))
    names = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    assert not [name for name in names if any(f"{name}.".startswith(f"{table}.") for table in TABLES)]
