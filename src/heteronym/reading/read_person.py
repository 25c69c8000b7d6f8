"""One person's texts and cells, read together: what was recognized becomes mentions with terms and links.

Names are followed by their parts, terms through all texts of the person, values of its columns are
found and linked, and mentions of one entity get one term. Nothing here looks at another person.

Cost        O(tokens of the person's texts) + the linkers'; with contexts a parse of the texts
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym import registry
from heteronym.contracts import Linker
from heteronym.io.persons import number_persons
from heteronym.io.sets import split_cells
from heteronym.io.values import text_cells
from heteronym.knowledge.wordlists import words
from heteronym.model import collect
from heteronym.model.dataset import Dataset
from heteronym.model.mention import Mentions, Read, Span, Status
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Attribute, Role, Scale
from heteronym.model.terms import Term, normalize
from heteronym.reading.link import NAMES, SOURCE, link_person, synonym_groups
from heteronym.reading.ordinary_values import is_part_of_a_token
from heteronym.reading.scan import texts_of
from heteronym.reading.search_targets import Target
from heteronym.run import current
from heteronym.text.contexts import contexts_of
from heteronym.text.entities import follow_names, terms_of
from heteronym.text.entity_types import VALUE, is_direct
from heteronym.text.forms import identifier_type
from heteronym.text.index import forget
from heteronym.text.parallel import batches
from heteronym.text.propagate import propagate
from heteronym.text.recognize import counts

_NAMES_OF_THINGS = (NAMES - {"PERSON"}) | {"NORP", "PRODUCT", "EVENT", "LANGUAGE", "LAW"}
_SLICE_ROWS = 20_000
_WORD = re.compile(r"[^\W_]+(?:[.\-'’][^\W_]+)*")


@dataclass(frozen=True)
class ReadingSettings:
    """What holds for all persons: which columns take links, how, and which types count."""

    targets: tuple[Target, ...]
    linkers: tuple[Linker, ...]
    synonyms: Mapping[str, Collection[str]]
    counts: Callable[[str], bool]
    is_direct: Callable[[str], bool]
    contexts: bool = False
    items: frozenset[str] = frozenset()  # what sets hold, in small letters


def reading_for(dataset: Dataset, plan: TextPlan) -> ReadingSettings:
    targets = tuple(
        _target(name, attribute, dataset) for name, attribute in dataset.schema if attribute.turns_up
    )
    return ReadingSettings(
        targets=targets,
        linkers=tuple(registry.linkers.build(name) for name in plan.linkers),
        synonyms=synonym_groups(plan.synonyms),
        counts=cache(lambda kind: counts(kind, plan, in_table=True)),
        is_direct=cache(lambda kind: is_direct(kind, direct=plan.direct)),
        contexts=plan.contexts,
        items=frozenset().union(*(_entries(dataset, t) for t in targets if t.attribute.role is Role.ITEMS)),
    )


def _entries(dataset: Dataset, target: Target) -> set[str]:
    _, entries = split_cells(dataset.frame[target.name], target.attribute.separator)
    return {str(entry).casefold() for entry in entries["entry"].unique().to_list()}


_FOLLOWED = (Role.QUASI, Role.IDENTIFIER, Role.ITEMS)  # an event has labels by row
_SEXES = frozenset(
    "m f w d x male female man woman men women boy girl mann frau männlich weiblich divers homme".split()
    + "femme masculin féminin hombre mujer masculino femenino maschio femmina uomo donna".split()
)
_NO_SEX = frozenset("u o n unknown other none transgender intersex nonbinary non-binary".split())
_SAMPLE = 200
_MOST_VALUES = 20  # of an identifier that a word may stand in and still tell them


def _target(name: str, attribute: Attribute, dataset: Dataset) -> Target:
    letters = False
    cells = dataset.frame[name]
    if attribute.role == Role.QUASI and attribute.scale in (Scale.NOMINAL, Scale.ORDINAL):
        known = text_cells(cells, dataset.missing).drop_nulls().unique()
        letters = _has_letters_of_sexes({value.strip().casefold() for value in known.to_list()})
    kind = attribute.entities[0] if attribute.entities else VALUE
    if not attribute.entities and attribute.role == Role.IDENTIFIER and not cells.dtype.is_nested():
        sample = text_cells(cells.head(_SAMPLE), dataset.missing).drop_nulls().to_list()
        kind = Counter(map(identifier_type, sample)).most_common(1)[0][0] if sample else kind
    is_followed = attribute.role in _FOLLOWED
    return Target(name, attribute, is_followed, kind, letters, _shared_words(cells, attribute))


def _shared_words(cells: pl.Series, attribute: Attribute) -> frozenset[str]:
    """Words that stand in many of an identifier's values: a prefix, a study, a street."""
    if attribute.role != Role.IDENTIFIER or cells.dtype.is_nested():
        return frozenset()
    values = cells.drop_nulls().unique().cast(pl.String, strict=False)
    words = (
        values.str.to_lowercase()
        .str.extract_all(r"[\pL\pN]+|[^\s,;()\[\]]+")
        .list.unique()
        .explode()
        .drop_nulls()
    )
    counts = words.value_counts(name="values")
    return frozenset(counts.filter(pl.col("values") > _MOST_VALUES)[words.name].to_list())


