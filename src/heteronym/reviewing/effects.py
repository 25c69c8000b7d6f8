"""What showing, generalizing or masking a term would change in the groups of the last run.

Persons look alike if their group's columns are released alike and their texts show the same terms in the
same columns, as the auditor's k-anonymity counts them. Every person has a sum of random numbers, one for each
thing that shows; equal sums are equal records but for a chance of about persons^2 / 2^64. A term moves only
the sums of those who hold it, so that its effect costs what it touches.

Reference   Singhofer et al. 2021, sections 3.2 and 5.3
Guarantee   the figures are those of a run with these groups and with this term shown, generalized or masked
Cost        O(mentions) once, then O(mentions of the persons who hold the term + groups)
Randomness  the sums; no figure depends on them
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.errors import InputError
from heteronym.io.persons import number_persons, person_keys
from heteronym.io.plans import build_parts
from heteronym.io.recodings import COLUMNS_FILE, DECISIONS_FILE, ELEMENTS_FILE, PARTITION_FILE
from heteronym.io.sets import split_cells
from heteronym.knowledge.ladders import ladder
from heteronym.model.dataset import Dataset
from heteronym.model.plan import Plan
from heteronym.model.schema import Role
from heteronym.model.terms import normalize
from heteronym.reading.scan import texts_of

MEASURES_FILE = "measures.json"
_ELEMENT = ["domain", "name", "sense", "context"]
_HIDDEN = -1  # label of what does not show
_ALWAYS = "\0always"  # domain of what is always removed: it is no term, and counts in no loss


class Outcome(NamedTuple):
    """Of a whole release."""

    fewest: int  # persons who look alike
    loss: float  # as `measures.ncp.total`
    rows: int  # whose texts read otherwise than after the last run


@dataclass(frozen=True, repr=False)
class Effect:
    """A term in the last run, and what else could become of it. Holds personal data in `label`."""

    persons: int
    groups: int
    rows: int
    kept: int  # groups that show it
    generalized: int
    masked: int
    always: bool  # whether its type is always removed
    follows: Mapping[str, int]  # column -> mentions that repeat their person's value there
    k: int | None
    now: Outcome
    keep: Outcome
    mask: Outcome
    generalize: Outcome | None
    label: str | None  # what it would be generalized to

    def to_dict(self) -> dict[str, Any]:
        found = {name: getattr(self, name) for name in self.__dataclass_fields__}
        outcomes = {name: one._asdict() for name, one in found.items() if isinstance(one, Outcome)}
        return found | outcomes | {"follows": dict(self.follows)}

    def __repr__(self) -> str:
        return f"Effect({self.persons} persons in {self.groups} groups)"


class _Shown(NamedTuple):
    """Occurrences of elements in texts and cells of released persons, in the order of persons."""

    person: NDArray[np.int64]
    row: NDArray[np.int64]
    column: NDArray[np.int64]
    element: NDArray[np.int64]
    surface: NDArray[np.int64]  # label that it shows if it stays
    label: NDArray[np.int64]  # label that it shows; _HIDDEN for none
    kept: NDArray[np.bool_]


class LastRun:
    """The groups of a run and what they show, from the owner's folder. Holds personal data."""

    def __init__(self, owners: Path, dataset: Dataset, plan: Plan, measures: Mapping[str, Any]) -> None:
        self._dataset = dataset
        groups = _read(owners / PARTITION_FILE)
        if groups["person"].to_list() != person_keys(dataset).to_list():
            raise InputError(f"{owners}: was written for other persons than those of {dataset.source}")
        self._group = groups["group"].to_numpy().astype(np.int64)
        self._persons = len(self._group)
        self._person_of_row = number_persons(dataset)[0].astype(np.int64)
        self._labels: dict[str, int] = {}
        self._weights = {n: dataset.schema[n].weight for n in dataset.schema.named(Role.TEXT, Role.TERMS)}
        self._columns = {name: number for number, name in enumerate(self._weights)}
        elements = _read(owners / ELEMENTS_FILE)
        found = _read(owners / DECISIONS_FILE) if (owners / DECISIONS_FILE).is_file() else None
        self._follows: dict[tuple[str, str], int] = {}
        self._elements_of: dict[str, set[int]] = {}
        found = None if found is None else self._with_surfaces(found)
        keys = [elements.select(_ELEMENT)]
        keys += [] if found is None else [found.filter(pl.col("domain") == _ALWAYS).select(_ELEMENT)]
        self._known = pl.concat(keys).unique(maintain_order=True).with_row_index("element")
        self._counts = (self._known["domain"] != _ALWAYS).to_numpy()
        self._shown = self._occurrences(found, elements)
        self._ptr = np.searchsorted(self._shown.person, np.arange(self._persons + 1))
        order = np.argsort(self._shown.element, kind="stable")
        self._by_element = order
        self._element_ptr = np.searchsorted(self._shown.element[order], np.arange(self._known.height + 1))
        rng = np.random.default_rng()
        self._salt = rng.integers(1, 2**63, (2,), np.int64).astype(np.uint64) | np.uint64(1)
        self._base = self._records(_read(owners / COLUMNS_FILE), rng)
        self._sums = self._base + self._sum_of(self._shown.person, self._shown.column, self._shown.label)
        released = self._group >= 0
        self._classes, self._class_of, self._sizes = _classes(self._sums[released])
        self._place = np.cumsum(released) - 1
        self._loss_of_texts(plan, measures)
        ks = [m.parameters["k"] for m in plan.privacy if isinstance(m.parameters.get("k"), int)]
        self.k = min(ks, default=None)

    # --- loading ----------------------------------------------------------------------------------

    def _occurrences(self, found: pl.DataFrame | None, elements: pl.DataFrame) -> _Shown:
        parts = [self._in_cells(name) for name in self._dataset.schema.named(Role.TERMS)]
        if found is not None:
            parts.append(self._in_texts(found))
        empty = {"row": pl.Int64, "column": pl.Int64, **dict.fromkeys([*_ELEMENT, "surface"], pl.String)}
        frame = pl.concat([pl.DataFrame(schema=empty), *parts])
        person = self._person_of_row[frame["row"].to_numpy()]
        frame = frame.with_columns(person=pl.Series(person), group=pl.Series(self._group[person]))
        frame = frame.filter(pl.col("group") >= 0)
        fates = elements.with_columns(pl.col("group").cast(pl.Int64))
        frame = frame.join(fates, on=["group", *_ELEMENT], how="left").join(
            self._known, on=_ELEMENT, how="left"
        )
        frame = frame.filter(pl.col("element").is_not_null()).sort("person", maintain_order=True)
        for surface, element in frame.select("surface", "element").unique().iter_rows():
            self._elements_of.setdefault(surface, set()).add(element)
        kept = (frame["fate"] == "kept").fill_null(False)
        shown = pl.select(
            pl.when(kept).then(frame["surface"]).when(frame["fate"] == "generalized")
            .then(frame["label"].str.to_lowercase())
        ).to_series()  # fmt: skip
        return _Shown(
            frame["person"].to_numpy().astype(np.int64),
            frame["row"].to_numpy().astype(np.int64),
            frame["column"].to_numpy().astype(np.int64),
            frame["element"].to_numpy().astype(np.int64),
            self._label_numbers(frame["surface"]),
            self._label_numbers(shown),
            kept.to_numpy(),
        )

    def _with_surfaces(self, found: pl.DataFrame) -> pl.DataFrame:
        """Mentions with what they say; those of types that are always removed are elements here, too."""
        texts = {name: texts_of(self._dataset.frame[name]) for name in self._dataset.schema.named(Role.TEXT)}
        surfaces = [
            normalize((texts[column][row - 1] or "")[start:end])
            for row, column, start, end in found.select("row", "column", "start", "end").iter_rows()
        ]
        found = found.with_columns(surface=pl.Series(surfaces, dtype=pl.String))
        always = pl.col("domain").is_null() & pl.col("link").is_null()
        filled: dict[str, Any] = {
            "domain": pl.lit(_ALWAYS),
            "name": "surface",
            "sense": "type",
            "context": pl.lit(""),
        }
        return found.with_columns(
            pl.when(always).then(value).otherwise(name).alias(name) for name, value in filled.items()
        )

    def _in_texts(self, found: pl.DataFrame) -> pl.DataFrame:
        linked = found.filter(pl.col("link").is_not_null()).group_by("surface", "link").len()
        self._follows = {(surface, link): many for surface, link, many in linked.iter_rows()}
        number = pl.col("column").replace_strict(self._columns, return_dtype=pl.Int64)
        return (
            found.filter(pl.col("domain").is_not_null())
            .with_columns(row=pl.col("row") - 1, column=number)
            .select(pl.col("row").cast(pl.Int64), "column", *_ELEMENT, "surface")
        )

    def _in_cells(self, name: str) -> pl.DataFrame:
        """Entries TYPE:term of a column with role terms."""
        cell_of_row, entries = split_cells(self._dataset.frame[name], self._dataset.schema[name].separator)
        parts = entries["entry"].str.splitn(":", 2).struct.unnest().select(pl.all().str.strip_chars())
        surface = pl.Series([normalize(one or "") for one in parts["field_1"].to_list()], dtype=pl.String)
        split = pl.DataFrame({"cell": entries["cell"], "domain": parts["field_0"], "surface": surface})
        named = self._known.with_columns(
            surface=pl.Series([normalize(one) for one in self._known["name"].to_list()], dtype=pl.String)
        )
        rows = pl.DataFrame({"row": range(len(cell_of_row)), "cell": cell_of_row})
        split = split.with_columns(pl.col("cell").cast(pl.Int64))
        rows = rows.with_columns(pl.col("cell").cast(pl.Int64)).join(split, on="cell")
        rows = rows.join(named, on=["domain", "surface"], how="inner")
        return rows.select(
            pl.col("row").cast(pl.Int64), pl.lit(self._columns[name], pl.Int64).alias("column"),
            *_ELEMENT, "surface",
        )  # fmt: skip

    def _label_numbers(self, texts: pl.Series) -> NDArray[np.int64]:
        for text in texts.unique(maintain_order=True).to_list():
            if text is not None:
                self._labels.setdefault(text, len(self._labels))
        if not self._labels:
            return np.full(len(texts), _HIDDEN, np.int64)
        numbers = texts.replace_strict(self._labels, default=_HIDDEN, return_dtype=pl.Int64)
        return numbers.fill_null(_HIDDEN).to_numpy()

    def _records(self, labels: pl.DataFrame, rng: np.random.Generator) -> NDArray[np.uint64]:
        """A random number per person, equal where all columns of their groups are released alike."""
        count = int(self._group.max(initial=-1)) + 1
        told = pl.col("label").fill_null("\0").add("\1").str.join("")
        columns = labels.sort("attribute", maintain_order=True).group_by("group").agg(told)
        number = np.zeros(count, np.int64)
        number[columns["group"].to_numpy()] = columns["label"].rank("dense").to_numpy()
        random = rng.integers(0, 2**63, int(number.max(initial=0)) + 1, np.int64).astype(np.uint64)
        return random[number[np.maximum(self._group, 0)]] if count else np.zeros(self._persons, np.uint64)

    def _loss_of_texts(self, plan: Plan, measures: Mapping[str, Any]) -> None:
        """Weights and counts of terms by person, from which the loss of texts follows."""
        ncp = measures["ncp"]
        self._total, self._textual = float(ncp["total"]), float(ncp.get("textual", 0.0))
        part: Any = build_parts(plan).measures["ncp"]
        columns = part.relational_weight if "relational" in ncp else 0.0
        weight = columns + part.textual_weight
        self._share = part.textual_weight / weight if weight else 0.0
        pairs = self._pairs(self._shown)
        self._held = np.bincount(pairs.person, pairs.weight, self._persons)
        self._lost = np.bincount(pairs.person, pairs.weight * ~pairs.kept, self._persons)

    # --- one term ---------------------------------------------------------------------------------

    def effect(self, term: str) -> Effect:
        """Of a term with all that was taken for the same."""
        elements = sorted(self._elements_of.get(normalize(term), ()))
        follows = {link: many for (surface, link), many in self._follows.items() if surface == term}
        mine = [self._by_element[self._element_ptr[one] : self._element_ptr[one + 1]] for one in elements]
        at = np.sort(np.concatenate([np.empty(0, np.int64), *mine]))
        shown = self._shown
        holders = np.unique(shown.person[at])
        fates = np.unique(np.stack([self._group[shown.person[at]], shown.label[at], shown.kept[at]]), axis=1)
        label = self._label_of(elements)
        return Effect(
            persons=len(holders),
            groups=len(np.unique(self._group[holders])),
            rows=len(np.unique(shown.row[at])),
            kept=_groups_of(fates, kept=True),
            generalized=_groups_of(fates, kept=False, shows=True),
            masked=_groups_of(fates, kept=False, shows=False),
            always=bool(elements) and not self._counts[elements].any(),
            follows=follows,
            k=self.k,
            now=Outcome(self._fewest(), self._total, 0),
            keep=self._outcome(at, holders, shown.surface[at], kept=True),
            mask=self._outcome(at, holders, np.full(len(at), _HIDDEN, np.int64), kept=False),
            generalize=None
            if label is None
            else self._outcome(at, holders, np.full(len(at), self._number(label), np.int64), kept=False),
            label=label,
        )

    def _label_of(self, elements: list[int]) -> str | None:
        """What it would be generalized to first."""
        for one in elements:
            kind, name, sense, _ = self._known.row(one)[1:]
            if not self._counts[one]:
                return None
            told = [rung.label for rung in ladder(name, kind, sense).rungs]
            for label in told:
                if normalize(label) != normalize(name):  # Madrid lies in a region of that name
                    return label
        return None

    def _number(self, label: str) -> int:
        return self._labels.setdefault(label.lower(), len(self._labels))

    def _outcome(
        self, at: NDArray[np.int64], holders: NDArray[np.int64], label: NDArray[np.int64], *, kept: bool
    ) -> Outcome:
        """If these occurrences showed these labels."""
        changed = np.unique(self._shown.row[at[self._shown.label[at] != label]])
        if not len(at):
            return Outcome(self._fewest(), self._total, 0)
        where = np.concatenate([np.arange(self._ptr[one], self._ptr[one + 1]) for one in holders.tolist()])
        some = _Shown(*(part[where] for part in self._shown))
        place = np.searchsorted(where, at)
        some.label[place], some.kept[place] = label, kept
        sums = self._sum_of(some.person, some.column, some.label)[holders] + self._base[holders]
        pairs = self._pairs(some)
        lost = np.bincount(pairs.person, pairs.weight * ~pairs.kept, self._persons)[holders]
        held = self._held[holders]
        change = float(((lost - self._lost[holders]) / np.where(held > 0, held, 1.0)).sum())
        loss = self._total + self._share * change / max(self._persons, 1)
        return Outcome(self._fewest(holders, sums), loss, len(changed))

    def _fewest(
        self, holders: NDArray[np.int64] | None = None, sums: NDArray[np.uint64] | None = None
    ) -> int:
        """Persons in the smallest class, if these persons had these sums."""
        if holders is None or sums is None:
            return int(self._sizes.min()) if len(self._sizes) else 0
        sizes = self._sizes.copy()
        np.subtract.at(sizes, self._class_of[self._place[holders]], 1)
        different, many = np.unique(sums, return_counts=True)
        place = np.minimum(np.searchsorted(self._classes, different), len(self._classes) - 1)
        known = self._classes[place] == different
        sizes[place[known]] += many[known]
        left = sizes[sizes > 0]
        return int(min(left.min(initial=self._persons), many[~known].min(initial=self._persons)))

    def _sum_of(
        self, person: NDArray[np.int64], column: NDArray[np.int64], label: NDArray[np.int64]
    ) -> NDArray[np.uint64]:
        """[persons]: what each shows, added up; what shows twice counts once."""
        shows = label >= 0
        thing = label[shows] * max(len(self._columns), 1) + column[shows]
        pairs = (
            np.unique(np.stack([person[shows], thing]), axis=1) if shows.any() else np.empty((2, 0), np.int64)
        )
        sums = np.zeros(self._persons, np.uint64)
        np.add.at(sums, pairs[0], _random(pairs[1].astype(np.uint64), self._salt))
        return sums

    def _pairs(self, shown: _Shown) -> _Pairs:
        """Every element that a person has in a column, once, with the column's weight."""
        counts = self._counts[shown.element]
        shown = _Shown(*(part[counts] for part in shown))
        count = max(self._known.height, 1)
        key = (shown.person * max(len(self._columns), 1) + shown.column) * count + shown.element
        _, first = np.unique(key, return_index=True)
        weights = np.array([*self._weights.values()] or [1.0])
        weights = weights if len(set(weights.tolist())) > 1 else np.ones(len(weights))
        return _Pairs(shown.person[first], weights[shown.column[first]], shown.kept[first])

    def __repr__(self) -> str:
        return f"LastRun({self._persons} persons)"


class _Pairs(NamedTuple):
    person: NDArray[np.int64]
    weight: NDArray[np.float64]
    kept: NDArray[np.bool_]


def _read(path: Path) -> pl.DataFrame:
    try:
        return pl.read_parquet(path)
    except (OSError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: cannot be read") from None


def _classes(
    sums: NDArray[np.uint64],
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    different, number, many = np.unique(sums, return_inverse=True, return_counts=True)
    return different, number.astype(np.int64), many.astype(np.int64)


def _random(things: NDArray[np.uint64], salt: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A number that looks random for each thing, always the same (splitmix64)."""
    mixed = (things + salt[0]) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    found: NDArray[np.uint64] = (mixed ^ (mixed >> np.uint64(31))) * salt[1]
    return found


def _groups_of(fates: NDArray[np.int64], *, kept: bool, shows: bool = True) -> int:
    wanted = (fates[2] == kept) & ((fates[1] >= 0) == shows)
    return len(np.unique(fates[0][wanted]))
