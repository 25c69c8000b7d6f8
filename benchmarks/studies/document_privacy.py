"""What does sanitizing a document cost, and what does it hide?

    python -m benchmarks.studies.document_privacy FOLDER [--methods redact pseudonyms ...] [--model fast]
    python -m benchmarks.studies.document_privacy tab_dev.json

FOLDER holds documents with known owners: a folder per owner, or a document per owner. An owner's first
texts (of a single document, its first half) are what an attacker has; the rest is sanitized, measured and
attacked. A JSON file is read as the Text Anonymization Benchmark writes it, with its annotated mentions as
the method `gold`.

TPI    information (eq. 9 of paper 001, over noun phrases) of what no edit touches / of the original
TPS    the same, a replaced phrase counting by its similarity (cosine of word vectors, at least 0)
TRIR   share of owners whom a TF-IDF + linear attacker finds: trained on their other texts, on the originals
pairs  telling pairs of kept terms per document at --beta bits (documents/_pairs.py), in the sentences
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heteronym.api.sanitize import documents_of
from heteronym.api.vaults import KeepsVault
from heteronym.documents._pairs import holders_of, telling_pairs
from heteronym.errors import HeteronymError
from heteronym.io.formats import open_document
from heteronym.io.formats.folders import list_documents
from heteronym.model.document import Document
from heteronym.model.edit import Edit, edited
from heteronym.model.plan import TextPlan
from heteronym.registry import document_methods
from heteronym.surrogates.vault import KEY
from heteronym.text.parse import parse

Information = Callable[[str], float]  # bits that a phrase tells
Similarity = Callable[[str, str], float]  # between 0 and 1

_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_EMPTY = frozenset("a an the of and in for on to this that these those his her its their my our your".split())
_NOUNS = frozenset({"NN", "NNS", "NNP", "NNPS"})
_INSIDE = _NOUNS | {"JJ", "JJR", "JJS", "CD"}
_PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_]*(?: \d+)?\]")
_PIECE = 120  # words of a training example


@dataclass(frozen=True)
class Owner:
    """Somebody whom documents are about: texts that an attacker has, and texts that are released."""

    name: str
    known: tuple[str, ...]
    released: tuple[str, ...]


def information_of(counts: Counter[str], *, others: float = 0.5) -> Information:
    """Bits of a phrase from counts of words: the rarest word, and a share of the others'.

    Another source of frequencies needs another function of this form, and nothing else.
    """
    total = sum(counts.values()) + len(counts) + 1

    def bits(phrase: str) -> float:
        content = [word.lower() for word in _WORD.findall(phrase)]
        content = [word for word in content if word not in _EMPTY] or content
        each = sorted((-math.log2((counts[word] + 1) / total) for word in content), reverse=True)
        return each[0] + others * sum(each[1:]) if each else 0.0

    return bits


def noun_phrases(document: Document) -> list[list[tuple[int, int]]]:
    """Places of noun phrases by sentence: runs of adjectives, nouns and numbers that end in a noun."""
    sentences = []
    for offset, doc in document.parsed:
        for sentence in doc.sents:
            places, run = [], []
            for token in [*sentence, None]:
                if token is not None and token.tag_ in _INSIDE:
                    run.append(token)
                    continue
                while run and run[-1].tag_ not in _NOUNS:
                    run.pop()
                if run:
                    places.append((offset + run[0].idx, offset + run[-1].idx + len(run[-1])))
                run = []
            sentences.append(places)
    return sentences


def preserved(
    text: str,
    phrases: Iterable[tuple[int, int]],
    edits: Sequence[Edit],
    *,
    information: Information,
    similarity: Similarity,
) -> tuple[float, float, float]:
    """Information of the phrases: of all, of those that stay, and of all by their similarity."""
    ordered = sorted(edits)
    whole = stays = similar = 0.0
    for start, end in phrases:
        bits = information(text[start:end])
        whole += bits
        touching = [edit for edit in ordered if edit.start < end and start < edit.end]
        if not touching:
            stays += bits
            similar += bits
            continue
        new = _rewritten(text, start, end, touching)
        similar += bits * similarity(text[start:end], _PLACEHOLDER.sub("", new))
    return whole, stays, similar


def _rewritten(text: str, start: int, end: int, edits: Sequence[Edit]) -> str:
    """What stands for a phrase; an edit that goes beyond it stands for it wholly."""
    low, high = min(start, edits[0].start), max(end, edits[-1].end)
    moved = [Edit(edit.start - low, edit.end - low, edit.text) for edit in edits]
    return edited(text[low:high], moved)


def vector_similarity() -> Similarity:
    """Cosine of the mean word vectors of the package's own pipeline, at least 0; 0 for nothing."""
    import numpy as np

    from heteronym.text.models.pipelines import fast_pipeline

    vocabulary = fast_pipeline(syntax=True).vocab

    def mean(phrase: str) -> Any:
        rows = [vocabulary[word].vector for word in _WORD.findall(phrase) if vocabulary[word].has_vector]
        return np.mean(rows, axis=0) if rows else None

    def cosine(old: str, new: str) -> float:
        first, second = mean(old), mean(new)
        if first is None or second is None:
            return 0.0
        size = float(np.linalg.norm(first) * np.linalg.norm(second))
        return max(0.0, float(first @ second) / size) if size else 0.0

    return cosine


