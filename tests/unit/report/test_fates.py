"""What became of everything, counted again from the released table and the owner's data."""

from __future__ import annotations

import re
from collections import Counter

import polars as pl
from tests.doors.test_explain import PLAN, table

import heteronym as hn


def test_fates_are_what_the_table_shows() -> None:
    data = table()
    release = hn.anonymize(data, PLAN)
    fates, shown = release.facts["fates"], release.data
    for name in ("age", "town"):
        plain = sum(not re.search(r"[\[{*]", cell) for cell in shown[name].to_list())
        assert fates["cells"][name]["kept"] == plain
        assert sum(fates["cells"][name].values()) == data.height
    placeholders = Counter(t for text in shown["text"].to_list() for t in re.findall(r"\[([A-Z]+)\]", text))
    found = Counter(
        place for text in data["text"].to_list() for place in re.findall("Berlin|Rome|Oslo|Paris", text)
    )
    gpe = fates["mentions"]["GPE"]
    assert gpe["found"] == sum(found.values()) == gpe["kept"] + gpe["suppressed"]
    assert gpe["suppressed"] == placeholders["GPE"]
    assert fates["mentions"]["MAIL"]["suppressed"] == placeholders["MAIL"] == data.height
    assert fates["mentions"]["AGE"]["follows_column"] == data.height
    assert sum(fates["reasons"].values()) == sum(m["found"] for m in fates["mentions"].values())
    assert fates["reasons"]["direct_identifier"] == data.height
    assert sum(fates["sources"].values()) == sum(fates["reasons"].values())


def test_words_that_no_mention_covers_are_kept() -> None:
    data = table()
    release = hn.anonymize(data, PLAN)
    kept = total = 0
    for before, after in zip(
        data["text"][release.source_row.tolist()].to_list(), release.data["text"].to_list(), strict=True
    ):
        # every text has the same 12 words; those of mentions are places, the mail and the age
        total += len(before.split())
        kept += sum(word in before.split() for word in after.split() if "[" not in word)
    told = release.facts["fates"]["words"]["text"]
    assert told["words"] == total
    assert told["kept_share"] == float(f"{kept / total:.3g}"), "three digits are told"


def test_who_is_left_out_is_counted_as_such() -> None:
    same = table().with_columns(age=pl.lit(20, pl.Int64), town=pl.lit("here"))
    data = pl.concat([same, table(1).with_columns(id=pl.lit("odd"), age=pl.lit(90, pl.Int64))])
    plan = {**PLAN, "release": {"suppress_up_to": 0.1}}
    release = hn.anonymize(data, plan)
    left = release.facts["data"]["persons_left_out"]
    assert left >= 1
    assert release.facts["fates"]["cells"]["age"]["left_out"] == data.height - release.data.height
    few = left < 5
    assert (sum(m["left_out"] for m in release.facts["fates"]["mentions"].values()) == 0) == few


def test_figures_beside_hidden_persons_have_two_digits() -> None:
    """A loss is a share of what the data spans: all its digits would tell the oldest, who is left out."""
    data = pl.DataFrame({"age": [*(20 + n // 2 for n in range(40)), 987]})
    plan = {
        "attributes": {"age": {"role": "quasi", "scale": "numeric"}},
        "privacy": [{"model": "k-anonymity", "k": 3}],
        "release": {"suppress_up_to": 0.1},
    }
    release = hn.anonymize(data, plan)
    assert release.facts["data"]["persons_left_out"] >= 1
    losses = release.facts["measures"]["ncp"]["by_attribute"].values()
    assert all(loss == float(f"{loss:.2g}") for loss in losses)
    assert any(loss != float(f"{loss:.2g}") for loss in release.measures["ncp"]["by_attribute"].values())
