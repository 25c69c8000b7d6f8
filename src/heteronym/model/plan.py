"""The plan: everything the owner decides, validated and hashable before any data is read.

Parts are kept as a name with parameters; `io.plans` checks them against the registries.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from heteronym.model.limits import LARGEST_NUMBER
from heteronym.model.part import Method, Model, Recoder, Strict
from heteronym.model.schema import Attribute, Role

_LISTED = BeforeValidator(lambda value: [value] if isinstance(value, (Mapping, str)) else value)  # one alone


class Join(Strict):
    table: str = Field(description="file name without its ending, or the table of a database")
    query: str | None = Field(
        None, description="of a database: SQL whose rows are joined by this name, instead of a table"
    )
    on: Annotated[tuple[str, ...], _LISTED] = Field(
        description="key column that both tables have, or a list of them"
    )
    how: Literal["both", "left"] = Field(
        "both", description="both: every key is in both tables; left: the further table may lack keys"
    )

    @field_validator("on")
    @classmethod
    def _some_column(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if not value or len(set(value)) < len(value):
            raise ValueError("name at least one column, and each once")
        return value


class Unite(Strict):
    """Several items columns as one, each item behind the name of its column (Poulis et al., footnote 1)."""

    into: str = Field(description="name of the united items column")
    columns: Mapping[str, str] = Field(description="items column -> what stands between two of its items")
    separator: str = Field(
        " ", min_length=1, description="what stands between two items of the united column"
    )

    @field_validator("columns")
    @classmethod
    def _several(cls, value: Mapping[str, str]) -> Mapping[str, str]:
        if len(value) < 2 or not all(value.values()):
            raise ValueError("name at least two columns, each with its separator")
        return value


class DataPlan(Strict):
    title: str | None = Field(None, description="what the data set is called in the report")
    person: str | None = Field(None, description="rows with the same value are one person")
    household: str | None = Field(None, description="persons with the same value are one household")
    weight: str | None = Field(
        None, description="survey weight: how many people of the population a person stands for"
    )
    join: tuple[Join, ...] = Field((), description="further tables, joined in this order")
    unite: tuple[Unite, ...] = Field((), description="items columns that become one")
    delimiter: str | None = Field(None, min_length=1, max_length=1, description="detected if left out")
    encoding: str | None = Field(None, description="detected if left out")
    sheet: str | None = Field(None, description="of a workbook; needed if several have cells")
    table: str | None = Field(
        None, description="of a database: table or schema.table; needed if it has several"
    )
    query: str | None = Field(None, description="of a database: SQL whose rows are taken, instead of a table")
    decimal: Literal[".", ","] | None = Field(
        None, description="of columns whose numbers have thousands signs, decimal commas or currencies"
    )
    missing: tuple[str, ...] = Field((), description="cells that mean missing, beside empty ones")

    @model_validator(mode="after")
    def _table_or_query(self) -> DataPlan:
        if self.table is not None and self.query is not None:
            raise ValueError("table and query exclude each other: name one")
        return self

    @field_validator("missing", mode="before")
    @classmethod
    def _as_text(cls, value: Any) -> Any:
        return tuple(str(v) for v in value) if isinstance(value, (list, tuple)) else value


PARSED = frozenset({"en"})  # languages whose sentences the package can parse


class TextPlan(Strict):
    model: str = Field("accurate", description="accurate | fast | none | an installed spaCy pipeline")
    language: str = Field("en", description="language of the texts")
    entities: tuple[str, ...] | None = Field(None, description="types that count; left out: all")
    direct: tuple[str, ...] | None = Field(None, description="types that are always removed")
    patterns: Mapping[str, str] = Field(default_factory=dict, description="type -> regular expression")
    words: Mapping[str, str] = Field(default_factory=dict, description="type -> file, one term a line")
    allow: tuple[str, ...] = Field((), description="words, /patterns/, types, @files: never masked")
    deny: tuple[str, ...] = Field((), description="words, /patterns/, @files: always masked")
    thresholds: Mapping[str, float] = Field(default_factory=dict, description="type -> least score")
    synonyms: Mapping[str, tuple[str, ...]] = Field(
        default_factory=dict, description="term -> its other names"
    )
    contexts: bool = Field(False, description="equal terms are one only if their context agrees, too")
    linkers: tuple[str, ...] = Field(("exact", "typed", "fuzzy"), description="how mentions meet columns")

    @model_validator(mode="after")
    def _contexts_are_parsed(self) -> TextPlan:
        if self.contexts and self.language not in PARSED:
            raise ValueError("contexts needs language: en, because sentences are parsed for it")
        return self


class RecodePlan(Strict):
    terms: Recoder = Field(default=Recoder(name="suppress"), description="what becomes of terms")
    items: Recoder = Field(default=Recoder(name="sets"), description="what becomes of items")
    surrogates: tuple[str, ...] = Field(
        (), description="types of terms that texts show as surrogates, where they may show them"
    )


class ReleasePlan(Strict):
    person_key: Literal["drop", "pseudonym"] = "drop"
    suppress_up_to: float = Field(0.0, ge=0.0, le=1.0, description="share of persons that may be left out")
    suppress_cells_up_to: float = Field(
        0.0, ge=0.0, le=1.0, description="share of the cells of quasi columns that may be withheld"
    )
    suppress_texts_up_to: float = Field(
        0.05,
        ge=0.0,
        le=1.0,
        description="share of persons whose texts may all be left out where masking does not help",
    )
    numeric: Literal["label", "bounds", "mean"] = Field(
        "label", description="numeric quasi columns: a label, two columns with its ends, or the group's mean"
    )
    shift: Literal["all", "person"] = Field(
        "all", description="what shares one shift of dates that are released as surrogates"
    )


class Plan(Strict):
    """What `plan.yaml` says."""

    version: Literal[1] = 1
    data: DataPlan = Field(default_factory=DataPlan)
    attributes: Mapping[str, Attribute] = Field(description="every column needs a role")
    text: TextPlan = Field(default_factory=TextPlan)
    privacy: Annotated[tuple[Model, ...], Field(min_length=1), _LISTED]
    partition: Method = Field(default_factory=lambda: Method(name="mondrian"))
    recode: RecodePlan = Field(default_factory=RecodePlan)
    release: ReleasePlan = Field(default_factory=ReleasePlan)
    measures: Mapping[str, Mapping[str, Any]] = Field(
        default_factory=dict, description="parameters of measures, by their names"
    )
    seed: int = Field(0, ge=0, le=LARGEST_NUMBER)

    def named(self, *roles: Role) -> list[str]:
        """Names of the attributes with one of these roles."""
        return [name for name, attribute in self.attributes.items() if attribute.role in roles]

    @property
    def surrogates(self) -> tuple[str, ...]:
        """Identifier columns that are released as surrogates."""
        return tuple(n for n, attribute in self.attributes.items() if attribute.is_renamed)

    @property
    def renames(self) -> bool:
        """Whether anything is released as a surrogate, so that a key is needed."""
        return bool(self.surrogates or self.recode.surrogates)

    @property
    def in_numbers(self) -> dict[str, tuple[str, ...]]:
        """Numeric columns that are released in numbers, each with the columns that it becomes."""
        how = self.release.numeric
        return {
            name: (f"{name}_low", f"{name}_high") if how == "bounds" else (name,)
            for name, attribute in self.attributes.items()
            if how != "label" and attribute.is_interval
        }

    def to_dict(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_defaults=True) | {"version": self.version}

    @property
    def hash(self) -> str:
        canonical = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(canonical.encode()).hexdigest()[:16]

    def __hash__(self) -> int:
        return hash(self.hash)
