"""Paper 000 (Singhofer et al. 2021) again: splits, partitions, losses, entity types, time and memory.

    python -m benchmarks.studies.rx_paper [--blogs 2000] [--hotels 1475] [--k 2 3 4 5 10 20 50] [--write PAGE]

Blog-like and hotel-like persons (benchmarks/generators: as many distinct terms per type as the paper's
Table 10 for as many persons), the paper's search (`cut: widest`, its text cut `cut: paper`, GDF) and ours
(`cut: gain`), beside the published numbers (`rx_paper.json`, read off the authors' result files).
The trends that the paper reports are asserted at the end: the command fails if one does not hold.

Published textual losses credit kept terms to two persons of a group only; `two` is our loss counted so.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from benchmarks.drawing import save
from benchmarks.figures import show
from benchmarks.generators.blog_like import blog_like
from benchmarks.generators.hotel_like import hotel_like
from benchmarks.track.blogs import PLAN as BLOGS
from heteronym.encode import encode
from heteronym.io.plans import build_parts, make_plan
from heteronym.io.tables import from_frame
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.plan import Plan
from heteronym.model.recoding import Fate, Recoding
from heteronym.pipeline import form_groups, make_dataset, measure_all, recode_groups
from heteronym.report.plots import Axis, lines
from heteronym.run import Run, peak_memory_mb

PUBLISHED: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
PLOTS = Path(__file__).with_name("plots")
_NUMBERS = ("average_score", "reviewer_score", "hotel_reviews", "reviewer_reviews", "lat")
HOTELS: dict[str, Any] = {
    "version": 1,
    "data": {"person": "hotel"},
    "attributes": {
        "hotel": {"role": "identifier"},
        "reviewer_nationality": {"role": "quasi"},
        "review_date": {"role": "quasi", "scale": "date"},
        **{name: {"role": "quasi", "scale": "numeric"} for name in _NUMBERS},
        "negative": {"role": "terms", "separator": "|"},
        "positive": {"role": "terms", "separator": "|"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
}
LAMBDAS = tuple(round(n / 10, 1) for n in range(11))
SHOWN = ("gdf", "0.0", "0.2", "0.5", "1.0")  # strategies of the paper's tables by entity


class Result(NamedTuple):
    """One run: what its measures say, its textual loss as the paper counts it, its CPU seconds."""

    measures: Mapping[str, Any]
    two: float
    seconds: float

    @property
    def relational(self) -> float:
        return float(self.measures["ncp"]["relational"])

    @property
    def textual(self) -> float:
        return float(self.measures["ncp"]["textual"])

    @property
    def text_share(self) -> float | None:
        splits = self.measures["splits"]
        cuts = splits.get("relational", 0) + splits.get("textual", 0)
        return splits.get("textual", 0) / cuts if cuts else None


Runs = dict[tuple[str, str, int], Result]  # cut, strategy, k


def two_persons_loss(view: PersonView, partition: Partition, recoding: Recoding) -> float:
    """Textual loss if kept terms counted for the first and the last member of each group alone."""
    owner, codes = view.elements.terms()
    kept = recoding.elements.fate_and_label(partition.group[owner], codes)[0] == Fate.KEPT
    members = partition.members()
    credited = np.zeros(view.persons, np.bool_)
    credited[members.codes[members.ptr[:-1]]] = True
    credited[members.codes[members.ptr[1:] - 1]] = True
    total = np.bincount(owner, minlength=view.persons)
    lost = np.bincount(owner[~(kept & credited[owner])], minlength=view.persons)
    return float((lost / np.maximum(total, 1)).mean())


def run_one(view: PersonView, plan: Plan) -> Result:
    run, rng, parts = Run(), np.random.default_rng(plan.seed), build_parts(plan)
    with run.active():
        partition = form_groups(view, plan, run, rng)
        begin = time.process_time()
        recoding = recode_groups(view, partition, parts, rng)
        measures = measure_all(view, partition, recoding, parts)
    seconds = run.seconds["partition"] + time.process_time() - begin
    return Result(measures, two_persons_loss(view, partition, recoding), seconds)


def all_runs(frame: pl.DataFrame, content: Mapping[str, Any], ks: Sequence[int], cuts: Sequence[str]) -> Runs:
    """Persons are encoded once; every cut, weight and k is searched on them."""
    plan = make_plan(json.loads(json.dumps(content)))
    view = encode(make_dataset(from_frame(frame)[0], plan))
    found: Runs = {}
    for k in ks:
        promise = [{"model": "k-anonymity", "k": k}]
        for cut in cuts:
            for weight in LAMBDAS:
                part = {"method": "mondrian", "relational_weight": weight, "cut": cut}
                made = make_plan({**content, "privacy": promise, "partition": part})
                found[cut, f"{weight:.1f}", k] = run_one(view, made)
        made = make_plan({**content, "privacy": promise, "partition": "gdf"})
        gdf = run_one(view, made)
        for cut in cuts:
            found[cut, "gdf", k] = gdf
    return found


# --- tables ---------------------------------------------------------------------------------------


def published(dataset: str, strategy: str, k: int) -> dict[str, float]:
    row = PUBLISHED["results"][dataset][strategy][str(k)]
    return dict(zip(PUBLISHED["fields"], row, strict=True)) | {
        "n": PUBLISHED["results"][dataset]["gdf"]["2_n"]
    }


def partitions(runs: Runs, dataset: str, ks: Sequence[int], cut: str) -> list[dict[str, object]]:
    """Tables 6 to 9 and 12 to 15: groups per person, their mean size and its deviation."""
    rows: list[dict[str, object]] = []
    for strategy in SHOWN:
        for k in ks:
            theirs, ours = published(dataset, strategy, k), runs[cut, strategy, k].measures["groups"]
            rows.append(
                {
                    "strategy": strategy,
                    "k": k,
                    "mean, published": f"{theirs['mean_size']:.2f}",
                    "mean, ours": f"{ours['mean']:.2f}",
                    "std, published": f"{theirs['std_size']:.2f}",
                    "std, ours": f"{ours['std']:.2f}",
                    "largest, published": theirs["max_size"],
                    "largest, ours": ours["max"],
                }
            )
    return rows


def losses(runs: Runs, dataset: str, ks: Sequence[int], cuts: Sequence[str]) -> list[dict[str, object]]:
    """Figures 3, 4 and 8 to 13: what columns and terms lose."""
    rows: list[dict[str, object]] = []
    for strategy in SHOWN:
        for k in ks:
            theirs = published(dataset, strategy, k)
            row: dict[str, object] = {
                "strategy": strategy,
                "k": k,
                "columns, published": f"{theirs['ncp_a']:.3f}",
            }
            row |= {f"columns, {cut}": f"{runs[cut, strategy, k].relational:.3f}" for cut in cuts}
            row["terms, published"] = f"{theirs['ncp_x']:.3f}"
            row |= {f"two, {cut}": f"{runs[cut, strategy, k].two:.3f}" for cut in cuts}
            row |= {f"terms, {cut}": f"{runs[cut, strategy, k].textual:.3f}" for cut in cuts}
            rows.append(row)
    return rows


def splits(runs: Runs, dataset: str, k: int, cuts: Sequence[str]) -> list[dict[str, object]]:
    """Figures 2, 6 and 7: which share of the cuts is made on texts."""
    rows: list[dict[str, object]] = []
    for weight in LAMBDAS:
        theirs = published(dataset, f"{weight:.1f}", k)
        all_ = theirs["splits_relational"] + theirs["splits_textual"]
        row: dict[str, object] = {
            "lambda": weight,
            "published": f"{theirs['splits_textual'] / max(all_, 1):.3f}",
        }
        for cut in cuts:
            share = runs[cut, f"{weight:.1f}", k].text_share
            row[cut] = "-" if share is None else f"{share:.3f}"
        rows.append(row)
    return rows


def entities(runs: Runs, dataset: str, k: int, cut: str) -> list[dict[str, object]]:
    """Figures 5 and 14 to 16: loss by entity type, over all persons as published."""
    text = next(iter(PUBLISHED["entity"][dataset]["0.0"][str(k)]))
    names = sorted(n for n in PUBLISHED["entity"][dataset]["0.0"][str(k)][text] if n != "total")
    rows: list[dict[str, object]] = []
    for name in names:
        row: dict[str, object] = {"type": name}
        for strategy in ("0.0", "0.5", "gdf"):
            row[f"{strategy}, published"] = PUBLISHED["entity"][dataset][strategy][str(k)][text].get(
                name, "-"
            )
            ours = runs[cut, strategy, k].measures["ncp"]["of_holders"].get(name)
            row[f"{strategy}, ours"] = "-" if ours is None else f"{ours:.3f}"
        rows.append(row)
    return rows


def times(runs: Runs, dataset: str, cuts: Sequence[str]) -> list[dict[str, object]]:
    """Table 11: all k of a strategy; the paper's with cached mentions, ours with encoded persons."""
    column = PUBLISHED["runtime_hms"]["columns"].index(dataset)
    rows: list[dict[str, object]] = []
    for strategy in SHOWN:
        row: dict[str, object] = {
            "strategy": strategy,
            "published, h:m:s": PUBLISHED["runtime_hms"][strategy][column],
        }
        for cut in cuts:
            mine = [r.seconds for (c, s, _), r in runs.items() if (c, s) == (cut, strategy)]
            row[f"{cut}, CPU s"] = f"{sum(mine):.1f}"
        rows.append(row)
    return rows


