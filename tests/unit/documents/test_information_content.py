"""Noun phrases above beta are gone from the written text; the audit sees what the method missed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from tests.naive.edits import rewritten

import heteronym as hn
from heteronym.api.sanitize import documents_of, sanitized
from heteronym.documents import _recount
from heteronym.documents._edits import composed
from heteronym.documents._oracles import from_documents, with_synonyms
from heteronym.documents.information_content import InformationContent
from heteronym.errors import HeteronymError, InputError, UsageError
from heteronym.knowledge.frequencies import information
from heteronym.model.document import Document
from heteronym.model.edit import Edit, edited
from heteronym.model.plan import TextPlan

TEXT = (
    "Maria Gonzalez was born in Tarragona. She works as a software engineer for Siemens. Her husband suffers "
    "from tuberculosis and metastatic pancreatic cancer.\nHe met Germany's chancellor in 2015, and nurses."
)


@pytest.fixture(scope="module")
def document() -> Document:
    return documents_of([TEXT], TextPlan(model="none"))[0]


@pytest.mark.parametrize("feature", ["Steve Jobs", "United States", "engineer", "company"])
@pytest.mark.parametrize("select", ["nearest", "argmax"])
def test_no_phrase_of_the_written_text_is_above_beta(document: Document, feature: str, select: Any) -> None:
    method = InformationContent(reveal=(feature,), select=select)
    result = sanitized([document], lambda: method).result
    text = edited(document.text, result.edits[0])
    assert method.audit(document, text).holds
    beta = information(feature)
    assert _recount.phrases_above(text, beta)[0] == 0
    assert result.facts["beta"] == beta
    assert "Gonzalez" not in text
    assert (
        result.facts["utility_suppression"] <= result.facts["utility"] <= result.facts["utility_ideal"] + 1e-9
    )


def test_the_audit_refuses_a_text_that_was_left_alone(document: Document) -> None:
    assert InformationContent(beta=3.0).audit(document, document.text).holds is False


def test_the_auditor_weighs_phrases_as_the_method_does() -> None:
    for phrase in (
        "Steve Jobs",
        "1984",
        "the X-ray",
        "Crohn's disease",
        "twenty-one people",
        "x",
        "",
        "children",
    ):
        assert _recount.bits(phrase) == pytest.approx(information(phrase))


def test_a_high_beta_leaves_every_byte(document: Document) -> None:
    assert sanitized([document], lambda: InformationContent(beta=60.0)).result.edits == [[]]


def test_a_simpler_form_generalizes_a_common_noun_but_not_a_name() -> None:
    text = hn.sanitize(
        "He has metastatic pancreatic cancer.", method="information-content", model="none", beta=3.0
    )
    assert "cancer" in text or "disease" in text
    assert "pancreatic" not in text
    name = hn.sanitize("Mr John Smith came.", method="information-content", model="none", beta=4.0)
    assert "Smith" not in name


def test_equal_phrases_become_equal() -> None:
    text = hn.sanitize(
        "A barista met a barista. The barista left.", method="information-content", model="none", beta=4.0
    )
    assert "barista" not in text
    words = [w.strip(".").lower() for w in text.split()]
    assert len({words[1], words[4], words[6]}) == 1


@pytest.mark.parametrize("text", ["", "   \n", "12345 67890", "!!! ???", "xqzzkv", "[PERSON] met [GPE]."])
def test_odd_texts_are_handled(text: str) -> None:
    released = hn.sanitize(text, method="information-content", model="none", reveal=["engineer"])
    assert len(_recount.phrases(released)) >= 0
    if not any(map(str.isalnum, text)):
        assert released == text


def test_an_unknown_feature_is_warned_about(document: Document) -> None:
    facts = InformationContent(reveal=("xqzzkv",)).sanitize([document]).facts
    assert "feature 1" in facts["warnings"][0]
    with pytest.warns(UserWarning, match="feature 1"):
        hn.sanitize("A dog.", method="information-content", model="none", reveal=["xqzzkv"])


@pytest.mark.parametrize(
    "parameters",
    [{"beta": -1.0}, {"select": "best"}, {"oracle": "no.such:function"}, {"oracle": "a", "corpus": "b"}],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises((UsageError, InputError)):
        hn.sanitize("A dog.", method="information-content", model="none", **parameters)


def test_counts_of_the_user_decide(tmp_path: Path) -> None:
    counts = tmp_path / "hits.tsv"
    counts.write_text("total\t1000\ndog\t900\nanimal\t950\ncarnivore\t20\ncanine\t10\npoodle\t1\n")
    text = hn.sanitize(
        "A poodle met a dog.", method="information-content", model="none", oracle=str(counts), reveal=["dog"]
    )
    assert "poodle" not in text
    counts.write_text("dog\tmany\n")
    with pytest.raises(HeteronymError, match=r"hits\.tsv"):
        hn.sanitize("A dog.", method="information-content", model="none", oracle=str(counts))


def test_a_folder_of_documents_decides() -> None:
    tell = from_documents(["a dog and a cat", "a dog", "the dog sleeps", "birds"])
    assert tell("dog") == pytest.approx(0.415, abs=1e-3)
    assert tell("cat") == 2.0
    assert tell("poodle") == 3.0


def test_synonyms_make_a_concept_likelier() -> None:
    assert with_synonyms("tuberculosis") < information("tuberculosis")


def test_two_rounds_of_edits_are_one() -> None:
    rng = random.Random(3)
    for _ in range(400):
        text = "".join(rng.choices("abcdef ", k=rng.randint(0, 24)))
        first = random_edits(rng, text)
        second = random_edits(rng, edited(text, first))
        assert edited(text, composed(first, second)) == rewritten(text, [first, second])


def random_edits(rng: random.Random, text: str) -> list[Edit]:
    edits, at = [], 0
    while at < len(text):
        start = at + rng.randint(0, 4)
        end = start + rng.randint(1, 4)
        if end > len(text):
            break
        edits.append(Edit(start, end, "".join(rng.choices("XYZ", k=rng.randint(0, 5)))))
        at = end + 1
    return edits
