"""How many lines has the house, beside those it had before its inside was redesigned?

    python -m benchmarks.lines [--list]

Counts Python lines of src/heteronym outside of text/recognizers, at the commit BEFORE and in the working
tree. A file of today is *old* if it was there before. It *took over* if at least a quarter of its telling
lines (15 characters and more, no imports) stood in old files that have them no more, or if it is in
REWRITTEN: new words for what an old file did. All others are new, for new abilities; `--list` names them.
"""

from __future__ import annotations

import argparse
import subprocess
from collections import Counter
from pathlib import Path

BEFORE = "8c4c403"
ROOT = Path("src/heteronym")
QUARTER = 0.25
REWRITTEN = {  # by hand: hardly a line is the same, and the task is
    "recode/apply.py": "text/rewrite.py, text/labels.py and half of the recoders",
    "model/recoding.py": "the labels of recode/",
    "model/edit.py": "text/rewrite.py",
    "text/read_person.py": "pipeline.py, text/join.py, text/scan.py",
    "text/parse.py": "text/scan.py",
    "partition/_shapes.py": "both packings of shapes",
    "sanitizing.py": "scanning.py",
    "io/persons.py": "encode.py",
}


def counted(path: str) -> bool:
    return path.endswith(".py") and "text/recognizers/" not in path


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def before() -> dict[str, list[str]]:
    names = [n for n in git("ls-tree", "-r", "--name-only", BEFORE, str(ROOT)).splitlines() if counted(n)]
    return {name: git("show", f"{BEFORE}:{name}").splitlines() for name in names}


def today() -> dict[str, list[str]]:
    paths = [path for path in sorted(ROOT.rglob("*.py")) if counted(path.as_posix())]
    return {path.as_posix(): path.read_text("utf-8").splitlines() for path in paths}


def telling(lines: list[str]) -> Counter[str]:
    stripped = (line.strip() for line in lines)
    return Counter(
        s for s in stripped if len(s) >= 15 and not s.startswith(("from ", "import ", "@dataclass"))
    )


def taken_over(old: dict[str, list[str]], new: dict[str, list[str]]) -> dict[str, float]:
    """New file -> share of its telling lines that stood in an old file and stand there no more."""
    gone: Counter[str] = Counter()
    for name, lines in old.items():
        gone += telling(lines) - telling(new.get(name, []))
    shares = {}
    for name in new.keys() - old.keys():
        mine = telling(new[name])
        shares[name] = (mine & gone).total() / max(mine.total(), 1)
    return shares


def size(files: dict[str, list[str]], names: object = None) -> int:
    return sum(len(lines) for name, lines in files.items() if names is None or name in names)  # type: ignore[operator]


def main() -> None:
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--list", action="store_true", help="name the files that are new for new abilities")
    listed = options.parse_args().list
    old, new = before(), today()
    shares = taken_over(old, new)
    heirs = {n for n, share in shares.items() if share >= QUARTER} | {str(ROOT / n) for n in REWRITTEN}
    heirs &= new.keys()
    fresh = new.keys() - old.keys() - heirs
    text = f"{ROOT.as_posix()}/text/"
    rows = [
        (f"before ({BEFORE})", len(old), size(old)),
        ("now, in files that were there", len(old.keys() & new.keys()), size(new, old.keys())),
        ("now, in files that took over", len(heirs), size(new, heirs)),
        ("now, both", len(old.keys() & new.keys()) + len(heirs), size(new, old.keys() | heirs)),
        ("  of these in text/", 0, size(new, {n for n in old.keys() | heirs if n.startswith(text)})),
        ("  before in text/", 0, size(old, {n for n in old if n.startswith(text)})),
        ("now, in files for new abilities", len(fresh), size(new, fresh)),
        ("now, all", len(new), size(new)),
    ]
    for what, files, lines in rows:
        print(f"{what:34} {files or '':>5} {'files' if files else '     '} {lines:>7,} lines")
    print("\ntook over:")
    for name in sorted(heirs):
        why = REWRITTEN.get(name.removeprefix(f"{ROOT.as_posix()}/"), "")
        print(f"{len(new[name]):6} {name} ({shares[name]:.0%}{', for ' + why if why else ''})")
    if listed:
        print("\nnew, for new abilities:")
        for name in sorted(fresh):
            print(f"{len(new[name]):6} {name}")


if __name__ == "__main__":
    main()
