"""Tables and single documents: their mentions as JSON lines, and documents without them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heteronym.contracts import Recognizer
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
    progress: Progress | None = None,
) -> list[str]:
    """A document is one text: what is found once is found everywhere in it."""
    plan = TextPlan(model=language_model) if language_model else TextPlan()
    parts = recognizers_for(plan)
    lines: list[str] = []
    for number, path in enumerate(paths):
        lines += document_lines(path, find_in_document(_read_document(path, encoding), plan, parts))
        if progress is not None:
            progress("scan", (number + 1) / len(paths))
    return lines


def find_in_document(text: str, plan: TextPlan, parts: Sequence[Recognizer]) -> list[Span]:
    """What counts in one document, settled, and followed through all of it."""
    found = recognize([text], parts, wanted=lambda kind: counts(kind, plan))
    return propagate([text], found, is_direct=lambda kind: is_direct(kind, direct=plan.direct))[0]


def sanitize_text(text: str, *, method: str, plan: TextPlan, parameters: Mapping[str, Any]) -> str:
    """One document by a document method; refused if something that was found still stands in it."""
    rewritten = document_methods.build(method, parameters)
    spans = find_in_document(text, plan, recognizers_for(plan))
    result = rewritten.sanitize(text, spans)
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
    language_model: str | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> list[Path]:
    """Each document under its own name in a folder; all of them, or none."""
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
    plan = TextPlan(model=language_model) if language_model else TextPlan()
    texts: list[str] = []
    for number, path in enumerate(paths):
        texts.append(sanitize_text(_read_document(path, encoding), method=method, plan=plan, parameters={}))
        if progress is not None:
            progress("scan", (number + 1) / len(paths))
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
