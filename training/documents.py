"""Reads annotated documents and texts that tell of nobody, for the reader of facts.

A document of `documents/*.txt` begins with a line "=== name"; spans are marked as in studies/genres:
⟦TYPE|words⟧, with "!" or nothing for what must be found and "?" for what may be. There is a type for whatever
a text may tell of a person; what a mark leaves open is permitted.
"""

import gzip
import importlib.metadata
import random
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from corpora import FACT_TAGS, FACTS
from tokenizers import Tokenizer

from heteronym.text.models.token_classifier import word_shape

_HERE = Path(__file__).resolve().parent
_GENRES = _HERE.parent / "benchmarks" / "studies" / "genres"
DOCUMENTS = (
    *sorted((_HERE / "documents").glob("*.txt")),
    *(
        _GENRES / name for name in ("fresh", "later", "seen", "unseen", "wide")
    ),  # the errors of these had been read
)
_AS_FACT = {
    **dict.fromkeys("GPE FAC ADDRESS POSTCODE".split(), "LOC"),
    **dict.fromkeys("PERCENT CARDINAL ORDINAL".split(), "NUMBER"),
    **dict.fromkeys("MAIL URL PHONE IP CARD IBAN SECRET USERNAME".split(), "CODE"),
}
# "a teacher", "my knee": some documents mark the article, others do not; it tells nothing
_TOLD = frozenset("JOB HEALTH EDUCATION FAMILY MARITAL AGE RELIGION ORIGIN EVENT".split())
_LED_BY = re.compile(r"(?:an?|the|my|your|his|her|its|our|their) +(?=\w)", re.IGNORECASE)
_MARKED = re.compile(r"⟦([!?]?)([A-Z_]+)\|([^⟦⟧|]+)⟧")

Span = tuple[int, int, str, bool]  # start, end, type, whether it must be found


def parsed(annotated: str) -> tuple[str, list[Span]]:
    """The plain text and its spans."""
    pieces: list[str] = []
    spans: list[Span] = []
    length = last = 0
    for match in _MARKED.finditer(annotated):
        mark, kind, surface = match.groups()
        before = annotated[last : match.start()]
        start = length + len(before)
        length = start + len(surface)
        own = _LED_BY.match(surface) if kind in _TOLD else None
        spans.append((start + (own.end() if own else 0), length, kind, mark != "?"))
        pieces += (before, surface)
        last = match.end()
    text = "".join(pieces) + annotated[last:]
    if "⟦" in text or "⟧" in text:
        raise ValueError(f"a mark is not closed near {text[text.find('⟦') :][:40]!r}")
    return text, spans


def read_documents(*paths: Path) -> dict[str, str]:
    """Annotated documents by name, in order: those of a file, or the files of a folder."""
    found: dict[str, str] = {}
    for path in paths:
        if path.is_dir():
            for file in sorted(path.glob("*.txt")):
                found[f"{path.name} {file.stem}"] = file.read_text(encoding="utf-8").strip()
            continue
        for part in re.split(r"(?m)^=== ", path.read_text(encoding="utf-8"))[1:]:
            name, _, text = part.partition("\n")
            found[f"{path.stem} {name.strip()}"] = text.strip("\n")
    return found


FOLDS = 3
MOST_PIECES = 150


def left_out(documents: dict[str, str], fold: int) -> dict[str, str]:
    """The documents that the reader of a fold does not see, by which thresholds are chosen; fold 0: none."""
    return {name: documents[name] for name in list(documents)[fold - 1 :: FOLDS]} if fold else {}


@cache
def _permitted(kind: str | None, begins: bool, must: bool) -> np.ndarray:
    row = np.zeros(len(FACT_TAGS), bool)
    if kind is None:
        row[0] = True
        return row
    kind = _AS_FACT.get(kind, kind)
    place = 1 + 2 * FACTS.index(kind) if kind in FACTS else 0
    row[place if begins or not place else place + 1] = True
    if not must:
        row[0] = True
        if place:
            row[place : place + 2] = True
    return row


Permits = Callable[[str | None, bool, bool], np.ndarray]  # type of a mark, whether it begins, must be found


@dataclass(frozen=True)
class Passage:
    """Pieces of a passage, shapes, the first piece of each word, and the permitted tags of each word."""

    ids: np.ndarray
    shapes: np.ndarray
    first: np.ndarray
    permitted: np.ndarray


