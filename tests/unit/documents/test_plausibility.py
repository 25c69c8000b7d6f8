"""Documents by plausibility: units, senses, types, unknown words, and the recount."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import pytest

import heteronym as hn
from heteronym.api.sanitize import documents_of
from heteronym.documents.plausibility import Plausibility
from heteronym.errors import HeteronymError, PromiseError, UsageError
from heteronym.model.document import Document
from heteronym.model.edit import edited
from heteronym.model.plan import TextPlan

TEXT = "A Sacramento resident purchased marijuana for the lumbar pain caused by liver cancer."
WORDS = ["Sacramento", "marijuana", "lumbar pain", "liver cancer"]


def sanitized(text: str = TEXT, **parameters: Any) -> str:
    """By the method alone: towns of the paper's example are its words, too."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "identifiers and names were kept as asked")
        return str(hn.sanitize(text, method="plausibility", model="none", identifiers="keep", **parameters))


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        (1, TEXT),
        (32, "A Sacramento resident purchased a soft drug for the ache caused by liver cancer."),
        (10**6, "A state capital resident purchased a drug of abuse for the pain caused by liver disease."),
    ],
)
def test_the_text_of_figure_1(t: int, expected: str) -> None:
    assert sanitized(t=t, words=WORDS, sense=["marijuana=2"]) == expected


@pytest.mark.parametrize("search", ["exact", "exhaustive", "lub", "msgs", "tdgs"])
@pytest.mark.parametrize("goal", ["uniform", "smallest"])
def test_every_search_passes_the_recount(search: str, goal: str) -> None:
    assert sanitized(t=1000, words=WORDS, search=search, goal=goal) != TEXT


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"senses": "context"},
        {"common_terms": True},
        {"chain": "all"},
        {"prior": "frequency"},
        {"bits": 3.0},
        {"alpha": 0.0},
        {"alpha": 1.0},
    ],
)
def test_nouns_of_a_text_become_more_general(parameters: dict[str, Any]) -> None:
    assert "Sacramento" not in sanitized(**{"t": 10**8, **parameters}) or "bits" in parameters


def test_each_sentence_reaches_t_and_equal_words_stay_equal() -> None:
    text = "The nurse likes horses. The engineer likes horses. The lawyer has a dog."
    released = sanitized(text, t=50, unit="sentence", words=["nurse", "horse", "engineer", "lawyer", "dog"])
    first, second, _ = released.split(". ")
    assert first.split()[-1] == second.split()[-1] != "horses"


def test_a_type_has_its_own_t() -> None:
    text = "Write to Tarragona. The lawyer has a dog."
    released = sanitized(text, t=10, t_of_type=["GPE=5000"], words=None)
    assert "Tarragona" not in released


def test_the_recount_refuses_too_few_originals() -> None:
    (document,) = documents_of([TEXT], TextPlan(model="none"))
    method = Plausibility(t=1000, words=tuple(WORDS))
    assert method.audit(document, TEXT).holds is False
    swapped = TEXT.replace("marijuana", "entity").replace("Sacramento", "entity")
    assert method.audit(document, swapped).holds is True
    wrong = TEXT.replace("marijuana", "furniture").replace("Sacramento", "dog")
    assert method.audit(document, wrong).holds is False


def test_repeated_words_count_once() -> None:
    text = "marijuana, marijuana and marijuana"
    document = Document(text)
    method = Plausibility(t=8, words=("marijuana",), sense=("marijuana=2",))
    (edits,) = method.sanitize([document]).edits
    released = edited(text, edits)
    assert "soft drug" not in released  # four originals, not 64
    assert released.count("drug of abuse") == 3


def test_unknown_words_are_removed() -> None:
    assert sanitized("The xqzzkv sleeps.", t=10, words=["xqzzkv"]) == "The [TERM] sleeps."


@pytest.mark.parametrize("text", ["", "  \n", "?!"])
def test_texts_without_words_pass(text: str) -> None:
    assert sanitized(text, t=10) == text


def test_an_infeasible_t_says_the_largest_reachable_one() -> None:
    with pytest.raises(PromiseError, match="64,958"):
        sanitized("The dog sleeps.", t=64959, words=["dog"])
    with pytest.raises(PromiseError, match=r"sentence 2: t = 100,000"):
        sanitized("The cat likes the dog. The dog sleeps.", t=10**5, unit="sentence", words=["dog", "cat"])
    with pytest.raises(PromiseError, match="cannot be reached"):
        sanitized(t=10**15, words=WORDS[:2])


@pytest.mark.parametrize(
    "parameters",
    [
        {"t": 0},
        {"t": -5},
        {"alpha": 1.5},
        {"alpha": -0.1},
        {"sense": ["marijuana"]},
        {"sense": ["marijuana=9"]},
        {"words": "no-such-file.txt"},
        {"t_of_type": ["GPE"]},
        {"unit": "page"},
    ],
)
def test_wrong_parameters_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(HeteronymError) as caught:
        sanitized(**parameters)
    assert "Sacramento" not in str(caught.value)


def test_a_hierarchy_of_the_user_is_used(tmp_path: Path) -> None:
    own = tmp_path / "pets.csv"
    own.write_text("Rex,good dog,pet\nFido,good dog,pet\nTom,cat,pet\n", encoding="utf-8")
    assert sanitized("I saw Rex.", t=2, words=["Rex"], base=[str(own)]) == "I saw a good dog."


def test_options_rise_in_volume() -> None:
    (document,) = documents_of(["The engineer has a dog."], TextPlan(model="none"))
    facts = Plausibility(t=100).sanitize([document]).facts
    assert facts["least_bits"] >= math.log2(100)
    with pytest.raises(UsageError):
        Plausibility(t=5, sense=("dog=77",)).sanitize([document])


def test_a_long_text_that_changes_everywhere_is_explained_to_its_end() -> None:
    """Labels are longer than words: at the end of this text, one is a hundred words ahead of the other."""
    text = "Our dog, nurse, Rome, asthma and rice. " * 120
    released = hn.sanitize(text, method="plausibility", model="none", t=4000)
    assert len(released.split()) > len(text.split()) + 100


def test_a_name_inside_a_misread_phrase_is_no_town_of_that_name() -> None:
    """The tagger takes "Ann lives" for one phrase; a gazetteer knows a town called Ann."""
    for t in (20, 1000, 10**6):
        released = hn.sanitize("Ann lives in Berlin with her dog.", method="plausibility", model="none", t=t)
        assert "Rakhine" not in released
