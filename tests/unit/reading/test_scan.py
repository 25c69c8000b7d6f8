from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import pytest
from tests.unit.reading.data import dataset, mentions_of, posts, told

from heteronym.errors import PlanError, UsageError
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.model.terms import Term
from heteronym.reading.scan import scan
from heteronym.run import Run
from heteronym.text.recognize import model_in_use, recognizers_for


class Counting:
    """Finds the letter x and remembers how many texts it was asked about."""

    languages: ClassVar[frozenset[str]] = frozenset()

    def __init__(self) -> None:
        self.asked = 0

    def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
        self.asked += len(texts)
        return [[Span(t.index("x"), t.index("x") + 1, "X", 0.5, "c")] if "x" in t else [] for t in texts]


def test_a_term_of_one_row_is_found_in_the_other_rows_of_the_person_only() -> None:
    data = posts(["Pedro!", "so pedro said", "pedro"], [1, 1, 2])
    found = mentions_of(data, patterns={"PERSON": "Pedro"})
    assert told(found) == [(0, "PERSON", "pedro", ""), (1, "PERSON", "pedro", "")]
    assert [found.sources[s] for s in found.source] == ["patterns", "propagated"]


def test_rows_of_a_person_need_not_be_neighbours() -> None:
    data = posts(["Pedro", "x", "pedro", "x", "Pedro"], [1, 2, 1, 2, 3])
    assert [row for row, *_ in told(mentions_of(data, patterns={"PERSON": "^Pedro"}))] == [0, 2, 4]


def test_a_term_is_followed_through_all_text_attributes() -> None:
    data = dataset(
        {"good": ["Pedro", None], "bad": ["pedro", "-"]}, {"good": {"role": "text"}, "bad": {"role": "text"}}
    )
    found = mentions_of(data, patterns={"PERSON": "Pedro"})
    assert [found.columns[c] for c in found.column] == ["good", "bad"]


def test_spellings_of_one_term_are_one_term() -> None:
    # Defect 3: Apple, APPLE and apple were three terms.
    found = mentions_of(posts(["Apple", "APPLE", "apple"]), lists={"ORG": ["Apple"]})
    assert found.terms == (Term("ORG", "apple"),)
    assert len(found) == 3


def test_terms_of_stop_words_only_are_different_terms() -> None:
    # Defect 2: WHO and IT matched each other once their stop words were gone.
    found = mentions_of(posts(["WHO", "IT", "who is it"]), lists={"ORG": ["WHO", "IT"]})
    assert told(found) == [(0, "ORG", "who", ""), (1, "ORG", "it", "")]


def test_equal_texts_of_different_types_stay_apart() -> None:
    # Defect 4: PERSON Paris survived because GPE Paris was kept.
    found = mentions_of(
        posts(["Ms Paris, in Paris"]), patterns={"PERSON": "(?<=Ms )Paris", "GPE": "(?<=in )Paris"}
    )
    assert told(found) == [(0, "PERSON", "paris", ""), (0, "GPE", "paris", "")]


def test_empty_texts_are_empty_and_lose_nothing_else() -> None:
    # Defects 12 and 16: all texts empty crashed; an empty first text lost the person's others.
    assert len(mentions_of(posts([None, "", " "]), patterns={"X": "x"})) == 0
    found = mentions_of(posts([None, "x", "", "x"], [1, 1, 2, 2]), patterns={"X": "x"})
    assert [row for row, *_ in told(found)] == [1, 3]


def test_a_dataset_without_rows_or_texts_has_no_mentions() -> None:
    assert len(mentions_of(posts([]), patterns={"X": "x"})) == 0
    assert len(mentions_of(dataset({"a": [1]}, {"a": {"role": "quasi"}}), patterns={"X": "x"})) == 0


def test_identical_texts_are_recognized_once() -> None:
    part = Counting()
    found = scan(posts(["a x", "a x", "b", "a x"]), TextPlan(model="none"), recognizers=[part])
    assert part.asked == 2
    assert [int(row) for row in found.row] == [0, 1, 3]


