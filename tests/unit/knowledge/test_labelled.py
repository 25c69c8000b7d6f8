"""Labels in sentences: they agree with the words around them, and these tell nothing of what is hidden."""

from __future__ import annotations

import pytest

from heteronym.knowledge.inflect import labelled
from heteronym.model.edit import Edit, edited


def put(text: str, mention: str, label: str) -> str:
    start = text.index(mention)
    first, last, written = labelled(label, text, start, start + len(mention))
    return edited(text, [Edit(first, last, written)])


@pytest.mark.parametrize(
    ("text", "mention", "label", "expected"),
    [
        ("He is an engineer here.", "engineer", "professional", "He is a professional here."),
        ("An engineer came.", "engineer", "professional", "A professional came."),
        ("works as engineer", "engineer", "professional", "works as a professional"),
        ("two engineers left", "engineers", "professionals", "two professionals left"),
        ("my nurse said", "nurse", "health professional", "my health professional said"),
        ("lives in Madrid.", "Madrid", "Spanish city", "lives in a Spanish city."),
        ("Seen in 2004. Berlin's zoo", "Berlin", "German city", "Seen in 2004. A German city's zoo"),
        ("in the Netherlands.", "Netherlands", "European country", "in a European country."),
        ("The Netherlands won.", "The Netherlands", "European country", "A European country won."),
        ("in the UK.", "UK", "European country", "in a European country."),
        ("the U.S. won", "U.S.", "country", "A country won"),
        ("in the United States of America", "United States of America", "country", "in a country"),
        ("The Paris-born nurse's note", "nurse", "professional", "The Paris-born professional's note"),
        ("She is a part-time nurse.", "nurse", "professional", "She is a part-time professional."),
        ("the engineer", "engineer", "[JOB]", "the [JOB]"),
        ("in Holland", "Holland", "Netherlands", "in the Netherlands"),
        ("on 14 May 2004 we", "14 May 2004", "May 2004", "in May 2004 we"),
        ("On 14 May 2004 we", "14 May 2004", "the 2000s", "In the 2000s we"),
        ("on the 14 May 2004", "14 May 2004", "2004", "in 2004"),
        ("on 14 May 2004", "14 May 2004", "14 May 2004", "on 14 May 2004"),
        ("until 14 May 2004", "14 May 2004", "May 2004", "until May 2004"),
        ("Siemens' office", "Siemens", "company", "A company's office"),
        ("an 18-year-old man", "18-year-old", "10-19-year-old", "a 10-19-year-old man"),
        ("a 17-year-old man", "17-year-old", "80-89-year-old", "an 80-89-year-old man"),
        ("IN BERLIN NOW", "BERLIN", "German city", "IN A GERMAN CITY NOW"),
    ],
)
def test_labels_agree_with_their_sentence(text: str, mention: str, label: str, expected: str) -> None:
    assert put(text, mention, label) == expected


@pytest.mark.parametrize("label", ["[JOB]", "[17-18]", "[...]", "{engineer,nurse}", "*"])
@pytest.mark.parametrize(("first", "second"), [("an engineer", "a nurse"), ("an actor", "a cook")])
def test_the_article_before_a_label_is_alike_whatever_it_hides(label: str, first: str, second: str) -> None:
    sentence = "She is {} in town."
    results = {put(sentence.format(each), each.split()[1], label) for each in (first, second)}
    assert len(results) == 1


@pytest.mark.parametrize("name", ["Spain", "the Netherlands", "the US", "the Dominican Republic"])
@pytest.mark.parametrize("label", ["[GPE]", "[...]", "country"])
def test_an_article_that_belongs_to_a_name_goes_with_it(name: str, label: str) -> None:
    expected = "a country" if label == "country" else label
    assert put(f"I live in {name}.", name.removeprefix("the "), label) == f"I live in {expected}."


@pytest.mark.parametrize("text", ["Hepatitis A 1999", "vitamin a 1999", "Plan 1999", "Ban 1999"])
def test_a_letter_that_is_no_article_stays(text: str) -> None:
    assert put(text, "1999", "[DATE]") == text.replace("1999", "[DATE]")
