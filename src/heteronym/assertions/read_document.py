"""Reading: from a document to its persons and assertions, class by class."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from heteronym.assertions.classes import class_of, persons_in
from heteronym.assertions.clauses import Clause, clauses_of, lists_of
from heteronym.assertions.coreference import Cast
from heteronym.assertions.quotations import speeches
from heteronym.assertions.reduction import reduce_assertion
from heteronym.assertions.referent import Referent
from heteronym.assertions.referents import referents_of
from heteronym.assertions.sensitivity import sensitivity_of
from heteronym.assertions.sentences import sentences_of
from heteronym.assertions.suggestions import with_suggestions
from heteronym.model.assertion import Analysis, Assertion, Referring
from heteronym.model.document import Document
from heteronym.run import current
from heteronym.text.language import looks_english

_PARSED, _READ = 0.6, 0.9  # shares of the work after which a document is parsed, and its clauses read
_OFTEN = 200  # clauses between two words about progress
_SHORT = 2  # words without a verb that say nothing: "Dear Tom", "Best, Jane"
_GREETING = re.compile(
    r"^[ \t]*(?:dear|hi|hello|hey|good (?:morning|evening|afternoon))[ ]+(?P<name>[^\n,:!.]{2,40})[,:!]",
    re.I | re.M,
)
_CLOSING = re.compile(
    r"\n[ \t]*(?:best|regards|best regards|kind regards|best wishes|yours|yours sincerely|sincerely|cheers|"
    r"thanks|many thanks|love|all the best|warm regards)[ \t]*,?[ \t]*\n\s*+"
    r"(?P<name>[A-Z][^\n,:!.]{1,40})\s*$",
    re.I,
)


def read(document: Document, *, author: str | None = None, recipient: str | None = None) -> Analysis:
    """The persons and assertions of a document; author and recipient are who "I" and "you" are."""
    warnings: list[str] = []
    if document.text.strip() and looks_english(document.text) is False:
        warnings.append("the text does not read like English: what is said here is unreliable")
    author = author or _letter(_CLOSING, document)
    recipient = recipient or _letter(_GREETING, document)
    run = current()
    with run.within(0.0, _PARSED):
        referents = referents_of(document)
    by_sentence: dict[int, list[Referent]] = {}
    for referent in referents:
        by_sentence.setdefault(referent.sentence, []).append(referent)
    cast = Cast(author, recipient, speeches(document.text, referents))
    lists: dict[int, list[list[Referent]]] = {}
    for number, here in by_sentence.items():
        lists[number] = lists_of(here)
        cast.enter(here, lists[number])
        run.poll()
    individuals = cast.individuals()
    clauses = _clauses(document, by_sentence)
    names = {word.lower() for person in individuals for name in person.names for word in name.split()}
    assertions: list[Assertion] = []
    for number, clause in enumerate(clauses):
        if number % _OFTEN == 0:
            run.tell(_PARSED + (_READ - _PARSED) * number / len(clauses))
        inside = [r for r in by_sentence.get(clause.sentence, []) if clause.first <= r.first < clause.last]
        assertions.append(_assertion(clause, inside, lists.get(clause.sentence, []), names))
    referring = [
        Referring(r.start, r.end, r.form, r.persons, r.key[-1] if r.key else r.head.lower_)  # type: ignore[arg-type]
        for r in referents
    ]
    owners = {p.number for p in individuals if p.label == "I" or (author and author in p.names)}
    if owners & {p for a in assertions for p in a.proprietors}:
        warnings.append(
            "the author of the text is also among its proprietors: who knows the one knows the other"
        )
    analysis = Analysis(document.text, individuals, referring, assertions, tuple(warnings), document.name)
    with run.within(_READ, 1.0):
        return replace(analysis, assertions=with_suggestions(analysis, clauses, document, names))


def _clauses(document: Document, referents: Mapping[int, Sequence[Referent]]) -> list[Clause]:
    found, number = [], 0
    for offset, doc in document.parsed:
        for sentence in sentences_of(doc):
            found += clauses_of(doc, offset, sentence, number, referents.get(number, ()))
            number += 1
    return found


def _assertion(
    clause: Clause, inside: Sequence[Referent], lists: Sequence[Sequence[Referent]], names: Collection[str]
) -> Assertion:
    joined = [[m for m in members if m in inside] for members in lists]
    kind, apart = class_of(clause, inside, [members for members in joined if len(members) > 1])
    groups = tuple(r.words for r in inside if r.plural and not r.persons)
    made = Assertion(
        clause.start, clause.end, clause.sentence, kind, persons_in(inside), groups=groups,
        has_verb=_has_verb(clause),
        sensitivity=sensitivity_of(clause, bool(persons_in(inside)), names),
    )  # fmt: skip
    return replace(made, atoms=reduce_assertion(clause, inside, kind, apart))


def _has_verb(clause: Clause) -> bool:
    tokens = clause.doc[clause.first : clause.last]
    return any(t.pos_ in ("VERB", "AUX") for t in tokens) or len(tokens.text.split()) > _SHORT


def _letter(pattern: re.Pattern[str], document: Document) -> str | None:
    """Who greets and who signs, if the document is a letter and names them."""
    match = pattern.search(document.text)
    if match is None:
        return None
    for mention in document.mentions:
        if mention.type == "PERSON" and match.start("name") <= mention.start < match.end("name"):
            return document.text[mention.start : mention.end]
    return None
