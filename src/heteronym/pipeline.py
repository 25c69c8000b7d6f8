"""The order of the steps, in memory: scan, read persons, encode, partition, recode, apply, measure.

The only file that knows it. Nothing is written here; `publish` does that, after an audit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from heteronym import registry
from heteronym.compiled import tell_if_not_compiled
from heteronym.encode import content_of_rows, encode, recoder_of
from heteronym.errors import InputError, PlanError
from heteronym.io.hierarchies import read_hierarchy
from heteronym.io.persons import keep_person_level_cells_on_first_row
from heteronym.io.plan_checks import check_listed, check_reviewed, check_unchanged
from heteronym.io.plans import Parts, build_parts, make_schema
from heteronym.io.repeated import as_texts, held_once
from heteronym.io.tables import Table
from heteronym.io.values import text_cells
from heteronym.model.dataset import Dataset
from heteronym.model.edit import Edits
from heteronym.model.mention import Mentions
from heteronym.model.offers import Offers
from heteronym.model.partition import Partition
from heteronym.model.person_view import Column, PersonView
from heteronym.model.plan import Plan
from heteronym.model.recoding import ElementLabels, Recoding, Renamed
from heteronym.model.schema import Role
from heteronym.model.sentences import Sentences
from heteronym.partition._content_order import search_in_content_order, settle_in_content_order
from heteronym.partition._withhold import leave_out_and_withhold
from heteronym.recode._in_texts import short_label
from heteronym.recode.apply import InTexts, apply
from heteronym.recode.beside_withheld import beside_withheld
from heteronym.recode.cuts import Cuts, all_edits, all_mentions
from heteronym.recode.group_numbers import group_numbers
from heteronym.run import Run
from heteronym.text.entity_types import DIRECT, VALUE, is_direct

if TYPE_CHECKING:
    from heteronym.io.decisions import Decisions
    from heteronym.recode.rename import Names
    from heteronym.surrogates.vault import Vault


class Mended(NamedTuple):
    """What the audits of a run found in the texts of its drafts, and had masked or taken out."""

    rounds: int = 0
    masked: int = 0  # places that became a placeholder or a label
    sentences: int = 0
    texts: int = 0
    persons: int = 0  # all texts of whom were taken out


@dataclass(frozen=True, repr=False, eq=False)
class Draft:
    """A release that nobody has audited yet, beside what the owner may know about it."""

    dataset: Dataset
    mentions: Mentions | None
    view: PersonView
    partition: Partition
    recoding: Recoding
    frame: pl.DataFrame  # released columns, rows in an order that follows from them alone
    source_row: NDArray[np.int64]  # where each released row came from
    edits: Edits | None
    measures: Mapping[str, Any]
    names: Names | None = None
    mended: Mended = field(default_factory=Mended)
    original: Dataset | None = None  # the data as it came; None: `dataset` itself
    cuts: Cuts | None = None  # what was taken out of its texts
    rows_of_group: NDArray[np.int64] | None = None  # where the table is not in memory
    reviewed: Mapping[str, Any] | None = None  # how many words people decided about, and how many they missed

    @property
    def person(self) -> NDArray[np.int64]:
        """Person number of each released row."""
        return self.view.person_of_row[self.source_row].astype(np.int64)

    @property
    def evidence(self) -> tuple[Mentions, Edits] | None:
        """What was found in the data's texts as they came, and all edits that lead to the released ones."""
        if self.mentions is None or self.edits is None or self.cuts is None:
            return None
        released = self.partition.group[self.view.person_of_row] >= 0
        return all_mentions(self.mentions, self.cuts), all_edits(self.edits, self.cuts, released)

    @property
    def unchanged(self) -> tuple[str, ...]:
        """Columns that are released as they came."""
        return tuple(self.dataset.schema.named(Role.PLAIN, Role.SENSITIVE))

    def __repr__(self) -> str:
        return f"Draft({self.frame.height} rows, columns {self.frame.columns})"


