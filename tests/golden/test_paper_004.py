"""Paper 004: every example of the paper and of the notes, and the labelled sentences of our own."""

from __future__ import annotations

from pathlib import Path

import pytest
from benchmarks.studies.assertions import FOLDER, Case, analyses_of, cases_of, judge

import heteronym as hn
from heteronym.api.sanitize import documents_of
from heteronym.assertions.anonymity import TYPES, anonymity_of, anonymity_of_message, knowledge_of
from heteronym.assertions.ledger import canonical_forms, combine, factor, written
from heteronym.assertions.read_document import read
from heteronym.assertions.schemas import classify_schema, schema_text
from heteronym.model.assertion import Analysis
from heteronym.model.plan import TextPlan

FAST = TextPlan(model="fast")
TEXT = "Mary is in London. John saw Mary's uncle, Jim, in Paris."
HOSPITAL = {
    "PATIENT": ["NAME", "APPOINTMENT-NUMBER", "AGE"],
    "DOCTOR": ["NAME", "APPOINTMENT-NUMBER", "PHONE"],
    "APPOINTMENT": ["APPOINTMENT-NUMBER", "TIME", "ROOM"],
    "A-P-D": ["APPOINTMENT-NUMBER", "DOCTOR-NAME", "PATIENT-NAME"],
    "TEST": ["NUMBER", "DESCRIPTION"],
    "T-P": ["LABTEST-NUMBER", "PATIENT-NAME"],
}


def analysis_of(text: str, author: str | None = None, recipient: str | None = None) -> Analysis:
    return read(documents_of([text], FAST)[0], author=author, recipient=recipient)


def sanitized(text: str, **parameters: object) -> str:
    return hn.sanitize(text, method="assertions", model="fast", **parameters)


PAPER = list(cases_of(FOLDER / "paper.txt"))


@pytest.fixture(scope="module")
def paper() -> dict[Case, tuple[bool, bool]]:
    return {case: judge(case, told) for case, told in zip(PAPER, analyses_of(PAPER, "fast"), strict=True)}


@pytest.mark.parametrize("case", PAPER, ids=[case.text[:60] for case in PAPER])
def test_the_papers_sentences_have_their_class_and_proprietors(
    case: Case, paper: dict[Case, tuple[bool, bool]]
) -> None:
    assert paper[case] == (True, True)


def test_canonical_forms_of_the_worked_example() -> None:
    forms = canonical_forms(analysis_of(TEXT))
    assert written(forms) == (
        "[(Mary, Proprietor is in London), [(John, Proprietor saw someone's uncle in Paris), "
        "(Mary, Proprietor has an uncle), (Jim, Proprietor is an uncle of someone)]]"
    )
    identities, zero = factor(forms)
    assert identities == ["Mary", ["John", "Mary", "Jim"]]
    assert zero == [
        "Proprietor is in London",
        [
            "Proprietor saw someone's uncle in Paris",
            "Proprietor has an uncle",
            "Proprietor is an uncle of someone",
        ],
    ]
    assert combine(identities, zero) == forms


def test_the_worked_example_rewritten() -> None:
    assert sanitized(TEXT) == "X is in London. Y saw X's uncle, Z, in Paris."


@pytest.mark.parametrize(
    ("text", "atoms"),
    [
        ("John saw Mary's uncle, Jim.",
         [[("John", "Proprietor saw someone's uncle"), ("Mary", "Proprietor has an uncle"),
           ("Jim", "Proprietor is an uncle of someone")]]),
        ("Maria's preparing the document pleased John.",
         [[("Maria", "Proprietor's preparing the document pleased someone"),
           ("John", "Someone's preparing the document pleased Proprietor")]]),
        ("V1 and V2 are in London.",
         [[("V1", "Proprietor is in London"), ("V2", "Proprietor is in London")]]),
        ("Jack and Jill love John.",
         [[[("Jack", "Proprietor loves someone"), ("John", "Someone loves Proprietor")],
           [("Jill", "Proprietor loves someone"), ("John", "Someone loves Proprietor")]]]),
        ("John and Mary are in love.",
         [[("John", "Proprietor and someone are in love"), ("Mary", "Someone and Proprietor are in love")]]),
        ("He is shy.", [("he", "Proprietor is shy")]),
        ("Farmer John's house is burning.", [("John", "Proprietor's house is burning")]),
    ],
)  # fmt: skip
def test_reductions_of_the_paper(text: str, atoms: object) -> None:
    assert canonical_forms(analysis_of(text)) == atoms


