"""The judge of names: what it adds to the scores of the network, and what it is for."""

from __future__ import annotations

import numpy as np
import pytest

from heteronym.text.models.pipelines import model_folder
from heteronym.text.models.token_classifier import NOTHING, TOLD, TokenClassifier

pytestmark = pytest.mark.skipif(not model_folder("accurate").is_dir(), reason="no weights of 'accurate'")
TEXT = "Ana Lopez met Karl in Berlin in May 2004. He is a nurse at Charité."


def shipped(*, without: str = "") -> TokenClassifier:
    model = TokenClassifier(model_folder("accurate"))
    model.__dict__["config"] = {key: value for key, value in model.config.items() if key != without}
    return model


def names(model: TokenClassifier, text: str) -> list[tuple[str, str]]:
    return [
        (text[s:e], kind) for s, e, kind, _ in model.tag([text])[0] if not kind.startswith((TOLD, NOTHING))
    ]


def test_what_the_judge_says_is_added_to_the_scores_of_names_alone() -> None:
    judged, unjudged = shipped(), shipped(without="names")
    words = judged._split(TEXT)
    rows = judged._read(words, 0, len(words))
    bare = unjudged._read(words, 0, len(words))
    told = judged._session.run(
        ["names"],
        {
            "ids": np.array([101, *words.ids, 102], np.int64),
            "shapes": np.array([0, *words.shapes, 0], np.int64),
            "first": np.array(words.first[:-1], np.int64) + 1,
        },
    )[0]
    assert len(rows) == len(bare) == 2
    assert np.abs(told).max() > 0.1
    assert np.allclose(rows[0], bare[0] + told, atol=1e-4)
    assert np.array_equal(rows[1], bare[1])


def test_most_drugs_genes_and_programs_that_it_was_not_shown_are_no_names() -> None:
    texts = (
        "Switched from Crestor to Zetia, and Farxiga 10 mg was added.",
        "Loss of SMAD4 and GATA3 was seen in two samples.",
        "Install Podman and Vault first, then restart Traefik.",
    )
    judged, unjudged = (
        sum(len(names(model, text)) for text in texts) for model in (shipped(), shipped(without="names"))
    )
    assert unjudged >= 6
    assert 2 * judged <= unjudged  # one score lies on the border, and machines round it differently


def test_names_are_still_names() -> None:
    text = (
        "Caller: I am Oluwaseun Adeyemi of Brightwater Housing Association, in Leeds.\nAgent: May I ask why?"
    )
    assert names(shipped(), text) == [
        ("Oluwaseun Adeyemi", "PERSON"),
        ("Brightwater Housing Association", "ORG"),
        ("Leeds", "LOC"),
    ]
