"""HIPAA Safe Harbor: the listed identifiers are gone, dates are years, ages over 89 are one, ZIP codes areas.

Reference   45 CFR 164.514(b)(2)(i), letters A to R; guidance of the Department of Health, 2012
Guarantee   no released cell or text shows what the rule lists, as far as it has a shape, a type or a column;
            nothing about groups: everybody may be alone with what is left
Cost        O(distinct cells) patterns
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.contracts import Kind, PromiseInWords
from heteronym.knowledge.column_names import naming_of, words_of
from heteronym.knowledge.hipaa import (
    LISTED_COLUMNS,
    LISTED_TYPES,
    PARTS_OF_DATES,
    POOLED_AGE,
    SPARSE_AREAS,
    STATES_AND_COUNTRIES,
    cell_shown_as,
    shown_as,
)
from heteronym.model.partition import Held, Partition
from heteronym.model.person_view import PersonView
from heteronym.model.release import ModelVerdict, Released
from heteronym.privacy._hipaa_audit import SafeHarborSettings, breaches_in_text, breaches_of
from heteronym.registry import privacy_models
from heteronym.statistics.histograms import Size


@privacy_models.register("hipaa")
@dataclass(frozen=True)
class SafeHarbor:
    """None of the 18 identifiers of HIPAA Safe Harbor is released; it promises no k."""

    as_of: int = field(metadata={"help": "year in which ages are counted", "min": 1900, "max": 9999})
    sparse: tuple[str, ...] = field(
        default=SPARSE_AREAS, metadata={"help": "three-digit ZIP areas of at most 20,000 people, in quotes"}
    )

    fit: bool = field(
        default=False, metadata={"help": "recode columns in which cells hold what the rule lists; presets do"}
    )

    least_persons: ClassVar[int] = 1
    size_only: ClassVar[bool] = True
    protects: ClassVar[frozenset[Kind]] = frozenset({"columns", "terms", "items", "events"})
    counts_persons: ClassVar[bool] = False
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        promise="None of the 18 identifiers of HIPAA Safe Harbor is released: dates are years, ages "
        "over 89 one category, ZIP codes areas of more than 20,000 people.",
        attacker="The rule names no attacker; it lists what must not be released.",
        not_promised=(
            "A person may be alone with what is left; the rule asks for no k.",
            "What the publisher knows beyond the data (the rule's second condition) is the "
            "publisher's to judge.",
        ),
    )

    @property
    def until(self) -> int:
        """Whatever happened to somebody by then tells an age over 89."""
        return self.as_of - POOLED_AGE

    def start(self, view: PersonView) -> Size:
        return Size(1)

    def shown_as(self, type: str, text: str) -> str | None:
        """What a term may be shown as; None: as nothing but its type."""
        return shown_as(type, text, until=self.until, sparse=self.sparse)

    def cell_shown_as(self, cell: str) -> str:
        """What an item may be shown as; `*`: as nothing."""
        return cell_shown_as(cell, until=self.until)

    def may_show(self, view: PersonView, partition: Partition, held: Held) -> NDArray[np.bool_]:
        codes, place = np.unique(held.of_group.codes, return_inverse=True)
        terms = [view.elements.term(int(code)) for code in codes]
        open_ = np.array([self.shown_as(term.type, term.text) == term.text for term in terms], np.bool_)
        return open_[place]

    def audit(self, released: Released) -> ModelVerdict:
        found = breaches_of(released, SafeHarborSettings(self.until, frozenset(self.sparse)))
        detail = "; ".join(f"{what}: {count} in '{name}'" for (what, name), count in sorted(found.items()))
        sizes = np.bincount(released.group_of_row)
        smallest = int(sizes.min(initial=len(released.group_of_row)))
        return ModelVerdict("hipaa", {"as_of": self.as_of}, not found, smallest, detail)

    def breaches(self, text: str) -> Iterator[tuple[int, int, str]]:
        """What must not stand in a released text, by its shape: to be masked before the audit looks again."""
        return breaches_in_text(text, SafeHarborSettings(self.until, frozenset(self.sparse)))

    @property
    def recognizers(self) -> Mapping[str, Mapping[str, Any]]:
        """What must read the texts whatever else does."""
        return {"hipaa-shapes": {"until": self.until}}

    @classmethod
    def prepared(cls, content: Mapping[str, Any], **given: Any) -> dict[str, Any]:
        """A plan under which the promise can hold: roles and recoders by what columns are called and hold.

        Models that the plan has beside this one stay; without this one, it takes their place.
        """
        models = [dict(model) for model in content["privacy"]]
        mine = next((model for model in models if model["model"] == "hipaa"), None)
        if mine is None:
            mine = {"model": "hipaa", "as_of": datetime.now(UTC).year}
            models = [mine]
        mine |= {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
        mine["fit"] = True
        text = dict(content.get("text", {}))
        if text.get("entities") is not None:
            text["entities"] = sorted({*text["entities"], *LISTED_TYPES})
        recode = {**content.get("recode", {}), "terms": "hipaa"}
        columns = {name: _prepared(name, column, mine) for name, column in content["attributes"].items()}
        made = {**content, "privacy": models, "attributes": columns, "recode": recode}
        if len(models) == 1:
            made["partition"] = {"method": "mondrian"}
            made["recode"] = {**recode, "items": "hipaa-items"}
        return made | ({"text": text} if text else {})

    def fitted(self, content: Mapping[str, Any], frame: pl.DataFrame) -> dict[str, Any] | None:
        """The plan with a recoder for every column in which a cell holds what the rule lists.

        Columns that would be released unchanged become events: each row keeps a value of its own.
        """
        alone = len(content["privacy"]) == 1
        found: dict[str, Any] = {}
        for name, column in content["attributes"].items():
            if self.fit and name in frame.columns and (alone or column["role"] == "quasi"):
                recoded = self._fitted(name, column, frame[name])
                found |= {} if recoded is None else {name: recoded}
        return {**content, "attributes": {**content["attributes"], **found}} if found else None

    def _fitted(self, name: str, column: Mapping[str, Any], cells: pl.Series) -> dict[str, Any] | None:
        role, scale = column["role"], column.get("scale", "nominal")
        if role not in ("quasi", "event", "plain", "sensitive") or column.get("recode") not in _NAMING:
            return None
        kept = {key: value for key, value in column.items() if key in ("entities", "weight")}
        kept["role"] = "event" if role in ("plain", "sensitive") else role
        if cells.dtype in (pl.Date, pl.Datetime) and scale != "date":
            return {**kept, "scale": "date", "recode": {"method": "year", "until": self.until}}
        types, births = _types_of(name, column), "birth" in naming_of(name)
        if scale not in ("nominal", "ordinal") or cells.dtype.is_nested() or cells.dtype == pl.Object:
            return None
        known: dict[str, Any] = {"until": self.until, "ages": "AGE" in types and not births, "births": births}
        different = cells.cast(pl.String).drop_nulls().unique().to_list()
        if all(cell_shown_as(cell, **known) == cell for cell in different):
            return None
        return {**kept, "recode": {"method": "hipaa-values", **{key: v for key, v in known.items() if v}}}


_NAMING = (
    None,
    "set",
    "hierarchy",
    {"method": "set"},
    {"method": "hierarchy"},
)  # recoders that show values as they are


def _types_of(name: str, column: Mapping[str, Any]) -> set[str]:
    """The types of a column's values, by the plan and by its name."""
    return {*column.get("entities", ()), *(t for m in naming_of(name).meanings for t in m.entities)}