def make_dataset(table: Table, plan: Plan, *, folder: Path | None = None) -> Dataset:
    """A table with what the plan says about it; hierarchies are looked for beside the plan."""
    schema = make_schema(plan, table.frame.columns, table.source)
    hierarchies = {
        name: read_hierarchy((folder or Path()) / attribute.hierarchy)
        for name, attribute in schema
        if attribute.hierarchy is not None and attribute.role in (Role.QUASI, Role.ITEMS, Role.EVENT)
    }
    # sets and texts are looked at cell by cell; whatever else a join repeats must be plain text again
    by_cell = schema.named(Role.ITEMS, Role.TERMS, Role.TEXT)
    frame = as_texts(table.frame, without=by_cell)
    if table.format.kind in ("csv", "database") and not schema.named(
        Role.TEXT
    ):  # texts are read beside whole cells
        by_label = schema.named(Role.QUASI, Role.EVENT, Role.SENSITIVE, Role.PLAIN)
        frame = frame.with_columns(held_once(frame[name]) for name in by_label)
    unchanged = {*schema.named(Role.PLAIN, Role.SENSITIVE)}
    stays = {name: cells for name, cells in table.written.items() if name in unchanged}
    dataset = Dataset(schema, frame, hierarchies, frozenset(plan.data.missing), table.source, stays)
    check_listed(dataset)
    check_unchanged(dataset)
    return dataset


def make_draft(
    dataset: Dataset,
    plan: Plan,
    *,
    mentions: Mentions | None = None,
    decisions: Decisions | None = None,
    run: Run | None = None,
    vault: Vault | None = None,
) -> Draft:
    """A release is a partition of the persons plus one recoding per group.

    `decisions` are what reviewers said of words, `vault` holds the key of surrogates and those given before;
    without one, they come from a new key.
    """
    run, parts = run or Run(), build_parts(plan)
    check_feasible(dataset, parts)
    original = dataset
    if parts.settling:
        dataset = keep_person_level_cells_on_first_row(dataset)
    with run.active():
        persons = encode_persons(dataset, plan, mentions=mentions, decisions=decisions, run=run)
        draft = draft_of(dataset, persons, plan, run, vault=vault)
        return replace(draft, original=original, cuts=_emptied_texts(original, dataset))


def draft_of(
    dataset: Dataset, persons: Persons, plan: Plan, run: Run, *, vault: Vault | None = None
) -> Draft:
    """Groups, recoding, released table and measures for persons that are encoded already."""
    parts, rng = build_parts(plan), np.random.default_rng(plan.seed)
    rest = told_of_rows(dataset, persons.mentions, plan)
    partition = form_groups(persons.view, plan, run, rng, rest)
    with run.step("recode"):
        persons = _with_names(persons, dataset, partition, plan)
        recoding = recoded(persons.view, partition, plan, rng, rest)
        draft = drafted(dataset, persons, partition, recoding, plan, vault)
    with run.step("measure"):
        return replace(draft, measures=measure_all(draft.view, partition, draft.recoding, parts))


def _emptied_texts(before: Dataset, after: Dataset) -> Cuts:
    """Texts that one of two states of the data has, and the other lacks."""
    names = tuple(before.schema.named(Role.TEXT))
    spans: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number, name in enumerate(names):
        if before is not after:
            length = text_cells(before.frame[name]).str.len_chars().fill_null(0).to_numpy()
            for row in np.flatnonzero((length > 0) & after.frame[name].is_null().to_numpy()).tolist():
                spans[row, number] = [(0, int(length[row]))]
    return Cuts(names, spans)


class Persons(NamedTuple):
    """What was found in the texts of persons, its sentences where a model asks for them, and their codes."""

    mentions: Mentions | None
    sentences: Sentences | None
    view: PersonView


