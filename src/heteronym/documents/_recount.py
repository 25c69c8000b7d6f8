"""Reads written texts again for the audits, by code that shares nothing with the methods.

Phrases are found by one pattern over tags, word frequencies come straight from the file, and concepts are
counted below a label by walking down. Only the tagger and the data files are the same.
"""

from __future__ import annotations

import json
import math
import re
import zlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

_CODE = {
    "NN": "N", "NNS": "N", "NNP": "N", "NNPS": "N", "JJ": "J", "JJR": "J", "JJS": "J", "CD": "D", "POS": "P",
    "ADD": "N", "FW": "N", "HYPH": "P", "AFX": "J", "RB": "R", "RBR": "R", "RBS": "R",
}  # fmt: skip
_RUN = re.compile(r"(?:[NJDPG]|R(?=J))+")
_BRACKET = re.compile(r"\[[A-Z][A-Z_ ]*(?: [0-9]+)?\]")
_IGNORED = ("of", "the", "a", "an", "and", "in", "for", "on", "to")


def phrases_above(text: str, beta: float, tell: Callable[[str], float] | None = None) -> tuple[int, int]:
    """How many noun phrases tell more than beta, and how many there are."""
    tell = tell or bits
    found = list(phrases(text))
    return sum(tell(phrase) > beta + 1e-9 for phrase in found), len(found)


def phrases(text: str) -> list[str]:
    """Noun phrases of a text by their tags, without placeholders."""
    from heteronym.text.parse import parse_all

    masked = {i for match in _BRACKET.finditer(text) for i in range(*match.span())}
    found = []
    for offset, doc in parse_all([text], tags_only=True)[0]:
        codes = "".join(_code(token, offset in masked or token.idx + offset in masked) for token in doc)
        for run in _RUN.finditer(codes):
            first, last = run.start(), run.end()
            while first < last and (codes[first] == "P" or not re.search(r"[^\W_]", doc[first].text)):
                first += 1
            while last > first and (
                codes[last - 1] not in "ND" or not re.search(r"[^\W_]", doc[last - 1].text)
            ):
                last -= 1
            if first < last and (
                "N" in codes[first:last] or any(len(doc[i].text) > 1 for i in range(first, last))
            ):
                found.append(doc[first:last].text)
    return found


def nouns(text: str) -> list[tuple[int, str]]:
    """The last noun of each noun phrase, and where it stands."""
    from heteronym.text.parse import parse_all

    found = []
    for offset, doc in parse_all([text], tags_only=True)[0]:
        for token in doc:
            following = doc[token.i + 1].tag_ if token.i + 1 < len(doc) else ""
            if token.tag_ in ("NN", "NNS") and _CODE.get(following, ".") not in "NDP":
                found.append((token.idx + offset, token.text))
    return found


def _code(token: Any, masked: bool) -> str:
    if masked:
        return "."
    if token.tag_ in ("WP", "PRP", "WDT") and token.text.isupper() and token.text.lower() in _stands_for():
        return "N" if token.doc.text != token.doc.text.upper() else "."
    if token.tag_.startswith("RB") and "." in token.text:
        return "."
    if token.tag_ in ("VBN", "VBG") and token.i + 1 < len(token.doc):
        return "G" if token.nbor().tag_.startswith("NN") else "."
    return _CODE.get(token.tag_, ".")


@cache
def _frequencies() -> tuple[list[bytes], bytes]:
    """Words in the order of the file, and its planes of hundredths of powers of ten."""
    raw = zlib.decompress(files("heteronym.knowledge").joinpath("data", "frequencies.base").read_bytes())
    line, _, rest = raw.partition(b"\n")
    (count, width) = json.loads(line)["arrays"]["centibels"]
    return rest[count * width :].split(b"\n"), rest[: count * width]


@cache
def _places_in_list() -> dict[bytes, int]:
    return {word: at for at, word in enumerate(_frequencies()[0])}


