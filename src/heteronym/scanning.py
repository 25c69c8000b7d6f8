"""Tables and single documents: their mentions as JSON lines, and the texts with their mentions marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, NamedTuple

from heteronym.errors import PlanError
from heteronym.io.closing import closing_line, closing_line_of_files
from heteronym.io.formats import open_document
from heteronym.io.given import text_plan_of
from heteronym.io.mentions import document_lines, mention_lines
from heteronym.io.plans import override, read_plan
from heteronym.io.tables import read_tables
from heteronym.model.dataset import Dataset
from heteronym.model.document import Document
from heteronym.model.mention import Mentions, Span
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Role
from heteronym.pipeline import find, make_dataset
from heteronym.run import Run
from heteronym.text.entity_types import is_direct
from heteronym.text.propagate import propagate
from heteronym.text.recognize import counts, recognize, recognizers_for

_AT_ONCE = 1_000_000  # characters


class Scan(NamedTuple):
    """The mentions as lines without text, and, for whoever may see them, the texts they stand in."""

    lines: list[str]
    texts: Callable[[], list[Document]]


def scan_tables(
    paths: Sequence[str], config: Path, *, options: Mapping[str, Any], run: Run | None = None
) -> Scan:
    run = run or Run()
    run.folder = config.parent
    plan = override(read_plan(config), options)
    dataset = make_dataset(read_tables(paths, plan.data), plan, folder=config.parent)
    if not dataset.schema.named(Role.TEXT):
        raise PlanError("no column has role text: there is nothing to scan")
    mentions = find(dataset, plan, run=run)
    return Scan([*mention_lines(mentions), closing_line(dataset)], lambda: _texts(dataset, mentions))


def _texts(dataset: Dataset, mentions: Mentions) -> list[Document]:
    """The texts in which something was found, in the order of the rows."""
    spans: dict[tuple[int, int], list[Span]] = {}
    places = zip(mentions.row.tolist(), mentions.column.tolist(), strict=True)
    for place, span in zip(places, mentions.spans(slice(None)), strict=True):
        spans.setdefault(place, []).append(span)
    return [
        Document(str(dataset.frame[name][row]), tuple(spans[row, column]), f"row {row}, {name}")
        for row, column in spans
        for name in (mentions.columns[column],)
    ]


def scan_documents(
    paths: Sequence[str],
    *,
    language_model: str | None = None,
    encoding: str | None = None,
    run: Run | None = None,
) -> Scan:
    """A document is one text: what is found once is found everywhere in it."""
    texts = [open_document(path, encoding).text for path in paths]
    found = find_in_documents(texts, text_plan_of(None, language_model), run=run)
    lines = [line for path, spans in zip(paths, found, strict=True) for line in document_lines(path, spans)]
    lines.append(closing_line_of_files(dict(zip(paths, texts, strict=True))))
    return Scan(lines, lambda: list(map(Document, texts, map(tuple, found), paths)))


def find_in_documents(texts: Sequence[str], plan: TextPlan, *, run: Run | None = None) -> list[list[Span]]:
    """What counts in each document, settled, and followed through all of it; all cores share many."""
    run = run or Run()
    remembered = None if run.cache is None else str(run.cache)
    parts = recognizers_for(plan, folder=run.folder, processes=0, cache=remembered)
    result: list[list[Span]] = []
    direct = partial(is_direct, direct=plan.direct)
    for some in _slices(texts):
        found = recognize(some, parts, wanted=lambda kind: counts(kind, plan))
        for text, spans in zip(some, found, strict=True):
            result += propagate([text], [spans], is_direct=direct, identifying=True)
        run.tell(len(result) / len(texts), "scan")
    return result


def _slices(texts: Sequence[str]) -> Iterator[list[str]]:
    """The documents in turn, as many at once as keep the cores busy and the progress moving."""
    ends = accumulate(map(len, texts))
    for _, some in groupby(zip(texts, ends, strict=True), key=lambda each: each[1] // _AT_ONCE):
        yield [text for text, _ in some]
