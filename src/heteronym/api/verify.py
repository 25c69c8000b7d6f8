"""`verify`: audit a release folder, alone or beside the original data and the owner's files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heteronym.databases.address import is_address, parse_address
from heteronym.errors import UsageError
from heteronym.io.database_targets import default_folder
from heteronym.io.given import door
from heteronym.model.plan import DataPlan
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
    report_folder: str | Path | None = None,
    table: str | None = None,
    query: str | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    run: Run | None = None,
) -> Verdict:
    """Audit a release folder; `private` is the owner's folder, `against` the original data.

    A release in a database is the address of its table, with the folder beside it as `report_folder`. Of
    original data in a database, `table` or `query` say what was read, as in `data` of a plan.

    Data is a file or a frame, or several of them: a list in the order in which `anonymize` took them, or
    a mapping by the names that the plan joins. `verdict.holds` is None where the promise cannot be told.
    """
    owner = None if private is None else Path(private)
    address = parse_address(release) if isinstance(release, str) and is_address(release) else None
    if address is None and report_folder is not None:
        raise UsageError("report_folder belongs to a release in a database")
    folder = Path(release) if address is None else Path(report_folder or default_folder(str(release)))
    with (run or Run()).active() as running:
        running.tell(None, "verify")
        return verify_release(
            folder,
            against=against,
            private=owner,
            how=DataPlan(delimiter=delimiter, encoding=encoding, table=table, query=query),
            stored=address,
            draw=draw_again,
        )
