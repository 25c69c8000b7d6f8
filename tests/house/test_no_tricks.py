"""Nobody else's inside: no private API, no patched module, no environment that is changed by an import."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[2] / "src"
FILES = sorted(SOURCE.rglob("*.py"))

# Documented, although its name begins with an underscore
PUBLIC = {"os._exit"}
# The one place that writes the environment: the variable by which a vendor's library is told not to report
# must be set while it is imported, and is put back at once.
WRITES_ENVIRONMENT = {"heteronym/text/models/token_classifier.py"}
TUNES_THE_PROCESS = {
    "gc.disable",
    "gc.set_threshold",
    "gc.freeze",
    "sys.setrecursionlimit",
    "sys.setswitchinterval",
}
TUNES_THE_PROCESS |= {
    "os.putenv",
    "os.unsetenv",
    "os.environ.setdefault",
    "os.environ.update",
    "os.environ.pop",
}


def is_ours(module: str | None) -> bool:
    return (module or "").split(".")[0] == "heteronym"


def dotted(node: ast.AST) -> str:
    """`a.b.c` as it is written; empty for what is no chain of names."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return node.id if isinstance(node, ast.Name) else ""


def foreign_names(tree: ast.AST) -> dict[str, str]:
    """Names by which modules of others are called, and what is taken out of them."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                if not is_ours(one.name):
                    found[one.asname or one.name.split(".")[0]] = (
                        one.name if one.asname else one.name.split(".")[0]
                    )
        elif isinstance(node, ast.ImportFrom) and not node.level and not is_ours(node.module):
            found |= {one.asname or one.name: f"{node.module}.{one.name}" for one in node.names}
    return found


def private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def tricks(source: str) -> Iterator[str]:
    """What a file does to the inside of others, in the order in which it is met."""
    tree = ast.parse(source)
    foreign = foreign_names(tree)

    def full(node: ast.AST) -> str:
        head, _, rest = dotted(node).partition(".")
        return f"{foreign[head]}.{rest}".rstrip(".") if head in foreign else ""

    def held_by(target: ast.AST) -> str:
        """Whose attribute or entry is written; empty for names of the file's own."""
        place = target
        while isinstance(place, (ast.Attribute, ast.Subscript)):
            place = place.value
            if full(place):
                return full(place)
        return ""

    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if any(map(private, one.name.split("."))))
        elif isinstance(node, ast.ImportFrom) and not node.level and not is_ours(node.module):
            names = [f"{node.module}.{one.name}" for one in node.names]
            yield from (name for name in names if name != "__future__" and any(map(private, name.split("."))))
        elif isinstance(node, ast.Attribute):
            name = full(node)
            if name and private(node.attr) and name not in PUBLIC:
                yield name
            if name in TUNES_THE_PROCESS:
                yield name
        elif isinstance(node, (ast.Assign, ast.AugAssign, ast.Delete)):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            yield from (f"{name} =" for name in map(held_by, targets) if name)
        elif (
            isinstance(node, ast.Call) and dotted(node.func) == "setattr" and node.args and full(node.args[0])
        ):
            yield f"setattr({full(node.args[0])})"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_nothing_reaches_into_others(path: Path) -> None:
    name = path.relative_to(SOURCE).as_posix()
    found = list(tricks(path.read_text("utf-8")))
    if name in WRITES_ENVIRONMENT:
        assert set(found) == {"os.environ ="}
    elif name == "heteronym/__init__.py":
        assert found == ["sys.modules ="]  # the class of its own module, which is documented for this
    else:
        assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "import _sre",
        "from re import _compiler",
        "import re._parser as p",
        "import sys\nsys._getframe(1)",
        "import threading as t\nt._shutdown()",
        "import os\nos.environ.setdefault('A', 'b')",
        "import os\nos.environ['A'] = 'b'",
        "import os\ndel os.environ['A']",
        "from os import environ\nenviron.setdefault('A', 'b')",
        "import gc\ngc.disable()",
        "import gc\ngc.set_threshold(9)",
        "import regex\nregex.compile = print",
        "import sys\nsys.modules['spacy.cli'] = None",
        "import sys\nsys.modules['re'].compile = None",
        "import spacy\nsetattr(spacy, 'info', print)",
        "import spacy\nspacy.registry._entry_point_factories",
    ],
)
def test_tricks_are_noticed(source: str) -> None:
    assert list(tricks(source))


