"""Which changes to a release, its facts, its report and its owner's files are noticed, and by whom?

    python -m benchmarks.tampering [--list] [--changes N]

Every change of `tests/doors/test_tampering.py` is made to a copy of a release, by three kinds of people: who
changes files alone, who then makes all digests anew, and who also knows the owner's secret. Each is looked at
by the owner (data and private folder) and by a recipient (the release alone). What the owner does not notice
is listed with the reason: it is true of the data, and only a digest could tell.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.doors import test_tampering as catalogue

import heteronym as hn

KINDS: dict[str, dict[str, Callable[[Any], None]]] = {
    "untrue of the data": catalogue.CONTENT,
    "untrue of the released files": catalogue.CLAIMS,
    "true, told by digests": catalogue.BY_DIGEST,
    "edits": catalogue.EDITS,
}
WAYS = ("files alone", "digests made anew", "with the secret")


def noticed(house: catalogue.House, **given: Any) -> bool:
    """Broken, or refused because what was given does not belong together."""
    try:
        return house.verify(**given).holds is False
    except hn.HeteronymError:
        return True


def tried(made: Path, change: Callable[[Any], None], way: str) -> tuple[bool, bool] | None:
    """Whether the owner and a recipient notice it; None if there is nothing to change."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(made, folder, dirs_exist_ok=True)
        house = catalogue.House(Path(folder) / "0")
        if change in catalogue.EDITS.values() and not (house.own / "edits.jsonl").is_file():
            return None
        change(house)
        if way != WAYS[0]:
            house.mend_digests(secret=way == WAYS[2] and (house.own / "secret").is_file())
        return noticed(house), noticed(house, against=None, private=None)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tampering")
    parser.add_argument("--list", action="store_true", help="name what a recipient does not notice, too")
    parser.add_argument("--changes", type=int, default=None, help="only so many of each kind")
    args = parser.parse_args()
    counts: Counter[tuple[str, str, str]] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        people = catalogue.PEOPLE
        catalogue.make(Path(folder) / "0", people)
        catalogue.make(Path(folder) / "1", [*people[:-1], ("p8", 59, *people[-1][2:])])
        for kind, changes in KINDS.items():
            for name, change in [*changes.items()][: args.changes]:
                for way in WAYS:
                    found = tried(Path(folder), change, way)
                    if found is None:
                        counts[kind, way, "not there"] += 1
                        continue
                    owner, recipient = found
                    counts[kind, way, "tried"] += 1
                    counts[kind, way, "owner"] += owner
                    counts[kind, way, "recipient"] += recipient
                    if not owner:
                        print(f"not noticed by the owner, {way}: {name} ({kind})", flush=True)
                    elif args.list and not recipient:
                        print(f"not noticed by a recipient, {way}: {name} ({kind})", flush=True)
    for kind, changes in KINDS.items():
        print(f"{kind}: {len(changes)} changes")
        for way in WAYS:
            seen = {what: counts[kind, way, what] for what in ("tried", "owner", "recipient", "not there")}
            print(f"  {way}: {', '.join(f'{what} {count}' for what, count in seen.items() if count)}")


if __name__ == "__main__":
    main()
