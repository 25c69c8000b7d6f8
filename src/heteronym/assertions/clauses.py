"""Clauses: where one assertion ends and the next begins, and which referents "and" joins.

An assertion is a sentence; main clauses with subjects of their own that are only put side by side ("Ann
left and Bob stayed") are assertions of their own. What depends on a main clause (relative clauses,
conditions, reported speech) belongs to its assertion: it says something about how the facts hang
together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from heteronym.assertions.quotations import SPEECH
from heteronym.assertions.referent import FINITE, Referent

_JOIN = re.compile(r"^,?\s*(?:and|or|nor|&|as well as|and also)?$", re.I)
_AND = re.compile(r"(?:and|or|nor|&|as well as)", re.I)


@dataclass(frozen=True)
class Clause:
    """Tokens `first` to `last` (half-open) of a piece."""

    doc: Any
    offset: int
    first: int
    last: int
    sentence: int

    @property
    def start(self) -> int:
        return int(self.offset + self.doc[self.first].idx)

    @property
    def end(self) -> int:
        token = self.doc[self.last - 1]
        return int(self.offset + token.idx + len(token))

    @property
    def words(self) -> str:
        return str(self.doc[self.first : self.last].text)


def clauses_of(
    doc: Any, offset: int, sentence: Any, number: int, referents: Sequence[Referent] = ()
) -> list[Clause]:
    """The assertions of one sentence."""
    cuts = sorted({sentence.start, *_cuts(sentence), *_plain_cuts(sentence, referents), sentence.end})
    found = []
    for first, last in pairwise(cuts):
        while first < last and (doc[first].is_space or doc[first].text in (",", ";", "-", "–")):
            first += 1
        while last > first and doc[last - 1].is_space:
            last -= 1
        if any(token.is_alpha or token.like_num for token in doc[first:last]):
            found.append(Clause(doc, offset, first, last, number))
    return found


def _cuts(sentence: Any) -> list[int]:
    cuts = set()
    for token in sentence:
        if token.dep_ not in ("conj", "parataxis") or not _is_main(token.head):
            continue
        subject = next(
            (c for c in token.children if c.dep_ in ("nsubj", "nsubj:pass", "expl") and c.i < token.i), None
        )
        if subject is None or not _has_verb(token) or subject.lower_ in _RELATIVE:
            continue
        if token.dep_ == "parataxis" and (token.lemma_ in SPEECH or token.head.lemma_ in SPEECH):
            continue
        first = min(child.left_edge.i for child in token.children if child.i <= token.i)
        before = sentence.doc[first - 1] if first > sentence.start else None
        if first <= token.head.i or before is None:
            continue
        finite = any(t.tag_ in FINITE for t in sentence.doc[sentence.start : first])
        if not finite or not _has_verb(token.head) or _marked(token.head):
            continue
        cuts.add(first)
    return sorted(cut for cut in cuts if cut > sentence.start)


_COORDINATORS = frozenset("and but so yet while whereas".split())
_RELATIVE = frozenset("which who whom whose that where".split())
_LEAST = 3  # words of a clause


def _plain_cuts(sentence: Any, referents: Sequence[Referent]) -> list[int]:
    """What can be seen without a parse: "...; ...", and ", but Bob stayed" behind a finite verb; without a
    comma, where what stands before cannot be in a list with Bob."""
    doc, found = sentence.doc, []
    ends = {referent.last for referent in referents}
    subjects = {referent.np_first: referent for referent in referents}
    total = sum(t.is_alpha for t in sentence)
    done, finite, marked = 0, False, False
    for token in sentence:
        if token.text == ";" and total - done >= _LEAST <= done:
            found.append(token.i + 1)
        seen, marked = finite, marked or token.dep_ == "mark"
        done += token.is_alpha
        finite = finite or token.tag_ in FINITE
        if token.lower_ not in _COORDINATORS or token.i < 1 or token.i - 1 in ends:
            continue
        subject = subjects.get(token.i + 1)
        if subject is None or subject.last + 1 >= sentence.end:
            continue
        verb, comma = doc[subject.last + 1], doc[token.i - 1].text == ","
        named = subject.form == "name" and not subject.plural
        if verb.tag_ in FINITE and seen and not marked and (comma or named):
            found.append(token.i)
    return found


def _is_main(token: Any) -> bool:
    while token.dep_ in ("conj", "parataxis"):
        token = token.head
    return bool(token.dep_ == "ROOT")


def _has_verb(token: Any) -> bool:
    return token.pos_ in ("VERB", "AUX") or any(child.dep_ in ("cop", "aux") for child in token.children)


def _marked(token: Any) -> bool:
    return any(child.dep_ == "mark" for child in token.children)


def lists_of(referents: Sequence[Referent]) -> list[list[Referent]]:
    """Runs of referents that "and", "or" and commas join: "Ann, Bob and her uncle"."""
    found: list[list[Referent]] = []
    run: list[Referent] = []
    heads = [
        r for r in referents if r.head.lower_ not in ("my", "your", "his", "their", "our") or not _owns(r)
    ]
    owners = {id(r.possessor) for r in heads if r.possessor is not None}
    heads = [r for r in heads if id(r) not in owners or not _owns(r)]
    for referent in heads:
        if (
            run
            and run[-1].doc is referent.doc
            and _joined(run[-1], referent)
            and referent.same_as is not run[-1]
        ):
            run.append(referent)
            continue
        if run and referent.same_as is run[-1] and referent.doc is run[-1].doc and _near(run[-1], referent):
            run[-1] = referent  # "her uncle Jim and Ann": the list goes on behind the name
            continue
        _close(run, found)
        run = [referent]
    _close(run, found)
    return found


def _owns(referent: Referent) -> bool:
    """A possessor in front of what it owns, which is no member of a list itself."""
    after = referent.last + 1
    genitive = after < len(referent.doc) and referent.doc[after].tag_ == "POS"
    return bool(genitive or referent.head.dep_ == "nmod:poss")


def _near(before: Referent, after: Referent) -> bool:
    return after.np_first - before.last <= 2


def _joined(before: Referent, after: Referent) -> bool:
    gap = before.doc[before.last + 1 : max(after.np_first, before.last + 1)]
    return len(gap) > 0 and _JOIN.match(gap.text.strip()) is not None


def _close(run: list[Referent], found: list[list[Referent]]) -> None:
    """Keep the run if it is a list, without what only looks like its last member."""
    members = list(run)
    while len(members) > 1:
        gaps = [a.doc[a.last + 1 : max(b.np_first, a.last + 1)].text for a, b in pairwise(members)]
        if not _AND.search(gaps[-1]) or _begins_clause(members[-2], members[-1]):
            members.pop()
        else:
            found.append(members)
            return


def _begins_clause(before: Referent, last: Referent) -> bool:
    """ "I met Mark and Sophie left": the second is the subject of a verb of its own."""
    if last.head.dep_ not in ("nsubj", "nsubj:pass"):
        return False
    if before.head.dep_ in ("nsubj", "nsubj:pass") or last.head.head.i < last.head.i:
        return bool(before.head.head.i < last.head.i and before.head.head != last.head.head)
    sentence = last.head.sent
    return any(
        token.pos_ in ("VERB", "AUX") and token.tag_ not in ("VBG", "VBN")
        for token in sentence.doc[sentence.start : before.np_first]
    )
