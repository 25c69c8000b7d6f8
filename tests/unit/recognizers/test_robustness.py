"""Bad input: no crash, exact offsets, work that grows with the length only."""

from __future__ import annotations

from itertools import pairwise

import pytest
from tests.counting import growth

from heteronym.text.combine import default_parts, pipeline
from heteronym.text.language import looks_english, not_english

ODD = {
    "empty": "",
    "blank": " \t\n ",
    "control": "\x00\x01Mr Smith\x07 was born on 14 May 2004\x1b[0m\r\n",
    "emoji": "👩‍👩‍👧 Mr Smith 😀 born on 14 May 2004 🇩🇪",
    "right-to-left": "‏مرحبا Mr Smith שלום 14 May 2004‏",
    "other scripts": "我叫王小明,住在北京。Меня зовут Иван.",
    "html": "<p class='x'>Mr Smith &amp; Co, <a href='http://x.org/?a=1'>14 May 2004</a></p>",
    "surrogate": "Mr Smith \ud800 14 May 2004",
    "combining": "Mr Smi\u0301th 14 May 2004",
    "no spaces": "MrSmith14May2004" * 50,
    "brackets": "([{<“‘" * 200,
    "digits": "1" * 5000,
    "capitals": "A " * 3000,
    "dots": "J. " * 2000,
    "hyphens": "a-" * 3000,
    "names": "Anna Maria " * 1000,
    "months": "May " * 2000,
    "years": "1999, " * 1000,
    "courts": "Court of the " * 1000,
    "articles": "Article 5 § 1 and " * 500,
}


@pytest.mark.parametrize("name", sorted(ODD))
def test_odd_texts_are_read_without_a_crash(name: str) -> None:
    text = ODD[name]
    spans = pipeline("none").recognize([text])[0]
    assert all(0 <= s.start < s.end <= len(text) for s in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


@pytest.mark.parametrize("name", ["control", "emoji", "right-to-left", "html", "surrogate"])
def test_the_mentions_are_found_at_their_places(name: str) -> None:
    text = ODD[name]
    surfaces = {text[s.start : s.end] for s in pipeline("none").recognize([text])[0]}
    assert {"Mr Smith", "14 May 2004"} <= surfaces


def test_a_text_of_a_megabyte_costs_what_its_length_costs() -> None:
    sentence = (
        "On 14 May 2004 Mr Karsten Trippel, a lawyer from Ankara, paid EUR 1,300 to the Kartal Civil Court. "
    )
    recognizer = pipeline("none")
    assert len(recognizer.recognize([sentence * 10_000])[0]) >= 5 * 10_000
    assert growth(lambda n: recognizer.recognize([sentence * n]), 100) < 6


@pytest.mark.parametrize("part", default_parts())
def test_long_runs_do_not_make_a_rule_backtrack(part: str) -> None:
    from heteronym.registry import recognizers

    rule = recognizers.build(part)
    for piece in (
        "Aa ",
        "a ",
        "1 ",
        "1.",
        "I ",
        "Mr ",
        "the Aa of ",
        "no. 1, ",
        "Aa, ",
        "May 1 and ",
        "a-",
        "was a aa bb ",
    ):
        text = piece * 20_000
        assert all(0 <= s.start < s.end <= len(text) for s in rule.recognize([text])[0])
        assert growth(lambda n, piece=piece: rule.recognize([piece * n]), 300) < 6, piece


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("I went to the shop and it was closed, so we had to go home.", True),
        ("Ich bin heute nicht in die Schule gegangen, weil ich krank war und der Arzt das sagte.", False),
        ("Je ne sais pas ce que vous voulez dans cette maison avec les enfants.", False),
        ("Меня зовут Иван, я живу в Москве.", False),
        ("我住在北京", False),
        ("Patient aus Köln, 40 Jahre alt, klagt über Husten.", False),
        ("ok", None),
        ("12345 !!", None),
        ("", None),
    ],
)
def test_the_language_of_a_text_is_told_or_left_open(text: str, verdict: bool | None) -> None:
    assert looks_english(text) is verdict


def test_rows_in_another_language_are_counted() -> None:
    rows = (
        ["I went to the shop and it was closed."] * 3
        + ["Ich bin nicht in die Schule gegangen."]
        + [None, "ok"]
    )
    assert not_english(rows) == 1
