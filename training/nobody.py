"""Texts that name nobody, for the judge of names: what a model of names takes for names although it is none.

Documentation that lies on the machine that trains (Debian's, manual pages, that of installed packages and of
the standard library), sentences of the English Web Treebank without a proper noun, and texts made of the
words of `nobody.toml`: drugs, genes, programs, headings, lines in capitals, turns of talks, sentences that
begin with a word that is a name elsewhere. Paragraphs that speak of authors, thanks or owners are left out.
"""

import ast
import gzip
import hashlib
import importlib.metadata
import random
import re
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

from corpora import read_trees

LONGEST = 560  # characters of a text, about what a window of the runtime holds
FROM_EACH = 12  # texts of one source
MANUALS = {"man1": 400, "man5": 100, "man7": 300, "man8": 200}  # pages of each section

_DEBIAN = Path("/usr/share/doc")
_FILES = "*/README* */NEWS* **/*.md **/*.txt **/*.rst **/*.md.gz **/*.txt.gz".split()
_OF_PEOPLE = re.compile(
    r"@|©|\(c\)|copyright|author|maintain|thank|contribut|written by|reported by|patch|credit|translat"
    r"|inspired|license|Inc\.|Ltd|foundation|university",
    re.IGNORECASE,
)
_LISTS_OF_PEOPLE = ("changelog", "copyright", "authors", "thanks", "news.debian")
_PROSE, _WORD = re.compile(r"[a-z]{2,} [a-z]{2,} [a-z]"), re.compile(r"[A-Za-z]{3}")
_HEADING = 60  # characters; a longer paragraph must be prose


def _read(file: Path) -> str:
    raw = file.read_bytes()
    return (gzip.decompress(raw) if file.suffix == ".gz" else raw).decode("utf-8", "replace")


_MACRO = re.compile(r"[.'](\w*) ?(.*)")
_FONT = re.compile(r"\\f(?:\[\w*\]|\(..|.)")


def _manual(source: str) -> str:
    """The words of a manual page, without most of what makes them fat or slanted."""
    lines = []
    for line in source.splitlines():
        macro = _MACRO.match(line)
        if not macro:
            lines.append(line)
        elif macro[1].upper() in ("SH", "SS"):
            lines.append("\n" + macro[2].strip('" ') + "\n")
        elif macro[1] in ("B", "I", "BR", "IR", "RB", "RI"):
            lines.append(macro[2].replace('"', ""))
        elif macro[1] in ("PP", "P", "TP", "LP", "IP", "sp", "Pp", "RS", "RE"):
            lines.append("\n")
    text = _FONT.sub("", "\n".join(lines)).replace("\\-", "-")
    return re.sub(r"\\\*?.", "", re.sub(r"\\\(..", "'", text))


def _docstrings(source: str) -> str:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = (ast.get_docstring(node) for node in ast.walk(ast.parse(source)) if isinstance(node, kinds))
    return "\n\n".join(text for text in found if text)


