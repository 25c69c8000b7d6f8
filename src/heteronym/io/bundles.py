"""Release folders: written under no name, moved into place in one step, or not at all.

Until a release is audited, its files have no name in any folder (Linux: O_TMPFILE), so that even a kill
leaves nothing behind. Elsewhere a hidden folder with mode 700 is used, and removed on any exit; what a kill
leaves of it is removed by the next run. The owner's files lie ready before the release takes its place, and
name it by its digest: a crash leaves the old release or the new one, never one beside another's row map.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from heteronym.errors import InputError, OutputError, UsageError
from heteronym.io.exchange import exchange, sync_folder

RELEASE_FILES = frozenset({"facts.json", "plan.yaml", "report.html"})
SECRET_FILE = "secret"
GROWING = frozenset({"vault.json"})  # later documents and releases add to it, and change nothing in it
BOUND_FILE = "release.json"  # the owner's: which release the files beside it belong to
_HIDDEN = ".heteronym-"
_ASIDE = f"{_HIDDEN}aside-"
_READY = ".ready-"  # owner's files of a release that is about to take its place


@dataclass(frozen=True)
class Target:
    """Where a release shall go, and what was there when the run began."""

    folder: Path
    overwrite: bool = False
    state: str | None = None


def check_target(folder: Path, *, overwrite: bool) -> Target:
    """Refuse before any work is done what would fail at its end."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise OutputError(f"{folder}: exists and is not a folder")
    if folder.is_dir() and any(folder.iterdir()):
        if not overwrite:
            raise OutputError(f"{folder}: exists. Use --overwrite to replace it")
        _check_is_release(folder)
    parent = folder.absolute().parent
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir():
        raise OutputError(f"{folder}: {parent} is not a folder")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise OutputError(f"{folder}: no permission to write there")
    return Target(folder, overwrite, _state_of(folder))


