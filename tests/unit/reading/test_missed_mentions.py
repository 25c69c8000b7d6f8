"""Mentions have twins in other persons' texts where their letters tell something there, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
import pytest
from tests.counting import lines_executed
from tests.unit.reading.data import dataset, posts, read

from heteronym.model.mention import Mentions
from heteronym.model.plan import TextPlan
from heteronym.reading.missed_mentions import (
    add_mentions_missed_in_other_texts,
    add_words_that_name_group_members,
)
from heteronym.reading.scan import scan
from heteronym.text.recognizers.words import Words


def surfaces(texts: Sequence[str], mentions: Mentions) -> list[tuple[int, str]]:
    return [
        (row, texts[row][start:end])
        for row, start, end in zip(mentions.row.tolist(), mentions.start.tolist(), mentions.end.tolist())
    ]


def twins(texts: list[str], kind: str, words: str) -> list[str]:
    """What is a mention in all but the first text, when these words are found in the first one alone."""
    data, plan = posts(texts), TextPlan(model="none", entities=[kind])
    found = scan(posts(texts[:1]), plan, recognizers=[Words({kind: (words,)})])
    mentions = add_mentions_missed_in_other_texts(data, read(data, found, plan))
    return [surface for row, surface in surfaces(texts, mentions) if row]


@pytest.mark.parametrize(
    ("kind", "first", "words", "other", "expected"),
    [
        ("PERSON", "I met Zlatka today.", "Zlatka", "And Zlatka came, too.", ["Zlatka"]),
        ("PERSON", "She said hope is here.", "hope", "There is no hope left.", []),
        ("PERSON", "We met Hope there.", "Hope", "Later we saw Hope again. She left.", ["Hope"]),
        ("PERSON", "We met Hope there.", "Hope", "It rained. Hope is what we have.", []),
        ("PERSON", "We met Hope there.", "Hope", "Dr Hope", ["Hope"]),
        ("AGE", "He is 14 now.", "14", "There were 14 boxes. All went.", []),
        ("PERSON", "It was HR who came.", "HR", "Obs: pt well, HR 78, BP 132/78.", []),
        ("PERSON", "It was HR who came.", "HR", "Then HR rang me.", ["HR"]),
    ],
)
def test_a_twin_tells_something(kind: str, first: str, words: str, other: str, expected: list[str]) -> None:
    assert twins([first, other], kind, words) == expected


def nights_of_others(texts: list[str], least: int) -> list[tuple[int, str]]:
    """Where texts of others hold the first person's name, "night", when all are one group."""
    data = dataset(
        {"name": ["Night", *(f"Zlatka{place}" for place in range(1, len(texts)))], "text": texts},
        {"name": {"role": "identifier"}, "text": {"role": "text"}},
        person="name",
    )
    plan = TextPlan(model="none")
    mentions = read(data, scan(data, plan, recognizers=[]), plan)
    assert surfaces(texts, mentions) == [(0, "night")]
    persons = np.arange(len(texts), dtype=np.int32)
    more = add_words_that_name_group_members(data, mentions, np.zeros_like(persons), persons, least)
    return surfaces(texts, more)[1:]


def test_a_member_s_name_that_is_a_word_goes_in_texts_of_its_group() -> None:
    assert nights_of_others(["This is night, writing.", "I walk by night. It helps.", "Well."], 2) == [
        (1, "night")
    ]


def test_a_member_s_name_stays_in_measurements_outside_of_a_part_of_the_group() -> None:
    texts = ["This is night, writing.", *["Takes 1 tablet at night."] * 5, "He slept all night."]
    assert nights_of_others(texts, 2) == [(1, "night"), (6, "night")]
    assert nights_of_others(texts, 3) == [(1, "night"), (2, "night"), (6, "night")]
    assert nights_of_others(texts, 4) == [(row, "night") for row in range(1, 7)]
    few = ["This is night, writing.", "Well.", *["Takes 1 tablet at night."] * 2]
    assert nights_of_others(few, 2) == [(2, "night"), (3, "night")]  # what few write is no ordinary word


def test_a_word_of_time_that_is_counted_stays_in_the_bearer_s_texts_and_in_all_others() -> None:
    data = dataset(
        {"name": ["Day", "Zlatka"], "text": ["Mrs day walks each day.", "Takes it twice a day. Well, day!"]},
        {"name": {"role": "identifier"}, "text": {"role": "text"}},
        person="name",
    )
    texts, plan = data.frame["text"].to_list(), TextPlan(model="none")
    mentions = read(data, scan(data, plan, recognizers=[]), plan)
    assert [(row, start) for row, start in zip(mentions.row, mentions.start, strict=True)] == [(0, 4)]
    everybody = np.zeros(2, np.int32)
    more = add_words_that_name_group_members(data, mentions, everybody, np.arange(2, dtype=np.int32), 2)
    assert surfaces(texts, more) == [(0, "day"), (1, "day")]
    assert more.start.tolist() == [4, texts[1].index("day!")]


def test_a_figure_is_a_term_in_a_table_only_if_the_plan_says_so() -> None:
    data = posts(["I drove 40 km to Bath."])
    parts = [Words({"QUANTITY": ("40 km",), "GPE": ("Bath",)})]
    found = {
        entities: surfaces(
            ["I drove 40 km to Bath."], scan(data, TextPlan(entities=entities), recognizers=parts)
        )
        for entities in (None, ("QUANTITY", "GPE"))
    }
    assert found[None] == [(0, "Bath")]
    assert found["QUANTITY", "GPE"] == [(0, "40 km"), (0, "Bath")]


def test_many_mentions_with_one_first_word_are_looked_up_at_once() -> None:
    """Four times as many texts, with as many names behind one title: four times the work."""
    lines: list[int] = []
    for count in (1, 50, 200):
        names = [f"Dr Zk{n:04}" for n in range(count)]
        texts = [*(f"{name} came." for name in names), *(f"{name} was away." for name in names)]
        read_first = posts(texts[:count])  # the same rows, fewer of them
        plan = TextPlan(model="none")
        first = read(read_first, scan(read_first, plan, recognizers=[Words({"PERSON": tuple(names)})]), plan)
        added: list[Mentions] = []
        look = partial(add_mentions_missed_in_other_texts, posts(texts), first)
        lines.append(lines_executed(lambda look=look, added=added: added.append(look())))
        assert len(added[0]) == 2 * count
    least, small, large = lines
    assert large - least < 6 * (small - least)
