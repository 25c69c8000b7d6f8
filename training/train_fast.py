"""Trains the `fast` model: one spaCy pipeline with a shared CNN for names, tags, lemmas and dependency trees.

Two streams of batches take turns. Treebank documents of several sentences (so that sentence boundaries
are learned) train every part; annotated sentences of the NER corpora, completed by the `accurate` model,
train the name recognizer only. Both update the shared layer. Weights are averaged; at every tenth of the
training they are scored on held-out dev data, the best are saved, and training ends early when PATIENCE
scores in a row were worse.
Randomness: one seed for initial weights, shuffling, chunking, case copies and dropout.
"""

import argparse
import random
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import spacy
import srsly
from corpora import NAMES, TreeToken, held_out, read_trees, training_mix
from silver import AnnotatedText, annotate, complete, gold_text, plain_texts, tag_all
from spacy.language import Language
from spacy.training import Example
from spacy.training.batchers import minibatch_by_words
from spacy.util import compounding, fix_random_seed
from thinc.api import Adam, NumpyOps, set_current_ops
from tree_data import document_example
from word_vectors import distil

SYNTAX = ("tagger", "morphologizer", "parser", "trainable_lemmatizer")
CHUNK_SENTENCES = (2, 10)
NEW_LINE, JOINED = 0.15, 0.3
EMPTY_KEPT = 0.6  # share of the sentences without any name
RAISED, LOWERED = 0.04, 0.03
DROPOUT = 0.15
LEARNING_RATE = 1e-3
PATIENCE = 3
SHARED_LAYER = {
    "@architectures": "spacy.Tok2Vec.v2",
    "embed": {
        "@architectures": "spacy.MultiHashEmbed.v2",
        "width": 96,
        "attrs": ["NORM", "PREFIX", "SUFFIX", "SHAPE"],
        "rows": [5000, 1000, 2500, 2500],
        "include_static_vectors": True,
    },
    "encode": {
        "@architectures": "spacy.MaxoutWindowEncoder.v2",
        "width": 96,
        "depth": 4,
        "window_size": 1,
        "maxout_pieces": 3,
    },
}
LISTENER = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96}


def blank_pipeline() -> Language:
    """All parts on one shared layer; the name recognizer comes last, because every batch reaches it."""
    nlp = spacy.blank("en", meta={"name": "heteronym_fast", "version": "2.0.0", "license": "Apache-2.0"})
    softmax = {"@architectures": "spacy.Tagger.v2", "tok2vec": LISTENER}
    nlp.add_pipe("tok2vec", config={"model": SHARED_LAYER})
    nlp.add_pipe("tagger", config={"model": softmax})
    nlp.add_pipe("morphologizer", config={"model": softmax})
    nlp.add_pipe("trainable_lemmatizer", config={"model": softmax, "min_tree_freq": 3, "top_k": 1})
    for name, kind in (("parser", "parser"), ("ner", "ner")):
        model = {
            "@architectures": "spacy.TransitionBasedParser.v2",
            "state_type": kind,
            "extra_state_tokens": False,
            "hidden_width": 64,
            "maxout_pieces": 2,
            "use_upper": True,
            "tok2vec": LISTENER,
        }
        nlp.add_pipe(name, config={"model": model})
    return nlp


def chunks(document: list[list[TreeToken]], rng: random.Random) -> Iterator[list[list[TreeToken]]]:
    """The document in parts of a few sentences."""
    sentences = iter(document)
    while part := list(islice(sentences, rng.randint(*CHUNK_SENTENCES))):
        yield part


def recased(text: AnnotatedText, rng: random.Random) -> AnnotatedText:
    """The text itself, or now and then a copy that is all upper or all lower case and no longer."""
    draw = rng.random()
    if draw > RAISED + LOWERED:
        return text
    other = text.text.upper() if draw < RAISED else text.text.lower()
    return replace(text, text=other) if len(other) == len(text.text) else text


