"""Base noun phrases from Universal Dependencies trees, as the `fast` model builds them.

spaCy's own iterator for English expects other dependency labels and finds almost nothing in UD trees, where
the
preposition hangs under the noun (`case`) and the noun under the verb (`obl`).
Guarantee: chunks are in reading order and never overlap. Cost: linear in the length of the document.
"""

from spacy.tokens import Doc, Span, Token

_HEADS = frozenset({"NOUN", "PROPN", "PRON"})
_PARTS_OF_ANOTHER = frozenset({"compound", "flat", "fixed", "goeswith", "det", "nmod:poss", "nmod:unmarked"})
_LEFT = frozenset({"det", "det:predet", "amod", "nummod", "compound", "nmod:poss", "nmod:desc", "flat"})
_RIGHT = frozenset({"flat", "fixed", "goeswith"})


def noun_chunks(doc: Doc) -> list[Span]:
    """The noun phrases of a parsed document, without prepositions, conjunctions and what follows the noun."""
    chunks: list[Span] = []
    for head in doc:
        if head.pos_ not in _HEADS or head.dep_ in _PARTS_OF_ANOTHER:
            continue
        start, end = _first(head), _last(head) + 1
        while chunks and chunks[-1].start >= start:
            chunks.pop()
        if not chunks or chunks[-1].end <= start:
            chunks.append(Span(doc, start, end, label="NP"))
    return chunks


def _first(head: Token) -> int:
    return min((child.left_edge.i for child in head.lefts if child.dep_ in _LEFT), default=head.i)


def _last(head: Token) -> int:
    return max((child.right_edge.i for child in head.rights if child.dep_ in _RIGHT), default=head.i)