@pytest.mark.parametrize(
    "source",
    [
        "from __future__ import annotations",
        "import os\nos._exit(0)",
        "import os\nos.environ.get('A')",
        "from heteronym.cli import _options\n_options._here",
        "class A:\n  def f(self): self._x = 1; return self._x",
        "import re\npattern = re.compile('a')",
    ],
)
def test_what_is_no_trick_is_left_alone(source: str) -> None:
    assert list(tricks(source)) == []


# An import changes nothing that was there before. Others are imported first, so that only what heteronym does
# to them is seen; plain values (counters, caches) are their own affair.
WATCH = """
import gc, json, os, signal, sys, threading, warnings
import re, regex, numpy, polars, pydantic, yaml, jinja2, typer, spacy, thinc.api
import phonenumbers, tokenizers, rich.console, threadpoolctl, importlib.metadata, decimal, locale, random

def state():
    modules = {}
    for name, module in list(sys.modules.items()):
        if module is not None and name.split('.')[0] not in ('heteronym', '__main__', '__mp_main__'):
            held = vars(module)
            modules[name] = {key: id(value) for key, value in list(held.items()) if callable(value)}
    return modules, {
        'environment': dict(os.environ),
        'collector': (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()),
        'limits': (sys.getrecursionlimit(), sys.getswitchinterval()),
        'paths': [list(map(repr, one)) for one in (sys.path, sys.meta_path, sys.path_hooks)],
        'signals': {one.name: repr(signal.getsignal(one)) for one in signal.Signals},
        'hooks': [repr(one) for one in (sys.excepthook, sys.displayhook, threading.excepthook)],
        'warnings': [repr(one) for one in warnings.filters],
        'folder': os.getcwd(),
        'locale': locale.setlocale(locale.LC_ALL),
        'threads': threading.active_count(),
        'precision': repr(decimal.getcontext()),
    }

modules, settings = state()
DONE
after, settings_after = state()
changed = [
    f'{name}.{key}' for name, held in modules.items() for key, value in held.items()
    if name in after and after[name].get(key) != value
]
from_us = [
    f'{name}.{key}' for name in after for key, value in vars(sys.modules[name]).items()
    if str(getattr(value, '__module__', '')).split('.')[0] == 'heteronym' and key not in modules.get(name, {})
]
gone = [name for name in modules if name not in sys.modules]
settings = [key for key in settings if settings[key] != settings_after[key]]
print('\\n' + json.dumps([changed, from_us, gone, settings]))
"""


@pytest.mark.parametrize(
    "done",
    [
        "import heteronym",
        "import heteronym\nfor name in heteronym.__all__: getattr(heteronym, name)",
        "import heteronym.__main__",
        "import heteronym as hn\nhn.anonymize(polars.DataFrame({'age': [1, 1, 2, 2]}), {'attributes': "
        "{'age': {'role': 'quasi'}}, 'privacy': [{'model': 'k-anonymity', 'k': 2}]})",
        "from heteronym.text.combine import pipeline\n"
        "pipeline('fast').recognize(['Call Jo on +49 30 123456.'])",
    ],
    ids=["import", "every public name", "command", "first release", "first text"],
)
def test_heteronym_leaves_the_process_as_it_was(done: str) -> None:
    code = WATCH.replace("DONE", done)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    changed, from_us, gone, settings = json.loads(ran.stdout.splitlines()[-1])
    assert changed == []
    assert from_us == []
    assert gone == []
    assert settings == []
