"""Rewriting by assertions: persons become variables, relations and contents are told in general.

Reference   Al-Fedaghi (paper 004), sections 2 and 6
Guarantee   by proprietor and both: no name that was found of a chosen person stands in the text; by content
            and relation: no sentence of the chosen level that names persons stands as it was
Cost        linear in the text, beside the parse
Randomness  none; pseudonyms follow from the seed and the order of persons
"""

from __future__ import annotations

import random
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from heteronym.assertions.anonymity import anonymity_of
from heteronym.assertions.ledger import ledger_of, slots_of
from heteronym.assertions.read_document import read
from heteronym.assertions.roster import Roster, longest_key
from heteronym.assertions.suggestions import suppressed
from heteronym.assertions.wording import capitalized
from heteronym.errors import UsageError
from heteronym.io.assertions import ledger_files
from heteronym.knowledge.categories import certain_words
from heteronym.knowledge.lexicons import lexicon
from heteronym.knowledge.wordlists import first_names, words
from heteronym.model.assertion import Analysis, Assertion, Individual, Ledger
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit
from heteronym.model.mention import Span
from heteronym.model.release import Check
from heteronym.registry import document_methods
from heteronym.run import current
from heteronym.text.entity_types import is_direct

By = Literal["proprietor", "relation", "content", "both"]
Naming = Literal["variables", "someone", "pseudonyms"]
_AGE = re.compile(
    r"^(?P<whose>.*['’]s (?P<what>[a-z]+(?: [a-z]+){0,2})) (?P<be>is|was|are|were) (?P<value>[^.;]+?)"
    r"(?P<stop>[.!?]?)$",
    re.S,
)


_JOINED = re.compile(r"(?:and|but|so|yet|while|whereas|or|nor)\s+")


