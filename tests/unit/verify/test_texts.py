"""What stands in the place of mentions, read off the released text alone."""

from __future__ import annotations

import random

import pytest

from heteronym.knowledge.inflect import labelled
from heteronym.model.edit import Edit, edited
from heteronym.verify.texts import Shown, core, read, shown_as


def spans_of(text: str, *mentions: tuple[str, str]) -> list[tuple[int, int, str]]:
    found, at = [], 0
    for surface, kind in mentions:
        at = text.index(surface, at)
        found.append((at, at + len(surface), kind))
        at += len(surface)
    return found


@pytest.mark.parametrize(
    ("original", "released", "mention", "expected"),
    [
        ("He is an engineer here.", "He is a professional here.", ("engineer", "JOB"), "professional"),
        ("He is an engineer here.", "He is a [JOB] here.", ("engineer", "JOB"), "[JOB]"),
        ("on 14 May 2004 we", "in May 2004 we", ("14 May 2004", "DATE"), "May 2004"),
        ("in the Netherlands now", "in a European country now", ("Netherlands", "GPE"), "European country"),
        ("the Netherlands won", "A European country won", ("the Netherlands", "GPE"), "European country"),
        ("Siemens' office", "A company's office", ("Siemens", "ORG"), "company"),
        ("Berlin's zoo", "A German city's zoo", ("Berlin", "GPE"), "German city"),
        ("an engineer", "an engineer", ("engineer", "JOB"), "engineer"),
        ("came on 3 May", "came on [DATE]", ("3 May", "DATE"), "[DATE]"),
    ],
)
def test_labels_are_read_without_what_agrees_with_them(
    original: str, released: str, mention: tuple[str, str], expected: str
) -> None:
    told = read(original, released, spans_of(original, mention))
    assert told is not None
    assert [reading.text for reading in told] == [expected]
    assert released[told[0].start : told[0].end] == expected
    assert told[0].changed is (original != released)


@pytest.mark.parametrize(
    ("original", "released"),
    [
        ("He is an engineer here.", "He is not a professional here."),
        ("He met an engineer here.", "He met a professional there."),
        ("on Friday an engineer", "Friday a professional"),
        ("of engineers' pay", "of professionals pay"),
    ],
)
def test_a_word_that_came_or_went_is_noticed(original: str, released: str) -> None:
    surface = "engineers" if "engineers" in original else "engineer"
    told = read(original, released, spans_of(original, (surface, "JOB")))
    assert told is None or told[0].text not in ("professional", "professionals")


def test_of_two_adjoining_labels_the_written_ones_are_read() -> None:
    original, released = "Berlin engineer came", "a German city a professional came"
    spans = spans_of(original, ("Berlin", "GPE"), ("engineer", "JOB"))
    written = frozenset(map(core, ["a German city", "a professional"]))
    told = read(original, released, spans, written=written)
    assert told is not None
    assert [reading.text for reading in told] == ["German city", "professional"]


WORDS = "the a an on in of with , . and old he she said then 's came".split()
MENTIONS = [("Berlin", "GPE"), ("engineers", "JOB"), ("14 May 2004", "DATE"), ("the Netherlands", "GPE")]
LABELS = {"GPE": ["German city", "[GPE]", "Netherlands"], "JOB": ["professionals", "[JOB]"]}
LABELS["DATE"] = ["May 2004", "the 2000s", "[DATE]", "14 May 2004"]


@pytest.mark.parametrize("seed", range(500))
def test_what_was_put_there_is_read_back(seed: int) -> None:
    rng = random.Random(seed)
    text, spans, labels = "", [], []
    for _ in range(rng.randint(1, 5)):
        surface, kind = rng.choice(MENTIONS)
        words = rng.choices(WORDS, k=rng.randint(1, 4))
        if surface.startswith("the "):
            words.append("with")  # two articles make no sense
        text += " ".join(words) + " "
        spans.append((len(text), len(text) + len(surface), kind))
        labels.append(rng.choice([*LABELS[kind], None]))
        text += surface + rng.choice(["", "'s", ","]) + " "
    edits = []
    for label, (start, end, _) in zip(labels, spans, strict=True):
        if label is not None:
            first, last, written = labelled(label, text, start, end)
            edits.append(Edit(first, last, written))
    told = read(text, edited(text, edits), spans, written=frozenset(core(e.text) for e in edits))
    assert told is not None
    for label, (start, end, _), reading in zip(labels, spans, told, strict=True):
        expected = text[start:end] if label is None else label
        assert core(reading.text).casefold() == core(expected).casefold()


@pytest.mark.parametrize(
    ("original", "released"),
    [
        ("in Rome now", "at [GPE] now"),  # before the first mention
        ("in Rome now", "in [GPE] now!"),  # behind the last
        ("All is well. He left Rome.", "He left [GPE]."),  # a sentence that holds no mention is gone
        ("He left Rome. All is well.", "He left [GPE]."),
        ("He left Rome. All is well.", "He left [GPE]. "),
    ],
)
def test_what_is_no_mention_stays(original: str, released: str) -> None:
    assert read(original, released, spans_of(original, ("Rome", "GPE"))) is None


def test_a_sentence_that_holds_a_mention_may_be_gone() -> None:
    assert read("He left Rome. All is well.", "All is well.", [(8, 12, "GPE")]) == [None]


def test_a_hole_in_a_sentence_hides_a_type() -> None:
    assert shown_as("Rome", "[...]", "GPE", ()) == Shown("placeholder", "GPE")
    assert shown_as("Rome", "[GPE]", "GPE", ()) == Shown("placeholder", "GPE")
    assert shown_as("Rome", None, "GPE", ()) is None
