"""Release folders: written under no name, moved into place in one step, or not at all.

Until a release is audited, its files have no name in any folder (Linux: O_TMPFILE), so that even a
kill leaves nothing behind. Elsewhere a hidden folder with mode 700 is used, and removed on any exit.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from heteronym.errors import InputError, OutputError, UsageError

RELEASE_FILES = frozenset({"facts.json", "plan.yaml", "report.html"})


def check_target(folder: Path, *, overwrite: bool) -> None:
    """Refuse before any work is done what would fail at its end."""
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise OutputError(f"{folder}: exists and is not a folder")
    if folder.is_dir() and any(folder.iterdir()):
        if not overwrite:
            raise OutputError(f"{folder}: exists. Use --overwrite to replace it")
        names = {path.name for path in folder.iterdir()}
        if "facts.json" not in names:
            raise OutputError(f"{folder}: is no release, and will not be overwritten")
        foreign = sorted(name for name in names if name not in RELEASE_FILES and not name.startswith("data."))
        if foreign:
            raise OutputError(f"{folder}: also holds '{foreign[0]}', which --overwrite would lose")
    parent = folder.absolute().parent
    while not parent.exists():
        parent = parent.parent
    if not parent.is_dir():
        raise OutputError(f"{folder}: {parent} is not a folder")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise OutputError(f"{folder}: no permission to write there")


class Bundle:
    """Files of a folder that does not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self.parent = self.folder.parent
        self._made: list[Path] = []  # folders that did not exist before
        self._files: dict[str, int] = {}  # name -> open file
        self._hidden: Path | None = None

    def __enter__(self) -> Bundle:
        missing = [p for p in (self.parent, *self.parent.parents) if not p.exists()]
        try:
            self.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _refusal(self.folder, error) from None
        self._made = missing
        return self

    def write(self, name: str, content: bytes) -> None:
        if name in self._files:
            os.close(self._files.pop(name))
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
            self._hidden = Path(tempfile.mkdtemp(prefix=".heteronym-", dir=self.parent))
        return os.open(self._hidden / name, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)

    def read(self, name: str) -> bytes:
        """What lies on disk, for the audit."""
        file = self._files[name]
        size = os.fstat(file).st_size
        parts, at = [], 0
        while at < size:
            part = os.pread(file, min(size - at, 1 << 24), at)
            if not part:
                break
            parts.append(part)
            at += len(part)
        return b"".join(parts)

    def publish(self) -> None:
        """Give the files their names, all at once; an older release in the way is replaced."""
        try:
            if self._hidden is None:
                ready = Path(tempfile.mkdtemp(prefix=".heteronym-", dir=self.parent))
                self._hidden = ready
                descriptors = os.open("/proc/self/fd", os.O_RDONLY)
                try:
                    for name, file in self._files.items():
                        # only with a directory does Python follow the link to the nameless file
                        os.link(str(file), ready / name, src_dir_fd=descriptors, follow_symlinks=True)
                finally:
                    os.close(descriptors)
            ready = self._hidden
            os.chmod(ready, 0o755)
            with self._older_release_aside():
                os.rename(ready, self.folder)
                self._hidden = None
                self._made = []
        except OSError as error:
            raise _refusal(self.folder, error) from None

    @contextmanager
    def _older_release_aside(self) -> Iterator[None]:
        """Moved away, and removed, or moved back if no new one took its place."""
        if not self.folder.exists():
            yield
            return
        place = Path(tempfile.mkdtemp(prefix=".heteronym-", dir=self.parent))
        try:
            os.rename(self.folder, place / "old")
            yield
        finally:
            if not self.folder.exists():
                os.rename(place / "old", self.folder)
            shutil.rmtree(place)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for file in self._files.values():
            os.close(file)
        self._files = {}
        if self._hidden is not None:
            shutil.rmtree(self._hidden, ignore_errors=True)
        for made in self._made:
            if made.is_dir() and not any(made.iterdir()):
                made.rmdir()


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


def write_private(folder: Path, files: Mapping[str, bytes]) -> None:
    """The owner's files, readable by nobody else."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.chmod(folder, 0o700)
        for name, content in files.items():
            target = folder / name
            temporary = folder / f".{name}.part"
            try:
                with os.fdopen(
                    os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb"
                ) as file:
                    file.write(content)
                os.replace(temporary, target)
            finally:
                temporary.unlink(missing_ok=True)
    except OSError as error:
        raise _refusal(folder, error) from None


def check_private(private: Path, release: Path) -> None:
    owner, given = private.resolve(), release.resolve()
    if owner == given or given in owner.parents:
        raise UsageError("--private must lie outside the release folder")
    if private.exists() and not private.is_dir():
        raise OutputError(f"{private}: exists and is not a folder")


def read_release(folder: Path) -> dict[str, bytes]:
    """The files of a release by name."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such release folder")
    try:
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}
    except OSError as error:
        raise InputError(f"{folder}: cannot be read ({error.strerror or 'input error'})") from None
