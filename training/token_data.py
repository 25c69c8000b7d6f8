"""Turns annotated sentences into word pieces, shapes and permitted tags for the `accurate` model.

Words are the tokenizer's own pre-tokens (split at spaces and punctuation), the same units the model sees at
run
time on raw text, so the tokenization of a corpus leaves no trace. Each word is labelled at its first piece.
"""

import random
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from corpora import TAGS, Sentence, permitted_tags
from tokenizers import Tokenizer

from heteronym.text.models.token_classifier import word_shape

MAX_PIECES = 160
CONCATENATED = 0.3  # share of examples made of several neighbouring sentences
EMPTY_KEPT = 0.5  # share of sentences without any entity that an epoch sees
LOWERED, RAISED = 0.03, 0.03  # share of sentences seen all lower / ALL UPPER


@dataclass(frozen=True)
class Example:
    """Pieces without the two special ones; `first` marks the first piece of each word, `permitted` has its
    tags."""

    ids: np.ndarray
    shapes: np.ndarray
    first: np.ndarray
    permitted: np.ndarray


@cache
def permitted_row(corpus: str, tag: str, mapped_away: bool) -> np.ndarray:
    """The permitted tags as one row of the mask."""
    allowed = permitted_tags(corpus, tag, mapped_away)
    return np.array([tag in allowed for tag in TAGS])


def encode(tokenizer: Tokenizer, sentence: Sentence) -> Example:
    """Pieces of one sentence with the permitted tags of the words they begin."""
    text = " ".join(sentence.tokens)
    owner = np.repeat(np.arange(len(sentence.tokens)), [len(token) + 1 for token in sentence.tokens])
    encoding = tokenizer.encode(text, add_special_tokens=False)
    size = len(encoding.ids)
    shapes = np.zeros(size, np.int64)
    first = np.zeros(size, bool)
    permitted = np.zeros((size, len(TAGS)), bool)
    ends: dict[int, int] = {}
    for word, (_, end) in zip(encoding.word_ids, encoding.offsets):
        ends[word] = end
    previous_word, previous_token, shape = -1, -1, 0
    for i, (word, (start, _)) in enumerate(zip(encoding.word_ids, encoding.offsets)):
        if word != previous_word:
            shape = word_shape(text[start : ends[word]])
            token = int(owner[start])
            first[i] = True
            tag = sentence.tags[token]
            if token == previous_token and tag.startswith("B-"):
                tag = "I-" + tag[2:]
            mapped_away = tag == "O" and sentence.original[token] != "O"
            permitted[i] = permitted_row(sentence.corpus, tag, mapped_away)
            previous_word, previous_token = word, token
        shapes[i] = shape
    return Example(np.array(encoding.ids, np.int64), shapes, first, permitted)


def recased(sentence: Sentence, rng: random.Random) -> Sentence:
    """The sentence itself, or now and then a copy that is all lower or all upper case."""
    draw = rng.random()
    if draw < LOWERED:
        return replace(sentence, tokens=tuple(token.lower() for token in sentence.tokens))
    if draw < LOWERED + RAISED:
        return replace(sentence, tokens=tuple(token.upper() for token in sentence.tokens))
    return sentence


def cut(example: Example, size: int) -> list[Example]:
    """The example in parts of at most `size` pieces."""
    return [
        Example(*(getattr(example, name)[i : i + size] for name in ("ids", "shapes", "first", "permitted")))
        for i in range(0, len(example.ids), size)
    ]


def join(examples: list[Example]) -> Example:
    """Neighbouring sentences as one example."""
    return Example(
        *(
            np.concatenate([getattr(e, name) for e in examples])
            for name in ("ids", "shapes", "first", "permitted")
        )
    )


def epoch_examples(tokenizer: Tokenizer, mix: dict[str, list[Sentence]], rng: random.Random) -> list[Example]:
    """The sentences of one epoch, alone or joined to their neighbours, none longer than MAX_PIECES."""
    examples: list[Example] = []
    for sentences in mix.values():
        group: list[Example] = []
        wanted = 1
        for sentence in sentences:
            if set(sentence.tags) == {"O"} and rng.random() > EMPTY_KEPT:
                continue
            for part in cut(encode(tokenizer, recased(sentence, rng)), MAX_PIECES):
                if group and (
                    len(group) >= wanted or sum(len(e.ids) for e in group) + len(part.ids) > MAX_PIECES
                ):
                    examples.append(join(group))
                    group = []
                if not group:
                    wanted = rng.randint(2, 5) if rng.random() < CONCATENATED else 1
                group.append(part)
        if group:
            examples.append(join(group))
    return examples


def batches(examples: list[Example], pieces: int, rng: random.Random) -> list[list[Example]]:
    """Batches of similar lengths with about `pieces` word pieces each, in random order."""
    order = sorted(examples, key=lambda example: (len(example.ids), rng.random()))
    result: list[list[Example]] = []
    batch: list[Example] = []
    for example in order:
        if batch and (len(batch) + 1) * (len(example.ids) + 2) > pieces:
            result.append(batch)
            batch = []
        batch.append(example)
    if batch:
        result.append(batch)
    rng.shuffle(result)
    return result


def pad(batch: list[Example], begin: int, end: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Ids, shapes and mask of a batch, framed by the special pieces."""
    length = max(len(example.ids) for example in batch) + 2
    ids, shapes, mask = (np.zeros((len(batch), length), np.int64) for _ in range(3))
    for row, example in enumerate(batch):
        size = len(example.ids)
        ids[row, 0], ids[row, size + 1] = begin, end
        ids[row, 1 : size + 1] = example.ids
        shapes[row, 1 : size + 1] = example.shapes
        mask[row, : size + 2] = 1
    return ids, shapes, mask
