"""Where a release goes: never half, never over something else, never with the owner's files."""

from __future__ import annotations

import json
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from heteronym.errors import PromiseError
from tests.conftest import PEOPLE, PEOPLE_PLAN, PROJECT


def everything_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_an_existing_release_is_not_touched(desk: Any) -> None:
    at = desk()
    at.anonymize()
    before = {path: path.read_bytes() for path in at.release.iterdir()}
    outcome = at.anonymize("--k", "4")
    assert (outcome.exit_code, "--overwrite" in outcome.err) == (2, True)
    assert {path: path.read_bytes() for path in at.release.iterdir()} == before


def test_overwrite_replaces_a_release_and_leaves_nothing_else(desk: Any) -> None:
    at = desk()
    at.anonymize()
    assert at.anonymize("--k", "4", "--overwrite").exit_code == 0
    assert at.released.read_text().count("[31-48]") == 4
    assert sorted(path.name for path in at.folder.iterdir()) == ["people.csv", "plan.yaml", "release"]


def test_an_empty_folder_may_become_the_release(desk: Any) -> None:
    at = desk()
    at.release.mkdir()
    assert at.anonymize().exit_code == 0


def test_overwrite_does_not_replace_a_folder_that_is_no_release(desk: Any) -> None:
    at = desk()
    at.release.mkdir()
    (at.release / "thesis.txt").write_text("years of work")
    assert at.anonymize("--overwrite").exit_code == 2
    assert everything_below(at.release) == ["thesis.txt"]


def test_overwrite_does_not_lose_what_was_put_into_a_release(desk: Any) -> None:
    at = desk()
    at.anonymize()
    (at.release / "thesis.txt").write_text("years of work")
    outcome = at.anonymize("--overwrite")
    assert (outcome.exit_code, "thesis.txt" in outcome.err) == (2, True)
    assert (at.release / "thesis.txt").is_file()


@pytest.mark.parametrize("kind", ["file", "link to a folder", "link to nowhere", "below a file"])
def test_what_is_no_folder_cannot_become_the_release(kind: str, desk: Any) -> None:
    at = desk()
    target = at.release
    if kind == "file":
        target.write_text("kept")
    elif kind == "below a file":
        target.write_text("kept")
        target = target / "below"
    else:
        (at.folder / "elsewhere").mkdir()
        target.symlink_to(at.folder / ("elsewhere" if kind == "link to a folder" else "nowhere"))
    before = everything_below(at.folder)
    outcome = at.command(
        "anonymize", at.folder / at.name, "-c", at.folder / "plan.yaml", "-o", target, "--overwrite"
    )
    assert outcome.exit_code == 2
    assert "fault of the program" not in outcome.err
    assert everything_below(at.folder) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_refused_before_any_work(desk: Any) -> None:
    at = desk()
    at.folder.chmod(0o500)
    outcome = at.anonymize()
    at.folder.chmod(0o700)
    assert (outcome.exit_code, "permission" in outcome.err) == (2, True)


def test_a_failed_run_leaves_no_folders_behind(desk: Any) -> None:
    at = desk("age,sex,note\nx,m,a\n")
    outcome = at.command(
        "anonymize",
        at.folder / at.name,
        "-c",
        at.folder / "plan.yaml",
        "-o",
        at.folder / "a" / "b" / "release",
    )
    assert outcome.exit_code == 2
    assert at.left_behind() == []


def test_a_failed_audit_releases_nothing(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from heteronym.partition.mondrian import Mondrian

    honest = Mondrian.partition

    def alone(self: Any, view: Any, **options: Any) -> Any:
        partition = honest(self, view, **options)
        partition.group[:] = range(view.persons)
        return partition

    monkeypatch.setattr(Mondrian, "partition", alone)
    at = desk()
    outcome = at.anonymize("--private", at.folder / "own")
    assert outcome.exit_code == 1
    assert "Nothing was released" in outcome.err
    assert at.left_behind() == ["own", "own/refused.jsonl"]


def test_a_failed_audit_stops_the_library_too(monkeypatch: pytest.MonkeyPatch) -> None:
    import heteronym as hn
    from heteronym.recode.interval import Interval

    monkeypatch.setattr(Interval, "labels", lambda self, domain, covers: ["[1-2]"] * len(covers))
    with pytest.raises(PromiseError):
        hn.anonymize(pl.read_csv(PEOPLE.encode()), PEOPLE_PLAN)


# --- the owner's files ------------------------------------------------------------------------------


INSIDE = ["release", "release/own", "other/../release/own", "link/own"]


@pytest.mark.parametrize("place", INSIDE)
def test_the_owners_folder_is_never_inside_the_release(place: str, desk: Any) -> None:
    at = desk()
    at.anonymize()
    (at.folder / "link").symlink_to(at.release)
    before = everything_below(at.folder)
    outcome = at.anonymize("--overwrite", "--private", at.folder / place)
    assert (outcome.exit_code, "--private" in outcome.err) == (2, True)
    assert everything_below(at.folder) == before


def test_the_owners_files_are_the_owners_alone(desk: Any) -> None:
    at = desk()
    own = at.folder / "own"
    assert at.anonymize("--private", own).exit_code == 0
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in own.iterdir()} == {0o600}


