"""Trains the reader of facts beside the tag layer of `accurate`, and writes it as an addition to its graph.

The network itself stays as it is, bit for bit: the reader sees the states of some of its layers, as the
exported int8 model computes them, and a few words on each side. The states of all passages are computed once,
so that an epoch takes seconds. The loss is the one of names. Between the documents stand texts in which
nothing is told of anybody: software documentation, and chapters of textbooks, articles and travel guides
(GUM), whose words without capitals and digits are no facts.
Randomness: one seed for passages, letters, order, dropout and the reader's first weights.
"""

import argparse
import gzip
import json
import random
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import torch
from corpora import FACT_TAGS, NER, tag_spans
from documents import (
    DOCUMENTS,
    FOLDS,
    Passage,
    Surfaces,
    encode,
    exchanged,
    left_out,
    parsed,
    passages,
    plain_documents,
    read_documents,
    recased_text,
    surfaces,
)
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional
from train_accurate import partial_label_loss, repaired

LONGEST = 560  # characters of a passage, about what a window of the runtime holds
COPIES, NOBODY, CHAPTERS = 4, 700, 700  # readings of each document; passages that tell of nobody
SHARE = 0.5  # of these in an epoch
TOGETHER, RATE, DECAY, DROPOUT = 12, 1.5e-3, 0.03, 0.45  # passages a step
WIDTH, LAST = 384, 6
READ = (2, 4, 6)  # layers whose states the reader sees
NARROW, AROUND = 256, 2  # its width, and the words it sees on each side
# Chosen on documents left out: from which score on a type is added to what the rules find, and below which
# probability of any fact nothing is told.
LEAST = {
    **{"JOB": 0.4, "EDUCATION": 0.6, "AGE": 0.3, "LOC": 0.3, "QUANTITY": 0.6, "LANGUAGE": 0.4},
    **{"RELIGION": 0.3, "NORP": 0.4, "ORIGIN": 0.4, "MARITAL": 0.4, "WORK_OF_ART": 0.4, "FAMILY": 0.8},
    **{"HEALTH": 0.85, "PERSON": 0.9, "CODE": 0.9},
}
SURELY_NOTHING = (0.5, 0.3, 0.1, 0.05, 0.005)
# The documents are denser in facts than what people write: added to the score of "nothing" afterwards.
OUTSIDE = 1.0
ADDED = "facts."  # what the names of its nodes and weights begin with

Kept = tuple[Tensor, Tensor]  # states and permitted tags of the words of a passage


class Facts(nn.Module):
    """The states of words in; one row of scores of facts per word out. It sees AROUND words on each side."""

    def __init__(self, facts: int, narrow: int = NARROW) -> None:
        super().__init__()
        self.inner = nn.Linear(len(READ) * WIDTH, narrow)
        self.around = nn.Conv1d(narrow, narrow, 2 * AROUND + 1, padding=AROUND)
        self.outer = nn.Linear(2 * narrow, facts)

    def forward(self, states: Tensor, dropout: float = 0.0) -> Tensor:
        words = self.inner(functional.dropout(states, dropout, self.training)).relu()
        near = self.around(functional.dropout(words, dropout, self.training).T[None])[0].T.relu()
        both = functional.dropout(torch.cat([words, near], -1), dropout, self.training)
        scores: Tensor = self.outer(both)
        return scores


def _state(layer: int) -> str:
    return f"/outer_norm{f'_{layer - 1}' if layer > 1 else ''}/LayerNormalization_output_0"


def gathered(model: onnx.ModelProto) -> None:
    """States of the words' first pieces after the layers of READ, side by side; the last has no others."""
    graph, names = model.graph, []
    for layer in READ:
        if layer == LAST:
            names.append(_state(layer))
            continue
        names.append(f"{ADDED}state{layer}")
        graph.node.append(helper.make_node("Gather", [_state(layer), "first"], [names[-1]], names[-1]))
    graph.node.append(helper.make_node("Concat", names, [f"{ADDED}states"], f"{ADDED}states", axis=1))