@pytest.mark.parametrize(
    "text",
    [
        "🙂🙂 Pedro 👨‍👩‍👧 Pedro",
        "قال Pedro שלום Pedro",
        "<p>Pedro</p><b class='x'>Pedro</b>&nbsp;Pedro",
        "\x00\x01Pedro\x1f\tPedro\r\n",
        "e\u0301 Pedro Pedro\u2019s",
        "İ Pedro ß Pedro",
    ],
)
def test_offsets_are_exact_in_strange_texts(text: str) -> None:
    found = mentions_of(posts([text]), patterns={"PERSON": "Pedro"})
    assert [text[a:b] for a, b in zip(found.start, found.end)] == ["Pedro"] * text.count("Pedro")


def test_a_megabyte_of_text_is_scanned() -> None:
    text = "Pedro met some people. " * 45_000
    assert len(mentions_of(posts([text]), patterns={"PERSON": "Pedro"})) == 45_000


def test_types_are_those_of_the_plan_and_direct_ones_stay() -> None:
    data = posts(["Pedro a@b.cd Rome"])
    patterns = {"PERSON": "Pedro", "MAIL": r"\S+@\S+", "GPE": "Rome"}
    kinds = {kind for _, kind, _, _ in told(mentions_of(data, patterns=patterns, entities=["GPE"]))}
    assert kinds == {"GPE", "MAIL"}
    kinds = {
        kind
        for _, kind, _, _ in told(mentions_of(data, patterns=patterns, entities=["GPE"], direct=["PERSON"]))
    }
    assert kinds == {"GPE", "PERSON"}


def test_a_type_the_table_leaves_alone_counts_if_the_plan_names_it() -> None:
    class Ordinals(Counting):
        def recognize(self, texts: Sequence[str]) -> list[list[Span]]:
            return [[Span(0, 1, "ORDINAL", 1.0, "o")] for _ in texts]

    data = posts(["x"])
    assert len(scan(data, TextPlan(model="none"), recognizers=[Ordinals()])) == 0
    assert len(scan(data, TextPlan(model="none", entities=("ORDINAL",)), recognizers=[Ordinals()])) == 1
    assert len(mentions_of(data, patterns={"ORDINAL": "x"})) == 1


def test_progress_ends_at_the_number_of_texts() -> None:
    seen: list[float | None] = []
    with Run(lambda step, share: seen.append(share)).active():
        scan(posts(["a", "b"]), TextPlan(model="none"), recognizers=[])
    assert seen[-1] == 1.0


def test_the_repr_of_mentions_shows_no_term() -> None:
    assert "edro" not in repr(mentions_of(posts(["Pedro"]), patterns={"PERSON": "Pedro"}))


def test_the_owners_lists_come_first_and_the_model_may_be_absent(tmp_path: Path) -> None:
    (tmp_path / "teams.txt").write_text("# teams\nReal Madrid\n\n", encoding="utf-8")
    plan = TextPlan(model="none", patterns={"JOB": "x"}, words={"TEAM": "teams.txt"})
    parts = recognizers_for(plan, folder=tmp_path)
    assert [type(part).__name__ for part in parts] == ["Patterns", "Words", "Combined"]
    names = {part.part_name for part in parts[2].parts}  # type: ignore[attr-defined]
    assert {"structured", "dates"} <= names
    assert not names & {"accurate", "fast"}


def test_rules_for_english_stay_out_of_other_languages() -> None:
    parts = recognizers_for(TextPlan(model="none", language="de"))
    names = {part.part_name for part in parts[0].parts}  # type: ignore[attr-defined]
    assert names == {"ages", "dates", "money", "pack", "structured"}
    assert len(scan(posts(["nichts"]), TextPlan(model="none", language="de"), recognizers=parts)) == 0


def test_the_default_model_gives_way_where_it_is_not_installed() -> None:
    assert model_in_use(TextPlan()) in ("accurate", "fast", "none")
    assert model_in_use(TextPlan(model="none")) == "none"


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises((PlanError, UsageError)):
        recognizers_for(TextPlan(model="acurate"))


def test_results_do_not_depend_on_the_order_of_rows() -> None:
    texts = ["Rome and Pedro", "pedro", "Oslo", "rome"]
    persons = [1, 1, 2, 1]
    patterns = {"PERSON": "Pedro", "GPE": "Rome|Oslo"}
    one = mentions_of(posts(texts, persons), patterns=patterns)
    other = mentions_of(posts(texts[::-1], persons[::-1]), patterns=patterns)
    assert sorted(told(one)) == sorted((3 - row, *rest) for row, *rest in told(other))
    assert one.terms == other.terms
