"""Sentences parsed by the package's own English pipeline, piece by piece where a text is long."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from heteronym.run import current
from heteronym.text.models.pipelines import LONGEST, encodable, fast_pipeline, pieces
from heteronym.text.parallel import batches

if TYPE_CHECKING:
    from spacy.tokens import Doc

_BATCH = 64
# Control characters and marks of direction stick to the words beside them; each is read as a blank.
_UNSEEN = {ord(c): " " for c in map(chr, [*range(32), *range(127, 160)]) if c not in "\t\n\r"}
_UNSEEN |= dict.fromkeys(
    [*range(0x200E, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A), 0xFEFF], " "
)


def parse(text: str) -> list[tuple[int, Doc]]:
    """(offset, parsed piece) pairs that make up the text; how far it is, is told while it goes on."""
    return parse_all([text], report=current().tell)[0]


def parse_all(
    texts: Sequence[str], *, tags_only: bool = False, report: Callable[[float], None] | None = None
) -> list[list[tuple[int, Doc]]]:
    """The parsed pieces of each text; empty texts have none. Tags alone cost less than half."""
    jobs = [
        (encodable(piece).translate(_UNSEEN), (i, offset))
        for i, text in enumerate(texts)
        if text
        for offset, piece in pieces(text)
    ]
    parsed: list[list[tuple[int, Doc]]] = [[] for _ in texts]
    nlp = fast_pipeline(syntax=True)
    off = ["ner", "parser", "trainable_lemmatizer"] if tags_only else ["ner"]
    done, total = 0, sum(len(piece) for piece, _ in jobs)
    # No more at once than one long piece has characters: the network holds kilobytes for every word.
    for batch in batches(jobs, lambda job: len(job[0]), most=LONGEST, count=_BATCH):
        for doc, (i, offset) in nlp.pipe(batch, as_tuples=True, batch_size=_BATCH, disable=off):
            doc.tensor = doc.tensor[:0]  # nobody reads the vectors again, and they are large
            parsed[i].append((offset, doc))
            done += len(doc.text)
        if report is not None:
            report(done / total)
    return parsed
