"""What all tests share: the seeded hypothesis profile, the shared data, commands run in this process."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, settings
from typer.testing import CliRunner

from tests.kernels_in_python import prefer_source

settings.register_profile(
    "heteronym",
    derandomize=True,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("heteronym")

PROJECT = Path(__file__).parent.parent
if os.environ.get("HETERONYM_KERNELS") == "python":
    prefer_source()
SHARED = Path(os.environ.get("HETERONYM_SHARED", PROJECT.parent / "shared"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    if not (SHARED / "data").is_dir():
        pytest.skip("the shared data folder is not here (HETERONYM_SHARED)")
    return SHARED / "data"


@dataclass(frozen=True)
class Outcome:
    exit_code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def command() -> Callable[..., Outcome]:
    """A heteronym command, run in this process."""
    from heteronym.cli import app

    def call(*arguments: object, input: bytes | str | None = None) -> Outcome:
        result = CliRunner().invoke(app, [str(a) for a in arguments], input=input)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Outcome(result.exit_code, result.stdout, result.stderr)

    return call


PEOPLE = "age,sex,note\n31,m,a\n32,f,b\n47,m,c\n48,f,d\n"
PEOPLE_PLAN = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric"},
        "sex": {"role": "quasi"},
        "note": {"role": "plain"},
    },
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


@dataclass(frozen=True)
class Desk:
    """A folder with data and a plan, and the command that anonymizes them."""

    folder: Path
    command: Callable[..., Outcome]
    name: str = "people.csv"

    @property
    def release(self) -> Path:
        return self.folder / "release"

    @property
    def released(self) -> Path:
        return next(self.release.glob("data.*"))

    def put(self, data: bytes | str, name: str) -> None:
        (self.folder / name).write_bytes(data.encode() if isinstance(data, str) else data)

    def plan(self, plan: Mapping[str, Any] | str | bytes) -> Path:
        path = self.folder / "plan.yaml"
        if isinstance(plan, bytes):
            path.write_bytes(plan)
        else:
            path.write_text(
                plan if isinstance(plan, str) else yaml.safe_dump(dict(plan), allow_unicode=True), "utf-8"
            )
        return path

    def anonymize(self, *options: object, data: Any = None, input: bytes | str | None = None) -> Outcome:
        files = [self.folder / self.name] if data is None else data if isinstance(data, list) else [data]
        return self.command(
            "anonymize", *files, "-c", self.folder / "plan.yaml", "-o", self.release, *options, input=input
        )

    def verify(self, *options: object) -> Outcome:
        return self.command("verify", self.release, *options)

    def left_behind(self) -> list[str]:
        """Everything in the folder but what was put there."""
        return sorted(
            str(path.relative_to(self.folder))
            for path in self.folder.rglob("*")
            if path.name not in ("plan.yaml", self.name) or "release" in path.parts
        )


@pytest.fixture
def desk(tmp_path: Path, command: Callable[..., Outcome]) -> Callable[..., Desk]:
    """Makes a folder with a table of four people and its plan, or with those that are given."""

    def make(
        data: bytes | str = PEOPLE,
        plan: Mapping[str, Any] | str | bytes | None = None,
        *,
        name: str = "people.csv",
    ) -> Desk:
        folder = tmp_path / f"desk{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        made = Desk(folder, command, name)
        made.put(data, name)
        made.plan(PEOPLE_PLAN if plan is None else plan)
        return made

    return make


@pytest.fixture(scope="session", autouse=True)
def one_verdict() -> Iterator[None]:
    """Wherever a test makes a release, the audit inside the run gets evidence as the owner's files hold it,
    and whoever verifies right after hears the same, model by model and check by check."""
    from importlib import import_module

    anonymizing, verifying, publishing = (
        import_module(f"heteronym.{name}") for name in ("api.anonymize", "api.verify", "publish")
    )
    patch = pytest.MonkeyPatch()
    patch.setattr(publishing, "originals_of", _with_evidence_from_files(publishing.originals_of))
    patch.setattr(anonymizing, "publish", _verified_again(anonymizing.publish, verifying.verify))
    yield
    patch.undo()


def _with_evidence_from_files(originals_of: Callable[..., Any]) -> Callable[..., Any]:
    from heteronym.io.closing import closing_line
    from heteronym.io.mentions import mention_lines
    from heteronym.owning import edit_lines
    from heteronym.verify.evidence import Evidence, read_edits, read_mentions

    def read(draft: Any, *arguments: Any) -> Any:
        originals = originals_of(draft, *arguments)
        if originals.evidence is None:
            return originals
        mentions, edits = originals.evidence
        closing = closing_line(draft.original or draft.dataset, len(mentions))
        lines = "\n".join([*mention_lines(mentions, rules=True), closing]).encode()
        columns = mentions.columns
        evidence = Evidence(
            read_mentions(lines, originals.frame, columns),
            read_edits("\n".join(edit_lines(edits)).encode(), originals.frame, columns),
        )
        return replace(originals, evidence=evidence)

    return read


def _verified_again(publish: Callable[..., Any], verify: Callable[..., Any]) -> Callable[..., Any]:
    from heteronym.verify.folder import verify_release

    def published(draft: Any, plan: Any, layout: Any, target: Any, **given: Any) -> Any:
        release = publish(draft, plan, layout, target, **given)
        if target.private is not None and given.get("source") is not None:
            how = {}
            if layout.kind == "csv" and not isinstance(given["source"], (list, tuple, dict)):
                how = {"delimiter": layout.delimiter, "encoding": layout.encoding}
            if (table := target.table) is not None:
                later = verify_release(
                    target.folder, stored=table.address, against=given["source"], private=target.private
                )
            else:
                later = verify(target.folder, against=given["source"], private=target.private, **how)
            for now, then in zip(later.models, release.verdict.models, strict=True):
                # a population lies beside the plan, and is not among the owner's files
                asked = now if now.holds is not None or "population" not in now.parameters else then
                assert (asked.model, asked.holds, asked.smallest_group) == (
                    then.model,
                    then.holds,
                    then.smallest_group,
                )
            checks = {check.name: check.holds for check in later.checks}
            assert {c.name: checks.get(c.name, c.holds) for c in release.verdict.checks} == {
                c.name: c.holds for c in release.verdict.checks
            }
            assert False not in checks.values(), [c for c in later.checks if c.holds is False]
        return release

    return published
