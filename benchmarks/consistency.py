"""Does a release of visits contradict itself? What notes say against columns, items and events is counted.

    python -m benchmarks.consistency RELEASE/data.csv

Reads the frames of sentences that the generator `informs-visits` uses ("was born in ...", "has code ...") and
what stands in them after anonymizing. A note contradicts its row if it says of the patient what the row's
label rules out, or more than the row tells: a year of birth outside of the column's label or narrower, an age
that no year of birth within the label has on any day within the visit's label, a code that no item of the
row stands for. A placeholder says nothing. Shares no code with the package.
"""

from __future__ import annotations

import argparse
import csv
import re
from collections import Counter
from pathlib import Path

PERIOD = r"(\[[\d-]+\]|[^.\[\]]*?|\[[A-Z_.]+\])"
BORN = re.compile(rf"The patient was born in {PERIOD}\.")
AGED = re.compile(rf"The patient is {PERIOD} years old\.")
CODE = re.compile(r"(?<!has )[Cc]ode (\([^)]*\)|\[[A-Z_.]+\]|[^\s,;.]+)")
Range = tuple[int, int]


def years(label: str) -> Range | None:
    """The years that a label leaves open; None if it leaves all."""
    found = [int(year) for year in re.findall(r"\d{4}", label)]
    if "century" in label:
        last = 100 * int(re.findall(r"\d+", label)[0])
        return last - 99, last
    if re.search(r"\d{3}0s", label):
        return found[0], found[0] + 9
    return (min(found), max(found)) if found else None


def numbers(label: str) -> Range | None:
    found = re.fullmatch(r"\[?(-?\d+)(?:-(-?\d+))?\]?", label.strip())
    return None if found is None else (int(found[1]), int(found[2] or found[1]))


def is_mask(text: str) -> bool:
    return re.fullmatch(r"\[[A-Z_.]+\]", text) is not None


def items(cell: str) -> list[frozenset[str]]:
    """What each label of an item cell stands for."""
    return [frozenset(entry.strip("()").split(",")) for entry in re.findall(r"\([^)]*\)|\S+", cell)]


def contradictions(row: dict[str, str]) -> list[str]:
    """What the note of a row says against the row."""
    found = []
    column, visit = years(row["year_of_birth"]), years(row["visit"])
    for told in BORN.findall(row["note"]):
        said = None if is_mask(told) else years(told)
        if said is None or column is None:
            continue
        if said[1] < column[0] or column[1] < said[0]:
            found.append("year outside of the column")
        elif said != column and column[0] <= said[0] and said[1] <= column[1]:
            found.append("year narrower than the column")
    for told in AGED.findall(row["note"]):
        said = None if is_mask(told) else numbers(told)
        if said is None or column is None or visit is None:
            continue
        if said[1] < visit[0] - column[1] - 1 or visit[1] - column[0] < said[0]:
            found.append("age outside of column and event")
    shown = items(row["codes"])
    for told in CODE.findall(row["note"]):
        if is_mask(told):
            continue
        said_items = items(told)[0]
        if not any(said_items >= entry for entry in shown):
            found.append("code that no item stands for")
    return found


def count(data: Path) -> Counter[str]:
    """Contradictions of a release by their kind."""
    found: Counter[str] = Counter()
    with data.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.update(contradictions(row))
    return found


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("data", type=Path)
    found = count(options.parse_args().data)
    for kind, times in sorted(found.items()):
        print(f"{kind}: {times}")
    print(f"contradictions: {sum(found.values())}")


if __name__ == "__main__":
    main()
