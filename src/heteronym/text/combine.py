"""One recognizer out of many: a model, the rules and the structured identifiers, settled together.

What a rule knows for sure (a checked number, a full date, "Mr Smith", a law) beats the model; the model
beats what a list only suggests (a first name, a town). The longest span wins: what lies inside a law, an
institution without a name or a measurement goes with it, which is what these types are for. No other type
hides one that a plan lists: where "John Smith" is somebody's job for one recognizer and a person for
another, a plan that lists PERSON masks him. Names found once are followed by their parts ("Smith", "J.
Smith") through the same text.

Cost        the parts', plus O(spans log spans) per text
Randomness  none
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, fields
from itertools import accumulate
from typing import Any, ClassVar

from heteronym.contracts import Recognizer
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.cache import Cached
from heteronym.text.doubtful_names import with_doubtful_names
from heteronym.text.entities import follow_names
from heteronym.text.entity_types import MEASUREMENT
from heteronym.text.fact_model_veto import SURE, YIELDING, apply_fact_model_veto
from heteronym.text.impersonal import without_findings
from heteronym.text.index import REMEMBERED, forget
from heteronym.text.lines import weighty, within_lines, without_labels
from heteronym.text.models.token_classifier import NOTHING
from heteronym.text.parallel import Parallel
from heteronym.text.rule import Rule, find
from heteronym.text.settle import settle
from heteronym.text.spelling import as_names, in_ordinary_letters
from heteronym.text.stretches import Covers, joined
from heteronym.text.whole_codes import with_whole_codes


@dataclass(frozen=True)
class Combined:
    """Runs its parts on each batch and settles what they say."""

    parts: tuple[Recognizer, ...] = field(metadata={"help": "recognizers, the model among them"})
    listed: frozenset[str] | None = field(
        default=None, metadata={"help": "types that count; spans of others hide none of them. None: all"}
    )

    languages: ClassVar[frozenset[str]] = frozenset()

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        gathered: list[list[tuple[int, Span]]] = [[] for _ in texts]
        respelt = [in_ordinary_letters(text) for text in texts]
        for part in filter(_is_model, self.parts):
            _gather(gathered, part.recognize(texts), model=True)
            _gather(gathered, read_extracts(part, respelt), model=True)
        # The rules share the index of a text, so they read a few texts at a time.
        for first in range(0, len(texts), REMEMBERED):
            few, mine = texts[first : first + REMEMBERED], gathered[first : first + REMEMBERED]
            again = [
                [*readings, *as_names(text)]
                for text, readings in zip(few, respelt[first : first + REMEMBERED])
            ]
            for part in self.parts:
                if getattr(part, "part_name", "") == "structured":
                    _gather(mine, near_identifiers(part, few), model=False)
                elif not _is_model(part):
                    _gather(mine, part.recognize(few), model=False)
                    _gather(mine, read_extracts(part, again), model=False)
            forget()
        return [self._settled(text, ranked) for text, ranked in zip(texts, gathered)]

    def _settled(self, text: str, ranked: list[tuple[int, Span]]) -> list[Span]:
        if not ranked:
            return []
        quiet = {
            least: Covers(span for _, span in ranked if span.type == NOTHING and span.score >= least)
            for least in set(YIELDING.values())
        }
        said = within_lines(
            text, with_whole_codes(text, (pair for pair in ranked if pair[1].type != NOTHING))
        )
        believed = apply_fact_model_veto(text, without_labels(text, said), quiet)
        if self.listed is None:
            believed = without_findings(text, believed)
        else:
            believed = with_doubtful_names(text, believed, self.listed)
            believed = [pair for pair in believed if pair[1].type in self.listed | _NOBODY]
        kept = settle(text, believed)
        if self.listed is not None:
            kept = _with_pieces(text, kept, [span for _, span in believed if span.type in self.listed])
        return follow_names([text], [kept])[0]


def _with_pieces(text: str, kept: list[Span], listed: Sequence[Span]) -> list[Span]:
    """The spans, and what they leave of others that count: half of a job is told, too."""
    whole = list(kept)
    for span in sorted(listed):
        for start, end in list(Covers(whole).gaps(span)):
            piece = weighty(text, start, end)
            if piece is not None:
                whole.append(span._replace(start=piece[0], end=piece[1]))
    return sorted(whole) if len(whole) > len(kept) else kept


# Types that say of words that they tell nothing of anybody: what lies inside is no mention.
_NOBODY = frozenset({"LAW", "INSTITUTION", MEASUREMENT})


# Ranks of `settle`: the lower one is believed where spans are equally long.
_SURE_RULE, _MODEL, _WEAK_RULE = 0, 1, 2


def _gather(gathered: Sequence[list[tuple[int, Span]]], found: Sequence[list[Span]], *, model: bool) -> None:
    for mine, spans in zip(gathered, found):
        if model:
            mine.extend((_MODEL, span) for span in spans)
        else:
            mine.extend((_SURE_RULE if span.score >= SURE else _WEAK_RULE, span) for span in spans)


def _is_model(part: Recognizer) -> bool:
    return bool(getattr(part, "is_model", False))


# Where an identifier may stand: an address of the net, five digits near each other, letters among digits.
_CANDIDATES = tuple(
    Rule(name, pattern, "CODE", 0.0)
    for name, pattern in (
        ("sign of the net", r"@|://|\bwww\."),
        ("point inside a word", r"\w\.[A-Za-z]{2,}"),
        ("five digits", r"\d(?:[ ()./+-]{0,2}\d){4,}"),
        ("letters among digits", r"\b(?=\w*\d)(?=\w*[A-Za-z])\w{3,}"),
        ("digit before a capital", r"\d[A-Z]"),
        ("colons", r":[0-9a-fA-F]{0,4}:"),
        ("dashes", r"[0-9a-fA-F]{2}-[0-9a-fA-F]{2}-"),
    )
)
_AROUND = 64  # characters before and after a candidate, for the words that speak for it
# What goes on and on: no identifier does, and some patterns take the square of its length.
_ENDLESS = re.compile(r"\S{400,}")
_GAP = "\n\u00a6\n"  # between two extracts: nothing matches across it


def near_identifiers(part: Recognizer, texts: Sequence[str]) -> list[list[Span]]:
    """Runs a recognizer of structured identifiers on the neighbourhoods of candidates only.

    There are some forty patterns, and each would read the whole text; most
    texts have no identifier, and those that have are short around it.
    """
    cut: list[list[tuple[int, str]]] = []
    for text, candidates in zip(texts, find(texts, _CANDIDATES, source="candidates")):
        near = ((max(0, one.start - _AROUND), one.end + _AROUND) for one in candidates)
        windows = joined(near, touching=True)
        cut.append([])
        for window in (_whole_words(text, start, min(end, len(text))) for start, end in windows):
            endless = Covers(one.span() for one in _ENDLESS.finditer(text, *window))
            cut[-1] += [(start, text[start:end]) for start, end in endless.gaps(window)]
    return read_extracts(part, cut)


def read_extracts(part: Recognizer, cut: Sequence[Sequence[tuple[int, str]]]) -> list[list[Span]]:
    """What a recognizer finds in extracts of texts (start and words each), at their places in the texts."""
    extracts: list[str] = []
    origins: list[tuple[int, list[int]]] = []  # text, and where each extract begins in what is read
    for number, pieces in enumerate(cut):
        if pieces:
            extracts.append(_GAP.join(words for _, words in pieces))
            sizes = (len(words) + len(_GAP) for _, words in pieces)
            origins.append((number, list(accumulate(sizes, initial=0))))
    result: list[list[Span]] = [[] for _ in cut]
    for (number, begins), spans in zip(origins, part.recognize(extracts)):
        for span in spans:
            which = bisect_right(begins, span.start) - 1
            start, words = cut[number][which]
            shift = start - begins[which]
            if span.end + shift <= start + len(words):
                result[number].append(span._replace(start=span.start + shift, end=span.end + shift))
    return result


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """A window that cuts no word or number in two; a text without spaces is cut where it must be."""
    low, high = max(0, start - _AROUND), min(len(text), end + _AROUND)
    while start > low and not text[start - 1].isspace():
        start -= 1
    while end < high and not text[end].isspace():
        end += 1
    return start, end


def default_parts(language: str = "en") -> list[str]:
    """The recognizers that run without being asked for: those that say so and read the language."""
    parts: dict[str, Any] = {name: recognizers.get(name) for name in recognizers.names()}
    asked = {name: part.languages for name, part in parts.items() if getattr(part, "by_default", False)}
    return [name for name, languages in asked.items() if not languages or language in languages]


def _built(name: str, language: str) -> Recognizer:
    """A part; those that read several languages are told which."""
    asks = any(one.name == "language" for one in fields(recognizers.get(name)))
    return recognizers.build(name, {"language": language} if asks else {})


def pipeline(
    model: str = "accurate",
    *,
    language: str = "en",
    parts: Sequence[str] | None = None,
    processes: int = 1,
    cache: str | None = None,
    listed: Collection[str] | None = None,
) -> Recognizer:
    """The default recognizer of `scan`: a model by name (`none`: rules alone) and the default parts.

    `parts` names others in their place. `processes` workers share large jobs (0: one per core); `cache` is
    a folder that remembers spans; `listed` are the types that count, which no other type hides.
    """
    chosen = [_built(name, language) for name in (default_parts(language) if parts is None else parts)]
    if model in recognizers.names():
        chosen.append(recognizers.build(model))
    elif model != "none":
        chosen.append(recognizers.build("spacy", {"pipeline": model}))
    made: Recognizer = Combined(tuple(chosen), None if listed is None else frozenset(listed))
    if cache is not None:
        return Cached(made, cache, processes)
    return made if processes == 1 else Parallel(made, processes)
