"""Documents by a document method: read, edited, audited, and written all together or not at all."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from heteronym.api.scan import find_in_documents, texts_in
from heteronym.api.vaults import opened_method, sealed_files
from heteronym.contracts import DocumentMethod
from heteronym.documents._identifiers_first import IdentifiersFirst
from heteronym.documents._written_audit import (
    Sought,
    add_mentions_in_other_writing,
    names_without_terms,
    parts_with_terms,
    sought_terms,
)
from heteronym.errors import PromiseError, UsageError
from heteronym.io.formats import read_content
from heteronym.io.formats.folders import (
    ReadDocuments,
    WrittenFiles,
    read_documents,
    without_unread,
    write_all,
)
from heteronym.io.formats.source import Source, count_kinds, outside_labels
from heteronym.io.given import TextPlanLike, documents_in, door, run_for, text_plan_of
from heteronym.io.owner_files import check_private, write_private
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit, edited
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.registry import document_methods
from heteronym.report.side_by_side import side_by_side
from heteronym.run import Run, current
from heteronym.text.entities import follow_names
from heteronym.text.entity_types import is_direct
from heteronym.text.language import remark_on
from heteronym.text.other_writings import add_other_writings
from heteronym.text.parse import parse
from heteronym.text.propagate import propagate
from heteronym.text.recognize import counts

SIDE_BY_SIDE = "side_by_side.html"
RENAMED = "renamed.json"
KEPT = "{} were kept as asked: the result is generalized, not sanitized"
_ROUNDS = 3  # the first finds nearly all; what is masked in one may be part of what the next finds

MethodOpener = Callable[[], DocumentMethod]


class Outcome(NamedTuple):
    """What a method made of documents, and the masked terms that must not be left of each."""

    documents: Sequence[Document]
    result: Sanitized
    terms: Sequence[Sequence[Sought]]
    method: DocumentMethod


@dataclass(frozen=True)
class SanitizedFiles(WrittenFiles):
    """Where the documents went, which could not be read, with reasons, and what may be told about them."""

    method: str
    facts: Mapping[str, Any]
    kept: Literal["", "identifiers", "names"] = ""  # what the method was asked to leave standing

    @property
    def verdict(self) -> str:
        """What the documents are by their audit."""
        word = f"generalized; {self.kept} kept as asked" if self.kept else "sanitized"
        return f"{word} except for parts not read" if self.facts.get("unread") else word

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "method": self.method, "verdict": self.verdict, **self.facts}

    def in_words(self, *, verbose: bool = False) -> str:
        """What each document is called by its audit; `verbose` adds what was left out."""
        word = f"generalized; {self.kept} kept as asked" if self.kept else "sanitized"
        unread = list(self.facts.get("unread", {}).items())
        lines = []
        for path in self.written:
            kinds = next((some for name, some in unread if str(path).endswith(name)), None)
            but = f" except for parts not read ({count_kinds(Counter(kinds).elements())})" if kinds else ""
            lines.append(f"{word}{but}: {path}")
        lines += [f"skipped: {reason}" for reason in (*self.skipped, *self.hidden) if verbose]
        return "".join(f"{line}\n" for line in lines)


def documents_of(
    texts: Sequence[str],
    plan: TextPlan,
    *,
    names: Sequence[str] = (),
    known: Sequence[Sequence[Span]] = (),
    run: Run | None = None,
) -> list[Document]:
    """Texts with their mentions, settled and followed into other writings; parsed when a method asks for it.

    `known` are mentions that a format itself tells of, such as the author of a comment.
    """
    found = find_in_documents(texts, plan, run=run)
    called = names or ["text"] * len(texts)
    spans_of = known or [()] * len(texts)

    def direct(kind: str) -> bool:
        return is_direct(kind, direct=plan.direct)

    return [
        Document(
            text,
            tuple(add_other_writings(text, _with_known(text, spans, more, plan), is_direct=direct)),
            name,
            parse,
        )
        for text, spans, more, name in zip(texts, found, spans_of, called, strict=True)
    ]


def _read_documents(read: ReadDocuments, plan: TextPlan, run: Run) -> list[Document]:
    """Documents with their mentions, which stop where a format keeps values apart."""
    texts, known = [source.text for source in read.sources], [source.known for source in read.sources]
    found = documents_of(texts, plan, names=read.names, known=known, run=run)
    return [
        replace(document, mentions=tuple(outside_labels(document.mentions, source.labels)))
        for document, source in zip(found, read.sources, strict=True)
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


def sanitized(documents: Sequence[Document], open_method: MethodOpener) -> Outcome:
    """Edits of a method, with what is masked also masked in every other writing of it.

    The method is opened anew for each round: its vault remembers nothing of a round that did not count.
    """
    for _ in range(_ROUNDS):
        method = open_method()
        result = method.sanitize(documents)
        terms = [_sought(one, edits, method) for one, edits in zip(documents, result.edits, strict=True)]
        more = [
            add_mentions_in_other_writing(document, edits, some)
            for document, edits, some in zip(documents, result.edits, terms)
        ]
        if all(one is other for one, other in zip(documents, more)):
            break
        documents = more
    return Outcome(documents, result, terms, method)


def _sought(document: Document, edits: Sequence[Edit], method: DocumentMethod) -> list[Sought]:
    if isinstance(method, IdentifiersFirst):
        return sought_terms(document, edits, method.hides)
    return [] if hasattr(method, "identifiers") else sought_terms(document, edits)


def _opener(
    method: str, parameters: Mapping[str, Any], owner: Path | None, passphrase: str | None
) -> MethodOpener:
    """How to open a method: with its vault, and behind a mask of identifiers if it generalizes.

    It is opened once at the beginning, so that what is wrong with the owner's folder is said before any work.
    """
    built = document_methods.build(method, parameters)

    def open_it() -> DocumentMethod:
        opened = opened_method(built, owner, passphrase)
        if getattr(built, "identifiers", None) != "mask":
            return opened
        return IdentifiersFirst(opened, people=getattr(built, "people", "mask"))

    waiting = [open_it()]
    return lambda: waiting.pop() if waiting else open_it()


def _audit(documents: Sequence[Document], texts: Sequence[str], outcome: Outcome) -> None:
    checks = [outcome.method.audit(one, text) for one, text in zip(documents, texts, strict=True)]
    failed = [check.detail for check in checks if check.holds is False]
    if failed:
        raise PromiseError(
            f"{len(failed)} of {len(checks)} documents failed the audit ({failed[0]}). Nothing was released"
        )


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
    accept_unread: bool = False,
    overwrite: bool = False,
    run: Run | None = None,
    **parameters: Any,
) -> Any:
    """Texts by a document method: `sanitize(text, method="redact")` is the text with its mentions masked.

    `data` is one text, or several (a list or a column of a frame), which give a list of texts. Or it is a
    Path or several, of documents and folders: these are written below the folder `output`, each under its own
    name, all of them or none, and the result says where they are. Those that cannot be read are left out and
    listed, unless none can; so are those with parts that cannot be read (pictures, macros), unless
    `accept_unread`. `plan` says what counts in texts: a plan file, a Plan, or its `text` part alone.
    `private` is the owner's folder, where a method keeps its key and vault.
    """
    owner, target = (None if path is None else Path(path) for path in (private, output))
    given = texts_in(data)
    if given is not None and (target is not None or overwrite or encoding is not None or accept_unread):
        raise UsageError(
            "output, overwrite, encoding and accept_unread are for documents: give a Path; a str is a text"
        )
    if owner is not None and target is not None:
        check_private(owner, target)
    open_method = _opener(method, parameters, owner, passphrase)
    run, settings = run_for(run, plan, cache), text_plan_of(plan, model)
    with run.active():
        if given is not None:
            made = _sanitized_texts(given, settings, open_method, owner, passphrase, run)
            return made[0] if isinstance(data, str) else made
        named = documents_in(data)
        if target is None:
            raise UsageError("documents are written to a folder; name it with `output`")
        read = read_documents(named, target, encoding=encoding, private=owner, overwrite=overwrite, run=run)
        read = read if accept_unread else without_unread(read)
        documents = _read_documents(read, settings, run)
        files, outcome = _rewritten(documents, read, open_method, encoding)
        names, renamed = names_without_terms(list(files), outcome.terms)
        result = outcome.result
        if owner is not None:
            texts = [source.text for source in read.sources]
            pages = list(zip(read.names, texts, result.edits, strict=True))
            _write_owner_files(owner, outcome, passphrase, side_by_side(pages, method=method), renamed)
        run.tell(None, "write")
        written = write_all(target, dict(zip(names, files.values(), strict=True)))
    facts = _facts(result.facts, read, names, len(renamed))
    foreign = remark_on([source.text for source in read.sources], settings.language)
    if foreign is not None:
        facts["warnings"] = [*facts.get("warnings", ()), foreign]
    return SanitizedFiles(written, read.skipped, read.hidden, method, facts, _what_was_kept(outcome.method))


def _write_owner_files(
    owner: Path, outcome: Outcome, passphrase: str | None, page: bytes, renamed: Mapping[str, str]
) -> None:
    kept = sealed_files(outcome.result.owner, outcome.method, passphrase)
    if passphrase is None:  # plain words would give away what the vault seals
        kept[SIDE_BY_SIDE] = page
        if renamed:
            kept[RENAMED] = json.dumps(renamed, ensure_ascii=False, indent=1).encode()
    write_private(owner, kept)


def _sanitized_texts(
    texts: Sequence[str],
    settings: TextPlan,
    open_method: MethodOpener,
    owner: Path | None,
    passphrase: str | None,
    run: Run,
) -> list[str]:
    outcome = sanitized(documents_of(texts, settings, run=run), open_method)
    made = [edited(text, edits) for text, edits in zip(texts, outcome.result.edits, strict=True)]
    _audit(outcome.documents, made, outcome)
    notes = list(outcome.result.facts.get("warnings", ()))
    if _what_was_kept(outcome.method) == "identifiers":
        notes.append(KEPT.format("identifiers and names"))
    for warning in notes:
        warnings.warn(warning, stacklevel=4)
    if owner is not None:
        write_private(owner, sealed_files(outcome.result.owner, outcome.method, passphrase))
    return made


def _what_was_kept(method: DocumentMethod) -> Literal["", "identifiers", "names"]:
    """What a method that generalizes was asked to leave standing."""
    if isinstance(method, IdentifiersFirst):
        return "names" if method.people == "keep" else ""
    return "identifiers" if getattr(method, "identifiers", "mask") == "keep" else ""


def _rewritten(
    documents: Sequence[Document], read: ReadDocuments, open_method: MethodOpener, encoding: str | None
) -> tuple[dict[str, bytes], Outcome]:
    """The files as they will be written, audited as a recipient would read them, and byte by byte."""
    current().tell(None, "sanitize")
    outcome = sanitized(documents, open_method)
    files = {
        name: source.write(edits, clear_traces=True)
        for name, source, edits in zip(read.names, read.sources, outcome.result.edits, strict=True)
    }
    current().tell(None, "verify")
    texts = [
        _as_read_again(name, content, source, edits, encoding)
        for (name, content), source, edits in zip(
            files.items(), read.sources, outcome.result.edits, strict=True
        )
    ]
    _audit(outcome.documents, texts, outcome)
    left = {
        name: sorted(set(kinds))
        for (name, content), terms in zip(files.items(), outcome.terms, strict=True)
        if (kinds := parts_with_terms(content, terms))
    }
    if left:
        [name, kinds] = next(iter(left.items()))
        number = read.names.index(name) + 1
        raise PromiseError(
            f"{len(left)} of {len(files)} documents failed the audit (document {number}: a masked term still "
            f"stands in a part that cannot be rewritten: {', '.join(kinds)}). Nothing was released"
        )
    return files, outcome


def _as_read_again(
    name: str, content: bytes, source: Source, edits: Sequence[Edit], encoding: str | None
) -> str:
    """The text of a written file. Where a format has no blanks, but places of letters (PDF), one that has all
    letters of what was meant is taken for it."""
    text = read_content(content, name, None if source.ending else encoding).text
    meant = edited(source.text, edits)
    placed = source.rewrite is not None and "".join(text.split()) == "".join(meant.split())
    return meant if placed else text


def _facts(
    facts: Mapping[str, Any], read: ReadDocuments, names: Sequence[str], renamed: int
) -> dict[str, Any]:
    """What the method tells, and which parts of which document were not read, by their kinds."""
    unread = {name: Counter(s.unread) for name, s in zip(names, read.sources) if s.unread}
    left_out = {name: Counter(s.left_out) for name, s in zip(names, read.sources) if s.left_out}
    more = {
        "unread": {name: dict(kinds) for name, kinds in unread.items()},
        "unread_parts": sum(kinds.total() for kinds in unread.values()),
        "left_out": {name: dict(kinds) for name, kinds in left_out.items()},
        "renamed": renamed,
    }
    return {**facts, **{key: value for key, value in more.items() if value}}
