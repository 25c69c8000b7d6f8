"""What governs a mention in its sentence: "I live in Berlin" and "I love Berlin" say different things.

The sentence is parsed by the package's own English pipeline. A context is the stem of the word on which the
mention's phrase depends, with the phrase's preposition: live + in, love, mother + from. A mention that is the
predicate itself ("my mother is from Berlin") depends on its subject. Members of an enumeration share one
context, so that "in Rome and Berlin" says the same of both.

Cost        one parse per text that has mentions, about 9,000 words a second
Randomness  none
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from heteronym.model.mention import Span
from heteronym.text.parse import parse_all

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

# A word in one of these relations is a piece of a phrase that another word leads.
_PIECES = frozenset("flat flat:foreign fixed goeswith appos conj nmod:desc list dislocated".split())
_SHORT = 3  # letters of a lemma that keeps its last one


def contexts_of(texts: Sequence[str], found: Sequence[Sequence[Span]]) -> list[list[str]]:
    """The context of every mention; empty where nothing governs it."""
    result = [[""] * len(spans) for spans in found]
    read = parse_all([text if spans else "" for text, spans in zip(texts, found, strict=True)])
    for i, parts in enumerate(read):
        for offset, doc in parts:
            for number, span in enumerate(found[i]):
                if offset <= span.start < offset + len(doc.text):
                    result[i][number] = _context(doc, span.start - offset, span.end - offset)
    return result


def _context(doc: Doc, start: int, end: int) -> str:
    phrase = doc.char_span(start, min(end, len(doc.text)), alignment_mode="expand")
    if phrase is None or not len(phrase):
        return ""
    lead = phrase.root
    while lead.dep_ in _PIECES:
        lead = lead.head
    before = " ".join(child.lower_ for child in lead.lefts if child.dep_ == "case")
    governor = lead.head if lead.head.i != lead.i else _subject(lead)
    return "" if governor is None else f"{_stem(governor)} {before}".strip()


def _subject(predicate: Token) -> Token | None:
    return next((child for child in predicate.lefts if child.dep_.startswith("nsubj")), None)


def _stem(token: Token) -> str:
    """The lemma; without a last e, which the lemmatizer leaves out now and then ("lived": "liv")."""
    lemma: str = token.lemma_.lower() or token.lower_
    return lemma.removesuffix("e") if len(lemma) > _SHORT else lemma