def _share(word: str) -> float | None:
    low = word.lower().replace("’", "'")
    digits = sum(c.isdigit() for c in low)
    spread = 1.0
    if digits and len(low) > 1:
        spread = 150.0 if re.fullmatch(r"(1[89]|20)\d\d", low) else 9.0 * 10 ** (digits - 1)
        low = re.sub(r"\d", "0", low)
        tries = [low]
    else:
        tries = [low]
        if low.endswith("'s"):
            tries.append(low[:-2])
        for end, new in (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"),
                         ("men", "man"), ("ies", "y")):  # fmt: skip
            if low.endswith(end) and len(low) > len(end) + 1:
                tries.append(low[: len(low) - len(end)] + new)
    planes = _frequencies()[1]
    count = len(_frequencies()[0])
    for form in tries:
        at = _places_in_list().get(form.encode())
        if at is not None:
            level = sum(planes[at + byte * count] << (8 * byte) for byte in range(len(planes) // count))
            return float(10.0 ** (-level / 100.0) / spread)
    return None


@cache
def _stands_for() -> dict[str, list[str]]:
    """Acronym -> the words it stands for, and in which letters it counts."""
    text = files("heteronym.knowledge").joinpath("data", "acronyms.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return {row[0]: row[1:] for row in rows}


def _alone(word: str) -> float:
    """Bits of one word; of an acronym at least those of what it stands for."""
    short = word.replace(".", "")
    for mark in ("'s", "’s"):
        short = short.removesuffix(mark)
    if short[:-1].isupper() and short.endswith("s"):
        short = short[:-1]
    long, where = _stands_for().get(short.lower(), ("", ""))
    bits = -math.log2(_share(word) or 5e-9)
    if not long or (where == "capitals" and not short.isupper()):
        return bits
    return max(bits, _sum([-math.log2(_share(part) or 5e-9) for part in _telling(long)]))


def bits(phrase: str) -> float:
    """Bits that a phrase tells, on the paper's scale."""
    each = [_alone(part) for part in _telling(phrase)]
    return max(0.0, 0.56 * (_sum(each) - 9.05)) if each else 0.0


def _sum(each: list[float]) -> float:
    """The most telling word in full, half of the others."""
    return max(each) / 2 + sum(each) / 2


def _telling(phrase: str) -> list[str]:
    parts: list[str] = []
    for token in re.findall(r"[^\W_]+(?:['’.&-][^\W_]+)*", phrase):
        whole = _share(token) is not None or token.isalnum()
        parts += [token] if whole else re.findall(r"[^\W_]+", token)
    return [part for part in parts if part.lower() not in _IGNORED] or parts


class Tree(NamedTuple):
    names: list[str]
    parents: list[list[int]]
    below: list[list[int]]
    forms: list[str]


@cache
def _raw(name: str) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Arrays and lists of a taxonomy, straight from its file."""
    raw = zlib.decompress(files("heteronym.knowledge").joinpath("data", f"{name}.base").read_bytes())
    line, _, rest = raw.partition(b"\n")
    head = json.loads(line)
    arrays: dict[str, Any] = {}
    for key, (count, width) in head["arrays"].items():
        block = np.frombuffer(rest[: count * width], np.uint8).reshape(width, count).astype(np.int64)
        arrays[key] = (block << (8 * np.arange(width)[:, None])).sum(axis=0)
        rest = rest[count * width :]
    texts: dict[str, list[str]] = {}
    for key, size in head["texts"].items():
        texts[key], rest = rest[:size].decode().split("\n"), rest[size:]
    return arrays, texts


@cache
def terms(name: str) -> dict[str, list[int]]:
    """Which concepts a term means."""
    arrays, texts = _raw(name)
    ends = np.cumsum(arrays["sense_count"])
    starts = ends - arrays["sense_count"]
    senses = arrays["senses"].tolist()
    return {term: senses[a:b] for term, a, b in zip(texts["terms"], starts, ends, strict=True)}


@cache
def children(name: str) -> Tree:
    """Names, parents, children and forms of a taxonomy."""
    arrays, texts = _raw(name)
    names = texts["names"]
    bounds = np.concatenate([[0], np.cumsum(arrays["parent_count"])])
    parents = [arrays["parents"][a:b].tolist() for a, b in pairwise(bounds)]
    below: list[list[int]] = [[] for _ in names]
    for node, above in enumerate(parents):
        for parent in above:
            below[parent].append(node)
    return Tree(names, parents, below, texts["forms"])


@cache
def base_words(name: str, node: int) -> int:
    """Distinct concepts without children at or below a concept, by walking down."""
    below = children(name).below
    seen, queue, count = {node}, [node], 0
    for now in queue:
        count += not below[now]
        for child in below[now]:
            if child not in seen:
                seen.add(child)
                queue.append(child)
    return count
