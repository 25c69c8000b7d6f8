"""Reads the NER corpora and says, per corpus, which tags each token may carry.

The corpora annotate different types, so an "O" is read with the eyes of its corpus: where dates are not
annotated, "O" permits "no entity" and "a date" alike, and an umbrella tag (MISC) permits every type under it.
Held-out data: the test files are never read here; from each dev file every fourth block of sentences is kept
for early stopping and for tuning, the rest joins the training mix.
"""

import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("HETERONYM_SHARED", PROJECT.parent / "shared"))
NER = SHARED / "data" / "ner"

TYPES = ("PERSON", "ORG", "LOC", "NORP", "DATE", "EVENT", "WORK_OF_ART", "PRODUCT", "MISC")
TAGS = ("O", *(f"{prefix}-{kind}" for kind in TYPES for prefix in "BI"))
NAMES = ("PERSON", "ORG", "LOC")
FACTS = tuple(  # what a text may tell of a person, as the annotated documents have it
    "PERSON ORG LOC NORP DATE TIME EVENT PRODUCT WORK_OF_ART MONEY NUMBER CODE JOB HEALTH EDUCATION FAMILY "
    "MARITAL AGE RELIGION ORIGIN LANGUAGE QUANTITY".split()
)
FACT_TAGS = ("O", *(f"{prefix}-{kind}" for kind in FACTS for prefix in "BI"))

TEST_CORPORA = ("ewt_uner", "btc", "wnut17", "wikigold", "gum", "docred", "crossner", "litbank")
HELD_OUT_BLOCK = 25
LITBANK_SENTENCES = 2600


@dataclass(frozen=True)
class Reading:
    """How one corpus is read: files of the training mix, types its "O" leaves open, types its MISC stands
    for."""

    train: tuple[str, ...]
    open_types: tuple[str, ...] = ()
    umbrella: tuple[str, ...] = ("MISC",)


_NAMES_ONLY = ("NORP", "DATE", "EVENT", "WORK_OF_ART", "PRODUCT", "MISC")
READINGS = {
    "docred": Reading(("train", "dev"), umbrella=("MISC", "EVENT", "WORK_OF_ART", "PRODUCT")),
    "gum": Reading(("train", "dev"), umbrella=("MISC", "WORK_OF_ART", "PRODUCT")),
    "crossner": Reading(("train", "dev"), open_types=("DATE", "PRODUCT"), umbrella=("MISC", "NORP")),
    "btc": Reading(("train", "dev"), open_types=_NAMES_ONLY),
    "litbank": Reading(("train", "dev"), open_types=_NAMES_ONLY),
    "wnut17": Reading(("train", "dev"), open_types=("NORP", "DATE", "EVENT", "MISC")),
    "ewt_uner": Reading(("dev",), open_types=_NAMES_ONLY),
    "pud_uner": Reading(("all",), open_types=_NAMES_ONLY),
    "wikigold": Reading(
        ("train", "dev"), open_types=("DATE",), umbrella=("MISC", "NORP", "EVENT", "WORK_OF_ART", "PRODUCT")
    ),
}


@dataclass(frozen=True)
class Sentence:
    """One annotated sentence: tokens, mapped IOB2 tags and the tags of the source."""

    corpus: str
    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    original: tuple[str, ...]


def read_iob2(corpus: str, split: str) -> list[Sentence]:
    """All sentences of one file, in file order."""
    blocks = (NER / corpus / f"{split}.iob2").read_text(encoding="utf-8").strip("\n").split("\n\n")
    sentences = []
    for block in blocks:
        rows = [line.split("\t") for line in block.split("\n") if line]
        if rows:
            sentences.append(Sentence(corpus, *(tuple(column) for column in zip(*rows))))
    return sentences


def is_held_out(position: int) -> bool:
    """Whether the sentence at this position of a dev file is kept for early stopping and tuning."""
    return position // HELD_OUT_BLOCK % 4 == 3


