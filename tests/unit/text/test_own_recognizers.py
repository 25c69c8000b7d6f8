from __future__ import annotations

import socket
from pathlib import Path

import pytest

from heteronym.errors import PlanError
from heteronym.registry import recognizers
from heteronym.text.owner_lists import read_word_list
from heteronym.text.recognizers.patterns import Patterns
from heteronym.text.recognizers.structured import Structured
from heteronym.text.recognizers.words import Words
from heteronym.text.settle import settle


@pytest.mark.parametrize("pattern", ["", "a*", r"\b", "(?=a)", "x|", "^", "(a?)(b?)"])
def test_a_pattern_that_matches_nothing_is_refused_by_its_type(pattern: str) -> None:
    with pytest.raises(PlanError, match="JOB"):
        Patterns({"JOB": pattern})


def test_a_pattern_that_does_not_compile_is_refused_without_showing_it() -> None:
    with pytest.raises(PlanError) as caught:
        Patterns({"NAME": "Secret(name"})
    assert "NAME" in str(caught.value)
    assert "Secret" not in str(caught.value)


def test_patterns_match_as_they_are_written() -> None:
    (spans,) = Patterns({"JOB": "engineer|cook"}).recognize(["Engineer, cook, engineers"])
    assert [(s.start, s.end, s.type, s.source) for s in spans] == [
        (10, 14, "JOB", "patterns"),
        (16, 24, "JOB", "patterns"),
    ]


def test_word_lists_find_whole_words_in_any_case() -> None:
    text = "real  MADRID beat Realmadrid; it was IT"
    (spans,) = Words({"TEAM": ("Real Madrid",), "ORG": ("IT",)}).recognize([text])
    assert [(text[s.start : s.end], s.type) for s in spans] == [("real  MADRID", "TEAM"), ("IT", "ORG")]


def test_the_repr_of_a_word_list_shows_its_size_only() -> None:
    assert "Madrid" not in repr(Words({"TEAM": ("Real Madrid",)}))


def test_word_lists_that_cannot_be_read_are_named_by_type(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="TEAM"):
        read_word_list("none.txt", type="TEAM", folder=tmp_path)
    (tmp_path / "empty.txt").write_text("\n# nothing\n", encoding="utf-8")
    with pytest.raises(PlanError, match="empty"):
        read_word_list("empty.txt", type="TEAM", folder=tmp_path)
    (tmp_path / "bad.txt").write_bytes(b"\xff\xfe\x00\xd8")
    with pytest.raises(PlanError, match="UTF-8"):
        read_word_list("bad.txt", type="TEAM", folder=tmp_path)


def structured(text: str) -> list[tuple[str, str]]:
    (spans,) = Structured().recognize([text])
    return [(s.type, text[s.start : s.end]) for s in settle(text, [(0, span) for span in spans])]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("write to jo.doe@example.com!", [("MAIL", "jo.doe@example.com")]),
        ("or a@intranet.local", [("MAIL", "a@intranet.local")]),
        ("see https://ex.com/a?b=1 now", [("URL", "https://ex.com/a?b=1")]),
        ("at www.foo.org.", [("URL", "www.foo.org")]),
        ("tired.So I went home.It was late", []),
        ("call +1 (212) 555-0123 today", [("PHONE", "+1 (212) 555-0123")]),
        ("or 020 7946 0958", [("PHONE", "020 7946 0958")]),
        ("from 192.168.0.1 and 2001:db8::1", [("IP", "192.168.0.1"), ("IP", "2001:db8::1")]),
        ("card 4111 1111 1111 1111", [("CARD", "4111 1111 1111 1111")]),
        ("card 630400000000", [("CARD", "630400000000")]),
        ("to DE89 3704 0044 0532 0130 00", [("IBAN", "DE89 3704 0044 0532 0130 00")]),
        ("my social security number is 536-90-4399", [("CODE", "536-90-4399")]),
        ("NHS number 943 476 5919", [("CODE", "943 476 5919")]),
        ("in SW1A 1AA and K1A 0B1", [("POSTCODE", "SW1A 1AA"), ("POSTCODE", "K1A 0B1")]),
        ("on 2004-05-14, 3,000,000 people of 36 years", []),
        ("🙂 a@b.org 🙂", [("MAIL", "a@b.org")]),
    ],
)
def test_structured_identifiers_are_found_with_their_checksums(
    text: str, expected: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the network was touched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert structured(text) == expected


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["patterns", "words", "structured"])
def test_recognizers_take_any_text(name: str) -> None:
    texts = ["", " ", "\x00", "🙂", "<a href='x'>y</a>", "שלום", "a" * 100_000, "1 " * 20_000]
    part = recognizers.build(name)
    found = part.recognize(texts)
    assert len(found) == len(texts)
    assert all(0 <= s.start < s.end <= len(text) for text, spans in zip(texts, found) for s in spans)
