"""`verify`: audit a release folder, alone or beside the original data and the owner's files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heteronym.io.given import door
from heteronym.model.release import Verdict
from heteronym.publish import draw_again
from heteronym.run import Run
from heteronym.verify.folder import verify_release


@door
def verify(
    release: str | Path,
    *,
    against: Any = None,
    private: str | Path | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    run: Run | None = None,
) -> Verdict:
    """Audit a release folder; `private` is the owner's folder, `against` the original data.

    Data is a file or a frame, or several of them: a list in the order in which `anonymize` took them, or
    a mapping by the names that the plan joins. `verdict.holds` is None where the promise cannot be told.
    """
    owner = None if private is None else Path(private)
    with (run or Run()).active() as running:
        running.tell(None, "verify")
        return verify_release(
            Path(release),
            against=against,
            private=owner,
            delimiter=delimiter,
            encoding=encoding,
            draw=draw_again,
        )
