"""Coreference: which referents are one and the same person.

Names by their parts, roles by noun and possessor, pronouns by the nearest compatible person, subjects
first. Made for everyday prose of a few persons; every choice is a rule on the parse, none is learned.

Reference   the ranking of antecedents follows Lappin and Leass 1994 (recency, subject, agreement) in spirit
Cost        O(referents x persons within a few sentences)
Randomness  none
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, takewhile
from typing import Any

from heteronym.assertions.quotations import Speech
from heteronym.assertions.referent import POSSESSIVE, PRONOUNS, REFLEXIVE, Referent
from heteronym.assertions.roles import gives
from heteronym.knowledge.lexicons import sex_of_name, sex_of_role, singular
from heteronym.model.assertion import Individual

_WINDOW = 6  # sentences that a pronoun looks back
_RECENT = 60  # referents that it looks back
_NEAR = 3  # sentences that "they" looks back
_OWN_ROLES = frozenset("patient pt client applicant".split())  # what a named person may be called next
_SUBJECT, _PARALLEL, _SEX, _NAME, _PER_SENTENCE = 4, 2, 2, 1, 5
_AIMED = frozenset("to of about against by".split())
_VERBS_OF_TELLING = frozenset("ask tell advise warn inform order remind assure instruct question".split())
_DOCTORS = frozenset("dr dr. doctor prof prof. professor nurse".split())


@dataclass(eq=False)
class _Person:
    number: int
    sex: str = ""
    speaker: str = ""  # "author" or "recipient"
    names: list[tuple[str, ...]] = field(default_factory=list)
    roles: set[tuple[str, int]] = field(default_factory=set)
    seen: list[Referent] = field(default_factory=list)
    merged: _Person | None = None

    def root(self) -> _Person:
        person = self
        while person.merged is not None:
            person = person.merged
        return person


class Cast:
    """The persons of one document as they enter."""

    def __init__(
        self, author: str | None, recipient: str | None, spoken: Mapping[Referent, Speech] | None = None
    ) -> None:
        self._spoken = spoken or {}
        self._persons: list[_Person] = []
        self._list: tuple[int, tuple[_Person, ...]] | None = None  # (sentence, coordinated persons), the last
        self._list_with_author: tuple[_Person, ...] = ()  # the last
        self._group: int | None = None  # the last sentence with a plural referent
        self._given = {"author": author, "recipient": recipient}
        self._of: dict[Referent, tuple[_Person, ...]] = {}
        # What is looked for again and again, by what it is looked for; persons may have been merged since.
        self._by_word: dict[str, list[_Person]] = {}
        self._by_role: dict[tuple[str, int], _Person] = {}
        self._by_noun: dict[str, _Person] = {}
        self._speakers: dict[str, _Person] = {}
        self._recent: deque[_Person] = deque(maxlen=_RECENT)
        self._named_persons: set[_Person] = set()

    def enter(self, sentence: Sequence[Referent], lists: Sequence[Sequence[Referent]]) -> None:
        """Resolve the referents of one sentence, in order; `lists` are those that "and" joins."""
        last_of = {members[-1]: members for members in lists}
        for referent in sentence:
            persons = self._resolve(referent, sentence)
            self._of[referent] = persons
            for person in persons:
                person.seen.append(referent)
                self._recent.append(person)
            if referent.plural and not persons:
                self._group = referent.sentence
            members = last_of.get(referent)
            if members is not None:
                together = _distinct(p for member in members for p in self._of.get(member, ()))
                if len(together) > 1:
                    self._list = (referent.sentence, together)
                    if any(person.speaker == "author" for person in together):
                        self._list_with_author = together

    def individuals(self) -> list[Individual]:
        """The persons in order of entry; referents learn whom they refer to."""
        numbers: dict[_Person, int] = {}
        for referent, persons in self._of.items():
            for person in _distinct(persons):
                numbers.setdefault(person, len(numbers))
            referent.persons = tuple(numbers[person] for person in _distinct(persons))
        return [_individual(person, number, self._given) for person, number in numbers.items()]

    def _new(self, sex: str = "") -> _Person:
        person = _Person(len(self._persons), sex)
        self._persons.append(person)
        return person

    def _about(self) -> tuple[_Person, ...]:
        """Who was spoken of lately, in order of entry."""
        return tuple(sorted(_distinct(self._recent), key=lambda person: person.number))

    def _name(self, person: _Person, key: tuple[str, ...]) -> None:
        if key not in person.names:
            person.names.append(key)
            self._named_persons.add(person)
            for word in {*key, *(word[0] for word in key)}:
                self._by_word.setdefault(word, []).append(person)

    def _bearers(self, key: tuple[str, ...]) -> tuple[_Person, ...]:
        """Persons with a name that may be the same; one word at least is shared."""
        found = [p for word in key if len(word) > 1 or len(key) == 1 for p in self._by_word.get(word, ())]
        return tuple(p for p in _distinct(found) if any(_same_name(key, name) for name in p.names))

    def _resolve(self, referent: Referent, sentence: Sequence[Referent]) -> tuple[_Person, ...]:
        if referent.form == "pronoun":
            return self._pronoun(referent, sentence)
        if referent.plural:
            return ()
        found = self._named(referent) if referent.form == "name" else self._role(referent)
        if referent.same_as is not None and self._of.get(referent.same_as):
            found = self._merge(self._of[referent.same_as][0].root(), found)
        return (found.root(),)

    def _merge(self, kept: _Person, gone: _Person) -> _Person:
        if kept is gone or (kept.sex and gone.sex and kept.sex != gone.sex) or (kept.names and gone.names):
            return gone
        gone.merged = kept
        kept.sex = kept.sex or gone.sex
        for name in gone.names:
            self._name(kept, name)
        kept.roles |= gone.roles
        kept.seen = sorted([*kept.seen, *gone.seen], key=_place)
        return kept

    def _named(self, referent: Referent) -> _Person:
        fitting = [
            person
            for person in self._bearers(referent.key)
            if not (person.sex and referent.sex and person.sex != referent.sex)
        ]
        if fitting:
            person = max(
                fitting, key=lambda p: (referent.key in p.names, _place(p.seen[-1]) if p.seen else ())
            )
        else:
            person = self._speaker_of_name(referent.key) or self._new(referent.sex)
            if referent.spelt:
                self._name(person, _key(referent.spelt))
        person.sex = person.sex or referent.sex
        self._name(person, referent.key)
        return person

    def _speaker_of_name(self, key: tuple[str, ...]) -> _Person | None:
        for speaker, name in self._given.items():
            if name and _same_name(key, _key(name)):
                return self._speaker(speaker)
        return None

    def _role(self, referent: Referent) -> _Person:
        noun = referent.key[0]
        owner = -1
        if referent.possessor is not None and self._of.get(referent.possessor):
            owner = self._of[referent.possessor][0].root().number
        known = self._known_role(referent, noun, owner) if referent.definite else None
        person = known.root() if known is not None else self._new(referent.sex)
        person.roles.add((noun, owner))
        self._by_role[noun, owner] = self._by_noun[noun] = person
        return person

    def _known_role(self, referent: Referent, noun: str, owner: int) -> _Person | None:
        if (noun, owner) in self._by_role:
            return self._by_role[noun, owner]
        if owner >= 0:
            return None
        if noun in self._by_noun:
            return self._by_noun[noun]
        if noun in _OWN_ROLES:
            named = (person for person in self._named_persons if person.merged is None)
            alone = list(islice((p for p in named if not p.speaker and not _is_doctor(p)), 2))
            if len(alone) == 1 and alone[0].seen[0].sentence < referent.sentence:
                return alone[0]
        return None

    def _speaker(self, which: str) -> _Person:
        known = self._speakers.get(which)
        if known is not None:
            return known.root()
        name = self._given.get(which)
        bearers = self._bearers(_key(name)) if name else ()
        person = bearers[0] if bearers else self._new(sex_of_name(name.split()[0]) if name else "")
        person.speaker = which
        self._speakers[which] = person
        if name:
            self._name(person, _key(name))
        return person

    def _pronoun(self, referent: Referent, sentence: Sequence[Referent]) -> tuple[_Person, ...]:
        kind = PRONOUNS[referent.head.lower_]
        if kind in ("author", "recipient"):
            return (self._quoted(referent, sentence, kind) or self._speaker(kind),)
        if kind == "we":
            return _distinct(self._list_with_author) or (self._speaker("author"),)
        if kind == "they":
            return self._they(referent)
        fitting = self._candidates(referent, sentence, _is_given(referent.head))
        fitting = fitting or self._candidates(referent, sentence, False)  # "Emma sold her house"
        if fitting:
            person = max(fitting, key=lambda pair: pair[0])[1]
            person.sex = person.sex or kind
            return (person,)
        later = self._later(referent, sentence)
        if later is not None:
            return (self._named(later),)
        return (self._new(kind),)

    def _quoted(self, referent: Referent, sentence: Sequence[Referent], kind: str) -> _Person | None:
        speech = self._spoken.get(referent)
        person = None if speech is None else speech.speaker if kind == "author" else speech.hearer
        if person is None:
            return None
        # "Bob said" may stand behind what he said: resolving him twice does no harm.
        known = self._of.get(person) or self._resolve(person, sentence)
        return known[0].root() if known else None

    def _they(self, referent: Referent) -> tuple[_Person, ...]:
        group = -1 if self._group is None or referent.sentence - self._group > _NEAR else self._group
        if self._list is not None and referent.sentence - self._list[0] <= _NEAR and self._list[0] >= group:
            return _distinct(self._list[1])
        if group >= 0:
            return ()
        # singular they: only for somebody whose sex is not told, and nobody else about
        unknown = [p for p in self._about() if not p.sex and not p.speaker and p.seen]
        if len(unknown) == 1 and referent.sentence - unknown[0].seen[-1].sentence <= 2:
            return (unknown[0],)
        return ()

    def _later(self, referent: Referent, sentence: Sequence[Referent]) -> Referent | None:
        """ "When she left, Mary cried": a pronoun of a clause in front."""
        for other in sentence:
            if other.first > referent.last and other.form == "name" and not other.plural:
                fits = not other.sex or other.sex == referent.sex
                return other if fits and _in_subclause(referent.head) else None
        return None

    def _candidates(
        self, referent: Referent, sentence: Sequence[Referent], given: bool
    ) -> list[tuple[float, _Person]]:
        barred = self._co_arguments(referent, sentence, given)
        found = []
        for person in self._about():
            if person.speaker and person.seen and person.seen[-1].form != "name":
                continue  # who says "I" is not "he"
            if person in barred or (person.sex and person.sex != referent.sex) or not person.seen:
                continue
            last = person.seen[-1]
            distance = referent.sentence - last.sentence
            if distance > _WINDOW:
                continue
            score = -_PER_SENTENCE * distance + _SEX * bool(person.sex) + _NAME * bool(person.names)
            here = takewhile(lambda r: r.sentence == last.sentence, reversed(person.seen))  # noqa: B023
            score += _SUBJECT * any(r.is_subject for r in here)
            score += _PARALLEL * (last.is_subject == referent.is_subject)
            if referent.is_subject and _is_addressee(referent.head, last):
                score += 2 * _SUBJECT
            found.append((score + last.first / 10_000, person))
        return found

    def _co_arguments(self, referent: Referent, sentence: Sequence[Referent], given: bool) -> set[_Person]:
        """Persons that the same verb already names: "John saw him" is about two."""
        word = referent.head.lower_
        if word in REFLEXIVE or (word in POSSESSIVE and referent.head.dep_ == "nmod:poss"):
            own = [r for r in sentence if r.possessor is referent and r.first < referent.first]
            if given:
                verb = referent.doc[referent.first - 1]
                own += [r for r in sentence if r.is_subject and r.head.head == verb]
            return {p.root() for r in own for p in self._of.get(r, ())}
        verb = _governor(referent.head) or _through_object(referent.head)
        barred: set[_Person] = set()
        for other in sentence:
            if other.first >= referent.first or other is referent or other not in self._of:
                continue
            top = other.head
            nested = top.dep_ == "nmod:poss" or other.head.lower_ in POSSESSIVE
            if not nested and _governor(top) is not None and _governor(top) == verb:
                barred |= {p.root() for p in self._of[other]}
        return barred


def _place(referent: Referent) -> tuple[int, int]:
    return referent.sentence, referent.first


def _distinct(persons: Any) -> tuple[_Person, ...]:
    return tuple(dict.fromkeys(person.root() for person in persons))


def _key(name: str) -> tuple[str, ...]:
    return tuple(word.lower().strip(".") for word in name.split())


def _same_name(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Equal, or the shorter is a part of the longer; initials stand for names."""
    short, long = sorted((one, other), key=len)
    if not short:
        return False
    rest = list(long)
    for word in short:
        match = next((w for w in rest if w == word or (1 in (len(w), len(word)) and w[0] == word[0])), None)
        if match is None:
            return False
        rest.remove(match)
    return any(len(word) > 1 and word in long for word in short) or one == other


