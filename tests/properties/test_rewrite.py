from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heteronym.errors import UsageError
from heteronym.model.mention import Mentions
from heteronym.model.recoding import placeholder
from heteronym.model.terms import Term
from tests.naive.rewriting import rewritten
from tests.unit.reading.data import rewrite

Edit = tuple[int, int, str | None]


@st.composite
def edited_texts(draw: st.DrawFn) -> list[tuple[str | None, list[Edit]]]:
    rows: list[tuple[str | None, list[Edit]]] = []
    for text in draw(st.lists(st.none() | st.text(max_size=40), max_size=6)):
        cuts = sorted(draw(st.sets(st.integers(0, len(text or "")), max_size=8)))
        spans = list(zip(cuts[::2], cuts[1::2]))
        rows.append((text, [(a, b, draw(st.none() | st.sampled_from(["[X]", "", "é🙂"]))) for a, b in spans]))
    return rows


def mentions(rows: list[tuple[str | None, list[Edit]]], column: int = 0) -> Mentions:
    flat = [(row, a, b) for row, (_, edits) in enumerate(rows) for a, b, _ in edits]
    count = len(flat)
    return Mentions(
        columns=("text", "other"),
        types=("X",),
        sources=("test",),
        rules=("",),
        links=(),
        terms=(Term("X", "x"),),
        row=np.array([row for row, _, _ in flat], np.int32),
        column=np.full(count, column, np.int16),
        start=np.array([a for _, a, _ in flat], np.int32),
        end=np.array([b for _, _, b in flat], np.int32),
        type=np.zeros(count, np.int16),
        term=np.zeros(count, np.int32),
        score=np.ones(count, np.float32),
        source=np.zeros(count, np.int16),
        rule=np.zeros(count, np.int16),
        status=np.zeros(count, np.int8),
        spelling=np.zeros(count, np.int32),
        link=np.full(count, -1, np.int16),
    )


@given(edited_texts())
def test_rewriting_agrees_with_its_naive_twin(rows: list[tuple[str | None, list[Edit]]]) -> None:
    replacements = [replacement for _, edits in rows for _, _, replacement in edits]
    got = rewrite([text for text, _ in rows], mentions(rows), replacements, column="text")
    assert got == [None if text is None else rewritten(text, edits) for text, edits in rows]


@given(edited_texts())
def test_nothing_outside_a_mention_ever_changes(rows: list[tuple[str | None, list[Edit]]]) -> None:
    count = sum(len(edits) for _, edits in rows)
    got = rewrite([text for text, _ in rows], mentions(rows), ["\x00"] * count, column="text")
    for (text, edits), changed in zip(rows, got):
        if text is None:
            assert changed is None
            continue
        borders = [0, *(place for a, b, _ in edits for place in (a, b)), len(text)]
        outside = [text[a:b] for a, b in zip(borders[::2], borders[1::2])]
        assert changed == "\x00".join(outside)


@given(edited_texts())
def test_keeping_every_mention_gives_the_texts_back(rows: list[tuple[str | None, list[Edit]]]) -> None:
    count = sum(len(edits) for _, edits in rows)
    texts = [text for text, _ in rows]
    assert rewrite(texts, mentions(rows), [None] * count, column="text") == texts
    assert rewrite(texts, mentions(rows, column=1), ["y"] * count, column="text") == texts


def test_a_mention_outside_its_text_is_refused_without_showing_it() -> None:
    rows: list[tuple[str | None, list[Edit]]] = [("secret", [(0, 9, "[X]")])]
    with pytest.raises(UsageError, match="row 1") as caught:
        rewrite(["secret"], mentions(rows), ["[X]"], column="text")
    assert "secret" not in str(caught.value)


def test_a_placeholder_names_the_type() -> None:
    assert placeholder("PERSON") == "[PERSON]"


def test_somebody_may_be_called_an() -> None:
    rows: list[tuple[str | None, list[Edit]]] = [
        ("An Abernethy has an apple.", [(0, 2, "[P]"), (3, 12, "[P]"), (20, 25, "[X]")]),
        ("An Abernethy has an apple.", [(0, 12, "[P]"), (20, 25, None)]),
    ]
    found = mentions(rows)
    texts = rewrite([text for text, _ in rows], found, [new for _, e in rows for *_, new in e], column="text")
    assert texts == ["[P] [P] has a [X].", "[P] has an apple."]
