"""Functions fit on a screen, files into a head, and no room goes round in circles."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import heteronym

ROOT = Path(heteronym.__file__).parent
MODULES = [
    path
    for path in sorted(ROOT.rglob("*.py"))
    if "recognizers" not in path.parts and not path.stem.endswith("_kernels") and path.stem != "_kernels"
]
LONGEST_FUNCTION, LONGEST_FILE, MOST_BRANCHES, MOST_ARGUMENTS = 60, 500, 15, 7
# what people call, by name: every argument behind the first ones is an option
CALLS = {*heteronym.__all__}


def lines_of(function: ast.FunctionDef) -> int:
    return (function.end_lineno or function.lineno) - function.lineno + 1


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_are_short(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.count("\n") <= LONGEST_FILE
    long = [
        node.name
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and lines_of(node) > LONGEST_FUNCTION
    ]
    assert long == []


def arguments_of(function: ast.FunctionDef) -> int:
    given = function.args
    named = [each.arg for each in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    return len(named) - (named[:1] in (["self"], ["cls"]))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_functions_take_few_arguments(path: Path) -> None:
    """What belongs together is a record; commands are free, because their arguments are options."""
    functions = [n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.FunctionDef)]
    if path.parent.name == "cli":
        functions = [f for f in functions if f.name not in ("command", "build", "check")]
    many = [f.name for f in functions if arguments_of(f) > MOST_ARGUMENTS and f.name not in CALLS]
    assert many == []


def test_functions_have_few_branches() -> None:
    settings = [
        "--isolated", "--select", "C901", "--config", f"lint.mccabe.max-complexity={MOST_BRANCHES}",
        "--exclude", "*_kernels.py", "--exclude", "**/recognizers/**",
    ]  # fmt: skip
    call = [sys.executable, "-m", "ruff", "check", "--quiet", *settings, str(ROOT)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.stdout == ""


def imports_of(path: Path) -> set[str]:
    """Modules of the package that are imported when this one is."""
    found: set[str] = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("heteronym"):
            found.add(node.module or "")
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_no_module_imports_itself_by_a_detour() -> None:
    names = {
        "heteronym." + ".".join(path.relative_to(ROOT).with_suffix("").parts): path
        for path in ROOT.rglob("*.py")
    }
    needs = {name: imports_of(path) & names.keys() for name, path in names.items()}
    done: set[str] = set()

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, " -> ".join((*way[way.index(name) :], name))
        if name not in done:
            for other in needs[name]:
                visit(other, (*way, name))
            done.add(name)

    for name in names:
        visit(name, ())