def as_addition(facts: Facts, output_name: str = "facts") -> onnx.ModelProto:
    """The nodes and weights that give a model a second output; written behind it, they are part of it.
    They multiply what the network has rounded to bytes anyway by bytes."""
    addition = onnx.ModelProto()
    graph, added = addition.graph, f"{output_name}."

    def step(kind: str, inputs: list[str], output: str, **more: object) -> str:
        graph.node.append(helper.make_node(kind, inputs, [output], f"{added}{output}", **more))
        return output

    def constant(name: str, value: np.ndarray) -> str:
        graph.initializer.append(numpy_helper.from_array(value, f"{added}{name}"))
        return f"{added}{name}"

    def product(name: str, inputs: tuple[str, str, str], weight: Tensor) -> str:
        """Rounded rows, their scale and their zero, times a weight that is rounded by columns."""
        rows, scale, zero = inputs
        value = weight.detach().numpy()
        sizes = np.abs(value).max(0).astype(np.float32) / 127
        rounded = constant(f"{name}.weight", np.rint(value / sizes).astype(np.int8))
        whole = step("MatMulInteger", [rows, rounded, zero], f"{added}{name}.whole")
        both = step("Mul", [scale, constant(f"{name}.sizes", sizes)], f"{added}{name}.scale")
        real = step("Cast", [whole], f"{added}{name}.real", to=TensorProto.FLOAT)
        return step("Mul", [real, both], f"{added}{name}.product")

    total = constant("inner.bias", facts.inner.bias.detach().numpy())
    for number, layer in enumerate(READ):
        rows, scale, zero = (f"{_state(layer)}_{part}" for part in ("quantized", "scale", "zero_point"))
        if layer != LAST:  # whose states are those of first pieces alone
            rows = step("Gather", [rows, "first"], f"{added}rows{layer}")
        part = facts.inner.weight[:, number * WIDTH : (number + 1) * WIDTH].T
        total = step(
            "Add", [product(f"inner{layer}", (rows, scale, zero), part), total], f"{added}sum{layer}"
        )
    words = step("Relu", [total], f"{added}words")
    edges = constant("edges", np.array([AROUND, 0, AROUND, 0], np.int64))
    padded = step("Pad", [words, edges], f"{added}padded")
    rounded = tuple(f"{added}near.{part}" for part in ("rows", "scale", "zero"))
    graph.node.append(helper.make_node("DynamicQuantizeLinear", [padded], rounded, f"{added}near.rounded"))
    near = constant("around.bias", facts.around.bias.detach().numpy())
    for place in range(2 * AROUND + 1):
        first = constant(f"first{place}", np.array([place], np.int64))
        last = constant(f"last{place}", np.array([place - 2 * AROUND or 2**31], np.int64))
        seen = step("Slice", [rounded[0], first, last], f"{added}seen{place}")
        part = product(f"around{place}", (seen, *rounded[1:]), facts.around.weight[:, :, place].T)
        near = step("Add", [part, near], f"{added}near{place}")
    both = step("Concat", [words, step("Relu", [near], f"{added}beside")], f"{added}both", axis=1)
    weight = constant("outer.weight", facts.outer.weight.detach().numpy().T.copy())
    step("Gemm", [both, weight, constant("outer.bias", facts.outer.bias.detach().numpy())], output_name)
    graph.output.append(
        helper.make_tensor_value_info(output_name, TensorProto.FLOAT, ["words", facts.outer.out_features])
    )
    return addition


