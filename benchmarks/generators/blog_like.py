"""Posts like those of the Blog Authorship Corpus: authors with columns, many posts each, terms per author."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from benchmarks.generators.known_terms import known_terms
from benchmarks.generators.term_sets import term_sets

REFERENCE = 19_319  # authors of the corpus
TOPICS = (
    "indUnk Student Arts Education Technology Communications-Media Internet Non-Profit Engineering Law "
    "Publishing Science Government Consulting Religion Fashion Marketing Advertising BusinessServices "
    "Banking Telecommunications Military Museums-Libraries Accounting Sports-Recreation HumanResources "
    "RealEstate Chemicals Transportation Manufacturing Biotech LawEnforcement-Security Tourism Automotive "
    "Architecture InvestmentBanking Construction Agriculture Environment Maritime"
).split()
SIGNS = "Aries Taurus Gemini Cancer Leo Virgo Libra Scorpio Sagittarius Capricorn Aquarius Pisces".split()
END = np.datetime64("2004-08-20")


def blog_like(size: int, seed: int = 1) -> pl.DataFrame:
    """`size` authors, about 35 posts each; an author's terms stand on its first post, `|` between them."""
    return _posts(size, seed, {})


def blog_known(size: int, seed: int = 1) -> pl.DataFrame:
    """The same, with places, dates and jobs that the knowledge bases know."""
    return _posts(size, seed, known_terms(seed))


def _posts(size: int, seed: int, named: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    band = rng.choice(3, size, p=(0.4265, 0.4185, 0.155))  # tens, twenties, thirties and older
    older = np.minimum(33 + rng.geometric(0.22, size) - 1, 48)
    age = np.select([band == 0, band == 1], [rng.integers(13, 18, size), rng.integers(23, 28, size)], older)
    tail = 1.0 / (np.arange(len(TOPICS) - 2) + 4)
    share = np.r_[0.35, 0.265, 0.385 * tail / tail.sum()]
    posts = np.clip(np.round(rng.lognormal(np.log(35) - 0.845, 1.3, size)), 1, 4000).astype(int)
    reach = np.minimum(rng.lognormal(np.log(70), 1.15, size), 1900)
    author = np.repeat(np.arange(size), posts)
    day = END - (rng.random(len(author)) * reach[author]).astype("timedelta64[D]")
    terms = term_sets("blog", size, REFERENCE, 117.0, rng, named=named)
    first = np.r_[0, np.cumsum(posts)[:-1]]
    found: list[str | None] = [None] * len(author)
    for number, mine in zip(first.tolist(), terms, strict=True):
        found[number] = "|".join(mine)
    sex = rng.choice(["female", "male"], size)
    topic, sign = rng.choice(TOPICS, size, p=share / share.sum()), rng.choice(SIGNS, size)
    frame = {"id": 100_000 + author, "gender": sex[author], "age": age[author], "topic": topic[author]}
    return pl.DataFrame(frame | {"sign": sign[author], "date": day, "found": found})
