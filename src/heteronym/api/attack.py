"""Attackers let loose on a release folder: what each of them finds, beside what was promised."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heteronym.errors import InputError, UsageError, nearest
from heteronym.io.bundles import read_release
from heteronym.io.given import door
from heteronym.io.hierarchies import read_hierarchy
from heteronym.io.owned import read_row_map
from heteronym.io.past_releases import open_registry
from heteronym.io.plans import read_plan
from heteronym.io.releases import original_table, parse_release
from heteronym.io.tables import Table
from heteronym.io.values import text_cells
from heteronym.model.attack import AttackResult, Earlier, Knowledge, ReleasedTable
from heteronym.model.in_words import InWords
from heteronym.model.plan import Plan
from heteronym.registry import attacks, parameters_of
from heteronym.run import Run
from heteronym.verify.numbers import labelled
from heteronym.verify.values import number_persons

PLAN_FILE = "plan.json"  # the owner's: with what the released one leaves out


@dataclass(frozen=True)
class AttackResults(InWords):
    """All attacks on a release."""

    results: tuple[AttackResult, ...]
    unit: str

    @property
    def holds(self) -> bool:
        """Whether no attack found more than was promised; what is not promised is not counted."""
        return all(result.holds is not False for result in self.results)

    def in_words(self, *, verbose: bool = False) -> str:
        """A few lines per attack that had something to attack, by threat; `verbose` adds figures."""
        lines = []
        for threat in ("singling-out", "linkability", "inference"):
            found = [r for r in self.results if r.threat == threat and (r.tried or verbose)]
            lines += [f"{threat}:"] if found else []
            for result in found:
                word = {True: "holds", False: "BROKEN", None: "not promised"}[result.holds]
                bound = "" if result.bound is None else f", promised at most {result.bound:.3g}"
                sure = f"{word}; certainty {result.certainty:.3g}{bound}"
                sure = sure if result.tried else "nothing to attack"
                lines.append(f"  {result.attack}: {sure}; {result.matched} of {result.targets} matched")
                lines.append(f"    {result.detail}")
                lines += [f"    {n}: {figure:.4g}" for n, figure in result.figures.items() if verbose]
        summary = "no attack got more than was promised" if self.holds else "the promise is broken"
        return "\n".join([*lines, f"{summary} (counting {self.unit})"]) + "\n"

    def to_dict(self) -> dict[str, Any]:
        return {
            "holds": self.holds,
            "unit": self.unit,
            "attacks": [result.to_dict() for result in self.results],
        }


@door
def attack(
    release: str | Path,
    *,
    against: Any,
    private: str | Path | None = None,
    hierarchies: str | Path | None = None,
    control: Any = None,
    other: str | Path | None = None,
    other_private: str | Path | None = None,
    registry: str | Path | None = None,
    registry_key: str | Path | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    only: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    run: Run | None = None,
) -> AttackResults:
    """Simulated attackers on a release folder, with as much knowledge as the caller gives.

    `against` is the original data, `control` data of others like those; `hierarchies` is a folder, `other`
    another release of the same data, `registry` the owner's file of releases. `only` names attacks,
    `parameters={"targets": 100}` are theirs.
    """
    folder, owner, where, second, second_owner, past, key = (
        None if path is None else Path(path)
        for path in (release, private, hierarchies, other, other_private, registry, registry_key)
    )
    assert folder is not None
    layout = {"delimiter": delimiter, "encoding": encoding}
    data = original_table(folder, against, **layout)
    opened, person = open_release(folder, data, owner)
    plan = opened.plan
    if owner is not None and (owner / PLAN_FILE).is_file():
        plan = read_plan(owner / PLAN_FILE)
    knowledge = Knowledge(
        data.frame,
        person,
        hierarchies=_hierarchies(opened.plan, where),
        missing=frozenset(plan.data.missing),
        control=None if control is None else original_table(folder, control, **layout).frame,
        other=None if second is None else open_release(second, data, second_owner)[0],
        earlier=() if past is None else _earlier(folder, opened.plan, data, past, key),
    )
    return attack_table(opened, knowledge, only=only, parameters=parameters, seed=seed, run=run)


def attack_table(
    release: ReleasedTable,
    knowledge: Knowledge,
    *,
    only: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
    seed: int = 0,
    run: Run | None = None,
) -> AttackResults:
    """The attacks on a table in memory."""
    names = list(only) or attacks.names()
    given = {key: value for key, value in (parameters or {}).items() if value is not None}
    has = {name: {p.name for p in parameters_of(attacks.get(name))} for name in names}
    for key in given:
        known = set().union(*has.values())
        if key not in known:
            raise UsageError(f"none of these attacks has a parameter '{key}'.{nearest(key, known)}")
    run = run or Run()
    results = []
    with run.active():
        for number, name in enumerate(names):
            part = attacks.build(name, {key: value for key, value in given.items() if key in has[name]})
            with run.step(name):
                # Each attack draws for itself: leaving one out changes nothing for the others.
                rng = np.random.default_rng([seed, *name.encode()])
                results.append(part.attack(release, knowledge, rng=rng))
            run.tell((number + 1) / len(names))
    knows_persons = release.person is not None or release.plan.data.person is None
    return AttackResults(tuple(results), "persons" if knows_persons else "rows")


def open_release(
    folder: Path, against: Table, private: Path | None
) -> tuple[ReleasedTable, NDArray[np.int64]]:
    """The released table, and the person of each original row."""
    written, plan = parse_release(folder, read_release(folder))
    frame = labelled(written, plan)
    by_key = number_persons(against.frame, plan.data.person)
    if private is None:
        pseudonyms = plan.release.person_key == "pseudonym" and plan.data.person in frame.columns
        person = (
            frame[str(plan.data.person)].rank("dense").to_numpy().astype(np.int64) if pseudonyms else None
        )
        return ReleasedTable(frame, plan, person), by_key
    source = read_row_map(private, released=frame.height, originals=against.frame.height).source
    return ReleasedTable(frame, plan, by_key[source], source), by_key


def _earlier(folder: Path, plan: Plan, against: Table, path: Path, key: Path | None) -> tuple[Earlier, ...]:
    """The groups of everybody in the other releases of the owner's registry."""
    if not path.is_file():
        raise InputError(f"{path}: no such registry")
    if plan.data.person is None:
        raise UsageError("--registry: the plan has no data.person, by which people are known again")
    registry, files = open_registry(path, key=key), read_release(folder)
    [data] = [name for name in files if name.startswith("data.")]
    cells = text_cells(against.frame[plan.data.person], plan.data.missing).fill_null("").str.strip_chars()
    person, mine = registry.hashes("person", cells.to_list()), registry.name_of(files[data])
    found = [(one.groups_of(person), one.k) for one in registry.read() if one.name != mine]
    return tuple(Earlier(group, k) for group, k in found if (group >= 0).any())


def _hierarchies(plan: Plan, folder: Path | None) -> dict[str, Any]:
    if folder is None:
        return {}
    return {
        name: read_hierarchy(folder / attribute.hierarchy)
        for name, attribute in plan.attributes.items()
        if attribute.hierarchy is not None
    }
