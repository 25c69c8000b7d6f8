"""What the rule recognizers find and what they leave alone: a file of cases per recognizer.

Below "# finds TYPE" a case is a text with the expected mention in [brackets]; below "# leaves TYPE" it must
give nothing of that type. ⏎ stands for the end of a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.settle import settle

Case = tuple[str, str, str]  # recognizer, type, text


def cases(wanted: str) -> Iterator[Case]:
    for path in sorted((Path(__file__).parent / "cases").glob("*.txt")):
        verb = kind = ""
        for line in filter(None, path.read_text("utf-8").split("\n")):
            if line.startswith("# "):
                _, verb, kind = line.split(" ")
                assert verb in ("finds", "leaves"), f"{path.name}: {verb}"
            elif verb == wanted:
                yield path.stem, kind, line.replace("⏎", "\n")


FOUND, NOTHING = list(cases("finds")), list(cases("leaves"))


def found(part: str, text: str) -> list[Span]:
    """What the part settles on by itself: longest first."""
    spans = recognizers.build(part).recognize([text])[0]
    return settle(text, [(0, span) for span in spans])


@pytest.mark.parametrize(("part", "type", "case"), FOUND)
def test_what_stands_in_brackets_is_found(part: str, type: str, case: str) -> None:
    start = case.index("[")
    end = case.rindex("]")
    text = case[:start] + case[start + 1 : end] + case[end + 1 :]
    mine = [(s.start, s.end) for s in found(part, text) if s.type == type]
    assert (start, end - 1) in mine, [text[a:b] for a, b in mine]


@pytest.mark.parametrize(("part", "type", "case"), NOTHING)
def test_what_is_no_mention_is_left_alone(part: str, type: str, case: str) -> None:
    assert [case[s.start : s.end] for s in found(part, case) if s.type == type] == []


def test_every_rule_recognizer_has_a_table() -> None:
    from heteronym.text.combine import default_parts

    assert {part for part, _, _ in FOUND} == set(default_parts())


@pytest.mark.parametrize("part", sorted({part for part, _, _ in FOUND}))
def test_offsets_are_exact_whatever_the_text_is_made_of(part: str) -> None:
    lines = [re.sub(r"[\[\]]", "", case) for p, _, case in FOUND if p == part]
    plain = recognizers.build(part).recognize(lines)
    edges = ["\n" if "\n" in line else "" for line in lines]  # lines stay lines
    odd = [f"😀\u200f‏مرحبا <b>\x00{edge}{line}{edge}</b>\u2028 🏳️‍🌈" for edge, line in zip(edges, lines)]
    for text, spans, line, expected in zip(odd, recognizers.build(part).recognize(odd), lines, plain):
        assert all(0 <= s.start < s.end <= len(text) for s in spans)
        shift = text.index(line)
        inside = {(s.start - shift, s.end - shift, s.type) for s in spans}
        wanted = {(s.start, s.end, s.type) for s in expected if s.end < len(line) and s.start > 0}
        assert wanted <= inside
