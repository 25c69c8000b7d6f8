"""Any spaCy pipeline that the user has installed, by name: `text: {model: en_core_web_trf}`.

Its labels are mapped to our types; OntoNotes pipelines keep theirs. Texts longer than spaCy takes are
cut at line or sentence ends.

Cost        the pipeline's
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.models.pipelines import encodable, loaded, pieces
from heteronym.text.recognizers._labels import cleaned

_BATCH = 20_000  # characters

Entity = tuple[int, int, str]  # start, end, label


def spans_by(
    entities: Callable[[Sequence[str]], Iterable[list[Entity]]],
    texts: Sequence[str],
    *,
    source: str,
    score: float,
    keep: frozenset[str] | None = None,
) -> list[list[Span]]:
    """The entities that a function finds in texts which spaCy can take, as spans of any texts."""
    result: list[list[Span]] = [[] for _ in texts]
    jobs = [
        (i, offset, encodable(piece))
        for i, text in enumerate(texts)
        if text and not text.isspace()
        for offset, piece in pieces(text)
    ]
    for (i, offset, _), found in zip(jobs, entities([piece for _, _, piece in jobs])):
        moved = [(offset + start, offset + end, label, score) for start, end, label in found]
        result[i].extend(cleaned(texts[i], moved, source=source, keep=keep))
    return result


@recognizers.register("spacy")
@dataclass(frozen=True)
class SpacyPipeline:
    """Entities of an installed spaCy pipeline."""

    pipeline: str = field(metadata={"help": "package name or folder of the pipeline"})

    languages: ClassVar[frozenset[str]] = frozenset()
    is_model: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        return spans_by(self._entities, texts, source=self.pipeline, score=0.85)

    def _entities(self, pieces: Sequence[str]) -> Iterator[list[Entity]]:
        # Batches of a few thousand words stay in the processor's cache: a third faster than large ones.
        batch = max(2, min(256, _BATCH * len(pieces) // sum(map(len, pieces))))
        for doc in loaded(self.pipeline).pipe(pieces, batch_size=batch):
            yield [(e.start_char, e.end_char, e.label_) for e in doc.ents]
