"""Publishing: old or new, never neither; one of two runs wins; the owner's files belong to their release."""

from __future__ import annotations

import multiprocessing
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from heteronym.errors import InputError, OutputError, UsageError
from heteronym.io import bundles
from heteronym.io.bundles import Bundle, Target, check_target
from heteronym.io.exchange import exchange
from heteronym.io.owner_files import check_private, differing_files, owner_folder, owner_secret, write_private


def publish(target: Path | Target, content: bytes = b"new", private: Path | None = None) -> None:
    made = target if isinstance(target, Target) else Target(target)
    with Bundle(replace(made, private=private)) as bundle:
        bundle.write("facts.json", b'{"of": "' + content + b'"}')
        bundle.write("data.csv", content)
        bundle.write("report.html", b"about " + content)
        bundle.publish({"rows.csv": b"map of " + content}, data={})


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_folder_that_appears_during_the_run_is_not_touched(tmp_path: Path) -> None:
    target = check_target(tmp_path / "out", overwrite=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.txt").write_text("years")
    with pytest.raises(OutputError, match="during the run"):
        publish(target)
    assert (files_in(tmp_path), files_in(tmp_path / "out")) == (["out"], ["thesis.txt"])


def test_a_release_that_appears_during_the_run_is_not_touched(tmp_path: Path) -> None:
    target = check_target(tmp_path / "out", overwrite=False)
    publish(tmp_path / "out", b"first")
    with pytest.raises(OutputError, match="during the run"):
        publish(target, b"second", tmp_path / "own")
    assert (tmp_path / "out" / "data.csv").read_bytes() == b"first"
    assert files_in(tmp_path / "own") == []


def test_of_two_runs_that_overwrite_one_release_one_wins(tmp_path: Path) -> None:
    publish(tmp_path / "out", b"old")
    one, two = (check_target(tmp_path / "out", overwrite=True) for _ in range(2))
    publish(one, b"one")
    with pytest.raises(OutputError, match="changed during the run"):
        publish(two, b"two")
    assert (tmp_path / "out" / "data.csv").read_bytes() == b"one"
    assert files_in(tmp_path) == ["out"]


def race(target: Target, content: bytes, begin: object, told: object) -> None:
    begin.wait()  # type: ignore[attr-defined]
    try:
        publish(target, content)
        told.put("won")  # type: ignore[attr-defined]
    except OutputError:
        told.put("refused")  # type: ignore[attr-defined]


@pytest.mark.parametrize("overwrite", [False, True])
def test_of_many_runs_at_once_exactly_one_wins(overwrite: bool, tmp_path: Path) -> None:
    if overwrite:
        publish(tmp_path / "out", b"old")
    target = check_target(tmp_path / "out", overwrite=overwrite)
    context = multiprocessing.get_context("fork")
    begin, told = context.Barrier(4), context.Queue()
    runs = [context.Process(target=race, args=(target, b"%d" % n, begin, told)) for n in range(4)]
    for run in runs:
        run.start()
    outcomes = sorted(told.get(timeout=600) for _ in runs)
    for run in runs:
        run.join()
    assert outcomes == ["refused"] * 3 + ["won"]
    assert files_in(tmp_path) == ["out"]


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_release_is_replaced_whether_or_not_the_system_can_exchange(
    can_exchange: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not can_exchange:
        monkeypatch.setattr(bundles, "exchange", lambda one, other: False)
    publish(tmp_path / "out", b"old")
    publish(check_target(tmp_path / "out", overwrite=True), b"new")
    assert (tmp_path / "out" / "data.csv").read_bytes() == b"new"
    assert files_in(tmp_path) == ["out"]


def test_folders_exchange_their_names(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    if not exchange(tmp_path / "a", tmp_path / "b"):
        pytest.skip("this file system cannot")
    assert (files_in(tmp_path / "a"), files_in(tmp_path / "b")) == (["b"], ["a"])


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: Path) -> None:
    (tmp_path / ".heteronym-dead").mkdir()
    (tmp_path / ".heteronym-dead" / "data.csv").write_text("x")
    publish(tmp_path / "out")
    assert files_in(tmp_path) == ["out"]


def test_what_a_living_run_holds_is_not_removed(tmp_path: Path) -> None:
    with Bundle(Target(tmp_path / "one")) as living:
        held = living._hide()
        publish(tmp_path / "two")
        assert held.is_dir()


def test_a_release_that_was_moved_aside_comes_back(tmp_path: Path) -> None:
    publish(tmp_path / "out", b"old")
    (tmp_path / ".heteronym-aside-out-x").mkdir()
    os.rename(tmp_path / "out", tmp_path / ".heteronym-aside-out-x" / "old")
    with pytest.raises(OutputError, match="during the run"):
        publish(Target(tmp_path / "out"))
    assert (tmp_path / "out" / "data.csv").read_bytes() == b"old"
    assert files_in(tmp_path) == ["out"]


# --- the owner's files ----------------------------------------------------------------------------


def killed_at(monkeypatch: pytest.MonkeyPatch, function: str) -> None:
    def kill(*arguments: object) -> None:
        os._exit(9)

    monkeypatch.setattr(bundles, function, kill)


def in_another_process(work: object) -> int:
    child = os.fork()
    if child == 0:
        work()  # type: ignore[operator]
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("step", ["stage", "locked", "exchange", "settle"])
def test_a_kill_leaves_a_release_with_its_own_row_map(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, own = tmp_path / "out", tmp_path / "own"
    publish(out, b"old", own)
    target = check_target(out, overwrite=True)
    with monkeypatch.context() as patch:
        killed_at(patch, step)
        assert in_another_process(lambda: publish(target, b"new", own)) == 9
    release = {path.name: path.read_bytes() for path in out.iterdir()}
    there = release["data.csv"]
    assert there == (b"new" if step == "settle" else b"old")
    owners = owner_folder(own, release["facts.json"])
    assert (owners / "rows.csv").read_bytes() == b"map of " + there
    assert differing_files(owners, release) == []

    publish(check_target(out, overwrite=True), b"newest", own)  # the next run tidies up
    assert (own / "rows.csv").read_bytes() == b"map of newest"
    assert (files_in(tmp_path), files_in(own)) == (["out", "own"], ["release.json", "rows.csv"])


def test_a_run_that_is_killed_after_another_kill_loses_no_row_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, own = tmp_path / "out", tmp_path / "own"
    publish(out, b"old", own)
    for content, step in ((b"new", "settle"), (b"newest", "exchange")):
        target = check_target(out, overwrite=True)
        with monkeypatch.context() as patch:
            if step == "settle":
                killed_at(patch, "settle")
            else:
                killed_at(patch, "exchange")
            assert in_another_process(lambda: publish(target, content, own)) == 9  # noqa: B023
    facts = (out / "facts.json").read_bytes()
    assert (owner_folder(own, facts) / "rows.csv").read_bytes() == b"map of new"


def test_owners_files_of_another_release_are_refused(tmp_path: Path) -> None:
    publish(tmp_path / "one", b"one", tmp_path / "own")
    publish(tmp_path / "two", b"two")
    release = {path.name: path.read_bytes() for path in (tmp_path / "two").iterdir()}
    with pytest.raises(InputError, match="does not belong"):
        differing_files(tmp_path / "own", release)


@pytest.mark.parametrize("name", ["rows.csv", "data.csv", "facts.json"])
def test_changed_files_are_named(name: str, tmp_path: Path) -> None:
    publish(tmp_path / "out", b"one", tmp_path / "own")
    folder = tmp_path / ("own" if name == "rows.csv" else "out")
    (folder / name).write_bytes(b"changed")
    release = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    assert differing_files(tmp_path / "own", release) == [name]


def test_a_private_folder_keeps_its_mode_and_its_files_are_closed(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir(mode=0o755)
    own.chmod(0o755)
    publish(tmp_path / "out", b"x", own)
    write_private(own, {"more.csv": b"y"})
    assert stat.S_IMODE(own.stat().st_mode) == 0o755
    assert {stat.S_IMODE(path.stat().st_mode) for path in own.iterdir()} == {0o600}


def test_a_private_folder_that_is_made_is_closed(tmp_path: Path) -> None:
    publish(tmp_path / "out", b"x", tmp_path / "own")
    assert stat.S_IMODE((tmp_path / "own").stat().st_mode) == 0o700


def test_a_release_is_no_private_folder(tmp_path: Path) -> None:
    publish(tmp_path / "one")
    with pytest.raises(UsageError, match="is a release"):
        check_private(tmp_path / "one", tmp_path / "two")


def test_a_secret_is_kept_once_it_is_there(tmp_path: Path) -> None:
    first = owner_secret(tmp_path / "own")
    assert owner_secret(tmp_path / "own") != first
    write_private(tmp_path / "own", {"secret": first})
    assert owner_secret(tmp_path / "own") == first
