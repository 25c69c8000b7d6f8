"""Wording: an assertion said again with other subjects, so that it stays a sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from heteronym.assertions.clauses import Clause

_SINGULAR = {
    "are": "is", "am": "is", "were": "was", "have": "has", "do": "does", "'re": "'s", "'m": "'s", "’re": "’s",
    "’m": "’s", "'ve": "has", "’ve": "has",
}  # fmt: skip
_HOUR = re.compile(r"^(?:hou?r|honest|heir|[aeio]|u(?!n[i]|s[eu]|k))", re.I)


def third_person(verb: str) -> str:
    """love -> loves, carry -> carries, go -> goes."""
    if re.search(r"(?:s|x|z|ch|sh|o)$", verb):
        return f"{verb}es"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}s"


def with_article(phrase: str) -> str:
    return f"{'an' if _HOUR.match(phrase) else 'a'} {phrase}"


def capitalized(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass
class Draft:
    """Changes to the tokens of a clause."""

    clause: Clause
    words: dict[int, str] = field(default_factory=dict)  # token -> what stands there instead
    gone: set[int] = field(default_factory=set)
    ends: dict[int, int] = field(default_factory=dict)  # last token of what was put

    def put(self, first: int, last: int, text: str) -> None:
        """Tokens `first` to `last` (closed) become `text`."""
        self.words[first] = text
        self.ends[first] = last
        self.gone -= {first}
        for at in range(first + 1, last + 1):
            self.words.pop(at, None)
            self.gone.add(at)

    def drop(self, first: int, last: int) -> None:
        for at in range(first, last + 1):
            self.words.pop(at, None)
            self.gone.add(at)

    def text(self) -> str:
        """The clause as a sentence without its full stop."""
        clause = self.clause
        pieces: list[str] = []
        last_kept, until = "", -1
        for token in clause.doc[clause.first : clause.last]:
            if token.i <= until:
                continue
            if token.i in self.gone:
                if pieces and token.whitespace_ and not pieces[-1].endswith((" ", "\n")):
                    pieces.append(" ")
                continue
            word = self.words.get(token.i, token.text)
            if not pieces and token.pos_ == "CCONJ" and token.i not in self.words:
                continue
            if word in (",", ".", ";", "?", "!") and pieces and pieces[-1] == " ":
                pieces.pop()
            if word == "," and last_kept == ",":
                pieces.append(" ")
                continue
            last_kept = word
            until = self.ends.get(token.i, token.i)
            pieces += (word, clause.doc[until].whitespace_)
        whole = re.sub(r"\s+", " ", "".join(pieces)).strip().strip(",;").rstrip(".").strip()
        return capitalized(whole)


def agree(draft: Draft, subject: Any) -> None:
    """The verbs of a subject in the third person singular."""
    predicate = subject.head
    if subject.dep_ not in ("nsubj", "nsubj:pass") or subject.dep_ == "ROOT":
        predicate = _verb_after(draft.clause, subject)
        if predicate is None:
            return
    _agree_verb(draft, predicate)
    for verb in predicate.children:
        own = any(child.dep_ in ("nsubj", "nsubj:pass") for child in verb.children)
        if verb.dep_ == "conj" and not own:
            _agree_verb(draft, verb)


def _verb_after(clause: Clause, subject: Any) -> Any:
    for token in clause.doc[subject.i + 1 : clause.last]:
        if token.pos_ in ("VERB", "AUX"):
            return token.head if token.dep_ in ("aux", "cop", "aux:pass") else token
    return None


def _agree_verb(draft: Draft, predicate: Any) -> None:
    chain = [child for child in predicate.children if child.dep_ in ("aux", "aux:pass", "cop")]
    finite = chain[0] if chain else predicate
    word = finite.lower_
    if word in _SINGULAR:
        draft.words[finite.i] = _SINGULAR[word]
    elif finite.tag_ == "VBP" and finite.pos_ == "VERB":
        draft.words[finite.i] = third_person(finite.text)
    if predicate.tag_ == "NNS" and any(child.dep_ == "cop" for child in predicate.children):
        first = min(
            [child.i for child in predicate.children if child.dep_ in ("amod", "compound")] + [predicate.i]
        )
        if not any(child.dep_ in ("det", "nmod:poss", "nummod") for child in predicate.children):
            draft.words[predicate.i] = predicate.lemma_
            draft.words[first] = with_article(draft.words.get(first, predicate.doc[first].text))
