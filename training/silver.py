"""Annotated texts for the `fast` model: gold spans where a corpus has them, the `accurate` model's elsewhere.

A corpus that annotates names only gets its dates, nationalities, events, works and products from the large
model;
umbrella spans (MISC) take the large model's finer type where both agree on the span; plain text gets all
its spans.
"""

from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from corpora import READINGS, Sentence, read_iob2, tag_spans

from heteronym.text.models.token_classifier import TokenClassifier

Span = tuple[int, int, str]
PART = 500
PLAIN_TEXT = (("re3d", "train"), ("sec", "train"))  # annotated by other rules: only their words are used


@dataclass(frozen=True)
class AnnotatedText:
    """A text with character spans that do not overlap."""

    text: str
    spans: tuple[Span, ...]


def gold_text(sentence: Sentence) -> AnnotatedText:
    """The sentence with its own annotation."""
    starts, position = [], 0
    for token in sentence.tokens:
        starts.append(position)
        position += len(token) + 1
    spans = tuple(
        (starts[first], starts[last - 1] + len(sentence.tokens[last - 1]), kind)
        for first, last, kind in tag_spans(sentence.tags)
    )
    return AnnotatedText(" ".join(sentence.tokens), spans)


def _tag(folder: Path, texts: list[str]) -> list[list[Span]]:
    return [[span[:3] for span in spans] for spans in TokenClassifier(folder).tag(texts)]


def tag_all(folder: Path, texts: list[str], workers: int = 2) -> list[list[Span]]:
    """Spans of many texts by the model in this folder."""
    parts = [texts[i : i + PART] for i in range(0, len(texts), PART)]
    with ProcessPoolExecutor(workers, mp_context=get_context("fork")) as pool:
        return [spans for found in pool.map(partial(_tag, folder), parts) for spans in found]


def complete(folder: Path, sentences: list[Sentence]) -> list[AnnotatedText]:
    """Gold spans plus the model's spans of the types that the corpora leave open."""
    texts = [gold_text(sentence) for sentence in sentences]
    return [
        _completed(text, spans, READINGS[sentence.corpus].open_types)
        for sentence, text, spans in zip(sentences, texts, tag_all(folder, [text.text for text in texts]))
    ]


def _completed(gold: AnnotatedText, silver: list[Span], open_types: tuple[str, ...]) -> AnnotatedText:
    finer = {(start, end): kind for start, end, kind in silver}
    spans = [(s, e, finer.get((s, e), kind) if kind == "MISC" else kind) for s, e, kind in gold.spans]
    for start, end, kind in silver:
        if kind in open_types and all(end <= s or e <= start for s, e, _ in gold.spans):
            spans.append((start, end, kind))
    return AnnotatedText(gold.text, tuple(sorted(spans)))


def annotate(folder: Path, texts: list[str]) -> list[AnnotatedText]:
    """Plain texts with the model's spans."""
    return [AnnotatedText(text, tuple(spans)) for text, spans in zip(texts, tag_all(folder, texts))]


def plain_texts() -> list[str]:
    """Texts of which only the words are used."""
    return [" ".join(s.tokens) for corpus, split in PLAIN_TEXT for s in read_iob2(corpus, split)]
