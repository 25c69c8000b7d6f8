"""Tables and single documents: their mentions as JSON lines, and documents without them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from heteronym.contracts import DocumentMethod
from heteronym.errors import InputError, OutputError, PlanError, PromiseError, UsageError
from heteronym.io.mentions import document_lines, mention_lines
from heteronym.io.plans import override, read_plan
from heteronym.io.tables import read_tables
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Role
from heteronym.pipeline import Clock, Progress, find, make_dataset
from heteronym.registry import document_methods
from heteronym.text.entity_types import is_direct
from heteronym.text.propagate import propagate
from heteronym.text.scan import counts, recognize, recognizers_for

_AT_ONCE = 1_000_000  # characters


def scan_tables(
    paths: Sequence[str],
    config: Path,
    *,
    options: Mapping[str, Any],
    cache: Path | None = None,
    progress: Progress | None = None,
) -> list[str]:
    plan = override(read_plan(config), options)
    dataset = make_dataset(read_tables(paths, plan.data), plan, folder=config.parent)
    if not dataset.schema.named(Role.TEXT):
        raise PlanError("no column has role text: there is nothing to scan")
    return list(mention_lines(find(dataset, plan, clock=Clock(progress), folder=config.parent, cache=cache)))


def scan_documents(
    paths: Sequence[str],
    *,
    language_model: str | None = None,
    encoding: str | None = None,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """A document is one text: what is found once is found everywhere in it."""
    texts = [_read_document(path, encoding) for path in paths]
    found = find_in_documents(texts, text_plan(None, language_model), cache=cache, progress=progress)
    return [line for path, spans in zip(paths, found, strict=True) for line in document_lines(path, spans)]


def text_plan(config: Path | None, language_model: str | None) -> TextPlan:
    """What a plan says of texts, or the defaults; a model named on the command line goes before."""
    plan = TextPlan() if config is None else read_plan(config).text
    return plan.model_copy(update={"model": language_model}) if language_model else plan


def find_in_documents(
    texts: Sequence[str],
    plan: TextPlan,
    *,
    folder: Path | None = None,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> list[list[Span]]:
    """What counts in each document, settled, and followed through all of it; many are shared among all cores.

    `folder` is where word lists of the plan are looked for, `cache` the folder that remembers spans.
    """
    remembered = None if cache is None else str(cache)
    parts = recognizers_for(plan, folder=folder, processes=0, cache=remembered)
    result: list[list[Span]] = []
    for some in _slices(texts):
        found = recognize(some, parts, wanted=lambda kind: counts(kind, plan))
        for text, spans in zip(some, found, strict=True):
            result += propagate([text], [spans], is_direct=lambda kind: is_direct(kind, direct=plan.direct))
        if progress is not None:
            progress("scan", len(result) / len(texts))
    return result


def _slices(texts: Sequence[str]) -> Iterator[list[str]]:
    """The documents in turn, as many at once as keep the cores busy and the progress moving."""
    some: list[str] = []
    size = 0
    for text in texts:
        some.append(text)
        size += len(text)
        if size >= _AT_ONCE:
            yield some
            some, size = [], 0
    if some:
        yield some


def sanitize_text(text: str, *, method: str, plan: TextPlan, parameters: Mapping[str, Any]) -> str:
    """One document by a document method; refused if something that was found still stands in it."""
    return sanitized(text, find_in_documents([text], plan)[0], document_methods.build(method, parameters))


def sanitized(text: str, spans: Sequence[Span], method: DocumentMethod) -> str:
    """The rewritten document, or none at all."""
    result = method.sanitize(text, spans)
    _refuse_leftovers(text, spans, result)
    return result


def _refuse_leftovers(text: str, spans: Sequence[Span], result: str) -> None:
    """What was found must not be found again, word by word, outside the placeholders."""
    masked = re.sub(r"\[[A-Z_]+\]", "\x00", result)
    left = sum(
        1
        for surface in {text[span.start : span.end] for span in spans}
        if re.search(rf"(?<!\w){re.escape(surface)}(?!\w)", masked)
    )
    if left:
        raise PromiseError(f"{left} of {len(spans)} mentions still stand in the text. Nothing was released")


def sanitize_documents(
    paths: Sequence[str],
    target: Path,
    *,
    method: str,
    config: Path | None = None,
    language_model: str | None = None,
    encoding: str | None = None,
    cache: Path | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> list[Path]:
    """Each document under its own name in a folder; all of them, or none.

    `config` is a plan: what it says of texts (words, patterns, types that count) holds for documents, too.
    """
    built = document_methods.build(method)
    names = [Path(path).name for path in paths]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"two documents are called '{twice[0]}'; they would overwrite each other")
    written = [target / name for name in names]
    if any(path.exists() for path in written) and not overwrite:
        raise OutputError(f"{target}: documents of these names exist. Use --overwrite to replace them")
    if any(
        path.exists() and Path(given).resolve() == path.resolve()
        for given, path in zip(paths, written, strict=True)
    ):
        raise UsageError(f"{target}: is where the originals are; name another folder")
    originals = [_read_document(path, encoding) for path in paths]
    found = find_in_documents(
        originals,
        text_plan(config, language_model),
        folder=None if config is None else config.parent,
        cache=cache,
        progress=progress,
    )
    texts = [sanitized(text, spans, built) for text, spans in zip(originals, found, strict=True)]
    try:
        target.mkdir(parents=True, exist_ok=True)
        for document, text in zip(written, texts, strict=True):
            document.write_bytes(text.encode(encoding or "utf-8"))
    except OSError as error:
        raise OutputError(f"{target}: cannot be written ({error.strerror or 'output error'})") from None
    return written


def _read_document(path: str, encoding: str | None) -> str:
    try:
        return Path(path).read_bytes().decode(encoding or "utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (UnicodeDecodeError, LookupError):
        raise InputError(f"{path}: not {encoding or 'UTF-8'}. Name its encoding with --encoding") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or 'input error'})") from None