def joined(texts: list[AnnotatedText], rng: random.Random) -> Iterator[AnnotatedText]:
    """The texts, some of them with the ones that follow as one text."""
    remaining = iter(texts)
    while part := list(islice(remaining, rng.randint(2, 4) if rng.random() < JOINED else 1)):
        spans, position = [], 0
        for text in part:
            spans += [(start + position, end + position, kind) for start, end, kind in text.spans]
            position += len(text.text) + 1
        yield AnnotatedText(" ".join(text.text for text in part), tuple(spans))


def name_example(nlp: Language, text: AnnotatedText) -> Example:
    """A text with names; spans that cut through a spaCy token count as unknown."""
    return Example.from_dict(nlp.make_doc(text.text), {"entities": list(text.spans)})


def tree_examples(nlp: Language, accurate: Path | None, rng: random.Random) -> list[Example]:
    """Parts of the training treebanks; where names are not annotated, the large model's, if there is one."""
    examples: dict[str, list[Example]] = {"gum": [], "ud_ewt": []}
    for corpus, found in examples.items():
        for document in read_trees(corpus, "train"):
            for part in chunks(document, rng):
                breaks = {
                    i: rng.choice(("\n", "\n\n")) for i in range(len(part) - 1) if rng.random() < NEW_LINE
                }
                found.append(document_example(nlp, part, breaks))
    if accurate is None:
        for example in examples["gum"]:
            gold = example.reference
            gold.set_ents([span for span in gold.ents if span.label_ in NAMES])
        return examples["gum"] + examples["ud_ewt"]
    golds = [example.reference for example in examples["ud_ewt"]]
    for gold, spans in zip(golds, tag_all(accurate, [gold.text for gold in golds])):
        fitting = (gold.char_span(*span) for span in spans)
        gold.set_ents([span for span in fitting if span is not None])
    return examples["gum"] + examples["ud_ewt"]


def name_texts(accurate: Path | None, rng: random.Random) -> list[AnnotatedText]:
    """Sentences of the NER corpora completed by the large model, and plain text annotated by it.

    Without that model, the gold sentences with the three types that every corpus annotates.
    """
    mix = training_mix()
    mix.pop("gum")  # its names come with its trees
    if accurate is None:
        texts = [gold_text(sentence) for sentences in mix.values() for sentence in sentences]
        texts = [
            replace(text, spans=tuple(span for span in text.spans if span[2] in NAMES)) for text in texts
        ]
        return [text for text in texts if text.spans or rng.random() < EMPTY_KEPT]
    texts = [gold_text(sentence) for sentence in mix.pop("docred")]  # leaves no type open
    texts += complete(accurate, [sentence for sentences in mix.values() for sentence in sentences])
    texts += annotate(accurate, plain_texts())
    return [text for text in texts if text.spans or rng.random() < EMPTY_KEPT]


def endless(examples: list[Example], rng: random.Random) -> Iterator[Example]:
    """The examples again and again, each time in a new order."""
    while True:
        rng.shuffle(examples)
        yield from examples


def dev_scores(nlp: Language, names: list[Example], trees: list[Example]) -> dict[str, float]:
    """Name F, tag, lemma, tree and sentence scores on held-out data."""
    copies = [Example(nlp.make_doc(e.reference.text), e.reference) for e in (*names, *trees)]
    found = nlp.evaluate(copies[: len(names)])
    kinds = [found["ents_per_type"].get(kind, {"f": 0.0})["f"] for kind in NAMES]
    syntax = nlp.evaluate(copies[len(names) :])
    scores = {
        key: syntax[key] or 0.0
        for key in ("tag_acc", "pos_acc", "lemma_acc", "dep_uas", "dep_las", "sents_f")
    }
    return {"names_f": sum(kinds) / 3, **scores}


