"""What is put off at import is there when somebody asks for it."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(program: str) -> str:
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture(autouse=True)
def _needs_the_libraries() -> None:
    pytest.importorskip("spacy", reason="needs spaCy")
    pytest.importorskip("presidio_analyzer", reason="needs presidio-analyzer")


def test_the_command_line_of_spacy_is_put_off_and_still_there() -> None:
    program = (
        "import sys; from heteronym.text.quick_imports import import_spacy; spacy = import_spacy(); "
        "before = 'spacy.cli' in sys.modules, 'weasel' in sys.modules; "
        "import spacy.cli; print(before, spacy.cli.__file__ is not None, "
        "spacy.info(silent=True)['spacy_version'] == spacy.__version__)"
    )
    assert run(program) == "(False, False) True True"


def test_patterns_compile_when_they_are_used_and_regex_is_itself_again() -> None:
    program = (
        "import regex; own = regex.compile; "
        "from heteronym.text.quick_imports import import_presidio; made = import_presidio(); "
        "part = made.predefined_recognizers.CreditCardRecognizer(); "
        "found = part.analyze('4111 1111 1111 1111', part.supported_entities); "
        "print(regex.compile is own, len(found), round(found[0].score, 1))"
    )
    assert run(program) == "True 1 1.0"


def test_what_was_imported_before_is_left_as_it_is() -> None:
    program = (
        "import spacy, spacy.cli, presidio_analyzer; info = spacy.info; "
        "from heteronym.text.quick_imports import import_presidio, import_spacy; "
        "print(import_spacy() is spacy, import_presidio() is presidio_analyzer, spacy.info is info)"
    )
    assert run(program) == "True True True"


def test_our_own_pipeline_loads_without_plugins_which_are_looked_for_again_afterwards() -> None:
    program = (
        "import sys; from heteronym.text.models.pipelines import fast_pipeline; fast_pipeline(); "
        "before = 'presidio_analyzer' in sys.modules; import spacy; spacy.blank('en'); "
        "print(before, spacy.registry._entry_point_factories.entry_points)"
    )
    assert run(program) == "False True"
