"""Trains the `accurate` model: MiniLM-L6 with a tag layer, on all corpora at once, with a partial-label loss.

The loss of a word is minus the log of the probability summed over its permitted tags. Every half epoch the
averaged weights are scored on the held-out part of the dev files; the best are kept, and training ends early
when they have not improved for PATIENCE scores in a row.
Randomness: one seed for shuffling, case copies, concatenation, dropout and the tag layer.
"""

import argparse
import itertools
import multiprocessing
import random
import time
from pathlib import Path

import numpy as np
import torch
import torch.multiprocessing
from corpora import NAMES, TAGS, held_out, tag_spans, training_mix
from minilm import Tagger, load_base
from token_data import Example, batches, encode, epoch_examples, pad
from tokenizers import Tokenizer
from torch import Tensor

BATCH_PIECES = 448  # per worker
LEARNING_RATE, HEAD_RATE = 1.8e-4, 1e-3
WARM_UP_STEPS = 150
AVERAGE_EVERY, AVERAGE_DECAY = 4, 0.99
PATIENCE = 3  # scores, two an epoch


def partial_label_loss(scores: Tensor, permitted: Tensor, weights: Tensor | None = None) -> Tensor:
    """Mean of -log P(permitted tags), by the weights of the words."""
    allowed = scores.masked_fill(~permitted, -1e9)
    losses = scores.logsumexp(-1) - allowed.logsumexp(-1)
    return losses.mean() if weights is None else (losses * weights).sum() / weights.sum()


def word_scores(tagger: Tagger, batch: list[Example], begin: int, end: int) -> Tensor:
    """Tag scores of the first piece of every word of the batch, one after the other."""
    ids, shapes, mask = (torch.from_numpy(array) for array in pad(batch, begin, end))
    first = torch.zeros_like(mask, dtype=torch.bool)
    for row, example in enumerate(batch):
        first[row, 1 : len(example.ids) + 1] = torch.from_numpy(example.first)
    return tagger(ids, shapes, mask)[first]


def dev_score(tagger: Tagger, dev: list[Example], begin: int, end: int) -> tuple[float, float]:
    """Exact-span F of person, organisation and place names, and the share of person words under any label."""
    tagger.eval()
    right = found = wanted = covered = person_words = 0
    ordered = sorted(dev, key=lambda example: len(example.ids))
    with torch.no_grad():
        for i in range(0, len(ordered), 32):
            batch = ordered[i : i + 32]
            best = word_scores(tagger, batch, begin, end).argmax(-1).numpy()
            gold = np.concatenate([example.permitted[example.first] for example in batch])
            position = 0
            for example in batch:
                size = int(example.first.sum())
                guess = [TAGS[k] for k in best[position : position + size]]
                truth = [_plain_tag(row) for row in gold[position : position + size]]
                position += size
                guessed = {span for span in tag_spans(repaired(guess)) if span[2] in NAMES}
                true = {span for span in tag_spans(truth) if span[2] in NAMES}
                right, found, wanted = right + len(guessed & true), found + len(guessed), wanted + len(true)
                for g, t in zip(guess, truth):
                    if t.endswith("PERSON"):
                        person_words += 1
                        covered += g != "O"
    tagger.train()
    return 200 * right / max(found + wanted, 1), 100 * covered / max(person_words, 1)


def _plain_tag(permitted: np.ndarray) -> str:
    if permitted[0]:
        return "O"
    return TAGS[int(permitted.nonzero()[0][-1])]


def repaired(tags: list[str]) -> list[str]:
    """Turns every I- that continues nothing into a B-."""
    result: list[str] = []
    for tag in tags:
        if tag.startswith("I-") and (not result or result[-1][2:] != tag[2:]):
            tag = "B-" + tag[2:]
        result.append(tag)
    return result


def trainable(tagger: Tagger) -> list[torch.nn.Parameter]:
    """All parameters but the word and position tables, which stay as they are."""
    for table in (tagger.words, tagger.positions):
        table.weight.requires_grad_(False)
    return [p for p in tagger.parameters() if p.requires_grad]


def load_tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of the base model, without its truncation and padding."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def optimizer_for(tagger: Tagger) -> torch.optim.Optimizer:
    """AdamW with a faster tag layer."""
    fresh = [*tagger.head.parameters(), *tagger.shapes.parameters()]
    known = {id(p) for p in fresh}
    body = [p for p in trainable(tagger) if id(p) not in known]
    groups = [{"params": body, "lr": LEARNING_RATE}, {"params": fresh, "lr": HEAD_RATE}]
    return torch.optim.AdamW(groups, weight_decay=0.01, fused=True)


def averaged_into(average: dict[str, Tensor], tagger: Tagger, step: int) -> None:
    """One step of the exponential average, quicker at the beginning."""
    decay = min(AVERAGE_DECAY, (1 + step) / (10 + step))
    with torch.no_grad():
        for name, parameter in tagger.named_parameters():
            if parameter.requires_grad:
                average[name].lerp_(parameter, 1 - decay)


