"""Reading documents: random sentences of known meaning, bad input, sensitivity and suggestions."""

from __future__ import annotations

import random

import pytest
from tests.counting import growth
from tests.naive import assertions as naive

import heteronym as hn
from heteronym.api.analyze import analyze_texts, corpus_to_dict, owner_files, persons_by_sensitivity
from heteronym.api.sanitize import documents_of
from heteronym.assertions.read_document import read
from heteronym.io.assertions import texts_from
from heteronym.knowledge.categories import categories, delicate
from heteronym.model.assertion import Analysis
from heteronym.model.plan import TextPlan
from heteronym.run import Run

FAST = TextPlan(model="fast")
PEOPLE = ["Anna", "Robert", "Maria", "Peter", "Laura", "George", "Susan", "Frank"]


def analyses(texts: list[str]) -> list[Analysis]:
    return [read(document) for document in documents_of(texts, FAST)]


def made_up(rng: random.Random) -> tuple[str, list[str], bool, bool]:
    """A sentence, whom it is about, whether "and" joins them, and whether it holds of them together."""
    a, b, c = rng.sample(PEOPLE, 3)
    return rng.choice(
        [
            (f"{a} lives in Berlin.", [a], False, False),
            (f"{a} was arrested in {rng.randrange(1990, 2020)}.", [a], False, False),
            (f"{a} called {b} yesterday.", [a, b], False, False),
            (f"{a} was seen by {b}.", [a, b], False, False),
            (f"{a} and {b} were born in Rome.", [a, b], True, False),
            (f"{a}, {b} and {c} work in Oslo.", [a, b, c], True, False),
            (f"{a} and {b} are in love.", [a, b], True, True),
            (f"{a} and {b} hate each other.", [a, b], True, True),
            (f"{a} said that {b} is ill.", [a, b], False, False),
            (f"{a} invited {b} and {c}.", [a, b, c], True, False),
            ("The shop was closed.", [], False, False),
        ]
    )


def test_random_sentences_have_the_class_and_the_proprietors_of_their_meaning() -> None:
    rng = random.Random(17)
    cases = [made_up(rng) for _ in range(120)]
    for (text, persons, joined, together), analysis in zip(cases, analyses([case[0] for case in cases])):
        (assertion,) = analysis.assertions
        assert assertion.kind == naive.kind(persons, joined=joined, together=together), text
        assert {analysis.individuals[p].label for p in assertion.proprietors} == set(persons), text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t\n",
        "The bridge is closed.",
        "- Anna Smith\n- Robert Jones\n- 12.5\n",
        "| name | age |\n|---|---|\n| Anna | 34 |\n",
        '"Hi," said Anna.\n"Fine," replied Robert.\n',
        "\x00\x01 Anna is ill.",
        "Anna " * 500,
        "a" * 5000,
        "12 34 5.6\n-3 1e9",
        "\U0001f600" * 20,
        "Anna\x07 saw\x1b[31m Robert\x00 in\x08 Paris.\x0c She left.",
        "Anna \ud800 saw Robert.",
        "name,mail,ill\nAnna Smith,anna@example.org,asthma\nRobert Jones,bob@example.org,HIV",
        "A: Have you seen Anna?\nB: No, I haven't. She is ill.",
        "[10:02] anna: hi\n[10:03] bob: hey, how's ur mom? still in hospital?",
        "Anna said that " + " and that ".join("Tom saw Ann" for _ in range(300)) + ".",
        '"' * 999 + "(" * 999 + "," * 999,
        "Proprietor saw someone. {0} [X] saw X1's uncle. %s",
        "Anna's brother's wife's sister's boss's son left.",
        "\u738b\u5c0f\u660e\u4f4f\u5728\u5317\u4eac\u3002",
    ],
)
def test_odd_texts_are_read_without_complaint(text: str) -> None:
    corpus = analyze_texts([text], FAST)
    assert texts_from(owner_files(corpus, corpus_to_dict(corpus))) == {"text": text}
    (analysis,) = corpus.analyses
    ends = [assertion.end for assertion in analysis.assertions]
    assert ends == sorted(ends)
    assert all(0 <= a.start < a.end <= len(text) for a in analysis.assertions)


@pytest.mark.parametrize(
    "text",
    [
        "Der Patient wurde am Montag entlassen und ist wieder zu Hause. Er war sehr krank.",
        "Maria Schmidt wohnt in Berlin und leidet an Asthma. Ihr Bruder Hans ist Arzt.",
        "Marie a rencontr\u00e9 Jean \u00e0 Paris. Elle est malade.",
    ],
)
def test_another_language_is_said_to_be_unreliable(text: str) -> None:
    (analysis,) = analyses([text])
    assert any("English" in warning for warning in analysis.warnings)


@pytest.mark.parametrize(
    "text", ["\ufeffMary is ill.", "\u202eMary saw John\u202c today.", "Mary\x07 saw John."]
)
def test_unseen_characters_hide_nobody(text: str) -> None:
    (analysis,) = analyses([text])
    assert "Mary" in [person.label for person in analysis.individuals]
    assert "Mary" not in hn.sanitize(text, method="assertions", model="fast")


def test_author_and_recipient_are_i_and_you() -> None:
    told = hn.analyze("I love you.", author="Bob", recipient="Alice", model="fast")
    assert told["assertions"][0]["proprietors"] == ["Bob", "Alice"]
    assert any("author" in warning for warning in told["warnings"])


def test_a_letter_says_who_greets_and_who_signs() -> None:
    told = hn.analyze("Dear Tom,\n\nI will visit you on Sunday.\n\nBest regards,\nJane\n", model="fast")
    assert ["Jane", "Tom"] in [a["proprietors"] for a in told["assertions"]]