class Frozen:
    """The exported network; says what the words of a passage look like to it."""

    def __init__(self, folder: Path) -> None:
        model = onnx.load(str(folder / "model.onnx"))
        gathered(model)
        model.graph.output.append(
            helper.make_tensor_value_info(f"{ADDED}states", TensorProto.FLOAT, ["words", len(READ) * WIDTH])
        )
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.begin, self.end = map(self.tokenizer.token_to_id, ("[CLS]", "[SEP]"))

    def kept(self, passage: Passage) -> Kept:
        feeds = {
            "ids": np.array([self.begin, *passage.ids, self.end], np.int64),
            "shapes": np.array([0, *passage.shapes, 0], np.int64),
            "first": passage.first + 1,
        }
        states = self.session.run([f"{ADDED}states"], feeds)[0]
        return torch.from_numpy(states).half(), torch.from_numpy(passage.permitted)


def readings(frozen: Frozen, annotated: str, known: Surfaces, rng: random.Random) -> Iterator[Kept]:
    """A document in passages; the first copy as it is written, others now and then in other letters, and
    those after the second with some of their facts exchanged."""
    for copy in range(COPIES):
        for text, spans in passages(*parsed(annotated), rng, LONGEST):
            if copy > 1:
                text, spans = exchanged(text, spans, known, rng)
            passage = encode(frozen.tokenizer, recased_text(text, rng) if copy else text, spans)
            if len(passage.first):
                yield frozen.kept(passage)


def all_readings(frozen: Frozen, documents: dict[str, str], rng: random.Random) -> dict[str, list[Kept]]:
    """Facts are exchanged within a fold only: what is left out stays unseen."""
    read: dict[str, list[Kept]] = {}
    for fold in range(1, FOLDS + 1):
        mates = left_out(documents, fold)
        known = surfaces(mates.values())
        for name, text in mates.items():
            read[name] = list(readings(frozen, text, known, rng))
    return {name: read[name] for name in documents}


_CHAPTER = re.compile(r"# newdoc id = GUM_(?:academic|textbook|voyage)")


def chapters() -> list[str]:
    """Texts of the corpus GUM that explain something."""
    with gzip.open(NER / "gum" / "train.conllu.gz", "rt", encoding="utf-8") as lines:
        parts = re.split(r"(?m)^(?=# newdoc id)", lines.read())
    return [" ".join(re.findall(r"(?m)^# text = (.*)", part)) for part in parts if _CHAPTER.match(part)]


def nobody(frozen: Frozen, rng: random.Random) -> Iterator[Kept]:
    for texts, most in ((plain_documents(rng), NOBODY), (chapters(), CHAPTERS)):
        cut = [text for one in texts for text, _ in passages(one, [], rng, LONGEST)]
        for text in rng.sample(cut, min(most, len(cut))):
            passage = encode(frozen.tokenizer, text, [])
            if len(passage.first):
                plain = np.isin(passage.shapes[passage.first], (0, 1))
                passage.permitted[~plain] = True
                yield frozen.kept(passage)


def together(some: list[Kept]) -> Kept:
    """Passages one after the other, with room between them so that none sees the next."""
    states, tags = [], []
    for one, permitted in some:
        states += [one, torch.zeros(AROUND, one.shape[1], dtype=one.dtype)]
        tags += [permitted, torch.ones(AROUND, permitted.shape[1], dtype=torch.bool)]
    return torch.cat(states).float(), torch.cat(tags)


def score(facts: Facts, dev: list[Kept]) -> tuple[float, float, float]:
    """Recall of spans by any type, share of marked words that needed it, and recall with the right type."""
    facts.eval()
    hit = typed = wanted = right = marked = 0
    for states, permitted in dev:
        with torch.no_grad():
            best = facts(states.float()).argmax(-1)
        must = ~permitted[:, 0]
        counted = must | (permitted.sum(-1) == 1)
        marked += int(((best > 0) & counted).sum())
        right += int(((best > 0) & must).sum())
        truth = [
            FACT_TAGS[int(row.int().argmax())] if needed else "O" for row, needed in zip(permitted, must)
        ]
        for start, stop, kind in tag_spans(repaired(truth)):
            wanted += 1
            hit += bool((best[start:stop] > 0).all())
            typed += all(FACT_TAGS[tag][2:] == kind for tag in best[start:stop].tolist())
    facts.train()
    return hit / max(wanted, 1), right / max(marked, 1), typed / max(wanted, 1)


