"""The owner's folder: files that belong to a release, to each other and to the data, bound by digests.

They lie ready before the release takes its place, and name it by its digest: a crash leaves the old release
or the new one, never one beside another's row map.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heteronym.errors import InputError, OutputError, UsageError
from heteronym.io.exchange import refusal, sync_folder

SECRET_FILE = "secret"
GROWING = frozenset({"vault.json"})  # later documents and releases add to it, and change nothing in it
BOUND_FILE = "release.json"  # the owner's: which release the files beside it belong to
REFUSED_FILE = "refused.jsonl"  # why there is no release
READY = ".ready-"  # owner's files of a release that is about to take its place


def stage(private: Path, files: Mapping[str, bytes | Path], bound: Mapping[str, Any], release: Path) -> Path:
    """All of the owner's files in a folder that names the release and the data by their digests.

    A file that is too large for memory is given by its path.
    """
    private.mkdir(mode=0o700, parents=True, exist_ok=True)  # a folder that was there keeps its mode
    _settle_or_remove(private, release)
    ready = _ready_folder(private, bound["release"]["facts.json"])
    ready.mkdir(mode=0o700)
    still = {n: content for n, content in files.items() if n not in GROWING}
    bound = {**bound, "files": {n: _digest_of(content) for n, content in still.items()}}
    secret = files.get(SECRET_FILE)
    if isinstance(secret, bytes):
        bound["seal"] = seal_of(bound, secret)
    for name, content in {**files, BOUND_FILE: json.dumps(bound, indent=1).encode()}.items():
        write_owned(ready / name, content)
    sync_folder(ready)
    return ready


def seal_of(bound: Mapping[str, Any], secret: bytes) -> str:
    """HMAC-SHA256 over all digests: whoever lacks the owner's secret cannot make them anew."""
    sealed = {name: bound[name] for name in ("release", "files", "data")}
    content = json.dumps(sealed, sort_keys=True, separators=(",", ":")).encode()
    return hmac.digest(secret, content, hashlib.sha256).hex()


def _ready_folder(private: Path, digest: str) -> Path:
    return private / f"{READY}{digest[:32]}"


def _settle_or_remove(private: Path, release: Path) -> None:
    """What a killed run left ready: it settles if its release took its place, and goes if it did not."""
    facts = release / "facts.json"
    current = hashlib.sha256(facts.read_bytes()).hexdigest() if facts.is_file() else ""
    for old in private.glob(f"{READY}*"):
        if old == _ready_folder(private, current) and (old / BOUND_FILE).is_file():
            settle(private, old)
        else:
            shutil.rmtree(old)


def settle(private: Path, ready: Path) -> None:
    """Into the owner's folder one by one; until all are there, the ready folder stays complete."""
    names = sorted(path.name for path in ready.iterdir())
    for name in [*(name for name in names if name != BOUND_FILE), BOUND_FILE]:
        temporary = private / f".{name}.part"
        temporary.unlink(missing_ok=True)
        os.link(ready / name, temporary)
        os.replace(temporary, private / name)
    sync_folder(private)
    shutil.rmtree(ready)


def owner_folder(private: Path, facts: bytes) -> Path:
    """Where the owner's files of the release with these facts are: in place, or still ready after a crash."""
    ready = _ready_folder(private, hashlib.sha256(facts).hexdigest())
    return ready if (ready / BOUND_FILE).is_file() else private


def differing_files(owners: Path, release: Mapping[str, bytes]) -> list[str]:
    """Files of a release, or of its owner, that are not as they were when they were made together."""
    try:
        bound = json.loads((owners / BOUND_FILE).read_bytes())
        given, kept = dict(bound["release"]), dict(bound["files"])
        here = {name: (owners / name).read_bytes() if (owners / name).is_file() else b"" for name in kept}
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError):
        raise InputError(f"{owners}: {BOUND_FILE} cannot be read") from None
    differ = [n for n, digest in given.items() if hashlib.sha256(release.get(n, b"")).hexdigest() != digest]
    if {*differ, "plan.yaml"} >= set(given):  # two releases may have the same plan, and nothing else
        raise InputError(f"{owners}: the row map does not belong to this release")
    return differ + [n for n, digest in kept.items() if hashlib.sha256(here[n]).hexdigest() != digest]


def write_private(folder: Path, files: Mapping[str, bytes]) -> None:
    """Owner's files that belong to no release, readable by nobody else."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # a folder that was there keeps its mode
        for name, content in files.items():
            temporary = folder / f".{name}.part"
            temporary.unlink(missing_ok=True)
            try:
                write_owned(temporary, content)
                os.replace(temporary, folder / name)
            finally:
                temporary.unlink(missing_ok=True)
    except OSError as error:
        raise refusal(folder, error) from None


def _digest_of(content: bytes | Path) -> str:
    if isinstance(content, bytes):
        return hashlib.sha256(content).hexdigest()
    with content.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_owned(path: Path, content: bytes | Path) -> None:
    """A new file that nobody else can read, on the disk before anything builds on it."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        if isinstance(content, bytes):
            file.write(content)
        else:
            with content.open("rb") as source:
                shutil.copyfileobj(source, file, 1 << 20)
        file.flush()
        os.fsync(file.fileno())


def owner_secret(private: Path) -> bytes:
    """The key of the owner's folder, or a new one, to be kept as `secret` among the owner's files.

    Hashes of what only the owner knows are made with it: nobody else can try guesses.
    """
    try:
        kept = (private / SECRET_FILE).read_bytes()
    except FileNotFoundError:
        return os.urandom(32)
    except OSError as error:
        raise refusal(private, error) from None
    return kept if len(kept) >= 16 else os.urandom(32)


def check_private(private: Path, release: Path) -> None:
    owner, given = private.resolve(), release.resolve()
    if owner == given or given in owner.parents:
        raise UsageError("--private must lie outside the release folder")
    if private.exists() and not private.is_dir():
        raise OutputError(f"{private}: exists and is not a folder")
    if (private / "facts.json").exists():
        raise UsageError(f"--private: {private} is a release; the owner's files must lie elsewhere")
