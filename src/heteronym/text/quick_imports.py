"""spaCy and presidio, imported without what nobody here uses of them: half a second instead of two.

spaCy's package imports its own command line (and with it a web client and a templating kit) for the sake
of one function, `spacy.info`. presidio compiles each of its 173 patterns on import to see whether it
can be compiled, and again when it is first used. Both are put off: `spacy.cli` and `spacy.info` are there
for whoever asks for them later, and a pattern is compiled when its recognizer first runs.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import RLock
from types import ModuleType
from typing import Any

_one_at_a_time = RLock()


def import_spacy() -> Any:
    """The module `spacy`."""
    with _one_at_a_time, _command_line_put_off():
        import spacy

        return spacy


def import_presidio() -> Any:
    """The module `presidio_analyzer`."""
    import_spacy()
    with _one_at_a_time, _validation_put_off():
        import presidio_analyzer

        return presidio_analyzer


@contextmanager
def without_plugins() -> Iterator[None]:
    """spaCy looks for components of other packages whenever it loads a pipeline, and imports presidio for
    one. Inside, it does not look: our own pipeline is made of spaCy's own components."""
    factories = getattr(import_spacy().registry, "_entry_point_factories", None)
    if factories is None:  # another spaCy: slower, not wrong
        yield
        return
    with _one_at_a_time:
        before, factories.entry_points = factories.entry_points, False
        try:
            yield
        finally:
            factories.entry_points = before


@contextmanager
def _command_line_put_off() -> Iterator[None]:
    if "spacy" in sys.modules or "spacy.cli" in sys.modules:
        yield
        return
    package, module = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
    package.__path__ = []
    module.info = _info  # type: ignore[attr-defined]
    stand_ins = {"spacy.cli": package, "spacy.cli.info": module}
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name, stand_in in stand_ins.items():
            if sys.modules.get(name) is stand_in:
                del sys.modules[name]


def _info(*arguments: Any, **options: Any) -> Any:
    """`spacy.info`, from the command line that it belongs to."""
    from spacy.cli.info import info

    return info(*arguments, **options)


@contextmanager
def _validation_put_off() -> Iterator[None]:
    if "presidio_analyzer" in sys.modules:
        yield
        return
    regex: Any = import_module("regex")  # what presidio compiles with
    compile_now = regex.compile

    def compile_later(*arguments: Any, **options: Any) -> Any:
        # Only presidio's check is put off; whoever else compiles meanwhile gets what was asked for.
        if sys._getframe(1).f_globals.get("__name__") == "presidio_analyzer.pattern":
            return None
        return compile_now(*arguments, **options)

    regex.compile = compile_later
    try:
        yield
    finally:
        regex.compile = compile_now
