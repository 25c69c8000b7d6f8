"""Paper 003 (Anandan et al. 2012) again: what searches cost against the optimum, and which sense is meant.

    python -m benchmarks.studies.plausibility [--texts 20] [--pairs 2000] [--m 5 10 20 40] [--write PAGE]

A text is m (word, sense) pairs, drawn by how often its concept was tagged (cntlist.rev of WordNet, summed
over the words of a concept), since Senseval-3 is not at hand. Words are generalized as if their first
sense were meant, as the paper does; a generalization is right if the drawn sense lies below it.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.drawing import save
from benchmarks.figures import show
from heteronym.documents._own_bases import read_own
from heteronym.documents._plausible import Choice, InfeasibleError, Problem, optimal
from heteronym.documents._plausible_study import least_upper_bound, multi_step, top_down, true_cost
from heteronym.documents._plausible_words import Option, Reader
from heteronym.documents.plausibility import Plausibility
from heteronym.knowledge.bases import base
from heteronym.report.plots import Axis, lines

PLOTS = Path(__file__).with_name("plots")
TS = (10, 32, 100, 1_000, 10_000, 100_000, 1_000_000, 10**9)
SEARCHES: dict[str, Callable[[Problem], Choice]] = {
    "exact": optimal,
    "lub": least_upper_bound,
    "msgs, delta 1": lambda p: multi_step(p, least_upper_bound(p), delta=1),
    "msgs, delta 2": lambda p: multi_step(p, least_upper_bound(p), delta=2),
    "msgs, delta 3": lambda p: multi_step(p, least_upper_bound(p), delta=3),
    "tdgs": lambda p: top_down(p, least_upper_bound(p)),
}
LARGEST = {"msgs, delta 2": 20, "msgs, delta 3": 10}  # words; (2m)^delta neighbours are looked at
Row = dict[str, object]


class Drawn(NamedTuple):
    term: str
    node: int  # the sense that is meant
    first: bool  # whether it is the first


def draw(count: int, rng: np.random.Generator) -> list[Drawn]:
    """(word, sense) pairs by the counts of their concepts; words that have a generalization."""
    wordnet = base("wordnet")
    terms = [t for t in wordnet.terms() if t.isalpha() and 2 < len(t) < 14]
    pairs = [(t, node, n == 0) for t in terms for n, node in enumerate(wordnet.senses(t))]
    weight = np.array([wordnet.counts[node] for _, node, _ in pairs], np.float64)
    chosen = rng.choice(len(pairs), count, p=weight / weight.sum())
    return [Drawn(*pairs[i]) for i in chosen.tolist()]


def options_of(words: Sequence[Drawn], *, common: bool) -> list[tuple[Option, ...]]:
    reader = Reader(Plausibility(common_terms=common), read_own(()))
    known: dict[str, tuple[Option, ...]] = {}
    for word in words:
        if word.term not in known:
            known[word.term] = reader.options(word.term, None)
    return [known[word.term] for word in words]


def problem_of(options: Sequence[tuple[Option, ...]], t: int, alpha: float = 0.5) -> Problem:
    entropies = tuple(tuple(one.entropy for one in each) for each in options)
    return Problem(entropies, t, alpha, tuple(tuple(one.volume for one in each) for each in options))


def texts_of(m: int, count: int, rng: np.random.Generator) -> list[list[Drawn]]:
    words = [word for word in draw(4 * m * count, rng) if len(options_of([word], common=False)[0]) > 1]
    distinct: list[list[Drawn]] = []
    while len(distinct) < count:
        text: dict[str, Drawn] = {}
        while len(text) < m:
            word = words[int(rng.integers(len(words)))]
            text.setdefault(word.term, word)
        distinct.append(list(text.values()))
    return distinct


def costs(ms: Sequence[int], count: int, rng: np.random.Generator) -> tuple[list[Row], list[Row]]:
    """Cost (eq. 1) and CPU milliseconds by m and t; the t of least cost by m."""
    by_cost: list[Row] = []
    by_time: list[Row] = []
    for m in ms:
        options = [options_of(text, common=False) for text in texts_of(m, count, rng)]
        for t in TS:
            row: Row = {"m": m, "t": t}
            spent: Row = {"m": m, "t": t}
            problems = [p for p in (problem_of(one, t) for one in options) if _feasible(p)]
            for name, search in SEARCHES.items():
                if m > LARGEST.get(name, m) or not problems:
                    row[name] = spent[name] = "-"
                    continue
                begin = time.process_time()
                choices = [search(problem) for problem in problems]
                spent[name] = f"{1000 * (time.process_time() - begin) / len(problems):.2f}"
                row[name] = float(np.mean([p.cost(c) for p, c in zip(problems, choices, strict=True)]))
            if problems:
                best = [optimal(problem) for problem in problems]
                bits = [
                    [p.entropies[i][o] for i, o in enumerate(c)] for p, c in zip(problems, best, strict=True)
                ]
                row["variance"] = float(np.mean([np.var(each) for each in bits]))
                row["most bits"] = float(np.mean([max(each) for each in bits]))
            by_cost.append(row)
            by_time.append(spent)
    return by_cost, by_time


def _feasible(problem: Problem) -> bool:
    try:
        problem.check()
    except InfeasibleError:
        return False
    return True


def alphas(m: int, count: int, rng: np.random.Generator) -> list[Row]:
    """What alpha weighs: coming close to t, or treating words alike."""
    options = [options_of(text, common=False) for text in texts_of(m, count, rng)]
    rows: list[Row] = []
    for alpha in (0.25, 0.5, 0.75):
        for t in (100, 10_000):
            problems = [p for p in (problem_of(one, t, alpha) for one in options) if _feasible(p)]
            chosen = [optimal(problem) for problem in problems]
            over = [p.entropy(c) - p.bits for p, c in zip(problems, chosen, strict=True)]
            spread = [
                np.var([p.entropies[i][o] for i, o in enumerate(c)])
                for p, c in zip(problems, chosen, strict=True)
            ]
            row: Row = {"alpha": alpha, "t": t, "m": m, "bits above t": float(np.mean(over))}
            rows.append(row | {"variance of bits": float(np.mean(spread))})
    return rows


def best_ts(ms: Sequence[int], count: int, rng: np.random.Generator) -> list[Row]:
    """Figure 4: the t of least cost among those at which every word of a text is generalized."""
    rows: list[Row] = []
    for m in ms:
        texts = texts_of(m, count, rng)
        for common in (False, True):
            found: list[tuple[float, int]] = []
            for options in (options_of(text, common=common) for text in texts):
                able: list[tuple[float, int]] = []
                for power in range(2, 64, 2):
                    problem = problem_of(options, 2**power)
                    if _feasible(problem):
                        choice = optimal(problem)
                        if all(o[c].volume > 1 for o, c in zip(options, choice, strict=True)):
                            able.append((problem.cost(choice), power))
                found += [min(able)] if able else []
            row: Row = {"m": m, "common terms": "yes" if common else "no", "texts": f"{len(found)}/{count}"}
            powers, least = [power for _, power in found], [cost for cost, _ in found]
            row["best t"] = f"2^{np.median(powers):.0f}" if found else "-"
            rows.append(row | {"least cost": float(np.mean(least)) if found else "-"})
    return rows


def both_ways(m: int, count: int, rng: np.random.Generator) -> list[Row]:
    """Figures 6 b to i: every search with and without common terms, on the same texts."""
    texts = texts_of(m, count, rng)
    rows: list[Row] = []
    for t in (100, 10_000):
        for common in (False, True):
            options = [options_of(text, common=common) for text in texts]
            problems = [p for p in (problem_of(one, t) for one in options) if _feasible(p)]
            for name, search in SEARCHES.items():
                begin = time.process_time()
                chosen = [search(problem) for problem in problems]
                spent = 1000 * (time.process_time() - begin) / max(len(problems), 1)
                both = list(zip(problems, chosen, strict=True))
                bits = [[p.entropies[i][o] for i, o in enumerate(c)] for p, c in both]
                row: Row = {"t": t, "common terms": "yes" if common else "no", "search": name}
                row |= {"cost": float(np.mean([p.cost(c) for p, c in both])), "CPU ms": f"{spent:.2f}"}
                row |= {"variance of bits": float(np.mean([np.var(each) for each in bits]))}
                rows.append(row | {"most bits": float(np.mean([max(each) for each in bits]))})
    return rows


def senses(count: int, m: int, rng: np.random.Generator) -> list[Row]:
    """Figure 6: with and without common terms, how often the drawn sense lies below, and what that costs."""
    wordnet = base("wordnet")
    words = [w for w in draw(count, rng) if len(options_of([w], common=False)[0]) > 1]
    rows: list[Row] = []
    for common in (False, True):
        every = options_of(words, common=common)
        for t in (100, 10_000, 1_000_000):
            right: list[bool] = []
            paid: list[float] = []
            for at in range(0, len(words) - m, m):
                text, options = words[at : at + m], every[at : at + m]
                problem = problem_of(options, t)
                if not _feasible(problem):
                    continue
                choice = optimal(problem)
                fine = [_is_right(w, o[c], wordnet) for w, o, c in zip(text, options, choice, strict=True)]
                bits = [o[c].entropy for o, c in zip(options, choice, strict=True)]
                roots = [o[-1].entropy for o in options]
                right += fine
                paid.append(true_cost(bits, fine, roots, t=t))
            row: Row = {"common terms": "yes" if common else "no", "t": t, "words": len(right)}
            row |= {"first sense drawn": float(np.mean([w.first for w in words]))}
            rows.append(row | {"right sense": float(np.mean(right)), "true cost": float(np.mean(paid))})
    return rows


def _is_right(word: Drawn, option: Option, wordnet) -> bool:  # type: ignore[no-untyped-def]
    if option.volume == 1:
        return True  # the word itself
    return any(wordnet.form(node) == option.label for node in wordnet.all_above(word.node))


def check_trends(cost: Sequence[Row], sense: Sequence[Row]) -> None:
    """What the paper reports of its searches."""
    for row in cost:
        exact = row["exact"]
        for name in SEARCHES:
            if isinstance(exact, float) and isinstance(row[name], float):
                assert exact <= row[name] + 1e-9, f"{name} beats the optimum"  # type: ignore[operator]
        if isinstance(row["lub"], float) and isinstance(row["msgs, delta 1"], float):
            assert row["msgs, delta 1"] <= row["lub"] + 1e-9
            assert row["tdgs"] <= row["lub"] + 1e-9  # type: ignore[operator]
        if isinstance(row["msgs, delta 3"], float):
            assert row["msgs, delta 3"] <= row["msgs, delta 2"] + 1e-9  # type: ignore[operator]
    for t in {row["t"] for row in sense}:
        without, with_ = (r for r in sense if r["t"] == t)
        assert with_["right sense"] >= without["right sense"], "common terms name the right sense more often"  # type: ignore[operator]


def check_searches(rows: Sequence[Row]) -> None:
    """Figure 6: what a wider search buys, that top-down comes close, and that common terms cost more."""
    of = {(r["t"], r["common terms"], r["search"]): r for r in rows}
    for t, common in {(r["t"], r["common terms"]) for r in rows}:
        cost = {name: float(str(of[t, common, name]["cost"])) for name in SEARCHES}
        spent = {name: float(str(of[t, common, name]["CPU ms"])) for name in SEARCHES}
        widths = ["lub", "msgs, delta 1", "msgs, delta 2", "msgs, delta 3"]
        assert all(cost[b] <= cost[a] + 1e-9 for a, b in pairwise(widths)), "a larger delta costs less"
        assert all(spent[a] < spent[b] for a, b in pairwise(widths)), "and takes longer"
        for figure in ("variance of bits", "most bits"):
            told = {name: float(str(of[t, common, name][figure])) for name in SEARCHES}
            assert told["exact"] <= told["tdgs"] + 1e-9, f"{figure}: the exact search is smallest"
        more = float(str(of[t, "yes", "exact"]["cost"])) >= float(str(of[t, "no", "exact"]["cost"]))
        assert more, "common terms cost more"
        assert cost["tdgs"] - cost["exact"] < 0.1 * (cost["lub"] - cost["exact"]), "top-down is close"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=20, help="texts for each number of words")
    parser.add_argument("--pairs", type=int, default=2_000, help="(word, sense) pairs for the senses")
    parser.add_argument("--m", type=int, nargs="+", default=[5, 10, 20, 40])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    cost, spent = costs(args.m, args.texts, rng)
    show(cost, name="plausibility cost", page=args.write)
    show(spent, name="plausibility time", page=args.write)
    sense = senses(args.pairs, 10, rng)
    show(sense, name="plausibility senses", page=args.write)
    show(alphas(10, args.texts, rng), name="plausibility alpha", page=args.write)
    show(best_ts(args.m, args.texts, rng), name="plausibility best", page=args.write)
    both = both_ways(min(args.m[-1], 10), args.texts, rng)
    show(both, name="plausibility common", page=args.write)
    if args.write:
        for key, rows, unit in (("cost", cost, "cost (eq. 1)"), ("time", spent, "CPU ms")):
            m = 10 if 10 in args.m else args.m[0]
            series = {
                name: [
                    (float(str(r["t"])), float(str(r[name]))) for r in rows if r["m"] == m and r[name] != "-"
                ]
                for name in SEARCHES
            }
            plot = lines(
                f"{unit} over t, m = {m}",
                {name: points for name, points in series.items() if points},
                x=Axis("t", log=True),
                y=Axis(unit, log=key == "time"),
            )
            save(plot, PLOTS / f"plausibility_{key}.svg")
    check_trends(cost, sense)
    check_searches(both)
    print("\nall trends hold")


if __name__ == "__main__":
    main()
