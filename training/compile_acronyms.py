"""Makes knowledge/data/acronyms.tsv: short names that stand for several words, from the compiled bases.

    python training/compile_acronyms.py

A name of two to six letters whose concept has another name with these initials ("human immunodeficiency
virus") is an acronym. It stands for the full name of the concept that tells least, "UK" for "Britain", and of
several concepts for the one that tells most, "MS" for "multiple sclerosis", unless it is a place. An
acronym that is a word as well ("aids", "who", "it") counts only where it is written in capitals.
"""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

from heteronym.knowledge.bases import base
from heteronym.knowledge.frequencies import plain_bits, singulars
from heteronym.knowledge.wordlists import words

TARGET = Path(__file__).parents[1] / "src/heteronym/knowledge/data/acronyms.tsv"
SMALL = frozenset("of and the for in on de to".split())
HEAD = """# acronym, what it stands for, where it counts: in capitals only, or in any letters
# from WordNet 3.0 (Princeton) and MeSH; made by training/compile_acronyms.py
"""


def initials(name: str) -> set[str]:
    parts = re.findall(r"[a-z]+", name)
    if len(parts) < 2 or all(len(part) == 1 for part in parts):
        return set()
    return {"".join(part[0] for part in some) for some in (parts, [p for p in parts if p not in SMALL])}


def is_full(name: str) -> bool:
    return len(name) > 6 or " " in name if re.fullmatch(r"[a-z' -]+", name) else False


def _chosen(term: str, long: set[str]) -> str:
    # letters that name a place are understood so
    choose = min if base("places").senses(term) else max
    return choose(long, key=lambda one: (plain_bits(one), one))


def main() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    other_meanings: set[str] = set(words("common_words"))
    for name in ("wordnet", "diseases"):
        taxonomy = base(name)
        names: dict[int, list[str]] = defaultdict(list)
        for term in taxonomy.terms():
            for node in taxonomy.senses(term):
                names[node].append(term)
        for term in taxonomy.terms():
            if not re.fullmatch(r"[a-z]{2,6}", term):
                continue
            if any(form in taxonomy for form in singulars(term)):
                other_meanings.add(term)
            for node in taxonomy.senses(term):
                long = any(term in initials(other) for other in names[node])
                if long:
                    full = [other for other in names[node] if is_full(other)]
                    found[term].add(min(full, key=lambda one: (plain_bits(one), one)))
                if not long and not taxonomy.form(node).isupper():
                    other_meanings.add(term)
    rows = [
        f"{term}\t{_chosen(term, long)}\t{'capitals' if term in other_meanings else 'any'}"
        for term, long in sorted(found.items())
        if long
    ]
    TARGET.write_text(HEAD + "\n".join(rows) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
