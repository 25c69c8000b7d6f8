"""Runs the recognizers over the texts of a dataset and settles what they found into Mentions.

Identical texts are recognized once. Terms found anywhere are then followed through all texts of
the same person. Offsets count Python characters of the cell exactly as it was read.

Cost        the recognizers', plus O(tokens) for propagation; texts are held a slice at a time
Randomness  none
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym import registry
from heteronym.contracts import Recognizer
from heteronym.errors import PlanError, UsageError, nearest
from heteronym.io.values import text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions, Span
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Role
from heteronym.model.terms import normalize
from heteronym.text.combine import default_parts, pipeline
from heteronym.text.entities import follow_names
from heteronym.text.entity_types import is_direct, is_sensitive
from heteronym.text.propagate import propagate
from heteronym.text.recognizers.accurate import model_folder
from heteronym.text.recognizers.patterns import Patterns
from heteronym.text.recognizers.words import Words, read_word_list
from heteronym.text.settle import settle

Progress = Callable[[int, int], None]  # texts done, texts in all

_SLICE_ROWS = 20_000
_BATCH_TEXTS = 1_000
_BATCH_CHARACTERS = 2_000_000
_OWN_MODELS = ("accurate", "fast")


def recognizers_for(
    text_plan: TextPlan, *, folder: Path | None = None, processes: int = 1, cache: str | None = None
) -> list[Recognizer]:
    """The recognizers that a plan asks for, by rank: the owner's own lists, then all that we know.

    `folder` is where the plan's word lists are looked for; `processes` and `cache` as in `combine`.
    """
    chosen: list[Recognizer] = []
    if text_plan.patterns:
        chosen.append(Patterns(text_plan.patterns))
    if text_plan.words:
        lists = {
            kind: read_word_list(name, type=kind, folder=folder) for kind, name in text_plan.words.items()
        }
        chosen.append(Words(lists))
    model = model_in_use(text_plan)
    if text_plan.language == "en":
        chosen.append(pipeline(model, processes=processes, cache=cache))
        return chosen
    # Our rules read English. In other languages forms and the owner's own parts and pipeline must do.
    chosen += [registry.recognizers.build(name) for name in default_parts(text_plan.language)]
    if model not in ("none", *_OWN_MODELS):
        chosen.append(registry.recognizers.build("spacy", {"pipeline": model}))
    return chosen


def model_in_use(text_plan: TextPlan) -> str:
    """The model that will run. The default is a wish: where it is not installed, the next best does."""
    model = text_plan.model
    if model == TextPlan.model_fields["model"].default:
        return next((name for name in _OWN_MODELS if _has_weights(name)), "none")
    parts = registry.recognizers
    if model == "none" or (model in parts.names() and getattr(parts.get(model), "is_model", False)):
        return model
    # Asked without importing spaCy: a pipeline is a folder or a package.
    if Path(model).is_dir() or (model.isidentifier() and find_spec(model) is not None):
        return model
    raise PlanError(f"plan: text.model: no such model.{nearest(model, {*_OWN_MODELS, 'none'})}")


def _has_weights(name: str) -> bool:
    folder = model_folder(name)
    return folder.is_dir() and any(folder.iterdir())


def counts(type: str, text_plan: TextPlan) -> bool:
    """Whether mentions of a type matter to the release: direct ones always do."""
    if is_direct(type, direct=text_plan.direct):
        return True
    if text_plan.entities is not None:
        return type in text_plan.entities
    return is_sensitive(type) or type in text_plan.patterns or type in text_plan.words


def wanted_types(dataset: Dataset, text_plan: TextPlan) -> Callable[[str], bool]:
    """The types that `scan` reports: those that count, and those that columns take links for."""
    linkable = {kind for _, attribute in dataset.schema for kind in attribute.entities}
    known: dict[str, bool] = {}

    def wanted(type: str) -> bool:
        if type not in known:
            known[type] = type in linkable or counts(type, text_plan)
        return known[type]

    return wanted


def scan(
    dataset: Dataset,
    text_plan: TextPlan,
    *,
    recognizers: Sequence[Recognizer] | None = None,
    progress: Progress | None = None,
) -> Mentions:
    """All mentions in the text attributes of a dataset, not yet linked to columns."""
    parts = recognizers_for(text_plan) if recognizers is None else list(recognizers)
    _check_languages(parts, text_plan.language)
    columns = tuple(dataset.schema.named(Role.TEXT))
    wanted = wanted_types(dataset, text_plan)
    found = _Found()
    total = dataset.rows * len(columns)
    done = 0
    for number, name in enumerate(columns):
        for first, texts, repeated in _slices(dataset.frame[name]):
            _recognize_slice(texts, repeated, first, number, parts, wanted, found)
            done += len(texts)
            if progress is not None:
                progress(done, total)
    return _propagated(dataset, columns, found, lambda kind: is_direct(kind, direct=text_plan.direct))


def adopt(dataset: Dataset, mentions: Mentions, text_plan: TextPlan) -> Mentions:
    """Mentions from elsewhere, as `io.mentions` reads them, made whole: with terms, and propagated.

    What `scan` found comes back as it was. A mention that a reviewer added is followed through the
    person's texts; one that was struck out returns if the same term is still marked elsewhere,
    because the release would leak it.
    """
    found = _Found()
    for which in range(len(mentions)):
        found.add(int(mentions.row[which]), int(mentions.column[which]), span_of(mentions, which))
    return _propagated(
        dataset, mentions.columns, found, lambda kind: is_direct(kind, direct=text_plan.direct)
    )


def span_of(mentions: Mentions, which: int) -> Span:
    return Span(
        int(mentions.start[which]),
        int(mentions.end[which]),
        mentions.types[mentions.type[which]],
        float(mentions.score[which]),
        mentions.sources[mentions.source[which]],
        "" if mentions.rule is None else mentions.rules[mentions.rule[which]],
    )


def recognize(
    texts: Sequence[str],
    recognizers: Sequence[Recognizer],
    *,
    wanted: Callable[[str], bool] = lambda kind: True,
) -> list[list[Span]]:
    """Settled spans per text, nothing propagated; what a single document needs."""
    found: list[list[Span]] = [[] for _ in texts]
    for batch in _batches(texts):
        part_of = [texts[i] for i in batch]
        ranked: list[list[tuple[int, Span]]] = [[] for _ in batch]
        for rank, part in enumerate(recognizers):
            for mine, spans in zip(ranked, part.recognize(part_of)):
                mine.extend((rank, span) for span in spans if wanted(span.type))
        for i, mine in zip(batch, ranked):
            if mine:
                found[i] = settle(texts[i], mine)
    return found


class _Found:
    """Spans as they come, in columns; names are numbered once. First all are added, then read."""

    def __init__(self) -> None:
        self.row, self.column, self.start, self.end = array("i"), array("h"), array("i"), array("i")
        self.type, self.source, self.rule = array("h"), array("h"), array("h")
        self.score = array("f")
        self.types: dict[str, int] = {}
        self.sources: dict[str, int] = {}
        self.rules: dict[str, int] = {}

    def add(self, row: int, column: int, span: Span) -> None:
        self.row.append(row)
        self.column.append(column)
        self.start.append(span.start)
        self.end.append(span.end)
        self.type.append(self.types.setdefault(span.type, len(self.types)))
        self.source.append(self.sources.setdefault(span.source, len(self.sources)))
        self.rule.append(self.rules.setdefault(span.rule, len(self.rules)))
        self.score.append(span.score)

    def span(self, which: int) -> Span:
        return Span(
            self.start[which],
            self.end[which],
            self._type_names[self.type[which]],
            self.score[which],
            self._source_names[self.source[which]],
            self._rule_names[self.rule[which]],
        )

    @cached_property
    def _type_names(self) -> list[str]:
        return list(self.types)

    @cached_property
    def _source_names(self) -> list[str]:
        return list(self.sources)

    @cached_property
    def _rule_names(self) -> list[str]:
        return list(self.rules)


def person_numbers(dataset: Dataset) -> NDArray[np.int64]:
    """A number per row that is the same for rows of one person; a missing key is a person of its own."""
    rows = np.arange(dataset.rows, dtype=np.int64)
    if dataset.schema.person is None:
        return rows
    key = text_cells(dataset.frame[dataset.schema.person], dataset.missing)
    numbers = key.rank("dense").cast(pl.Int64).fill_null(0).to_numpy()
    return np.where(key.is_null().to_numpy(), dataset.rows + 1 + rows, numbers)


def texts_of(series: pl.Series) -> list[str | None]:
    """Cells as texts; a text column that was read as numbers still is text."""
    if series.dtype != pl.String:
        series = series.cast(pl.String)
    cells: list[str | None] = series.to_list()
    return cells


def _slices(series: pl.Series) -> Iterator[tuple[int, list[str | None], list[bool]]]:
    repeated = series.is_duplicated()
    for first in range(0, len(series), _SLICE_ROWS):
        part = series.slice(first, _SLICE_ROWS)
        yield first, texts_of(part), repeated.slice(first, _SLICE_ROWS).to_list()


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    batch: list[int] = []
    characters = 0
    for i, text in enumerate(texts):
        if not text or text.isspace():
            continue
        batch.append(i)
        characters += len(text)
        if len(batch) >= _BATCH_TEXTS or characters >= _BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _recognize_slice(
    texts: Sequence[str | None],
    repeated: Sequence[bool],
    first: int,
    column: int,
    parts: Sequence[Recognizer],
    wanted: Callable[[str], bool],
    found: _Found,
) -> None:
    # Texts that occur once never enter the dictionary: it stays small on ordinary corpora.
    number_of: dict[str, int] = {}
    distinct: list[str] = []
    place: list[int] = []
    for text, again in zip(texts, repeated):
        if not text:
            place.append(-1)
        elif again:
            number = number_of.setdefault(text, len(distinct))
            if number == len(distinct):
                distinct.append(text)
            place.append(number)
        else:
            place.append(len(distinct))
            distinct.append(text)
    spans = recognize(distinct, parts, wanted=wanted)
    for offset, number in enumerate(place):
        if number >= 0:
            for span in spans[number]:
                found.add(first + offset, column, span)


def _propagated(
    dataset: Dataset, columns: tuple[str, ...], found: _Found, direct: Callable[[str], bool]
) -> Mentions:
    """Follow every found term through its person's texts; number the terms."""
    by_place = np.lexsort((np.array(found.column, np.int16), np.array(found.row, np.int32)))
    row = np.array(found.row, np.int32)[by_place]
    first_of = np.searchsorted(row, np.arange(dataset.rows + 1))
    person = person_numbers(dataset)
    order = np.argsort(person, kind="stable")
    order = order[np.isin(person[order], np.unique(person[row]))]
    result = MentionsBuilder(columns)
    width = len(columns)
    for rows in person_slices(order, person):
        cells = [texts_of(dataset.frame[name].gather(rows)) for name in columns]
        texts = [cells[c][i] or "" for i in range(len(rows)) for c in range(width)]
        spans: list[list[Span]] = [[] for _ in texts]
        for i, number in enumerate(rows.tolist()):
            for which in by_place[first_of[number] : first_of[number + 1]].tolist():
                spans[i * width + found.column[which]].append(found.span(which))
        persons = person[rows]
        ends = np.flatnonzero(np.r_[persons[1:] != persons[:-1], True]) + 1
        begin = 0
        for end in ends.tolist():
            mine = slice(begin * width, end * width)
            named = follow_names(texts[mine], spans[mine])
            for i, whole in enumerate(propagate(texts[mine], named, is_direct=direct), begin * width):
                for span in whole:
                    result.add(int(rows[i // width]), i % width, span, texts[i][span.start : span.end])
            begin = end
    return result.build()


def person_slices(order: NDArray[np.int64], person: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Runs of rows, about a slice long, that never divide a person."""
    begin = 0
    while begin < len(order):
        end = min(begin + _SLICE_ROWS, len(order))
        while end < len(order) and person[order[end]] == person[order[end - 1]]:
            end += 1
        yield order[begin:end]
        begin = end


class MentionsBuilder:
    """Collects mentions in any order and builds the sorted columns."""

    def __init__(self, columns: Sequence[str], *, links: Sequence[str] = ()) -> None:
        self._columns = tuple(columns)
        self._links = tuple(links)
        self._link = array("h")
        self._found = _Found()
        self._term = array("i")
        self._terms: dict[str, int] = {}
        self._of_surface: dict[str, int] = {}

    def add(self, row: int, column: int, span: Span, surface: str, *, link: str | None = None) -> None:
        self._found.add(row, column, span)
        self._link.append(-1 if link is None else self._links.index(link))
        number = self._of_surface.get(surface)
        if number is None:
            number = self._terms.setdefault(normalize(surface), len(self._terms))
            self._of_surface[surface] = number
        self._term.append(number)

    def build(self) -> Mentions:
        found = self._found
        row, column = np.array(found.row, np.int32), np.array(found.column, np.int16)
        start = np.array(found.start, np.int32)
        order = np.lexsort((start, column, row))
        types, type_map = _sorted_names(found.types)
        sources, source_map = _sorted_names(found.sources)
        rules, rule_map = _sorted_names(found.rules)
        terms, term_map = _sorted_names(self._terms)
        return Mentions(
            columns=self._columns,
            types=types,
            sources=sources,
            links=self._links,
            terms=terms,
            row=row[order],
            column=column[order],
            start=start[order],
            end=np.array(found.end, np.int32)[order],
            type=type_map[np.array(found.type, np.int64)[order]].astype(np.int16),
            term=term_map[np.array(self._term, np.int64)[order]].astype(np.int32),
            score=np.array(found.score, np.float32)[order],
            source=source_map[np.array(found.source, np.int64)[order]].astype(np.int16),
            link=np.array(self._link, np.int16)[order],
            rules=rules,
            rule=rule_map[np.array(found.rule, np.int64)[order]].astype(np.int16),
        )


def _sorted_names(numbered: dict[str, int]) -> tuple[tuple[str, ...], NDArray[np.int64]]:
    """Names in order, and the new number of each old one: nothing depends on the order of finding."""
    names = sorted(numbered)
    new = np.zeros(len(names), np.int64)
    for number, name in enumerate(names):
        new[numbered[name]] = number
    return tuple(names), new


def _check_languages(parts: Iterable[Recognizer], language: str) -> None:
    for part in parts:
        if part.languages and language not in part.languages:
            name = getattr(part, "part_name", type(part).__name__)
            raise UsageError(
                f"recognizer '{name}' reads {', '.join(sorted(part.languages))}; "
                f"the plan's text.language is '{language}'"
            )