def score_average(
    tagger: Tagger, average: dict[str, Tensor], dev: list[Example], begin: int, end: int
) -> tuple[float, float]:
    """Dev score of the averaged weights; the tagger keeps its own."""
    own = {name: p.detach().clone() for name, p in tagger.named_parameters() if name in average}
    tagger.load_state_dict(average, strict=False)
    score = dev_score(tagger, dev, begin, end)
    tagger.load_state_dict(own, strict=False)
    return score


class SharedGradient:
    """Averages the gradients of the worker processes through shared memory, in a fixed order."""

    def __init__(self, workers: int, size: int) -> None:
        self.slots = [torch.zeros(size).share_memory_() for _ in range(workers)]
        self.progress = torch.zeros(1, dtype=torch.float64).share_memory_()
        self.barrier = multiprocessing.get_context("spawn").Barrier(workers)

    def attach(self, parameters: list[torch.nn.Parameter], worker: int) -> None:
        """Lets the gradients of this worker live in its slot."""
        self.own = self.slots[worker]
        self.total = torch.zeros_like(self.own)
        position = 0
        for p in parameters:
            p.grad = self.own[position : position + p.numel()].view_as(p)
            position += p.numel()

    def average(self, progress: float | None) -> float:
        """The mean into the own slot; returns the progress that the one worker who knows it reports."""
        if progress is not None:
            self.progress[0] = progress
        self.barrier.wait()
        torch.mul(self.slots[0], 1 / len(self.slots), out=self.total)
        for slot in self.slots[1:]:
            self.total.add_(slot, alpha=1 / len(self.slots))
        progress = float(self.progress[0])
        self.barrier.wait()
        self.own.copy_(self.total)
        return progress


def train(worker: int, options: argparse.Namespace, gradient: SharedGradient) -> None:
    """One worker; all draw the same batches and take turns in them, so their weights stay equal."""
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    tagger = load_base(options.base, len(TAGS)).train()
    torch.manual_seed(options.seed + worker)  # dropout differs between workers
    rng = random.Random(options.seed)
    tokenizer = load_tokenizer(options.base)
    begin, end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    mix = training_mix()
    dev = [encode(tokenizer, sentence) for sentences in held_out().values() for sentence in sentences]
    optimizer = optimizer_for(tagger)
    parameters = [p for p in tagger.parameters() if p.requires_grad]
    average = {name: p.detach().clone() for name, p in tagger.named_parameters() if p.requires_grad}
    todo = batches(epoch_examples(tokenizer, mix, rng), BATCH_PIECES, rng)
    steps = len(todo) // options.workers
    planned = options.epochs * steps
    gradient.attach(parameters, worker)
    rates = [group["lr"] for group in optimizer.param_groups]
    best, worse, step, began, running = 0.0, 0, 0, time.time(), 0.0
    for epoch in itertools.count():
        if epoch:
            todo = batches(epoch_examples(tokenizer, mix, rng), BATCH_PIECES, rng)
            steps = len(todo) // options.workers
        for i in range(steps):
            batch = todo[i * options.workers + worker]
            permitted = torch.from_numpy(np.concatenate([e.permitted[e.first] for e in batch]))
            loss = partial_label_loss(word_scores(tagger, batch, begin, end), permitted)
            loss.backward()
            done = (time.time() - began) / 60 / options.minutes if options.minutes else step / planned
            progress = gradient.average(None if worker else 1.0 if worse == PATIENCE else done)
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            for group, rate in zip(optimizer.param_groups, rates):
                group["lr"] = rate * min((step + 1) / WARM_UP_STEPS, max(0.01, 1 - progress))
            optimizer.step()
            gradient.own.zero_()
            step += 1
            finished = progress >= 1
            if not worker:
                if step % AVERAGE_EVERY == 0:
                    averaged_into(average, tagger, step // AVERAGE_EVERY)
                running = 0.98 * running + 0.02 * loss.item()
                if step % 50 == 0:
                    print(
                        f"step {step} ({progress:.1%}) loss {running:.4f} {time.time() - began:.0f} s",
                        flush=True,
                    )
                if i + 1 in (steps // 2, steps) or finished:
                    score, coverage = score_average(tagger, average, dev, begin, end)
                    reached = epoch + (i + 1) / steps
                    print(f"epoch {reached:.2f} dev F {score:.2f} person words {coverage:.2f}", flush=True)
                    worse = 0 if score > best else worse + 1
                    if score > best:
                        best = score
                        torch.save(average, options.out / "best.pt")
            if finished:
                return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "base", type=Path, help="folder with model.safetensors and tokenizer.json of all-MiniLM-L6-v2"
    )
    parser.add_argument("--out", type=Path, default=Path("training/work/accurate"))
    parser.add_argument("--epochs", type=float, default=5)
    parser.add_argument(
        "--minutes", type=float, help="plan by wall clock instead of by epochs (not reproducible)"
    )
    parser.add_argument(
        "--workers", type=int, default=2, help="processes of one thread each that share the batches"
    )
    parser.add_argument("--seed", type=int, default=20261)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    size = sum(p.numel() for p in trainable(load_base(options.base, len(TAGS))))
    gradient = SharedGradient(options.workers, size)
    torch.multiprocessing.spawn(train, (options, gradient), nprocs=options.workers)


if __name__ == "__main__":
    main()
