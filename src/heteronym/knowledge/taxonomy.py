"""Taxonomies as compact arrays: one file format for all knowledge, fast chains, distinct leaves.

A file is one zlib stream: a line of JSON (sizes, source), integer arrays as byte planes (all low bytes,
then all next ones: they compress far better), and names, forms and terms joined by line ends. In
memory the arrays are plain lists, which Python walks faster than numpy scalars.

Cost        compile O(leaves x ancestors); look-up O(1), a chain O(its length) once per concept
Randomness  none
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from heteronym.errors import InputError
from heteronym.model.concept import Concept


class Taxonomy:
    """Concepts by number, with parents, leaves below, names, and the words that mean them."""

    def __init__(
        self, arrays: Mapping[str, Sequence[int]], texts: dict[str, list[str]], *, name: str
    ) -> None:
        self.name = name
        self.is_shared = False  # one of the package's own, of which there is one each
        self.names = texts["names"]
        self._forms = texts["forms"]
        self.leaves = arrays["leaves"]
        self.counts = arrays["counts"]
        self._parents = arrays["parents"]
        self._parent_end = list(accumulate(arrays["parent_count"]))
        self._senses = arrays["senses"]
        self._sense_end = [0, *accumulate(arrays["sense_count"])]
        self._number = dict(zip(texts["terms"], range(len(texts["terms"])), strict=True))
        self._chains: dict[int, tuple[int, ...]] = {}

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"Taxonomy({self.name}: {len(self.names)} concepts, {len(self._number)} terms)"

    def __contains__(self, term: str) -> bool:
        return term in self._number

    def form(self, node: int) -> str:
        """How the concept reads in a sentence."""
        return self._forms[node] or self.names[node]

    def senses(self, term: str) -> Sequence[int]:
        """The concepts that a normalized term means, the usual one first."""
        number = self._number.get(term)
        if number is None:
            return ()
        return self._senses[self._sense_end[number] : self._sense_end[number + 1]]

    def parents(self, node: int) -> Sequence[int]:
        return self._parents[self._parent_end[node - 1] if node else 0 : self._parent_end[node]]

    def chain(self, node: int) -> tuple[int, ...]:
        """The concept and its ancestors, by the first parent of each."""
        found = self._chains.get(node)
        if found is None:
            above = self.parents(node)
            found = (node, *self.chain(above[0])) if above else (node,)
            self._chains[node] = found
        return found

    def all_above(self, node: int) -> tuple[int, ...]:
        """The concept, then all its ancestors over all parents, those with fewest leaves first."""
        depth = {node: 0}
        queue = [node]
        for now in queue:
            for parent in self.parents(now):
                if parent not in depth:
                    queue.append(parent)
                depth[parent] = max(depth.get(parent, 0), depth[now] + 1)
        rest = [above for above in queue if above != node]
        return (node, *sorted(rest, key=lambda above: (self.leaves[above], depth[above], above)))

    def terms(self) -> Iterable[str]:
        return self._number.keys()

    def write(self, path: Path, **source: Any) -> None:
        """The taxonomy in the one file format; `source` goes into its first line."""
        terms = list(self._number)
        arrays: dict[str, Sequence[int]] = {
            "parent_count": np.diff([0, *self._parent_end]).tolist(),
            "parents": self._parents,
            "leaves": self.leaves,
            "counts": self.counts,
            "sense_count": np.diff(self._sense_end).tolist(),
            "senses": self._senses,
        }
        texts = {"names": self.names, "forms": self._forms, "terms": terms}
        path.write_bytes(packed(arrays, texts, name=self.name, **source))


def packed(arrays: dict[str, Sequence[int]], texts: dict[str, list[str]], **head: Any) -> bytes:
    """Arrays and lists of texts in the one file format."""
    planes: list[bytes] = []
    sizes: dict[str, tuple[int, int]] = {}
    for key, values in arrays.items():
        array = np.asarray(values, np.uint32)
        width = max(1, (int(array.max(initial=0)).bit_length() + 7) // 8)
        sizes[key] = (len(array), width)
        planes += [((array >> (8 * byte)) & 0xFF).astype(np.uint8).tobytes() for byte in range(width)]
    blobs = ["\n".join(values).encode() for values in texts.values()]
    head |= {"format": 1, "arrays": sizes, "texts": {k: len(b) for k, b in zip(texts, blobs, strict=True)}}
    return zlib.compress(json.dumps(head).encode() + b"\n" + b"".join([*planes, *blobs]), 9)


def unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, list[int]], dict[str, list[str]]]:
    """The first line, the arrays and the texts of a file in the one format."""
    raw = zlib.decompress(data)
    at = raw.index(b"\n") + 1
    head = json.loads(raw[:at])
    arrays: dict[str, list[int]] = {}
    for key, (length, width) in head["arrays"].items():
        values = np.zeros(length, np.uint32)
        for byte in range(width):
            values |= np.frombuffer(raw, np.uint8, length, at).astype(np.uint32) << (8 * byte)
            at += length
        arrays[key] = values.tolist()
    texts: dict[str, list[str]] = {}
    for key, size in head["texts"].items():
        texts[key] = raw[at : at + size].decode().split("\n")
        at += size
    return head, arrays, texts


def read_taxonomy(data: bytes) -> Taxonomy:
    head, arrays, texts = unpacked(data)
    return Taxonomy(arrays, texts, name=head["name"])


def compiled(
    concepts: Iterable[Concept], *, name: str, terms: dict[str, list[str]] | None = None
) -> Taxonomy:
    """A taxonomy from concepts. `terms` gives the senses (ids) of words in order, where that matters."""
    listed = list(concepts)
    number = {concept.id: i for i, concept in enumerate(listed)}
    if len(number) < len(listed):
        raise InputError(f"{name}: two concepts have the same id")
    parents = [[number[p] for p in concept.parents if p in number] for concept in listed]
    senses: dict[str, list[int]] = {term: [number[i] for i in ids] for term, ids in (terms or {}).items()}
    if terms is None:
        for i, concept in enumerate(listed):
            for term in dict.fromkeys(normalized(t) for t in (concept.name, *concept.terms, concept.form)):
                if term:
                    senses.setdefault(term, []).append(i)
    ordered = sorted(senses)
    arrays: dict[str, Sequence[int]] = {
        "parent_count": [len(above) for above in parents],
        "parents": [p for above in parents for p in above],
        "leaves": _leaves(parents, name),
        "counts": [concept.seen for concept in listed],
        "sense_count": [len(senses[term]) for term in ordered],
        "senses": [s for term in ordered for s in senses[term]],
    }
    texts = {
        "names": [concept.name for concept in listed],
        "forms": [concept.form if concept.form != concept.name else "" for concept in listed],
        "terms": ordered,
    }
    return Taxonomy(arrays, texts, name=name)


def normalized(term: str) -> str:
    """How terms are written in the files: small letters, single blanks, plain apostrophes."""
    return " ".join(term.replace("_", " ").replace("’", "'").lower().split())


def _leaves(parents: list[list[int]], name: str) -> list[int]:
    """Distinct concepts without children that each one reaches downwards; a leaf reaches itself."""
    inner = {p for above in parents for p in above}
    count = [0] * len(parents)
    for leaf in range(len(parents)):
        if leaf in inner:
            continue
        seen = {leaf}
        queue = [leaf]
        for now in queue:
            count[now] += 1
            for parent in parents[now]:
                if parent not in seen:
                    seen.add(parent)
                    queue.append(parent)
    if not all(count) or _has_circle(parents):
        raise InputError(f"{name}: a concept is its own ancestor")
    return count


def _has_circle(parents: list[list[int]]) -> bool:
    below = [0] * len(parents)
    for above in parents:
        for p in above:
            below[p] += 1
    queue = [node for node, count in enumerate(below) if count == 0]
    for node in queue:
        for p in parents[node]:
            below[p] -= 1
            if below[p] == 0:
                queue.append(p)
    return len(queue) < len(parents)