def encode(tokenizer: Tokenizer, text: str, spans: list[Span], permits: Permits = _permitted) -> Passage:
    """The first words of a text, as many as a window of the runtime holds."""
    encoding = tokenizer.encode(text, add_special_tokens=False)
    owner = [-1] * (len(text) + 1)
    for number, (start, end, *_) in enumerate(spans):
        owner[start:end] = [number] * (end - start)
    ends = dict(zip(encoding.word_ids, (end for _, end in encoding.offsets)))
    shapes, first, permitted = [], [], []
    word_before, span_before, shape = -1, -1, 0
    for i, (word, (start, _)) in enumerate(zip(encoding.word_ids, encoding.offsets)):
        if word != word_before:
            if i >= MOST_PIECES:
                break
            shape, span = word_shape(text[start : ends[word]]), owner[start]
            kind, must = spans[span][2:] if span >= 0 else (None, True)
            first.append(i)
            permitted.append(permits(kind, span != span_before, must))
            word_before, span_before = word, span
        shapes.append(shape)
    ids = np.array(encoding.ids[: len(shapes)], np.int64)
    return Passage(ids, np.array(shapes, np.int64), np.array(first, np.int64), np.array(permitted))


_BREAK = re.compile(r"\n+|(?<=[.!?])\s+")


def passages(
    text: str, spans: list[Span], rng: random.Random, longest: int
) -> Iterator[tuple[str, list[Span]]]:
    """The text in passages of one sentence to many, of at most about `longest` characters."""
    inside = {place for start, end, *_ in spans for place in range(start + 1, end)}
    cuts = [match.end() for match in _BREAK.finditer(text) if match.end() not in inside]
    start, wanted = 0, 0
    for stop, following in zip([*cuts, len(text)], [*cuts[1:], len(text), len(text)]):
        if not wanted:
            wanted = rng.choice((60, 200, longest, longest))
        if stop - start >= wanted or following - start > longest or stop == len(text):
            if text[start:stop].strip():
                yield (
                    text[start:stop],
                    [(s - start, e - start, *rest) for s, e, *rest in spans if start <= s and e <= stop],
                )
            start, wanted = stop, 0


def recased_text(text: str, rng: random.Random) -> str:
    """The text itself, or now and then in small letters or in capitals; its length stays."""
    draw = rng.random()
    other = text.lower() if draw < 0.06 else text.upper() if draw < 0.10 else text
    return other if len(other) == len(text) else text


Surfaces = dict[tuple[str, str], list[str]]


def _form(kind: str, surface: str) -> tuple[str, str]:
    first = surface[0]
    return kind, "0" if first.isdigit() else "A" if first.isupper() else "a"


def surfaces(documents: Iterable[str]) -> Surfaces:
    """What some documents mark, by type and by how it begins."""
    found: Surfaces = {}
    for annotated in documents:
        text, spans = parsed(annotated)
        for start, end, kind, _ in spans:
            found.setdefault(_form(kind, text[start:end]), []).append(text[start:end])
    return found


def exchanged(text: str, spans: list[Span], known: Surfaces, rng: random.Random) -> tuple[str, list[Span]]:
    """The text with every other fact replaced by one of its type, so that the words around it count."""
    pieces: list[str] = []
    moved: list[Span] = []
    length = last = 0
    for start, end, kind, must in spans:
        own = text[start:end]
        other = rng.choice(known[_form(kind, own)]) if rng.random() < 0.5 else own
        length += start - last
        pieces += (text[last:start], other)
        moved.append((length, length + len(other), kind, must))
        length += len(other)
        last = end
    return "".join([*pieces, text[last:]]), moved


_PROSE = re.compile(r"[A-Za-z ,.'’()-]*[a-z]{2,} [A-Za-z ,.'’()-]*[.:!?]")


def plain_documents(rng: random.Random) -> list[str]:
    """Prose of the documentation that lies on this machine: Debian's and that of installed packages."""
    texts = []
    debian = Path("/usr/share/doc")
    for file in (*sorted(debian.glob("*/README*")), *sorted(debian.glob("*/NEWS*"))):
        raw = file.read_bytes()
        texts.append((gzip.decompress(raw) if file.suffix == ".gz" else raw).decode("utf-8", "replace"))
    for one in sorted(importlib.metadata.distributions(), key=lambda d: d.name or ""):
        texts.append(one.metadata.get_payload() or one.metadata.get("Description") or "")
    rng.shuffle(texts)
    return ["\n".join(line for line in text.splitlines() if _PROSE.search(line))[:6000] for text in texts]
