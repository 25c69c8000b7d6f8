from __future__ import annotations

import datetime as dt
import random
import string
from itertools import pairwise

import pytest

from heteronym.text.atoms import is_mixed, pieces_of, plain, words_of
from heteronym.text.forms import (
    day_forms,
    identifier_forms,
    is_telling,
    name_words,
    number_forms,
    value_forms,
)
from heteronym.text.own_values import OwnValues

NAME, VALUE, NUMBER, DAY, SEX = range(5)


def searched(
    *,
    names: tuple[str, ...] = (),
    values: tuple[str, ...] = (),
    numbers: tuple[float, ...] = (),
    day: str = "",
) -> OwnValues:
    own = OwnValues()
    for name in names:
        own.add(identifier_forms(name), NAME)
        own.add_digits(name, NAME)
        own.add_initials(name_words(name), NAME)
    for value in values:
        own.add(value_forms(value), VALUE)
    for number in numbers:
        own.add_number(number, NUMBER)
        own.add(number_forms(number), NUMBER)
    if day:
        own.add_day(dt.date.fromisoformat(day), DAY)
        own.add(day_forms(dt.date.fromisoformat(day)), DAY)
    own.add_letter("f", SEX)
    return own


def found(own: OwnValues, text: str) -> set[str]:
    return {text[hit.start : hit.end] for hit in own.find(text)}


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("seen pedro gomez today", "pedro gomez"),
        ("thePedroGomezShow", "PedroGomez"),
        ("see /x/Pedro%20Gomez.html", "Pedro%20Gomez"),
        ("pedro_gomez", "pedro_gomez"),
        ("pedrogomez84", "pedrogomez"),
        ("mail Pe\u0301dro Gómez", "Pe\u0301dro Gómez"),
        ("Dr.Gomez", "Gomez"),
        ("P. Gómez came", "P. Gómez"),
        ("Gomez, P. came", "Gomez, P."),
        ("P.G. came", "P.G"),
        ("pgomez at mail", "pgomez"),
        ("the Gomezes", "Gomezes"),
        ("Gomez's", "Gomez"),
        ("GOMEZ", "GOMEZ"),
        ("Pe\u00addro", "Pe\u00addro"),
    ],
)
def test_a_name_is_found_in_every_form(text: str, surface: str) -> None:
    assert surface in found(searched(names=("Pedro Gómez",)), text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Karl Müller", "Mueller"),
        ("Karl Müller", "MUELLER"),
        ("Shane O'Brien", "O’Brien"),
        ("Shane O'Brien", "obrien"),
        ("Ana van der Berg", "vanderberg"),
        ("Mary Smith-Jones", "smithjones"),
        ("Иван Петров", "ПЕТРОВ"),
        ("李小龙", "李小龙"),
    ],
)
def test_a_name_of_several_parts_is_found_as_one_word(name: str, text: str) -> None:
    assert text in found(searched(names=(name,)), f"note: {text} came")


@pytest.mark.parametrize("text", ["Gomezian", "spedro", "the P of it", "gome z"])
def test_other_words_are_no_name(text: str) -> None:
    assert not found(searched(names=("Pedro Gómez",)), text)


@pytest.mark.parametrize(
    ("name", "text", "surfaces"),
    [
        ("Chloe Brown", "miss brown came. She left", {"brown"}),
        ("Chloe Brown", "A chloe brown came", {"chloe", "brown", "chloe brown"}),
        ("Chloe Brown", "Take the brown pill", {"brown"}),
        ("May", "It may be so. Yes", {"may"}),
        ("Mark Long", "long's wife saw him; the marks faded", {"long", "marks"}),
        ("Will Young", "will be seen", {"will"}),
        ("Bo Li", "bo and li, b.l. of BL", {"bo", "li", "b.l", "BL"}),
        ("Al Smith", "al was here", {"al"}),
        ("Nguyen Thi Van", "van was here", {"van"}),
        ("Ana van der Berg", "the van of the berg", {"berg"}),
        ("Dean Bishop", "dean came with the bishop", {"dean", "bishop"}),
        ("Don Johnson", "don came", {"don"}),
        ("Dr. Ann Lee", "dr lee came to the dr", {"lee"}),
        ("mark.long@mail.example", "mark came, too long", {"mark", "long"}),
        ("Maria del Carmen Garcia de la Cruz Lopez", "garcia, carmen", {"garcia", "carmen"}),
    ],
)
def test_a_part_of_a_name_is_found_whether_or_not_it_is_an_ordinary_word(
    name: str, text: str, surfaces: set[str]
) -> None:
    assert found(searched(names=(name,)), text) == surfaces