@document_methods.register("assertions")
@dataclass(frozen=True)
class RewrittenAssertions:
    """Anonymizes by proprietor, relation or content: `X saw Y's uncle, Z, in Paris.`"""

    by: By = field(default="proprietor", metadata={"help": "what is hidden of an assertion"})
    persons: str | None = field(
        default=None, metadata={"help": "only these persons, divided by semicolons; left out: all"}
    )
    naming: Naming = field(default="variables", metadata={"help": "what stands for a person"})
    level: int = field(
        default=1,
        metadata={"help": "hide contents and relations from this sensitivity on", "min": 1, "max": 3},
    )
    pseudonym_seed: int = field(default=0, metadata={"help": "another one gives other pseudonyms", "min": 0})
    identifiers: Literal["mask", "keep"] = field(
        default="mask", metadata={"help": "names, codes and towns: masked first, or left to the method alone"}
    )

    @property
    def people(self) -> Literal["replaced", "keep"]:
        """Whether all names are replaced, or some stay: contents or other people are to be hidden."""
        hides_names = self.by in ("proprietor", "both") and self.persons is None
        return "replaced" if hides_names else "keep"

    def sanitize(self, documents: Sequence[Document]) -> Sanitized:
        analyses = []
        for number, document in enumerate(documents):
            analyses.append(read(document))
            current().tell((number + 1) / len(documents))
        roster = Roster(analyses)
        self._check_persons(analyses)
        names = self._names(analyses, roster)
        edits = [
            list(self._edits(analysis, names[n], documents[n], roster.words))
            for n, analysis in enumerate(analyses)
        ]
        ledgers = [
            ledger_of(analysis, roster.variables_of(n), masked=_direct(document), elsewhere=roster.words)
            for n, (analysis, document) in enumerate(zip(analyses, documents, strict=True))
        ]
        kind = anonymity_of(
            content=self.by == "proprietor", proprietors=self.by in ("relation", "content"), possessors=True
        )
        facts = {
            "by": self.by,
            "anonymity": {"type": kind.letter, "meaning": kind.meaning},
            "persons": len(roster.labels),
            "assertions": sum(len(a.assertions) for a in analyses),
        }
        return Sanitized(edits, facts, self._owner(documents, ledgers, roster))

    def _owner(
        self, documents: Sequence[Document], ledgers: Sequence[Ledger], roster: Roster
    ) -> dict[str, bytes]:
        return ledger_files(
            [document.name for document in documents], ledgers, roster.variables, roster.labels
        )

    def _chosen(self, person: Individual) -> bool:
        return self.persons is None or any(_is_called(person, name) for name in self.persons.split(";"))

    def _check_persons(self, analyses: Sequence[Analysis]) -> None:
        everybody = [person for analysis in analyses for person in analysis.individuals]
        for name in (self.persons or "").split(";"):
            if name.strip() and not any(_is_called(person, name) for person in everybody):
                raise UsageError("'persons' names somebody who occurs in none of the documents")

    def _names(self, analyses: Sequence[Analysis], roster: Roster) -> list[dict[int, Callable[[str], str]]]:
        """Per document and person: how a name of theirs is put."""
        pseudonyms = _Pseudonyms(analyses, self.pseudonym_seed)
        found: list[dict[int, Callable[[str], str]]] = []
        for number, analysis in enumerate(analyses):
            here: dict[int, Callable[[str], str]] = {}
            for person in analysis.individuals:
                if not self._chosen(person):
                    continue
                known = roster.number[number][person.number]
                if self.naming == "pseudonyms":
                    here[person.number] = pseudonyms.of(known, person)
                elif self.naming == "someone" or self.by == "both":
                    here[person.number] = lambda _: "someone"
                else:
                    here[person.number] = lambda _, variable=roster.variables[known]: variable  # type: ignore[misc]
            found.append(here)
        return found

    def _edits(
        self,
        analysis: Analysis,
        names: dict[int, Callable[[str], str]],
        document: Document,
        elsewhere: frozenset[str],
    ) -> Iterator[Edit]:
        direct = _direct(document)
        covered: list[tuple[int, int]] = []
        if self.by != "proprietor":
            seen = sorted(m.start for m in document.mentions if m.type == "PERSON")
            levels: dict[int, int] = {}
            persons: dict[int, set[int]] = {}
            for assertion in analysis.assertions:
                at = assertion.sentence
                levels[at] = max(levels.get(at, 0), assertion.sensitivity.level)
                persons.setdefault(at, set()).update(assertion.proprietors)
            for assertion in analysis.assertions:
                unread = bisect_left(seen, assertion.end) - bisect_left(seen, assertion.start)
                at = assertion.sentence
                sentence = self._general(assertion, analysis, names, levels[at], unread)
                if sentence is None and self.by == "relation" and levels[at] >= self.level:
                    # "Ann left and Bob stayed": side by side they may be related, too.
                    chosen = any(self._chosen(analysis.individuals[p]) for p in assertion.proprietors)
                    sentence = suppressed(assertion, analysis) if chosen and len(persons[at]) > 1 else None
                if sentence is not None:
                    covered.append((assertion.start, assertion.end))
                    yield Edit(assertion.start, assertion.end, _ended(sentence, analysis.text, assertion))
        if self.by not in ("proprietor", "both"):
            return
        groups = {r.start for r in analysis.referring if r.form == "name" and not r.persons}
        masks = {span.start: f"[{span.type}]" for span in direct}
        for start, end, person in slots_of(analysis, direct, elsewhere):
            before = bisect_right(covered, start, key=lambda span: span[0]) - 1
            if before >= 0 and start < covered[before][1]:
                continue
            surface = analysis.text[start:end]
            if start in masks:
                yield Edit(start, end, masks[start])
            elif person in names:
                yield Edit(start, end, _at_start(analysis.text, start, names[person](surface)))
            elif person is None and self.persons is None:
                group = start in groups
                first, last = _with_article(analysis.text, start, end) if group else (start, end)
                people = "some people" if group else "someone"
                yield Edit(first, last, _at_start(analysis.text, first, people))

    def _general(
        self,
        assertion: Assertion,
        analysis: Analysis,
        names: dict[int, Callable[[str], str]],
        level: int,
        mentions: int,
    ) -> str | None:
        """The assertion told in general, or None if it may stay; `level` is that of its whole sentence."""
        chosen = [p for p in assertion.proprietors if self._chosen(analysis.individuals[p])]
        if max(level, bool(mentions)) < self.level or not assertion.has_verb:
            return None
        if not assertion.proprietors and mentions and self.persons is None:
            # A recognizer saw a person where the rules saw none: better too much than too little.
            return "There is a statement about someone."
        if not chosen:
            return None
        called = {p: _called(analysis.individuals[p]) for p in assertion.proprietors}
        if self.by == "relation":
            if len(called) < 2:
                return None if mentions < 2 else "Several people are in some type of relation."
            return f"{capitalized(_listed(list(called.values())))} are in some type of relation."
        if self.by == "both":
            called = {p: "someone" if p in names else name for p, name in called.items()}
        value = _AGE.match(analysis.text[assertion.start : assertion.end])
        if value is not None and len(called) == 1:
            number = "some number" if re.search(r"\d", value["value"]) else "of some kind"
            whose = value["whose"] if self.by == "content" else f"someone's {value['what']}"
            return f"{capitalized(whose)} {value['be']} {number}{value['stop']}"
        if self.by == "content":
            return suppressed(assertion, analysis)
        return f"There is a statement about {_listed(list(dict.fromkeys(called.values())))}."

    def audit(self, document: Document, released: str) -> Check:
        """Names are looked for as words; contents as sentences of the original."""
        if self.by in ("proprietor", "both"):
            return _names_left(document, released, self.persons)
        return _sentences_left(document, released, self.level, least=2 if self.by == "relation" else 1)


