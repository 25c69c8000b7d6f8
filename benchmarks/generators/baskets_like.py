"""Columns beside a set of items: videos with related videos, and patients with diagnoses.

Items are popular by Zipf's law. A record has one of twenty topics, whose items it prefers, so that similar
records share items; its size is log-normal.
"""

from __future__ import annotations

import numpy as np
import polars as pl

TOPICS = 20


def baskets_like(size: int, seed: int = 1) -> pl.DataFrame:
    """Like YOUTUBE of Poulis et al. 2013: six columns, 936 items, about 6.5 per record, at most 37."""
    rng = np.random.default_rng(seed)
    topic = rng.integers(0, TOPICS, size)
    return pl.DataFrame(
        {
            "rid": np.arange(size),
            "age": rng.gamma(2.0, 300.0, size).astype(int),
            "category": (topic * 14 // TOPICS + rng.integers(0, 2, size)) % 14,
            "length": rng.lognormal(5.0, 0.8, size).astype(int),
            "rate": np.round(np.clip(rng.normal(4.0, 0.9, size), 0, 5), 2),
            "ratings": rng.lognormal(4.0, 1.5, size).astype(int),
            "comments": rng.lognormal(3.0, 1.5, size).astype(int),
            "related": _item_sets(topic, 936, 1.7, 37, rng),
        }
    )


def patients_like(size: int, seed: int = 1) -> pl.DataFrame:
    """Like INFORMS of Poulis et al. 2013: five columns, 599 diagnoses, about 3.6 per record, at most 35."""
    rng = np.random.default_rng(seed)
    age = np.clip(rng.normal(38, 22, size), 0, 85).astype(int)
    # the older, the more the later topics
    topic = np.clip(rng.normal(age / 85 * TOPICS, 5), 0, TOPICS - 1).astype(int)
    return pl.DataFrame(
        {
            "rid": np.arange(size),
            "month_of_birth": rng.integers(1, 13, size),
            "year_of_birth": 2005 - age,
            "race": rng.choice(6, size, p=(0.78, 0.14, 0.04, 0.02, 0.01, 0.01)) + 1,
            "years_of_education": np.where(age < 6, -1, np.clip(rng.normal(11.5, 3.5, size), 0, 17)).astype(
                int
            ),
            "income": np.where(age < 16, 0, np.round(rng.lognormal(9.6, 1.1, size), -1)).astype(int),
            "diagnosis_codes": _item_sets(topic, 599, 1.1, 35, rng),
        }
    )


def _item_sets(topic: np.ndarray, items: int, size: float, most: int, rng: np.random.Generator) -> list[str]:
    popular = 1.0 / (np.arange(items) + 5.0) ** 0.9
    of_item = rng.integers(0, TOPICS, items)
    wanted = np.clip(rng.lognormal(size, 0.6, len(topic)).astype(int) + 1, 1, most)
    sets = [""] * len(topic)
    for number in range(TOPICS):
        records = np.flatnonzero(topic == number)
        share = popular * np.where(of_item == number, 12.0, 1.0)
        drawn = rng.choice(items, int(wanted[records].sum()), p=share / share.sum())
        parts = np.split(drawn, np.cumsum(wanted[records])[:-1]) if len(records) else []
        for record, part in zip(records.tolist(), parts, strict=True):
            sets[record] = " ".join(map(str, np.unique(part).tolist()))
    return sets
