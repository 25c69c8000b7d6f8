"""What a term may be published as: a ladder of labels from the thing itself up to the last that tells more
than its type, each with how much of the term's information it keeps.

Built on `bases.ancestors`, and stricter: a label must be true of the term wherever it stands, and every
rung must hold all that lies on the rungs below. Information is counted by leaves: a concept with n of N
leaves keeps log(N / n) / log(N / own) of a term that has `own` of them.

Cost        one look-up per distinct term
Randomness  none
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache, lru_cache
from math import log
from typing import NamedTuple

from heteronym.knowledge import bases
from heteronym.knowledge.bases import Ancestor
from heteronym.knowledge.dates import ALL_DAYS, days_stated, nested_periods
from heteronym.knowledge.frequencies import singulars
from heteronym.knowledge.nouns import looks_plural, plural
from heteronym.knowledge.taxonomy import normalized
from heteronym.knowledge.wordlists import lines, words

_AGE = re.compile(r"(?<![\d.,])(\d{1,3})(?![\d]|[.,]\d|s\b|['’]s)")
_OTHER_SPAN = re.compile(r"\b(?:months?|mos?|weeks?|wks?|days?|hours?)\b|m/o", re.IGNORECASE)
_AGE_WIDTHS = (5, 10, 20)
_ALL_AGES = 100
# A head noun says what a job is if most of the jobs that end in it lie below one group.
_LEAST_JOBS = 5
_MOST_OF = 2 / 3
# bases whose terms are names of a concept, so that all of them may read as the usual one
_OF_SYNONYMS = frozenset({"occupations", "diseases"})
_NAMES_ONLY = frozenset({"GPE", "LOC", "PERSON", "ORG", "INSTITUTION", "DATE", "AGE"})


class Rung(NamedTuple):
    """A label, and how many most special things it may mean."""

    label: str
    size: int


class Ladder(NamedTuple):
    """Labels of a term, the most telling first; the term means `own` of the `whole` things of its type."""

    own: int
    whole: int
    rungs: tuple[Rung, ...]

    def information(self, size: int) -> float:
        """The share of the term's information that is left if it may be any of `size` things."""
        if self.whole <= self.own:
            return 0.0
        return max(0.0, min(1.0, log(self.whole / max(size, 1)) / log(self.whole / self.own)))


NONE = Ladder(1, 1, ())


def has_ladders(type: str) -> bool:
    """Whether anything is known about terms of a type."""
    return type in _BUILDERS or bool(bases.asked_for(type))


@lru_cache(maxsize=1 << 18)  # offered once, measured once more
def ladder(term: str, type: str, sense: str = "") -> Ladder:
    """The ladder of a term of an entity type; without rungs if nothing is known of it."""
    build = _BUILDERS.get(type)
    found = build(term, sense) if build is not None else _in_bases(term, type)
    known = normalized(term)
    # what reads alike may mean as much as the widest of them
    size_of = {rung.label: rung.size for rung in found.rungs}
    rungs: list[Rung] = []
    for rung in (Rung(label, size) for label, size in size_of.items()):
        below = rungs[-1].size if rungs else found.own - 1
        is_new = _tells(rung.label, known) and rung.size > found.own
        if below < rung.size < found.whole and not is_new:
            rungs.append(rung)
    return found._replace(rungs=tuple(rungs))


def _tells(label: str, term: str) -> bool:
    """Whether a label still holds the term that it hides: "city in Zurich" for Zürich."""
    return f" {_plain(term)} " in f" {_plain(label)} "


def _plain(text: str) -> str:
    return bases.without_accents(normalized(text))


# --- places ---------------------------------------------------------------------------------------


def _place(term: str, sense: str) -> Ladder:
    places = bases.base("places")
    name = normalized(term)
    name = name if name in places else name.removeprefix("the ")
    nodes = [node for node in places.senses(name) if not sense or bases.kind_of_place(places, node) == sense]
    if not nodes:
        return _in_bases(term, "GPE") if not sense else NONE
    node = nodes[0]
    whole = places.leaves[places.chain(node)[-1]]
    own = max(1, places.leaves[node])
    above = bases.chain_of(places.names[node], "GPE") if nodes[0] == places.senses(name)[0] else ()
    above = above if above and above[0].base == "places" else bases.place_chain(places, node)
    return Ladder(own, whole, (Rung(places.names[node], own), *(Rung(a.form, a.leaves) for a in above)))


# --- dates and ages -------------------------------------------------------------------------------


def _date(term: str, sense: str) -> Ladder:
    periods = nested_periods(term)
    if not periods:
        return NONE
    return Ladder(days_stated(term), ALL_DAYS, tuple(Rung(p.name, p.days) for p in periods))


def _age(term: str, sense: str) -> Ladder:
    numbers = list(_AGE.finditer(term))
    if len(numbers) != 1 or _OTHER_SPAN.search(term):
        return NONE
    [found] = numbers
    age = int(found[1])
    rungs = []
    for width in _AGE_WIDTHS:
        low = age // width * width
        label = f"{low}-{low + width - 1}"
        rungs.append(Rung(term[: found.start()] + label + term[found.end() :], width))
    return Ladder(1, _ALL_AGES, tuple(rungs))


# --- persons, organizations, jobs, everything else ------------------------------------------------


@cache
def _roles() -> dict[str, str]:
    rows = (line.split("\t") for line in lines("title_roles.tsv"))
    return {title: role for titles, role in rows for title in titles.split()}