def _has_letters_of_sexes(values: Collection[str]) -> bool:
    """Whether a letter beside an age tells a value, as in "36F": sexes only, of different initials."""
    firsts = {value[:1] for value in values}
    of_sexes = not _SEXES.isdisjoint(values) and (_SEXES | _NO_SEX).issuperset(values)
    return of_sexes and 1 < len(firsts) == len(values)


def read_person(
    texts: Sequence[str],
    found: Sequence[Sequence[Span]],
    values: Sequence[Sequence[Any]],
    reading: ReadingSettings,
) -> list[list[Read]]:
    """The mentions of each text. `values` are the person's cells of every target, none missing."""
    found = [
        [_to_item(text, _without_stop(text, span), reading) for span in spans]
        for text, spans in zip(texts, found, strict=True)
    ]
    followed = propagate(texts, follow_names(texts, found), is_direct=reading.is_direct)
    pieces = link_person(texts, followed, values, reading.targets, reading.linkers, reading.synonyms)
    linked = [
        [p for p in mine if p.link is not None or p.span.source == SOURCE or reading.counts(p.span.type)]
        for mine in pieces
    ]
    free = [[piece.span for piece in mine if piece.link is None] for mine in linked]
    governed = contexts_of(texts, free) if reading.contexts else None
    result: list[list[Read]] = []
    for text, mine, terms in zip(texts, linked, terms_of(texts, free, contexts=governed), strict=True):
        rest = iter(terms)
        reads: list[Read] = []
        for piece in mine:
            span, link = piece.span, piece.link
            if link is not None and piece.part is not None:
                span = span._replace(start=piece.part[0], end=piece.part[1])
            spelling = normalize(text[span.start : span.end])
            term = Term(span.type, piece.item or spelling) if link is not None else next(rest)
            reads.append(Read(span, term, spelling, link))
        result.append(reads)
    return result


def _is_a_letter(text: str, span: Span) -> bool:
    """Whether what was taken for a name is one letter, or two of a longer token: of "36M", of "70kg"."""
    if span.type not in _NAMES_OF_THINGS:
        return False
    surface = text[span.start : span.end].strip(".")
    if len(surface) == 1:
        return surface.isdigit() or surface.islower() or surface.isupper()
    return len(surface) == 2 and is_part_of_a_token(text, span.start, span.end)


def _without_stop(text: str, span: Span) -> Span:
    """ "St Luke's." at the end of a sentence is "St Luke's"; "N.Y." keeps its points."""
    if text[span.end - 1] == "." and "." not in text[span.start : span.end - 1] and span.end - span.start > 1:
        return span._replace(end=span.end - 1)
    return span


def _to_item(text: str, span: Span, reading: ReadingSettings) -> Span:
    """ "code 473" is 473 where sets hold that: their word counts before a guess that takes in ordinary words
    beside it. Names stay whole: "Bank of America"."""
    if not reading.items or reading.is_direct(span.type) or span.type in NAMES:
        return span
    found, common = list(_WORD.finditer(text, span.start, span.end)), words("common_words")
    for length in range(len(found) - 1, 0, -1):
        for first in range(len(found) - length + 1):
            inside = slice(first, first + length)
            start, end = found[inside][0].start(), found[inside][-1].end()
            beside = [*found[:first], *found[first + length :]]
            known = text[start:end].casefold() in reading.items
            if known and all(word[0].isalpha() and word[0].lower() in common for word in beside):
                return span._replace(start=start, end=end)
    return span


