"""Reviews like those of the Hotel Reviews Dataset: hotels with columns, and two sets of terms per hotel."""

from __future__ import annotations

import numpy as np
import polars as pl

from benchmarks.generators.term_sets import term_sets

REFERENCE = 1_475  # hotels of the set
REVIEWS = 40  # per hotel here; the set has 347
NATIONS = (
    "United Kingdom|United States|Australia|Ireland|Germany|France|Netherlands|Canada|Italy|Spain".split("|")
)


def hotel_like(size: int, seed: int = 1) -> pl.DataFrame:
    """`size` hotels with about 40 reviews each; a hotel's terms stand on its first review."""
    rng = np.random.default_rng(seed)
    reviews = np.clip(rng.poisson(REVIEWS, size), 1, None)
    hotel = np.repeat(np.arange(size), reviews)
    rows = len(hotel)
    first = np.r_[0, np.cumsum(reviews)[:-1]]
    average = np.round(np.clip(rng.normal(8.4, 0.55, size), 5.2, 9.8), 1)
    share = 1.0 / (np.arange(len(NATIONS)) + 1)
    frame: dict[str, object] = {
        "hotel": [f"Hotel {number}" for number in hotel.tolist()],
        "reviewer_nationality": rng.choice(NATIONS, rows, p=share / share.sum()),
        "review_date": np.datetime64("2015-08-04") + rng.integers(0, 730, rows).astype("timedelta64[D]"),
        "average_score": average[hotel],
        "reviewer_score": np.round(np.clip(rng.normal(average[hotel], 1.6), 2.5, 10), 1),
        "hotel_reviews": np.round(rng.lognormal(6.6, 1.0, size)).astype(int)[hotel],
        "reviewer_reviews": rng.geometric(0.14, rows),
        "lat": np.round(
            rng.choice([51.5, 48.2, 41.4, 48.9, 45.5, 52.4], size) + rng.normal(0, 0.02, size), 3
        )[hotel],
    }
    for name, mean in (("negative", 14.0), ("positive", 26.0)):
        cells: list[str | None] = [None] * rows
        for number, mine in zip(first.tolist(), term_sets(name, size, REFERENCE, mean, rng), strict=True):
            cells[number] = "|".join(mine)
        frame[name] = cells
    return pl.DataFrame(frame)
