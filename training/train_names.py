"""Trains the judge of names: a correction to the scores that the tag layer of `accurate` gives its words.

The network stays as it is, bit for bit. Like the reader of facts, the judge sees the states of some of its
layers and a few words on each side; what it says is added to the scores of names. It learns from the corpora
of names (with the same partial-label loss), from the invented documents, where the network has not seen the
names before, and from texts that name nobody (`nobody.py`). The network knows the corpora by heart, which
would leave nothing to learn from them: its scores of them are made less sure while the judge is trained.
Where nothing is marked but the network itself sees a date, or is sure of a name, the judge is free to agree.
Randomness: one seed for texts, letters, order, dropout and the judge's first weights.
"""

import argparse
import json
import random
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import torch
from corpora import TAGS, TYPES, Sentence, held_out, training_mix
from documents import (
    DOCUMENTS,
    FOLDS,
    Permits,
    encode,
    exchanged,
    left_out,
    parsed,
    passages,
    read_documents,
    recased_text,
    surfaces,
)
from evaluate import count, read_with
from nobody import LONGEST, Mistakable, documentation, plain_sentences
from token_data import epoch_examples
from torch import Tensor
from train_accurate import partial_label_loss
from train_facts import ADDED, AROUND, Facts, Frozen, as_addition, descend

from heteronym.text.models.token_classifier import NOTHING, TOLD, TokenClassifier

NARROW = 128
EPOCHS, TOGETHER, RATE, DECAY, DROPOUT = 2, 16, 1e-3, 0.03, 0.4  # TOGETHER: texts a step
COPIES = 2  # readings of each document
MANY, PLAIN, MADE, APART = 5200, 4000, 2500, 900  # texts that name nobody, by kind, and to measure
SHARE = 0.6  # of the documentation in an epoch
LESS_SURE = (0.2, 0.7)  # times the network's scores of what it was trained on
HEEDED = 0.5  # share of the correction that is written; chosen on documents left out (decision 0725)
PERSONS = 2.0  # how much more a word of a person's name counts: one that is missed stays in the text
# From which probability on a type that the network sees may stand where nothing is marked
AS_SEEN = {"DATE": 0.3, "NORP": 0.3, "MISC": 0.3}
IN_DOCUMENTATION = {"DATE": 0.3, "NORP": 0.6, "LOC": 0.8, "PERSON": 0.85, "ORG": 0.95}
_PLACES = dict.fromkeys(("GPE", "FAC", "ADDRESS"), "LOC")

Kept = tuple[Tensor, Tensor, Tensor]  # states, scores and permitted tags of the words of a text


@cache
def permitted(kind: str | None, begins: bool, must: bool) -> np.ndarray:
    """Tags of names that a mark of the documents permits; one that is no name (an age, a code) leaves all."""
    row = np.zeros(len(TAGS), bool)
    kind = _PLACES.get(kind or "", kind)
    if kind is not None and kind not in TYPES:
        return ~row
    if kind is None or not must:
        row[0] = True
    if kind is not None:
        place = 1 + 2 * TYPES.index(kind)
        row[[place, place + 1] if not must else place if begins else place + 1] = True
    return row


class Network(Frozen):
    """The exported network; says what the words of a text look like to it, and which names it sees."""

    def see(self, ids: np.ndarray, shapes: np.ndarray, first: np.ndarray, allowed: np.ndarray) -> Kept:
        feeds = {
            "ids": np.array([self.begin, *ids, self.end], np.int64),
            "shapes": np.array([0, *shapes, 0], np.int64),
            "first": first + 1,
        }
        scores, states = self.session.run([self.session.get_outputs()[0].name, f"{ADDED}states"], feeds)
        return torch.from_numpy(states).half(), torch.from_numpy(scores), torch.from_numpy(allowed)

    def texts(self, texts: Iterable[str], free: dict[str, float]) -> Iterator[Kept]:
        """Texts in which nothing is marked."""
        for text in texts:
            yield from self._passage(text, [], free)

    def documents(self, documents: dict[str, str], rng: random.Random) -> dict[str, list[Kept]]:
        """In passages; the second reading has facts exchanged, within a fold only, or other letters."""
        read: dict[str, list[Kept]] = {}
        for fold in range(1, FOLDS + 1):
            mates = left_out(documents, fold)
            known = surfaces(mates.values())
            for name, annotated in mates.items():
                read[name] = []
                for copy in range(COPIES):
                    for text, spans in passages(*parsed(annotated), rng, LONGEST):
                        if copy:
                            text, spans = exchanged(text, spans, known, rng)
                            text = recased_text(text, rng)
                        read[name] += self._passage(text, spans, AS_SEEN)
        return {name: read[name] for name in documents}

    def _passage(self, text: str, spans: list, free: dict[str, float]) -> Iterator[Kept]:
        permits: Permits = permitted
        passage = encode(self.tokenizer, text, spans, permits)
        if len(passage.first):
            states, scores, allowed = self.see(passage.ids, passage.shapes, passage.first, passage.permitted)
            yield states, scores, freed(scores, allowed, free)

    def corpora(self, mix: dict[str, list[Sentence]], rng: random.Random) -> Iterator[Kept]:
        for example in epoch_examples(self.tokenizer, mix, rng):
            first = np.flatnonzero(example.first)
            if len(first):
                yield self.see(example.ids, example.shapes, first, example.permitted[first])


def freed(scores: Tensor, allowed: Tensor, free: dict[str, float]) -> Tensor:
    """Where only "no name" is permitted, also the types that the network sees as clearly as `free` asks."""
    nothing = allowed[:, 0] & (allowed.sum(-1) == 1)
    seen, allowed = scores.softmax(-1), allowed.clone()
    for kind, least in free.items():
        place = 1 + 2 * TYPES.index(kind)
        allowed[nothing & (seen[:, place] + seen[:, place + 1] > least), place : place + 2] = True
    return allowed