def read_persons(dataset: Dataset, found: Mentions, reading: ReadingSettings) -> Mentions:
    """The mentions of all persons, read one after the other."""
    columns = tuple(dataset.schema.named(Role.TEXT))
    result = collect.Collection(columns, links=[t.name for t in reading.targets if t.takes_links])
    person_of_row, _ = number_persons(dataset)
    order = np.argsort(person_of_row, kind="stable")
    if not reading.targets:
        order = order[np.isin(person_of_row[order], np.unique(person_of_row[found.row]))]
    column_of = [columns.index(name) for name in found.columns]
    width, run = len(columns), current()
    borders = np.flatnonzero(np.diff(person_of_row[order], prepend=-1, append=-1)).tolist()
    # Rows are taken a slice at a time; no slice divides a person.
    for some in batches(pairwise(borders), lambda one: one[1] - one[0], most=_SLICE_ROWS, count=_SLICE_ROWS):
        first, last = some[0][0], some[-1][1]
        rows = order[first:last]
        frame = dataset.frame[rows]
        cells = [texts_of(frame[name]) for name in columns]
        held = [_cells(frame[target.name], target.attribute, dataset) for target in reading.targets]
        marks, numbers = _marks(found, rows), rows.tolist()
        for begin, end in ((begin - first, end - first) for begin, end in some):
            run.poll()
            texts = [cells[c][i] or "" for i in range(begin, end) for c in range(width)]
            spans: list[list[Span]] = [[] for _ in texts]
            said: dict[tuple[int, int, int], Status] = {}
            for i, mine in enumerate(marks[begin:end]):
                for column, span, status in mine:
                    place = i * width + column_of[column]
                    if status == Status.FOUND and _is_a_letter(texts[place], span):
                        continue
                    if status != Status.REJECTED:
                        said[place, span.start, span.end] = Status(status)
                        spans[place].append(span)
            values = [_distinct(column[begin:end]) for column in held]
            for place, reads in enumerate(read_person(texts, spans, values, reading)):
                row, column = numbers[begin + place // width], place % width
                for read in reads:
                    status = said.get((place, read.span.start, read.span.end), Status.FOUND)
                    result.add(row, column, read._replace(status=status))
        forget()
        run.tell(last / len(order))
    return result.build()


def _marks(found: Mentions, rows: NDArray[np.int64]) -> list[list[tuple[int, Span, int]]]:
    """Column, span and status of what was found in each of some rows."""
    first, last = np.searchsorted(found.row, rows), np.searchsorted(found.row, rows + 1)
    ends = np.cumsum(last - first)
    which = np.repeat(last - ends, last - first) + np.arange(ends[-1])
    marks = list(zip(found.column[which].tolist(), found.spans(which), found.status[which].tolist()))
    return [marks[begin:end] for begin, end in zip([0, *ends.tolist()], ends.tolist())]


def _cells(cells: pl.Series, attribute: Attribute, dataset: Dataset) -> list[Any]:
    """A column's cells as they are compared; None where one is missing, a list where a cell holds several."""
    if attribute.role == Role.ITEMS:
        of_row, entries = split_cells(cells, attribute.separator)
        held: list[list[str]] = [[] for _ in range(int(of_row.max(initial=-1)) + 1)]
        for cell, entry in entries.select("cell", "entry").iter_rows():
            held[cell].append(entry)
        return [held[cell] for cell in of_row.tolist()]
    if isinstance(cells.dtype, (pl.List, pl.Array)):
        if cells.dtype.inner.is_nested():
            return [None if cell is None else list(_plain_entries(cell)) for cell in cells.to_list()]
        return cells.cast(pl.List(pl.String)).to_list()
    if cells.dtype.is_nested() or isinstance(cells.dtype, (pl.Binary, pl.Object)):
        return [None] * len(cells)
    if attribute.scale in (Scale.NUMERIC, Scale.DATE) and cells.dtype != pl.String:
        return (cells.fill_nan(None) if cells.dtype.is_float() else cells).to_list()
    return text_cells(cells, dataset.missing).to_list()


def _plain_entries(cell: Any) -> Iterator[str]:
    """The entries of lists and objects inside of a list, as text."""
    if isinstance(cell, (dict, list)):
        for inner in cell.values() if isinstance(cell, dict) else cell:
            yield from _plain_entries(inner)
    elif cell is not None:
        yield str(cell)


def _distinct(cells: Sequence[Any]) -> list[Any]:
    if any(isinstance(cell, list) for cell in cells):
        cells = [entry for cell in cells for entry in cell or ()]
    return [cell for cell in dict.fromkeys(cells) if cell is not None]


def unlinked(reading: ReadingSettings) -> ReadingSettings:
    """The same without columns: what `scan` reports for review."""
    return replace(reading, targets=(), counts=lambda kind: True)
