"""Word vectors for the `fast` model, distilled from the `accurate` one.

One row per whole word of the large model's vocabulary: the main components of its input embedding, and the
types the
trained tagger gives to the word, capitalised, in a short neutral context. Keys are the lower, Title and
UPPER forms.
"""

from pathlib import Path

import numpy as np
import torch
from corpora import TAGS
from minilm import Tagger, load_base
from spacy.strings import get_string_id
from spacy.vectors import Vectors
from tokenizers import Tokenizer
from train_accurate import load_tokenizer

from heteronym.text.models.token_classifier import SHAPES

COMPONENTS = 48
CONTEXTS = (("with", "{}", "."),)
BATCH = 128


def vocabulary(tokenizer: Tokenizer) -> dict[str, int]:
    """Whole words of at least two letters and their piece numbers."""
    pieces = tokenizer.get_vocab()
    return {word: pieces[word] for word in sorted(pieces) if len(word) > 1 and word.isalpha()}


def principal_components(table: np.ndarray, size: int) -> np.ndarray:
    """The rows of the table along its main directions, with unit variance on average."""
    centred = table - table.mean(0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    projected = centred @ directions[:, ::-1][:, :size]
    return projected / projected.std()


def type_probabilities(tagger: Tagger, tokenizer: Tokenizer, words: list[int]) -> np.ndarray:
    """For each word the probability of no entity and of each type, averaged over the contexts."""
    total = np.zeros((len(words), 1 + len(TAGS) // 2), np.float32)
    begin, end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    for context in CONTEXTS:
        place = 1 + context.index("{}")
        frame = [begin, *(tokenizer.token_to_id(word) or 0 for word in context), end]
        shape = [0, *(SHAPES.index("lower") if word.isalpha() else 0 for word in context), 0]
        shape[place] = SHAPES.index("title")
        for i in range(0, len(words), BATCH):
            part = torch.tensor(words[i : i + BATCH])
            ids = torch.tensor(frame).repeat(len(part), 1)
            ids[:, place] = part
            shapes = torch.tensor(shape).repeat(len(part), 1)
            with torch.no_grad():
                chance = tagger(ids, shapes, torch.ones_like(ids))[:, place].softmax(-1).numpy()
            total[i : i + BATCH, 0] += chance[:, 0]
            total[i : i + BATCH, 1:] += chance[:, 1::2] + chance[:, 2::2]
    return total / len(CONTEXTS)


def with_cases(data: np.ndarray, words: list[str]) -> Vectors:
    """A table in which lower, Title and UPPER forms share a row: spaCy forgets `attr="LOWER"` when it loads
    vectors."""
    vectors = Vectors(data=data, keys=words, name="minilm-distilled")
    for row, word in enumerate(words):
        for form in (word.capitalize(), word.upper()):
            vectors.add(get_string_id(form), row=row)
    return vectors


def distil(base: Path, weights: Path) -> Vectors:
    """The vectors table."""
    tokenizer = load_tokenizer(base)
    tagger = load_base(base, len(TAGS))
    tagger.load_state_dict(torch.load(weights), strict=False)
    words = vocabulary(tokenizer)
    numbers = list(words.values())
    meaning = principal_components(tagger.words.weight.detach().numpy()[numbers], COMPONENTS)
    types = 3 * type_probabilities(tagger.eval(), tokenizer, numbers)
    data = np.concatenate([meaning, types], axis=1).astype(np.float32)
    return with_cases(data, list(words))
