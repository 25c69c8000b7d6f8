"""Ancestors over all bases and own hierarchies."""

from __future__ import annotations

from pathlib import Path

import pytest

from heteronym.errors import InputError
from heteronym.io.taxonomies import read_concepts
from heteronym.knowledge import bases, frequencies
from heteronym.knowledge.bases import ancestors, base, same, senses_of
from heteronym.knowledge.taxonomy import compiled, read_taxonomy
from heteronym.model.concept import Concept

DATA = Path(bases.__file__).parent / "data"


@pytest.mark.parametrize(
    ("term", "type", "names"),
    [
        ("Tarragona", "GPE", ["Catalonia", "Spain", "Europe", "place"]),
        ("Sacramento", "GPE", ["California", "United States", "North America", "place"]),
        ("liver cancer", "HEALTH", ["Digestive System Neoplasms", "Digestive System Diseases", "disease"]),
        ("E11.9", "DIAGNOSIS", ["E11", "E08-E13", "chapter 4", "diagnosis"]),
        (
            "Charles University",
            "ORG",
            ["university", "educational institution", "institution", "organization"],
        ),
        ("Ministry of Justice", "ORG", ["ministry", "government department", "department", "division"]),
        ("Jane Doe", "PERSON", ["person", "organism"]),
        ("12 March 2015", "DATE", ["March 2015", "2015", "March", "the 2010s", "the 21st century", "date"]),
        ("children", None, ["juvenile", "person"]),
        ("an engineer", None, ["person"]),
    ],
)
def test_a_term_asks_the_base_of_its_type(term: str, type: str | None, names: list[str]) -> None:
    assert [a.name for a in ancestors(term, type)][: len(names)] == names


@pytest.mark.parametrize(
    ("term", "type", "form"),
    [
        ("Berlin", "GPE", "German city"),
        ("Spain", "GPE", "European country"),
        ("California", "GPE", "American state"),
        ("barista", "JOB", "bartender"),
        ("software engineer", "JOB", "software developer"),
    ],
)
def test_forms_read_well_in_place_of_the_term(term: str, type: str, form: str) -> None:
    assert ancestors(term, type)[0].form == form


def test_an_ancestor_tells_level_leaves_and_frequency() -> None:
    chain = ancestors("dog")
    assert [a.level for a in chain] == list(range(1, len(chain) + 1))
    assert [a.leaves for a in chain] == sorted(a.leaves for a in chain)
    assert all(0 < a.frequency < 1 for a in chain)


def test_an_unknown_word_has_no_ancestors() -> None:
    assert ancestors("xqzzkv") == ancestors("") == ancestors("1234567") == ()


def test_a_sense_of_wordnet_must_fit_the_type() -> None:
    assert ancestors("Siemens", "ORG")[0].name == "organization"
    assert ancestors("siemens")[0].name != "organization"


def test_a_description_is_its_place() -> None:
    assert same("Germany's capital", "Berlin", "GPE")
    assert same("capital of France", "Paris", "GPE")
    assert not same("Germany's capital", "Paris", "GPE")


def test_leaves_are_distinct_concepts_below() -> None:
    """The naive twin: walk down from a few hundred concepts."""
    wordnet = base("wordnet")
    below: dict[int, list[int]] = {}
    for node in range(len(wordnet)):
        for parent in wordnet.parents(node):
            below.setdefault(parent, []).append(node)
    for node in [*range(0, len(wordnet), 397), wordnet.senses("entity")[0]]:
        reached, queue = set(), [node]
        while queue:
            now = queue.pop()
            if now not in reached:
                reached.add(now)
                queue += below.get(now, [])
        assert wordnet.leaves[node] == sum(n not in below for n in reached)


def test_all_data_together_has_at_most_six_megabytes() -> None:
    assert sum(path.stat().st_size for path in DATA.iterdir()) <= 6_000_000


def test_numbers_tell_by_their_shape() -> None:
    assert frequencies.information("1984") == frequencies.information("1985")
    assert frequencies.information("1984") < frequencies.information("19843")


def test_a_written_taxonomy_is_read_back(tmp_path: Path) -> None:
    concepts = [Concept("a", "animal"), Concept("d", "dog", ("a",), ("hound",)), Concept("c", "cat", ("a",))]
    compiled(concepts, name="pets").write(tmp_path / "pets.base", source="test")
    pets = read_taxonomy((tmp_path / "pets.base").read_bytes())
    assert [pets.names[n] for n in pets.chain(pets.senses("hound")[0])] == ["dog", "animal"]
    assert pets.leaves == [2, 1, 1]


def test_a_concept_that_is_its_own_ancestor_is_refused() -> None:
    with pytest.raises(InputError, match="own ancestor"):
        compiled([Concept("a", "a", ("b",)), Concept("b", "b", ("a",)), Concept("c", "c", ("a",))], name="x")


OBO = """format-version: 1.2

[Term]
id: X:1
name: limb finding

[Term]
id: X:2
name: phantom ache
synonym: "ghost ache" EXACT []
is_a: X:1 ! limb finding

[Term]
id: X:3
name: gone
is_obsolete: true
"""
TURTLE = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix ex: <http://example.org/> .
ex:limb a skos:Concept ; skos:prefLabel "limb finding"@en .
ex:ache a skos:Concept ; skos:prefLabel "phantom ache"@en, "Phantomschmerz"@de ;
    skos:altLabel "ghost ache"@en ; skos:broader ex:limb .
"""
RDF = """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    xmlns:skos="http://www.w3.org/2004/02/skos/core#">
  <skos:Concept rdf:about="http://example.org/limb">
    <skos:prefLabel xml:lang="en">limb finding</skos:prefLabel>
  </skos:Concept>
  <skos:Concept rdf:about="http://example.org/ache">
    <skos:prefLabel xml:lang="en">phantom ache</skos:prefLabel>
    <skos:altLabel>ghost ache</skos:altLabel><skos:broader rdf:resource="http://example.org/limb"/>
  </skos:Concept>
</rdf:RDF>
"""
CSV = "ghost ache,limb finding,finding\nknee ache,limb finding,finding\ncough,chest finding,finding\n"


@pytest.mark.parametrize(
    ("name", "content"), [("x.obo", OBO), ("x.ttl", TURTLE), ("x.rdf", RDF), ("x.csv", CSV)]
)
def test_a_hierarchy_of_the_user_is_asked_first(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    own = compiled(read_concepts(tmp_path / name), name=name)
    assert ancestors("ghost ache", own=[own])[0].name == "limb finding"
    assert ancestors("dog", own=[own])[0].base == "wordnet"
    assert senses_of("ghost ache", own=[own])[0].base == name


@pytest.mark.parametrize(
    ("name", "content"), [("x.rdf", "<rdf"), ("x.obo", "[Term]\nid: X:1\n"), ("x.ttl", ""), ("x.csv", "")]
)
def test_broken_hierarchies_are_refused_by_name(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=name):
        read_concepts(tmp_path / name)
