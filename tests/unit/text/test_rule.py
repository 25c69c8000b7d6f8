"""Rules are tried at their triggers only, and find what they find everywhere."""

from __future__ import annotations

import importlib.util
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.recognizers.test_rules import FOUND

from heteronym.text.combine import pipeline
from heteronym.text.index import Index, index_of
from heteronym.text.rule import Rule, find
from heteronym.text.triggers import CAPITAL, DIGIT, LINE, NUMBER, folded, trigger_of

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "training"))

from derive_triggers import derive  # noqa: E402


def naive(one: Rule, text: str) -> list[tuple[int, int]]:
    group = "m" if "(?P<m>" in one.expression else 0
    return [
        match.span(group)
        for match in re.finditer(one.expression, text)
        if (one.check is None or one.check(match)) and match.end(group) > match.start(group)
    ]


def found(one: Rule, text: str) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in find([text], (one,), source="test")[0]]


def make_reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_reference", ROOT / "docs" / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True, scope="module")
def _triggers_of_new_patterns() -> Iterator[None]:
    """Patterns of the tests are tried at their triggers like those of the package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "heteronym.text.rule.trigger_of", lambda pattern: trigger_of(pattern) or derive(pattern)
        )
        yield


FILLER = " nothing to see here" * 12 + ". "
EXAMPLES = [re.sub(r"[\[\]]", "", case) for _, _, case in FOUND]


@pytest.mark.parametrize("one", make_reference().rules(), ids=lambda one: one.name)
def test_a_rule_of_the_package_finds_what_its_pattern_finds(one: Rule) -> None:
    for text in (FILLER.join(EXAMPLES), "\n".join(EXAMPLES), *EXAMPLES):
        assert found(one, text) == naive(one, text)


# Patterns made of what rules are made of, and texts in which they can match.
PIECES = st.sampled_from(
    [
        *("ab", "Ab", "cab", "b", "the", "-", "/", "é", "_", r"\.", r"\d", r"\d{1,2}", r"\d+", "[A-Z]"),
        *("[A-Z][a-z]+", "[Aa]b", "[12]", "[ab]", r"\s", r"\s?", r"\s+", r"[-\s]", r"\w+", r"[^a]", "1b"),
        *(r"\b", r"(?<!\w)", r"(?!\w)", r"(?<=ab\s)", r"(?<=\n)", "(?=b)", r"(?=\s\d)", r"(?<![/\w])", "^"),
        *("(?m:^)", "$", r"(?![a-z])", r"(?<![\d.])", r"\B", "(?:^|(?<=\n))", "[Ii]", "(?:i|s)", "\n"),
    ]
)


def joined(parts: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    several = st.lists(parts, min_size=2, max_size=4)
    return st.one_of(
        several.map("".join),
        several.map(lambda some: f"(?:{'|'.join(some)})"),
        parts.map(lambda one: f"(?:{one})?"),
        parts.map(lambda one: f"(?:{one}){{1,2}}"),
        parts.map(lambda one: f"(?:{one}){{0,3}}"),
        parts.map(lambda one: f"(?i:{one})"),
        parts.map(lambda one: f"(?={one})"),
        parts.map(lambda one: f"(?!{one})"),
    )


CONSUMING = st.sampled_from(["ab", "[Bb]", r"\d", "[A-Z]", r"\w", "-", r"(?P<m>\w\s)"])
MANY = st.recursive(PIECES, joined, max_leaves=8)
PATTERNS = st.one_of(st.tuples(CONSUMING, MANY), st.tuples(MANY, CONSUMING)).map("".join)
WORDS = "ab Ab b a the The cab B 1 12 3 - / . _ é É İ ſ ı 1b ABC is IS".split()
TEXTS = st.lists(st.sampled_from([*WORDS, *"    ", "\n"]), max_size=12).map("".join)


@settings(max_examples=1500, deadline=None)
@given(PATTERNS, TEXTS)
def test_any_rule_finds_what_its_pattern_finds(pattern: str, text: str) -> None:
    one = Rule("any", pattern, "CODE", 0.5)
    assert found(one, text) == naive(one, text)


def test_triggers_are_the_rarest_words_of_a_pattern() -> None:
    aged = derive(r"(?<!\w)(?:[Aa]ged|[Aa]ge\sof)\s\d+")
    assert aged is not None
    assert (aged.words, aged.low, aged.high) == ({"aged", "age"}, 0, 0)
    whose = derive(r"\b(?:my|his)\s(?:sister|brother)s?\b")
    assert whose is not None
    assert whose.words == {"sister", "sisters", "brother", "brothers"}
    assert (whose.low, whose.high) == (3, 4)


@pytest.mark.parametrize(
    ("pattern", "words", "strings", "kinds"),
    [
        (r"\d{4}-\d\d", [], ["-"], []),
        (r"(?<!\w)\d{4}", [], [], [NUMBER]),
        (r"x?\d{4}", [], [], [DIGIT]),
        (r"\b[A-Z][a-z]+", [], [], [CAPITAL]),
        (r"(?i:\b[A-Z]+)!", [], ["!"], []),
        (r"(?m:^)\s*\w+", [], [], [LINE]),
        (r"ddress\w*", [], ["ddress"], []),
        (r"(?<=\bMr\s)\w+", ["mr"], [], []),
        (r"\w+(?=\skg\b)", ["kg"], [], []),
    ],
)
def test_triggers_of_small_patterns(
    pattern: str, words: list[str], strings: list[str], kinds: list[str]
) -> None:
    trigger = derive(pattern)
    assert trigger is not None
    assert (sorted(trigger.words), sorted(trigger.strings), sorted(trigger.kinds)) == (words, strings, kinds)


def test_what_may_begin_with_anything_has_no_trigger() -> None:
    assert derive(r"\w+") is None
    assert derive(r"(?:ab)?\w+") is None
    one = Rule("word", r"\w{2,}", "CODE", 0.5)
    assert found(one, "ab c def") == [(0, 2), (5, 8)]


@given(st.text(max_size=60))
def test_an_index_tells_where_words_begin(text: str) -> None:
    index = Index(text)
    assert len(index.folded) == len(text)
    places = sorted((place, word) for word, at in index.words.items() for place in at)
    assert places == [(m.start(), m.group()) for m in re.finditer(r"[^\W\d_]+", index.folded)]
    assert index.kind(NUMBER) == [m.start() for m in re.finditer(r"\d+", text)]


def test_small_letters_keep_every_place() -> None:
    every = "".join(map(chr, (*range(0xD800), *range(0xE000, 0x20000))))
    assert len(folded(every)) == len(every)
    for letter in "Kkſsİiıé":
        assert re.fullmatch(re.escape(folded(letter)), letter, re.IGNORECASE) or unicodedata.combining(letter)


def test_no_text_is_remembered_after_it_was_read() -> None:
    pipeline("none").recognize(["Pedro lives in Berlin.", "Maria is 36 years old."])
    assert index_of.cache_info().currsize == 0