def drafted(
    dataset: Dataset,
    persons: Persons,
    partition: Partition,
    recoding: Recoding,
    plan: Plan,
    vault: Vault | None,
) -> Draft:
    """The released table, with surrogates where the plan asks for them; nothing is measured yet."""
    mentions, sentences, view = persons
    names = None
    if plan.renames:
        from heteronym.recode.rename import named

        recoding, names = named(dataset, view, partition, recoding, mentions, plan=plan, vault=vault)
    texts = None if mentions is None else InTexts(mentions, sentences)
    settled = build_parts(plan).settling is not None
    made = partial(apply, dataset, view, partition, recoding, texts, in_one_spelling=settled)
    if names is not None and names.lacks_numbers:
        first = made(renamed=names.without_numbers())
        names = names.number_by_content(first.frame, first.source_row, mentions)
    renamed = Renamed() if names is None else names.renamed
    applied = made(renamed=replace(renamed, persons=plan.release.person_key == "pseudonym"))
    return Draft(dataset, mentions, view, partition, recoding, *applied, measures={}, names=names)


def encode_persons(
    dataset: Dataset,
    plan: Plan,
    *,
    mentions: Mentions | None = None,
    decisions: Decisions | None = None,
    run: Run,
) -> Persons:
    """The mentions of all texts, linked, and everybody in integers: all that depends on no search."""
    read = _read_texts(dataset, plan, run, given=mentions, decisions=decisions)
    with run.step("encode"):
        return encoded(dataset, read, plan)


def encoded(dataset: Dataset, mentions: Mentions | None, plan: Plan) -> Persons:
    """The same with mentions that are linked already."""
    settling = build_parts(plan).settling is not None
    # another's value in a text is a term that tells it, of whatever type
    direct = direct_types(mentions, plan) - ({VALUE} if settling else set())
    view = encode(dataset, mentions, direct=direct)
    if not settling:
        return Persons(mentions, None, view)
    from heteronym.reading.sentences import sentences_of
    from heteronym.reading.stated_values import add_values_stated_in_texts

    sentences = None if mentions is None else sentences_of(dataset, mentions)
    return Persons(mentions, sentences, add_values_stated_in_texts(view, dataset, mentions, sentences))


def _with_names(persons: Persons, dataset: Dataset, partition: Partition, plan: Plan) -> Persons:
    """The same with words that are the name of a member of their group, where a model settles labels."""
    if persons.mentions is None or build_parts(plan).settling is None:
        return persons
    from heteronym.reading.missed_mentions import add_words_that_name_group_members

    group_of_row = partition.group[persons.view.person_of_row]
    least = max(model.least_persons for model in build_parts(plan).models)
    more = add_words_that_name_group_members(
        dataset, persons.mentions, group_of_row, persons.view.person_of_row, least
    )
    return persons if more is persons.mentions else encoded(dataset, more, plan)


def form_groups(
    view: PersonView,
    plan: Plan,
    run: Run,
    rng: np.random.Generator,
    rest: Callable[[], NDArray[np.int64]] | None = None,
) -> Partition:
    """The groups of a plan's search; `rest` tells rows apart that are equal in the view, by content."""
    parts = build_parts(plan)
    tell_if_not_compiled()
    run.spent(0.0, "compile")  # kernels are compiled when the package is built; facts keep the name
    with run.step("partition"):
        _check_models(view, parts, plan)
        # a search that chooses itself whom it leaves out is not asked again
        persons = 0.0 if hasattr(parts.partitioner, "suppress_up_to") else plan.release.suppress_up_to
        search = partial(parts.partitioner.partition, models=parts.models, rng=rng)
        cells = plan.release.suppress_cells_up_to
        choose = partial(leave_out_and_withhold, models=parts.models, search=search)
        partition = search_in_content_order(view, partial(choose, persons=persons, cells=cells), rest)
        if plan.release.numeric == "mean":
            partition = _join_equal(view, partition, plan)
        return _join_equal(view, partition) if parts.settling else partition


