"""Prints the tables of the model card, measured on files that no training step has read.

Sentences are given to the models as raw text; a found span counts as right when its first and last
character and its type agree with the annotation. GPE and FAC count as LOC. User handles ("@name") are
tagged as names in one corpus and left alone in another, so the micro average is given with and without
them. The court decisions of the Text Anonymization Benchmark are read by the whole pipeline, rules and all.
With `--write` the main figures go to `scores.json` beside the weights, where `heteronym models` reads them.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from corpora import NAMES, PROJECT, SHARED, TEST_CORPORA, Sentence, read_iob2, read_trees, tag_spans

Span = tuple[int, int, str]
Tagger = Callable[[list[str]], list[list[Span]]]

MODELS = PROJECT / "src" / "heteronym" / "text" / "models"
AS_PLACE = {"GPE": "LOC", "FAC": "LOC"}
NOT_TRAINED_ON = ("re3d", "sec", "presidio_synth")
SPEED_WORDS, SPEED_DOCUMENTS = 600, 40


def accurate_tagger() -> Tagger:
    from heteronym.text.models.token_classifier import NOTHING, TOLD, TokenClassifier

    model = TokenClassifier(MODELS / "accurate")
    others = (TOLD, NOTHING)  # what the reader of facts says beside the names
    return lambda texts: [
        [span[:3] for span in spans if not span[2].startswith(others)] for spans in model.tag(texts)
    ]


def fast_tagger() -> Tagger:
    import spacy
    from thinc.api import NumpyOps, set_current_ops

    set_current_ops(NumpyOps(use_blis=False))  # numpy multiplies matrices three times as fast as blis here
    nlp = spacy.load(MODELS / "fast")
    return lambda texts: [[(e.start_char, e.end_char, e.label_) for e in doc.ents] for doc in nlp.pipe(texts)]


def character_spans(sentence: Sentence) -> tuple[str, list[Span], list[tuple[int, int]]]:
    """The sentence as text, its annotated spans and the place of each token, all in characters."""
    places, position = [], 0
    for token in sentence.tokens:
        places.append((position, position + len(token)))
        position += len(token) + 1
    spans = [(places[first][0], places[last - 1][1], kind) for first, last, kind in tag_spans(sentence.tags)]
    return " ".join(sentence.tokens), spans, places


class Counts:
    """Right, found and wanted spans per type, and person tokens covered by any span."""

    def __init__(self) -> None:
        self.right: Counter[str] = Counter()
        self.found: Counter[str] = Counter()
        self.wanted: Counter[str] = Counter()
        self.person_tokens = self.covered = 0

    def add(self, true: list[Span], guessed: list[Span]) -> None:
        self.found.update(kind for *_, kind in guessed)
        self.wanted.update(kind for *_, kind in true)
        self.right.update(kind for *_, kind in set(true) & set(guessed))

    def add_coverage(self, true: list[Span], guessed: list[Span], places: list[tuple[int, int]]) -> None:
        for start, end in places:
            if any(s <= start and end <= e for s, e, kind in true if kind == "PERSON"):
                self.person_tokens += 1
                self.covered += any(s < end and start < e for s, e, _ in guessed)

    def scores(self, kinds: tuple[str, ...] = NAMES) -> tuple[float, float, float]:
        right, found, wanted = (sum(c[k] for k in kinds) for c in (self.right, self.found, self.wanted))
        return 100 * right / max(found, 1), 100 * right / max(wanted, 1), 200 * right / max(found + wanted, 1)

    def coverage(self) -> float:
        return 100 * self.covered / max(self.person_tokens, 1)


@dataclass(frozen=True)
class Reading:
    """One sentence as the annotators and as the tagger read it."""

    text: str
    places: list[tuple[int, int]]
    true: list[Span]
    guessed: list[Span]


def read_with(tagger: Tagger, sentences: list[Sentence]) -> list[Reading]:
    """The sentences, tagged."""
    rows = [character_spans(sentence) for sentence in sentences]
    found = tagger([text for text, *_ in rows])
    return [
        Reading(text, places, true, [(start, end, AS_PLACE.get(kind, kind)) for start, end, kind in guessed])
        for (text, true, places), guessed in zip(rows, found)
    ]


def count(readings: list[Reading], handles: bool = True) -> Counts:
    """Compares tagger and annotation; without handles, spans that begin with "@" count on neither side."""
    counts = Counts()
    for reading in readings:
        counts.add_coverage(reading.true, reading.guessed, reading.places)
        true, guessed = reading.true, reading.guessed
        if not handles:
            true = [span for span in true if not _is_handle(reading.text, span)]
            guessed = [span for span in guessed if not _is_handle(reading.text, span)]
        counts.add(true, guessed)
    return counts


def _is_handle(text: str, span: Span) -> bool:
    return text[span[0]] == "@" or text[max(span[0] - 1, 0)] == "@"


def raw_documents() -> Iterator[str]:
    """The documents of the two test treebanks as running text."""
    for corpus in ("gum", "ud_ewt"):
        for document in read_trees(corpus, "test"):
            words = (token.text + " " * token.space_after for sentence in document for token in sentence)
            yield "".join(words)


def speed(tagger: Tagger) -> float:
    """Words (split at spaces) per second of CPU time, on documents of 600 words."""
    words = " ".join(raw_documents()).split()
    pieces = [words[i : i + SPEED_WORDS] for i in range(0, len(words), SPEED_WORDS)]
    random.Random(1).shuffle(pieces)
    texts = [" ".join(piece) for piece in pieces[:SPEED_DOCUMENTS]]
    tagger(texts[:2])
    began = time.process_time()
    tagger(texts)
    return sum(len(text.split()) for text in texts) / (time.process_time() - began)


def print_names(tagger: Tagger) -> Counts:
    """The table per corpus, the micro average, which is returned, and the table per type."""
    readings = {
        corpus: read_with(tagger, read_iob2(corpus, "test")) for corpus in (*TEST_CORPORA, *NOT_TRAINED_ON)
    }
    averaged = [reading for corpus in TEST_CORPORA for reading in readings[corpus]]
    print("| corpus | P | R | F | person tokens covered |\n| --- | --- | --- | --- | --- |")
    for corpus in TEST_CORPORA:
        print(_row(corpus, count(readings[corpus])))
    print(_row("**micro average**", count(averaged)))
    print(_row("micro average without @handles", count(averaged, handles=False)))
    for corpus in NOT_TRAINED_ON:
        print(_row(f"({corpus}, not in the average)", count(readings[corpus])))
    print("\n| type | P | R | F |\n| --- | --- | --- | --- |")
    for kind in NAMES:
        print("| {} | {:.1f} | {:.1f} | {:.1f} |".format(kind, *count(averaged).scores((kind,))))
    all_types = count(readings["docred"] + readings["gum"])
    for kind in ("DATE", "NORP"):
        print("| {} (docred, gum) | {:.1f} | {:.1f} | {:.1f} |".format(kind, *all_types.scores((kind,))))
    return count(averaged)


def print_court_decisions(model: str) -> str:
    """Recall of direct and quasi-identifiers and token precision of the default pipeline with this model."""
    sys.path.insert(0, str(PROJECT))
    from benchmarks.studies.recognition_tab import measure

    documents = json.loads((SHARED / "data" / "tab_dev" / "tab_dev.json").read_text(encoding="utf-8"))
    counts = measure(documents, _found([d["text"] for d in documents], model))["counts"]
    recall = [counts[kind, "strict"] / counts[kind] for kind in ("DIRECT", "QUASI")]
    scores = " / ".join(f"{score:.3f}" for score in (*recall, counts["right"] / counts["masked"]))
    print(f"\nCourt decisions, with rules: recall of direct / quasi-identifiers / token precision {scores}")
    return scores


def print_other_genres(model: str) -> str:
    """The same on the invented documents that nobody wrote rules for."""
    from benchmarks.studies.recognition_genres import GENRES, documents_of, measure

    documents = documents_of([GENRES / "blind"])
    result = measure(documents, _found([d.text for d in documents], model))
    pairs = [result["recall"]["all", kind] for kind in ("DIRECT", "QUASI")] + [result["precision"][""]]
    scores = " / ".join(f"{right / all_of:.3f}" for right, all_of in pairs)
    print(f"\nLetters, notes, chats, ..., with rules: the same three figures {scores}")
    return scores


def _found(texts: list[str], model: str) -> list[list[Any]]:
    from heteronym.api.scan import find_in_documents
    from heteronym.model.plan import TextPlan

    return [list(spans) for spans in find_in_documents(texts, TextPlan(model=model))]


def record(model: str, scores: dict[str, float | str]) -> None:
    """Keeps the main figures of a model beside its weights."""
    path = MODELS / "scores.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**known, model: scores}, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def _row(name: str, counts: Counts) -> str:
    return "| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |".format(name, *counts.scores(), counts.coverage())


def print_syntax() -> None:
    """Tags, lemmas, trees and sentence boundaries of `fast` on raw test documents."""
    import spacy
    from tree_data import document_example

    nlp = spacy.load(MODELS / "fast")
    print("\n| treebank | XPOS | lemma | UAS | LAS | sentence F |\n| --- | --- | --- | --- | --- | --- |")
    for corpus in ("gum", "ud_ewt"):
        found = nlp.evaluate([document_example(nlp, document) for document in read_trees(corpus, "test")])
        keys = ("tag_acc", "lemma_acc", "dep_uas", "dep_las", "sents_f")
        print(f"| {corpus} | " + " | ".join(f"{100 * found[key]:.1f}" for key in keys) + " |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=["accurate", "fast"], help="accurate, fast or both")
    parser.add_argument("--write", action="store_true", help="keep the main figures in scores.json")
    options = parser.parse_args()
    for name in options.models:
        tagger = {"accurate": accurate_tagger, "fast": fast_tagger}[name]()
        print(f"\n## {name}\n")
        names = print_names(tagger)
        if name == "fast":
            print_syntax()
        decisions, others = print_court_decisions(name), print_other_genres(name)
        print(f"\n{speed(tagger):,.0f} words per CPU second on documents of {SPEED_WORDS} words, one thread.")
        if options.write:
            scores: dict[str, float | str] = {
                "names, exact span F (8 test files)": round(names.scores()[2], 1),
                "PERSON words covered, percent": round(names.coverage(), 1),
                "TAB direct / quasi recall / precision, with rules": decisions,
                "letters, notes, chats: the same": others,
            }
            record(name, scores)


if __name__ == "__main__":
    main()
