"""The package's own token classifier (MiniLM, ONNX, int8): slower and better than `fast`.

The weights are read from the package when the first text comes. Windows, tokens and offsets are the
runtime's business (text/models/token_classifier.py).

Cost        linear in the length of the texts; texts are run in order of length
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, ClassVar

from heteronym.errors import UsageError
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.labels import OWN, cleaned


def model_folder(name: str) -> Path:
    """Where the package keeps a model."""
    return Path(str(files("heteronym.text"))) / "models" / name


@cache
def _classifier(folder: str) -> Any:
    if not (Path(folder) / "model.onnx").exists():
        raise UsageError(
            "the model 'accurate' is not installed with this package; use text.model: fast or none"
        )
    from heteronym.text.models.token_classifier import TokenClassifier

    return TokenClassifier(folder)


@recognizers.register("accurate")
@dataclass(frozen=True)
class Accurate:
    """Names of people, organizations, places and things by a small transformer."""

    threads: int = field(default=1, metadata={"help": "threads of the model in this process", "min": 1})
    folder: str | None = field(default=None, metadata={"help": "another folder with an exported model"})

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    is_model: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        model = _classifier(self.folder or str(model_folder("accurate")))
        result: list[list[Span]] = [[] for _ in texts]
        order = sorted(
            (i for i, text in enumerate(texts) if text and not text.isspace()), key=lambda i: len(texts[i])
        )
        for i, found in zip(order, model.tag([texts[i] for i in order], threads=self.threads)):
            result[i] = cleaned(texts[i], found, source="accurate", keep=OWN)
        return result
