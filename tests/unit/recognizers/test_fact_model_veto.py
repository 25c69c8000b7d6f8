"""The reader of facts: what it adds beside the rules, and what yields to it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from heteronym.model.mention import Span
from heteronym.registry import recognizers
from heteronym.text.combine import Combined
from heteronym.text.fact_model_veto import YIELDING, apply_fact_model_veto
from heteronym.text.models import token_classifier
from heteronym.text.models.token_classifier import NOTHING, TOLD, TokenClassifier, Words
from heteronym.text.recognizers import accurate
from heteronym.text.recognizers.accurate import Accurate
from heteronym.text.stretches import Covers

TEXT = "Ana is a luthier in Rome now"
NOWHERE = dict.fromkeys(YIELDING.values(), Covers(()))


def span(words: str, type_: str, score: float = 0.9, rule: str = "", text: str = TEXT) -> Span:
    start = text.index(words)
    return Span(start, start + len(words), type_, score, "test", rule)


def told(words: str, type_: str) -> tuple[int, Span]:
    return 1, span(words, type_, rule=TOLD + type_)


def test_a_fact_counts_where_nothing_or_something_of_its_type_stands() -> None:
    assert apply_fact_model_veto(TEXT, [told("luthier", "JOB")], NOWHERE) == [told("luthier", "JOB")]
    rule = (0, span("luthier", "JOB"))
    assert apply_fact_model_veto(TEXT, [rule, told("luthier in Rome", "JOB")], NOWHERE) == [
        rule,
        told("luthier in Rome", "JOB"),
    ]
    place = (0, span("Rome", "GPE"))
    assert apply_fact_model_veto(TEXT, [place, told("in Rome", "LOC")], NOWHERE) == [
        place,
        told("in Rome", "LOC"),
    ]


def test_of_a_fact_counts_what_spans_of_other_types_leave() -> None:
    place, name = (0, span("Rome", "GPE")), (0, span("Ana", "PERSON"))
    assert apply_fact_model_veto(TEXT, [place, told("luthier in Rome", "JOB")], NOWHERE) == [
        place,
        told("luthier", "JOB"),
    ]
    whole = told("Ana is a luthier in Rome now", "JOB")
    assert apply_fact_model_veto(TEXT, [name, place, whole], NOWHERE) == [name, place, told("luthier", "JOB")]
    assert apply_fact_model_veto(TEXT, [place, told("in Rome", "JOB")], NOWHERE) == [place]
    assert apply_fact_model_veto(TEXT, [place, told("luthier in Rome", "HEALTH")], NOWHERE) == [place]


@pytest.mark.parametrize("kind", ["PERSON", "CODE", "HEALTH"])
def test_names_codes_and_illnesses_are_added_only_where_nothing_stands(kind: str) -> None:
    rule = (0, span("luthier", kind))
    assert apply_fact_model_veto(TEXT, [rule, told("a luthier", kind)], NOWHERE) == [rule]
    assert apply_fact_model_veto(TEXT, [told("a luthier", kind)], NOWHERE) == [told("a luthier", kind)]


def test_what_is_often_mistaken_yields_where_surely_nothing_is_told() -> None:
    few, more = Covers([span("luthier", NOTHING)]), Covers([span("luthier in Rome", NOTHING)])
    quiet = {**NOWHERE, YIELDING["JOB"]: few, YIELDING["ORG"]: more}
    job, org = (0, span("luthier", "JOB")), (2, span("Rome", "ORG", 0.6))
    assert apply_fact_model_veto(TEXT, [job, org], quiet) == []
    assert apply_fact_model_veto(TEXT, [(0, span("luthier in", "JOB"))], quiet) == [
        (0, span("luthier in", "JOB"))
    ]
    place = (2, span("Rome", "GPE", 0.5))
    assert apply_fact_model_veto(TEXT, [place], quiet) == [place]  # places never yield
    sure = (1, span("Rome", "ORG", 0.85))
    assert apply_fact_model_veto(TEXT, [sure], quiet) == [sure]  # nor names of which the model is sure


def test_covers_know_what_lies_inside_and_what_touches() -> None:
    covers = Covers([span("luthier", "X"), span("a luthier", "X"), span("Rome", "X")])
    assert covers.hold(span("a luthier", "X"))
    assert not covers.hold(span("luthier in", "X"))
    assert covers.touch(span("luthier in", "X"))
    assert not covers.touch(span(" in ", "X"))
    assert list(covers.gaps(span("is a luthier in Rome now", "X"))) == [(4, 7), (16, 20), (24, 28)]
    assert list(covers.gaps(span("thie", "X"))) == []
    assert not Covers(()).hold(span("Ana", "X"))
    assert not Covers(()).touch(span("Ana", "X"))


def test_no_word_that_tells_nothing_comes_out_as_a_mention() -> None:
    class Quiet:
        languages = frozenset[str]()
        is_model = True

        def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
            return [[Span(0, len(text), NOTHING, 0.97, "quiet", NOTHING)] for text in texts]

    assert Combined((Quiet(),)).recognize([TEXT]) == [[]]


def words_of(text: str) -> Words:
    starts = [0, *(i + 1 for i, letter in enumerate(text) if letter == " ")]
    ends = [*(start - 1 for start in starts[1:]), len(text)]
    count = len(starts)
    return Words(list(range(count)), list(range(count + 1)), starts, ends, [1] * count)


def test_facts_below_the_least_score_of_their_type_are_left_and_quiet_words_are_told() -> None:
    settings = {"labels": ["O", "B-JOB", "I-JOB"], "least": {"JOB": 0.8}, "nothing": [0.1]}
    logits = np.array([[5.0, 0, 0], [0, 5, 0], [0, 0, 5], [0.5, 1, 0], [9, 0, 0]], np.float32)
    found = list(
        token_classifier._facts(words_of("so night watchman or not"), [0, 1, 2, 1, 0], logits, settings)
    )
    assert [one[:3] for one in found] == [(3, 17, "told JOB"), (0, 2, NOTHING), (21, 24, NOTHING)]
    assert found[0][3] > 0.95


def facts(text: str, words: str, kind: str) -> list[tuple[str, str]]:
    start = text.index(words)
    found = accurate._facts(text, [(start, start + len(words), TOLD + kind, 0.9)])
    return [(text[one.start : one.end], one.type) for one in found]


def test_facts_lose_function_words_and_labels_and_end_with_their_line() -> None:
    assert facts("She works as a tanner.", "works as a tanner", "JOB") == [("tanner", "JOB")]
    assert facts("Tutor:\nJoan", "Tutor", "JOB") == []
    assert facts("aged 3 and 5", "3 and 5", "AGE") == [("3", "AGE"), ("5", "AGE")]
    assert facts("a tanner\na cook", "tanner\na cook", "JOB") == [("tanner", "JOB"), ("cook", "JOB")]
    assert facts("he was", "he was", "JOB") == [("he", "JOB")]
    assert facts("she lives in Paris", "in Paris", "LOC") == [("Paris", "GPE")]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("My sister works as a puppet maker and lives alone.", ("JOB", "puppet maker")),
        ("He got his HND in 2004 and she is doing a foundation degree.", ("EDUCATION", "foundation degree")),
    ],
)
def test_the_shipped_reader_finds_what_is_told(text: str, fact: tuple[str, str]) -> None:
    found = [one for one in recognizers.build("accurate").recognize([text])[0] if one.rule.startswith(TOLD)]
    assert fact in [(one.type, text[one.start : one.end]) for one in found]


def test_names_are_those_of_the_network_without_the_reader(tmp_path: object) -> None:
    text = "Ana Lopez met Karl in Berlin in May 2004. He is a nurse at Charité."
    model = TokenClassifier(Accurate().folder or accurate.model_folder("accurate"))
    read = model.tag([text])[0]
    alone = TokenClassifier(model.folder)
    alone.__dict__["config"] = {key: value for key, value in model.config.items() if key != "facts"}
    names = [one for one in read if not one[2].startswith((TOLD, NOTHING))]
    assert names == alone.tag([text])[0]
    assert len(names) < len(read)


def test_a_name_that_the_words_around_leave_no_choice_about_is_not_dropped() -> None:
    text = "happy bday zqx"
    quiet = dict.fromkeys(YIELDING.values(), Covers([span(text, NOTHING, 1.0, text=text)]))
    sure, likely = (0, span("zqx", "PERSON", 0.9, text=text)), (0, span("zqx", "PERSON", 0.85, text=text))
    assert apply_fact_model_veto(text, [sure], quiet) == [sure]
    assert apply_fact_model_veto(text, [likely], quiet) == []
