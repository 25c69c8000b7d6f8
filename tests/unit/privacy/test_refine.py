"""The choice from coarse to fine: what it leaves passes a plain count, and it shows what it may."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations

import numpy as np
import pytest

from heteronym.privacy._refine import GONE, MASKED, Labels, Ladders, Occurrences, refined

LEAST, LABELS = 3, 12
MASKS = (12, 13, 14)  # of texts, of sets, the widest of events


def random_group(seed: int) -> tuple[Occurrences, Ladders, Labels, int, int]:
    """Terms 0..7 with labels 0..7 and two above, items 8, 9 without, events 10..13 with two above."""
    rng = np.random.default_rng(seed)
    persons = int(rng.integers(6, 40))
    found: list[tuple[int, int, int, int, int, bool]] = []
    row = 0
    for person in range(persons):
        for _ in range(int(rng.integers(1, 4))):
            found.append((person, row, 100 * row, int(rng.integers(10, 14)), -1, True))
            found += [
                (person, row, 100 * row + 1, int(item), -1, False) for item in rng.permutation([8, 9])[:1]
            ]
            for number in range(int(rng.integers(0, 3))):
                term = int(rng.integers(0, 8))
                sentence = 10 * row + int(rng.integers(0, 2))
                found.append((person, row, 100 * row + 2 + number, term, sentence, True))
            row += 1
    columns = [np.array(part) for part in zip(*found, strict=True)]
    occurrences = Occurrences(*(part.astype(np.int64) for part in columns[:5]), columns[5])  # type: ignore[arg-type]
    rungs = [[e, 8 + e // 4] for e in range(8)] + [[]] * 2 + [[10 + e // 2] for e in range(4)]
    ladders = Ladders(
        np.r_[0, np.cumsum([len(mine) for mine in rungs])],
        np.array([label for mine in rungs for label in mine]),
        np.array([n for mine in rungs for n in range(len(mine))]),
        np.array([MASKS[0]] * 8 + [MASKS[1]] * 2 + [MASKS[2]] * 4),
        np.arange(14) >= 10,
    )
    counted = np.arange(15) >= 8
    event = np.isin(np.arange(15), (10, 11))
    labels = Labels(counted, np.arange(15) == MASKS[2], event, LABELS, np.ones(15))
    return occurrences, ladders, labels, persons, row


def shown_by(
    occurrences: Occurrences, ladders: Ladders, offer: np.ndarray
) -> list[tuple[int, int, int, int]]:
    """Person, row, cell and label of all that shows, as the head of the module says it."""
    out = []
    gone = {
        s
        for e, s in zip(occurrences.element, occurrences.sentence, strict=True)
        if offer[e] == GONE and s >= 0
    }
    for person, row, cell, element, sentence, masks_show in zip(*occurrences, strict=True):
        if sentence in gone or offer[element] == GONE:
            continue
        if offer[element] != MASKED:
            label = int(ladders.label[ladders.ptr[element] + offer[element]])
        elif masks_show:
            label = int(ladders.mask[element])
        else:
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


@pytest.mark.parametrize("floor", [3, 6])
def test_every_pair_that_shows_is_shown_by_enough_persons(floor: int) -> None:
    showing = 0
    for seed in range(150):
        occurrences, ladders, labels, persons, rows = random_group(seed)
        offer = refined(occurrences, ladders, labels, least=LEAST, floor=floor, persons=persons, rows=rows)
        shown = shown_by(occurrences, ladders, offer)
        assert rare_pairs(shown, labels, rows) == 0, seed
        showing += sum(label < LABELS for *_, label in shown)
    assert showing > 1000  # and it does show


def test_an_event_is_never_left_out_and_what_all_share_is_shown() -> None:
    occurrences, ladders, labels, persons, rows = random_group(1)
    same = occurrences._replace(element=np.where(occurrences.element < 8, 0, occurrences.element))
    offer = refined(same, ladders, labels, least=LEAST, floor=LEAST, persons=persons, rows=rows)
    assert not (offer[10:] == GONE).any()
    assert offer[0] == 0  # a term that all notes name stays as it is