def together(some: list[tuple[Kept, bool]], rng: random.Random) -> Kept:
    """Texts one after the other, with room between them; of known ones the network is less sure."""
    parts: list[Kept] = []
    for (states, scores, allowed), by_heart in some:
        sure = rng.uniform(*LESS_SURE) if by_heart else 1.0
        parts.append((states, scores * sure, allowed))
        room = (torch.zeros(AROUND, one.shape[1], dtype=one.dtype) for one in (states, scores))
        parts.append((*room, torch.ones(AROUND, allowed.shape[1], dtype=torch.bool)))
    states, scores, allowed = (torch.cat(column) for column in zip(*parts))
    return states.float(), scores, allowed


def fit(
    corpora: list[Kept], documents: list[Kept], nobody: tuple[list[Kept], list[Kept]], seed: int
) -> Facts:
    """`nobody`: documentation, of which an epoch sees a share, and others."""
    torch.manual_seed(seed)
    rng = random.Random(seed)
    judge = Facts(len(TAGS), NARROW).train()
    torch.nn.init.zeros_(judge.outer.weight)
    torch.nn.init.zeros_(judge.outer.bias)
    few = int(SHARE * len(nobody[0]))

    def losses() -> Iterator[Tensor]:
        for _ in range(EPOCHS):
            known = [(one, True) for one in corpora]
            known += [(one, False) for one in (*documents, *rng.sample(nobody[0], few), *nobody[1])]
            rng.shuffle(known)
            for i in range(0, len(known) - TOGETHER + 1, TOGETHER):
                states, scores, allowed = together(known[i : i + TOGETHER], rng)
                weights = 1 + (PERSONS - 1) * (~allowed[:, 0] & allowed[:, 1:3].any(-1))
                yield partial_label_loss(scores + judge(states, DROPOUT), allowed, weights)

    steps = EPOCHS * ((len(corpora) + len(documents) + few + len(nobody[1])) // TOGETHER)
    descend(judge, losses(), steps, RATE, DECAY)
    return judge.eval()


def write(judge: Facts, model: Path, out: Path) -> None:
    """The model with the judge beside it, as a folder of its own."""
    out.mkdir(parents=True, exist_ok=True)
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    config["names"] = {"width": NARROW}
    for same in ("tokenizer.json", "model.onnx", "facts.onnx"):
        (out / same).write_bytes((model / same).read_bytes())
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    with torch.no_grad():
        judge.outer.weight *= HEEDED
        judge.outer.bias *= HEEDED
    (out / "names.onnx").write_bytes(as_addition(judge, "names").SerializeToString())


def print_scores(folder: Path, judged: bool, apart: list[str]) -> None:
    """Names in held-out sentences, and how often the model sees something in documentation set apart."""
    model = TokenClassifier(folder)
    if not judged:
        model.config.pop("names", None)

    def tagged(texts: list[str]) -> list[list[tuple[int, int, str]]]:
        return [
            [one[:3] for one in spans if not one[2].startswith((TOLD, NOTHING))] for spans in model.tag(texts)
        ]

    names = count(read_with(tagged, [sentence for part in held_out().values() for sentence in part]))
    print("judged" if judged else "before", "P {:.2f} R {:.2f} F {:.2f}".format(*names.scores()), end="")
    print(f", persons covered {names.coverage():.2f}, ORG P {names.scores(('ORG',))[0]:.1f}", end="; ")
    found = [kind for spans in tagged(apart) for *_, kind in spans]
    words = sum(len(text.split()) for text in apart)
    rates = (f"{kind} {1000 * found.count(kind) / words:.2f}" for kind in TYPES)
    print(f"in 1,000 words of documentation: {', '.join(rates)}", flush=True)


def train(options: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    rng = random.Random(options.seed)
    network = Network(options.model)
    documents = read_documents(*DOCUMENTS)
    read = network.documents(documents, rng)
    corpora = list(network.corpora(training_mix(), rng))
    texts, apart = documentation(rng)
    written = [recased_text(text, rng) if rng.random() < 0.5 else text for text in texts[:MANY]]
    plain = plain_sentences("train")
    rng.shuffle(plain)
    made = Mistakable(plain[PLAIN:], rng).texts(MADE)
    nobody = (
        list(network.texts(written, IN_DOCUMENTATION)),
        [*network.texts(plain[:PLAIN], AS_SEEN), *network.texts(made, {"DATE": AS_SEEN["DATE"]})],
    )
    print(f"{len(corpora)} texts of corpora; {time.process_time():.0f} CPU s", flush=True)
    print_scores(options.model, False, apart[:APART])
    for fold in options.folds:
        aside = left_out(documents, fold)
        known = [one for name in read if name not in aside for one in read[name]]
        judge = fit(corpora, known, nobody, options.seed + fold)
        print(f"fold {fold}: {len(read) - len(aside)} documents; {time.process_time():.0f} CPU s", flush=True)
        out = options.out / (f"fold{fold}" if fold else "whole")
        write(judge, options.model, out)
        print_scores(out, True, apart[:APART])


def main() -> None:
    here = Path(__file__).resolve().parent
    shipped = here.parent / "src/heteronym/text/models/accurate"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=shipped, help="folder of an exported model")
    parser.add_argument("--out", type=Path, default=here / "work" / "accurate" / "names")
    parser.add_argument(
        "--folds", type=int, nargs="*", default=[0], help="parts of the documents left out; 0: none is"
    )
    parser.add_argument("--seed", type=int, default=20265)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
