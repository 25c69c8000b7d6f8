"""Where the package keeps its models, and how spaCy pipelines are loaded."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from heteronym.errors import UsageError, nearest
from heteronym.text.quick_imports import import_spacy, without_plugins

# What name recognition can do without
_NOT_NEEDED = frozenset(
    "tagger parser lemmatizer trainable_lemmatizer morphologizer attribute_ruler senter".split()
)


def model_folder(name: str) -> Path:
    """Where the package keeps a model."""
    return Path(str(files("heteronym.text"))) / "models" / name


@cache
def fast_pipeline(*, syntax: bool = False) -> Any:
    """The package's spaCy pipeline, loaded once; with `syntax` also tags, lemmas and parse.

    Matrix products go through numpy, three times as fast as the default here.
    """
    where = str(model_folder("fast"))
    if not (Path(where) / "config.cfg").exists():
        raise UsageError(
            "the model 'fast' is not installed with this package; use text.model: accurate or none"
        )
    try:
        spacy = import_spacy()
        from thinc.api import use_ops
    except ImportError:
        raise UsageError("the model 'fast' needs spaCy: pip install spacy") from None
    with use_ops("numpy", use_blis=False), without_plugins():
        return spacy.load(where) if syntax else loaded(where)


@cache
def loaded(name: str) -> Any:
    """A pipeline by package name or folder, with what finds names in it."""
    try:
        spacy = import_spacy()
    except ImportError:
        raise UsageError("spaCy is not installed: pip install spacy") from None
    try:
        config = spacy.util.load_config(_config_of(name))
        off = [part for part in config["nlp"]["pipeline"] if part in _NOT_NEEDED]
        return spacy.load(name, exclude=off)
    except (OSError, ImportError):
        known = spacy.util.get_installed_models()
        hint = nearest(name, known) if known else " No spaCy pipeline is installed."
        raise UsageError(f"no spaCy pipeline is called '{name}'.{hint}") from None


def _config_of(name: str) -> Any:
    spacy = import_spacy()
    folder = Path(name) if Path(name).exists() else spacy.util.get_package_path(name)
    if (folder / "config.cfg").exists():
        return folder / "config.cfg"
    found = sorted(folder.glob("*/config.cfg"))
    if not found:
        raise OSError(name)
    return found[0]


def encodable(text: str) -> str:
    """The text with lone surrogates replaced, one character for one: spaCy cannot hash them."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)
    return text