def _prepared(name: str, column: Mapping[str, Any], model: Mapping[str, Any]) -> dict[str, Any]:
    """A column as the rule wants it, by its name, its scale and its types."""
    role, named, words = column["role"], naming_of(name), words_of(name)
    if role in ("identifier", "text", "terms", "items"):
        return dict(column)
    types = _types_of(name, column)
    kept = {key: value for key, value in column.items() if key in ("entities", "weight", "format")}
    kept["role"] = role if role == "event" else "quasi"
    until = int(model["as_of"]) - POOLED_AGE
    if column.get("scale") == "date":
        return {**kept, "scale": "date", "recode": {"method": "year", "until": until}}
    kept.pop("format", None)
    if PARTS_OF_DATES.intersection(words):
        return {"role": "identifier"}
    if "birth" in named and column.get("scale") == "numeric":
        return {**kept, "scale": "numeric", "recode": {"method": "bottom", "at": until}}
    if "AGE" in types and column.get("scale") == "numeric":
        return {**kept, "scale": "numeric", "recode": {"method": "top", "at": POOLED_AGE}}
    if "POSTCODE" in types:
        sparse = {"sparse": list(model["sparse"])} if "sparse" in model else {}
        return {**kept, "recode": {"method": "zip3", **sparse}}
    identifying = named.identifying is not None and not named.identifying.whole
    small = "GPE" in types and not STATES_AND_COUNTRIES.intersection(words)
    listed = bool(words) and words[-1] in LISTED_COLUMNS
    if (identifying and named.other is None) or small or listed:
        return {"role": "identifier", **({"entities": column["entities"]} if "entities" in column else {})}
    return dict(column)
