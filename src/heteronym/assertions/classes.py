"""Classes: zero, atomic, compound, pseudo-compound; which coordinations only abbreviate.

Reference   Al-Fedaghi (paper 004), section 3; collective and distributive readings
Guarantee   an assertion with fewer than two individuals is never compound
Cost        linear in the tokens of the assertion
Randomness  none
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from heteronym.assertions.clauses import Clause
from heteronym.assertions.referent import Referent
from heteronym.knowledge.lexicons import forms, section, singular
from heteronym.model.assertion import AssertionClass

_BECOME = frozenset("get gets got getting gotten become becomes became becoming".split())
_SUBJECTS = ("nsubj", "nsubj:pass")


def persons_in(referents: Sequence[Referent]) -> tuple[int, ...]:
    """The individuals of an assertion in order of occurrence."""
    return tuple(dict.fromkeys(person for referent in referents for person in referent.persons))


def class_of(
    clause: Clause, referents: Sequence[Referent], lists: Sequence[Sequence[Referent]]
) -> tuple[AssertionClass, list[Sequence[Referent]]]:
    """The class, and the coordinations to be taken apart."""
    persons = persons_in(referents)
    if len(persons) < 2:
        return ("atomic" if persons else "zero"), []
    joined = [members for members in lists if len(persons_in(members)) > 1]
    joined += [[r] for r in referents if len(r.persons) > 1]  # "they" for two persons
    apart = [members for members in joined if not is_collective(clause, members)]
    return ("pseudo-compound" if apart else "compound"), apart


@cache
def _phrases() -> re.Pattern[str]:
    words = sorted(section("collective", "phrases"), key=len, reverse=True)
    return re.compile(r"\b(?:" + "|".join(map(re.escape, words)) + r")\b", re.I)


@cache
def _verbs(key: str) -> frozenset[str]:
    return frozenset(form for verb in section("collective", key) for form in forms(verb))


def is_collective(clause: Clause, members: Sequence[Referent]) -> bool:
    """Whether it is said of the members together, and of none alone."""
    first = members[0]
    text = clause.words
    if len(members) == 1 and first.words.lower() in ("their", "our", "theirs"):
        return not any(r in text.lower() for r in (" both ", "each of"))
    if re.search(r"\bboth\b", text, re.I):
        return False
    if _phrases().search(text):
        return True
    before = first.doc[first.np_first - 1].lower_ if first.np_first > clause.first else ""
    if before in ("between", "among"):
        return True
    if any(_is_owner(member) for member in members):
        return True
    word = _argument(members)
    predicate = word.head if word.dep_ != "ROOT" else _main_verb(clause, members)
    if predicate is None:
        return False
    if word.dep_ in ("obj", "iobj"):
        return predicate.lower_ in _verbs("objects")
    if word.dep_.startswith("obl"):
        return False
    return _is_mutual(predicate)


def _argument(members: Sequence[Referent]) -> Any:
    """The member that says which part the list plays."""
    for member in members:
        if member.head.dep_ in (*_SUBJECTS, "obj", "iobj") or member.head.dep_.startswith("obl"):
            return member.head
    return members[0].head


def _main_verb(clause: Clause, members: Sequence[Referent]) -> Any:
    rest = clause.doc[members[-1].last + 1 : clause.last]
    return next((token for token in rest if token.pos_ == "VERB"), None)


def _is_owner(referent: Referent) -> bool:
    after = referent.last + 1
    return referent.form != "pronoun" and after < len(referent.doc) and referent.doc[after].tag_ == "POS"


def _is_mutual(predicate: Any) -> bool:
    """ "argued", "are married", "are friends", "have a son"."""
    lemma = singular(predicate.lower_) if predicate.pos_ == "NOUN" else predicate.lemma_.lower()
    children = {child.dep_: child for child in predicate.children}
    if "cop" in children or predicate.pos_ in ("ADJ", "NOUN"):
        plural = predicate.tag_ in ("NNS", "NNPS") or lemma in ("couple", "pair", "team", "family", "duo")
        return lemma in section("collective", "adjectives") or (
            lemma in section("collective", "nouns") and (plural or predicate.lower_ == lemma)
        )
    become = children.get("xcomp") if predicate.lower_ in _BECOME else None  # "are getting married"
    if (become or predicate).lower_ in section("collective", "adjectives"):
        return True
    if predicate.lower_ in _verbs("always"):
        return True
    thing = children.get("obj")
    if thing is None:
        return predicate.lower_ in _verbs("verbs") and "nsubj:pass" not in children
    if predicate.lower_ in ("have", "has", "had", "having"):
        return singular(thing.lower_) in section("collective", "having")
    return False
