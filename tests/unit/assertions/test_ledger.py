"""I, Z and pointers: they restore every text, and name nobody where they must not."""

from __future__ import annotations

import json
import random

import pytest
from benchmarks.studies.assertions import FOLDER, cases_of
from tests.naive import assertions as naive

from heteronym.api.analyze import (
    Corpus,
    analyze_texts,
    corpus_to_dict,
    owner_files,
    restored,
    write_owner_files,
)
from heteronym.assertions.ledger import (
    canonical_forms,
    combine,
    factor,
    ledger_of,
    restore,
    scrubber,
    slots_of,
    variable_names,
)
from heteronym.errors import InputError
from heteronym.io.assertions import POINTERS, ZERO, texts_from
from heteronym.io.sealed import seal, unseal
from heteronym.model.assertion import Analysis, Individual, Referring
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan

FAST = TextPlan(model="fast")
ODD = [
    "",
    "{0} Mary {1} is in London. } {",
    "Mary was treated at St. Mary's Hospital; Mary's mail is mary@example.org.",
    "The Smiths met Anna Smith. Smith's dog barked.",
    "X saw Mary. Y saw X.",
    "Jean-Luc Picard's ship - Picard commanded it.",
    "Mary wrote; Mary's page is https://example.org/mary.jones, her code AB-10442;Mary Jones;Leeds.",
]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    cases = [case for path in sorted(FOLDER.glob("*.txt")) for case in cases_of(path)]
    texts = [f"{case.context} {case.text}".strip() for case in cases] + ODD
    return analyze_texts(texts, FAST, names=[f"text {n}" for n in range(len(texts))])


def test_identities_and_pointers_restore_every_text(corpus: Corpus) -> None:
    for number, analysis in enumerate(corpus.analyses):
        ledger = ledger_of(analysis, corpus.roster.variables_of(number), masked=corpus.direct[number])
        assert restore(ledger.surfaces, ledger.pointers) == analysis.text


def test_i_and_z_make_t_again(corpus: Corpus) -> None:
    for analysis in corpus.analyses:
        forms = canonical_forms(analysis)
        identities, zero = factor(forms)
        assert (identities, zero) == (naive.identities(forms), naive.zero(forms))
        assert combine(identities, zero) == forms


def test_z_and_pointers_name_nobody(corpus: Corpus) -> None:
    for number, analysis in enumerate(corpus.analyses):
        ledger = ledger_of(analysis, corpus.roster.variables_of(number), masked=corpus.direct[number])
        names = [name for person in analysis.individuals for name in person.names]
        names = [name for name in names if name not in ("X", "Y", "Z", "V1", "V2")]
        told_openly = json.dumps([ledger.zero, ledger.pointers], ensure_ascii=False)
        assert naive.names_in(told_openly, names) == [], analysis.name


def test_every_atom_is_about_a_proprietor_of_its_assertion(corpus: Corpus) -> None:
    for analysis in corpus.analyses:
        for assertion in analysis.assertions:
            atoms = [atom for part in assertion.atoms for atom in part]
            assert {atom.person for atom in atoms} == set(assertion.proprietors)
            assert all("Proprietor" in atom.zero for atom in atoms), assertion.kind
            if "someone" not in analysis.text.lower():
                assert all(len(atom.someone) == atom.zero.lower().count("someone") for atom in atoms)


def test_classes_follow_the_number_of_individuals(corpus: Corpus) -> None:
    for analysis in corpus.analyses:
        for assertion in analysis.assertions:
            split = assertion.kind == "pseudo-compound"
            persons = [str(number) for number in assertion.proprietors]
            assert assertion.kind == naive.kind(persons, joined=split, together=False)


def test_factoring_nested_lists_agrees_with_its_naive_twin() -> None:
    rng = random.Random(4)

    def nested(depth: int) -> object:
        if depth == 0 or rng.random() < 0.4:
            return (f"person {rng.randrange(9)}", f"Proprietor does {rng.randrange(9)}")
        return [nested(depth - 1) for _ in range(rng.randrange(4))]

    for _ in range(200):
        forms = [nested(3) for _ in range(rng.randrange(5))]
        identities, zero = factor(forms)
        assert (identities, zero) == (naive.identities(forms), naive.zero(forms))
        assert combine(identities, zero) == forms


