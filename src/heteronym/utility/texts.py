"""What of the terms is left: shares by type, and the information they carry.

Reference   Shannon: what few mention tells more than what many do
Guarantee   0 where nothing is kept, 1 where everything is
Cost        O(terms of groups)
Randomness  none

The information of a term is -log2 of the share of persons who mention it; a label has that of all the
terms it is shown for.
"""

from __future__ import annotations

import polars as pl

_PAIRS = ["domain", "name", "sense", "context"]


def terms_kept(elements: pl.DataFrame, persons: int) -> dict[str, dict[str, float]]:
    """By type or items column, and for all together: pairs of person and term, what is kept of them.

    `elements` is what became of each element of each group, with its holders, as the owner keeps it.
    """
    if not elements.height:
        return {}
    shown = elements.with_columns(
        of_term=pl.col("holders").sum().over(_PAIRS),
        of_label=pl.col("holders").sum().over("domain", "label"),
    )
    info = -(pl.col("of_term") / max(persons, 1)).clip(upper_bound=1.0).log(2)
    broader = -(pl.col("of_label") / max(persons, 1)).clip(upper_bound=1.0).log(2)
    share_kept = (
        pl.when(pl.col("fate") == "kept")
        .then(info)
        .when(pl.col("fate") == "generalized")
        .then(pl.min_horizontal(info, broader))
        .otherwise(0.0)
    )
    counted = shown.select(
        "domain",
        pairs="holders",
        kept=pl.when(pl.col("fate") == "kept").then(pl.col("holders")).otherwise(0),
        generalized=pl.when(pl.col("fate") == "generalized").then(pl.col("holders")).otherwise(0),
        all_bits=info * pl.col("holders"),
        kept_bits=share_kept * pl.col("holders"),
    )
    by_type = counted.group_by("domain").sum().sort("domain")
    whole = counted.drop("domain").sum().select(pl.lit("all").alias("domain"), pl.all())
    return {
        row["domain"]: {
            "pairs": int(row["pairs"]),
            "kept_share": row["kept"] / max(row["pairs"], 1),
            "generalized_share": row["generalized"] / max(row["pairs"], 1),
            "information_share": row["kept_bits"] / row["all_bits"] if row["all_bits"] > 0 else 1.0,
        }
        for frame in (whole, by_type)
        for row in frame.iter_rows(named=True)
    }