def _sources(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Names and texts."""
    for file in dict.fromkeys(file for pattern in _FILES for file in sorted(_DEBIAN.glob(pattern))):
        if file.is_file() and not file.name.lower().startswith(_LISTS_OF_PEOPLE):
            yield str(file), _read(file)
    for section, most in MANUALS.items():
        pages = [page for page in sorted(Path("/usr/share/man", section).glob("*.gz")) if page.is_file()]
        for page in rng.sample(pages, min(most, len(pages))):
            yield page.name, _manual(_read(page))
    for one in sorted(importlib.metadata.distributions(), key=lambda d: d.name or ""):
        yield one.name or "", str(one.metadata.get_payload() or one.metadata.get("Description") or "")
    library = Path(sysconfig.get_paths()["stdlib"])
    for file in (*sorted(library.glob("*.py")), *sorted(library.glob("*/*.py"))):
        if not {"site-packages", "test", "tests"} & set(file.parts):
            yield f"{file.parent.name}/{file.name}", _docstrings(file.read_text(encoding="utf-8"))


def documentation(rng: random.Random) -> tuple[list[str], list[str]]:
    """Texts of one paragraph to three, headings too; those of every tenth source or so apart."""
    seen: set[str] = set()
    texts: tuple[list[str], list[str]] = ([], [])
    for name, source in _sources(rng):
        paragraphs = []
        for paragraph in re.split(r"\n\s*\n", source[:200_000]):
            plain = re.sub(r"[ \t]+", " ", paragraph).strip()
            words = sum(letter.isalpha() or letter.isspace() for letter in plain)
            if plain in seen or words < 0.8 * len(plain) or _OF_PEOPLE.search(plain):
                continue
            seen.add(plain)
            if (_WORD if len(plain) < _HEADING else _PROSE).search(plain):
                paragraphs.append(plain)
        mine = []
        while paragraphs:
            size = rng.choice((1, 2, 2, 3))
            mine.append("\n\n".join(paragraphs[:size])[:LONGEST])
            del paragraphs[:size]
        apart = hashlib.blake2b(name.encode(), digest_size=1).digest()[0] < 26
        texts[apart].extend(rng.sample(mine, min(FROM_EACH, len(mine))))
    for part in texts:
        rng.shuffle(part)
    return texts


def plain_sentences(split: str) -> list[str]:
    """Sentences of the English Web Treebank that have no proper noun."""
    found = []
    for sentence in (one for document in read_trees("ud_ewt", split) for one in document):
        text = "".join(token.text + " " * token.space_after for token in sentence).strip()
        named = any(t.upos in ("PROPN", "X", "SYM") or t.xpos.startswith("NNP") for t in sentence)
        if 3 <= len(sentence) <= 60 and not named and "@" not in text and "http" not in text:
            found.append(text)
    return found


class Mistakable:
    """Makes texts of the words of `nobody.toml`."""

    def __init__(self, sentences: Iterable[str], rng: random.Random) -> None:
        told = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
        self.known = {name: v.split() if isinstance(v, str) else v for name, v in told.items()}
        self.known["sentences"] = [sentence for sentence in sentences if len(sentence) < 120]
        self.rng = rng

    def texts(self, number: int) -> list[str]:
        makers = (
            *(self._drugs, self._drugs, self._genes, self._programs, self._heading, self._heading),
            *(self._talk, self._talk, self._starts, self._capitals),
        )
        return [self.rng.choice(makers)() for _ in range(number)]

    def _one(self, kind: str) -> str:
        return self.rng.choice(self.known[kind])

    def _number(self) -> str:
        return str(round(self.rng.uniform(0.5, 14), 1))

    def _filled(self, frames: str, words: str) -> str:
        a, b, c = (self._one(words) for _ in "abc")
        return self._one(frames).format(
            **{"a": a, "b": b, "c": c, "A": _large(a), "B": _large(b), "C": _large(c)},
            **{"dose": self._one("doses"), "often": self._one("often"), "item": self._one("items")},
            **{"drug": self._one("drugs"), "test": self._one("tests"), "other": self._one("tests")},
            **{"value": self._one("values"), "second": self._one("values")},
            **{"number": self.rng.randint(1, 300), "small": self._number()},
        )

    def _drugs(self) -> str:
        if self.rng.random() < 0.7:
            return self._filled("of_drugs", "drugs")
        return "\n".join(
            f"{self.rng.choice(('', '- ', '* ', f'{line}. '))}{_large(self._one('drugs'))} "
            f"{self._one('doses')} {self._one('often')}"
            for line in range(1, self.rng.randint(3, 7))
        )

    def _genes(self) -> str:
        return self._filled("of_genes", "genes")

    def _programs(self) -> str:
        return self._filled("of_programs", "programs")

    def _starts(self) -> str:
        return " ".join(self._one("openers") for _ in range(self.rng.randint(1, 4)))

    def _heading(self) -> str:
        if self.rng.random() < 0.2:
            return "\n".join(self.rng.sample(self.known["headings"], 4))
        heading = self._one("headings")
        below = (lambda: self._one("sentences"), self._drugs, self._programs, self._genes)
        makers = below[:1] if self.rng.random() < 0.6 else below[1:]
        heading = heading.upper() if self.rng.random() < 0.4 else heading
        return f"{heading}{self.rng.choice(('', ':', ':'))}\n{self.rng.choice(makers)()}"

    def _talk(self) -> str:
        two = self.rng.sample(self.known["speakers"], 2)
        if self.rng.random() < 0.15:
            two = [speaker.upper() for speaker in two]
        mark = self.rng.choice((": ", ": ", ": ", " - ", "> "))
        kinds = ("openers", "openers", "openers", "sentences", "sentences")
        turns = range(self.rng.randint(1, 6))
        return "\n".join(f"{two[turn % 2]}{mark}{self._one(self.rng.choice(kinds))}" for turn in turns)

    def _capitals(self) -> str:
        lines = (lambda: self._one("sentences"), lambda: self._one("headings"))
        return self.rng.choice((*lines, self._drugs, self._programs, self._starts))().upper()


def _large(word: str) -> str:
    return word[0].upper() + word[1:]
