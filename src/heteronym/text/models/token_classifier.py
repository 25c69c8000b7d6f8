"""Runs an exported token classifier (the `accurate` model) on raw text and gives character spans.

Needs onnxruntime, tokenizers and numpy only. Words are the tokenizer's pre-tokens (split at spaces and
punctuation) with exact offsets into the raw text. Long texts are read in windows, cut at sentence ends
where there is one and overlapping where there is none. Every window is run by itself: int8 activations are
scaled per call, so a batch would let one text change the tags of another.
Cost: linear in the length of the text. Randomness: none.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

Span = tuple[int, int, str, float]

SHAPES = ("other", "lower", "title", "upper", "mixed", "digits", "initial", "alphanumeric")
_SURROGATES = re.compile("[\ud800-\udfff]")
_ABBREVIATION = 3  # a full stop after a word this short does not end a window ("Mr", "St", "Inc")


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
    shapes."""

    ids: np.ndarray
    first: np.ndarray
    starts: list[int]
    ends: list[int]
    shapes: np.ndarray

    def __len__(self) -> int:
        return len(self.starts)


class TokenClassifier:
    """A tagger read from a folder with model.onnx, tokenizer.json and config.json."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._sessions: dict[int, Any] = {}

    @cached_property
    def config(self) -> dict[str, Any]:
        """Labels, window sizes and decoding settings as stored with the weights."""
        told: dict[str, Any] = json.loads((self.folder / "config.json").read_text(encoding="utf-8"))
        return told

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(self.folder / "tokenizer.json"))

    def _session(self, threads: int) -> Any:
        if threads not in self._sessions:
            import onnxruntime

            options = onnxruntime.SessionOptions()
            options.intra_op_num_threads = threads
            options.inter_op_num_threads = 1
            path = str(self.folder / "model.onnx")
            self._sessions[threads] = onnxruntime.InferenceSession(
                path, options, providers=["CPUExecutionProvider"]
            )
        return self._sessions[threads]

    def tag(self, texts: list[str], threads: int = 1) -> list[list[Span]]:
        """Spans (start, end, type, score) of every text, in reading order and without overlaps."""
        session = self._session(threads)
        return [self._tag_one(text, session) for text in texts]

    def _tag_one(self, text: str, session: Any) -> list[Span]:
        words = self._split(text)
        if not len(words):
            return []
        tags = np.zeros(len(words), np.int64)
        scores = np.zeros(len(words))
        for start, end, kept in self._windows(text, words):
            window_tags, window_scores = self._read(session, words, start, end)
            tags[kept:end], scores[kept:end] = window_tags[kept - start :], window_scores[kept - start :]
        return list(self._spans(words, tags, scores))

    def _split(self, text: str) -> Words:
        encoding = self._tokenizer.encode(_SURROGATES.sub("\ufffd", text), add_special_tokens=False)
        if not encoding.ids:
            return Words(np.zeros(0, np.int64), np.zeros(1, np.int64), [], [], np.zeros(0, np.int64))
        word_ids = np.array(encoding.word_ids)
        offsets = np.array(encoding.offsets)
        first = np.concatenate([[0], np.flatnonzero(np.diff(word_ids)) + 1, [len(word_ids)]])
        starts = offsets[first[:-1], 0].tolist()
        ends = offsets[first[1:] - 1, 1].tolist()
        shapes = np.array([word_shape(text[start:end]) for start, end in zip(starts, ends)])
        return Words(np.array(encoding.ids, np.int64), first, starts, ends, shapes)

    def _windows(self, text: str, words: Words) -> Iterator[tuple[int, int, int]]:
        """Word ranges (start, end) that fit the model, with the word from which their tags are kept."""
        size, overlap = self.config["window"], self.config["overlap"]
        start = kept = 0
        while True:
            end = int(np.searchsorted(words.first, words.first[start] + size, side="right")) - 1
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

    def _read(self, session: Any, words: Words, start: int, end: int) -> tuple[np.ndarray, np.ndarray]:
        """Tags of the words from `start` to `end` and the probability of the type each tag names."""
        pieces = words.first[start : end + 1]
        begin, stop = self.config["begin_id"], self.config["end_id"]
        ids = np.concatenate([[begin], words.ids[pieces[0] : pieces[-1]], [stop]])
        shapes = np.concatenate([[0], np.repeat(words.shapes[start:end], np.diff(pieces)), [0]])
        feeds = {"ids": ids, "shapes": shapes, "first": 1 + pieces[:-1] - pieces[0]}
        logits = session.run(None, feeds)[0]
        logits[:, 0] -= self.config["outside_bias"]
        tags = best_path(logits)
        powers = np.exp(logits - logits.max(-1, keepdims=True))
        kinds = (tags + 1) // 2  # tags are O, B-x, I-x, B-y, I-y, ...
        rows = np.arange(len(tags))
        mass = powers[rows, 2 * kinds] + np.where(kinds > 0, powers[rows, 2 * kinds - 1], 0)
        return tags, mass / powers.sum(-1)

    def _spans(self, words: Words, tags: np.ndarray, scores: np.ndarray) -> Iterator[Span]:
        labels = self.config["labels"]
        marked = np.flatnonzero(tags).tolist()
        position = 0
        while position < len(marked):
            first = last = marked[position]
            kind = (int(tags[first]) + 1) // 2
            position += 1
            while position < len(marked) and marked[position] == last + 1 and tags[last + 1] == 2 * kind:
                last += 1
                position += 1
            score = float(scores[first : last + 1].mean())
            yield words.starts[first], words.ends[last], labels[2 * kind][2:], score


def best_path(logits: np.ndarray) -> np.ndarray:
    """The best tag sequence in which every I-x follows B-x or I-x (Viterbi; columns O, B-x, I-x, B-y,
    ...)."""
    free: np.ndarray = logits.argmax(-1)
    if _follows(free):
        return free  # the best of all sequences is an allowed one, as it mostly is
    # Plain numbers: on rows of nineteen, numpy spends more on its calls than on its sums.
    rows = logits.tolist()
    kinds = range(1, len(rows[0]), 2)  # the columns of B-x; I-x is the next one
    score = [-np.inf if tag and tag % 2 == 0 else value for tag, value in enumerate(rows[0])]
    came_from: list[
        tuple[int, list[int]]
    ] = []  # the best tag before any but I-, and the best one before each I-x
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
    return np.array(path[::-1], np.int64)


def _follows(tags: np.ndarray) -> bool:
    """Whether every I-x follows B-x or I-x."""
    inside = np.flatnonzero((tags > 0) & (tags % 2 == 0))
    if not len(inside):
        return True
    kind = (tags + 1) // 2
    return bool(inside[0] > 0 and (kind[inside - 1] == kind[inside]).all())


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
