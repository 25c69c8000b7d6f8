"""Hierarchies of the user as concepts: CSV as for tables, SKOS (RDF/XML or Turtle), OBO.

Of SKOS, `prefLabel`, `altLabel`, `broader` and `narrower` are read, English or without a language; of OBO,
the `[Term]` stanzas with `name`, `synonym`, `is_a` and `is_obsolete`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from heteronym.errors import InputError, reading
from heteronym.io.hierarchies import read_hierarchy
from heteronym.model.concept import Concept

_SKOS = "{http://www.w3.org/2004/02/skos/core#}"
_RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_TURTLE = re.compile(
    r'(?P<text>"(?:[^"\\]|\\.)*")(?:@(?P<language>[\w-]+))?|(?P<name><[^>]*>|[\w-]*:[\w.%-]*|a\b)|(?P<mark>[;,.])|#.*'
)


def read_concepts(path: str | Path) -> list[Concept]:
    """The concepts of a file, by its ending or its beginning."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending == ".obo":
        found = list(_obo(_text(path), path.name))
    elif ending in (".rdf", ".xml", ".skos"):
        found = _skos_xml(_text(path), path.name)
    elif ending in (".ttl", ".turtle"):
        found = _skos_turtle(_text(path))
    else:
        found = list(_csv(path))
    if not found:
        raise InputError(f"{path.name}: no concept was found in it")
    return found


def _text(path: Path) -> str:
    with reading(path):
        return path.read_bytes().decode("utf-8-sig")


def _csv(path: Path) -> Iterator[Concept]:
    """A node is its level and name; a level that repeats the one below is skipped."""
    hierarchy = read_hierarchy(path)
    seen: set[str] = set()
    for leaf in range(len(hierarchy.leaves)):
        chain = [hierarchy.names[level][hierarchy.node[level, leaf]] for level in range(hierarchy.levels)]
        ids = [f"{level}:{name}" for level, name in enumerate(chain)]
        kept = [i for i, name in enumerate(chain) if i == 0 or name != chain[i - 1]]
        for at, level in enumerate(kept):
            if ids[level] not in seen and chain[level] != "*":
                seen.add(ids[level])
                above = [ids[i] for i in kept[at + 1 : at + 2] if chain[i] != "*"]
                yield Concept(ids[level], chain[level], tuple(above))


def _obo(text: str, source: str) -> Iterator[Concept]:
    for stanza in re.split(r"\n(?=\[)", text):
        if not stanza.startswith("[Term]"):
            continue
        rows = [line.partition(":")[::2] for line in stanza.splitlines()[1:] if ":" in line]
        values: dict[str, list[str]] = {}
        for key, value in rows:
            values.setdefault(key.strip(), []).append(value.split(" ! ")[0].strip())
        if values.get("is_obsolete") == ["true"]:
            continue
        if "id" not in values or "name" not in values:
            raise InputError(f"{source}: a [Term] has no id or no name")
        synonyms = [
            match[1] for s in values.get("synonym", []) if (match := re.match(r'"((?:[^"\\]|\\.)*)"', s))
        ]
        parents = [re.split(r"[\s{]", p, maxsplit=1)[0] for p in values.get("is_a", [])]
        yield Concept(values["id"][0], values["name"][0], tuple(parents), tuple(synonyms))


def _skos_xml(text: str, source: str) -> list[Concept]:
    if "<!ENTITY" in text and text.count("<!ENTITY") > 64:
        raise InputError(f"{source}: more entity declarations than a vocabulary needs")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise InputError(f"{source}: not XML (line {error.position[0]})") from None
    triples: list[tuple[str, str, str]] = []
    for node in root.iter():
        about = node.get(f"{_RDF}about")
        if about is None:
            continue
        for child in node:
            if child.tag.startswith(_SKOS):
                triples += _xml_triple(about, child)
    return _concepts(triples)


def _xml_triple(about: str, child: Any) -> Iterator[tuple[str, str, str]]:
    key = child.tag.removeprefix(_SKOS)
    target = child.get(f"{_RDF}resource")
    if target is not None:
        yield about, key, target
    elif child.text and child.get(_LANGUAGE, "en").lower().startswith("en"):
        yield about, key, child.text.strip()


def _skos_turtle(text: str) -> list[Concept]:
    triples: list[tuple[str, str, str]] = []
    subject = verb = ""
    body = re.sub(r"(?im)^\s*@?(?:prefix|base)\b.*$", "", text)
    for token in _TURTLE.finditer(body):
        if token["mark"]:
            subject, verb = (
                ("", "") if token["mark"] == "." else (subject, "" if token["mark"] == ";" else verb)
            )
        elif token["name"] or token["text"]:
            value = token["name"] or token["text"][1:-1].replace('\\"', '"')
            if not subject:
                subject = value
            elif not verb:
                verb = value
            elif (token["language"] or "en").lower().startswith("en"):
                triples.append((subject, re.split(r"[:#]", verb.strip("<>"))[-1], value))
    return _concepts(triples)


def _concepts(triples: list[tuple[str, str, str]]) -> list[Concept]:
    names: dict[str, str] = {}
    others: dict[str, list[str]] = {}
    parents: dict[str, dict[str, None]] = {}
    for subject, verb, value in triples:
        if verb == "prefLabel":
            names.setdefault(subject, value)
        elif verb == "altLabel":
            others.setdefault(subject, []).append(value)
        elif verb == "broader":
            parents.setdefault(subject, {})[value] = None
        elif verb == "narrower":
            parents.setdefault(value, {})[subject] = None
    return [
        Concept(subject, name, tuple(parents.get(subject, ())), tuple(others.get(subject, ())))
        for subject, name in names.items()
    ]
