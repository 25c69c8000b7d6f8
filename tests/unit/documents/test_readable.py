"""What stands for phrases reads well: classes of sentences that once did not."""

from __future__ import annotations

import pytest

import heteronym as hn


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("This violinist, an Italian, lives in Rome.", "This musician, an Italian, lives in Rome."),
        ("He broke his femur and his clavicle.", "He broke his bone and his bone."),
        ("Kangaroos are marsupials.", "Animals are animals."),
        ("Jockeys are small.", "People are small."),
        ("He was born on 3 March 1957 in Tarragona, Spain.", "He was born in 1957 in Spain."),
        ("- Oboist wanted", "- A musician wanted"),
        ("His chemotherapy starts on Monday.", "His therapy starts on Monday."),
        ("An orthodontist examined the twins.", "A dentist examined the twins."),
        ("Two anesthesiologists were fired.", "Specialists were fired."),
        ("The X-rays showed pneumonia.", "The rays showed infection."),
        ('"An oboist," she said, "came."', '"A musician," she said, "came."'),
        ("Her knives and axes were found.", "Her tools were found."),
        ("An FBI agent asked an X-ray technician.", "An agent asked a worker."),
        ("The imam's mosque burned down.", "The mosque burned down."),
        ("Somalis in Oslo protested.", "People in Norway protested."),
    ],
)
def test_replacements_agree_with_their_sentence(text: str, written: str) -> None:
    with pytest.warns(UserWarning, match="kept as asked"):
        made = hn.sanitize(text, method="information-content", model="fast", identifiers="keep")
    assert made == written


@pytest.mark.parametrize("name", ["müller", "josé", "ß", "—"])
def test_what_is_redacted_once_in_other_letters_than_english_goes_everywhere(name: str) -> None:
    """The audit counted it as a name, the edits left it as a word, and the document was refused."""
    text = f"Patient: {name}. Then {name} said hello."
    plan = {"model": "none", "patterns": {"PERSON": f"(?<=: ){name}"}}
    assert hn.sanitize(text, method="redact", plan=plan) == "Patient: [PERSON]. Then [PERSON] said hello."


def test_a_revealed_state_is_left_beside_a_town_that_is_not() -> None:
    text = "The company is in Silicon Valley, San Francisco, California. It also sells in Europe."
    made = hn.sanitize(text, method="information-content", model="fast", reveal=["California"])
    assert "California" in made
    assert "Europe" in made
    assert "Francisco" not in made
    assert "Silicon" not in made


def test_what_is_used_is_a_drug_without_being_told() -> None:
    text = "Uses marijuana for phantom limb pain."
    assert hn.sanitize(text, method="plausibility", model="fast", t=10) == "Uses a soft drug for pain."


def test_verbs_pronouns_and_idioms_stay() -> None:
    text = (
        "Nobody witnessed the fall. The court awarded costs. The party took place in spite of the rain. "
        "His doctor prescribed zolpidem. The plaintiff alleges fraud."
    )
    made = hn.sanitize(text, method="information-content", model="fast")
    assert "zolpidem" not in made
    for word in ("Nobody witnessed", "awarded", "took place in spite of", "prescribed", "alleges"):
        assert word in made
