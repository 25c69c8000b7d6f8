"""The analyzer over documents, tables and corpora: what is said of whom, and the owner's files about it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from threadpoolctl import threadpool_limits

from heteronym.analyzers.assertions import Assertions, findings
from heteronym.api.sanitize import documents_of
from heteronym.assertions.anonymity import anonymity_of
from heteronym.assertions.ledger import canonical_forms, factor, ledger_of, scrubber, written
from heteronym.assertions.roster import Roster
from heteronym.errors import InputError, PlanError, PromiseError
from heteronym.io.assertions import IDENTITIES, POINTERS, ZERO, as_json, ledger_files, texts_from
from heteronym.io.formats import open_document
from heteronym.io.given import TextPlanLike, door, run_for, text_plan_of
from heteronym.io.owner_files import write_private
from heteronym.io.plans import override, read_plan
from heteronym.io.sealed import is_sealed, seal, unseal
from heteronym.io.tables import read_tables
from heteronym.model.assertion import Analysis, Assertion
from heteronym.model.document import Document
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Role
from heteronym.pipeline import make_dataset
from heteronym.report.assertions import render_analysis
from heteronym.run import Run
from heteronym.text.entity_types import is_direct
from heteronym.text.parse import parse

_TITLES = frozenset("Miss Sir Lord Lady Madam Dame Mister Prof Rev Hon Mrs".split())
_PUT = re.compile(r"\[[A-Z_]+\]")  # what stands for an identifier: [MAIL]
_LONG = 2_000_000  # characters: what is longer is refused with a way out
PAGE = "analysis.html"


class Corpus(NamedTuple):
    """Analyses of documents, with who is who over all of them."""

    analyses: list[Analysis]
    roster: Roster
    direct: list[list[Span]]  # identifiers other than names, per document


@door
def analyze(
    text: str,
    *,
    author: str | None = None,
    recipient: str | None = None,
    model: str | None = None,
    plan: TextPlanLike | None = None,
    cache: str | Path | None = None,
    run: Run | None = None,
) -> dict[str, Any]:
    """Who a text is about and what it says of them: assertions with class, proprietors, canonical forms,
    sensitivity and a suggested replacement; `author` and `recipient` are who "I" and "you" are."""
    run = run_for(run, plan, cache)
    settings = text_plan_of(plan, model)
    content = corpus_to_dict(analyze_texts([text], settings, authors=[author], recipient=recipient, run=run))
    document = content["documents"][0]
    del document["name"]
    return {**document, "ranking": content["persons"], "anonymity": content["anonymity"]}


def analyze_texts(
    texts: Sequence[str],
    plan: TextPlan,
    *,
    names: Sequence[str] = (),
    authors: Sequence[str | None] = (),
    recipient: str | None = None,
    run: Run | None = None,
) -> Corpus:
    """Read texts; `authors` is who writes each of them, where that is known."""
    run = run or Run()
    for text, name in zip(texts, names or ["text"] * len(texts)):
        if len(text) > _LONG:
            raise InputError(f"{name}: longer than {_LONG:,} characters; divide it into several documents")
    documents = documents_of(texts, plan, names=names, run=run)
    analyses, direct = [], []
    done, total = 0, max(sum(map(len, texts)), 1)
    # One thread: products of this size cost more to share than to make.
    with run.active(), threadpool_limits(1, user_api="blas"):
        run.tell(0.0, "analyze")
        for number, document in enumerate(documents):
            author = authors[number] if authors else None
            fresh = Document(document.text, document.mentions, document.name, parse)  # its parse is not kept
            with run.within(done / total, (done + len(document.text)) / total):
                analyses.append(Assertions(author=author, recipient=recipient).read(fresh))
            direct.append([m for m in document.mentions if m.type != "PERSON" and is_direct(m.type)])
            done += len(document.text)
            run.tell(done / total)
    return Corpus(analyses, Roster(analyses), direct)


def corpus_to_dict(corpus: Corpus) -> dict[str, Any]:
    """Everything in plain values, for --json and the page; names persons."""
    documents = []
    for number, analysis in enumerate(corpus.analyses):
        variables = corpus.roster.variables_of(number)
        forms = canonical_forms(analysis, scrubber(analysis))
        identities, zero = factor(forms)
        documents.append(
            {
                "name": analysis.name,
                "warnings": list(analysis.warnings),
                "persons": [
                    {"label": p.label, "variable": variables[p.number], "named": p.named}
                    for p in analysis.individuals
                ],
                "assertions": [
                    {"start": f.start, "end": f.end, "class": f.kind, "sentence": a.sentence, **f.details}
                    for f, a in zip(findings(analysis), analysis.assertions, strict=True)
                ],
                "canonical": written(forms),
                "identities": identities,
                "zero": zero,
            }
        )
    kind = anonymity_of(content=True, proprietors=_names_somebody(corpus), possessors=True)
    return {
        "documents": documents,
        "persons": persons_by_sensitivity(corpus),
        "anonymity": {"type": kind.letter, "meaning": kind.meaning},
    }


def _names_somebody(corpus: Corpus) -> bool:
    return any(
        analysis.individuals[number].named
        for analysis in corpus.analyses
        for assertion in analysis.assertions
        for number in assertion.proprietors
    )


def persons_by_sensitivity(corpus: Corpus) -> list[dict[str, Any]]:
    """The persons of a corpus, the most sensitive statements first."""
    rows: dict[int, dict[str, Any]] = {}
    for number, _, assertion in _statements(corpus):
        here = corpus.roster.number[number]
        for person in {here[p] for p in assertion.proprietors}:
            row = rows.setdefault(
                person,
                {"label": corpus.roster.labels[person], "variable": corpus.roster.variables[person],
                 "statements": 0, "level": 0, "score": 0, "categories": set(), "documents": set()},
            )  # fmt: skip
            row["statements"] += 1
            row["level"] = max(row["level"], assertion.sensitivity.level)
            row["score"] += assertion.sensitivity.score
            row["categories"] |= set(assertion.sensitivity.categories)
            row["documents"].add(number)
    ranked = sorted(
        rows.values(), key=lambda row: (-row["level"], -row["score"], -row["statements"], row["variable"])
    )
    return [
        {**row, "categories": sorted(row["categories"]), "documents": len(row["documents"])} for row in ranked
    ]


def _statements(corpus: Corpus) -> Iterator[tuple[int, Analysis, Assertion]]:
    for number, analysis in enumerate(corpus.analyses):
        for assertion in analysis.assertions:
            if assertion.proprietors:
                yield number, analysis, assertion


def owner_files(corpus: Corpus, content: Mapping[str, Any]) -> dict[str, bytes]:
    """Identities, zero-privacy assertions, pointers, a page, and one fact file per person."""
    ledgers = [
        ledger_of(
            analysis, corpus.roster.variables_of(n), masked=corpus.direct[n], elsewhere=corpus.roster.words
        )
        for n, analysis in enumerate(corpus.analyses)
    ]
    names = [analysis.name for analysis in corpus.analyses]
    files = ledger_files(names, ledgers, corpus.roster.variables, corpus.roster.labels)
    _check_ledger(files, corpus)
    facts: dict[int, list[dict[str, Any]]] = {}
    hides = [scrubber(analysis) for analysis in corpus.analyses]
    for number, _, assertion in _statements(corpus):
        hide = hides[number]
        for atom in (atom for part in assertion.atoms for atom in part):
            facts.setdefault(corpus.roster.number[number][atom.person], []).append(
                {"document": f"document {number + 1}", "fact": hide(atom.zero),
                 "level": assertion.sensitivity.level, "categories": list(assertion.sensitivity.categories)}
            )  # fmt: skip
    for person, known in facts.items():
        variable = corpus.roster.variables[person]
        files[f"person-{variable}.json"] = as_json(
            {"variable": variable, "identity": corpus.roster.labels[person], "facts": known}
        )
    texts = {analysis.name: analysis.text for analysis in corpus.analyses}
    files[PAGE] = render_analysis(content, texts).encode("utf-8", "replace")
    return files


def _check_ledger(files: Mapping[str, bytes], corpus: Corpus) -> None:
    """What the files promise, read from the files: they restore the texts, and two of them name nobody."""
    if texts_from(files) != {analysis.name: analysis.text for analysis in corpus.analyses}:
        raise PromiseError("the identities and pointers do not restore the documents. Nothing was written")
    zero, pointers = json.loads(files[ZERO]), json.loads(files[POINTERS])
    for number, analysis in enumerate(corpus.analyses, 1):
        both = [zero[f"document {number}"], pointers[f"document {number}"]]
        published = _PUT.sub(" ", json.dumps(both, ensure_ascii=False))
        standing = set(re.findall(r"[^\W\d_]+", published))
        for name in (name for person in analysis.individuals for name in person.names):
            words = {word for word in re.findall(r"[^\W\d_]+", name) if len(word) > 2 and word[0].isupper()}
            if (words - _TITLES) & standing:
                raise PromiseError("a name is left among the zero-privacy assertions. Nothing was written")


def write_owner_files(private: Path, files: Mapping[str, bytes], passphrase: str | None) -> list[str]:
    """Into the private folder; with a passphrase everything that names persons is sealed."""
    written_files = dict(files)
    if passphrase is not None:
        written_files = {
            (name if name in (ZERO, POINTERS) else f"{name}.sealed"): (
                content if name in (ZERO, POINTERS) else seal(content, passphrase)
            )
            for name, content in files.items()
        }
    write_private(private, written_files)
    return sorted(written_files)


def restored(private: Path, passphrase: str | None) -> dict[str, str]:
    """The documents, from the owner's files."""
    files: dict[str, bytes] = {}
    for name in (IDENTITIES, POINTERS):
        for path in (private / name, private / f"{name}.sealed"):
            if path.is_file():
                content = path.read_bytes()
                if is_sealed(content):
                    if passphrase is None:
                        raise InputError(f"{path.name}: is sealed; give its passphrase")
                    content = unseal(content, passphrase)
                files[name] = content
    return texts_from(files)


