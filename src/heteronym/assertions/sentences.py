"""Sentences: the parser's, where punctuation does not know better."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_STOPS = frozenset(". ! ? … ?! !? ...".split())
_LONG, _LONGEST = 200, 300  # tokens: nobody writes such sentences, lists without full stops go on for ever
_PAUSES = frozenset(", ; : | / - – — • *".split())
_CLOSERS = frozenset("\" ” ' ’ ) ] »".split())


def sentences_of(doc: Any) -> Iterator[Any]:
    """Spans of a parsed piece: a comma begins no sentence, a full stop before a capital ends one.

    What has no end is cut behind a comma or a blank line, so that no work grows with its square.
    """
    starts = {sentence.start for sentence in doc.sents}
    begin = 0
    for at in range(1, len(doc)):
        if _begins(doc, at, at in starts) or _endless(doc, begin, at):
            yield doc[begin:at]
            begin = at
    if len(doc):
        yield doc[begin : len(doc)]


def _endless(doc: Any, begin: int, at: int) -> bool:
    if at - begin < _LONG:
        return False
    before = doc[at - 1]
    return bool(before.is_space or before.text in _PAUSES or at - begin >= _LONGEST)


def _opens(doc: Any, at: int) -> bool:
    """A straight quotation mark in front of what is quoted."""
    blank = at == 0 or doc[at - 1].whitespace_ or doc[at - 1].is_space
    return bool(doc[at].text == '"' and blank and not doc[at].whitespace_ and at + 1 < len(doc))


def _begins(doc: Any, at: int, parser_says: bool) -> bool:
    token, before = doc[at], doc[at - 1]
    if before.is_space and "\n" in before.text:
        blank = before.text.count("\n") > 1
        return parser_says or blank or token.text[0].isupper() or not token.text[0].isalnum()
    if _opens(doc, at - 1):
        return False  # the quotation mark has begun it
    last = at - 1
    while last > 0 and (doc[last].text in _CLOSERS or doc[last].is_space):
        last -= 1
    stopped = doc[last].text in _STOPS
    if (token.text in _CLOSERS and not _opens(doc, at)) or token.is_space:
        return False
    if stopped:
        return parser_says or bool(token.text[0].isupper() or token.text[0] in '"“«(')
    if not parser_says:
        return False
    # Without a stop in front only what looks like a beginning is one.
    ends_short = before.text.endswith(".") or before.text in (":", ";", "-", "–", "—") or before.is_space
    return bool(ends_short and (token.text[0].isupper() or token.like_num or not token.text[0].isalpha()))