class _Pseudonyms:
    """First and last names that occur in none of the documents, one pair per person."""

    def __init__(self, analyses: Sequence[Analysis], seed: int) -> None:
        used = {word for analysis in analyses for word in re.findall(r"\w+", analysis.text)}
        rng = random.Random(seed)
        self._first = {
            sex: _shuffled(words(f"first_names_{name}") - used, rng) for sex, name in _SEXES.items()
        }
        self._last = _shuffled({w for w in words("surnames") if w.istitle()} - used, rng)

    def of(self, number: int, person: Individual) -> Callable[[str], str]:
        some = self._first[person.sex or "mf"[number % 2]]
        first, last = some[number % len(some)], self._last[number % len(self._last)]
        key = longest_key(person)

        def put(surface: str) -> str:
            parts = surface.split()
            title = f"{parts[0]} " if parts[0].rstrip(".").lower() in _HONORIFICS else ""
            rest = [p for p in parts if p.rstrip(".").lower() not in _HONORIFICS]
            if len(rest) > 1:
                return f"{title}{first} {last}"
            only_last = title or (len(key) > 1 and rest and rest[0].lower() == key[-1])
            return f"{title}{last}" if only_last else first

        return put


_SEXES = {"m": "male", "f": "female"}
_HONORIFICS = frozenset("mr mrs ms miss dr prof sir lord lady rev hon madam dame mister".split())


def _shuffled(names: set[str] | frozenset[str], rng: random.Random) -> list[str]:
    some = sorted(name for name in names if len(name) > 3)
    rng.shuffle(some)
    return some


def _is_called(person: Individual, name: str) -> bool:
    wanted = tuple(w for w in re.findall(r"[\w'’-]+", name.lower()) if w not in _HONORIFICS)
    return bool(wanted) and set(wanted) <= set(longest_key(person))


def _called(person: Individual) -> str:
    if person.named or person.label in ("I", "you"):
        return person.label
    return "someone"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _ended(sentence: str, text: str, assertion: Assertion) -> str:
    """With a capital where a sentence begins, and a full stop only where the assertion has one."""
    if sentence.startswith(("There is", "Someone", "Several")):
        sentence = sentence[:1].lower() + sentence[1:]
    joined = _JOINED.match(text, assertion.start)
    sentence = f"{joined.group()}{sentence}" if joined else _at_start(text, assertion.start, sentence)
    return sentence if text[assertion.end - 1] in ".!?" else sentence.rstrip(".")


