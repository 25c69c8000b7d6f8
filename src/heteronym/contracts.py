"""One protocol per replaceable part.

A part is a frozen dataclass in a file of its own; its fields are its parameters (plan key, command
option, report line), with `help`, and where they apply `min`, `max` and `choices`, in the field's
metadata. The registry finds it by walking the room's folder.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym.model.attack import AttackResult, Knowledge, ReleasedTable, Threat
from heteronym.model.document import Document, Finding, Sanitized
from heteronym.model.mention import Span
from heteronym.model.offers import Offers
from heteronym.model.partition import Held, Partition
from heteronym.model.person_view import Domain, LabelShape, PersonView
from heteronym.model.recoding import ElementLabels, Recoding
from heteronym.model.release import Check, ModelVerdict, Released
from heteronym.model.schema import Attribute, Scale
from heteronym.model.sets import Sets

Rng = np.random.Generator
Members = NDArray[np.int32]  # person numbers
GroupLabels = Sequence[str | None]  # a column's label per group; None stays missing
Kind = Literal["columns", "terms", "items", "events"]
SensitiveLimit = Literal["nothing", "attribute", "items"]
Trace = Literal["placeholders", "row counts"]


class PromiseInWords(NamedTuple):
    """What the report says of a privacy model. {names} are its parameters; `report/in_words.py` adds
    {m_items} ("2 items"), {any_m}, {record}, {knowledge} and {elements}."""

    promise: str
    attacker: str  # what somebody may know without breaking the promise
    not_promised: tuple[str, ...]


class Statistic(Protocol):
    """What a model needs to know of a set of persons, kept up to date while the set grows and shrinks."""

    def add(self, members: Members) -> None: ...

    def remove(self, members: Members) -> None: ...

    def admits(self) -> bool:
        """Whether the persons may be one group."""


class PrivacyModel(Protocol):
    """What every group must satisfy. Two roads that share no code: the statistic and `audit`.

    A union of two groups that a model admits must be admitted, too: searches rely on it. Everything else that
    the program needs to know about a model is declared here; no other file lists models by name. A model
    without `in_words` is described by the first sentence of its documentation. A parameter `k` is the fewest
    persons who share what is protected, `m` how many elements somebody may know, `attribute` a sensitive one.
    """

    size_only: ClassVar[bool]  # `least_persons` decides alone, and searches need no statistic
    protects: ClassVar[frozenset[Kind]]  # which known values of a person do not single the person out
    in_words: ClassVar[PromiseInWords]  # what the report says of it

    # All of the following may be left out.
    counts_persons: ClassVar[bool]  # left out: yes; otherwise an audit needs not know whose rows they are
    counts_households: ClassVar[bool]  # needs `data.household`
    limits_sensitive: ClassVar[SensitiveLimit]
    """Which sensitive values the model is about: those of one attribute (its parameter `attribute`, or the
    only sensitive one), or all sensitive items; where no model is about a sensitive attribute, `verify`
    remarks for how many its value is certain."""
    bounds_traces: ClassVar[frozenset[Trace]]  # what a person leaves beside values, and is counted as well
    smallest_group_is_a_class: ClassVar[bool]  # as `smallest_group` of the verdict counts it
    estimate_was_measured: ClassVar[bool]  # rates in `api/estimate.py` were measured with this model

    @property
    def largest_share(self) -> float | None:
        """The largest share of a group that may have one sensitive value; the attack `homogeneity` asks."""

    @property
    def largest_distance(self) -> float | None:
        """How far the shares of sensitive values in a group may be from those among everybody (half the sum
        of differences); the attack `skewness` asks."""

    @property
    def least_values(self) -> int | None:
        """No group shows fewer different values of `attribute`, whoever its rows are (may be left out)."""

    @property
    def least_persons(self) -> int:
        """No group with fewer members is ever admissible."""

    def start(self, view: PersonView) -> Statistic:
        """The statistic of nobody."""

    def check(self, view: PersonView) -> None:
        """Refuse, before the search, data for which nothing is promised and what no grouping of these persons
        can reach, and say what could be (may be left out)."""

    def may_show(self, view: PersonView, partition: Partition, held: Held) -> NDArray[np.bool_]:
        """Per element that a group holds, whether the group may show it as it is (if terms are protected)."""

    def settle(
        self, view: PersonView, partition: Partition, offers: Offers, *, columns: Mapping[str, GroupLabels]
    ) -> ElementLabels:
        """What every element of every group becomes, of what the recoders offer for it.

        Only models under which labels bear on each other have it (may be left out); then it is asked
        instead of `may_show` and of the recoders' `recode`, once, with the offers of all element recoders
        joined. `columns` are the labels of the quasi columns, which mentions of their values must follow, and
        of event columns over all values of the group, which those get that nothing narrower can be.
        The model takes the offers that keep most and masks what it must: it decides on kept and
        generalized labels of terms, items and events together, on placeholders, and on sentences that go.
        """

    def audit(self, released: Released) -> ModelVerdict: ...

    def breaches(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Start, end and type of what breaks the promise in a released text by itself (may be left out).

        It is masked, and what came of it audited again.
        """

    @classmethod
    def prepared(cls, content: Mapping[str, Any], **given: Any) -> dict[str, Any]:
        """A plan, as plain data, under which the promise can hold with the given parameters; presets ask
        for it (may be left out)."""

    def fitted(self, content: Mapping[str, Any], frame: pl.DataFrame) -> dict[str, Any] | None:
        """The plan with columns as the promise needs them for the cells of a table; None: it is so already
        (may be left out)."""

    @property
    def recognizers(self) -> Mapping[str, Mapping[str, Any]]:
        """Recognizers that must read the texts whatever the plan says of them, with their parameters (may be
        left out)."""


