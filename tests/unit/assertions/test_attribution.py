"""Whom a sentence is about: appositions that say more of a role, relatives who report, shorthand of notes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heteronym.api.analyze import analyze_texts
from heteronym.api.sanitize import documents_of, sanitized
from heteronym.assertions.read_document import read
from heteronym.model.edit import edited
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.registry import document_methods

FAST = TextPlan(model="fast")


def proprietors(text: str) -> list[set[str]]:
    analysis = analyze_texts([text], FAST).analyses[0]
    return [{analysis.individuals[p].label for p in a.proprietors} for a in analysis.assertions]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Our head of sales, Mr. Castellano, was arrested.", [{"I", "Mr. Castellano"}]),
        ("The chief of police, Mr. Dunn, resigned.", [{"Mr. Dunn"}]),
        ("The director of research and development, Anna Brandt, is ill.", [{"Anna Brandt"}]),
        ("I met the owner of the mill, Tom, and Ann.", [{"I", "Tom", "Ann"}]),
        ("The head of sales, marketing and Tom left.", [{"the head", "Tom"}]),  # a list
        ("Husband states pt has been confused.", [{"Husband", "pt"}]),
        ("Wife denies seizures.", [{"Wife"}]),
        ("Daughter reports two falls.", [{"Daughter"}]),
        ("Pt c/o chest pain.", [{"Pt"}]),
        ("Patient care is poor.", [set()]),
        ("Sister companies reported a loss.", [set()]),
    ],
)
def test_a_sentence_is_about(text: str, wanted: list[set[str]]) -> None:
    assert proprietors(text) == wanted


def test_by_content_tells_of_the_head_by_name_and_of_him_again() -> None:
    text = "Our head of sales, Mr. Castellano, was arrested. He denies everything. Wife told her sister."
    documents = documents_of([text], FAST)
    result = sanitized(documents, lambda: document_methods.build("assertions", {"by": "content"})).result
    assert edited(text, result.edits[0]) == (
        "There is an allegation about me and Mr. Castellano. There is a statement about Mr. Castellano. "
        "There is a statement about two people."
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("She was eleven weeks pregnant and asked for an abortion.", "There is a statement about a person."),
        ("Ann was 20 weeks pregnant.", "There is a statement about Ann."),
        ("Maria is a devout Catholic and votes for the socialists.", "There is a statement about Maria."),
        ("Mary has asthma.", "Mary has a condition."),
    ],
)
def test_a_suggestion_is_english_or_tells_nothing(text: str, wanted: str) -> None:
    [assertion] = analyze_texts([text], FAST).analyses[0].assertions
    assert assertion.suggestion == wanted


@pytest.mark.parametrize("method", ["information-content", "plausibility"])
def test_a_patient_in_shorthand_is_no_metal(method: str) -> None:
    texts = ["Pt c/o chest pain. Pt was given aspirin.", "The pt is a tall man."]
    result = sanitized(documents_of(texts, FAST), lambda: document_methods.build(method, {})).result
    for text, edits in zip(texts, result.edits, strict=True):
        assert all("pt" not in text[e.start : e.end].lower().split() for e in edits)


@pytest.mark.parametrize(("word", "persons"), [("echocardiography", 0), ("spirometry", 0), ("Marianne", 1)])
def test_a_noun_in_small_letters_is_nobody_although_a_recognizer_says_so(word: str, persons: int) -> None:
    text = f"{word} normal."
    [document] = documents_of([text], FAST)
    at = text.index(word)
    mention = Span(at, at + len(word), "PERSON", 0.9, "model", "")
    assert len(read(replace(document, mentions=(mention,))).individuals) == persons
