"""Documents by a document method: read, edited, audited, and written all together or not at all."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from heteronym.contracts import DocumentMethod
from heteronym.errors import PromiseError, UsageError
from heteronym.io.formats import read_content
from heteronym.io.formats.folders import ReadDocuments, WrittenFiles, read_documents, write_all
from heteronym.io.given import TextPlanLike, documents_in, door, run_for, text_plan_of
from heteronym.io.owner_files import check_private, write_private
from heteronym.keeping import opened_method, sealed_files
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import edited
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.registry import document_methods
from heteronym.report.side_by_side import side_by_side
from heteronym.run import Run, current
from heteronym.scanning import find_in_documents
from heteronym.text.entities import follow_names
from heteronym.text.entity_types import is_direct
from heteronym.text.parse import parse
from heteronym.text.propagate import propagate
from heteronym.text.recognize import counts

SIDE_BY_SIDE = "side_by_side.html"


@dataclass(frozen=True)
class SanitizedFiles(WrittenFiles):
    """Where the documents went, which could not be read, with reasons, and what may be told about them."""

    method: str
    facts: Mapping[str, Any]

    said: ClassVar[str] = "sanitized"

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "method": self.method, **self.facts}


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


@door
def sanitize(
    data: Any,
    *,
    output: str | Path | None = None,
    method: str = "redact",
    model: str | None = None,
    plan: TextPlanLike | None = None,
    private: str | Path | None = None,
    passphrase: str | None = None,
    encoding: str | None = None,
    cache: str | Path | None = None,
    overwrite: bool = False,
    run: Run | None = None,
    **parameters: Any,
) -> Any:
    """Texts by a document method: `sanitize(text, method="redact")` is the text with its mentions masked.

    `data` is one text, or a Path or several, of documents and folders: these are written below the folder
    `output`, each under its own name, all of them or none, and the result says where they are. Those that
    cannot be read are left out and listed, unless none can. `plan` says what counts in texts: a plan file, a
    Plan, or its `text` part alone. `private` is the owner's folder, where a method keeps its key and vault.
    """
    owner, target = (None if path is None else Path(path) for path in (private, output))
    if isinstance(data, str) and (target is not None or overwrite or encoding is not None):
        raise UsageError("output, overwrite and encoding are for documents: give a Path; a str is a text")
    if owner is not None and target is not None:
        check_private(owner, target)
    built = opened_method(document_methods.build(method, parameters), owner, passphrase)
    run, settings = run_for(run, plan, cache), text_plan_of(plan, model)
    with run.active():
        if isinstance(data, str):
            [text], result = sanitized(documents_of([data], settings, run=run), built)
            for warning in result.facts.get("warnings", ()):
                warnings.warn(warning, stacklevel=3)
            if owner is not None:
                write_private(owner, sealed_files(result.owner, built, passphrase))
            return text
        named = documents_in(data)
        if target is None:
            raise UsageError("documents are written to a folder; name it with `output`")
        read = read_documents(named, target, encoding=encoding, private=owner, overwrite=overwrite, run=run)
        texts, known = [s.text for s in read.sources], [s.known for s in read.sources]
        documents = documents_of(texts, settings, names=read.names, known=known, run=run)
        files, result = _rewritten(documents, read, built, encoding)
        if owner is not None:
            kept = sealed_files(result.owner, built, passphrase)
            if passphrase is None:  # a page in plain words would give away what the vault seals
                pages = list(zip(read.names, texts, result.edits, strict=True))
                kept[SIDE_BY_SIDE] = side_by_side(pages, method=method)
            write_private(owner, kept)
        run.tell(None, "write")
        written = write_all(target, files)
    unread = sum(source.unread for source in read.sources)
    facts = {**result.facts, **({"unread_parts": unread} if unread else {})}
    return SanitizedFiles(written, read.skipped, method, facts)


def _rewritten(
    documents: Sequence[Document], read: ReadDocuments, method: DocumentMethod, encoding: str | None
) -> tuple[dict[str, bytes], Sanitized]:
    """The files as they will be written, audited as a recipient would read them."""
    current().tell(None, "sanitize")
    result = method.sanitize(documents)
    files = {
        name: source.write(edits)
        for name, source, edits in zip(read.names, read.sources, result.edits, strict=True)
    }
    current().tell(None, "verify")
    texts = [
        read_content(content, name, None if source.ending else encoding).text
        for (name, content), source in zip(files.items(), read.sources, strict=True)
    ]
    _audited(documents, texts, method)
    return files, result
