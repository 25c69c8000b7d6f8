"""No test asserts on seconds, for machines are busy: work is counted (tests/counting.py), events ordered."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]
FILES = sorted([*TESTS.rglob("*.py")])
CLOCKS = {
    *("monotonic", "perf_counter", "process_time", "thread_time"),
    *("monotonic_ns", "perf_counter_ns", "process_time_ns", "thread_time_ns", "time_ns"),
    *("clock_gettime", "cpu_seconds", "default_timer", "getrusage"),
}


def reads_a_clock(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute):
        of_time = isinstance(node.func.value, ast.Name) and node.func.value.id == "time"
        return node.func.attr in CLOCKS or (of_time and node.func.attr == "time")
    return isinstance(node.func, ast.Name) and node.func.id in CLOCKS


def timed(expression: ast.AST, known: set[str]) -> bool:
    """Whether a clock, or a name that holds what a clock said, is part of the expression."""
    return any(
        reads_a_clock(node) or (isinstance(node, ast.Name) and node.id in known)
        for node in ast.walk(expression)
    )


def names_of(target: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}


def clocked_names(function: ast.AST) -> set[str]:
    """Names that hold what a clock said, or what was computed or collected from it."""
    known: set[str] = set()
    while True:
        before = len(known)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and timed(node.value, known):
                known |= {name for target in node.targets for name in names_of(target)}
            elif (
                isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value and timed(node.value, known)
            ) or (isinstance(node, ast.NamedExpr) and timed(node.value, known)):
                known |= names_of(node.target)
            elif (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in ("append", "extend", "add")
                and any(timed(argument, known) for argument in node.args)
            ):
                known |= names_of(node.func.value)
        if len(known) == before:
            return known


def asserts_on_seconds(source: str) -> list[int]:
    """Lines of assertions about what a clock said."""
    functions = [
        n for n in ast.walk(ast.parse(source)) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    return sorted(
        {
            node.lineno
            for function in functions
            for known in [clocked_names(function)]
            for node in ast.walk(function)
            if isinstance(node, ast.Assert) and timed(node.test, known)
        }
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_test_asserts_on_seconds(path: Path) -> None:
    assert asserts_on_seconds(path.read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("assert time.monotonic() < 5", [2]),
        ("begin = time.process_time()\n  assert time.process_time() - begin < 3", [3]),
        ("begin = perf_counter()\n  took = perf_counter() - begin\n  work()\n  assert took < 3", [5]),
        ("at = []\n  at.append(time.monotonic())\n  assert max(at) < 9", [4]),
        ("times = [time.time() for _ in range(3)]\n  assert min(times) < 1", [3]),
        ("until = time.monotonic() + 60\n  while time.monotonic() < until: pass\n  assert done()", []),
        ("assert told.seconds > 10 * other.seconds", []),
    ],
)
def test_assertions_on_seconds_are_noticed(body: str, lines: list[int]) -> None:
    assert asserts_on_seconds(f"def test():\n  {body}") == lines
