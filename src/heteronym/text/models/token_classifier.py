"""Runs an exported token classifier (the `accurate` model) on raw text and gives character spans.

Needs onnxruntime, tokenizers and numpy only. Words are the tokenizer's pre-tokens (split at spaces and
punctuation) with exact offsets into the raw text. Long texts are read in windows, cut at sentence ends
where there is one and overlapping where there is none. Every window is run by itself: int8 activations are
scaled per call, so a batch would let one text change the tags of another.
Cost: linear in the length of the text. Randomness: none.
"""

import importlib
import json
import os
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from heteronym.text.models.pipelines import encodable

Span = tuple[int, int, str, float]

SHAPES = ("other", "lower", "title", "upper", "mixed", "digits", "initial", "alphanumeric")
ADDITIONS = ("facts", "names")  # to the graph of the model: the reader of facts, the judge of names
TOLD, NOTHING = "told ", "NOTHING"  # labels: a fact of a type; words that tell nothing of anybody
_COMMON = 1 << 14  # words whose shape is kept
_ABBREVIATION = 3  # a full stop after a word this short does not end a window ("Mr", "St", "Inc")


@lru_cache(_COMMON)
def word_shape(word: str) -> int:
    """Index into SHAPES: the letter case that an uncased vocabulary throws away."""
    if word.isalpha():
        if word.islower():
            return 1
        if word.isupper():
            return 3 if len(word) > 1 else 6
        return 2 if word[0].isupper() and word[1:].islower() else 4
    if word.isdigit():
        return 5
    return 7 if word.isalnum() else 0


@dataclass(frozen=True)
class Words:
    """The words of one text: piece ids, first piece of each word (and one past the last), offsets and
    shapes. Lists: on short texts, numpy spends more on its calls than on its sums."""

    ids: list[int]
    first: list[int]
    starts: list[int]
    ends: list[int]
    shapes: list[int]  # one for each piece

    def __len__(self) -> int:
        return len(self.starts)


def import_onnxruntime_without_telemetry() -> ModuleType:
    """The runtime, told not to report to its vendor.

    Its builds write a device id and a queue of events to the user's cache folder as soon as they are
    imported. The documented way to have neither is a variable that must be set at that moment and decides for
    the whole process (Privacy.md of the package). It is set for the import only; what the user gave stays.
    """
    name, given = "ORT_DISABLE_TELEMETRY", os.environ.get("ORT_DISABLE_TELEMETRY")
    os.environ[name] = "1"
    try:
        runtime = importlib.import_module("onnxruntime")
    finally:
        if given is None:
            del os.environ[name]
        else:
            os.environ[name] = given
    # Where somebody imported it before, and for builds that do not know the variable.
    runtime.disable_telemetry_events()
    return runtime


