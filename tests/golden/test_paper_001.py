"""Figures of paper 001: Table I from its hit counts, eq. 3, and the calibrated information content."""

from __future__ import annotations

import math

import pytest

from heteronym.documents._oracles import from_counts
from heteronym.documents.information_content import InformationContent, utility
from heteronym.knowledge.frequencies import information

# term, hits in millions, printed IC
TABLE_1 = [
    ("Wozniak", 8.4, 8.7),
    ("Gaudi", 18, 7.6),
    ("Dreamworks", 11.5, 8.25),
    ("PortAventura", 3, 10.18),
    ("Yellowstone", 60, 5.86),
    ("Tarragona", 48, 6.19),
    ("Steve Jobs", 55, 5.99),
    ("Engineer", 226.7, 3.94),
    ("Apple", 776.3, 2.17),
    ("Reus", 45.7, 6.26),
    ("Architect", 168.8, 4.37),
    ("Barcelona", 409, 3.09),
    ("Shrek", 52.4, 6.06),
    ("Producer", 284.8, 3.62),
    ("Hollywood", 392.4, 3.15),
    ("Salou", 12.2, 8.16),
    ("Catalunya", 52.7, 6.05),
    ("Mediterranean", 129.7, 4.75),
    ("National park", 83.2, 5.39),
    ("Wyoming", 159, 4.46),
    ("North America", 302.6, 3.53),
    ("Province", 280, 3.64),
]
CALIBRATED = {
    "Wozniak": 6.912,
    "Gaudi": 7.749,
    "Dreamworks": 6.187,
    "PortAventura": 9.312,
    "Yellowstone": 5.573,
    "Tarragona": 7.675,
    "Steve Jobs": 6.652,
    "Engineer": 3.303,
    "Apple": 2.820,
    "Reus": 6.410,
    "Architect": 4.085,
    "Barcelona": 3.806,
    "Shrek": 5.591,
    "Producer": 3.415,
    "Hollywood": 3.266,
    "Salou": 8.642,
    "Catalunya": 7.024,
    "Mediterranean": 4.252,
    "National park": 5.322,
    "Wyoming": 4.643,
    "North America": 5.368,
    "Province": 3.359,
    "Europe": 2.299,
    "California": 2.373,
    "United States": 4.736,
    "disease": 2.559,
    "tuberculosis": 5.015,
    "cancer": 2.503,
    "pancreatic carcinoma": 11.079,
    "metastatic pancreatic carcinoma": 16.800,
    "scuba diving": 10.149,
    "iphone": 3.433,
    "world": 0.717,
    "xqzzkv": 10.374,
}

ORACLE = from_counts({term: hits for term, hits, _ in TABLE_1}, 3500)


@pytest.mark.parametrize(("term", "hits", "printed"), TABLE_1)
def test_table_1_from_its_hit_counts(term: str, hits: float, printed: float) -> None:
    assert ORACLE(term) == pytest.approx(printed, abs=0.0105)


@pytest.mark.parametrize("phrase", CALIBRATED)
def test_calibrated_information_content(phrase: str) -> None:
    assert information(phrase) == pytest.approx(CALIBRATED[phrase], abs=5e-4)


def test_eq_3_beta_is_the_most_telling_feature() -> None:
    features = ("Apple", "Steve Jobs", "Engineer")
    assert InformationContent(reveal=features).threshold(ORACLE) == ORACLE("Steve Jobs")
    assert InformationContent(reveal=features).threshold(information) == pytest.approx(6.652, abs=5e-4)


def test_every_entity_of_table_1_is_hidden_at_each_of_its_features() -> None:
    features = {
        "Wozniak": ("Steve Jobs", "Engineer", "Apple"),
        "Gaudi": ("Reus", "Architect", "Barcelona"),
        "Dreamworks": ("Shrek", "Producer", "Hollywood"),
        "PortAventura": ("Salou", "Catalunya", "Mediterranean"),
        "Yellowstone": ("National park", "Wyoming", "North America"),
        "Tarragona": ("Catalunya", "Mediterranean", "Province"),
    }
    for entity, named in features.items():
        for feature in named:
            assert information(entity) > information(feature)
            assert ORACLE(entity) > ORACLE(feature)


def test_more_words_never_tell_less() -> None:
    assert (
        information("cancer") < information("pancreatic cancer") < information("metastatic pancreatic cancer")
    )


def test_utility_of_a_document_that_tells_nothing_is_full() -> None:
    assert utility(0.0, 0.0) == 100.0
    assert utility(1.0, 4.0) == 25.0
    assert math.isclose(utility(4.0, 4.0), 100.0)
