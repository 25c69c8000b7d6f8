"""An acronym tells what it stands for, to the method and to its audit."""

from __future__ import annotations

import pytest

import heteronym as hn
from heteronym.documents._recount import bits
from heteronym.documents.information_content import DEFAULT_BETA
from heteronym.knowledge.bases import chain_of
from heteronym.knowledge.frequencies import information, phrase_bits, plain_bits
from heteronym.knowledge.wordlists import lines

ACRONYMS = [line.split("\t") for line in lines("acronyms.tsv")]


@pytest.mark.parametrize("word", ["HIV", "hiv", "AIDS", "COPD", "WHO", "ECT", "PTSD", "HIV-positive"])
def test_the_default_threshold_hides_them(word: str) -> None:
    assert information(word) > DEFAULT_BETA


@pytest.mark.parametrize("word", ["aids", "who", "it", "us", "doc", "dot", "led", "cat", "add", "Ms"])
def test_words_in_small_letters_stay_words(word: str) -> None:
    assert phrase_bits(word) == plain_bits(word)


def test_each_tells_what_its_long_form_tells_and_both_readers_agree() -> None:
    for short, long, where in ACRONYMS:
        written = short.upper()
        assert phrase_bits(written) >= plain_bits(long) - 1e-9
        assert information(written) == pytest.approx(bits(written))
        for form in (f"{written}'s", f"{written}s", short, f"{written} test", f"the {short} office"):
            assert information(form) == pytest.approx(bits(form)), form
        if where == "any":
            assert phrase_bits(short) == phrase_bits(written)


def test_countries_tell_no_more_by_their_letters_than_by_their_plainest_name() -> None:
    assert information("USA") < information("United States of America")
    assert information("UK") < information("United Kingdom")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("He got AIDS in May.", "He got infection in May."),
        ("She has hepatitis C. He has not.", "She has a medical condition. He has not."),
        ("HIV-positive men were seen.", "Men were seen."),
        ("He suffers from COPD and MS.", "He suffers from medical conditions."),
    ],
)
def test_what_stands_for_them_reads_well(text: str, written: str) -> None:
    assert hn.sanitize(text, method="information-content", model="fast") == written


def test_letters_that_a_tagger_takes_for_a_pronoun_are_hidden_too() -> None:
    written = hn.sanitize(
        "The WHO said so, and IT experts agreed.", method="information-content", model="fast"
    )
    assert "WHO" not in written
    assert "IT" not in written


def test_several_persons_are_persons() -> None:
    """WordNet knows these plurals as something else: leadership, a book, a league, drawers, a work force."""
    for plural in ("leaders", "judges", "minors", "boxers", "men", "viewers", "marines", "followers"):
        assert "person" in [ancestor.name for ancestor in chain_of(plural)], plural
    for other in ("pliers", "Kansas", "glasses", "goods", "arms"):
        assert "person" not in [ancestor.name for ancestor in chain_of(other)], other