@pytest.mark.parametrize(
    ("text", "surfaces"),
    [
        ("I do not know who did", set()),
        ("Do came", {"Do"}),
        ("mr do came", {"do"}),
        ("do's wife", {"do"}),
        ("hanh do came", {"hanh do", "hanh", "do"}),
        ("at 8 e.g. he did", set()),
    ],
)
def test_a_word_of_grammar_is_a_name_where_the_text_says_so(text: str, surfaces: set[str]) -> None:
    assert found(searched(names=("Hanh Do",)), text) == surfaces


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("MRN-0012345", "mrn 0012345"),
        ("MRN-0012345", "MRN0012345"),
        ("MRN-0012345", "record 12345"),
        ("+44 20 7946 0958", "call 020 7946 0958"),
        ("+44 20 7946 0958", "(0)20-7946-0958"),
        ("p.gomez@mail.example", "write p.gomez at mail"),
        ("1968-05-14", "born 14/05/68"),
        ("17", "patient no. 17"),
    ],
)
def test_codes_numbers_and_days_of_identifiers_are_found(code: str, text: str) -> None:
    own = searched(names=(code,))
    if code.startswith("19"):
        own = searched(day=code)
    assert found(own, text)


def test_a_short_number_is_no_identifier_without_a_label() -> None:
    assert not found(searched(names=("17",)), "took 17 mg")


@pytest.mark.parametrize(
    ("text", "surface"),
    [
        ("36F", "36"),
        ("f36", "36"),
        ("36y F", "36"),
        ("36½", "36½"),
        ("thirty-six", "thirty-six"),
        ("thirtysix", "thirtysix"),
        ("Thirty six, thirty-six", "Thirty six"),
        ("36-year-old", "36"),
    ],
)
def test_an_age_is_found_in_every_form(text: str, surface: str) -> None:
    assert surface in found(searched(numbers=(36,)), text)


@pytest.mark.parametrize("text", ["36F", "f36", "36 y F", "36yo F", "36 year old F", "36/F", "36-F", "F, 36"])
def test_the_letter_at_an_age_is_found(text: str) -> None:
    assert found(searched(numbers=(36,)), text) & {"F", "f"}


@pytest.mark.parametrize("text", ["COVID36", "136", "36.5", "12:36", "B36x", "3.36"])
def test_other_numbers_are_no_age(text: str) -> None:
    assert not found(searched(numbers=(36,)), text)


@pytest.mark.parametrize("text", ["1234.5", "1234.50", "1,234.50", "1.234,50", "1 234,5", "€1234.5"])
def test_an_amount_is_found_with_any_signs(text: str) -> None:
    assert found(searched(numbers=(1234.5,)), text)


@pytest.mark.parametrize(
    "text",
    ["14051968", "19680514", "14.05.1968", "5/14/68", "14 May 1968", "May 14th, 1968", "14 May", "May 1968"],
)
def test_a_day_is_found_in_every_order(text: str) -> None:
    assert text in found(searched(day="1968-05-14"), text)


@pytest.mark.parametrize(
    ("value", "text", "surface"),
    [
        ("C++", "likes C++ and c", "C++"),
        ("N.Y.", "from N.Y. or n", "N.Y"),
        ("Berlin", "Berlin-based", "Berlin"),
        ("12345", "at 12345-6789", "12345-6789"),
        ("St Luke's", "st luke’s.", "st luke’s"),
        ("Stoke-on-Trent", "Stoke\u2010on\u2010Trent", "Stoke\u2010on\u2010Trent"),
        ("New York", "newyork.example", "newyork"),
        ("Zürich", "Zu\u0308rich", "Zu\u0308rich"),
    ],
)
def test_a_value_is_found_with_its_signs(value: str, text: str, surface: str) -> None:
    assert found(searched(values=(value,)), text) == {surface}


def test_what_is_telling_is_no_ordinary_word() -> None:
    assert all(map(is_telling, ["Cardiology", "Berlin", "12345", "Qwerin"]))
    assert not any(map(is_telling, ["Education", "Sales", "yes", "F", "36", "customer service"]))


def test_places_are_those_of_the_text_as_it_came() -> None:
    rng = random.Random(1)
    odd = ["\u00ad", "%20", "&amp;", "é", "e\u0301", "ß", "½", " ", "_", "東", "𝔘"]
    for _ in range(300):
        text = "".join(rng.choices([*string.ascii_letters, *odd], k=20))
        view = plain(text)
        for atoms in (words_of(view.text), pieces_of(view.text)):
            ends = [(view.origin(start), view.origin(end)) for start, end in atoms.spans]
            assert all(0 <= start < end <= len(text) for start, end in ends)
            assert all(one[1] <= other[0] for one, other in pairwise(ends))


@pytest.mark.parametrize("seed", range(20))
def test_words_and_mixed_words_are_told_alike_in_and_beyond_ascii(seed: int) -> None:
    """What is quick for ASCII agrees with the plain patterns, which read every text."""
    rng = random.Random(seed)
    letters = ["a", "Z", "b", "9", "_", "+", "#", " ", "-", "."]
    for _ in range(200):
        text = "".join(rng.choice(letters) for _ in range(rng.randint(0, 12)))
        assert is_mixed(text) == is_mixed(f"{text} é") == any(is_mixed(word) for word in text.split(" "))
        for atoms in (words_of(text), pieces_of(text)):
            assert [text[start:end].lower() for start, end in atoms.spans] == list(atoms.words)
        assert words_of(f"{text} é").words == [*words_of(text).words, "é"]
        assert words_of(text).spans == words_of(f"{text} é").spans[:-1]
