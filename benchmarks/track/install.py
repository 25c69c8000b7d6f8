"""What an installation weighs, and what each heavy package is there for.

    python -m benchmarks.track.install [--write PAGE]

Sizes are those of the files that a package brought into this environment; packages are those that
`pip install .` needs, without extras. Whatever is above 30 MB has its reason here.
"""

from __future__ import annotations

import argparse
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from benchmarks.figures import show

HEAVY = 30  # MB
UNKNOWN = "no reason is written down"
REASONS = {
    "polars": "reads, sorts and writes tables; its runtime is polars-runtime-32",
    "polars-runtime-32": "reads, joins, sorts and writes tables on all cores, in one library with CSV, JSON, "
    "Parquet and dates",
    "spacy": "tokens, tags and parse for `fast`, noun phrases, contexts, and the pipelines that users bring",
    "scipy": "sparse products of the attacks; scikit-learn needs it",
    "scikit-learn": "the learning attackers of `attack`, the models of `utility`",
    "onnxruntime": "runs the weights of `accurate`",
    "phonenumbers": "numbering plans of all countries; the telephone numbers that `structured` finds",
    "numpy": "every array of the house",
    "blis": "matrix products of spaCy; spaCy needs it",
}


def needed(name: str, seen: dict[str, float]) -> None:
    """Add a package and all that it needs, with their sizes in MB."""
    key = re.sub(r"[-_.]+", "-", name).lower()
    if key in seen:
        return
    try:
        package = distribution(key)
    except PackageNotFoundError:
        return
    files = [Path(str(package.locate_file(file))) for file in package.files or ()]
    seen[key] = sum(file.stat().st_size for file in files if file.is_file()) / 1e6
    for requirement in package.requires or ():
        if "extra ==" not in requirement:
            needed(re.split(r"[ ;<>=!~\[(]", requirement, maxsplit=1)[0], seen)


def all_rows() -> list[dict[str, object]]:
    sizes: dict[str, float] = {}
    needed("heteronym", sizes)
    sizes.pop("heteronym")
    rows: list[dict[str, object]] = [
        {"package": name, "MB": round(size), "what for": REASONS.get(name, UNKNOWN)}
        for name, size in sorted(sizes.items(), key=lambda pair: -pair[1])
        if size > HEAVY
    ]
    others = {name: size for name, size in sizes.items() if size <= HEAVY}
    rows.append({"package": f"{len(others)} others", "MB": round(sum(others.values())), "what for": ""})
    rows.append({"package": "all", "MB": round(sum(sizes.values())), "what for": ""})
    return rows


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--write", type=Path, metavar="PAGE")
    given = options.parse_args()
    show(all_rows(), name="install", page=given.write)


if __name__ == "__main__":
    main()
