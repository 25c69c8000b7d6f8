"""Where the package keeps its models, how spaCy pipelines are loaded, and what of a text a model can take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from heteronym.errors import UsageError, nearest

# What name recognition can do without
_NOT_NEEDED = frozenset(
    "tagger parser lemmatizer trainable_lemmatizer morphologizer attribute_ruler senter".split()
)
_END = re.compile(r"\n+|(?<=[.!?])\s")
_SURROGATES = re.compile("[\ud800-\udfff]")
LONGEST = 50_000  # characters


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
    import spacy
    from thinc.api import use_ops

    with use_ops("numpy", use_blis=False):
        return spacy.load(where) if syntax else loaded(where)


@cache
def loaded(name: str) -> Any:
    """A pipeline by package name or folder, with what finds names in it."""
    import spacy

    try:
        return spacy.load(name, exclude=list(_NOT_NEEDED))
    except (OSError, ImportError):
        known = spacy.util.get_installed_models()
        hint = nearest(name, known) if known else " No spaCy pipeline is installed."
        raise UsageError(f"no spaCy pipeline is called '{name}'.{hint}") from None


def encodable(text: str) -> str:
    """The text with lone surrogates replaced, one character for one: models cannot encode them."""
    return _SURROGATES.sub("\ufffd", text)


def pieces(text: str, longest: int = LONGEST) -> Iterator[tuple[int, str]]:
    """(offset, piece) pairs that make up the text, cut at line or sentence ends; no piece is longer than
    `longest`."""
    begin = 0
    while len(text) - begin > longest:
        late, end = begin + longest // 2, begin + longest
        ends = [match.end() for match in _END.finditer(text, late, end)]
        cut = ends[-1] if ends else text.rfind(" ", late, end) + 1 or end
        yield begin, text[begin:cut]
        begin = cut
    yield begin, text[begin:]