def training_mix() -> dict[str, list[Sentence]]:
    """The training sentences of every corpus, in file order."""
    mix: dict[str, list[Sentence]] = {}
    for corpus, reading in READINGS.items():
        sentences: list[Sentence] = []
        for split in reading.train:
            found = read_iob2(corpus, split)
            if split == "dev":
                found = [sentence for i, sentence in enumerate(found) if not is_held_out(i)]
            sentences += found
        mix[corpus] = _names_first(sentences, LITBANK_SENTENCES) if corpus == "litbank" else sentences
    return mix


def held_out() -> dict[str, list[Sentence]]:
    """The sentences kept back from the dev files, per corpus."""
    return {
        corpus: [sentence for i, sentence in enumerate(read_iob2(corpus, "dev")) if is_held_out(i)]
        for corpus, reading in READINGS.items()
        if "dev" in reading.train
    }


def _names_first(sentences: list[Sentence], size: int) -> list[Sentence]:
    with_names = [i for i, sentence in enumerate(sentences) if set(sentence.tags) != {"O"}]
    without = [i for i, sentence in enumerate(sentences) if set(sentence.tags) == {"O"}]
    return [sentences[i] for i in sorted((with_names + without)[:size])]


@cache
def permitted_tags(corpus: str, tag: str, mapped_away: bool) -> frozenset[str]:
    """The tags a token may carry, as far as its corpus can tell.

    `mapped_away`: the source annotated the token, with a type that became "O" here.
    """
    reading = READINGS[corpus]
    if tag == "O":
        kinds = {*reading.open_types, "MISC"} if mapped_away else set(reading.open_types)
        return frozenset({"O"} | {f"{prefix}-{kind}" for kind in kinds for prefix in "BI"})
    prefix, kind = tag.split("-", 1)
    return frozenset(f"{prefix}-{k}" for k in (reading.umbrella if kind == "MISC" else (kind,)))


def tag_spans(tags: tuple[str, ...] | list[str]) -> list[tuple[int, int, str]]:
    """Half-open token spans of IOB2 tags."""
    spans: list[tuple[int, int, str]] = []
    start, kind = 0, ""
    for i, tag in enumerate((*tags, "O")):
        if kind and tag != f"I-{kind}":
            spans.append((start, i, kind))
            kind = ""
        if tag.startswith("B-"):
            start, kind = i, tag[2:]
    return spans


@dataclass(frozen=True)
class TreeToken:
    """One word of a UD tree; `head` counts from 0 inside the sentence, a root is its own head."""

    text: str
    space_after: bool
    lemma: str
    upos: str
    xpos: str
    head: int
    deprel: str
    entity: str | None


def read_trees(corpus: str, split: str) -> Iterator[list[list[TreeToken]]]:
    """The documents of a CoNLL-U file, each a list of sentences."""
    document: list[list[TreeToken]] = []
    with gzip.open(NER / corpus / f"{split}.conllu.gz", "rt", encoding="utf-8") as lines:
        text = lines.read()
    for block in text.strip().split("\n\n"):
        if "# newdoc" in block and document:
            yield document
            document = []
        document.append(_tree(block, annotated=corpus == "gum"))
    if document:
        yield document


def _tree(block: str, annotated: bool) -> list[TreeToken]:
    rows = [line.split("\t") for line in block.split("\n") if not line.startswith("#")]
    glued: set[int] = set()  # words inside a multiword token ("do" + "n't") touch the word that follows
    for row in rows:
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            glued.update(range(first, last))
            if "SpaceAfter=No" in row[9]:
                glued.add(last)
    tokens = []
    for row in rows:
        if not row[0].isdigit():
            continue
        number, head = int(row[0]), int(row[6])
        notes = dict(note.split("=", 1) for note in row[9].split("|") if "=" in note)
        tokens.append(
            TreeToken(
                text=row[1],
                space_after=notes.get("SpaceAfter") != "No" and number not in glued,
                lemma=row[2],
                upos=row[3],
                xpos=row[4],
                head=head - 1 if head else number - 1,
                deprel=row[7],
                entity=notes.get("NE", "O") if annotated else None,
            )
        )
    return tokens