def test_the_row_map_leads_back_to_the_rows(desk: Any) -> None:
    at = desk()
    at.anonymize("--private", at.folder / "own")
    rows = pl.read_csv(at.folder / "own" / "rows.csv")
    before, after = pl.read_csv(at.folder / at.name), pl.read_csv(at.released)
    assert before[(rows.sort("released_row")["source_row"] - 1).to_list()]["note"].equals(after["note"])


LETTERS = "age,text\n31,well 31\n31,She met Trippel\n47,\n47,Ask Mr Trippel. MR TRIPPEL knows\n"
LETTERS_PLAN = {
    "attributes": {
        "age": {"role": "quasi", "scale": "numeric", "entities": ["AGE"]},
        "text": {"role": "text"},
    },
    "text": {"model": "none"},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def json_lines(text: str) -> list[dict[str, Any]]:
    """Without the last line, which says which texts were covered."""
    *lines, last = [json.loads(line) for line in text.splitlines()]
    assert last["covered"] == {"columns": ["text"], "rows": 4}
    return lines


def test_the_owners_trace_tells_source_score_and_rule_of_every_mention(desk: Any) -> None:
    at = desk(LETTERS, LETTERS_PLAN)
    assert at.anonymize("--private", at.folder / "own").exit_code == 0
    written = (at.folder / "own" / "mentions.jsonl").read_text("utf-8")
    assert [(line["row"], line["source"], line["rule"]) for line in json_lines(written)] == [
        (0, "value", "age"),
        (3, "names", "title and name"),
        (3, "propagated", "title and name"),
    ]
    shown = (PROJECT / "docs" / "release-format.md").read_text("utf-8")
    assert written.splitlines()[1] in shown
    assert not any("title and name" in path.read_text("utf-8") for path in at.release.iterdir())


def test_scan_does_not_tell_rules_and_the_trace_can_be_read_back(desk: Any) -> None:
    at = desk(LETTERS, LETTERS_PLAN)
    scanned = at.command("scan", at.folder / at.name, "-c", at.folder / "plan.yaml")
    assert {frozenset(line) for line in json_lines(scanned.out)} == {
        frozenset(("row", "column", "start", "end", "type", "score", "source"))
    }
    at.anonymize("--private", at.folder / "own")
    trace = at.folder / "own" / "mentions.jsonl"
    again = at.anonymize("--overwrite", "--mentions", trace, "--private", at.folder / "again")
    assert again.exit_code == 0
    assert (at.folder / "again" / "mentions.jsonl").read_bytes() == trace.read_bytes()


# --- trouble while writing --------------------------------------------------------------------------

SLOW_WRITER = """
import os, sys, time
from heteronym.io import bundles
from heteronym.cli import main
write = bundles.Bundle.write
def slowly(self, name, content):
    write(self, name, content)
    print(name, file=sys.stderr, flush=True)
    if name == STOP_AT:
        time.sleep(3600)  # it is stopped here
bundles.Bundle.write = slowly
main()
"""


def start_slow(at: Any, stop_at: str, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            sys.executable,
            "-c",
            SLOW_WRITER.replace("STOP_AT", repr(stop_at)),
            "anonymize",
            str(at.folder / at.name),
            "-c",
            str(at.folder / "plan.yaml"),
            "-o",
            str(at.release),
            *options,
        ],
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(process: subprocess.Popen[str], word: str) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if line.strip() == word:
            return
    raise AssertionError("the writer ended early")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda n: n.name)
def test_a_writer_that_is_stopped_leaves_no_release_and_no_data(number: signal.Signals, desk: Any) -> None:
    at = desk()
    process = start_slow(at, "data.csv")
    try:
        wait_for(process, "data.csv")
        process.send_signal(number)
        _, error = process.communicate(timeout=600)
    finally:
        process.kill()
    assert process.returncode != 0
    assert at.left_behind() == []
    if number is not signal.SIGKILL:
        assert "Nothing was released" in error
        assert "Traceback" not in error


def test_a_writer_that_is_killed_leaves_the_older_release(desk: Any) -> None:
    at = desk()
    at.anonymize()
    before = {path.name: path.read_bytes() for path in at.release.iterdir()}
    process = start_slow(at, "facts.json", "--overwrite", "--k", "4")
    try:
        wait_for(process, "facts.json")
        process.kill()
        process.communicate(timeout=600)
    finally:
        process.kill()
    assert {path.name: path.read_bytes() for path in at.release.iterdir()} == before
    assert sorted(path.name for path in at.folder.iterdir()) == ["people.csv", "plan.yaml", "release"]


def test_a_full_disk_releases_nothing(desk: Any) -> None:
    at = desk("age,sex,note\n" + "".join(f"{n % 50},m,{'x' * 200}\n" for n in range(2000)))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))
        outcome = at.anonymize("--private", at.folder / "own")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert outcome.exit_code == 2
    assert "Nothing was released" in outcome.err
    assert at.left_behind() == []


