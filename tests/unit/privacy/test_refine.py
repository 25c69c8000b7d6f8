"""The choice from coarse to fine: what it leaves passes a plain count, and it shows what it may."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest

from heteronym.privacy._refine import GONE, MASKED, MERGED, Labels, Ladders, Occurrences, refined

LEAST, LABELS = 3, 12
MASKS = (12, 13, 14, 15)  # of texts, of sets, the widest of events, of several types


def random_group(seed: int, *, merges: bool) -> tuple[Occurrences, Ladders, Labels, int, int]:
    """Terms 0..7 with labels 0..7 and two above, items 8, 9 without, events 10..13 with two above.

    Terms have one mask, or where masks merge, those of even numbers one and those of odd numbers another.
    """
    rng = np.random.default_rng(seed)
    persons = int(rng.integers(6, 40))
    found: list[tuple[int, int, int, int, int, bool]] = []
    row = 0
    for person in range(persons):
        for _ in range(int(rng.integers(1, 4))):
            found.append((person, row, 100 * row, int(rng.integers(10, 14)), -1, True))
            entry = 10_000 + row
            found += [
                (person, row, 100 * row + 1, int(item), entry, False) for item in rng.permutation([8, 9])[:1]
            ]
            for number in range(int(rng.integers(0, 3))):
                term = int(rng.integers(0, 8))
                sentence = 10 * row + int(rng.integers(0, 2))
                found.append((person, row, 100 * row + 2 + number, term, sentence, True))
            row += 1
    columns = [np.array(part) for part in zip(*found, strict=True)]
    occurrences = Occurrences(*(part.astype(np.int64) for part in columns[:5]), columns[5])  # type: ignore[arg-type]
    rungs = [[(e, 0), (8 + e // 4, 1)] for e in range(8)] + [[]] * 2 + [[(10 + e // 2, 0)] for e in range(4)]
    masks, last = [MASKS[0]] * 8 + [MASKS[1]] * 2, MASKED
    if merges:
        rungs = [mine + ([(MASKS[e % 2], MASKED)] if e < 8 else []) for e, mine in enumerate(rungs)]
        masks, last = [MASKS[3]] * 10, MERGED
    ladders = Ladders(
        np.r_[0, np.cumsum([len(mine) for mine in rungs])],
        np.array([label for mine in rungs for label, _ in mine]),
        np.array([offer for mine in rungs for _, offer in mine]),
        np.array(masks + [MASKS[2]] * 4),
        np.array([last] * 10 + [MASKED] * 4),
        np.arange(14) >= 10,
    )
    counted = np.arange(16) >= 8
    event = np.isin(np.arange(16), (10, 11))
    labels = Labels(counted, np.arange(16) == MASKS[2], event, LABELS, np.ones(16))
    return occurrences, ladders, labels, persons, row


def shown_by(
    occurrences: Occurrences, ladders: Ladders, offer: np.ndarray, closed: np.ndarray
) -> list[tuple[int, int, int, int]]:
    """Person, row, cell and label of all that shows, as the head of the module says it."""
    out = []
    lost = closed | ((offer[occurrences.element] == GONE) & (occurrences.place >= 0))
    gone = set(occurrences.place[lost].tolist())
    for person, row, cell, element, place, masks_show in zip(*occurrences, strict=True):
        if place in gone or offer[element] == GONE:
            continue
        mine = slice(ladders.ptr[element], ladders.ptr[element + 1])
        rung = np.flatnonzero(ladders.offer[mine] == offer[element])
        label = int(ladders.label[mine][rung[0]] if len(rung) else ladders.mask[element])
        if label >= LABELS and not masks_show:
            continue
        out.append((int(person), int(row), int(cell), label))
    return out


def rare_pairs(shown: list[tuple[int, int, int, int]], labels: Labels, rows: int) -> int:
    on_rows = defaultdict(set)
    for _, row, _, label in shown:
        on_rows[label].add(row)
    everywhere = {x for x in (*np.flatnonzero(labels.event), MASKS[2]) if len(on_rows[x]) == rows}
    rare = 0
    for by_row in (False, True):
        cells: dict[tuple[int, int, int], set[int]] = defaultdict(set)
        for person, row, cell, label in shown:
            if label not in everywhere:
                cells[person, row if by_row else -1, label].add(cell)
        features: dict[tuple[int, int], set[tuple[int, int]]] = defaultdict(set)
        for (person, row, label), where in cells.items():
            most = min(len(where), 2) if labels.counted[label] else 1
            features[person, row] |= {(label, j) for j in range(1, most + 1)}
        holders: dict[tuple[tuple[int, int], ...], set[int]] = defaultdict(set)
        for (person, _), mine in features.items():
            for size in (1, 2):
                for some in combinations(sorted(mine), size):
                    if len({label for label, _ in some}) == size:
                        holders[some].add(person)
        rare += sum(len(who) < LEAST for who in holders.values())
    return rare


@pytest.mark.parametrize("merges", [False, True])
@pytest.mark.parametrize("floor", [3, 6])
def test_every_pair_that_shows_is_shown_by_enough_persons(floor: int, merges: bool) -> None:
    showing = places = 0
    for seed in range(150):
        occurrences, ladders, labels, persons, rows = random_group(seed, merges=merges)
        offer, closed = refined(
            occurrences, ladders, labels, least=LEAST, floor=floor, persons=persons, rows=rows
        )
        shown = shown_by(occurrences, ladders, offer, closed)
        assert rare_pairs(shown, labels, rows) == 0, seed
        showing += sum(label < LABELS for *_, label in shown)
        places += len(set(occurrences.place[closed].tolist()))
    assert showing > 1000  # and it does show
    assert places > 20  # also because single places went


def test_an_event_is_never_left_out_and_what_all_share_is_shown() -> None:
    occurrences, ladders, labels, persons, rows = random_group(1, merges=False)
    same = occurrences._replace(element=np.where(occurrences.element < 8, 0, occurrences.element))
    offer, _ = refined(same, ladders, labels, least=LEAST, floor=LEAST, persons=persons, rows=rows)
    assert not (offer[10:] == GONE).any()
    assert offer[0] == 0  # a term that all notes name stays as it is


def test_one_person_with_a_rare_pair_loses_a_sentence_and_the_others_nothing() -> None:
    """Twelve persons tell of label 0, six of 1, four of 2; person 0 alone tells of 1 and 2."""
    persons = np.r_[np.arange(12), np.arange(6), 0, 6, 7, 8]
    element = np.r_[np.zeros(12), np.ones(6), np.full(4, 2)].astype(np.int64)
    count = len(persons)
    occurrences = Occurrences(
        persons, persons, np.arange(count), element, np.arange(count), np.ones(count, np.bool_)
    )
    ladders = Ladders(
        np.arange(4),
        np.arange(3),
        np.zeros(3, np.int64),
        np.full(3, 3),
        np.full(3, MASKED),
        np.zeros(3, bool),
    )
    nothing = np.zeros(4, np.bool_)
    labels = Labels(nothing, nothing, nothing, 3, np.ones(4))
    offer, closed = refined(occurrences, ladders, labels, least=3, floor=3, persons=12, rows=12)
    assert offer.tolist() == [0, 0, 0]  # all three stay, for all others
    assert occurrences.person[closed].tolist() == [0]
