"""Every span says which rule found it; the names are plain, stable and told apart."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from tests.unit.recognizers.test_rules import FOUND

import heteronym.knowledge
from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.cache import Cached
from heteronym.text.combine import default_parts, pipeline
from heteronym.text.entities import follow_names
from heteronym.text.guards import KEYS
from heteronym.text.lexicon import lexicon
from heteronym.text.lines import _HEAD_LAST
from heteronym.text.propagate import propagate
from heteronym.text.recognizers._labels import cleaned
from heteronym.text.recognizers.patterns import Patterns
from heteronym.text.recognizers.words import Words
from heteronym.text.rule import Rule, find
from heteronym.text.settle import settle

LETTER = """Dear Maria,
My name is Karsten Trippel, I am 36 years old, divorced, and work as a nurse at the Kartal State Hospital.
I grew up by Lake Ontario. Friends of mine love Atlanta, Georgia. On 3 May 2001 at 5:30 p.m. Mr Trippel paid
EUR 1,200 (12.5 %) to Acme Widgets Ltd under Article 34 of the Convention; the Supreme Court ruled, file no.
12345/06, on 571 complaints. She speaks Polish and is a Turkish woman of Kurdish origin who suffers from
diabetes and arthritis. Write to karsten@example.org, call +49 30 123456, see @trippel, 221 Baker Street,
London NW1 6XE, or charge 4111 1111 1111 1111.
I asked Trippel again."""


ROWS = {
    path.stem: [
        row["name"]
        for table in tomllib.loads(path.read_text("utf-8")).values()
        if isinstance(table, list)
        for row in table
    ]
    for path in sorted(Path(heteronym.knowledge.__path__[0], "en").glob("*.toml"))
}


@pytest.mark.parametrize("file", ROWS)
def test_names_of_rules_are_unique_within_a_recognizer(file: str) -> None:
    assert [name for name, times in Counter(ROWS[file]).items() if times > 1] == []


@pytest.mark.parametrize("file", ROWS)
def test_names_of_rules_are_plain_words_in_lower_case(file: str) -> None:
    # Patterns have backslashes and brackets: a rule whose name was forgotten is seen here, too.
    assert [name for name in ROWS[file] if not re.fullmatch(r"[a-z][a-z', -]{2,39}", name)] == []


@pytest.mark.parametrize("file", ROWS)
def test_every_rule_compiles_although_few_are_compiled_at_first(file: str) -> None:
    for row in lexicon(file).rows("rules"):
        pattern = re.compile(lexicon(file).expanded(row["pattern"]))
        assert ("m" in pattern.groupindex) == ("(?P<m>" in pattern.pattern)


@pytest.mark.parametrize("file", ROWS)
def test_a_row_has_no_key_that_nobody_reads(file: str) -> None:
    known = {"name", "type", "score", "pattern", "finds", "leaves", *KEYS}
    assert [row["name"] for row in lexicon(file).rows("rules") if not known >= row.keys()] == []


def test_rules_that_are_named_elsewhere_exist() -> None:
    assert {name for names in ROWS.values() for name in names} >= _HEAD_LAST


def test_a_rule_puts_its_name_into_its_spans() -> None:
    rules = (Rule("capital b", "B", "X", 0.5), Rule("letter c", "(?P<m>c)d", "Y", 0.7))
    assert find(["aBcd"], rules, source="s") == [
        [Span(1, 2, "X", 0.5, "s", "capital b"), Span(2, 3, "Y", 0.7, "s", "letter c")]
    ]


@pytest.mark.parametrize("part", default_parts())
def test_every_part_names_a_rule_for_every_span(part: str) -> None:
    lines = [re.sub(r"[\[\]]", "", case) for p, _, case in FOUND if p == part]
    found = recognizers.build(part).recognize([*lines, LETTER])
    assert any(found)
    assert [span for spans in found for span in spans if not span.rule] == []


def test_the_default_pipeline_names_a_rule_for_every_mention_of_a_letter() -> None:
    spans = pipeline("none").recognize([LETTER])[0]
    assert len({span.source for span in spans}) >= 14
    assert [span for span in spans if not span.rule] == []
    told = {LETTER[span.start : span.end]: (span.source, span.rule) for span in spans}
    assert told["Mr Trippel"] == ("names", "title and name")
    assert told["karsten@example.org"] == ("structured", "mail address")
    assert told["4111 1111 1111 1111"] == ("structured", "number of a payment card")
    assert told["+49 30 123456"] == ("phones", "shape of a telephone number")
    assert told["Atlanta, Georgia"] == ("places", "gazetteer and state")
    assert told["Trippel"] == ("names", "part of a name")


def test_cards_of_rare_lengths_are_told_by_their_checksum() -> None:
    spans = recognizers.build("structured").recognize(["card 6304 0000 0000 0000 00 of mine"])[0]
    assert ("CARD", "card number by checksum") in {(span.type, span.rule) for span in spans}


def test_the_owners_own_lists_and_patterns_are_named() -> None:
    assert Words({"TEAM": ("red",)}).recognize(["Red"]) == [[Span(0, 3, "TEAM", 1.0, "words", "word list")]]
    assert Patterns({"T": "a+"}).recognize(["aa"]) == [[Span(0, 2, "T", 1.0, "patterns", "pattern")]]


def test_a_model_s_mention_keeps_the_label_that_the_model_gave() -> None:
    text = "Jane Roe met the Acme Works in Rome."
    found = [(0, 8, "PER", 0.9), (17, 27, "company name", 0.9), (31, 35, "LOC", 0.9)]
    spans = cleaned(text, found, source="m", types={"company name": "ORG"})
    assert [(span.type, span.rule) for span in spans] == [
        ("PERSON", "PER"),
        ("ORG", "company name"),
        ("GPE", "LOC"),
    ]


def test_a_further_occurrence_names_the_rule_that_found_the_term_first() -> None:
    texts = ["Mr Roe and Mr Roe", "mr roe"]
    found = [[Span(0, 6, "PERSON", 0.5, "a", "first"), Span(11, 17, "PERSON", 0.9, "b", "second")], []]
    whole = propagate(texts, found, is_direct=lambda kind: False)
    assert whole[1] == [Span(0, 6, "PERSON", 0.9, "propagated", "first")]


def test_a_part_of_a_name_in_another_text_is_named_as_such() -> None:
    texts = ["Karsten Trippel", "saw Trippel"]
    found = follow_names(texts, [[Span(0, 15, "PERSON", 1.0, "x", "y")], []])
    assert [(span.source, span.rule) for span in found[1]] == [("names", "part of a name")]


def test_the_cache_keeps_rules(tmp_path: Path) -> None:
    part = Cached(recognizers.build("names"), str(tmp_path))
    first = part.recognize(["Mr Smith came."])
    assert [span.rule for span in first[0]] == ["title and name"]
    assert part.recognize(["Mr Smith came."]) == first


def test_what_wins_does_not_depend_on_the_order_of_finding() -> None:
    one, two = (0, Span(0, 3, "X", 0.5, "a", "r")), (0, Span(0, 3, "X", 0.5, "b", "q"))
    assert settle("abc", [one, two]) == settle("abc", [two, one]) == [one[1]]