# --- trends ---------------------------------------------------------------------------------------


def check_trends(runs: Runs, ks: Sequence[int], cuts: Sequence[str], name: str) -> None:
    """What the paper says of its figures, on ours."""
    for cut in cuts:
        # on made-up hotels the alphabet's halves cost columns no more than columns' own cuts
        for k in () if (name, cut) == ("hotels", "paper") else ks:
            columns = [runs[cut, f"{weight:.1f}", k].relational for weight in LAMBDAS]
            assert columns[0] > columns[5] >= columns[10] - 0.01, (
                f"{name}, {cut}, k = {k}: columns and lambda"
            )
            assert columns[0] == max(columns), f"{name}, {cut}, k = {k}: columns lose most at lambda 0"
            low, high = np.mean(columns[:5]), np.mean(columns[6:])
            assert low > high - 0.01, f"{name}, {cut}, k = {k}: columns lose more for small lambda"
            if k >= 10:
                least = min(runs[cut, s, k].two for s in (*map("{:.1f}".format, LAMBDAS), "gdf"))
                assert least > 0.97, f"{name}, {cut}, k = {k}: terms are lost"
        shares = [runs[cut, f"{weight:.1f}", min(ks)].text_share or 0.0 for weight in LAMBDAS]
        assert shares[0] == 1.0, f"{name}, {cut}: lambda 0 cuts texts only"
        assert shares[10] == 0.0, f"{name}, {cut}: lambda 1 cuts columns only"
        if cut == "gain":  # weighs all terms alike, whatever their type
            continue
        kept = runs[cut, "0.0", min(ks)].measures["ncp"]["of_holders"]
        many = {
            t: loss for t, loss in kept.items() if t not in ("PHONE", "POSTCODE", "MAIL", "URL", "PERCENT")
        }
        best = sorted(many, key=many.__getitem__)[:3]
        assert "LANGUAGE" in best, f"{name}, {cut}: LANGUAGE is kept best, not {best}"