def _check_is_release(folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    if "facts.json" not in names:
        raise OutputError(f"{folder}: is no release, and will not be overwritten")
    foreign = sorted(name for name in names if name not in RELEASE_FILES and not name.startswith("data."))
    if foreign:
        raise OutputError(f"{folder}: also holds '{foreign[0]}', which --overwrite would lose")


def _state_of(folder: Path) -> str | None:
    """What tells one content of a folder from another; None for nothing."""
    try:
        if not any(folder.iterdir()):
            return None
        told = (folder / "facts.json").read_bytes()
        return f"{folder.stat().st_ino} {hashlib.sha256(told).hexdigest()}"
    except FileNotFoundError:
        return "something else" if folder.exists() else None
    except OSError:
        return "something else"


class Bundle:
    """Files of a folder that does not exist yet."""

    def __init__(self, target: Path | Target) -> None:
        self.target = target if isinstance(target, Target) else Target(target)
        self.folder = self.target.folder.absolute()
        self.parent = self.folder.parent
        self.published = False
        self._made: list[Path] = []  # folders that did not exist before
        self._files: dict[str, int] = {}  # name -> open file
        self._digest_of: dict[str, str] = {}
        self._hidden: Path | None = None
        self._hold: int | None = None  # our lock on the hidden folder

    def __enter__(self) -> Bundle:
        missing = [p for p in (self.parent, *self.parent.parents) if not p.exists()]
        try:
            self.parent.mkdir(parents=True, exist_ok=True)
            with _locked(self.parent):
                _remove_orphans(self.parent, self.folder)
        except OSError as error:
            raise _refusal(self.folder, error) from None
        self._made = missing
        return self

    def write(self, name: str, content: bytes) -> None:
        if name in self._files:
            os.close(self._files.pop(name))
            self._digest_of.pop(name, None)
        try:
            self._files[name] = self._open(name)
            view = memoryview(content)
            while view:
                view = view[os.write(self._files[name], view) :]
            os.fsync(self._files[name])
        except OSError as error:
            raise _refusal(self.folder, error) from None

    def _open(self, name: str) -> int:
        if self._hidden is None and hasattr(os, "O_TMPFILE"):
            try:
                return os.open(self.parent, os.O_TMPFILE | os.O_RDWR, 0o644)
            except OSError as error:
                if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL):
                    raise
        if self._hidden is None:
            self._hide()
        assert self._hidden is not None
        return os.open(self._hidden / name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)

    def _hide(self) -> Path:
        """A hidden folder, locked as long as we live: what can be locked by others is an orphan."""
        with _locked(self.parent):
            self._hidden = Path(tempfile.mkdtemp(prefix=_HIDDEN, dir=self.parent))
            self._hold = os.open(self._hidden, os.O_RDONLY)
            _lock(self._hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return self._hidden

    def read(self, name: str) -> bytes:
        """What lies on disk, for the audit."""
        file = self._files[name]
        size = os.fstat(file).st_size
        parts, at = [], 0
        while at < size:
            part = os.pread(file, min(size - at, 1 << 30), at)  # joined without a copy, if one is enough
            if not part:
                break
            parts.append(part)
            at += len(part)
        return b"".join(parts)

    def publish(
        self,
        private: Path | None = None,
        owner_files: Mapping[str, bytes] | None = None,
        *,
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """Give the files their names, all at once. The owner's files are ready before, and settle after.

        `data` says by digests which data the owner's files belong to.
        """
        try:
            ready = self._hidden or self._named()
            os.chmod(ready, 0o755)
            sync_folder(ready)
            bound = {"release": self._digests(), "data": dict(data or {})}
            with _owner_files_ready(private, owner_files or {}, bound, self):
                with _locked(self.parent):
                    self._take_place(ready)
                sync_folder(self.parent)
        except OSError as error:
            if self.published:
                raise OutputError(
                    f"{private}: {error.strerror or 'cannot be written'}. The release is in its place, "
                    f"and the owner's files of it in a folder that begins with {_READY}"
                ) from None
            raise _refusal(self.folder, error) from None

    def digest(self, name: str) -> str:
        """Of what lies on disk, read piece by piece and once."""
        if name not in self._digest_of:
            found, at = hashlib.sha256(), 0
            while part := os.pread(self._files[name], 1 << 24, at):
                found.update(part)
                at += len(part)
            self._digest_of[name] = found.hexdigest()
        return self._digest_of[name]

    def _digests(self) -> dict[str, str]:
        return {name: self.digest(name) for name in sorted(self._files)}

    def _named(self) -> Path:
        ready = self._hide()
        descriptors = os.open("/proc/self/fd", os.O_RDONLY)
        try:
            for name, file in self._files.items():
                # only with a directory does Python follow the link to the nameless file
                os.link(str(file), ready / name, src_dir_fd=descriptors, follow_symlinks=True)
        finally:
            os.close(descriptors)
        return ready

    def _take_place(self, ready: Path) -> None:
        """Into an empty place, or in exchange for the release that was there when the run began."""
        if _state_of(self.folder) != self.target.state:
            raise OutputError(
                f"{self.folder}: appeared or changed during the run; it was not touched. Nothing was released"
            )
        if self.target.state is None:
            self._rename_into_emptiness(ready)
        else:
            _check_is_release(self.folder)
            if not exchange(ready, self.folder):
                self._exchange_in_two_steps(ready)
        self.published = True
        self._made = []

    def _rename_into_emptiness(self, ready: Path) -> None:
        try:
            os.rename(ready, self.folder)  # takes the place of nothing, or of an empty folder
        except OSError as error:
            if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
                raise OutputError(f"{self.folder}: appeared during the run. Nothing was released") from None
            raise
        self._hidden = None

    def _exchange_in_two_steps(self, ready: Path) -> None:
        """Where the system cannot exchange: a crash between the steps is mended by the next run."""
        aside = Path(tempfile.mkdtemp(prefix=f"{_ASIDE}{self.folder.name}-", dir=self.parent))
        try:
            os.rename(self.folder, aside / "old")
            os.rename(ready, self.folder)
            self._hidden = None
        finally:
            if not self.folder.exists():
                os.rename(aside / "old", self.folder)
            shutil.rmtree(aside)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            os.close(file)
        self._files = {}
        if self._hidden is not None:  # not published, or holding the release that was replaced
            shutil.rmtree(self._hidden, ignore_errors=True)
        if self._hold is not None:
            os.close(self._hold)
        for made in self._made:
            if made.is_dir() and not any(made.iterdir()):
                made.rmdir()


def _lock(handle: int, how: int) -> None:
    try:
        fcntl.flock(handle, how)
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS):  # some file systems cannot
            raise


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Nobody else publishes into this folder in the meantime."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        _lock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_orphans(parent: Path, folder: Path) -> None:
    """What killed runs left: hidden folders that no process holds, and a release that was moved aside."""
    for path in parent.glob(f"{_ASIDE}{folder.name}-*"):
        if not folder.exists() and (path / "old").is_dir():
            os.rename(path / "old", folder)
        shutil.rmtree(path, ignore_errors=True)
    for path in parent.glob(f"{_HIDDEN}*"):
        if path.name.startswith(_ASIDE) or path.is_symlink():
            continue
        with suppress(OSError):
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path)
            finally:
                os.close(handle)


