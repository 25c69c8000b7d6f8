"""What only a clock can tell, and tests therefore do not ask.

    python -m benchmarks.track.waits [--scale 1] [--only repetition|knowledge|estimate] [--write PAGE]

repetition: CPU seconds of each recognizer on a piece repeated to 20,000 characters, and the exponent by
which they grow from a quarter of that (about 1; a pattern that backtracks comes near 2); the slowest piece.
knowledge: CPU seconds that it takes to read each base, and chains of ancestors per second.
estimate: what `hn.estimate` says beside what a run took, with the factor that it states.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import heteronym as hn
from benchmarks.figures import show
from heteronym.knowledge import bases
from heteronym.knowledge.bases import TAXONOMIES, ancestors, base
from heteronym.knowledge.taxonomy import read_taxonomy
from heteronym.registry import recognizers
from heteronym.text.combine import default_parts

Row = dict[str, object]
PIECES = (
    *(
        "Aa ",
        "a ",
        "1 ",
        "1.",
        "1",
        "I ",
        "Mr ",
        "the Aa of ",
        "no. 1, ",
        "Aa, ",
        "May 1 and ",
        "a-",
        "x_",
        "\n",
    ),
    *(
        "was a aa bb ",
        "Name: ",
        "a:",
        "12-",
        "1 Aa ",
        '"a": "',
        "<a>",
        "name;first\n",
        "('a',",
        "son (",
        "a@b.",
    ),
)
LEAST = 0.02  # CPU seconds below which an exponent says nothing


def seconds(call: Callable[..., Any], *args: Any) -> float:
    begin = time.process_time()
    call(*args)
    return time.process_time() - begin


def repetition(scale: float) -> Iterator[Row]:
    length = int(20_000 * scale)
    for name in default_parts():
        part = recognizers.build(name)
        part.recognize(["Warm up on 3 May 2001."])
        texts = {piece: piece * (length // len(piece)) for piece in PIECES}
        took = {piece: seconds(part.recognize, [text]) for piece, text in texts.items()}
        piece = max(PIECES, key=took.__getitem__)
        whole, quarter = (seconds(part.recognize, [texts[piece][: length // n]]) for n in (1, 4))
        grows = f"exponent {math.log(whole / quarter, 4):.2f}" if quarter > LEAST else ""
        yield {"what": f"`{name}` on {piece!r}", "CPU s": whole, "": grows}


def knowledge(scale: float) -> Iterator[Row]:
    for name in TAXONOMIES:
        data = (Path(bases.__file__).parent / "data" / f"{name}.base").read_bytes()
        took = min(seconds(read_taxonomy, data) for _ in range(3))
        yield {"what": f"reading `{name}`", "CPU s": took, "": ""}
    terms = list(base("wordnet").terms())[:: max(1, int(3 / scale))]
    took = min(seconds(lambda: [ancestors(term) for term in terms]) for _ in range(2))
    yield {"what": "chains of ancestors", "CPU s": took, "": f"{len(terms) / took:,.0f} per second"}


def baskets(rows: int) -> pl.DataFrame:
    rng = np.random.default_rng(rows)
    share = 1 / np.arange(1, 61)
    codes = [rng.choice(60, 1 + rng.poisson(3), p=share / share.sum()) for _ in range(rows)]
    return pl.DataFrame(
        {
            "age": rng.integers(18, 90, rows),
            "sex": rng.choice(["f", "m"], rows),
            "codes": [" ".join(sorted({f"c{code}" for code in row})) for row in codes],
        }
    )


def estimate(scale: float) -> Iterator[Row]:
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "sex": {"role": "quasi"},
            "codes": {"role": "items", "separator": " "},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 5, "m": 2}],
    }
    hn.anonymize(baskets(500), plan)  # kernels are loaded once
    for rows in (int(1_500 * scale) + 50, int(6_000 * scale) + 50):
        said = hn.estimate(baskets(rows), plan)
        timing = hn.anonymize(baskets(rows), plan).facts["timing"]
        took = sum(timing.get(step, 0.0) for step, _, _ in said.steps)
        about = f"estimated {said.seconds:.2f}, give or take a factor of {said.factor}"
        yield {"what": f"items of {rows} persons", "CPU s": took, "": about}


PARTS = {"repetition": repetition, "knowledge": knowledge, "estimate": estimate}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--scale", type=float, default=1.0)
    options.add_argument("--only", choices=PARTS)
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    chosen = [given.only] if given.only else list(PARTS)
    show([row for name in chosen for row in PARTS[name](given.scale)], name="waits", page=given.write)


if __name__ == "__main__":
    main()
