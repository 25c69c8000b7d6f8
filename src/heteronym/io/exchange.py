"""What file systems can do: two folders exchange their names in one step, names survive, folders are locked.

Linux has renameat2 with RENAME_EXCHANGE, macOS renamex_np with RENAME_SWAP; some file systems know neither.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from heteronym.errors import OutputError

HIDDEN = ".heteronym-"
_ASIDE = f"{HIDDEN}aside-"
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2  # and RENAME_SWAP of macOS
_CANNOT = (errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM)


def exchange(one: Path, other: Path) -> bool:
    """False if the system cannot; an OSError if it can and failed."""
    library = ctypes.CDLL(None, use_errno=True)
    names = (os.fsencode(one), os.fsencode(other))
    if sys.platform == "darwin" and hasattr(library, "renamex_np"):
        result = library.renamex_np(*names, ctypes.c_uint(_RENAME_EXCHANGE))
    elif hasattr(library, "renameat2"):
        here = ctypes.c_int(_AT_FDCWD)
        result = library.renameat2(here, names[0], here, names[1], ctypes.c_uint(_RENAME_EXCHANGE))
    else:
        return False
    if result == 0:
        return True
    code = ctypes.get_errno()
    if code in _CANNOT:
        return False
    raise OSError(code, os.strerror(code))


def exchange_in_two_steps(ready: Path, folder: Path) -> None:
    """Where the system cannot exchange: a crash between the steps is mended by the next run."""
    aside = Path(tempfile.mkdtemp(prefix=f"{_ASIDE}{folder.name}-", dir=folder.parent))
    try:
        os.rename(folder, aside / "old")
        os.rename(ready, folder)
    finally:
        if not folder.exists():
            os.rename(aside / "old", folder)
        shutil.rmtree(aside)


def sync_folder(folder: Path) -> None:
    """Names in a folder survive a loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems cannot
            raise
    finally:
        os.close(handle)


def lock(handle: int, how: int) -> None:
    try:
        fcntl.flock(handle, how)
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS):  # some file systems cannot
            raise


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody else publishes into this folder in the meantime."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        lock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def refusal(folder: Path, error: OSError) -> OutputError:
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


def remove_orphans(parent: Path, folder: Path) -> None:
    """What killed runs left: hidden folders that no process holds, and a release that was moved aside."""
    for path in parent.glob(f"{_ASIDE}{folder.name}-*"):
        if not folder.exists() and (path / "old").is_dir():
            os.rename(path / "old", folder)
        shutil.rmtree(path, ignore_errors=True)
    for path in parent.glob(f"{HIDDEN}*"):
        if path.name.startswith(_ASIDE) or path.is_symlink():
            continue
        with suppress(OSError):
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path)
            finally:
                os.close(handle)
