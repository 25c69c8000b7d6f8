"""What is settled for a group: numbers of labels, ladders of events, and what is offered twice."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import polars as pl

import heteronym as hn
from heteronym.encode import encode
from heteronym.io.plans import make_plan
from heteronym.io.tables import from_frame
from heteronym.model.offers import AS_IT_IS, Offers
from heteronym.model.partition import Partition
from heteronym.model.recoding import Fate, Label
from heteronym.model.sets import Sets
from heteronym.pipeline import make_dataset
from heteronym.privacy.joint import Joint

PLAN: dict[str, Any] = {
    "data": {"person": "id"},
    "attributes": {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "found": {"role": "terms", "separator": "|"},
        "visit": {"role": "event", "scale": "date"},
    },
    "privacy": [{"model": "joint", "k": 4, "m": 2}],
}


def people() -> pl.DataFrame:
    days = [dt.date(2005, 1 + n, 3) for n in range(8)]
    return pl.DataFrame(
        {
            "id": [str(n) for n in range(8)],
            "age": [30 + n for n in range(8)],
            "found": [f"DATE:{day:%d %B} {2005 + n % 2}" for n, day in enumerate(days)],
            "visit": days,
        }
    )


def test_a_label_that_two_recoders_offer_reads_alike_in_both_columns() -> None:
    frame, plan = people(), make_plan(PLAN)
    view = encode(make_dataset(from_frame(frame)[0], plan))
    everybody = Partition(np.zeros(8, np.int32))
    terms = everybody.held(view, terms=True).of_group
    events = everybody.held(view, events=True).of_group
    year = Label("2005", 8)
    offered = Offers.of_lists(terms, [[(Label("other"), 0.9), (year, 0.5)] for _ in terms.codes]).join(
        Offers.of_lists(events, [[(Label("half"), 0.9), (year, 0.5)] for _ in events.codes])
    )
    made = Joint(8, 2).settle(view, everybody, offered, columns={"age": ["[30-37]"], "visit": ["2005"]})
    texts = [made.labels[n].text for n in made.label.tolist()]
    is_event = view.elements.is_event[made.of_group.codes]
    assert set(np.array(texts)[is_event]) <= {"half", "2005"}
    assert set(np.array(texts)[~is_event]) <= {"other", "2005"}
    assert (made.fate == Fate.GENERALIZED).all()


def test_released_dates_cover_the_visits_beside_terms_of_the_same_year() -> None:
    release = hn.anonymize(people(), {**PLAN, "recode": {"terms": "generalize"}})
    assert release.verdict.holds
    for label, visit in zip(release.data["visit"], people()["visit"].gather(release.source_row)):
        assert label.startswith("2005")
        assert str(visit).startswith(label) or "Q" in label


def test_values_that_too_few_share_get_the_widest_label_of_the_group() -> None:
    frame = people().with_columns(visit=pl.Series([dt.date(2005, 5, 3)] * 6 + [dt.date(2001, 1, 1)] * 2))
    release = hn.anonymize(frame, {**PLAN, "partition": {"method": "joint", "delta": 1.0}})
    assert release.verdict.holds
    assert set(release.data["visit"]) == {"[2001-2005]"}  # two alone cannot be told apart from six


def test_offers_are_joined_in_the_order_of_elements() -> None:
    one = Offers.as_they_are(Sets(np.array([0, 1, 2]), np.array([0, 1], np.int32)))
    other = Offers.of_lists(
        Sets(np.array([0, 1, 1]), np.array([1], np.int32)), [[(None, 1.0), (Label("b"), 0.5)]]
    )
    joined = one.join(other)
    assert joined.of_group.codes.tolist() == [0, 1, 1]
    assert [joined.label[a:b].tolist() for a, b in zip(joined.ptr, joined.ptr[1:])] == [
        [AS_IT_IS],
        [AS_IT_IS, 0],
        [AS_IT_IS],
    ]


def test_sensitive_items_stay_as_they_are_beside_the_rest() -> None:
    codes = ["A G", "A G", "A H", "A H", "B", "B", "C", "C"]
    attributes = {
        "id": {"role": "identifier"},
        "age": {"role": "quasi", "scale": "numeric"},
        "codes": {"role": "items", "separator": " ", "sensitive": ["G", "H"]},
    }
    frame = people().select("id", "age").with_columns(codes=pl.Series(codes))
    release = hn.anonymize(frame, {**PLAN, "attributes": attributes})
    told = [[one for one in cell.split(" ") if one in "GH"] for cell in release.data["codes"]]
    held = [[one for one in codes[row].split(" ") if one in "GH"] for row in release.source_row]
    assert told == held
