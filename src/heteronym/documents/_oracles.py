"""Where information content comes from: the package's word list, a folder of documents, or own counts.

Reference   Sanchez, Batet, Viejo 2013 (paper 001), eq. 1 and 2
Cost        a folder is read once; a phrase is then looked for in each of its documents, once
Randomness  none
"""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from heteronym.errors import InputError, UsageError, reading
from heteronym.knowledge.bases import base, senses_of
from heteronym.knowledge.frequencies import information, information_of_any
from heteronym.knowledge.taxonomy import Taxonomy

Oracle = Callable[[str], float]  # phrase -> bits it tells

_WORD = re.compile(r"[^\W_]+")


def oracle_of(name: str | None, corpus: str | None, *, synonyms: bool) -> Oracle:
    """The oracle that the parameters of a method name."""
    if name is not None and corpus is not None:
        raise UsageError("name either an oracle or a corpus, not both")
    if corpus is not None:
        return from_documents(_read_folder(Path(corpus)))
    if name is None:
        return with_synonyms if synonyms else information
    return (
        _imported(name) if ":" in name and not Path(name).exists() else from_counts(*read_counts(Path(name)))
    )


def from_counts(counts: Mapping[str, float], total: float) -> Oracle:
    """IC from hit counts (eq. 2); what has none counts half a hit."""
    table = {_key(term): hits for term, hits in counts.items()}

    def tell(phrase: str) -> float:
        hits = table.get(_key(phrase), 0.0)
        return max(0.0, -math.log2(max(hits, 0.5) / total))

    return tell


def from_documents(texts: Sequence[str]) -> Oracle:
    """IC from the share of documents that hold the phrase."""
    if not texts:
        raise InputError("the corpus holds no documents")
    bodies = [f" {_key(text)} " for text in texts]

    @lru_cache(1 << 16)
    def tell(phrase: str) -> float:
        wanted = f" {_key(phrase)} "
        hits = sum(wanted in body for body in bodies) if wanted.strip() else len(bodies)
        return -math.log2(max(hits, 0.5) / len(bodies))

    return tell


@lru_cache(1 << 14)
def with_synonyms(phrase: str) -> float:
    """IC of the concept that a phrase names: its other names make it likelier."""
    senses = senses_of(phrase)
    if not senses or senses[0].base != "wordnet":
        return information(phrase)
    names = _names(base("wordnet"))[senses[0].node]
    return min(information(phrase), information_of_any((phrase, *names)))


@lru_cache(1)
def _names(taxonomy: Taxonomy) -> list[list[str]]:
    names: list[list[str]] = [[] for _ in range(len(taxonomy))]
    for term in taxonomy.terms():
        for node in taxonomy.senses(term):
            names[node].append(term)
    return names


def read_counts(path: Path) -> tuple[dict[str, float], float]:
    """A file of `term<TAB>count` lines, the first of which is `total<TAB>count`."""
    rows = [line.split("\t") for line in _read(path).splitlines() if line and not line.startswith("#")]
    wrong = [number for number, row in enumerate(rows, 1) if len(row) != 2 or not _is_number(row[1])]
    if wrong or not rows or rows[0][0].strip().lower() != "total" or float(rows[0][1]) <= 0:
        where = f"line {wrong[0]}" if wrong else "the first line"
        raise InputError(f"{path.name}: {where} is not 'term<TAB>count'; the first has to give the 'total'")
    return {term: float(count) for term, count in rows[1:]}, float(rows[0][1])


def _is_number(text: str) -> bool:
    return re.fullmatch(r"\s*\d+(?:\.\d*)?(?:e\d+)?\s*", text) is not None


def _read_folder(folder: Path) -> list[str]:
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder of documents")
    return [_read(path) for path in sorted(folder.rglob("*")) if path.suffix.lower() in (".txt", ".md", "")
            and path.is_file()]  # fmt: skip


def _read(path: Path) -> str:
    with reading(path):
        return path.read_text(encoding="utf-8")


def _imported(name: str) -> Oracle:
    module, _, function = name.partition(":")
    try:
        found: Oracle = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError):
        raise UsageError(
            f"oracle '{name}': no such function. Name it as module:function, or a file"
        ) from None
    return found


def _key(text: str) -> str:
    return " ".join(word.lower() for word in _WORD.findall(text))
