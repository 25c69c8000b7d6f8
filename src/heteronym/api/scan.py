"""Tables and single documents: their mentions as JSON lines, and the texts with their mentions marked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from heteronym.databases.address import is_address
from heteronym.errors import PlanError, UsageError
from heteronym.io.annotations import Annotated, written
from heteronym.io.closing import closing_line, closing_line_of_files
from heteronym.io.formats import open_document
from heteronym.io.formats.folders import write_all
from heteronym.io.formats.source import outside_labels
from heteronym.io.given import (
    TextPlanLike,
    door,
    is_whole,
    paths_in,
    plan_and_folder,
    read_given,
    run_for,
    text_plan_of,
)
from heteronym.io.mentions import document_lines, mention_lines
from heteronym.io.plain_files import check_free, write_text
from heteronym.io.plans import override
from heteronym.model.dataset import Dataset
from heteronym.model.document import Document
from heteronym.model.mention import Mentions, Span
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Role
from heteronym.pipeline import find, make_dataset, texts_of_all
from heteronym.run import Run
from heteronym.text.entity_types import is_direct
from heteronym.text.language import remark_on
from heteronym.text.propagate import propagate
from heteronym.text.recognize import counts, recognize, recognizers_for

_AT_ONCE = 1_000_000  # characters


class Scan(NamedTuple):
    """The mentions as lines without text, and, for whoever may see them, the texts they stand in."""

    lines: list[str]
    texts: Callable[[], list[Document]]
    annotated: Callable[[], list[Annotated]]  # all texts, also those without mentions
    foreign: str | None = None  # what is said of texts in languages that nothing reads

    @property
    def remarks(self) -> list[str]:
        return [] if self.foreign is None else [f"heteronym: {self.foreign}"]


@door
def scan(
    data: Any,
    *,
    plan: TextPlanLike | None = None,
    model: str | None = None,
    output: str | Path | None = None,
    cache: str | Path | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    format: str | None = None,
    overwrite: bool = False,
    run: Run | None = None,
) -> Any:
    """Mentions in texts, tables or documents.

    One text gives a list of mentions (start, end, type, score, source, rule), several give a list of lists.
    A table (a frame, frames by name, or Paths of data files) needs a whole plan. It gives a list of dicts
    without any text (row, column, start, end, type, score, source), as do Paths of documents (file in place
    of row and column).
    `output` is a file for them, which a person may review and `anonymize(mentions=...)` takes; in the
    `format` of another tool ("brat", a folder, "conll", "spacy", "label-studio", "presidio") it holds texts.
    """
    run, texts = run_for(run, plan, cache), texts_in(data)
    if texts is not None:
        if output is not None or overwrite or delimiter or encoding or format:
            raise UsageError("output, format, overwrite, delimiter and encoding are for tables and documents")
        found = [spans for _, spans in _recognized(texts, text_plan_of(plan, model), run)]
        return found[0] if isinstance(data, str) else found
    target = None if output is None else Path(output)
    check_free(target, overwrite=overwrite, remark=", and may have been reviewed")
    options = {"delimiter": delimiter, "encoding": encoding, "language_model": model}
    if format is not None and target is None:
        raise UsageError("a format is for a file; name it with `output`")
    scanned = scan_given(data, plan, options=options, run=run)
    if target is not None:
        write_mentions(scanned, target, format)
    return [json.loads(line) for line in scanned.lines[:-1]]


def write_mentions(found: Scan, target: Path, format: str | None) -> None:
    """As JSON lines, without any text, or in the format of another tool."""
    if format is None:
        write_text(target, "".join(f"{line}\n" for line in found.lines))
        return
    files = written(format, found.annotated())
    if "" in files:
        write_all(target.absolute().parent, {target.name: files[""]})
    else:
        write_all(target, files)


def texts_in(data: Any) -> list[str] | None:
    """The texts, if it is texts that were given; None for frames, and for names of files."""
    if isinstance(data, str):
        return [data]
    if isinstance(data, (Path, Mapping)) or hasattr(data, "columns"):
        return None
    given = list(data) if isinstance(data, Iterable) and not isinstance(data, (bytes, bytearray)) else [data]
    if given and all(isinstance(one, Path) or hasattr(one, "columns") for one in given):
        return None
    for number, one in enumerate(given):
        if not isinstance(one, str):
            where = "" if given == [data] else f" at place {number}"
            raise UsageError(f"texts must be str, not {type(one).__name__}{where}; names of files are Paths")
    return given


def scan_given(
    data: Any, plan: TextPlanLike | None, *, options: Mapping[str, Any], run: Run | None = None
) -> Scan:
    """The mentions of a table, where the plan is a whole one, or of documents."""
    run = run_for(run, plan)
    if is_whole(plan):
        whole, folder = plan_and_folder(plan)  # type: ignore[arg-type]
        whole = override(whole, options)
        dataset = make_dataset(read_given(data, whole.data)[0], whole, folder=run.folder or folder)
        if not dataset.schema.named(Role.TEXT):
            raise PlanError("no column has role text: there is nothing to scan")
        mentions = find(dataset, whole, run=run)
        return Scan(
            [*mention_lines(mentions), closing_line(dataset)],
            lambda: _texts(dataset, mentions),
            lambda: _annotated(dataset, mentions),
            remark_on(texts_of_all(dataset), whole.text.language),
        )
    paths = [str(path) for path in paths_in(data)]
    if not paths:
        raise UsageError("a table needs a plan with `attributes`, which says where its texts are")
    if any(map(is_address, paths)):
        raise UsageError("a database needs a plan with `attributes`, which says where its texts are")
    if options.get("delimiter"):
        raise UsageError("a delimiter is for tables, which need a plan with `attributes`")
    settings = text_plan_of(plan, options.get("language_model"))
    sources = [open_document(path, options.get("encoding")) for path in paths]
    texts = [source.text for source in sources]
    found = [
        outside_labels(spans, source.labels)
        for spans, source in zip(find_in_documents(texts, settings, run=run), sources, strict=True)
    ]
    lines = [line for path, spans in zip(paths, found, strict=True) for line in document_lines(path, spans)]
    lines.append(closing_line_of_files(dict(zip(paths, texts, strict=True))))
    return Scan(
        lines,
        lambda: list(map(Document, texts, map(tuple, found), paths)),
        lambda: [Annotated({"file": p}, text, spans) for p, text, spans in zip(paths, texts, found)],
        remark_on(texts, settings.language),
    )


def _annotated(dataset: Dataset, mentions: Mentions) -> list[Annotated]:
    """Every text of a table that has characters, with its mentions."""
    spans: dict[tuple[int, str], list[Span]] = {}
    places = zip(mentions.row.tolist(), mentions.column.tolist(), strict=True)
    for (row, column), span in zip(places, mentions.spans(slice(None)), strict=True):
        spans.setdefault((row, mentions.columns[column]), []).append(span)
    return [
        Annotated({"row": row, "column": name}, text, spans.get((row, name), []))
        for name in dataset.schema.named(Role.TEXT)
        for row, text in enumerate(dataset.frame[name].cast(pl.String).fill_null("").to_list())
        if text
    ]


def _texts(dataset: Dataset, mentions: Mentions) -> list[Document]:
    """The texts in which something was found, in the order of the rows, which count from 1."""
    spans: dict[tuple[int, int], list[Span]] = {}
    places = zip(mentions.row.tolist(), mentions.column.tolist(), strict=True)
    for place, span in zip(places, mentions.spans(slice(None)), strict=True):
        spans.setdefault(place, []).append(span)
    return [
        Document(str(dataset.frame[name][row]), tuple(spans[row, column]), f"row {row + 1}, {name}")
        for row, column in spans
        for name in (mentions.columns[column],)
    ]


def find_in_documents(texts: Sequence[str], plan: TextPlan, *, run: Run | None = None) -> list[list[Span]]:
    """What counts in each document, settled, and followed through all of it; all cores share many."""
    direct = partial(is_direct, direct=plan.direct)
    return [
        followed
        for text, spans in _recognized(texts, plan, run or Run())
        for followed in propagate([text], [spans], is_direct=direct, identifying=True)
    ]


def _recognized(texts: Sequence[str], plan: TextPlan, run: Run) -> Iterator[tuple[str, list[Span]]]:
    """Every text with what counts in it, settled."""
    done, remembered = 0, None if run.cache is None else str(run.cache)
    parts = recognizers_for(plan, folder=run.folder, processes=0, cache=remembered)
    for some in _slices(texts):
        run.tell(done / len(texts), "scan")
        with run.active():
            found = recognize(some, parts, wanted=lambda kind: counts(kind, plan))
        yield from zip(some, found, strict=True)
        done += len(some)


def _slices(texts: Sequence[str]) -> Iterator[list[str]]:
    """The documents in turn, as many at once as keep the cores busy and the progress moving."""
    ends = accumulate(map(len, texts))
    for _, some in groupby(zip(texts, ends, strict=True), key=lambda each: each[1] // _AT_ONCE):
        yield [text for text, _ in some]
