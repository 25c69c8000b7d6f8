"""Sentences parsed by the package's own English pipeline, piece by piece where a text is long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heteronym.text.chunks import pieces
from heteronym.text.models.pipelines import encodable, fast_pipeline

if TYPE_CHECKING:
    from spacy.tokens import Doc

_BATCH = 64


def parse(text: str) -> list[tuple[int, Doc]]:
    """(offset, parsed piece) pairs that make up the text."""
    return parse_all([text])[0]


def parse_all(texts: Sequence[str], *, tags_only: bool = False) -> list[list[tuple[int, Doc]]]:
    """The parsed pieces of each text; empty texts have none. Tags alone cost less than half."""
    jobs = [
        (encodable(piece), (i, offset))
        for i, text in enumerate(texts)
        if text
        for offset, piece in pieces(text)
    ]
    parsed: list[list[tuple[int, Doc]]] = [[] for _ in texts]
    for doc, (i, offset) in fast_pipeline(syntax=True).pipe(
        jobs,
        as_tuples=True,
        batch_size=_BATCH,
        disable=["ner", "parser", "trainable_lemmatizer"] if tags_only else ["ner"],
    ):
        parsed[i].append((offset, doc))
    return parsed
