"""The package's own spaCy pipeline: several times faster than `accurate`, and less sure.

Only its name recognizer runs here; tags and parse of the same pipeline serve others.

Cost        linear in the length of the texts
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from heteronym.errors import UsageError
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.labels import OWN
from heteronym.text.quick_imports import import_spacy, without_plugins
from heteronym.text.recognizers.accurate import model_folder
from heteronym.text.recognizers.spacy_pipeline import loaded, named_spans


@cache
def fast_pipeline(folder: str | None = None, *, syntax: bool = False) -> Any:
    """The package's spaCy pipeline, loaded once; with `syntax` also tags, lemmas and parse.

    Matrix products go through numpy, three times as fast as the default here.
    """
    where = folder or str(model_folder("fast"))
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


@recognizers.register("fast")
@dataclass(frozen=True)
class Fast:
    """Names of people, organizations, places and things by a small convolutional network."""

    folder: str | None = field(default=None, metadata={"help": "another folder with a spaCy pipeline"})

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    is_model: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return named_spans(fast_pipeline(self.folder), texts, source="fast", keep=OWN, score=0.7)
