"""What all tests share: the seeded hypothesis profile, the shared data, commands run in this process."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, settings
from typer.testing import CliRunner

settings.register_profile(
    "heteronym",
    derandomize=True,
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("heteronym")

PROJECT = Path(__file__).parent.parent
os.environ["HETERONYM_COMPILE"] = "always"  # kernels are tested as large tables run them
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