def recoded(
    view: PersonView,
    partition: Partition,
    plan: Plan,
    rng: np.random.Generator,
    rest: Callable[[], NDArray[np.int64]] | None = None,
) -> Recoding:
    recoding = recode_groups(view, partition, build_parts(plan), rng, rest)
    return replace(recoding, numbers=group_numbers(view, partition, plan.in_numbers))


def recode_groups(
    view: PersonView,
    partition: Partition,
    parts: Parts,
    rng: np.random.Generator,
    rest: Callable[[], NDArray[np.int64]] | None = None,
) -> Recoding:
    columns = _column_labels(view.columns, partition)
    if parts.settling is not None:
        widest = _column_labels(view.events, partition)
        offers = Offers.as_they_are(ElementLabels.none(partition.count).of_group)
        for recoder in parts.offering(view.elements):
            offers = offers.join(recoder.offers(view, partition, models=parts.models))
        # texts show a column's label in short; an event's is the cell's, and its mentions become their type
        in_texts = {
            name: [None if label is None else short_label(label, name) for label in labels]
            for name, labels in columns.items()
        }
        settle = partial(parts.settling.settle, offers=offers, columns={**in_texts, **widest})
        return Recoding(columns, settle_in_content_order(view, partition, settle, rest))
    elements = ElementLabels.none(partition.count)
    for recoder in parts.needed(view.elements):
        elements = elements.join(recoder.recode(view, partition, models=parts.models, rng=rng))
    return Recoding(columns, elements)


def _column_labels(columns: Sequence[Column], partition: Partition) -> dict[str, list[str | None]]:
    by_column: dict[str, list[str | None]] = {}
    for column in columns:
        labels = recoder_of(column.domain.attribute).labels(column.domain, partition.covers(column))
        starred = column.name in partition.withheld
        by_column[column.name] = beside_withheld(column, partition, labels) if starred else labels
    return by_column


def _join_equal(view: PersonView, partition: Partition, plan: Plan | None = None) -> Partition:
    """Groups whose columns are released alike are one group to whoever reads the release."""
    labels: dict[str, list[Any]] = {**_column_labels(view.columns, partition)}
    for name, written in group_numbers(view, partition, {} if plan is None else plan.in_numbers).items():
        [labels[name]] = written.values()
    number_of: dict[tuple[str | None, ...], int] = {}
    records = zip(*labels.values(), strict=True) if labels else [()] * partition.count
    number = np.array([number_of.setdefault(record, len(number_of)) for record in records], np.int32)
    if len(number_of) == partition.count:
        return partition
    group = np.where(partition.group >= 0, number[partition.group], partition.group)
    return replace(partition, group=group.astype(np.int32))


def measure_all(view: PersonView, partition: Partition, recoding: Recoding, parts: Parts) -> dict[str, Any]:
    measured = {name: measure.measure(view, partition, recoding) for name, measure in parts.measures.items()}
    measured["splits"] = dict(partition.splits)
    return {name: figures for name, figures in measured.items() if figures}


def check_feasible(dataset: Dataset, parts: Parts) -> None:
    """What can be known impossible before the run."""
    schema = dataset.schema
    if not schema.named(Role.QUASI, Role.EVENT, Role.ITEMS, Role.TERMS, Role.TEXT):
        raise PlanError(
            "no column has role quasi, event, items, terms or text: there is nothing to anonymize"
        )
    for name in schema.named(Role.TEXT):
        text_cells(dataset.frame[name])  # refuses what is no text
    counting = [model for model in parts.models if getattr(model, "counts_persons", True)]
    # beside models that count persons, a rule that counts none protects no items and events
    protected = {kind for model in counting or parts.models for kind in model.protects}
    protected |= {kind for model in parts.models for kind in model.protects if kind in ("columns", "terms")}
    needs = [
        ("columns", schema.named(Role.QUASI)),
        ("terms", schema.named(Role.TERMS, Role.TEXT)),
        ("items", schema.named(Role.ITEMS)),
        ("events", schema.named(Role.EVENT)),
    ]
    for kind, names in needs:
        if names and kind not in protected:
            known = registry.privacy_models
            able = [name for name in known.names() if kind in getattr(known.get(name), "protects", ())]
            message = f"no model protects the {kind} of '{names[0]}'. Models that do: {', '.join(able)}"
            raise PlanError(f"privacy: {message}")