def test_the_someone_of_jack_and_jill_is_one_and_the_same() -> None:
    (assertion,) = analysis_of("Jack and Jill love John.").assertions
    assert [part[0].someone for part in assertion.atoms] == [(2,), (2,)]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"persons": "John", "naming": "someone"}, "Someone and Mary are in love."),
        ({"persons": "Mary", "naming": "someone"}, "John and someone are in love."),
        ({"by": "relation"}, "John and Mary are in some type of relation."),
    ],
)
def test_love_is_anonymized_by_proprietor_or_by_relation(
    parameters: dict[str, object], expected: str
) -> None:
    assert sanitized("John and Mary are in love.", **parameters) == expected


@pytest.mark.parametrize(
    ("by", "expected"), [("content", "John's age is some number."), ("both", "Someone's age is some number.")]
)
def test_an_age_is_suppressed_with_and_without_its_proprietor(by: str, expected: str) -> None:
    assert sanitized("John's age is 42.", by=by) == expected


def test_an_allegation_is_published_without_its_content() -> None:
    assert sanitized("John was accused of fraud.", by="content") == "There is an allegation about John."


@pytest.mark.parametrize(
    ("letter", "content", "proprietors", "possessors"),
    [
        ("a", True, False, True), ("b", True, False, False), ("c", True, True, False),
        ("d", False, True, False), ("e", False, False, False), ("f", False, True, True),
        ("g", False, False, True),
    ],
)  # fmt: skip
def test_the_seven_types(letter: str, content: bool, proprietors: bool, possessors: bool) -> None:
    assert anonymity_of(content=content, proprietors=proprietors, possessors=possessors).letter == letter


def test_nothing_hidden_is_no_type_of_anonymity() -> None:
    assert anonymity_of(content=True, proprietors=True, possessors=True).letter is None
    assert len(set(TYPES.values())) == 7


@pytest.mark.parametrize(
    ("letter", "proprietors", "possessors", "word"),
    [("a", False, True, "openly"), ("b", False, False, "whistleblower"), ("c", True, False, "by name")],
)
def test_a_proprietor_who_is_the_possessor(
    letter: str, proprietors: bool, possessors: bool, word: str
) -> None:
    told = anonymity_of(content=True, proprietors=proprietors, possessors=possessors, own=True)
    assert told.letter == letter
    assert word in told.meaning
    assert bool(told.warning) == (letter == "a")


def test_i_love_you_is_anonymous_until_the_parties_are_known() -> None:
    text = "I love you."
    assert anonymity_of_message(analysis_of(text)).letter == "b"
    known = anonymity_of_message(analysis_of(text, "Bob", "Alice"), sender="Bob", receiver="Alice")
    assert known.letter is None
    assert known.own


def test_he_loves_her_stays_anonymous_between_known_parties() -> None:
    told = anonymity_of_message(analysis_of("He loves her.", "Bob", "Alice"), sender="Bob", receiver="Alice")
    assert told.letter == "a"
    assert not told.own


def test_known_and_not_known() -> None:
    assert knowledge_of("Ann", "Ann", others=["Bob"]) == "known"
    assert knowledge_of("Ann", "Ann") == "not known"
    assert knowledge_of("Ann", "the hospital", others=["Ann"]) == "non-proprietary"


def test_the_relations_of_the_hospital_schema() -> None:
    kinds = {relation.name: relation.kind for relation in classify_schema(HOSPITAL)}
    assert kinds == {
        "PATIENT": "atomic", "DOCTOR": "atomic", "APPOINTMENT": "zero", "A-P-D": "compound", "TEST": "zero",
        "T-P": "atomic",
    }  # fmt: skip


def test_the_hospital_schema_as_sentences() -> None:
    sentences = {relation.name: relation.assertions for relation in classify_schema(HOSPITAL)}
    assert sentences["PATIENT"] == (
        "The name of the patient is X",
        "The patient has appointment Y",
        "The age of the patient is M",
    )
    assert sentences["A-P-D"] == ("The appointment number of Dr. X with patient Y is Z",)
    assert sentences["TEST"] == ("The description of test number X is Z",)


def test_a_schema_written_out_is_analyzed_as_its_relations_are_classified() -> None:
    for relation in classify_schema(HOSPITAL):
        for sentence in relation.assertions:
            (assertion,) = analysis_of(f"{sentence}.").assertions
            assert assertion.kind == relation.kind, sentence
    assert schema_text(HOSPITAL).count(".") > 8


@pytest.mark.parametrize(
    ("name", "least", "number"),
    [("seen", 0.95, 100), ("unseen", 0.85, 100), ("fresh", 0.85, 60), ("newest", 0.85, 60)],
)
def test_labelled_sentences_are_read_as_labelled(name: str, least: float, number: int) -> None:
    cases = list(cases_of(Path(FOLDER / f"{name}.txt")))
    judged = [judge(case, told) for case, told in zip(cases, analyses_of(cases, "fast"), strict=True)]
    assert len(cases) >= number
    assert sum(kind for kind, _ in judged) >= least * len(cases)
    assert sum(persons for _, persons in judged) >= least * len(cases)
