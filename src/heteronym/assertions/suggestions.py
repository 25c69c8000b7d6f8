"""Suggestions: the smallest change that lowers the sensitivity of an assertion, checked by reading it again.

First the delicate words are generalized ("asthma" becomes "a health matter"); if that does not lower the
level, the content is suppressed ("There is a statement about Sophie"). What is suggested is parsed and
looked up again; its level is what that says.

Cost        one more parse of what is suggested, all suggestions of a document at once
Randomness  none
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from dataclasses import replace

from heteronym.assertions.clauses import Clause
from heteronym.assertions.sensitivity import (
    DELICATE,
    general_noun,
    sensitive_words,
    sensitivity_of,
    verbs_of,
)
from heteronym.assertions.wording import Draft, with_article
from heteronym.knowledge.categories import categories
from heteronym.knowledge.lexicons import kin, singular
from heteronym.model.assertion import Analysis, Assertion, Individual
from heteronym.model.document import Document, Parser


def with_suggestions(
    analysis: Analysis, clauses: Sequence[Clause], document: Document, names: Collection[str] = ()
) -> list[Assertion]:
    """The assertions with their suggestions; nothing is suggested below what is delicate."""
    wanted = [n for n, a in enumerate(analysis.assertions) if a.sensitivity.level >= DELICATE]
    if not wanted or document.parser is None:
        return list(analysis.assertions)
    softer = [_generalized(clauses[n], names) for n in wanted]
    levels = _levels(document.parser, softer, names)
    assertions = list(analysis.assertions)
    hidden: dict[int, str] = {}
    for n, text, level in zip(wanted, softer, levels, strict=True):
        before = assertions[n]
        if level < before.sensitivity.level and text != _plain(clauses[n]):
            assertions[n] = replace(before, suggestion=text + _stop(clauses[n]), suggested_level=level)
        else:
            hidden[n] = suppressed(before, analysis)
    for (n, text), level in zip(hidden.items(), _levels(document.parser, list(hidden.values()), names)):
        if level < assertions[n].sensitivity.level:
            assertions[n] = replace(assertions[n], suggestion=text, suggested_level=level)
    return assertions


def _plain(clause: Clause) -> str:
    return Draft(clause).text()


def _stop(clause: Clause) -> str:
    return "" if clause.words.rstrip()[-1:] in ("?", "!") else "."


def _levels(parser: Parser, texts: Sequence[str], names: Collection[str]) -> list[int]:
    """What the sensitivity of each text would be, said of somebody."""
    if not texts:
        return []
    found = []
    whole = "\n\n".join(f"{text}." for text in texts)
    starts, at = [], 0
    for text in texts:
        starts.append((at, at + len(text)))
        at += len(text) + 3
    pieces = [(offset, offset + len(doc.text), doc) for offset, doc in parser(whole)]
    for start, end in starts:
        level = 0
        first = bisect_right(pieces, start, key=lambda piece: piece[0]) - 1
        last = bisect_left(pieces, end, key=lambda piece: piece[0])
        for offset, stop, doc in pieces[first:last]:
            within = (max(start, offset) - offset, min(end, stop) - offset)
            span = doc.char_span(*within, alignment_mode="expand")
            if span is not None and len(span):
                clause = Clause(doc, offset, span.start, span.end, 0)
                level = max(level, sensitivity_of(clause, True, names).level)
        found.append(level)
    return found


def _generalized(clause: Clause, names: Collection[str]) -> str:
    """The clause with every delicate word put more generally; as it stands if grammar does not allow it."""
    draft = Draft(clause)
    for first, last, why in sensitive_words(clause, names):
        name = why.category
        head = clause.doc[last]
        before = clause.doc[first - 1].lower_ if first > clause.first else ""
        if before in _ARTICLES and not _modifies(clause, last):  # "is a Muslim", whatever the tagger says
            _put_noun(draft, first, last, general_noun(head.lower_, name))
        elif head.pos_ == "ADJ" or clause.doc[first].pos_ == "ADP":
            if before not in _BE and not _modifies(clause, last):
                return _plain(clause)  # "eleven weeks pregnant", "a devout Catholic"
            draft.put(first, last, str(categories()[name]["adjective"]) if before in _BE else "certain")
        elif head.pos_ in ("NOUN", "PROPN") and head.lower_ not in verbs_of(name):
            noun = general_noun(head.lower_, name)
            if noun == "person" and clause.doc[max(first - 1, 0)].tag_ in ("PRP$", "POS"):
                if singular(head.lower_) not in kin():
                    return _plain(clause)  # "her therapist" is not her person
                noun = "relative"
            _put_noun(draft, first, last, noun)
    return draft.text()


_ARTICLES = frozenset("a an the".split())


def _modifies(clause: Clause, last: int) -> bool:
    following = clause.doc[last + 1] if last + 1 < clause.last else None
    return following is not None and following.pos_ in ("NOUN", "PROPN", "ADJ")


_BE = frozenset("is are was were be been being am 's".split())


def _put_noun(draft: Draft, first: int, last: int, noun: str) -> None:
    doc, head = draft.clause.doc, draft.clause.doc[last]
    modifiers = [
        child.i for child in head.children if child.dep_ in ("amod", "compound", "nummod") and child.i < first
    ]
    start = min([first, *(at for at in modifiers if at >= draft.clause.first)])
    before = doc[start - 1] if start > draft.clause.first else None
    determined = before is not None and (before.pos_ == "DET" or before.tag_ in ("PRP$", "POS"))
    if head.dep_ == "compound" and before is not None and before.lower_ in _ARTICLES:
        draft.put(before.i, last, "a certain")
    elif head.dep_ == "compound":
        draft.put(first, last, "certain")
    elif determined and before is not None and before.lower_ in ("a", "an"):
        draft.put(before.i, last, with_article(noun))
    else:
        draft.put(start, last, noun if determined else with_article(noun))


_SOMEBODY = "a person"
_COUNTS = {2: "two", 3: "three", 4: "four"}


def suppressed(assertion: Assertion, analysis: Analysis) -> str:
    """The content is hidden, the persons stay."""
    word = "allegation" if "crime" in assertion.sensitivity.categories else "statement"
    return f"There is {with_article(word)} about {_persons(assertion, analysis)}."


def _persons(assertion: Assertion, analysis: Analysis) -> str:
    names = [_called(analysis.individuals[number]) for number in assertion.proprietors]
    unnamed = names.count(_SOMEBODY)
    if unnamed > 1:  # "a person and a person"
        others = "other people" if unnamed < len(names) else "people"
        names = [name for name in names if name != _SOMEBODY]
        names.append(f"{_COUNTS.get(unnamed, 'several')} {others}")
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def _called(person: Individual) -> str:
    """ "the defendant" tells already; who has no name is a person."""
    if person.named:
        return person.label
    return {"I": "me", "you": "you"}.get(person.label, _SOMEBODY)