def pieces(text: str) -> list[str]:
    """Stretches of some sentences' length, so that an owner is more than one example."""
    words = text.split()
    return [" ".join(words[at : at + _PIECE]) for at in range(0, len(words), _PIECE)] or [text]


def found_owners(training: Sequence[Sequence[str]], attacked: Sequence[Sequence[str]]) -> float:
    """Share of owners (by number) whose released texts the attacker gives to them."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    if len(training) < 2:
        return 1.0  # there is nobody else
    texts, labels = [], []
    for number, some in enumerate(training):
        for piece in (piece for text in some for piece in pieces(text)):
            texts.append(piece)
            labels.append(number)
    vectors = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2), min_df=1, token_pattern=r"(?u)\b\w+\b")
    attacker = LinearSVC(random_state=0).fit(vectors.fit_transform(texts), labels)
    right = 0
    for number, some in enumerate(attacked):
        scores = attacker.decision_function(vectors.transform([p for text in some for p in pieces(text)]))
        if scores.ndim == 1:  # two owners have one score
            scores = [[-score, score] for score in scores]
        total = [sum(column) for column in zip(*scores, strict=True)]
        right += total.index(max(total)) == number
    return right / len(attacked)


def read_owners(folder: Path) -> list[Owner]:
    """A folder per owner, or a document per owner."""
    texts: dict[str, list[str]] = {}
    for one in list_documents([str(folder)]).documents:
        top = Path(one.name).parts[0]
        texts.setdefault(top, []).append(open_document(one.path).text)
    return [owner_of(name, some) for name, some in sorted(texts.items())]


def owner_of(name: str, texts: Sequence[str]) -> Owner:
    if len(texts) > 1:
        half = (len(texts) + 1) // 2
        return Owner(name, tuple(texts[:half]), tuple(texts[half:]))
    [text] = texts
    middle = text.find(" ", len(text) // 2)
    middle = len(text) // 2 if middle < 0 else middle
    return Owner(name, (text[:middle],), (text[middle:],))


def read_benchmark(path: Path) -> tuple[list[Owner], list[list[Edit]]]:
    """Owners of a TAB file, and the annotated mentions of what is released of them."""
    owners, gold = [], []
    for row in json.loads(path.read_text("utf-8")):
        owner = owner_of(row["doc_id"], [row["text"]])
        shift = len(owner.known[0])
        places = sorted(
            {
                (max(m["start_offset"] - shift, 0), m["end_offset"] - shift)
                for m in row["entity_mentions"]
                if m["identifier_type"] != "NO_MASK" and m["end_offset"] > shift
            }
        )
        edits, done = [], 0
        for start, end in places:
            if end > done:
                edits.append(Edit(max(start, done), end, "[MASKED]"))
                done = end
        owners.append(owner)
        gold.append(edits)
    return owners, gold


@dataclass(frozen=True)
class Study:
    """All that methods are compared on."""

    owners: Sequence[Owner]
    documents: Sequence[Document]  # the released texts of all owners in their order
    phrases: Sequence[Sequence[Sequence[tuple[int, int]]]]
    information: Information
    similarity: Similarity
    beta: float

    def row(self, name: str, edits: Sequence[Sequence[Edit]]) -> dict[str, object]:
        texts = [edited(document.text, some) for document, some in zip(self.documents, edits, strict=True)]
        whole = stays = similar = 0.0
        for document, sentences, some in zip(self.documents, self.phrases, edits, strict=True):
            places = [place for sentence in sentences for place in sentence]
            told = preserved(
                document.text, places, some, information=self.information, similarity=self.similarity
            )
            whole, stays, similar = whole + told[0], stays + told[1], similar + told[2]
        released = iter(texts)
        attacked = [[next(released) for _ in owner.released] for owner in self.owners]
        return {
            "method": name,
            "TPI": round(stays / whole, 3) if whole else 1.0,
            "TPS": round(similar / whole, 3) if whole else 1.0,
            "TRIR, other texts": round(found_owners([o.known for o in self.owners], attacked), 3),
            "TRIR, originals": round(found_owners([o.released for o in self.owners], attacked), 3),
            "pairs": self.pairs(edits),
        }

    def pairs(self, edits: Sequence[Sequence[Edit]]) -> float | str:
        """Telling pairs of kept terms per document; the documents themselves are the reference."""
        kept = [
            [
                {document.text[a:b].lower() for a, b in sentence if not _is_touched(a, b, some)}
                for sentence in sentences
            ]
            for document, sentences, some in zip(self.documents, self.phrases, edits, strict=True)
        ]
        originals = [
            {document.text[a:b].lower() for sentence in sentences for a, b in sentence}
            for document, sentences in zip(self.documents, self.phrases, strict=True)
        ]
        if self.beta > math.log2(max(len(originals), 1)):
            return "-"
        holders = holders_of(originals)
        found = [
            len(telling_pairs(units, holders, documents=len(originals), beta=self.beta)) for units in kept
        ]
        return round(sum(found) / max(len(found), 1), 2)


def _is_touched(start: int, end: int, edits: Sequence[Edit]) -> bool:
    return any(edit.start < end and start < edit.end for edit in edits)


def make_study(owners: Sequence[Owner], *, model: str, beta: float) -> Study:
    counts = Counter(
        word.lower()
        for owner in owners
        for text in (*owner.known, *owner.released)
        for word in _WORD.findall(text)
    )
    texts = [text for owner in owners for text in owner.released]
    documents = documents_of(texts, TextPlan(model=model))
    documents = [Document(one.text, one.mentions, one.name, parse) for one in documents]
    phrases = [noun_phrases(document) for document in documents]
    return Study(owners, documents, phrases, information_of(counts), vector_similarity(), beta)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--methods", nargs="*", default=["redact", "pseudonyms"])
    parser.add_argument("--model", default="fast")
    parser.add_argument("--beta", type=float, default=3.0)
    options = parser.parse_args()
    try:
        gold = None
        if options.data.suffix == ".json":
            owners, gold = read_benchmark(options.data)
        else:
            owners = read_owners(options.data)
        study = make_study(owners, model=options.model, beta=options.beta)
        rows = [study.row("none", [[] for _ in study.documents])]
        for name in options.methods:
            method = document_methods.build(name)
            if isinstance(method, KeepsVault):
                method = method.opened({KEY: b"0" * 64}, passphrase=None)  # one key, one table
            rows.append(study.row(name, method.sanitize(study.documents).edits))
    except HeteronymError as error:
        sys.exit(f"document_privacy: {error}")
    if gold is not None:
        rows.append(study.row("gold", gold))
    print(f"{len(owners)} owners, {len(study.documents)} documents released, chance {1 / len(owners):.3f}\n")
    print("| " + " | ".join(rows[0]) + " |\n" + "|---" * len(rows[0]) + "|")
    for row in rows:
        print("| " + " | ".join(map(str, row.values())) + " |")


if __name__ == "__main__":
    main()