def _person(term: str, sense: str) -> Ladder:
    """The role that a title tells; a name alone is a person, which its type says."""
    first, _, rest = normalized(term).partition(" ")
    role = _roles().get(first.rstrip("."))
    if role is None or not rest:
        return NONE
    return _of_concepts(bases.named(role), "PERSON", own=1)


def _organization(term: str, sense: str) -> Ladder:
    """Its kind. WordNet has two universities, the world thousands: a kind is as large as its share of all."""
    found = _in_bases(term, "ORG")
    share = max(2, found.whole // max(1, bases.kinds_of_organizations()))
    return found._replace(own=1, rungs=tuple(Rung(r.label, max(r.size, share)) for r in found.rungs))


def _job(term: str, sense: str) -> Ladder:
    name = normalized(term)
    occupations = bases.base("occupations")
    forms = (name, *singulars(name)) if looks_plural(name) else (name,)
    own = [form for form in forms if _is_name(form)]
    by_head = () if own else _group_of_head(name)  # "teacher" is but another word for some of them
    if by_head:
        return _numbered(_of_concepts(by_head, "JOB", own=1), name)
    # "miners" is another word for some operators, a miner an occupation of its own
    found = _numbered(_in_bases(own[0], "JOB"), name) if own else _in_bases(name, "JOB")
    name = name.replace("-", " ")
    if not found.rungs:
        found = _in_bases(name, "JOB")
    while not found.rungs and " " in name:
        name = name.partition(" ")[2]  # "site civil engineer" is a civil engineer
        # only among occupations: the last word alone may mean other things, an officer a soldier
        if by_head := _group_of_head(name):
            found = _numbered(_of_concepts(by_head, "JOB", own=1), name)
        elif occupations.senses(name):
            found = _in_bases(name, "JOB")._replace(own=1)
    return found


def _is_name(term: str) -> bool:
    """Whether it is what an occupation is called, and not but another word for it."""
    occupations = bases.base("occupations")
    return any(normalized(occupations.names[node]) == term for node in occupations.senses(term))


def _group_of_head(name: str) -> tuple[Ancestor, ...]:
    """What most jobs are whose name ends in this word."""
    if " " in name:
        return ()
    occupations = bases.base("occupations")
    for word in (*(singulars(name) if looks_plural(name) else ()), name):
        nodes = _jobs_by_head().get(word, ())
        if len(nodes) < _LEAST_JOBS:
            continue
        above = Counter(group for node in nodes for group in occupations.chain(node)[1:])
        common = [group for group, times in above.items() if times >= _MOST_OF * len(nodes)]
        deepest = max(common, key=lambda group: len(occupations.chain(group)), default=None)
        if deepest is not None and occupations.parents(deepest):
            own = bases.record(occupations, deepest, 1)
            return (own, *bases.above(occupations, deepest, level=1))
    return ()


@cache
def _jobs_by_head() -> dict[str, list[int]]:
    occupations = bases.base("occupations")
    found: dict[str, list[int]] = {}
    for term in occupations.terms():
        first, _, last = term.rpartition(" ")
        if first:
            found.setdefault(last, []).append(occupations.senses(term)[0])
    return found


def _in_bases(term: str, type: str) -> Ladder:
    above = bases.chain_of(term, type)
    if not above:
        return NONE
    senses = bases.senses_of(term, type)
    own = 1
    itself: tuple[Rung, ...] = ()
    if senses and senses[0].base == above[0].base:
        taxonomy = bases.base(senses[0].base)
        own = max(1, taxonomy.leaves[senses[0].node])
        if senses[0].base in _OF_SYNONYMS and len(senses) == 1:
            itself = (Rung(taxonomy.form(senses[0].node), own),)
    found = _of_concepts(above, type, own=own)
    found = found._replace(rungs=(*itself, *found.rungs))
    return _numbered(found, term if type not in _NAMES_ONLY else "")


def _of_concepts(above: Iterable[Ancestor], type: str, *, own: int) -> Ladder:
    """Ancestors up to what everything of the type is; of WordNet's, none that says nothing."""
    chain = list(above)
    if not chain:
        return NONE
    top = chain[-1].leaves
    if chain[-1].base == "wordnet":
        limit = bases.anchor_of(type)
        wordnet = bases.base("wordnet")
        passed: set[int] = set() if limit is None else set(wordnet.chain(limit))
        top = top if limit is None else max(wordnet.leaves[limit], chain[0].leaves)
        general = words("too_general")
        chain = [a for a in chain if a.node not in passed and a.name not in general]
    # a chain of groups may repeat a name: only growing ones say something new
    return Ladder(min(own, top), top, tuple(Rung(a.form, max(a.leaves, own + 1)) for a in chain))


def _numbered(found: Ladder, term: str) -> Ladder:
    """Labels of "engineers" are plural: then a label tells no more than which term it may stand for."""
    if not term or not looks_plural(term.rpartition(" ")[2].lower()):
        return found
    return found._replace(rungs=tuple(Rung(plural(rung.label), rung.size) for rung in found.rungs))


_BUILDERS = {
    "GPE": _place,
    "LOC": _place,
    "DATE": _date,
    "AGE": _age,
    "PERSON": _person,
    "ORG": _organization,
    "INSTITUTION": _organization,
    "JOB": _job,
}
