"""Documents by a document method: read, edited, audited, and written all together or not at all."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from heteronym.contracts import DocumentMethod
from heteronym.errors import OutputError, PromiseError, UsageError
from heteronym.io.bundles import check_private, write_private
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import edited
from heteronym.model.plan import TextPlan
from heteronym.registry import document_methods
from heteronym.run import Run
from heteronym.scanning import find_in_documents, read_document, text_plan
from heteronym.text.parse import parse


class SanitizedFiles(NamedTuple):
    """Where the documents went, and what may be told about them."""

    written: list[Path]
    facts: Mapping[str, Any]


def documents_of(
    texts: Sequence[str], plan: TextPlan, *, names: Sequence[str] = (), run: Run | None = None
) -> list[Document]:
    """Texts with their mentions, settled and followed; parsed when a method asks for it."""
    found = find_in_documents(texts, plan, run=run)
    called = names or ["text"] * len(texts)
    return [
        Document(text, tuple(spans), name, parse)
        for text, spans, name in zip(texts, found, called, strict=True)
    ]


def sanitize_text(text: str, *, method: str, plan: TextPlan, parameters: Mapping[str, Any]) -> str:
    """One document by a document method; refused if its audit fails."""
    texts, result = sanitized(documents_of([text], plan), document_methods.build(method, parameters))
    for warning in result.facts.get("warnings", ()):
        warnings.warn(warning, stacklevel=3)
    return texts[0]


def sanitized(documents: Sequence[Document], method: DocumentMethod) -> tuple[list[str], Sanitized]:
    """The rewritten documents, or none at all."""
    result = method.sanitize(documents)
    texts = [edited(document.text, edits) for document, edits in zip(documents, result.edits, strict=True)]
    checks = [method.audit(document, text) for document, text in zip(documents, texts, strict=True)]
    failed = [check.detail for check in checks if check.holds is False]
    if failed:
        raise PromiseError(
            f"{len(failed)} of {len(checks)} documents failed the audit ({failed[0]}). Nothing was released"
        )
    return texts, result


def sanitize_documents(
    paths: Sequence[str],
    target: Path,
    *,
    method: str,
    parameters: Mapping[str, Any] | None = None,
    config: Path | None = None,
    language_model: str | None = None,
    encoding: str | None = None,
    private: Path | None = None,
    overwrite: bool = False,
    run: Run | None = None,
) -> SanitizedFiles:
    """Each document under its own name in a folder; all of them, or none.

    `config` is a plan: what it says of texts (words, patterns, types that count) holds for documents, too.
    """
    built = document_methods.build(method, parameters)
    written = _targets(paths, target, overwrite=overwrite)
    if private is not None:
        check_private(private, target)
    run = run or Run(folder=None if config is None else config.parent)
    originals = [read_document(path, encoding) for path in paths]
    plan = text_plan(config, language_model)
    texts, result = sanitized(
        documents_of(originals, plan, names=[path.name for path in written], run=run), built
    )
    if private is not None and result.owner:
        write_private(private, result.owner)
    try:
        target.mkdir(parents=True, exist_ok=True)
        for document, text in zip(written, texts, strict=True):
            document.write_bytes(text.encode(encoding or "utf-8"))
    except OSError as error:
        raise OutputError(f"{target}: cannot be written ({error.strerror or 'output error'})") from None
    return SanitizedFiles(written, result.facts)


def _targets(paths: Sequence[str], target: Path, *, overwrite: bool) -> list[Path]:
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
    return written
