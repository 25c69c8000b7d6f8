"""Texts under a model that settles labels itself: sentences that go whole, and one spelling of what stays."""

from __future__ import annotations

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.dataset import Dataset
from heteronym.model.edit import Edits
from heteronym.model.mention import Mentions
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Fate
from heteronym.model.sentences import Sentences


def gone_sentences(
    view: PersonView, group_of_row: NDArray[np.int32], labels: ElementLabels, sentences: Sentences
) -> NDArray[np.int64]:
    """Numbers of the sentences that go, because something in them is dropped."""
    goes = labels.dropped(view.elements, group_of_row[view.elements.mention_row])
    return np.unique(sentences.of_mention[goes]).astype(np.int64)


def without_sentences(edits: Edits, gone: NDArray[np.int64], sentences: Sentences) -> Edits:
    """The edits outside of the sentences that go, and those that take these out."""
    if not len(gone):
        return edits
    row, column = sentences.row[gone], sentences.column[gone]
    start, end = sentences.stretches(gone)
    span = int(max(edits.start.max(initial=0), sentences.end.max(initial=0))) + 1

    def place(
        rows: NDArray[np.int32], columns: NDArray[np.int16], at: NDArray[np.int32]
    ) -> NDArray[np.int64]:
        return (rows.astype(np.int64) * len(edits.columns) + columns) * span + at

    before = np.searchsorted(place(row, column, start), place(edits.row, edits.column, edits.start), "right")
    ends = np.r_[-1, place(row, column, end)]
    stays = place(edits.row, edits.column, edits.start) >= ends[before]
    goes = Edits(edits.columns, [""], row, column, start, end, np.zeros(len(row), np.int32))
    return edits.chosen(stays).joined(goes)


def with_one_spelling(
    edits: Edits,
    dataset: Dataset,
    view: PersonView,
    group_of_row: NDArray[np.int32],
    labels: ElementLabels,
    mentions: Mentions,
) -> Edits:
    """Kept terms that a group spells in several ways read alike: as in its sets, or as most of its texts."""
    elements = view.elements
    group = group_of_row[mentions.row].astype(np.int64)
    kept = np.flatnonzero(labels.fate_and_label(group, elements.of_mention)[0] == Fate.KEPT)
    pair = group[kept] * max(len(elements), 1) + elements.of_mention[kept]
    spelt = pl.DataFrame({"pair": pair, "spelling": mentions.spelling[kept], "which": kept})
    often = (
        spelt.group_by("pair", "spelling")
        .agg(pl.len(), pl.col("which").min())
        .sort(["pair", "len", "which"], descending=[False, True, False])
    )
    first = often.group_by("pair", maintain_order=True).agg(
        pl.col("spelling").first(), pl.col("which").first().alias("model"), pl.len().alias("ways")
    )
    others = (
        spelt.join(first.filter(pl.col("ways") > 1), on="pair", suffix="_best")
        .filter(pl.col("spelling") != pl.col("spelling_best"))
        .select("which", "model")
    )
    if not others.height:
        return edits
    models = others["model"].unique().to_list()
    texts = []
    for model in models:
        cell = dataset.frame[mentions.columns[mentions.column[model]]][int(mentions.row[model])]
        texts.append(str(cell)[mentions.start[model] : mentions.end[model]])
    number = {model: place for place, model in enumerate(models)}
    which = others["which"].to_numpy()
    text = np.array([number[model] for model in others["model"].to_list()], np.int32)
    return edits.joined(Edits.at(mentions, which, texts, text))