def train(options: argparse.Namespace) -> None:
    began = time.time()
    set_current_ops(NumpyOps(use_blis=False))  # numpy multiplies matrices three times as fast as blis here
    fix_random_seed(options.seed)
    rng = random.Random(options.seed)
    nlp = blank_pipeline()
    nlp.vocab.vectors = distil(options.base, options.weights)
    trees = tree_examples(nlp, options.accurate, rng)
    names = [name_example(nlp, recased(text, rng)) for text in joined(name_texts(options.accurate, rng), rng)]
    dev_names = [name_example(nlp, gold_text(s)) for sentences in held_out().values() for s in sentences]
    dev_trees = [
        document_example(nlp, d) for c in ("gum", "ud_ewt") for d in islice(read_trees(c, "dev"), 12)
    ]
    nlp.initialize(lambda: trees + names[:2000])
    optimizer = Adam(LEARNING_RATE, use_averages=True, L2=0.01, grad_clip=1.0)
    tree_batches = minibatch_by_words(endless(trees, rng), compounding(300, 1500, 1.001))
    name_batches = minibatch_by_words(endless(names, rng), compounding(300, 1500, 1.001))
    next_check, best, worse, step = options.check, 0.0, 0, 0
    print(f"{time.time() - began:.0f} s: {len(trees)} tree examples, {len(names)} name examples", flush=True)
    while True:
        minutes = (time.time() - began) / 60
        progress = minutes / options.minutes if options.minutes else step / options.steps
        if progress >= min(1.0, next_check) and step:
            score = check(
                nlp, optimizer, dev_names, dev_trees, best, options.out, f"step {step} {minutes:.0f} min"
            )
            best, worse = max(best, score), 0 if score > best else worse + 1
            next_check = progress + options.check
        if progress >= 1 or worse == PATIENCE:
            return
        optimizer.learn_rate = LEARNING_RATE * max(0.02, 1 - progress)
        nlp.update(next(tree_batches), drop=DROPOUT, sgd=optimizer)
        for _ in range(options.name_batches):
            nlp.update(next(name_batches), drop=DROPOUT, sgd=optimizer, exclude=SYNTAX)
        step += 1


def check(
    nlp: Language,
    optimizer: Adam,
    names: list[Example],
    trees: list[Example],
    best: float,
    out: Path,
    when: str,
) -> float:
    """Scores the averaged weights and saves them if they are the best so far."""
    with nlp.use_params(optimizer.averages):
        scores = dev_scores(nlp, names, trees)
        print(when, " ".join(f"{key} {100 * value:.1f}" for key, value in scores.items()), flush=True)
        score = 2 * scores["names_f"] + scores["dep_uas"]
        if score > best:
            nlp.to_disk(out)
            forget_words(nlp, out)
    return score


def forget_words(nlp: Language, out: Path) -> None:
    """Keeps only those strings of the vocabulary that are labels or that lemmas are made with.

    spaCy saves every word it has seen. Nothing reads them (vectors are found by hash): without the words of
    the training texts the model is smaller, loads sooner and tells nothing of them.
    """
    trees = srsly.read_msgpack(out / "trainable_lemmatizer" / "trees")["trees"]
    needed = {nlp.vocab.strings[tree[key]] for tree in trees for key in ("orig", "subst") if tree.get(key)}
    for name in nlp.pipe_names:
        needed.update(map(str, getattr(nlp.get_pipe(name), "labels", ())))
    srsly.write_json(out / "vocab" / "strings.json", sorted(needed))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "base", type=Path, help="folder with model.safetensors and tokenizer.json of all-MiniLM-L6-v2"
    )
    parser.add_argument("--weights", type=Path, default=Path("training/work/accurate/best.pt"))
    parser.add_argument(
        "--accurate",
        type=Path,
        default=Path("src/heteronym/text/models/accurate"),
        help="folder of the exported model that adds silver labels",
    )
    parser.add_argument("--gold-only", dest="accurate", action="store_const", const=None)
    parser.add_argument("--out", type=Path, default=Path("src/heteronym/text/models/fast"))
    parser.add_argument(
        "--steps", type=int, default=2000, help="one step: a batch of trees and some of names"
    )
    parser.add_argument("--name-batches", type=int, default=2)
    parser.add_argument(
        "--minutes", type=float, help="plan by wall clock, preparation included (not reproducible)"
    )
    parser.add_argument(
        "--check", type=float, default=0.1, help="share of the training after which to score and save"
    )
    parser.add_argument("--seed", type=int, default=20262)
    warnings.filterwarnings("ignore", message=r".*\[W030\].*")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
