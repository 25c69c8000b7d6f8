"""The package's own spaCy pipeline: several times faster than `accurate`, and less sure.

Only its name recognizer runs here; tags and parse of the same pipeline serve others. spaCy's own decoder
takes and drops Python's lock hundreds of times per word, more work than the network's; the same decisions are
made here for all words at once, and one by one only inside of names.

Cost        linear in the length of the texts
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.models.pipelines import fast_pipeline
from heteronym.text.parallel import batches
from heteronym.text.recognizers._labels import OWN
from heteronym.text.recognizers.spacy_pipeline import Entity, spans_by

_SCORE = 0.7
_ODD = np.uint64(0x9E3779B97F4A7C15)  # tells pairs of hashes apart
_BATCH = 5_000  # characters: what the network makes of them stays in the processor's cache
_TEXTS = 1_000  # at most in a batch


class _NameReader:
    """Decides as the name recognizer of a pipeline does, from its weights."""

    def __init__(self, nlp: Any) -> None:
        self._nlp = nlp
        vectors = nlp.get_pipe("tok2vec").model
        self._embed, self._encode = vectors.get_ref("embed"), vectors.get_ref("encode")
        ner = nlp.get_pipe("ner")
        self._narrow = ner.model.get_ref("tok2vec").layers[-1]
        lower, upper = ner.model.get_ref("lower"), ner.model.get_ref("upper")
        # What the word at hand, the first and the last one of an open name add to the hidden layer.
        # Rivals for the same place of that layer come one block after another: numpy compares blocks faster.
        self._shape = (-1, lower.get_dim("nP"), lower.get_dim("nO"))
        products = lower.get_param("W").transpose(0, 3, 2, 1)
        self._this, self._first, self._last = products.reshape(*products.shape[:2], -1)
        _, no_first, no_last = lower.get_param("pad")[0].transpose(0, 2, 1).reshape(3, -1)
        self._bias = lower.get_param("b").T.ravel()
        self._outside_bias = no_first + no_last + self._bias
        moves = ner.move_names
        self._labels = [move[2:] for move in moves if move.startswith("B-")]
        weights, bias = upper.get_param("W"), upper.get_param("b")
        outside = [moves.index(f"{move}-{label}") for move in "BU" for label in self._labels]
        outside.append(upper.get_dim("nO") - 1)  # no name; a move before it has no name, and is never taken
        inside = [[moves.index(f"{move}-{label}") for move in "IL"] for label in self._labels]
        self._outside_head = weights[outside].T, bias[outside]
        self._inside_heads = [(weights[rows], bias[rows]) for rows in inside]

    def entities(self, texts: Sequence[str]) -> Iterator[list[Entity]]:
        """(start, end, label) of the names in each text."""
        for batch in batches(texts, len, most=_BATCH, count=_TEXTS):
            yield from self._read([self._nlp.make_doc(text) for text in batch])

    def _read(self, docs: list[Any]) -> Iterator[list[Entity]]:
        ends = np.cumsum([len(doc) for doc in docs])
        lexicon, places = _lexicon(docs)
        embedded = self._embed.predict([lexicon])[0][places]
        words = self._narrow.predict(np.concatenate(self._encode.predict(np.split(embedded, ends[:-1]))))
        this = words @ self._this
        weights, bias = self._outside_head
        scores = (this + self._outside_bias).reshape(self._shape).max(-2) @ weights + bias
        # A name does not begin with a space, nor one of several words with the last word of its text.
        scores[lexicon.to_array("IS_SPACE")[places] > 0, :-1] = -np.inf
        scores[ends - 1, : len(self._labels)] = -np.inf
        move = scores.argmax(-1)
        named = np.flatnonzero(move < 2 * len(self._labels))
        starts = zip(named.tolist(), move[named].tolist())
        start, choice = next(starts, (len(words), 0))
        begin = 0
        for doc, end in zip(docs, ends.tolist()):
            found: list[Entity] = []
            free = begin
            while start < end:
                if start >= free:
                    kind, alone = choice % len(self._labels), choice >= len(self._labels)
                    last = start if alone else self._last_word(words, this, start, end, kind)
                    head, tail = doc[start - begin], doc[last - begin]
                    found.append((head.idx, tail.idx + len(tail), self._labels[kind]))
                    free = last + 1
                start, choice = next(starts, (len(words), 0))
            yield found
            begin = end

    def _last_word(self, words: np.ndarray, this: np.ndarray, start: int, end: int, kind: int) -> int:
        """The last word of a name of several words, in a text that ends at `end`."""
        weights, bias = self._inside_heads[kind]
        fixed = words[start] @ self._first + self._bias
        for word in range(start + 1, end - 1):
            hidden = (this[word] + fixed + words[word - 1] @ self._last).reshape(self._shape[1:]).max(-2)
            goes_on, stops = weights @ hidden + bias
            if stops > goes_on:
                return word
        return end - 1


def _lexicon(docs: Sequence[Any]) -> tuple[Any, np.ndarray]:
    """A document of the different words of some documents, and where in it each of their words stands."""
    # All that is embedded follows from the word and its norm, which exceptions of the tokenizer may set.
    words, norms = np.concatenate([doc.to_array(["ORTH", "NORM"]) for doc in docs]).T
    _, first, places = np.unique(words * _ODD + norms, return_index=True, return_inverse=True)
    vocab = docs[0].vocab
    lexicon = type(docs[0])(vocab, words=[vocab.strings[word] for word in words[first].tolist()])
    return lexicon.from_array(["NORM"], norms[first]), places


@cache
def _reader() -> _NameReader:
    return _NameReader(fast_pipeline())


@recognizers.register("fast")
@dataclass(frozen=True)
class Fast:
    """Names of people, organizations, places and things by a small convolutional network."""

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    is_model: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        # More threads would wait for each other longer than they work on products of this size.
        with _libraries().limit(limits=1, user_api="blas"):
            return spans_by(_reader().entities, texts, source="fast", keep=OWN, score=_SCORE)


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
