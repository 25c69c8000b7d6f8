"""Texts with their mentions marked, what found each and why it counts: a page for the owner alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from heteronym.model.document import Document
from heteronym.model.mention import Span
from heteronym.report.pages import render

Meaning = Callable[[str], tuple[str, str]]
MOST = 500  # texts on one page: a browser still opens it at once


def pieces(document: Document) -> Iterator[tuple[str, int, Span | None]]:
    """The text in order: what stands between mentions, and the mentions with their numbers from 1."""
    done = 0
    for number, span in enumerate(document.mentions, 1):
        if span.start > done:
            yield document.text[done : span.start], 0, None
        yield document.text[span.start : span.end], number, span
        done = span.end
    if done < len(document.text):
        yield document.text[done:], 0, None


def found_by(span: Span) -> str:
    return f"{span.source}, {span.rule}" if span.rule else span.source


def marked_page(texts: Sequence[Document], meaning: Meaning, *, plan_decides: bool) -> bytes:
    """The page as it is written into the owner's folder. Holds personal data.

    `meaning` tells of a type what happens to it (remove, joint or leave) and what it is in words.
    """
    found: Counter[tuple[str, str]] = Counter(
        (span.type, found_by(span)) for text in texts for span in text.mentions
    )
    shown: list[dict[str, Any]] = [
        {"name": text.name, "pieces": list(pieces(text)), "spans": text.mentions} for text in texts[:MOST]
    ]
    page = render(
        "marked.html.jinja",
        texts=shown,
        left=max(0, len(texts) - MOST),
        found=found.most_common(),
        found_by=found_by,
        meaning=meaning,
        plan_decides=plan_decides,
    )
    return page.encode("utf-8", "xmlcharrefreplace")