def _is_doctor(person: _Person) -> bool:
    return any(r.doc[r.first].lower_ in _DOCTORS for r in person.seen) or any(
        role in ("doctor", "nurse", "surgeon", "physician") for role, _ in person.roles
    )


def _governor(token: Any) -> Any:
    """The verb or predicate that a phrase depends on, through prepositions and coordinations."""
    while token.dep_ == "conj" and token.head.pos_ in ("NOUN", "PROPN", "PRON"):
        token = token.head
    if token.dep_ == "ROOT":
        return None
    head = token.head
    return (
        head if head.pos_ in ("VERB", "AUX", "ADJ") or any(c.dep_ == "cop" for c in head.children) else None
    )


def _is_given(word: Any) -> bool:
    """ "prescribed her tablets": she gets them; in "gave her mother tablets" the mother does."""
    following = word.doc[word.i + 1 : word.i + 2]
    return bool(
        word.lower_ == "her"
        and word.i > word.sent.start
        and gives(word.nbor(-1))
        and following
        and sex_of_role(singular(following[0].lower_)) is None
        and not any(child.dep_.startswith("obl") for child in word.nbor(-1).children)
    )


def _through_object(pronoun: Any) -> Any:
    """ "explained the risks to her": the parser hangs her on the risks, and still she explained nothing."""
    thing = pronoun.head
    aimed = any(child.dep_ == "case" and child.lower_ in _AIMED for child in pronoun.children)
    return thing.head if aimed and pronoun.dep_ == "nmod" and thing.dep_ in ("obj", "nsubj:pass") else None