def check_enough(persons: int, parts: Parts) -> None:
    # persons of a population are not among the data's: their k may be larger
    own = [model for model in parts.models if not hasattr(model, "population")]
    least = max([getattr(model, "k", model.least_persons) for model in own], default=1)
    if least > persons:
        raise InputError(f"k = {least} is larger than the number of persons, {persons}")


def _check_models(view: PersonView, parts: Parts, plan: Plan) -> None:
    check_enough(view.persons, parts)
    for model in parts.models:
        if hasattr(model, "check"):
            model.check(view)
    if parts.settling is not None and plan.release.person_key == "pseudonym" and view.rows > view.persons:
        raise PlanError(
            "release.person_key: pseudonyms link the rows of a person, and 'joint' does not count "
            "arrangements over rows: say `drop`"
        )


# --- texts: what reads them is loaded where there are some -----------------------------------------


def _read_texts(
    dataset: Dataset, plan: Plan, run: Run, *, given: Mentions | None, decisions: Decisions | None
) -> Mentions | None:
    """The mentions of all persons, recognized or as a reviewer gave them, linked to the columns."""
    if not dataset.schema.named(Role.TEXT):
        return None
    from heteronym.reading.read_table import read_table

    if given is None:
        with run.step("scan"):
            given = recognize_texts(dataset, plan, run)
    with run.step("link"):
        if decisions:
            direct = DIRECT if plan.text.direct is None else frozenset(plan.text.direct)
            check_reviewed(decisions.types, plan, direct=direct)
        settling = build_parts(plan).settling is not None
        return read_table(dataset, plan.text, given, decisions=decisions, across_persons=settling)


def find(dataset: Dataset, plan: Plan, *, run: Run | None = None) -> Mentions:
    """Mentions of all texts as `scan` reports them, not linked to columns."""
    from heteronym.reading.read_person import read_persons, reading_for, unlinked

    run = run or Run()
    with run.active(), run.step("scan"):
        mentions = recognize_texts(dataset, plan, run)
        return read_persons(dataset, mentions, unlinked(reading_for(dataset, plan.text)))


def recognize_texts(dataset: Dataset, plan: Plan, run: Run) -> Mentions:
    """What the recognizers say; large corpora are shared among all cores."""
    from heteronym.reading.scan import scan
    from heteronym.text.recognize import recognizers_for

    remembered = None if run.cache is None else str(run.cache)
    needed = [
        registry.recognizers.build(name, given)
        for model in build_parts(plan).models
        for name, given in getattr(model, "recognizers", {}).items()
    ]
    linked = {kind for attribute in plan.attributes.values() for kind in attribute.entities}
    parts = recognizers_for(
        plan.text, folder=run.folder, processes=0, cache=remembered, first=needed, linked=linked
    )
    return scan(dataset, plan.text, recognizers=parts)


def told_of_rows(dataset: Dataset, mentions: Mentions | None, plan: Plan) -> Callable[[], NDArray[np.int64]]:
    """Gives a number per row for what a release can show of it: content that ties are broken by."""
    return partial(content_of_rows, dataset, mentions, direct=direct_types(mentions, plan))


def direct_types(mentions: Mentions | None, plan: Plan) -> frozenset[str]:
    types = () if mentions is None else mentions.types
    return frozenset(type_ for type_ in types if is_direct(type_, direct=plan.text.direct))


def texts_of_all(dataset: Dataset) -> Iterator[str | None]:
    """The cells of all text columns, one after the other."""
    from heteronym.reading.scan import texts_of

    for name in dataset.schema.named(Role.TEXT):
        yield from texts_of(dataset.frame[name])