def analyze_documents(
    paths: Sequence[str],
    *,
    config: Path | None = None,
    language_model: str | None = None,
    encoding: str | None = None,
    who: Mapping[str, str | None] | None = None,
    run: Run | None = None,
) -> Corpus:
    """`who` may name the `author` and the `recipient` of all documents."""
    parties = who or {}
    texts = [open_document(path, encoding).text for path in paths]
    names = _distinct([Path(path).name for path in paths])
    plan = text_plan_of(config, language_model)
    authors = [parties.get("author")] * len(texts)
    return analyze_texts(
        texts, plan, names=names, authors=authors, recipient=parties.get("recipient"), run=run
    )


def _distinct(names: Sequence[str]) -> list[str]:
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{seen[name]}-{name}")
    return found


def analyze_tables(
    paths: Sequence[str], config: Path, *, options: Mapping[str, Any], run: Run | None = None
) -> tuple[Corpus, list[dict[str, Any]]]:
    """Text columns of a table, whose author is the row's person; with it, what each row tells of others."""
    plan = override(read_plan(config), dict(options))
    dataset = make_dataset(read_tables(paths, plan.data), plan, folder=config.parent)
    columns = dataset.schema.named(Role.TEXT)
    if not columns:
        raise PlanError("no column has role text: there is nothing to analyze")
    names = [name for name, a in dataset.schema.attributes.items() if "PERSON" in (a.entities or ())]
    texts, places, authors = [], [], []
    for column in columns:
        own = dataset.frame[names[0]].to_list() if names else [None] * len(dataset.frame)
        for row, text in enumerate(dataset.frame[column].to_list()):
            if text:
                texts.append(str(text))
                places.append((row + 1, column))
                authors.append(None if own[row] is None else str(own[row]))
    labels = [f"row {row}, {column}" for row, column in places]
    corpus = analyze_texts(texts, plan.text, names=labels, authors=authors, run=run)
    rows = [
        _about_others(row, column, analysis, author)
        for (row, column), analysis, author in zip(places, corpus.analyses, authors, strict=True)
    ]
    return corpus, rows


def _about_others(row: int, column: str, analysis: Analysis, author: str | None) -> dict[str, Any]:
    """How much of a text is about others than its author, and how sensitive; no value of the cell."""
    own = {p.number for p in analysis.individuals if p.label == "I" or (author and author in p.names)}
    others = [a for a in analysis.assertions if set(a.proprietors) - own]
    return {
        "row": row,
        "column": column,
        "assertions": len(analysis.assertions),
        "about_author": sum(bool(set(a.proprietors) & own) for a in analysis.assertions),
        "about_others": len(others),
        "others": len({p for a in others for p in a.proprietors} - own),
        "level": max((a.sensitivity.level for a in others), default=0),
        "categories": sorted({c for a in others for c in a.sensitivity.categories}),
    }
