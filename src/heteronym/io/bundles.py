"""Release folders: written under no name, moved into place in one step, or not at all.

Until a release is audited, its files have no name in any folder (Linux: O_TMPFILE), so that even a kill
leaves nothing behind. Elsewhere a hidden folder with mode 700 is used, and removed on any exit; what a kill
leaves of it is removed by the next run.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from io import BufferedRandom
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heteronym.errors import InputError, OutputError, reading
from heteronym.io.exchange import (
    HIDDEN,
    exchange,
    exchange_in_two_steps,
    lock,
    locked,
    refusal,
    remove_orphans,
    sync_folder,
)
from heteronym.io.owner_files import READY, check_private, settle, stage

if TYPE_CHECKING:
    from heteronym.io.database_targets import TableTarget

RELEASE_FILES = frozenset({"facts.json", "plan.yaml", "report.html", "datapackage.json", "croissant.json"})


@dataclass(frozen=True)
class Target:
    """Where a release shall go, what was there when the run began, the owner's folder, metadata or not."""

    folder: Path
    state: str | None = None
    private: Path | None = None
    metadata: bool = False  # files for catalogues as well
    table: TableTarget | None = None  # where the rows go, if that is a database


def check_target(
    folder: Path, overwrite: bool, *, private: Path | None = None, metadata: bool = False
) -> Target:
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
    if private is not None:
        check_private(private, folder)
    return Target(folder, _state_of(folder), private, metadata)


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
        facts = (folder / "facts.json").read_bytes()
        return f"{folder.stat().st_ino} {hashlib.sha256(facts).hexdigest()}"
    except OSError:
        return "something else" if folder.exists() else None


