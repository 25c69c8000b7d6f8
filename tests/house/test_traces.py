"""No command leaves anything outside of the folders it was given, and none talks to a network.

Every command runs once in a process of its own, on a few rows, with an empty home and temporary folder and
without a network. What lies there afterwards is listed; where strace is installed, every file that the
process or one of its libraries wrote is, too, whatever became of it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

EXAMPLE = Path(str(files("heteronym") / "examples" / "blog"))
LETTER = "Dear Helen Miller, my brother Tom has diabetes. He lives in Leeds and works as a carpenter.\n"
PEOPLE = "age,zip\n" + "".join(f"{20 + n % 5},{10000 + n % 3}\n" for n in range(30))

# In this order: later ones read what earlier ones made. Each with the only names that it may make.
COMMANDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("profile posts.csv -o draft.yaml", ("draft.yaml",)),
    ("scan posts.csv -c plan.yaml -o mentions.jsonl --language-model accurate", ("mentions.jsonl",)),
    ("anonymize posts.csv -c plan.yaml -o release --private owner", ("release", "owner")),
    ("verify release --against posts.csv --private owner", ()),
    ("attack release --against posts.csv --private owner", ("owner",)),
    ("judge release --against posts.csv -c plan.yaml --rows owner --private judged", ("judged",)),
    ("utility release --against posts.csv --private owner", ("owner",)),
    ("explain release --private owner --row 3", ()),
    ("compare people.csv -c people.yaml -o grid --k 2,3", ("grid",)),
    ("analyze letter.txt --private analysis", ("analysis",)),
    ("sanitize letter.txt -o clean --method pseudonyms --private vault", ("clean", "vault")),
    ("restore clean/letter.txt --private vault -o restored", ("restored",)),
    ("hierarchy build people.csv --column age -o age.csv", ("age.csv",)),
    ("serve --project project --no-browser --port 0 --idle 0.01", ("project",)),
    ("models", ()),
    ("doctor", ("../temporary",)),  # makes a small release of its own, which goes again
    ("demo -o demo-release", ("demo-release",)),
)
# It releases invented people, in a temporary folder that is gone afterwards.
TRIES_BUNDLED_DATA = "doctor"
_WRITING = "open,openat,creat,mkdir,mkdirat,link,linkat,symlink,symlinkat,rename,renameat,renameat2"
_CALL = re.compile(r"(\w+)\((.*)\)\s+= (-?\d+)")
_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"')


def test_every_command_is_tried() -> None:
    room = Path(str(files("heteronym") / "cli"))
    known = {path.stem for path in room.glob("*.py") if not path.stem.startswith("_")}
    assert {line.split()[0] for line, _ in COMMANDS} == known


def test_no_command_leaves_traces(tmp_path: Path) -> None:
    desk, home, temporary = (tmp_path / name for name in ("desk", "home", "temporary"))
    for folder in (desk, home, temporary):
        folder.mkdir()
    for path in EXAMPLE.iterdir():
        shutil.copy(path, desk)
    (desk / "letter.txt").write_text(LETTER)
    (desk / "people.csv").write_text(PEOPLE)
    (desk / "people.yaml").write_text(
        "attributes: {age: {role: quasi, scale: numeric}, zip: {role: quasi}}\n"
        "privacy: [{model: k-anonymity, k: 2}]\n"
    )
    left: dict[str, list[str]] = {}
    for line, mine in COMMANDS:
        before, log = set(desk.iterdir()), tmp_path / "calls"
        done = subprocess.run(
            [*_without_network(), *_listed(log), sys.executable, "-m", "heteronym", *line.split()],
            cwd=desk,
            env=_bare_environment(home, temporary),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{line}: {done.stderr}"
        new = {str(path.relative_to(desk)) for path in set(desk.iterdir()) - before} - set(mine)
        new |= {str(p.relative_to(tmp_path)) for place in (home, temporary) for p in place.rglob("*")}
        for calls in tmp_path.glob(f"{log.name}.*"):  # one per thread
            told = calls.read_text("utf-8", "replace")
            written = _written_elsewhere(told, desk, mine)
            if line == TRIES_BUNDLED_DATA:
                written = {name for name in written if not Path(name).is_relative_to(temporary)}
            new |= written | _connected(told)
            calls.unlink()
        if new:
            left[line] = sorted(new)
    assert not left


def _bare_environment(home: Path, temporary: Path) -> dict[str, str]:
    """As at a first start: no settings of ours or of the libraries; `CI` would silence some of them."""
    given = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return given | {"HOME": str(home), "TMPDIR": str(temporary)}


@cache
def _without_network() -> tuple[str, ...]:
    asked = ("unshare", "--user", "--map-root-user", "--net")
    return asked if _works(*asked) else ()


@cache
def _has_strace() -> bool:
    return _works("strace", "-f", "-o", os.devnull)


def _listed(log: Path) -> tuple[str, ...]:
    if not _has_strace():
        return ()
    return (
        "strace",
        "-ff",
        "-qq",
        "--seccomp-bpf",
        "-s",
        "4096",
        "-e",
        f"trace={_WRITING},connect",
        "-o",
        str(log),
    )


def _works(*call: str) -> bool:
    if shutil.which(call[0]) is None:
        return False
    return not subprocess.run([*call, "true"], capture_output=True, check=False).returncode


def _written_elsewhere(log: str, desk: Path, mine: tuple[str, ...]) -> set[str]:
    """Names that were written or made outside of the command's own."""
    names = set()
    for call, given, result in _CALL.findall(log):
        opened = call in ("open", "openat", "creat")
        for_writing = call == "creat" or re.search(r"O_(WRONLY|RDWR|CREAT|TMPFILE)", given)
        if int(result) < 0 or call not in _WRITING.split(",") or (opened and not for_writing):
            continue  # strace also lists system calls that it has no name for
        quoted = _NAME.findall(given)
        name = Path(os.path.normpath(desk / quoted[0 if opened else -1]))
        if not _may_be_written(name, desk, mine):
            names.add(str(name))
    return names


def _may_be_written(name: Path, desk: Path, mine: tuple[str, ...]) -> bool:
    if name.parts[1:2] in (("dev",), ("proc",)):
        # scikit-learn tries a semaphore on import, whose name is gone at once
        return name.parts[2:3] != ("shm",) or not name.exists()
    if "__pycache__" in name.parts:  # byte code, and our own compiled kernels and patterns
        return True
    if any(one.startswith("..") and name.is_relative_to(os.path.normpath(desk / one)) for one in mine):
        return not name.exists()
    # A release is made beside its final place: without a name, or in a hidden folder that is moved.
    inside = name.relative_to(desk).parts[:1] if name.is_relative_to(desk) else None
    if inside is None:
        return False
    return bool(mine) if not inside else inside[0] in mine or inside[0].startswith(".heteronym-")


def _connected(log: str) -> set[str]:
    return {f"network: {call}" for call in re.findall(r"connect\(.*?sa_family=AF_INET6?.*", log)}


def test_the_runtime_of_the_default_model_keeps_the_environment_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from heteronym.text.models.token_classifier import import_onnxruntime_without_telemetry

    monkeypatch.delenv("ORT_DISABLE_TELEMETRY", raising=False)
    import_onnxruntime_without_telemetry()
    assert "ORT_DISABLE_TELEMETRY" not in os.environ
    monkeypatch.setenv("ORT_DISABLE_TELEMETRY", "0")
    import_onnxruntime_without_telemetry()
    assert os.environ["ORT_DISABLE_TELEMETRY"] == "0"
