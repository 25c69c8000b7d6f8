"""A replacement agrees with its context; a small grammar reads generated sentences."""

from __future__ import annotations

import re
from itertools import product

import pytest

from heteronym.knowledge.inflect import Use, fitted
from heteronym.knowledge.nouns import article_for, plural, singular


def rewritten(text: str, word: str, replacement: str, use: Use = Use()) -> str:  # noqa: B008
    begin = text.index(word)
    start, end, new = fitted(replacement, text, begin, begin + len(word), use=use)
    return text[:start] + new + text[end:]


@pytest.mark.parametrize(
    ("text", "word", "replacement", "expected"),
    [
        ("She is an engineer.", "engineer", "worker", "She is a worker."),
        ("She is a worker.", "worker", "engineer", "She is an engineer."),
        ("An engineer came.", "engineer", "worker", "A worker came."),
        ("in the virtues of markets", "virtues", "quality", "in the qualities of markets"),
        ("He met Berlin's mayor.", "Berlin", "German city", "He met a German city's mayor."),
        ("He met Berlin's mayor.", "Berlin's", "German city", "He met a German city's mayor."),
        ("Berlin’s mayor came.", "Berlin", "German city", "A German city’s mayor came."),
        ("She lives in Tarragona.", "Tarragona", "Spain", "She lives in Spain."),
        ("She lives in Miami.", "Miami", "United States", "She lives in the United States."),
        ("He loves the Bronx.", "Bronx", "New York", "He loves New York."),
        ("Uses marijuana daily", "marijuana", "soft drug", "Uses a soft drug daily"),
        ("for phantom limb pain", "phantom limb pain", "pain", "for pain"),
        ("a three-foot trip", "foot", "linear unit", "a three-linear unit trip"),
        ("to keep such Democrats in office", "Democrats", "politician", "to keep such politicians in office"),
        ("took 15 seconds.", "seconds", "time unit", "took 15 time units."),
        ("The engineers' union", "engineers", "person", "The people's union"),
        ("The children's toys", "children", "worker", "The workers' toys"),
        ("James' car is red", "James", "person", "A person's car is red"),
        ("She said 'three engineers' and left", "engineers", "person", "She said 'three people' and left"),
        ("He bought a hammer.", "hammer", "equipment", "He bought equipment."),
        ("WE WENT TO BERLIN AGAIN", "BERLIN", "German city", "WE WENT TO A GERMAN CITY AGAIN"),
        ("He is ill. Diabetes is hard.", "Diabetes", "disease", "He is ill. Disease is hard."),
        ("a smell of gases", "gases", "state of matter", "a smell of states of matter"),
        ("He met an old engineer.", "engineer", "worker", "He met an old worker."),
        ("Her name is Ann.", "Ann", "[PERSON]", "Her name is [PERSON]."),
    ],
)
def test_number_article_capitals_and_possessive_follow_the_context(
    text: str, word: str, replacement: str, expected: str
) -> None:
    assert rewritten(text, word, replacement) == expected


def test_what_a_parse_knows_comes_first() -> None:
    assert rewritten("our Berlin office", "Berlin", "city", Use(modifier=True)) == "our city office"
    assert rewritten("I saw Texas", "Texas", "state", Use(plural=False, proper=True)) == "I saw a state"


@pytest.mark.parametrize(
    ("word", "many"),
    [
        ("quality", "qualities"),
        ("policewoman", "policewomen"),
        ("human", "humans"),
        ("state of matter", "states of matter"),
        ("analysis", "analyses"),
        ("city in Spain", "cities in Spain"),
        ("virus", "viruses"),
        ("box", "boxes"),
        ("wife", "wives"),
        ("German city", "German cities"),
        ("church", "churches"),
        ("person", "people"),
        ("toy", "toys"),
    ],
)
def test_a_plural_comes_back_as_its_singular(word: str, many: str) -> None:
    assert plural(word) == many
    if " of " not in word and " in " not in word:
        assert singular(many) == word


def test_the_article_follows_the_sound() -> None:
    an = "hour honest umbrella MRI FBI X-ray 8 11 18 uncle uninvited heir ultrasound engineer 80-year-old"
    a = "unit university European US NATO user one-off house utensil Ukrainian urologist 10 100 union euro"
    assert {article_for(word) for word in an.split()} == {"an"}
    assert {article_for(word) for word in a.split()} == {"a"}


FRAMES = [
    "Yesterday {} was here.",
    "{} was here.",
    "We heard of {}.",
    "They saw {}'s house.",
    "It was about {}, he said.",
    "He talked with {} and left.",
    "Was {} there?",
]
ORIGINALS = [
    ("Berlin", False),
    ("an engineer", False),
    ("the engineer", False),
    ("engineers", True),
    ("three nurses", True),
    ("his wife", False),
    ("these viruses", True),
    ("an hour", False),
    ("Siemens", False),
    ("a unit", False),
    ("marijuana", False),
]
REPLACEMENTS = [
    "worker",
    "engineer",
    "hour",
    "university",
    "city",
    "German city",
    "equipment",
    "person",
    "state of matter",
    "illness",
    "information",
    "analysis",
    "organization",
    "user",
    "animal",
    "medical practitioner",
]
COUNTABLE = set(REPLACEMENTS) - {"equipment", "information", "illness"}  # the last may have an article
# A grammar of its own: what may stand where a noun phrase stood, by number.
VOWEL = re.compile(r"(?:[aeio]|hour|u(?!ni|se))", re.I)


@pytest.mark.parametrize("replacement", REPLACEMENTS)
def test_generated_sentences_are_grammatical(replacement: str) -> None:
    for frame, (original, many) in product(FRAMES, ORIGINALS):
        sentence = frame.format(original)
        if frame.startswith("{"):
            sentence = sentence[:1].upper() + sentence[1:]
        head = re.split(r" ", original)[-1]
        position = sentence.lower().index(original.lower()) + len(original) - len(head)
        start, end, new = fitted(replacement, sentence, position, position + len(head))
        result = sentence[:start] + new + sentence[end:]
        assert result[0].isupper(), result
        assert "  " not in result
        for article, following in re.findall(r"\b([Aa]n?) (\w+)", result):
            assert (article.lower() == "an") == bool(VOWEL.match(following)), result
        many_form = re.escape(plural(replacement))
        if many:
            assert re.search(rf"\b{many_form}", result, re.I), result
            assert not re.search(rf"\ban? {many_form}\b", result, re.I), result
        elif replacement in COUNTABLE:
            assert re.search(rf"\b(?:an?|the|his) {re.escape(replacement)}\b", result, re.I), result
        else:
            assert not re.search(r"\ban? (?:equipment|information)\b", result), result
        assert not (many and re.search(r"s's\b", result)), result
        assert sentence[:start] + sentence[start:end] + sentence[end:] == sentence
