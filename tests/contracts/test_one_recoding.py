"""One recoding per group: whatever an element recoder says shows in sets, texts, measures and the audit.

The recoders and models here are made for the tests, each in the size of one file. They are not in the
package: they show that a generalizing recoder or a model over sensitive values needs nothing but itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import heteronym as hn
from heteronym import registry
from heteronym.contracts import Kind, PrivacyModel
from heteronym.errors import PromiseError
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Fate, Label
from heteronym.model.release import ModelVerdict, Released
from heteronym.statistics.histograms import Histogram, Holdings, Limit, LimitKind

ABOVE = {
    **dict.fromkeys(["engineer", "architect", "surgeon"], "professional"),
    **dict.fromkeys(["rome", "milan"], "Italy"),
    **dict.fromkeys(["oslo", "bergen"], "Norway"),
}


@dataclass(frozen=True)
class OneUp:
    """Terms become their parent where every member shows one like it in the same columns, else their type."""

    kind: ClassVar[Kind] = "terms"

    def recode(
        self,
        view: PersonView,
        partition: Partition,
        *,
        models: Sequence[PrivacyModel],
        rng: np.random.Generator,
    ) -> ElementLabels:
        held = partition.held(view, terms=True).of_group
        names, sizes = view.elements.names, partition.sizes()
        showing: list[dict[tuple[int, str], set[int]]] = []
        for person, element in view.elements.by_column(view.person_of_row).values():
            shows: dict[tuple[int, str], set[int]] = defaultdict(set)
            for p, e in zip(person.tolist(), element.tolist(), strict=True):
                if names[e].lower() in ABOVE:
                    shows[int(partition.group[p]), ABOVE[names[e].lower()]].add(p)
            showing.append(shows)
        labels: dict[Label, int] = {}
        number = np.full(len(held.codes), -1, np.int32)
        for place, (g, e) in enumerate(zip(held.owners().tolist(), held.codes.tolist(), strict=True)):
            parent = ABOVE.get(names[e].lower())
            if parent and all(len(shows[g, parent]) in (0, sizes[g]) for shows in showing):
                number[place] = labels.setdefault(Label(parent, 3), len(labels))
        fate = np.where(number >= 0, Fate.GENERALIZED, Fate.TYPED).astype(np.uint8)
        return ElementLabels(held, fate, number, tuple(labels))


@dataclass(frozen=True)
class AllOne:
    """Every item becomes the same label."""

    kind: ClassVar[Kind] = "items"

    def recode(
        self,
        view: PersonView,
        partition: Partition,
        *,
        models: Sequence[PrivacyModel],
        rng: np.random.Generator,
    ) -> ElementLabels:
        held = partition.held(view, terms=False).of_group
        count = len(held.codes)
        return ElementLabels(
            held,
            np.full(count, Fate.GENERALIZED, np.uint8),
            np.zeros(count, np.int32),
            (Label("*", len(view.elements)),),
        )


@pytest.fixture
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.element_recoders.names()
    registry.privacy_models.names()
    monkeypatch.setitem(registry.element_recoders._parts, "one-up", OneUp)
    monkeypatch.setitem(registry.element_recoders._parts, "all-one", AllOne)
    monkeypatch.setitem(registry.privacy_models._parts, "two-values", TwoValues)
    monkeypatch.setitem(registry.privacy_models._parts, "two-values-plainly", TwoValuesPlainly)


PEOPLE = pl.DataFrame(
    {
        "id": ["a", "a", "b", "b", "c", "d"],
        "age": [30, 30, 31, 31, 60, 61],
        "found": ["JOB:engineer", None, "JOB:Architect", "JOB:surgeon", "GPE:Oslo", "GPE:Oslo|GPE:Bergen"],
        "good": ["an engineer in Rome", "Rome again", "architect", "Milan!", "Oslo", "in Bergen"],
        "bad": ["no", "Rome", "Milan", "-", "quiet", "still"],
    }
)
PLAN: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "found": {"role": "terms", "separator": "|"},
        "good": {"role": "text"},
        "bad": {"role": "text"},
    },
    "text": {
        "model": "none",
        "entities": ["JOB", "GPE"],
        "patterns": {"JOB": "engineer|architect|surgeon", "GPE": "Rome|Milan|Oslo|Bergen"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
    "recode": {"terms": "one-up"},
}


@pytest.mark.usefixtures("toys")
def test_a_generalized_term_reads_alike_in_the_set_in_both_texts_and_in_the_measures() -> None:
    release = hn.anonymize(PEOPLE, PLAN)
    assert release.verdict.holds
    rows = {tuple(row) for row in release.data.select("found", "good", "bad").rows()}
    assert rows == {
        ("JOB:professional", "a professional in Italy", "no"),
        (None, "Italy again", "Italy"),
        ("JOB:professional", "a professional", "Italy"),
        ("JOB:professional", "Italy!", "-"),
        ("GPE:Norway", "Norway", "quiet"),
        ("GPE:Norway", "in Norway", "still"),
    }
    assert release.measures["ncp"]["textual"] == 1.0  # the plain share: nothing stayed as it was


@pytest.mark.usefixtures("toys")
def test_the_auditor_counts_what_is_generalized_and_what_is_masked() -> None:
    from heteronym.io.plans import make_plan
    from heteronym.io.tables import from_frame
    from heteronym.pipeline import make_dataset, make_draft
    from heteronym.publish import originals_of
    from heteronym.verify.audit import audit
    from heteronym.verify.shown import read_texts, shown_in_texts

    plan = make_plan(PLAN)
    draft = make_draft(make_dataset(from_frame(PEOPLE)[0], plan), plan)
    originals = originals_of(draft)
    stands = read_texts(draft.frame, plan, originals)
    found = shown_in_texts(draft.frame, plan, originals, stands).shown
    shown = Counter(label for labels in found for label in labels)
    assert shown["good", "term", "italy"] == 3
    assert shown["bad", "term", "italy"] == 2
    # one text that says more than its fellow's: the release must not pass
    row = draft.frame["good"].to_list().index("a professional")
    bent = draft.frame.with_columns(
        pl.Series("good", [text if n != row else "architect" for n, text in enumerate(draft.frame["good"])])
    )
    verdict = audit(bent, plan, person=draft.person, originals=originals)
    assert not verdict.holds


@pytest.mark.usefixtures("toys")
def test_a_label_that_only_one_member_shows_fails_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    # A recoder that does not ask who shows what is wrong; the auditor notices from the files alone.
    people = PEOPLE.with_columns(bad=pl.Series(["no", "Rome", "-", "-", "quiet", "still"]))

    class Careless(OneUp):
        def recode(self, view: PersonView, partition: Partition, **given: Any) -> ElementLabels:
            made = super().recode(view, partition, **given)
            label = np.where(made.label < 0, 0, made.label).astype(np.int32)
            return ElementLabels(
                made.of_group, np.full(len(label), Fate.GENERALIZED, np.uint8), label, made.labels
            )

    monkeypatch.setitem(registry.element_recoders._parts, "careless", dataclass(frozen=True)(Careless))
    careless = {**PLAN, "recode": {"terms": "careless"}}
    assert hn.anonymize(people, careless).facts["data"]["mended_rounds"]  # and what it finds is mended
    monkeypatch.setattr("heteronym.mending._LEAST", ())
    with pytest.raises(PromiseError, match="k-anonymity"):
        hn.anonymize(people, careless)


@pytest.mark.usefixtures("toys")
def test_generalized_items_read_alike_in_the_column_and_in_the_measures() -> None:
    people = pl.DataFrame({"age": [30, 31, 60, 61], "codes": ["a b", "b", "c", "a c"]})
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "codes": {"role": "items", "separator": " "},
        },
        "privacy": [{"model": "kkm-anonymity", "k": 2, "m": 2}],
        "recode": {"items": "all-one"},
    }
    release = hn.anonymize(people, plan)
    assert set(release.data["codes"]) == {"*"}
    assert release.measures["transaction"]["tncp"] == 1.0
    assert release.measures["transaction"]["items_kept"] == 0.0


def test_a_term_in_two_columns_is_one_element_and_its_mentions_know_it() -> None:
    from heteronym.encode import encode
    from tests.unit.reading.data import dataset, mentions_of

    data = dataset(
        {"id": ["a", "b"], "found": ["GPE:rome", None], "good": ["Rome", "x"], "bad": ["in rome", "Rome"]},
        {
            "id": {"role": "identifier"},
            "found": {"role": "terms", "separator": "|"},
            "good": {"role": "text"},
            "bad": {"role": "text"},
        },
        person="id",
    )
    view = encode(data, mentions_of(data, patterns={"GPE": "[Rr]ome"}))
    assert len(view.elements) == 1
    assert view.elements.of_mention.tolist() == [0, 0, 0]
    assert [view.elements.of_row()[row].tolist() for row in range(2)] == [[0], [0]]


# --- a model over a sensitive column -------------------------------------------------------------------


class _Values:
    """The different values of the members, counted in plain Python."""

    def __init__(self, held: list[frozenset[int]]) -> None:
        self.held, self.counts = held, Counter[int]()

    def add(self, members: NDArray[Any]) -> None:
        self.counts.update(value for person in members.tolist() for value in self.held[person])

    def remove(self, members: NDArray[Any]) -> None:
        self.counts.subtract(value for person in members.tolist() for value in self.held[person])

    def admits(self) -> bool:
        return sum(count > 0 for count in self.counts.values()) >= 2


@dataclass(frozen=True)
class TwoValues:
    """At least two different values of the first sensitive column in every group."""

    size_only: ClassVar[bool] = False
    protects: ClassVar[frozenset[Kind]] = frozenset()

    @property
    def least_persons(self) -> int:
        return 2

    def start(self, view: PersonView) -> Any:
        return Histogram(Holdings.of_column(view.sensitive[0]), Limit(LimitKind.DISTINCT, (2,)))

    def audit(self, released: Released) -> ModelVerdict:
        values: dict[int, set[Any]] = defaultdict(set)
        (cells,) = released.sensitive.values()
        for group, value in zip(released.group_of_row.tolist(), cells, strict=True):
            values[group].add(value)
        fewest = min(len(seen - {None}) for seen in values.values())
        return ModelVerdict("two-values", {}, fewest >= 2, fewest)


@dataclass(frozen=True)
class TwoValuesPlainly(TwoValues):
    """The same by a statistic of its own."""

    def start(self, view: PersonView) -> Any:
        column = view.sensitive[0]
        missing = column.domain.missing_code
        return _Values(
            [frozenset(column.sets[int(s)].tolist()) - {missing} for s in column.person_set.tolist()]
        )


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("method", [n for n in registry.partitioners.names() if n != "gdf"])
@pytest.mark.parametrize("model", ["two-values", "two-values-plainly"])
def test_a_model_over_a_sensitive_column_is_searched_by_every_method(method: str, model: str) -> None:
    rng = np.random.default_rng(3)
    people = pl.DataFrame(
        {
            "age": rng.integers(20, 80, 120),
            "city": rng.choice(["a", "b", "c"], 120),
            "illness": rng.choice(["flu", "cold", "flu", "flu", None], 120),
        }
    )
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "city": {"role": "quasi"},
            "illness": {"role": "sensitive"},
        },
        "privacy": [{"model": "k-anonymity", "k": 3}, {"model": model}],
        "partition": {"method": method},
    }
    release = hn.anonymize(people, plan)
    assert release.verdict.holds
    if method in ("mondrian", "k-member"):  # the others spend their allowance on few groups
        assert release.measures["groups"]["count"] > 3


@pytest.mark.usefixtures("toys")
def test_both_statistics_of_one_model_make_the_same_groups() -> None:
    rng = np.random.default_rng(5)
    people = pl.DataFrame(
        {"age": rng.integers(20, 80, 200), "illness": rng.choice(["a", "b", "b", "b"], 200)}
    )
    attributes = {"age": {"role": "quasi", "scale": "numeric"}, "illness": {"role": "sensitive"}}
    for cut in ("widest", "gain"):
        made = [
            hn.anonymize(
                people,
                {
                    "attributes": attributes,
                    "privacy": [{"model": "k-anonymity", "k": 4}, {"model": model}],
                    "partition": {"method": "mondrian", "cut": cut},
                },
            )
            for model in ("two-values", "two-values-plainly")
        ]
        if cut == "widest":
            assert made[0].data.equals(made[1].data)
        else:  # the compiled search tries more (decision 0460)
            by_rules, by_nodes = (one.measures["ncp"]["relational"] for one in made)
            assert by_rules <= by_nodes


def test_a_kept_term_is_spelt_in_its_column_as_it_was_whatever_texts_say() -> None:
    """Texts that mention it had taken its capitals away."""
    plan = {
        "attributes": {
            "age": {"role": "quasi", "scale": "numeric"},
            "found": {"role": "terms", "separator": "|"},
            "text": {"role": "text"},
        },
        "text": {"model": "none", "patterns": {"GPE": "(?i)sweden"}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    for said in (["in Sweden", "in Sweden"], ["in sweden we", "in Sweden"], ["x", "y"]):
        frame = pl.DataFrame({"age": [1, 1], "found": ["GPE:Sweden"] * 2, "text": said})
        assert set(hn.anonymize(frame, plan).data["found"]) == {"GPE:Sweden"}
