"""Reduction: an assertion as atomic assertions in canonical form, (identity, zero-privacy version).

A pseudo-compound is first taken apart ("Jack loves John", "Jill loves John"); what remains compound
becomes one atom per proprietor, the others being "someone". A relative who is only named on the way
("John saw Mary's uncle, Jim") leaves the relation alone: Mary has an uncle, Jim is an uncle of someone.

Reference   Al-Fedaghi (paper 004), sections 3 and 6
Guarantee   no atom holds a name of a referent of its assertion
Cost        O(tokens x proprietors) per assertion
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from heteronym.assertions.clauses import Clause
from heteronym.assertions.referent import POSSESSIVE, PRONOUNS, Referent
from heteronym.assertions.referents import place_of
from heteronym.assertions.wording import Draft, agree, with_article
from heteronym.model.assertion import Atom

_SUBJECTS = ("nsubj", "nsubj:pass")
_MOST_PARTS = 16  # a list of more members, or several lists, is left together
_MOST_PERSONS = 40  # of more an assertion is a list, and tells no more of each than that
_HOLDERS = frozenset("hers his mine yours theirs ours".split())


def reduce_assertion(
    clause: Clause, inside: Sequence[Referent], kind: str, apart: Sequence[Sequence[Referent]]
) -> tuple[tuple[Atom, ...], ...]:
    """One tuple of atoms; of a pseudo-compound one per assertion that it abbreviates."""
    if kind == "zero":
        return ()
    if kind != "pseudo-compound":
        return (_atoms(Part(clause, inside)),)
    choices = [_choices(members) for members in apart]
    size = 1
    for some in choices:
        size *= len(some)
    if size > _MOST_PARTS:
        return (_atoms(Part(clause, inside)),)
    return tuple(_atoms(_part(clause, inside, apart, chosen)) for chosen in product(*choices))


class Part:
    """One assertion of a clause: the referents that stay, and what the tokens have become."""

    def __init__(self, clause: Clause, referents: Sequence[Referent]) -> None:
        self.clause = clause
        self.referents = list(referents)
        self.gone: set[int] = set()
        self.single: list[Referent] = []  # subjects that are one person now
        self.chosen: dict[Referent, int] = {}  # which of several persons a referent stands for

    def persons(self, referent: Referent) -> tuple[int, ...]:
        return (self.chosen[referent],) if referent in self.chosen else referent.persons


def _choices(members: Sequence[Referent]) -> list[tuple[Referent, int]]:
    if len(members) == 1:
        return [(members[0], person) for person in members[0].persons]
    return [(member, member.persons[0]) for member in members if member.persons]


def _part(
    clause: Clause,
    inside: Sequence[Referent],
    apart: Sequence[Sequence[Referent]],
    chosen: Sequence[tuple[Referent, int]],
) -> Part:
    part = Part(clause, inside)
    for members, (kept, person) in zip(apart, chosen):
        part.chosen[kept] = person
        if len(members) > 1:
            spans = [(phrase_start(m), m.last) for m in members]
            stays = range(phrase_start(kept), kept.last + 1)
            part.gone |= set(range(spans[0][0], spans[-1][1] + 1)) - set(stays)
            after = spans[-1][1] + 1
            if after < clause.last and clause.doc[after].text == "," and members[-1].same_as is not None:
                part.gone.add(after)  # it closed an apposition
        if kept.head.dep_ in _SUBJECTS or members[0].head.dep_ in (*_SUBJECTS, "ROOT"):
            part.single.append(kept if kept.head.dep_ in _SUBJECTS else members[0])
        for other in inside:  # what they own is owned by the one who is left
            same = set(other.persons) == {p for m in members for p in m.persons}
            if other.form == "pronoun" and len(other.persons) > 1 and same:
                part.chosen[other] = person
    part.gone |= {t.i for t in clause.doc[clause.first : clause.last] if t.lower_ == "both"}
    part.referents = [r for r in inside if not set(range(r.first, r.last + 1)) <= part.gone]
    return part


def phrase_start(referent: Referent) -> int:
    """Where the phrase begins that a list joins: "my brother Paul" begins with "my"."""
    other = referent.same_as
    if other is not None and other.doc is referent.doc and 0 <= referent.np_first - other.last <= 1:
        return min(other.np_first, referent.np_first)
    return referent.np_first


def _atoms(part: Part) -> tuple[Atom, ...]:
    persons = tuple(dict.fromkeys(p for r in part.referents for p in part.persons(r)))
    if not persons:
        return ()
    if len(persons) > _MOST_PERSONS:
        return tuple(Atom(person, "Proprietor is named in a list of persons") for person in persons)
    first: list[tuple[int, Atom]] = []
    for person in persons:
        relations = _relations(part, person)
        if relations and _only_related(part, person):
            first += relations
            continue
        own = [r.np_first for r in part.referents if person in part.persons(r)]
        first.append((own[0], _atom(part, person)))
        first += [pair for pair in relations if pair[1].zero.startswith("Proprietor is")]
    return tuple(atom for _, atom in sorted(first, key=lambda pair: pair[0]))


def _is_on_the_way(referent: Referent) -> bool:
    """Somebody's relative, mentioned neither as subject nor as what the subject is."""
    if referent.form != "role" or referent.possessor is None or referent.plural:
        return False
    head = referent.head
    predicate = any(child.dep_ == "cop" for child in head.children)
    return (
        place_of(head).dep_ not in (*_SUBJECTS, "ROOT", "appos")
        and not predicate
        and referent.same_as is None
    )