def test_slots_that_reach_into_each_other_hide_both() -> None:
    text = "See code 10442;Mary Jones;Leeds."
    names = [Referring(text.index("10442"), text.index(";Leeds"), "name", (0,), "jones")]
    mary = Individual(0, "Mary Jones", ("10442;Mary Jones",), ())
    analysis = Analysis(text, [mary], names, [], (), "text")
    slots = slots_of(analysis, [Span(text.index("code"), text.index(";Mary"), "CODE", 1.0, "test")])
    assert [text[start:end] for start, end, _ in slots] == ["code 10442", ";Mary Jones"]


def test_thousands_of_addresses_are_hidden_as_a_naive_twin_hides_them() -> None:
    rng = random.Random(5)
    analysis = Analysis("Mary", [Individual(0, "Mary", ("Mary",), ())], [], [], (), "text")
    others = {f"+44 {n} {n * 7}": "[PHONE]" for n in range(2000)}
    others |= {f"m{n}@example.org": "[MAIL]" for n in range(99)}
    hide = scrubber(analysis, others)
    for _ in range(20):
        some = [*rng.choices(list(others), k=3), "Mary", "Maryland", "x", "44", "+44 1"]
        rng.shuffle(some)
        text = " ".join(some)
        assert hide(text) == naive.hidden(text, others | {"Mary": "someone"})


def test_variables_avoid_those_of_the_text() -> None:
    names = variable_names({"X", "Z1"})
    assert [next(names) for _ in range(5)] == ["Y", "Z", "X1", "Y1", "X2"]


def test_the_same_person_has_one_variable_in_all_documents() -> None:
    texts = ["Anna Berg is ill.", "Mr. Hill called Anna Berg.", "Berg left. Hill stayed."]
    made = analyze_texts(texts, FAST, names=["a", "b", "c"])
    variables = [
        {person.label: made.roster.variables_of(n)[person.number] for person in analysis.individuals}
        for n, analysis in enumerate(made.analyses)
    ]
    assert variables[0]["Anna Berg"] == variables[1]["Anna Berg"] == variables[2]["Berg"]


def test_owner_files_restore_and_are_sealed_with_a_passphrase(tmp_path) -> None:
    made = analyze_texts(["Mary is in London. John saw Mary's uncle, Jim, in Paris."], FAST, names=["a.txt"])
    files = owner_files(made, corpus_to_dict(made))
    assert texts_from(files) == {"a.txt": made.analyses[0].text}
    written = write_owner_files(tmp_path / "owner", files, "correct horse")
    for name in written:
        content = (tmp_path / "owner" / name).read_bytes()
        assert b"Mary" not in content
    assert {ZERO, POINTERS} <= set(written)
    assert restored(tmp_path / "owner", "correct horse") == {"a.txt": made.analyses[0].text}
    with pytest.raises(InputError, match="passphrase"):
        restored(tmp_path / "owner", "wrong")
    with pytest.raises(InputError, match="sealed"):
        restored(tmp_path / "owner", None)


def test_sealing_twice_gives_different_bytes_and_one_content() -> None:
    one, other = seal(b"Mary", "secret"), seal(b"Mary", "secret")
    assert one != other
    assert unseal(one, "secret") == unseal(other, "secret") == b"Mary"
    with pytest.raises(InputError):
        unseal(one[:-3] + b"xyz", "secret")


def test_one_fact_file_per_person() -> None:
    made = analyze_texts(["Mary is in London. John saw Mary's uncle, Jim, in Paris."], FAST, names=["a.txt"])
    files = owner_files(made, corpus_to_dict(made))
    facts = json.loads(files["person-X.json"])
    assert facts["identity"] == "Mary"
    assert [fact["fact"] for fact in facts["facts"]] == ["Proprietor is in London", "Proprietor has an uncle"]
