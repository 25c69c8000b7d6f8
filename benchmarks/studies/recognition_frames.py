"""What would frames over the parsed sentence find that recognition does not? Jobs, relatives, marital status.

    python -m benchmarks.studies.recognition_frames [--model accurate|fast|none] [FOLDER ...]

spaCy's DependencyMatcher looks for "X is a HEAD", "works as a HEAD", "X, a HEAD", "my HEAD" and "X is
divorced" in the trees of the package's own pipeline. Heads of jobs are nouns that ESCO knows, heads of
kinship those of `demographics`. What it finds is added to what the pipeline finds: words newly masked, how
many of them are marked, and what it costs. Annotated files as in `recognition_genres.py`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from spacy.matcher import DependencyMatcher
from spacy.tokens import Doc, Token

from benchmarks.figures import show
from benchmarks.studies.recognition_genres import GENRES, TOKEN, Document, documents_of, measure
from heteronym.api.scan import find_in_documents
from heteronym.knowledge.bases import chain_of
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.text.lexicon import lexicon
from heteronym.text.parse import parse_all

READ = ("seen", "unseen", "wide", "fresh", "later")  # sets whose errors may be read
PERSONS = ["PRON", "PROPN", "NOUN"]
MARITAL = ["married", "divorced", "widowed", "separated", "single", "engaged", "unmarried"]


def under(head: str, name: str, **token: Any) -> dict[str, Any]:
    return {"LEFT_ID": head, "REL_OP": ">", "RIGHT_ID": name, "RIGHT_ATTRS": token}


def anchor(name: str, **token: Any) -> dict[str, Any]:
    return {"RIGHT_ID": name, "RIGHT_ATTRS": token}


NOUN, SUBJECT = {"POS": "NOUN"}, {"DEP": {"IN": ["nsubj", "nsubj:pass"]}, "POS": {"IN": PERSONS}}
FRAMES: dict[str, list[dict[str, Any]]] = {  # the first token is what is told
    "JOB is": [anchor("head", **NOUN), under("head", "be", DEP="cop"), under("head", "who", **SUBJECT)],
    "JOB as": [
        anchor("work", LEMMA={"IN": ["work", "serve", "train", "employ", "act", "retire", "qualify"]}),
        under("work", "head", DEP={"IN": ["obl", "advcl"]}, **NOUN),
        under("head", "as", DEP="case", LOWER="as"),
    ],
    "JOB beside": [anchor("who", POS={"IN": PERSONS}), under("who", "head", DEP="appos", **NOUN)],
    "FAMILY of": [anchor("head", **NOUN), under("head", "whose", DEP="nmod:poss")],
    "MARITAL is": [anchor("head", LOWER={"IN": MARITAL}), under("head", "who", **SUBJECT)],
}


def matcher_of(vocabulary: Any) -> DependencyMatcher:
    matcher = DependencyMatcher(vocabulary)
    for name, pattern in FRAMES.items():
        matcher.add(name, [pattern])
    return matcher


def told(type: str, head: Token) -> Span | None:
    """The head with the words that say which kind, if it is a head of that type."""
    kin = lexicon("demographics").words("KIN")
    if type == "FAMILY" and head.lower_ not in kin and head.lemma_ not in kin:
        return None
    if type == "JOB" and not any(step.base == "occupations" for step in chain_of(head.lemma_, "JOB")):
        return None
    first = head
    if type == "JOB":
        kinds = [word for word in head.lefts if word.dep_ in ("compound", "amod")]
        first = kinds[0] if kinds else head
    return Span(first.idx, head.idx + len(head), type, 0.7, "frames", type)


def in_frames(matcher: DependencyMatcher, doc: Doc) -> Iterator[Span]:
    for key, places in matcher(doc):
        name = doc.vocab.strings[key]
        number = next(i for i, token in enumerate(FRAMES[name]) if token["RIGHT_ID"] == "head")
        span = told(name.partition(" ")[0], doc[places[number]])
        if span is not None:
            yield span


def framed(texts: list[str]) -> list[list[Span]]:
    found = []
    for pieces in parse_all(texts):
        spans: list[Span] = []
        for offset, doc in pieces:
            matcher = matcher_of(doc.vocab)
            spans += [
                one._replace(start=one.start + offset, end=one.end + offset)
                for one in in_frames(matcher, doc)
            ]
        found.append(spans)
    return found


def masked(document: Document, spans: list[Span]) -> set[int]:
    """Starts of words that spans touch and that are not marked as going either way."""
    covered, either = bytearray(len(document.text)), bytearray(len(document.text))
    for span in spans:
        covered[span.start : span.end] = b"\1" * (span.end - span.start)
    for mention in document.mentions:
        if mention.kind == "EITHER":
            either[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
    words = TOKEN.finditer(document.text)
    return {w.start() for w in words if any(covered[slice(*w.span())]) and not any(either[slice(*w.span())])}


def row_of(name: str, documents: list[Document], model: str) -> dict[str, object]:
    texts = [document.text for document in documents]
    found = find_in_documents(texts, TextPlan(model=model))
    begin = time.process_time()
    more = framed(texts)
    seconds = time.process_time() - begin
    both = [[*one, *two] for one, two in zip(found, more, strict=True)]
    before, after = measure(documents, found), measure(documents, both)
    new = right = 0
    for document, one, two in zip(documents, found, both, strict=True):
        added = masked(document, two) - masked(document, one)
        marked = {at for m in document.mentions if m.kind != "EITHER" for at in range(m.start, m.end)}
        new, right = new + len(added), right + len(added & marked)

    def quasi(result: dict[str, Any]) -> float:
        hit, of = result["recall"]["all", "QUASI"]
        return hit / max(of, 1)

    def precise(result: dict[str, Any]) -> float:
        hit, of = result["precision"][""]
        return hit / max(of, 1)

    return {
        "documents": f"{name} ({len(documents)})",
        "model": model,
        "QUASI": f"{quasi(before):.3f} -> {quasi(after):.3f}",
        "precision": f"{precise(before):.3f} -> {precise(after):.3f}",
        "in frames": sum(map(len, more)),
        "words added": new,
        "of them marked": right,
        "words per CPU second": f"{sum(len(text.split()) for text in texts) / seconds:,.0f}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="*", type=Path, default=[GENRES / name for name in READ])
    parser.add_argument("--model", default=["none", "fast", "accurate"], nargs="+")
    options = parser.parse_args()
    parse_all(["Warm up."])
    rows = [
        row_of(folder.name, documents_of([folder]), model)
        for model in options.model
        for folder in options.folders
    ]
    show(rows, name="recognition frames", page=None)


if __name__ == "__main__":
    main()