class TokenClassifier:
    """A tagger read from a folder with model.onnx, tokenizer.json, config.json and, if its settings name
    them, facts.onnx and names.onnx."""

    def __init__(self, folder: str | Path, threads: int = 1) -> None:
        self.folder, self.threads = Path(folder), threads

    @cached_property
    def config(self) -> dict[str, Any]:
        """Labels, window sizes and decoding settings as stored with the weights."""
        settings: dict[str, Any] = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))
        return settings

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(self.folder / "tokenizer.json"))

    @cached_property
    def _session(self) -> Any:
        onnxruntime = import_onnxruntime_without_telemetry()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        # Messages of protobuf one behind the other are one: the nodes of the second join the first.
        parts = ["model", *(name for name in ADDITIONS if name in self.config)]
        return onnxruntime.InferenceSession(
            b"".join((self.folder / f"{part}.onnx").read_bytes() for part in parts),
            options,
            providers=["CPUExecutionProvider"],
        )

    def tag(self, texts: list[str]) -> list[list[Span]]:
        """Spans (start, end, type, score) of every text, in reading order and without overlaps."""
        return [self._tag_one(text) for text in texts]

    def _tag_one(self, text: str) -> list[Span]:
        words = self._split(text)
        if not len(words):
            return []
        sizes = [len(self.config["labels"])]
        if "facts" in self.config:
            sizes.append(len(self.config["facts"]["labels"]))
        tags: list[list[int]] = [[] for _ in sizes]
        logits = [np.empty((len(words), size), np.float32) for size in sizes]
        for start, end, kept in self._windows(text, words):
            for mine, rows, read in zip(tags, logits, self._read(words, start, end)):
                mine[kept:], rows[kept:end] = best_path(read)[kept - start :], read[kept - start :]
        found = list(_spans(words, tags[0], logits[0], self.config["labels"]))
        if "facts" in self.config:
            found += _facts(words, tags[1], logits[1], self.config["facts"])
        return found

    def _split(self, text: str) -> Words:
        encoding = self._tokenizer.encode(encodable(text), add_special_tokens=False)
        ids, offsets, numbers = encoding.ids, encoding.offsets, encoding.word_ids
        first = [i for i, (before, word) in enumerate(zip([None, *numbers], numbers)) if word != before]
        first.append(len(ids))
        starts = [offsets[i][0] for i in first[:-1]]
        ends = [offsets[i - 1][1] for i in first[1:]]
        shapes: list[int] = []
        for start, end, (here, there) in zip(starts, ends, pairwise(first)):
            shapes += [word_shape(text[start:end])] * (there - here)
        return Words(ids, first, starts, ends, shapes)

    def _windows(self, text: str, words: Words) -> Iterator[tuple[int, int, int]]:
        """Word ranges (start, end) that fit the model, with the word from which their tags are kept."""
        size, overlap = self.config["window"], self.config["overlap"]
        start = kept = 0
        while True:
            end = bisect_right(words.first, words.first[start] + size) - 1
            if end >= len(words):
                yield start, len(words), kept
                return
            cut = _last_sentence_end(text, words, (start + end) // 2, end)
            if cut:
                yield start, cut, kept
                start = kept = cut
            else:
                yield start, end, kept
                start = max(end - overlap, start + 1)
                kept = max(end - overlap // 2, start)

    def _read(self, words: Words, start: int, end: int) -> list[np.ndarray]:
        """A row of scores, one for each tag, for every word from `start` to `end`: names, then facts."""
        begin, stop = self.config["begin_id"], self.config["end_id"]
        low, high = words.first[start], words.first[end]
        feeds = {
            "ids": np.array([begin, *words.ids[low:high], stop], np.int64),
            "shapes": np.array([0, *words.shapes[low:high], 0], np.int64),
            "first": np.array(words.first[start:end], np.int64) + (1 - low),
        }
        logits: list[np.ndarray] = self._session.run(None, feeds)
        if "names" in self.config:
            logits[0] += logits.pop()
        logits[0][:, 0] -= self.config["outside_bias"]
        return logits


def _spans(words: Words, tags: list[int], logits: np.ndarray, labels: list[str]) -> Iterator[Span]:
    marked = [word for word, tag in enumerate(tags) if tag]
    if not marked:
        return
    rows = logits[marked]
    powers = np.exp(rows - rows.max(-1, keepdims=True))
    kinds = [(tags[word] + 1) // 2 for word in marked]  # tags are O, B-x, I-x, B-y, I-y, ...
    inside, row = 2 * np.array(kinds), np.arange(len(marked))
    # The probability of the type that each tag names.
    scores = ((powers[row, inside] + powers[row, inside - 1]) / powers.sum(-1)).tolist()
    begins = [  # any but an I- of the kind that the word before has
        place
        for place, word in enumerate(marked)
        if not place or marked[place - 1] != word - 1 or tags[word] != 2 * kinds[place - 1]
    ]
    for begin, end in pairwise([*begins, len(marked)]):
        score = sum(scores[begin:end]) / (end - begin)
        yield words.starts[marked[begin]], words.ends[marked[end - 1]], labels[2 * kinds[begin]][2:], score


def _facts(words: Words, tags: list[int], logits: np.ndarray, settings: dict[str, Any]) -> Iterator[Span]:
    """What is told of somebody, by the least score of its type, and the words that surely tell nothing."""
    least = settings["least"]
    for start, end, kind, score in _spans(words, tags, logits, settings["labels"]):
        if score >= least.get(kind, 2):
            yield start, end, TOLD + kind, score
    highest = logits.max(-1, keepdims=True)
    telling = np.log(np.exp(logits[:, 1:] - highest).sum(-1)) + highest[:, 0] - logits[:, 0]
    marks = np.array(words.shapes)[words.first[:-1]] == 0
    for most in settings["nothing"]:
        quiet = marks | (telling < np.log(most / (1 - most)))
        edges = np.flatnonzero(np.diff(np.concatenate([[False], quiet, [False]])))
        for first, end in edges.reshape(-1, 2).tolist():
            yield words.starts[first], words.ends[end - 1], NOTHING, 1 - most


def best_path(logits: np.ndarray) -> list[int]:
    """The best tag sequence in which every I-x follows B-x or I-x (columns O, B-x, I-x, B-y, ...)."""
    path: list[int] = logits.argmax(-1).tolist()
    allowed = all(
        tag == 0 or tag % 2 or (before + 1) // 2 == tag // 2 for before, tag in zip([0, *path], path)
    )
    # Mostly the best of all sequences is an allowed one.
    return path if allowed else _viterbi(logits.tolist())


def _viterbi(rows: list[list[float]]) -> list[int]:
    """The best allowed tags."""
    # Plain numbers: on rows of nineteen, numpy spends more on its calls than on its sums.
    kinds = range(1, len(rows[0]), 2)  # the columns of B-x; I-x is the next one
    score = [-np.inf if tag and tag % 2 == 0 else value for tag, value in enumerate(rows[0])]
    # The best tag before any but I-, and the best one before each I-x
    came_from: list[tuple[int, list[int]]] = []
    for row in rows[1:]:
        best = max(score)
        came_from.append((score.index(best), [b if score[b] >= score[b + 1] else b + 1 for b in kinds]))
        new = [best + row[0]]
        for b in kinds:
            new.append(best + row[b])
            new.append(max(score[b], score[b + 1]) + row[b + 1])
        score = new
    tag = score.index(max(score))
    path = [tag]
    for before, inside in reversed(came_from):
        tag = inside[tag // 2 - 1] if tag and tag % 2 == 0 else before
        path.append(tag)
    return path[::-1]


def _last_sentence_end(text: str, words: Words, low: int, high: int) -> int:
    """The last word in (low, high] before which a sentence seems to begin, or 0."""
    for word in range(high, low, -1):
        end = words.ends[word - 1]
        gap = text[end : words.starts[word]]
        if "\n" in gap:
            return word
        long_enough = word > 1 and words.ends[word - 2] - words.starts[word - 2] > _ABBREVIATION
        if gap and long_enough and text[words.starts[word - 1] : end] in (".", "!", "?"):
            return word
    return 0
