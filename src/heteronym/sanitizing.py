"""Documents by a document method: read, edited, audited, and written all together or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from heteronym.contracts import DocumentMethod
from heteronym.errors import PromiseError
from heteronym.io.formats import read_content
from heteronym.io.formats.folders import read_documents, write_all
from heteronym.io.given import text_plan_of
from heteronym.io.owner_files import check_private, write_private
from heteronym.keeping import opened_method, sealed_files
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import edited
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.registry import document_methods
from heteronym.report.side_by_side import side_by_side
from heteronym.run import Run
from heteronym.scanning import find_in_documents
from heteronym.text.entities import follow_names
from heteronym.text.entity_types import is_direct
from heteronym.text.parse import parse
from heteronym.text.propagate import propagate
from heteronym.text.recognize import counts

SIDE_BY_SIDE = "side_by_side.html"


class SanitizedFiles(NamedTuple):
    """Where the documents went, what may be told about them, and which could not be read, with reasons."""

    written: list[Path]
    facts: Mapping[str, Any]
    skipped: list[str]


def documents_of(
    texts: Sequence[str],
    plan: TextPlan,
    *,
    names: Sequence[str] = (),
    known: Sequence[Sequence[Span]] = (),
    run: Run | None = None,
) -> list[Document]:
    """Texts with their mentions, settled and followed; parsed when a method asks for it.

    `known` are mentions that a format itself tells of, such as the author of a comment.
    """
    found = find_in_documents(texts, plan, run=run)
    called = names or ["text"] * len(texts)
    told = known or [()] * len(texts)
    return [
        Document(text, tuple(_with_known(text, spans, more, plan)), name, parse)
        for text, spans, more, name in zip(texts, found, told, called, strict=True)
    ]


def _with_known(text: str, found: list[Span], known: Sequence[Span], plan: TextPlan) -> list[Span]:
    wanted = [span for span in known if counts(span.type, plan)]
    if not wanted:
        return found
    free = [
        span for span in found if not any(span.start < one.end and one.start < span.end for one in wanted)
    ]
    followed = follow_names([text], [sorted([*free, *wanted])])
    return propagate([text], followed, is_direct=lambda kind: is_direct(kind, direct=plan.direct))[0]


def sanitized(documents: Sequence[Document], method: DocumentMethod) -> tuple[Sequence[str], Sanitized]:
    """Plain texts after a method's edits, and what it says of them; refused if its audit fails."""
    result = method.sanitize(documents)
    texts = [edited(document.text, edits) for document, edits in zip(documents, result.edits, strict=True)]
    return _audited(documents, texts, method), result


def _audited(documents: Sequence[Document], texts: Sequence[str], method: DocumentMethod) -> Sequence[str]:
    checks = [method.audit(document, text) for document, text in zip(documents, texts, strict=True)]
    failed = [check.detail for check in checks if check.holds is False]
    if failed:
        raise PromiseError(
            f"{len(failed)} of {len(checks)} documents failed the audit ({failed[0]}). Nothing was released"
        )
    return texts


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
    passphrase: str | None = None,
    overwrite: bool = False,
    run: Run | None = None,
) -> SanitizedFiles:
    """Each document under its own name in a folder; all of them, or none.

    `config` is a plan: what it says of texts (words, patterns, types that count) holds for documents, too.
    Documents that cannot be read are left out and listed, unless none can.
    """
    built = document_methods.build(method, parameters)
    if private is not None:
        check_private(private, target)
    built = opened_method(built, private, passphrase)
    run = run or Run(folder=None if config is None else config.parent)
    with run.active():
        read = read_documents(paths, target, encoding=encoding, private=private, overwrite=overwrite, run=run)
        documents = documents_of(
            [source.text for source in read.sources],
            text_plan_of(config, language_model),
            names=read.names,
            known=[source.known for source in read.sources],
            run=run,
        )
        run.tell(None, "sanitize")
        result = built.sanitize(documents)
        files = {
            name: source.write(edits)
            for name, source, edits in zip(read.names, read.sources, result.edits, strict=True)
        }
        run.tell(None, "verify")
        # The audit reads what was written, through the same door that a recipient would use.
        texts = [
            read_content(content, name, None if source.ending else encoding).text
            for (name, content), source in zip(files.items(), read.sources, strict=True)
        ]
        _audited(documents, texts, built)
        if private is not None:
            owner = sealed_files(result.owner, built, passphrase)
            if passphrase is None:  # a page in plain words would give away what the vault seals
                originals = (document.text for document in documents)
                pages = list(zip(read.names, originals, result.edits, strict=True))
                owner[SIDE_BY_SIDE] = side_by_side(pages, method=method)
            write_private(private, owner)
        run.tell(None, "write")
        written = write_all(target, files)
    unread = sum(source.unread for source in read.sources)
    facts = {**result.facts, **({"unread_parts": unread} if unread else {})}
    return SanitizedFiles(written, facts, read.skipped)
