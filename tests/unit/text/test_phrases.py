from __future__ import annotations

import pytest
from tests.counting import lines_executed

from heteronym.text.phrases import Phrases


def found(phrase: str, text: str, **forms: bool) -> list[str]:
    phrases: Phrases[int] = Phrases()
    phrases.add(phrase, 1, **forms)
    return [text[a:b] for a, b, _ in phrases.find(text)]


@pytest.mark.parametrize(
    ("phrase", "text", "expected"),
    [
        ("Pedro", "Pedro, PEDRO and pedro's", ["Pedro", "PEDRO", "pedro"]),
        ("Ben", "Bent Ruben Ben", ["Ben"]),
        ("New York", "new\n york, New-York, NewYork, New. York", ["new\n york", "New-York"]),
        ("O'Brien", "O’Brien and O Brien", ["O’Brien", "O Brien"]),
        ("IT", "IT says it is It", ["IT"]),
        ("Will", "Will you? I will.", ["Will"]),
        ("36", "36, 36.5 1,36 36. 1936 (36)", ["36", "36", "36"]),
        ("a.b@c.de", "mail A.B@c.de or a b c de", ["A.B@c.de"]),
        ("東京", "私は東京に", ["東京"]),
        ("שלום", "אמר שלום לך", ["שלום"]),
        ("C++", "C is not C++", ["C++"]),
        ("José", "Jose and jose_luis", ["Jose", "jose"]),
        ("😀", "😀", []),
    ],
)
def test_whole_words_are_found_in_every_spelling(phrase: str, text: str, expected: list[str]) -> None:
    assert found(phrase, text) == expected


def test_plural_and_singular_are_found_if_asked_for() -> None:
    text = "engineer engineers boxes cities city"
    assert found("engineer", text) == ["engineer"]
    assert found("engineer", text, plural=True) == ["engineer", "engineers"]
    assert found("city", text, plural=True) == ["cities", "city"]
    assert found("engineers", text, singular=True) == ["engineer", "engineers"]


def test_the_longest_phrase_wins_at_its_place() -> None:
    phrases: Phrases[str] = Phrases()
    for name in ("new", "new york", "york times", "new york city"):
        phrases.add(name, name)
    assert [p for _, _, p in phrases.find("new york times")] == ["new york"]
    overlapping = [p for _, _, p in phrases.find("new york times", overlapping=True)]
    assert overlapping == ["new york", "york times"]


def test_a_hundred_thousand_words_are_found_in_one_pass() -> None:
    text = "the word7 x is here and the rest is not " * 200

    def work(known: int) -> int:
        phrases: Phrases[int] = Phrases()
        for number in range(known):
            phrases.add(f"the word{number} x", number)
        assert len(phrases.find(text)) == 200
        return lines_executed(lambda: phrases.find(text))

    assert work(100_000) == work(100)