Models = Sequence[PrivacyModel]


class Partitioner(Protocol):
    """Forms groups of persons that all models admit."""

    def partition(self, view: PersonView, *, models: Models, rng: Rng) -> Partition: ...


class Recoder(Protocol):
    """Publishes one label for the values of an attribute that a group covers."""

    def shape(self, domain: Domain) -> LabelShape:
        """How labels lose, for the search."""

    def labels(self, domain: Domain, covers: Sets) -> list[str | None]:
        """One label per cover (ascending codes); None stays missing."""

    coarsens: ClassVar[Scale]  # may be left out, as `coarsen` may

    def coarsen(self, values: pl.Series) -> pl.Series:
        """Values of a scale as coarse as they may ever be shown, of the same kind, before they are coded.
        Loss is counted from there."""


class ElementRecoder(Protocol):
    """Decides what the elements of a group are released as.

    Where a model settles labels itself (`PrivacyModel.settle`), `offers` is asked instead of `recode`:
    what each element of each group could become, best first. A recoder without it serves other models only.
    """

    kind: ClassVar[Kind]

    def offers(self, view: PersonView, partition: Partition, *, models: Models) -> Offers:
        """Elements of its kind by group, each with what it may be shown as (may be left out)."""

    def recode(
        self, view: PersonView, partition: Partition, *, models: Models, rng: Rng
    ) -> ElementLabels: ...


class Measure(Protocol):
    """A figure about the release for facts.json, under `measures.<name>`."""

    def measure(self, view: PersonView, partition: Partition, recoding: Recoding) -> Mapping[str, Any]: ...


class Recognizer(Protocol):
    """Finds mentions in texts. Takes batches; keeps nothing of what it read.

    Two class attributes may be left out, which means no: `by_default` (it takes part in the default
    pipeline of its languages) and `is_model` (it runs if a plan's `text.model` names it). Spans carry the
    recognizer's name as `source` and a short stable name of what found them as `rule`.
    """

    languages: ClassVar[frozenset[str]]  # empty: any language

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        """One list of spans per text, by character offsets; spans may overlap."""


class DocumentMethod(Protocol):
    """Rewrites documents, given what was found in them.

    Two roads that share no code: `sanitize` says what to change, `audit` reads what came of it.
    """

    def sanitize(self, documents: Sequence[Document]) -> Sanitized:
        """The edits of each document; all of a run come together, so that names can agree across them."""

    def audit(self, document: Document, released: str) -> Check:
        """Whether the rewritten text keeps the method's promise about the document it came from."""


class Analyzer(Protocol):
    """Says what a document tells; changes nothing."""

    def analyze(self, document: Document) -> Sequence[Finding]: ...


class HierarchyBuilder(Protocol):
    """Makes a generalization hierarchy from the values of a column."""

    scales: ClassVar[frozenset[Scale]]

    def paths(self, values: Sequence[Any], counts: Sequence[int], *, texts: Sequence[str]) -> list[list[str]]:
        """From each value up to the root. `values` are distinct and ascend (in the plan's order, where the
        column is ordinal); `texts` are the leaves' names, `counts` how many rows hold each."""


class Attack(Protocol):
    """An adversary who has a release and knows something about the people in it.

    One who finds nothing to attack (no text, no items) says so by `AttackResult.idle`. Attacks read labels
    by themselves: they share nothing with what made the release.
    """

    threat: ClassVar[Threat]

    def attack(self, release: ReleasedTable, knowledge: Knowledge, *, rng: Rng) -> AttackResult: ...


class Linker(Protocol):
    """Says which mentions repeat a value of an attribute."""

    def links(
        self, surfaces: Sequence[str], values: Sequence[Any], *, attribute: Attribute
    ) -> list[tuple[int, int] | None]:
        """Per surface the part (start, end) of it that tells one of a person's `values`, or None.

        All surfaces have a type among the attribute's `entities`. `values` are the person's cells
        of that attribute, none missing, and the plan's synonyms of them.
        """