def descend(network: nn.Module, losses: Iterable[Tensor], steps: int, rate: float, decay: float) -> None:
    """One step for each loss, ever smaller ones; a loss is made when its turn comes."""
    optimizer = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=decay)
    for step, loss in enumerate(losses):
        optimizer.zero_grad()
        loss.backward()
        for group in optimizer.param_groups:
            group["lr"] = rate * max(0.02, 1 - step / steps)
        optimizer.step()


def fit(documents: list[Kept], others: list[Kept], epochs: int, rng: random.Random) -> Facts:
    facts = Facts(len(FACT_TAGS)).train()
    few = int(SHARE * len(others))

    def losses() -> Iterator[Tensor]:
        for _ in range(epochs):
            known = documents + rng.sample(others, few)
            rng.shuffle(known)
            for i in range(0, len(known) - TOGETHER + 1, TOGETHER):
                states, permitted = together(known[i : i + TOGETHER])
                yield partial_label_loss(facts(states, DROPOUT), permitted)

    descend(facts, losses(), epochs * ((len(documents) + few) // TOGETHER), RATE, DECAY)
    return facts.eval()


def write(facts: Facts, model: Path, out: Path) -> None:
    """The exported model with the reader beside it, as a folder of its own."""
    out.mkdir(parents=True, exist_ok=True)
    config = json.loads((model / "config.json").read_text(encoding="utf-8"))
    config["facts"] = {"labels": list(FACT_TAGS), "least": LEAST, "nothing": SURELY_NOTHING}
    for same in ("tokenizer.json", "model.onnx"):
        (out / same).write_bytes((model / same).read_bytes())
    (out / "config.json").write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    with torch.no_grad():
        facts.outer.bias[0] += OUTSIDE
    addition = as_addition(facts).SerializeToString()
    onnx.checker.check_model((model / "model.onnx").read_bytes() + addition)
    (out / "facts.onnx").write_bytes(addition)


def train(options: argparse.Namespace) -> None:
    torch.set_num_threads(1)
    rng = random.Random(options.seed)
    frozen = Frozen(options.model)
    documents = read_documents(*options.documents)
    read = all_readings(frozen, documents, rng)
    others = list(nobody(frozen, rng))
    for fold in options.folds:
        began = time.process_time()
        torch.manual_seed(options.seed + fold)
        aside = left_out(documents, fold)
        known = [one for name in read if name not in aside for one in read[name]]
        facts = fit(known, others, options.epochs, random.Random(options.seed + fold))
        print(f"fold {fold}: {len(read) - len(aside)} documents, {len(known)} passages", end="; ")
        if aside:
            dev = [one for name in aside for one in read[name]]
            print(
                "left out: recall {:.3f} precision {:.3f} typed {:.3f}".format(*score(facts, dev)), end="; "
            )
        print(f"{time.process_time() - began:.0f} CPU s", flush=True)
        write(facts, options.model, options.out / (f"fold{fold}" if fold else "whole"))


def main() -> None:
    here = Path(__file__).resolve().parent
    shipped = here.parent / "src/heteronym/text/models/accurate"
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, default=shipped, help="folder of an exported model")
    parser.add_argument("--documents", type=Path, nargs="*", default=DOCUMENTS)
    parser.add_argument("--out", type=Path, default=here / "work" / "accurate" / "facts")
    parser.add_argument("--epochs", type=int, default=9)
    parser.add_argument(
        "--folds", type=int, nargs="*", default=range(FOLDS + 1), help="parts left out; 0: none is"
    )
    parser.add_argument("--seed", type=int, default=20263)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