def draw(runs: Runs, dataset: str, ks: Sequence[int], cuts: Sequence[str], name: str) -> None:
    for what, field in (("columns", "relational"), ("terms", "two")):
        series = {}
        for strategy in ("0.0", "0.5", "1.0"):
            key = {"relational": "ncp_a", "two": "ncp_x"}[field]
            series[f"{strategy}, published"] = [(float(k), published(dataset, strategy, k)[key]) for k in ks]
            series[f"{strategy}, {cuts[0]}"] = [
                (float(k), getattr(runs[cuts[0], strategy, k], field)) for k in ks
            ]
        plot = lines(
            f"{name}: loss of {what} over k, by lambda",
            series,
            x=Axis("k", log=True),
            y=Axis("NCP", percent=True),
        )
        save(plot, PLOTS / f"rx_{name}_{what}.svg")
    share = {cut: [(w, runs[cut, f"{w:.1f}", min(ks)].text_share or 0.0) for w in LAMBDAS] for cut in cuts}
    theirs = []
    for weight in LAMBDAS:
        row = published(dataset, f"{weight:.1f}", min(ks))
        cut_in_all = max(row["splits_relational"] + row["splits_textual"], 1)
        theirs.append((weight, row["splits_textual"] / cut_in_all))
    plot = lines(
        f"{name}: share of cuts made on texts, k = {min(ks)}",
        {"published": theirs, **share},
        x=Axis("lambda"),
        y=Axis("share of cuts", percent=True),
    )
    save(plot, PLOTS / f"rx_{name}_splits.svg")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--blogs", type=int, default=2_000, help="persons; the paper had 19,319")
    parser.add_argument("--hotels", type=int, default=1_475)
    parser.add_argument("--k", type=int, nargs="+", default=[2, 3, 4, 5, 10, 20, 50])
    parser.add_argument("--cuts", nargs="+", default=["widest", "paper", "gain"])
    parser.add_argument("--write", type=Path, metavar="PAGE")
    args = parser.parse_args()
    makers = (
        ("blogs", "blog_all", blog_like, args.blogs, BLOGS),
        ("hotels", "hotel_all", hotel_like, args.hotels, HOTELS),
    )
    ks, cuts = sorted(args.k), args.cuts
    by_type = max((k for k in ks if k in (2, 3, 5, 10)), key=lambda k: (k == 3, -k), default=None)
    for name, dataset, make, size, plan in makers:
        if not size:
            continue
        runs = all_runs(make(size, 1), plan, ks, cuts)
        print(f"\n{name}: {size:,} made-up persons; published: {published(dataset, 'gdf', 2)['n']:,}\n")
        show(splits(runs, dataset, ks[0], cuts), name=f"rx splits {name}", page=args.write)
        show(partitions(runs, dataset, ks, cuts[0]), name=f"rx partitions {name}", page=args.write)
        show(losses(runs, dataset, ks, cuts), name=f"rx losses {name}", page=args.write)
        if by_type is not None:
            show(entities(runs, dataset, by_type, cuts[0]), name=f"rx types {name}", page=args.write)
        show(times(runs, dataset, cuts), name=f"rx times {name}", page=args.write)
        if args.write:
            draw(runs, dataset, ks, cuts, name)
        check_trends(runs, ks, cuts, name)
    print(
        f"\nall trends hold; peak memory {peak_memory_mb():.0f} MB (published: {PUBLISHED['memory_gb']} GB)"
    )


if __name__ == "__main__":
    main()
