"""A review: the queue of terms, what was decided, undo, missed mentions, samples, and a second reviewer.

Every decision is a line of the decisions file before its answer is given. Steps have names: what is sent
twice, because an answer was lost, is done once.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby, islice
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

from heteronym.errors import UsageError
from heteronym.io.decisions import (
    ADD,
    CHECKED,
    CONFIRM,
    KEEP,
    MASK,
    NEVER,
    NONE,
    OPEN,
    SAME,
    TYPE,
    Decision,
    Decisions,
    append_decisions,
    now,
    read_decisions,
)
from heteronym.model.terms import normalize
from heteronym.reviewing.agreement import Agreement, agreement, merged
from heteronym.reviewing.effects import Effect, LastRun
from heteronym.reviewing.sampling import MissedShare, missed_share, place_of, sentences
from heteronym.reviewing.terms import Context, ReviewTerm, Spot, Terms

CHOICES = (CONFIRM, KEEP, MASK, TYPE, SAME, NEVER)  # for a term that was found


@dataclass(frozen=True)
class Filter:
    """Which terms are in view."""

    state: str = "open"  # open, decided, differing or all
    type: str | None = None
    contains: str = ""

    @cached_property
    def letters(self) -> str:
        """As terms are written."""
        return normalize(self.contains) if self.contains.strip() else ""


class Progress(NamedTuple):
    """How far a review is."""

    terms: int
    decided: int
    differing: int
    places: int
    places_decided: int


class Review:
    """Terms of a table with what was decided about them. Holds personal data."""

    def __init__(
        self,
        terms: Terms,
        path: Path,
        *,
        who: str = "",
        types: Sequence[str] = (),
        last_run: LastRun | None = None,
        read_only: bool = False,
        seed: int = 0,
    ) -> None:
        self.terms, self.path, self.who, self.types = terms, path, who, tuple(types)
        self.last_run = last_run
        self.read_only = read_only
        self._seed = seed
        self._lock = threading.RLock()
        self.decisions = Decisions()
        self._steps: list[list[tuple[Decision, Decision | None]]] = []  # with what held before
        self._done: set[str] = set()
        for _, lines in groupby(read_decisions(path), key=lambda one: one.id or object()):
            self._take(list(lines))

    def _take(self, lines: Sequence[Decision]) -> None:
        """Lines of one step."""
        step: list[tuple[Decision, Decision | None]] = []
        for one in lines:
            held: Mapping[Any, Decision] = (
                self.decisions.of_term if one.place is None else self.decisions.of_place
            )
            step.append((one, held.get(one.subject)))
            self.decisions.take(one)
            known = self.terms.by_name.get(one.term)
            if one.decision == ADD and one.type is not None:
                self.terms.missed(one.spelling or one.term, one.type)
            elif one.decision == NONE and known is not None and known.added:
                self.terms.forget(known)
        if lines and lines[0].undoes:
            if self._steps:
                self._steps.pop()
        else:
            self._steps.append(step)
        self._done |= {one.id for one in lines if one.id}

    def _write(self, lines: Sequence[Decision], id: str) -> int:
        """How many lines there are now; none if this step was done before."""
        with self._lock:
            if self.read_only:
                raise UsageError("this review is read only: another person decides")
            if id and id in self._done:
                return 0
            named = [replace(one, id=id or uuid4().hex[:12], who=self.who, when=now()) for one in lines]
            append_decisions(self.path, named)
            self._take(named)
            return len(named)

    # --- the queue --------------------------------------------------------------------------------

    def said(self, one: ReviewTerm) -> Decision | None:
        return self.decisions.of_term.get(one.term)

    def _shows(self, one: ReviewTerm, wanted: Filter) -> bool:
        said = self.decisions.of_term.get(one.term)
        if one.added and said is None:  # taken back
            return False
        decided = said is not None and said.settles
        is_open = said is not None and said.decision == OPEN
        in_state = {
            "open": not decided,
            "decided": decided,
            "differing": is_open,
            "all": True,
        }.get(wanted.state, True)
        return (
            in_state
            and (
                wanted.type is None
                or wanted.type in one.types
                or (said is not None and said.type == wanted.type)
            )
            and wanted.letters in one.term
        )

    def queue(self, wanted: Filter | None = None, *, after: int = -1, most: int = 50) -> list[ReviewTerm]:
        """Terms in the order of what a decision is worth, from behind a number."""
        wanted = wanted or Filter()
        listed = self.terms.listed
        found = (one for one in islice(listed, after + 1, None) if self._shows(one, wanted))
        return list(islice(found, most))

    def count(self, wanted: Filter) -> int:
        return sum(self._shows(one, wanted) for one in self.terms.listed)

    def progress(self) -> Progress:
        of_term, by_name = self.decisions.of_term, self.terms.by_name
        known = [(by_name[name], one) for name, one in of_term.items() if name in by_name]
        decided = [one for one, said in known if said.settles]
        return Progress(
            len(self.terms.listed),
            len(decided),
            sum(said.decision == OPEN for _, said in known),
            sum(one.places for one in self.terms.listed),
            sum(one.places for one in decided),
        )

    def contexts(self, term: str, most: int = 3) -> list[Context]:
        return self.terms.contexts(self._term(term), most)

    def _term(self, term: str) -> ReviewTerm:
        found = self.terms.by_name.get(normalize(term))
        if found is None:
            raise UsageError("there is no such term among those of the texts")
        return found

    # --- deciding ---------------------------------------------------------------------------------

    def decide(
        self,
        term: str,
        decision: str,
        *,
        type: str | None = None,
        same_as: str | None = None,
        spot: Spot | None = None,
        id: str = "",
    ) -> int:
        """Of a term, or with `spot` of one place alone; how many places it concerns."""
        one = self._term(term)
        line = self._line(one, decision, type=type, same_as=same_as)
        if spot is not None:
            if not any(tuple(at) == tuple(spot) for at in one.spots.tolist()):
                raise UsageError("the term does not stand at this place")
            line = replace(line, place=place_of(self.terms, spot), type=type or one.type)
        self._write([line], id)
        return 1 if spot is not None else one.places

    def decide_all(
        self, wanted: Filter, decision: str, *, type: str | None = None, expected: int, id: str = ""
    ) -> int:
        """Of all terms in view, as one step; refused if they are not as many as were seen."""
        with self._lock:
            if id and id in self._done:
                return 0
            listed = [one for one in self.terms.listed if self._shows(one, wanted)]
            if len(listed) != expected:
                raise UsageError(f"{len(listed)} terms are in view, not {expected}; look again")
            self._write([self._line(one, decision, type=type) for one in listed], id)
            return len(listed)

    def _line(
        self, one: ReviewTerm, decision: str, *, type: str | None = None, same_as: str | None = None
    ) -> Decision:
        if decision not in (*CHOICES, NONE):
            raise UsageError(f"a decision is one of {', '.join(CHOICES)}")
        if decision == TYPE and type not in self.types:
            raise UsageError("the plan does not count mentions of this type")
        if decision == SAME:
            other = self._term(same_as or "")
            if other is one:
                raise UsageError("a term is the same as itself already")
            same_as = other.term
        said = self.said(one)
        if one.added and decision in (CONFIRM, MASK):
            if decision == CONFIRM:  # nobody else finds it
                return Decision(ADD, one.term, type=one.type, spelling=one.spelling)
            kind: str | None = one.type
        else:
            kind = said.type if decision == MASK and said is not None and said.type is not None else type
        return Decision(
            decision,
            one.term,
            type=kind if decision in (TYPE, MASK) else None,
            same_as=same_as,
            spelling=one.spelling,
        )

    def add(self, words: str, type: str, *, id: str = "") -> ReviewTerm:
        """A mention that nobody found: all its occurrences follow."""
        term = normalize(words)
        if not term or len(words) > 200 or not any(map(str.isalnum, words)):
            raise UsageError("mark a few words")
        if type not in self.types:
            raise UsageError("the plan does not count mentions of this type")
        spelling = " ".join(words.split())
        if not (id and id in self._done):
            with self._lock:
                self._write([Decision(ADD, term, type=type, spelling=spelling)], id)
        return self._term(term)

    def undo(self, *, of: str = "", id: str = "") -> str | None:
        """Takes the last step back; the term that it was about, None if there is nothing to undo.

        `of` names the step that is meant: another one, because that one was refused, stays.
        """
        with self._lock:
            if id and id in self._done:
                return None
            if not self._steps:
                return None
            step = self._steps[-1]
            if of and step[0][0].id != of:
                return None
            back = [
                replace(before if before is not None else replace(one, decision=NONE), undoes=True)
                for one, before in reversed(step)
            ]
            self._write(back, id)
            return step[0][0].term

    # --- sentences without marks ------------------------------------------------------------------

    def sample(self, most: int = 20) -> list[Context]:
        """Sentences without marks, drawn at random, that nobody has checked."""
        drawn = islice(sentences(self.terms, self.decisions, self._seed), most)
        return [self.terms.context(spot, around=0) for spot in drawn]

    def check(self, spot: Spot, *, missed: bool, id: str = "") -> MissedShare:
        """Somebody read a sentence that was drawn: it has a mention that was missed, or none."""
        place = place_of(self.terms, spot)
        text = (self.terms.texts[place.column][spot.row] or "")[place.start : place.end]
        if not text:
            raise UsageError("there is no such sentence")
        term = normalize(text)[:200] or "-"
        self._write([Decision(CHECKED, term, place=place, missed=missed)], id)
        return self.missed()

    def missed(self) -> MissedShare:
        return missed_share(self.decisions)

    # --- others -----------------------------------------------------------------------------------

    def effect(self, term: str) -> Effect | None:
        """What deciding would change in the groups of the last run; None without a run."""
        return None if self.last_run is None else self.last_run.effect(normalize(term))

    def merge(self, path: str | Path) -> Agreement:
        """Takes in what a second reviewer decided; where both differ, the term is open again."""
        with self._lock:
            other = Decisions(read_decisions(Path(path)))
            found = agreement(self.decisions, other)
            added = merged(self.decisions, other, who=self.who)
            if self.read_only:
                raise UsageError("this review is read only: another person decides")
            step = uuid4().hex[:12]
            named = [replace(one, id=step) for one in added]
            append_decisions(self.path, named)
            if named:
                self._take(named)
            return found

    def __repr__(self) -> str:
        return f"Review({len(self.terms.listed)} terms, {len(self.decisions.of_term)} decided)"