def _in_subclause(token: Any) -> bool:
    verb = _governor(token) or token.head
    steps = 0
    while verb.dep_ != "ROOT" and steps < 20:
        if verb.dep_.startswith(("advcl", "acl", "csubj", "ccomp")):
            return True
        verb, steps = verb.head, steps + 1
    return token.lower_ in POSSESSIVE


def _is_addressee(pronoun: Any, antecedent: Referent) -> bool:
    """ "The judge asked Tom whether he ...": the one who was asked."""
    verb = _governor(pronoun)
    if verb is None or antecedent.head.sent.start != pronoun.sent.start:
        return False
    asking = _governor(antecedent.head)
    return (
        asking is not None
        and asking.lemma_ in _VERBS_OF_TELLING
        and antecedent.head.dep_ in ("obj", "iobj")
        and asking.i < antecedent.head.i < verb.i
    )


def _individual(person: _Person, number: int, given: dict[str, str | None]) -> Individual:
    names = [r for r in person.seen if r.form == "name"]
    given_name = given.get(person.speaker) if person.speaker else None
    if given_name:
        label = given_name
    elif names:
        label = _spelling(max(names, key=lambda r: (len(r.key), -r.first)))
    elif person.speaker:
        label = "I" if person.speaker == "author" else "you"
    else:
        shown = next((r for r in person.seen if r.form == "role"), person.seen[0])
        label = shown.doc[shown.np_first : shown.last + 1].text
        first = shown.doc[shown.np_first]
        if first.pos_ in ("DET", "PRON"):
            label = label[0].lower() + label[1:]
    heads = dict.fromkeys(
        r.key[0] if r.form == "role" else r.head.lower_ for r in person.seen if r.form != "name"
    )
    if given_name:
        heads.setdefault(given_name)
    spelt = dict.fromkeys([*([given_name] if given_name else []), *map(_spelling, names)])
    return Individual(number, label, tuple(spelt), tuple(heads), person.sex)


def _spelling(referent: Referent) -> str:
    return referent.spelt or referent.words
