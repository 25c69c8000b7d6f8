"""Texts with their mentions marked, what found each and why it counts: a page for the owner alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from heteronym.model.mention import Span
from heteronym.report.pages import render

Meaning = Callable[[str], tuple[str, str]]
MOST = 500  # texts on one page: a browser still opens it at once


class Marked(Protocol):
    @property
    def name(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def spans(self) -> Sequence[Span]: ...


def pieces(marked: Marked) -> Iterator[tuple[str, int, Span | None]]:
    """The text in order: what stands between mentions, and the mentions with their numbers from 1."""
    done = 0
    for number, span in enumerate(marked.spans, 1):
        if span.start > done:
            yield marked.text[done : span.start], 0, None
        yield marked.text[span.start : span.end], number, span
        done = span.end
    if done < len(marked.text):
        yield marked.text[done:], 0, None


def found_by(span: Span) -> str:
    return f"{span.source}, {span.rule}" if span.rule else span.source


def marked_page(texts: Sequence[Marked], meaning: Meaning, *, plan_decides: bool) -> bytes:
    """The page as it is written into the owner's folder. Holds personal data.

    `meaning` tells of a type what happens to it (remove, joint or leave) and what it is in words.
    """
    found: Counter[tuple[str, str]] = Counter(
        (span.type, found_by(span)) for text in texts for span in text.spans
    )
    shown: list[dict[str, Any]] = [
        {"name": text.name, "pieces": list(pieces(text)), "spans": text.spans} for text in texts[:MOST]
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
