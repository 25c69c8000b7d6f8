"""Rooms import downwards only; the auditor shares nothing with what it audits."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import heteronym

ROOT = Path(heteronym.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

BOTTOM = [
    "errors",
    "run",
    "workers",
    "kept",
    "machine_code",
    "compiling",
    "compiled",
    "model",
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
    "verify": {"errors", "run", "model", "registry"},
    "report": {"errors", "kept", "model"},
    "hierarchies": {*BOTTOM, "io", "knowledge"},
    "risk": {"errors"},
    # never what made the release: a mistake there would be shared
    "attacks": {*BOTTOM, "io", "verify"},
}
DOORS = {"profiling", "scanning", "sanitizing", "restoring", "estimating", "generalizing", "attacking"}
DOORS |= {"analyzing", "comparing", "explaining", "weighing"}
NEAR_DOORS = {"utility", "describing", "registering", "mending", "owning", "keeping"}
HIGH = BASE | WORKERS | {"reading", "documents", "analyzers", "assertions", "pipeline", "verify", "report"}
HIGH |= DOORS | NEAR_DOORS | {"hierarchies", "attacks", "risk"}
MAY_IMPORT |= {
    "utility": {*BOTTOM, "io", "verify"},
    "describing": BASE | {"pipeline", "utility", "text", "assertions"},
    "keeping": {*BOTTOM, "io", "surrogates"},
    "registering": BASE | {"pipeline"},
    "mending": BASE | {"pipeline", "recode", "verify"},
    "owning": BASE | {"pipeline", "recode", "describing", "report", "verify"},
    "explaining": BASE | {"encode", "verify"},
    "weighing": BASE | {"encode", "verify", "utility", "report"},
    "profiling": BASE | {"text", "encode", "assertions"},
    "scanning": BASE | {"text", "pipeline"},
    "estimating": BASE | {"text", "pipeline"},
    "sanitizing": BASE | {"text", "scanning", "report", "keeping"},
    "restoring": BASE | {"keeping"},
    "generalizing": BASE | {"hierarchies"},
    "attacking": BASE | {"verify", "attacks"},
    "analyzing": BASE | {"text", "pipeline", "analyzers", "assertions", "report", "scanning", "sanitizing"},
    "comparing": BASE | {"pipeline", "report"},
    "publish": HIGH - DOORS,
    "library": HIGH | {"publish"},
    "cli": HIGH | {"publish", "library"},
    "__main__": {"cli"},
    "web": HIGH | {"publish", "library"},
    "spark": HIGH | {"publish", "library"},
}


def room_of(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


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
        rooms |= {part[1] for part in parts if part[0] == "heteronym" and len(part) > 1}
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
