"""How often class and proprietors of an assertion are right, on labelled sentences.

python -m benchmarks.studies.assertions [--model fast] [--errors FILE] [FILE ...]

Files are in the form of tests/golden/assertions/*.txt; `--errors` prints the cases of that file that went
wrong. A case counts as right if every assertion of its sentence has the class and the proprietors of its
label.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heteronym.api.sanitize import documents_of
from heteronym.assertions.read_document import read
from heteronym.model.assertion import Analysis, Assertion, Individual
from heteronym.model.plan import TextPlan

FOLDER = Path(__file__).resolve().parents[2] / "tests" / "golden" / "assertions"
_CASE = re.compile(
    r"^(?P<labels>\S+ \[[^\]]*\](?: \+ \S+ \[[^\]]*\])*) (?:<<(?P<context>.*)>> )?(?P<text>.*)$"
)
_LABEL = re.compile(r"(\S+) \[([^\]]*)\]")


@dataclass(frozen=True)
class Case:
    genre: str
    labels: tuple[tuple[str, tuple[str, ...]], ...]
    context: str
    text: str


def cases_of(path: Path) -> Iterator[Case]:
    genre = ""
    for line in path.read_text("utf-8").splitlines():
        if line.startswith("#"):
            genre = line[2:]
        elif line:
            match = _CASE.match(line)
            if match is None:
                raise ValueError(f"{path.name}: a line is no case: {line[:40]}")
            labels = tuple(
                (kind, tuple(name.strip() for name in names.split(";") if name.strip()))
                for kind, names in _LABEL.findall(match["labels"])
            )
            yield Case(genre, labels, match["context"] or "", match["text"])


def analyses_of(cases: Sequence[Case], model: str) -> list[Analysis]:
    texts = [f"{case.context} {case.text}".strip() for case in cases]
    return [read(document) for document in documents_of(texts, TextPlan(model=model))]


def judge(case: Case, analysis: Analysis) -> tuple[bool, bool]:
    """Whether all classes, and all sets of proprietors, are right."""
    begin = len(case.context)
    told = [a for a in analysis.assertions if a.end > begin + 1]
    if len(told) != len(case.labels):
        return False, False
    pairs = list(zip(case.labels, told))
    right_class = all(kind == assertion.kind for (kind, _), assertion in pairs)
    right_persons = all(_same(names, assertion, analysis) for (_, names), assertion in pairs)
    return right_class, right_persons


def _same(names: Sequence[str], assertion: Assertion, analysis: Analysis) -> bool:
    left = [analysis.individuals[number] for number in assertion.proprietors]
    if len(left) != len(names):
        return False
    for name in names:
        fitting = [person for person in left if _is_called(person, name)]
        if not fitting:
            return False
        left.remove(fitting[0])
    return True


def _is_called(person: Individual, name: str) -> bool:
    if name in ("I", "you"):
        return name == person.label or name.lower() in person.heads
    return name in person.names or name in person.heads or name == person.label


def report(paths: Sequence[Path], model: str, errors: Path | None) -> None:
    total = [0, 0, 0, 0]
    for path in paths:
        cases = list(cases_of(path))
        judged = [judge(case, told) for case, told in zip(cases, analyses_of(cases, model))]
        if errors is not None and path.name == errors.name:
            for case, (kind, persons) in zip(cases, judged):
                if not (kind and persons):
                    print(f"  {'class' if not kind else ''} {'proprietors' if not persons else ''} wrong: "
                          f"{case.labels} {case.context} | {case.text}")  # fmt: skip
        counts = [
            len(cases),
            sum(c for c, _ in judged),
            sum(p for _, p in judged),
            sum(c and p for c, p in judged),
        ]
        total = [a + b for a, b in zip(total, counts)]
        _line(path.name, counts)
    _line("all", total)


def _line(name: str, counts: Sequence[int]) -> None:
    n, kind, persons, both = counts
    print(
        f"{name:16} {n:4} sentences  class {kind / n:.3f}  proprietors {persons / n:.3f}  both {both / n:.3f}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=sorted(FOLDER.glob("*.txt")))
    parser.add_argument("--model", default="fast")
    parser.add_argument("--errors", type=Path)
    given = parser.parse_args()
    report(given.files or sorted(FOLDER.glob("*.txt")), given.model, given.errors)