def test_inside_of_quotation_marks_the_speaker_is_i() -> None:
    (analysis,) = analyses(['"I was never there," Hugo Blanc told Clara Wolff.'])
    assert [person.label for person in analysis.individuals] == ["Hugo Blanc", "Clara Wolff"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna has leukaemia.", "health"),
        ("Anna is a lesbian.", "sexuality"),
        ("Anna converted to Islam.", "religion"),
        ("Anna is of Kurdish origin.", "ethnicity"),
        ("Anna votes for the socialist party.", "politics"),
        ("Anna is a trade union member.", "union"),
        ("Anna was convicted of fraud.", "crime"),
        ("Anna's fingerprints were taken.", "biometrics"),
        ("Anna is bankrupt.", "finance"),
        ("Anna adopted a child.", "children"),
        ("Anna lives in a flat in Leeds.", "location"),
    ],
)
def test_every_category_is_found(text: str, expected: str) -> None:
    (analysis,) = analyses([text])
    assert expected in analysis.assertions[0].sensitivity.categories
    assert analysis.assertions[0].sensitivity.reasons


def test_what_is_about_nobody_is_not_sensitive() -> None:
    (analysis,) = analyses(["Cancer is a disease."])
    assert analysis.assertions[0].sensitivity.level == 0


@pytest.mark.parametrize(
    ("text", "expected", "reason"),
    [
        ("Anna has lymphoma.", "health", "lymphoma, a kind of cancer (WordNet)"),
        ("Anna was treated for chlamydia.", "sexuality", "chlamydia"),
        ("Anna went to the mosque on Friday.", "religion", "mosque, a kind of place of worship (WordNet)"),
        ("Anna could not pay her mortgage.", "finance", "mortgage, a kind of security interest (WordNet)"),
        ("Anna married a Methodist preacher.", "religion", "Methodist, a kind of religious person (WordNet)"),
        ("Anna suffers from cystic fibrosis.", "health", "cystic fibrosis"),
    ],
)
def test_a_word_counts_by_its_ancestors(text: str, expected: str, reason: str) -> None:
    (analysis,) = analyses([text])
    found = analysis.assertions[0].sensitivity
    assert expected in found.categories
    assert any(told.startswith(reason) for told in found.reasons)


def test_the_words_of_a_name_are_not_delicate() -> None:
    (analysis,) = analyses(["Mr. Bishop met Mrs. Church in Leeds."])
    assert analysis.assertions[0].sensitivity.level == 1


def test_a_suggestion_lowers_the_level_when_it_is_read_again() -> None:
    texts = [
        "Sophie is pregnant.", "Mr. Keane has severe asthma.",
        "Mr. Doyle was sentenced to three years in prison.",
        "Maria is a Catholic priest.", "Peter owes the bank 20,000 pounds.", "Laura converted to Islam.",
    ]  # fmt: skip
    first = [analysis.assertions[0] for analysis in analyses(texts)]
    assert all(assertion.suggestion for assertion in first)
    again = [analysis.assertions[0] for analysis in analyses([assertion.suggestion for assertion in first])]
    for before, after in zip(first, again):
        assert after.sensitivity.level < before.sensitivity.level
        assert after.sensitivity.level == before.suggested_level


def test_persons_of_a_corpus_are_ranked_by_sensitivity() -> None:
    texts = ["Anna has cancer. Robert is in Rome.", "Robert bought a car. Maria is bankrupt."]
    ranked = persons_by_sensitivity(analyze_texts(texts, FAST, names=["a", "b"]))
    assert [(row["label"], row["level"]) for row in ranked] == [("Anna", 3), ("Maria", 2), ("Robert", 1)]
    assert ranked[2]["statements"] == ranked[2]["documents"] == 2


def test_every_category_has_a_law_and_a_general_word() -> None:
    for entry in categories().values():
        assert entry["level"] in (2, 3)
        assert entry["law"]
        assert delicate(str(entry["noun"])) is None


def test_groups_are_kept_apart_from_individuals() -> None:
    (analysis,) = analyses(["The nurses helped Anna."])
    (assertion,) = analysis.assertions
    assert assertion.kind == "atomic"
    assert assertion.groups == ("nurses",)


def test_nothing_private_shows_in_a_repr() -> None:
    (analysis,) = analyses(["Anna has cancer."])
    shown = repr([analysis, *analysis.assertions, *analysis.individuals, *analysis.referring])
    assert "Anna" not in shown
    assert "cancer" not in shown


def test_what_never_ends_is_cut_and_stays_cheap() -> None:
    names = ["Anna", "Bernd", "Clara", "David", "Elena", "Frank", "Greta", "Hans"]
    (analysis,) = analyses([" and ".join(names * 300)])
    assert 8 <= len(analysis.assertions) <= 30
    assert all(len(atom.zero) < 4_000 for a in analysis.assertions for part in a.atoms for atom in part)


def test_long_texts_are_told_of_while_they_are_read() -> None:
    shares: list[float] = []
    run = Run(lambda step, share: shares.append(share or 0.0) if step == "analyze" else None)
    paragraph = "Mary Jones met Tom Hill in Leeds. She told him that her brother has asthma."
    analyze_texts(["Nobody.", f"{paragraph}\n\n" * 1_500], TextPlan(model="fast"), run=run)
    assert len(shares) > 5
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


@pytest.mark.parametrize(
    ("before", "line", "after"), [("", "\n", ""), ("x\nregards", "\n", "a"), ("", "regards,\n", "")]
)
def test_many_lines_cost_what_their_length_costs(before: str, line: str, after: str) -> None:
    assert hn.analyze(before + line * 2_000 + after, model="none")
    assert growth(lambda n: hn.analyze(before + line * n + after, model="none"), 200) < 6