class Bundle:
    """Files of a folder that does not exist yet."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.folder = target.folder.absolute()
        self.parent = self.folder.parent
        self.published = False
        self._made: list[Path] = []  # folders that did not exist before
        self._files: dict[str, BufferedRandom] = {}
        self._digest_of: dict[str, str] = {}
        self._elsewhere: set[str] = set()  # what is kept to be read again, and is no file of the folder
        self._is_elsewhere = False  # whether the rows of the release can be seen already
        self._hidden: Path | None = None
        self._hold: int | None = None  # our lock on the hidden folder
        self._staged: Path | None = None  # the owner's files, until they settle

    def __enter__(self) -> Bundle:
        missing = [p for p in (self.parent, *self.parent.parents) if not p.exists()]
        try:
            self.parent.mkdir(parents=True, exist_ok=True)
            with locked(self.parent):
                remove_orphans(self.parent, self.folder)
        except OSError as error:
            raise refusal(self.folder, error) from None
        self._made = missing
        return self

    def write(self, name: str, content: bytes, *, elsewhere: bool = False) -> None:
        """A file of the folder; `elsewhere`, a copy of what lies in a database: for digests and searches."""
        if elsewhere:
            self._elsewhere.add(name)
        if name in self._files:
            self._files.pop(name).close()
            self._digest_of.pop(name, None)
        try:
            file = self._files[name] = os.fdopen(self._open(name), "w+b")
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        except OSError as error:
            raise refusal(self.folder, error) from None

    def write_by(self, name: str, write: Callable[[BufferedRandom], object]) -> None:
        """A file that is written piece by piece."""
        try:
            file = self._files[name] = os.fdopen(self._open(name), "w+b")
            write(file)
            file.flush()
            os.fsync(file.fileno())
        except OSError as error:
            raise refusal(self.folder, error) from None

    def path(self, name: str) -> Path:
        """Where this process finds a file, which may have no name yet."""
        if self._hidden is not None and (self._hidden / name).exists():
            return self._hidden / name
        return Path(f"/proc/self/fd/{self._files[name].fileno()}")

    def _open(self, name: str) -> int:
        if self._hidden is None and hasattr(os, "O_TMPFILE"):
            try:
                return os.open(self.parent, os.O_TMPFILE | os.O_RDWR, 0o644)
            except OSError as error:
                if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.ENOENT, errno.EINVAL):
                    raise
        return os.open((self._hidden or self._hide()) / name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)

    def _hide(self) -> Path:
        """A hidden folder, locked as long as we live: what can be locked by others is an orphan."""
        with locked(self.parent):
            self._hidden = Path(tempfile.mkdtemp(prefix=HIDDEN, dir=self.parent))
            self._hold = os.open(self._hidden, os.O_RDONLY)
            lock(self._hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return self._hidden

    def read(self, name: str) -> bytes:
        """What lies on disk, for the audit."""
        self._files[name].seek(0)
        return self._files[name].read()

    def publish(
        self,
        owner_files: Mapping[str, bytes | Path],
        *,
        data: Mapping[str, Any],
        before: Callable[[], None] | None = None,
    ) -> None:
        """Give the files their names, all at once. The owner's files are ready before, and settle after.

        `data` says by digests which data the owner's files belong to. `before` is what happens elsewhere at
        the last moment: if it fails, nothing is published.
        """
        private = self.target.private
        try:
            ready = self._hidden or self._named()
            for name in self._elsewhere:
                (ready / name).unlink(missing_ok=True)
            os.chmod(ready, 0o755)
            self._set_times(ready)
            sync_folder(ready)
            if private is not None:
                bound = {"release": {n: self.digest(n) for n in sorted(self._files)}, "data": dict(data)}
                self._staged = stage(private, owner_files, bound, self.folder)
            with locked(self.parent):
                self._take_place(ready, before)
            sync_folder(self.parent)
            if private is not None and self._staged is not None:
                settle(private, self._staged)
        except OSError as error:
            if self._is_elsewhere:
                raise OutputError(
                    f"{self.folder}: {error.strerror or 'cannot be written'}. The table was released before "
                    "that, and is good; this folder is not there"
                ) from None
            if self.published:
                raise OutputError(
                    f"{private}: {error.strerror or 'cannot be written'}. The release is in its place, "
                    f"and the owner's files of it in a folder that begins with {READY}"
                ) from None
            raise refusal(self.folder, error) from None

    def _set_times(self, ready: Path) -> None:
        """All files are of the day of the release: no time tells when the source was read."""
        day = int(time.time()) // 86_400 * 86_400
        for file in self._files.values():
            os.utime(file.fileno(), (day, day))
        os.utime(ready, (day, day))

    def digest(self, name: str) -> str:
        """Of what lies on disk, read piece by piece and once."""
        if name not in self._digest_of:
            self._files[name].seek(0)
            self._digest_of[name] = hashlib.file_digest(self._files[name], "sha256").hexdigest()
        return self._digest_of[name]

    def _named(self) -> Path:
        ready = self._hide()
        descriptors = os.open("/proc/self/fd", os.O_RDONLY)
        try:
            for name, file in self._files.items():
                if name in self._elsewhere:
                    continue
                # only with a directory does Python follow the link to the nameless file
                os.link(str(file.fileno()), ready / name, src_dir_fd=descriptors, follow_symlinks=True)
        finally:
            os.close(descriptors)
        return ready

    def _take_place(self, ready: Path, before: Callable[[], None] | None) -> None:
        """Into an empty place, or in exchange for the release that was there when the run began."""
        if _state_of(self.folder) != self.target.state:
            raise OutputError(
                f"{self.folder}: appeared or changed during the run; it was not touched. Nothing was released"
            )
        if before is not None:
            before()
            self._is_elsewhere = True
        if self.target.state is None:
            try:
                os.rename(ready, self.folder)  # takes the place of nothing, or of an empty folder
            except OSError as error:
                if error.errno in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
                    raise OutputError(
                        f"{self.folder}: appeared during the run. Nothing was released"
                    ) from None
                raise
            self._hidden = None
        else:
            _check_is_release(self.folder)
            if not exchange(ready, self.folder):
                exchange_in_two_steps(ready, self.folder)
                self._hidden = None
        self.published, self._is_elsewhere = True, False
        self._made = []

    def __exit__(self, *failure: object) -> None:
        for file in self._files.values():
            with suppress(OSError):  # what could not be written is tried once more
                file.close()
        self._files = {}
        if self._hidden is not None:  # not published, or holding the release that was replaced
            shutil.rmtree(self._hidden, ignore_errors=True)
        if self._staged is not None and not self.published:
            shutil.rmtree(self._staged, ignore_errors=True)
        if self._hold is not None:
            os.close(self._hold)
        for made in self._made:
            if made.is_dir() and not any(made.iterdir()):
                made.rmdir()


def read_release(folder: Path) -> dict[str, bytes]:
    """The files of a release by name."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such release folder")
    with reading(folder):
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
