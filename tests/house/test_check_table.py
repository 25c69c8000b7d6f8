"""docs/verification.md says for every check which file decides it; the code is asked which it has."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "heteronym"
PAGE = ROOT / "docs" / "verification.md"
# whose first argument is the name of a check
MAKERS = ("Check", "_checked")
# where names come from a list beside the call
LISTED = {"verify/model_verdicts.py": "_UNVERIFIABLE"}


def checks_of_code() -> dict[str, set[str]]:
    """The files that make a check of each name; documents have audits of their own."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted(SOURCE.rglob("*.py")):
        file = path.relative_to(SOURCE).as_posix()
        if file.startswith("documents/"):
            continue
        tree = ast.parse(path.read_text("utf-8"))
        for name, is_variable in _names(tree):
            if not is_variable:
                found[name].add(file)
                continue
            inside = any(isinstance(n, ast.FunctionDef) and n.name in MAKERS for n in ast.walk(tree))
            assert inside or file in LISTED, f"{file}: a check whose name is made up at run time"
        if file in LISTED:
            for node in ast.walk(tree):
                if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == LISTED[file]:
                    for key in ast.literal_eval(node.value):
                        found[key].add(file)
    return found


def _names(tree: ast.AST) -> list[tuple[str, bool]]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [call.args[0] for call in calls if getattr(call.func, "id", "") in MAKERS and call.args]
    return [
        (str(arg.value), False) if isinstance(arg, ast.Constant) else (ast.unparse(arg), True)
        for arg in named
    ]


def checks_of_page() -> dict[str, set[str]]:
    section = PAGE.read_text("utf-8").split("## Which file decides what")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return {row[0].strip(" `"): set(re.findall(r"`([\w/]+\.py)`", row[1])) for row in rows}


def test_the_page_names_every_check_and_the_files_that_decide_it() -> None:
    code, page = checks_of_code(), checks_of_page()
    assert sorted(page) == sorted(code)
    for name, files in code.items():
        assert files <= page[name], f"{name} is decided in {files - page[name]}, too"
        assert all((SOURCE / file).is_file() for file in page[name]), name
        # what else is named is where the deciding file has its work done
        work = page[name] - files
        decided = "".join((SOURCE / file).read_text("utf-8") for file in files)
        assert all(Path(file).stem in decided for file in work), (name, work)


def test_every_check_says_what_it_looks_at() -> None:
    section = PAGE.read_text("utf-8").split("## Which file decides what")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    silent = [row[0].strip(" `") for row in rows if not row[2].strip()]
    assert silent == ["texts"]  # that one says that nothing was given
