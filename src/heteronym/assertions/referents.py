"""Referents: the words of a text that refer to human beings.

Names come from the mentions of the document; pronouns, relatives and roles ("her uncle", "the patient")
from the parse and from lexicons. Plurals and groups are found too, and kept apart from individuals.

Cost        linear in the length of the text
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from heteronym.assertions.names import bare_names, is_title, names, predicate_subject, variables
from heteronym.assertions.referent import POSSESSIVE, Referent
from heteronym.assertions.roles import closes, pronoun, role
from heteronym.assertions.sentences import sentences_of
from heteronym.knowledge.lexicons import kin
from heteronym.knowledge.wordlists import first_names
from heteronym.model.document import Document

_MODIFIERS = frozenset("det amod compound nmod:poss nummod nmod:desc nmod:unmarked flat".split())


def referents_of(document: Document) -> list[Referent]:
    """All referents of a document in order of occurrence, possessors and appositions told."""
    found: list[Referent] = []
    sentence = 0
    for offset, doc in document.parsed:
        here = _in_piece(document, doc, offset)
        at = 0
        for sent in sentences_of(doc):
            while at < len(here) and here[at].first < sent.end:
                here[at].sentence = sentence
                at += 1
            sentence += 1
        _share_surnames(here)
        _tell_possessors(here)
        _tell_identities(here)
        found += here
    return found


def _in_piece(document: Document, doc: Any, offset: int) -> list[Referent]:
    taken: set[int] = set()
    found: list[Referent] = []
    for finder in (
        names(document, doc, offset),
        bare_names(document, doc, offset),
        variables(doc, offset),
    ):
        for referent in finder:
            span = set(range(referent.first, referent.last + 1))
            if not span & taken:
                taken |= span
                found.append(referent)
    for token in doc:
        if token.i in taken:
            continue
        other = pronoun(token, offset) or role(token, offset, taken)
        if other is not None:
            taken |= set(range(other.first, other.last + 1))
            found.append(other)
    found.sort(key=lambda referent: referent.first)
    for referent in found:
        referent.np_first = _phrase_start(referent)
    return found


def _phrase_start(referent: Referent) -> int:
    """The first token of the phrase, possessor and determiner included."""
    first, sentence = referent.first, referent.head.sent.start
    if referent.form == "pronoun":
        return first
    doc = referent.doc
    while first > sentence:
        before = doc[first - 1]
        if referent.form == "name" and is_title(before):  # "Farmer John"
            first -= 1
            continue
        inside = (
            (before.dep_ in _MODIFIERS or before.tag_ == "POS")
            and sentence <= before.head.i
            and (first <= before.head.i <= referent.last or before.tag_ == "POS")
        )
        if not inside and not (before.lower_ in POSSESSIVE or before.pos_ == "DET"):
            break
        if before.lower_ in ("when", "where", "while", "not", "only", "also", "then"):
            break
        first -= 1
        if before.tag_ == "POS":  # the possessor in front of 's
            first = min(first, doc[first - 1].i, _left_of(doc[first - 1], sentence))
    return first


def _left_of(token: Any, sentence: int) -> int:
    first = int(token.i)
    while first > sentence and token.doc[first - 1].head.i in range(first, token.i + 1):
        first -= 1
    return first


def place_of(head: Any) -> Any:
    """The word whose dependency tells the part a phrase plays: the first of a list."""
    while head.dep_ in ("conj", "flat") and head.head != head and head.head.pos_ in ("NOUN", "PROPN", "PRON"):
        head = head.head
    return head


def _share_surnames(found: Sequence[Referent]) -> None:
    """ "Ed and Sue Pike": both are Pikes."""
    for one, other in pairwise(found):
        joined = one.form == other.form == "name" and one.doc[one.last + 1 : other.first].text in ("and", "&")
        if joined and len(one.key) == 1 and len(other.key) > 1 and one.words in first_names():
            one.spelt = f"{one.words} {other.doc[other.last].text}"


def _tell_possessors(found: Sequence[Referent]) -> None:
    """ "Mary's uncle", "her uncle", "the uncle of Mary"."""
    by_last = {referent.last: referent for referent in found}
    by_first = {referent.np_first: referent for referent in found} | {r.first: r for r in found}
    for referent in found:
        if referent.form == "pronoun":
            continue
        doc = referent.doc
        for at in range(referent.first - 1, max(referent.np_first - 2, -1), -1):
            owner = by_last.get(at)
            if owner is None:
                continue
            genitive = at + 1 < len(doc) and doc[at + 1].tag_ == "POS"
            if owner.words.lower() in POSSESSIVE or genitive:
                referent.possessor = owner
                referent.np_first = min(referent.np_first, owner.np_first)
                break
        if referent.possessor is None:
            referent.possessor = _whose(referent, found)
        after = referent.last + 1
        if (
            referent.possessor is None
            and referent.form == "role"
            and after < len(doc)
            and doc[after].lower_ == "of"
        ):
            owner = by_first.get(after + 1)
            if owner is not None and (referent.key[0] in kin() or owner.form != "role"):
                referent.possessor = owner


def _whose(referent: Referent, found: Sequence[Referent]) -> Referent | None:
    """ "Hugo Blanc, whose daughter was kidnapped": the nearest in front."""
    pronoun = next((child for child in referent.head.children if child.lower_ == "whose"), None)
    if pronoun is None:
        return None
    return next((r for r in reversed(found) if r.last < pronoun.i and not r.plural), None)


def _tell_identities(found: Sequence[Referent]) -> None:
    """Two phrases for one person: "my brother Paul", "her uncle, Jim,", "Carl is the father"."""
    for before, after in pairwise(found):
        if before.sentence != after.sentence or "pronoun" in (before.form, after.form):
            continue
        if _apposed(before, after):
            after.same_as = before
    by_token = {at: r for r in found for at in range(r.first, r.last + 1)}
    last_of: dict[int, Referent] = {}
    for referent in found:
        # an apposition whose possessor stands in between: "Alan, Ruth's lawyer,"
        if referent.form == "role" and referent.possessor is not None and referent.same_as is None:
            start = referent.np_first
            earlier = last_of.get(start - 2) if start >= 2 and referent.doc[start - 1].text == "," else None
            if earlier is not None and earlier is not referent.possessor and _comma_after(referent):
                referent.same_as = earlier
        last_of[referent.last] = referent
        referent.same_as = referent.same_as or _appointed(referent, found)
        subject = predicate_subject(referent.head)
        other = None if subject is None else by_token.get(subject.i)
        if other is not None and other is not referent and not (other.plural or referent.plural):
            if not _coordinated(other):
                referent.same_as = referent.same_as or other
            else:
                referent.plural = True


def _appointed(referent: Referent, found: Sequence[Referent]) -> Referent | None:
    """ "She appointed Inez as her deputy", "Inez was appointed as her deputy": the deputy is Inez."""
    start = referent.np_first
    if referent.form != "role" or start < 1 or referent.doc[start - 1].lower_ != "as":
        return None
    verb = referent.head.head
    return next(
        (r for r in found if r.head.dep_ in ("obj", "nsubj:pass") and r.head.head == verb and not r.plural),
        None,
    )


def _coordinated(referent: Referent) -> bool:
    return any(child.dep_ == "conj" for child in referent.head.children)


def _comma_after(referent: Referent) -> bool:
    after = referent.last + 1
    rest = referent.doc[after : referent.head.sent.end]
    return any(token.text == "," for token in rest) or all(token.is_punct for token in rest)


_FURTHER = frozenset("of for in at on from and the a an".split())


def _tells_more(before: Referent, gap: Any) -> bool:
    """Whether what stands up to a comma only says which one a role is: "of sales and marketing,"."""
    inside = gap[:-1]
    return bool(
        gap[-1].text == ","
        and inside[0].lower_ in _FURTHER - {"and", "the", "a", "an"}
        and len(inside) <= _LONGEST
        and all(t.lower_ in _FURTHER or t.pos_ in ("NOUN", "PROPN", "ADJ", "NUM") for t in inside)
    )


_LONGEST = 8  # words that say which one


def _apposed(before: Referent, after: Referent) -> bool:
    doc = before.doc
    gap = doc[before.last + 1 : after.np_first]
    if after.plural or before.plural:
        return False
    if len(gap) == 0 and before.last < after.first:
        return before.form == "role" and after.form == "name"
    if before.form == "role" and len(gap) > 1 and _tells_more(before, gap):
        gap = gap[-1:]  # "our head of sales, Mr. Castellano,"
    if gap.text != ",":
        return False
    if before.form == "role" and after.form == "name":
        return closes(doc, after.last + 1, set())
    if after.form == "role" and before.form == "name" and after.possessor is None:
        start = doc[after.np_first]
        return start.lower_ in ("a", "an", "the") and _comma_after(after)
    return bool(
        after.head.dep_ == "appos" and after.head.head.i in range(before.first, before.last + 1)
    ) and closes(doc, after.last + 1, set())
