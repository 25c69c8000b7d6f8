"""GLiNER models, an optional extra (`pip install heteronym[gliner]`): any types, named in words.

The model is read from a local folder; nothing is fetched at run time. Long texts are cut into
pieces of a few sentences, because GLiNER drops what exceeds its window.

Cost        the model's, linear in the number of pieces
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
from heteronym.text.models.pipelines import pieces
from heteronym.text.recognizers._labels import cleaned

# What the model is asked for -> the type that an answer becomes.
QUESTIONS = {
    "person": "PERSON",
    "organization": "ORG",
    "location": "LOC",
    "facility": "FAC",
    "nationality or religious group": "NORP",
    "event": "EVENT",
    "product": "PRODUCT",
    "work of art": "WORK_OF_ART",
    "job title": "JOB",
    "medical condition": "HEALTH",
}
_WINDOW = 1_000  # characters, about half of what the usual models read


@cache
def _loaded(folder: str) -> Any:
    try:
        from gliner import GLiNER
    except ImportError:
        raise UsageError("GLiNER is not installed: pip install 'heteronym[gliner]'") from None
    if not Path(folder).is_dir():
        raise UsageError("gliner needs the folder of a downloaded model; nothing is fetched at run time")
    return GLiNER.from_pretrained(folder, local_files_only=True)


@recognizers.register("gliner")
@dataclass(frozen=True)
class Gliner:
    """Entities of a GLiNER model in a local folder."""

    folder: str = field(metadata={"help": "folder of a GLiNER model"})
    threshold: float = field(default=0.5, metadata={"help": "lowest score to report", "min": 0, "max": 1})

    languages: ClassVar[frozenset[str]] = frozenset()
    is_model: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        model = _loaded(self.folder)
        result: list[list[Span]] = []
        for text in texts:
            asked = pieces(text, _WINDOW) if text and not text.isspace() else ()
            found = [
                (offset + one["start"], offset + one["end"], one["label"], float(one["score"]))
                for offset, piece in asked
                for one in model.predict_entities(piece, list(QUESTIONS), threshold=self.threshold)
            ]
            result.append(cleaned(text, found, source="gliner", types=QUESTIONS))
        return result