def _refusal(folder: Path, error: OSError) -> OutputError:
    reasons = {
        errno.ENOSPC: "the disk is full",
        errno.EDQUOT: "the disk quota is used up",
        errno.EFBIG: "the file would be larger than allowed",
        errno.EACCES: "no permission to write there",
        errno.EROFS: "the file system is read-only",
        errno.ENOTDIR: "a part of the path is not a folder",
    }
    reason = reasons.get(error.errno or 0, error.strerror or "cannot be written")
    return OutputError(f"{folder}: {reason}. Nothing was released")


@contextmanager
def _owner_files_ready(
    private: Path | None, files: Mapping[str, bytes], bound: Mapping[str, Any], bundle: Bundle
) -> Iterator[None]:
    """The owner's files lie ready while the release takes its place, then settle, or vanish with it."""
    if private is None:
        yield
        return
    ready = _stage(private, files, bound, bundle.folder)
    try:
        yield
        _settle(private, ready)
    finally:
        if not bundle.published:
            shutil.rmtree(ready, ignore_errors=True)


def _stage(private: Path, files: Mapping[str, bytes], bound: Mapping[str, Any], release: Path) -> Path:
    """All of the owner's files in a folder that names the release and the data by their digests."""
    private.mkdir(mode=0o700, parents=True, exist_ok=True)  # a folder that was there keeps its mode
    _settle_or_remove(private, release)
    ready = _ready_folder(private, bound["release"]["facts.json"])
    ready.mkdir(mode=0o700)
    still = {n: content for n, content in files.items() if n not in GROWING}
    bound = {**bound, "files": {n: hashlib.sha256(content).hexdigest() for n, content in still.items()}}
    for name, content in {**files, BOUND_FILE: json.dumps(bound, indent=1).encode()}.items():
        _write_owned(ready / name, content)
    sync_folder(ready)
    return ready


def _ready_folder(private: Path, digest: str) -> Path:
    return private / f"{_READY}{digest[:32]}"


def _settle_or_remove(private: Path, release: Path) -> None:
    """What a killed run left ready: it settles if its release took its place, and goes if it did not."""
    facts = release / "facts.json"
    current = hashlib.sha256(facts.read_bytes()).hexdigest() if facts.is_file() else ""
    for old in private.glob(f"{_READY}*"):
        if old == _ready_folder(private, current) and (old / BOUND_FILE).is_file():
            _settle(private, old)
        else:
            shutil.rmtree(old)


def _settle(private: Path, ready: Path) -> None:
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
                _write_owned(temporary, content)
                os.replace(temporary, folder / name)
            finally:
                temporary.unlink(missing_ok=True)
    except OSError as error:
        raise _refusal(folder, error) from None


def _write_owned(path: Path, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
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
        raise _refusal(private, error) from None
    return kept if len(kept) >= 16 else os.urandom(32)


def check_private(private: Path, release: Path) -> None:
    owner, given = private.resolve(), release.resolve()
    if owner == given or given in owner.parents:
        raise UsageError("--private must lie outside the release folder")
    if private.exists() and not private.is_dir():
        raise OutputError(f"{private}: exists and is not a folder")
    if (private / "facts.json").exists():
        raise UsageError(f"--private: {private} is a release; the owner's files must lie elsewhere")


def read_release(folder: Path) -> dict[str, bytes]:
    """The files of a release by name."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such release folder")
    try:
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({error.strerror or 'input error'})") from None