@pytest.mark.parametrize("code", ["ENOSPC", "EDQUOT", "EROFS", "EIO"])
def test_an_error_of_the_file_system_is_told_and_leaves_nothing(
    code: str, desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import errno

    def fail(*arguments: Any) -> int:
        raise OSError(getattr(errno, code), os.strerror(getattr(errno, code)))

    at = desk()
    with monkeypatch.context() as patch:
        patch.setattr("heteronym.io.bundles.os.fsync", fail)
        outcome = at.anonymize()
    assert outcome.exit_code == 2
    assert "Nothing was released" in outcome.err
    assert at.left_behind() == []


@pytest.mark.parametrize("in_one_step", [True, False])
@pytest.mark.parametrize("error", [OSError(28, "full"), KeyboardInterrupt()], ids=["error", "interrupt"])
def test_an_older_release_stays_if_the_new_one_cannot_take_its_place(
    error: BaseException, in_one_step: bool, desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = desk()
    at.anonymize()
    before = {path.name: path.read_bytes() for path in at.release.iterdir()}
    honest = os.rename

    def fail(source: Any, target: Any) -> None:
        if Path(target) == at.release and Path(source).name != "old":
            raise error
        honest(source, target)

    def cannot(one: Path, other: Path) -> bool:
        if in_one_step:
            raise error
        return False

    with monkeypatch.context() as patch:
        patch.setattr("heteronym.io.bundles.os.rename", fail)
        patch.setattr("heteronym.io.bundles.exchange", cannot)
        assert at.anonymize("--overwrite", "--k", "4").exit_code != 0
    assert {path.name: path.read_bytes() for path in at.release.iterdir()} == before
    assert sorted(path.name for path in at.folder.iterdir()) == ["people.csv", "plan.yaml", "release"]


def test_without_nameless_files_the_hidden_folder_is_removed(
    desk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("heteronym.io.bundles.os.O_TMPFILE")
    at = desk()
    assert at.anonymize().exit_code == 0
    assert at.anonymize("--overwrite").exit_code == 0
    assert sorted(path.name for path in at.folder.iterdir()) == ["people.csv", "plan.yaml", "release"]


# --- the bytes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet", "xlsx"])
def test_the_same_input_plan_and_seed_give_the_same_bytes(kind: str, desk: Any) -> None:
    import io

    out = io.BytesIO()
    frame = pl.read_csv(PEOPLE.encode())
    getattr(
        frame,
        {"csv": "write_csv", "jsonl": "write_ndjson", "parquet": "write_parquet", "xlsx": "write_excel"}[
            kind
        ],
    )(out)
    at = desk(out.getvalue(), name=f"people.{kind}")
    at.anonymize()
    first = at.released.read_bytes()
    if kind == "xlsx":
        time.sleep(1.1)  # its clock counts seconds
    at.anonymize("--overwrite")
    assert at.released.read_bytes() == first


def test_the_order_of_released_rows_follows_from_the_released_rows(desk: Any) -> None:
    head, *rows = PEOPLE.splitlines()
    one, other = desk(), desk("\n".join([head, *reversed(rows)]) + "\n")
    one.anonymize()
    other.anonymize()
    assert one.released.read_bytes() == other.released.read_bytes()


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["text", "json"])
def test_a_closed_pipe_after_publication_does_not_deny_the_release(
    options: tuple[str, ...], desk: Any
) -> None:
    at = desk()
    call = [
        *(sys.executable, "-m", "heteronym", "anonymize", at.folder / "people.csv"),
        *("-c", at.folder / "plan.yaml", "-o", at.release, *options),
    ]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(call, stdout=write, stderr=subprocess.PIPE, text=True, cwd=PROJECT)
    os.close(write)
    assert "Nothing was released" not in done.stderr
    assert (done.returncode, at.released.exists()) == (0, True)


def test_a_closed_pipe_without_a_release_is_no_success(desk: Any) -> None:
    at = desk()
    at.anonymize()
    read, write = os.pipe()
    os.close(read)
    call = [sys.executable, "-m", "heteronym", "verify", at.release]
    done = subprocess.run(call, stdout=write, stderr=subprocess.PIPE, text=True, cwd=PROJECT)
    os.close(write)
    assert done.returncode == 2


def test_lists_of_the_plan_leave_no_hash_that_could_be_guessed(desk: Any) -> None:
    import yaml

    plan = {**PEOPLE_PLAN, "data": {"missing": ["secret code"]}, "text": {"synonyms": {"UK": ["Britain"]}}}
    at = desk(plan=plan)
    assert at.anonymize().exit_code == 0
    released = yaml.safe_load((at.release / "plan.yaml").read_text())
    assert released["text"]["synonyms"] == "1 given"
    assert released["data"]["missing"] == "1 given"
    assert at.anonymize("--overwrite", "--private", at.folder / "own").exit_code == 0
    keyed = yaml.safe_load((at.release / "plan.yaml").read_text())["text"]["synonyms"]
    assert keyed.startswith("1 given, hmac-sha256 ")
    assert at.anonymize("--overwrite", "--private", at.folder / "own").exit_code == 0
    assert yaml.safe_load((at.release / "plan.yaml").read_text())["text"]["synonyms"] == keyed