def _relations(part: Part, person: int) -> list[tuple[int, Atom]]:
    """ "Proprietor has an uncle", "Proprietor is an uncle of someone", with where they stand."""
    found = []
    for referent in part.referents:
        owner = referent.possessor
        if owner is None or owner not in part.referents or referent.form != "role" or referent.plural:
            continue
        noun = with_article(referent.key[0])
        owners, owned = part.persons(owner), part.persons(referent)
        if person in owners and person not in owned:
            found.append((owner.first, Atom(person, f"Proprietor has {noun}")))
        elif person in owned and owners and _is_spoken_of(referent):
            found.append((referent.first, Atom(person, f"Proprietor is {noun} of someone", owners[:1])))
    return found


def _is_spoken_of(referent: Referent) -> bool:
    # In "Jim is Mary's uncle" the relation is what the assertion says already.
    predicate = any(child.dep_ == "cop" for child in referent.head.children)
    return not predicate and (referent.same_as is None or referent.same_as.form == "role")


def _only_related(part: Part, person: int) -> bool:
    """Whether the assertion says nothing of the person but a relation on the way."""
    for referent in part.referents:
        if person not in part.persons(referent):
            continue
        owned = [r for r in part.referents if r.possessor is referent]
        as_owner = owned and all(_is_on_the_way(r) for r in owned)
        named = referent.same_as is not None and _is_on_the_way(referent.same_as)
        if not (as_owner or named or _is_on_the_way(referent)):
            return False
    return True


def _atom(part: Part, person: int) -> Atom:
    draft = Draft(part.clause, gone=set(part.gone))
    someone: list[tuple[int, int]] = []
    for referent in part.referents:
        persons = part.persons(referent)
        own = person in persons
        if _is_name_behind_role(part, referent):
            _drop_name(draft, referent)
        elif referent.form == "role":
            _put_role(draft, referent, own)
        elif persons:
            others = [p for p in persons if p != person]
            _put(draft, referent, own, len(others))
            someone += [(_put_at(referent), p) for p in others]
        if len(persons) == 1 and _needs_agreement(referent):
            agree(draft, referent.head)
    for subject in part.single:
        agree(draft, subject.head)
    kept = [p for at, p in sorted(someone) if "someone" in draft.words.get(at, "")]
    return Atom(person, draft.text(), tuple(kept))


def _is_name_behind_role(part: Part, referent: Referent) -> bool:
    """ "her uncle, Jim" and "her uncle Jim": the role says it."""
    role = referent.same_as
    return referent.form == "name" and role is not None and role.form == "role" and role in part.referents


def _drop_name(draft: Draft, referent: Referent) -> None:
    doc, first, last = referent.doc, referent.first, referent.last
    assert referent.same_as is not None
    if last + 1 < draft.clause.last and doc[last + 1].tag_ == "POS":
        # "her brother Paul's house": the 's belongs to the brother
        draft.drop(referent.same_as.last + 1, last)
        return
    draft.drop(referent.same_as.last + 1, last)
    if last + 1 < draft.clause.last and doc[last + 1].text == "," and doc[first - 1].text == ",":
        draft.drop(last + 1, last + 1)


def _put_role(draft: Draft, referent: Referent, own: bool) -> None:
    if referent.plural:
        return
    apposed = referent.same_as is not None
    if own and not apposed:
        draft.put(referent.np_first, referent.last, "Proprietor")
        return
    determiner = referent.doc[referent.np_first]
    if referent.possessor is not None and referent.possessor.first < referent.first:
        return  # "someone's uncle": the possessor is put elsewhere
    if determiner.lower_ in ("the", "this", "that") and determiner.i < referent.first:
        following = draft.words.get(determiner.i + 1, referent.doc[determiner.i + 1].text)
        draft.words[determiner.i] = with_article(following).split()[0]
    elif determiner.i == referent.first:
        draft.words[referent.first] = with_article(referent.doc[referent.first].text.lower())


def _put(draft: Draft, referent: Referent, own: bool, others: int) -> None:
    people = (["Proprietor"] if own else []) + ["someone"] * others
    text = " and ".join(people)
    word = referent.head.lower_
    if referent.form == "pronoun" and (
        (word in POSSESSIVE and (word != "her" or referent.head.dep_ == "nmod:poss")) or word in _HOLDERS
    ):
        text += "'s"
    draft.put(_put_at(referent), referent.last, text)


def _put_at(referent: Referent) -> int:
    """The first token that is replaced; a role in front goes with the name: "Farmer John"."""
    before = [token.tag_ for token in referent.doc[referent.np_first : referent.first]]
    titled = referent.form == "name" and before and set(before) <= {"NNP", "NN"}
    return referent.np_first if titled else referent.first


def _needs_agreement(referent: Referent) -> bool:
    if referent.form != "pronoun" or referent.head.dep_ not in _SUBJECTS:
        return False
    return PRONOUNS[referent.head.lower_] in ("author", "recipient", "they", "we")
