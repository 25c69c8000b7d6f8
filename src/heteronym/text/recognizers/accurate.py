"""The package's own token classifier (MiniLM, ONNX, int8): slower and better than `fast`.

The weights are read from the package when the first text comes. Windows, tokens and offsets are the
runtime's business (text/models/token_classifier.py). Sentences that name nothing are not shown to it: those
that begin with a capital, have no other one, have no word that any list knows as a name and speak of nobody.

Cost        linear in the length of the texts; texts are run in order of length
Randomness  none
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import ClassVar

from heteronym.errors import UsageError
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.lines import weighty
from heteronym.text.models.pipelines import model_folder
from heteronym.text.models.token_classifier import NOTHING, TOLD, TokenClassifier
from heteronym.text.recognizers._labels import OWN, cleaned
from heteronym.text.recognizers.places import place_type
from heteronym.text.rule import UPPER
from heteronym.text.spelling import is_name_in_small_letters, is_plain_word
from heteronym.text.stretches import joined


@cache
def _classifier(folder: str, threads: int) -> TokenClassifier:
    if not (Path(folder) / "model.onnx").exists():
        raise UsageError(
            "the model 'accurate' is not installed with this package; use text.model: fast or none"
        )
    return TokenClassifier(folder, threads)


@recognizers.register("accurate")
@dataclass(frozen=True)
class Accurate:
    """Names of people, organizations, places and things by a small transformer."""

    threads: int = field(
        default=1, metadata={"help": "threads of the model in this process", "min": 1, "max": 1024}
    )
    folder: str | None = field(default=None, metadata={"help": "another folder with an exported model"})

    languages: ClassVar[frozenset[str]] = frozenset({"en"})
    is_model: ClassVar[bool] = True

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        result: list[list[Span]] = [[] for _ in texts]
        naming, telling = zip(*map(_worth_reading, texts)) if texts else ((), ())
        for i, found in self._read(texts, naming):
            names = (one for one in found if not one[2].startswith((TOLD, NOTHING)))
            result[i] += cleaned(texts[i], names, source="accurate", keep=OWN)
            result[i] += _facts(texts[i], found)
        # By themselves, so that what is read for names stays as it is without them.
        for i, found in self._read(texts, telling):
            result[i] += _facts(texts[i], found)
        return result

    def _read(
        self, texts: Sequence[str], parts: Sequence[list[Part]]
    ) -> Iterator[tuple[int, list[LabelledStretch]]]:
        """What the model says of these parts of texts, at its place in them."""
        model = _classifier(self.folder or str(model_folder("accurate")), self.threads)
        order = sorted((i for i, kept in enumerate(parts) if kept), key=lambda i: len(texts[i]))
        read = ["".join(texts[i][start:end] for start, end in parts[i]) for i in order]
        for i, found in zip(order, model.tag(read)):
            yield i, list(_moved(found, parts[i]))


Part = tuple[int, int]
LabelledStretch = tuple[int, int, str, float]

_SENTENCE_END = re.compile(r"[.!?]+[\"'”’)\]]*\s+|\n\s*")
_CAPITAL_WORD = re.compile(rf"(?<!\w)(?!I(?:['’][a-z]{{1,2}})?(?!\w))\w*[{UPPER}]")
_FIRST_WORD = re.compile(rf"[\"'“‘(\[]*([{UPPER}][a-z]*)(?!\w)")
# Of whom facts are told
_SOMEBODY = re.compile(r"\b(?:I|my|me|we|our|he|his|him|she|her|hers)\b", re.IGNORECASE)
_SHORT = 24  # a piece this short may be an abbreviation ("Mr."), not a sentence


def _worth_reading(text: str) -> tuple[list[Part], list[Part]]:
    """Where the sentences stand that may name something, and others that speak of somebody; neighbours are
    one part."""
    naming: list[Part] = []
    telling: list[Part] = []
    start = 0
    for end in [*(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]:
        parts = naming
        if start >= end or text.isspace() or _names_nothing(text, start, end):
            parts = telling if _SOMEBODY.search(text, start, end) else []
        parts.append((start, end))
        start = end
    return joined(naming, touching=True), joined(telling, touching=True)


def _names_nothing(text: str, start: int, end: int) -> bool:
    first = _FIRST_WORD.match(text, start, end)
    return (
        end - start > _SHORT
        and first is not None
        and _CAPITAL_WORD.search(text, first.end(), end) is None
        and is_plain_word(first.group(1))
        and not any(map(is_name_in_small_letters, text[first.end() : end].split()))
    )


def _moved(found: Iterable[LabelledStretch], parts: list[Part]) -> Iterator[LabelledStretch]:
    """Spans of what was read, at their places in the text; none goes on where something was left out."""
    begins = [0, *accumulate(end - start for start, end in parts)]
    for start, end, label, score in found:
        part = bisect_right(begins, start) - 1
        shift = parts[part][0] - begins[part]
        yield start + shift, min(end + shift, parts[part][1]), label, score
        while label == NOTHING and end > begins[part + 1]:  # but words that tell nothing may be any
            part += 1
            yield parts[part][0], min(end - begins[part] + parts[part][0], parts[part][1]), label, score


_LINE = re.compile(r"[^\n\t]+")
_NUMBERS = re.compile(r"(?:(?! and )[^\n\t])+")  # "3 and 5" are two ages


def _facts(text: str, found: Iterable[LabelledStretch]) -> Iterator[Span]:
    """Facts within their lines and without function words at their edges, and where nothing is told."""
    for start, end, label, score in found:
        if label == NOTHING:
            yield Span(start, end, NOTHING, score, "accurate", NOTHING)
        elif label.startswith(TOLD):
            kind = label.removeprefix(TOLD)
            for part in (_NUMBERS if kind == "AGE" else _LINE).finditer(text, start, end):
                words = weighty(text, *part.span())
                if words and (kind in _NAMES or not _LABEL.match(text, words[1])):
                    own = place_type(text[slice(*words)]) if kind == "LOC" else kind
                    yield Span(*words, own, score, "accurate", label)


_NAMES = frozenset({"PERSON", "CODE"})
_LABEL = re.compile(r" ?:|\.\d")  # "Secretary:" is no job, and "37.8" no age
