"""What stands in the place of mentions after the owner's edits were carried out."""

from __future__ import annotations

import random

import pytest

from heteronym.knowledge.inflect import labelled
from heteronym.model.edit import Edit as MadeEdit
from heteronym.model.edit import edited
from heteronym.verify.replay import Edit, Span, Standing, replay
from heteronym.verify.shown import Place, Shown, shown_as


def spans_of(text: str, *mentions: tuple[str, str]) -> list[Span]:
    found, at = [], 0
    for surface, kind in mentions:
        at = text.index(surface, at)
        found.append(Span(at, at + len(surface), kind))
        at += len(surface)
    return found


@pytest.mark.parametrize(
    ("original", "taken", "put", "mention", "expected"),
    [
        ("He is an engineer here.", "an engineer", "a professional", ("engineer", "JOB"), "professional"),
        ("on 14 May 2004 we", "on 14 May 2004", "in May 2004", ("14 May 2004", "DATE"), "May 2004"),
        ("the Alps won", "the Alps", "A mountain range", ("Alps", "LOC"), "mountain range"),
        (
            "He is an engineer.",
            "an engineer",
            "not a professional",
            ("engineer", "JOB"),
            "not a professional",
        ),
        ("the Netherlands won", "Netherlands", "country", ("the Netherlands", "GPE"), "country"),
        ("Siemens' office", "Siemens'", "A company's", ("Siemens", "ORG"), "company"),
        ("Berlin's zoo", "Berlin's", "A German city's", ("Berlin", "GPE"), "German city"),
        ("came on 3 May", "3 May", "[DATE]", ("3 May", "DATE"), "[DATE]"),
    ],
)
def test_labels_are_read_without_what_agrees_with_them(
    original: str, taken: str, put: str, mention: tuple[str, str], expected: str
) -> None:
    at = original.index(taken)
    replayed = replay(original, [Edit(at, at + len(taken), put)], spans_of(original, mention))
    assert replayed.fault is None
    assert replayed.text == original.replace(taken, put)
    (now,) = replayed.standing
    assert now is not None
    assert now.changed
    assert replayed.text[now.start : now.end] == now.text == expected


def test_what_no_edit_touches_stands_as_it_stood() -> None:
    original = "Ann met Bob in Rome."
    spans = spans_of(original, ("Ann", "PERSON"), ("Bob", "PERSON"), ("Rome", "GPE"))
    replayed = replay(original, [Edit(0, 3, "[PERSON]")], spans)
    assert replayed.text == "[PERSON] met Bob in Rome."
    assert [now and (now.text, now.changed) for now in replayed.standing] == [
        ("[PERSON]", True),
        ("Bob", False),
        ("Rome", False),
    ]
    assert all(now and replayed.text[now.start : now.end] == now.text for now in replayed.standing)


@pytest.mark.parametrize(
    ("original", "edit"),
    [
        ("He met an engineer here.", (20, 23, "the")),  # no mention
        ("on Friday an engineer", (0, 21, "Friday a professional")),  # a word went
        ("An engineer came. All is well.", (0, 17, "")),  # not the space behind it
        ("An engineer came. All is well.", (18, 26, "")),
        ("An engineer came. All is well.", (18, 30, "")),  # the space before it would tell
    ],
)
def test_an_edit_elsewhere_is_a_fault(original: str, edit: tuple[int, int, str]) -> None:
    assert replay(original, [Edit(*edit)], spans_of(original, ("engineer", "JOB"))).fault is not None


def test_whole_sentences_may_go_with_their_mentions() -> None:
    original = "He left Rome. All is well."
    first = replay(original, [Edit(0, 14, "")], spans_of(original, ("Rome", "GPE")))
    assert (first.text, first.standing, first.fault) == ("All is well.", [None], None)
    second = "All is well. He left Rome. \n"
    last = replay(second, [Edit(12, 26, "")], spans_of(second, ("Rome", "GPE")))
    assert (last.text, last.standing, last.fault) == ("All is well. \n", [None], None)


def test_removals_that_touch_are_one() -> None:
    original = "One here. Two here. Three here."
    assert replay(original, [Edit(9, 19, ""), Edit(19, 31, "")], []).fault is None


def test_an_article_tells_nothing_of_what_stood_behind_it() -> None:
    original = "He is an old engineer and an actor."
    spans = spans_of(original, ("engineer", "JOB"), ("actor", "JOB"))
    at = original.index("an actor")
    replayed = replay(original, [Edit(at + 1, at + 2, ""), Edit(at + 3, at + 8, "[JOB]")], spans)
    assert (replayed.text, replayed.fault) == ("He is an old engineer and a [JOB].", None)
    assert replay(original, [Edit(7, 8, "")], spans).fault is not None  # before what did not change


WORDS = "the a an on in of with , . and old he she said then 's came".split()
MENTIONS = [("Berlin", "GPE"), ("engineers", "JOB"), ("14 May 2004", "DATE"), ("the Netherlands", "GPE")]
LABELS = {"GPE": ["German city", "[GPE]", "Netherlands"], "JOB": ["professionals", "[JOB]"]}
LABELS["DATE"] = ["May 2004", "the 2000s", "[DATE]", "14 May 2004"]


@pytest.mark.parametrize("seed", range(300))
def test_what_was_put_there_is_read_back(seed: int) -> None:
    rng = random.Random(seed)
    text, spans, labels = "", [], []
    for _ in range(rng.randint(1, 5)):
        surface, kind = rng.choice(MENTIONS)
        words = rng.choices(WORDS, k=rng.randint(1, 4))
        if surface.startswith("the "):
            words.append("with")  # two articles make no sense
        text += " ".join(words) + " "
        spans.append(Span(len(text), len(text) + len(surface), kind))
        labels.append(rng.choice([*LABELS[kind], None]))
        text += surface + rng.choice(["", "'s", ","]) + " "
    edits: list[Edit] = []
    for label, span in zip(labels, spans, strict=True):
        if label is not None:
            edits.append(Edit(*labelled(label, text, span.start, span.end)))
    replayed = replay(text, edits, spans)
    assert replayed.fault is None
    assert replayed.text == edited(text, [MadeEdit(*edit) for edit in edits])
    for label, span, now in zip(labels, spans, replayed.standing, strict=True):
        assert now is not None
        expected = text[span.start : span.end] if label is None else label
        assert now.text.casefold().removeprefix("the ") == expected.casefold().removeprefix("the ")


def test_a_hole_in_a_sentence_hides_a_type() -> None:
    for put in ("[...]", "[GPE]"):
        now = replay("in Rome", [Edit(3, 7, put)], [Span(3, 7, "GPE")]).standing[0]
        assert shown_as(Place(0, "text", Span(3, 7, "GPE"), "Rome", now), ()) == Shown("placeholder", "GPE")
    assert shown_as(Place(0, "text", Span(3, 7, "GPE"), "Rome", None), ()) is None


def test_an_untyped_placeholder_is_a_label_of_its_own_where_a_plan_says_that_types_do_not_count() -> None:
    for put, label in {"[...]": "...", "[GPE]": "GPE", "": "GPE"}.items():
        now = Standing(put, 3, 3 + len(put), changed=True)
        place = Place(0, "text", Span(3, 7, "GPE"), "Rome", now)
        assert shown_as(place, (), hidden_types=False) == Shown("placeholder", label)
