"""The folder for what does not fit into an engine's memory: the owner's alone, gone on every exit.

It is hidden and locked as long as we live. What a killed run left can be locked by others: the next start
beside it removes it (`io.exchange.remove_orphans`).
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heteronym.errors import OutputError
from heteronym.io.exchange import HIDDEN, lock, locked, refusal, remove_orphans


@contextmanager
def spill_folder(release: Path) -> Iterator[Path]:
    """A folder beside the release, on the same disk."""
    parent = release.absolute().parent
    while not parent.exists():
        parent = parent.parent
    try:
        with locked(parent):
            remove_orphans(parent, release.absolute())
            folder = Path(tempfile.mkdtemp(prefix=f"{HIDDEN}spill-", dir=parent))  # mode 700
            hold = os.open(folder, os.O_RDONLY)
            lock(hold, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise refusal(release, error) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(hold)


def check_room(folder: Path, needed: int) -> None:
    """Refuse before any work what would fill the disk."""
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise OutputError(
            f"about {needed / 1e9:,.1f} GB are needed in {folder.parent} to spill rows, and "
            f"{free / 1e9:,.1f} GB are free. Write the release to a larger disk"
        )