def _at_start(text: str, start: int, put: str) -> str:
    """With a capital where a sentence begins."""
    while start and text[start - 1] in " \t\"“'(":
        start -= 1
    return capitalized(put) if not start or text[start - 1] in ".!?\n" else put


def _with_article(text: str, start: int, end: int) -> tuple[int, int]:
    match = re.search(r"\b[Tt]he\s+$", text[max(start - 8, 0) : start])
    return (start - len(match.group()), end) if match else (start, end)


def _direct(document: Document) -> list[Span]:
    return [m for m in document.mentions if m.type != "PERSON" and is_direct(m.type)]


# The audit shares nothing with what is above: mentions, words and sentences are read anew.


def _names_left(document: Document, released: str, persons: str | None) -> Check:
    wanted = None if persons is None else {w.lower() for w in re.findall(r"[\w'’-]+", persons)} - _TITLES_READ
    dates = {document.text[m.start : m.end] for m in document.mentions if m.type == "DATE"}
    named = {date for date in dates if re.search(r"[^\W\d_]", date)}  # "April", which is a name as well
    for date in sorted(named, key=len, reverse=True):
        released = released.replace(date, " ")
    sought = set()
    for mention in document.mentions:
        if mention.type != "PERSON":
            continue
        tokens = set(re.findall(r"[^\W\d_]+", document.text[mention.start : mention.end]))
        if wanted is None or {t.lower() for t in tokens} & wanted:
            sought |= {t for t in tokens if wanted is None or t.lower() in wanted}
    standing = set(re.findall(r"[^\W\d_]+", released))
    left = sum(token in standing for token in sought if _is_a_name(token))
    detail = f"{left} names of chosen persons still stand in the text" if left else "no name is left"
    return Check("names", left == 0, detail)


_TITLES_READ = frozenset("mr mrs ms miss dr prof sir lord lady rev hon madam dame mister and the".split())


def _is_a_name(token: str) -> bool:
    if len(token) < 2 or not token[0].isupper() or token.lower() in _TITLES_READ:
        return False
    if token.lower() in lexicon("roles")["titles"].split() and token not in first_names():
        return False  # "Officer Daniels": the office may stay
    return token in first_names() or token in words("surnames") or token.lower() not in words("common_words")


_ORDINARY = re.compile(r"\b(?!(?:van|von|de|der|den|del|della|di|da|la|le|bin|ibn|al|el)\b)[a-z]{2,}")


def _sentences_left(document: Document, released: str, level: int, *, least: int) -> Check:
    grave = certain_words(max(level, 2))
    left = 0
    persons = sorted(m for m in document.mentions if m.type == "PERSON")
    starts = [m.start for m in persons]
    for match in re.finditer(r"[^.!?\n]+[.!?]?", document.text):
        inside = persons[bisect_left(starts, match.start()) : bisect_left(starts, match.end())]
        named = {document.text[m.start : m.end] for m in inside}
        if len(named) < least:
            continue
        unnamed = match.group()
        for name in named:
            unnamed = unnamed.replace(name, " ")
        lowered = set(re.findall(r"[\w-]+", unnamed.lower()))
        concerns = level == 1 or bool(lowered & grave)
        # A mere name in a list tells nothing; a name with ordinary words in it is none.
        tells = re.search(r"\w", unnamed) is not None or _ORDINARY.search(match.group()) is not None
        stands = tells and len(match.group().split()) > 2 and match.group().strip() in released
        general = re.match(r"\s*There is an? (?:statement|allegation) about", match.group())
        left += concerns and stands and not general
    detail = (
        f"{left} sentences still stand as they were" if left else "no sentence of the level stands as it was"
    )
    return Check("contents", left == 0, detail)
