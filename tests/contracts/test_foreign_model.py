"""A privacy model of another package is treated like ours: nothing in the program lists models by name."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import heteronym

MODEL = '''
"""Fair share: a group has at least `least` persons, and no sensitive value belongs to too many of them."""

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from heteronym.contracts import PromiseInWords
from heteronym.model.release import ModelVerdict
from heteronym.registry import privacy_models


class Persons:
    def __init__(self, view, share):
        self._codes, self._share, self._members = view.sensitive[0], share, Counter()
        owner, code = self._codes.pairs()
        self._value = dict(zip(owner.tolist(), code.tolist()))

    def add(self, members):
        self._members.update(self._value[one] for one in np.asarray(members).tolist())

    def remove(self, members):
        self._members.subtract(self._value[one] for one in np.asarray(members).tolist())

    def admits(self):
        return max(self._members.values()) <= self._share * sum(self._members.values())


@privacy_models.register("fair-share")
@dataclass(frozen=True)
class FairShare:
    """No sensitive value belongs to more than a fair share of a group."""

    fair: float = field(metadata={"help": "largest share of one sensitive value", "min": 0.1, "max": 1.0})
    attribute: str | None = field(default=None, metadata={"help": "the sensitive attribute"})

    least_persons: ClassVar[int] = 2
    size_only: ClassVar[bool] = False
    protects: ClassVar[frozenset] = frozenset({"columns"})
    limits_sensitive: ClassVar[str] = "attribute"
    in_words: ClassVar[PromiseInWords] = PromiseInWords(
        "Nobody's value is more than {fair} of the group.", "A fair neighbour.", ("Unfair neighbours.",)
    )

    @property
    def largest_share(self):
        return self.fair

    def start(self, view):
        return Persons(view, self.fair)

    def audit(self, released):
        shares = []
        values = list(released.sensitive.values())[0]
        for group in set(released.group_of_row.tolist()):
            counts = Counter(v for v, g in zip(values, released.group_of_row.tolist()) if g == group)
            shares.append(max(counts.values()) / sum(counts.values()))
        holds = max(shares) <= self.fair
        return ModelVerdict("fair-share", {"fair": self.fair, "attribute": self.attribute}, holds, 2, "")
'''
WORK = """
import json, sys
from pathlib import Path
import polars as pl
from typer.testing import CliRunner
import heteronym as hn
from heteronym.cli import app

folder = Path(sys.argv[1])
people = pl.DataFrame(
    {"age": [20 + n % 40 for n in range(80)], "pay": [1000.5 * (n % 4) for n in range(80)]}
)
people.write_csv(folder / "people.csv")
plan = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "pay": {"role": "sensitive", "scale": "numeric"},
    },
    "privacy": [{"model": "fair-share", "fair": 0.5}],
}
release = hn.anonymize(folder / "people.csv", plan, output=folder / "release", private=folder / "owner")
verdict = hn.verify(folder / "release", against=folder / "people.csv", private=folder / "owner")
besieged = hn.attack(folder / "release", against=folder / "people.csv", private=folder / "owner")
print(json.dumps({
    "holds": [release.verdict.holds, verdict.holds],
    "checks": [check.name for check in verdict.checks],
    "report": (folder / "release/report.html").read_text("utf-8"),
    "attacks": {one["attack"]: one for one in besieged.to_dict()["attacks"]},
    "estimate": hn.estimate(people, plan).text,
    "help": CliRunner().invoke(app, ["anonymize", "--help"], env={"COLUMNS": "200"}).stdout,
}))
"""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a program says in whose environment a package with the model is installed."""
    folder = tmp_path_factory.mktemp("foreign")
    installed = folder / "installed"
    metadata = installed / "fairness-1.0.dist-info"
    metadata.mkdir(parents=True)
    (installed / "fairness.py").write_text(MODEL, "utf-8")
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: fairness\nVersion: 1.0\n", "utf-8")
    (metadata / "entry_points.txt").write_text("[heteronym.privacy_models]\nfair-share = fairness\n", "utf-8")
    source = str(Path(heteronym.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), source])}
    done = subprocess.run(
        [sys.executable, "-c", WORK, str(folder)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_a_foreign_model_is_searched_for_and_verified(outcome: dict[str, Any]) -> None:
    assert outcome["holds"] == [True, True]


def test_its_sensitive_attribute_is_not_reported_as_unprotected(outcome: dict[str, Any]) -> None:
    assert "certain" not in outcome["checks"]


def test_the_report_says_what_it_says_of_itself(outcome: dict[str, Any]) -> None:
    for said in ("value is more than 0.5 of the group.", "A fair neighbour.", "Unfair neighbours."):
        assert said in outcome["report"]


def test_attacks_hold_it_to_its_limits(outcome: dict[str, Any]) -> None:
    homogeneity, skewness = outcome["attacks"]["homogeneity"], outcome["attacks"]["skewness"]
    assert (homogeneity["bound"], homogeneity["holds"]) == (0.5, True)
    assert (skewness["bound"], skewness["holds"]) == (None, None)


def test_an_estimate_does_not_claim_that_it_was_measured(outcome: dict[str, Any]) -> None:
    assert "a rough guess" in outcome["estimate"]


def test_its_parameter_is_an_option_of_the_command(outcome: dict[str, Any]) -> None:
    assert "--fair" in outcome["help"]
    assert "largest share of one sensitive value" in outcome["help"]
