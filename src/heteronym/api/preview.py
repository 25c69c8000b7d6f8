"""`preview`: some rows before and after a plan, and what would be left of every column."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from heteronym.errors import PlanError, UsageError
from heteronym.io.given import PlanLike, as_frames, door, plan_and_folder, read_given, run_for
from heteronym.io.plans import override
from heteronym.model.schema import Role
from heteronym.run import Run

if TYPE_CHECKING:
    from heteronym.comparing.preview import Preview


@door
def preview(
    data: Any,
    plan: PlanLike,
    *,
    rows: int = 5,
    folder: str | Path | None = None,
    run: Run | None = None,
    **options: Any,
) -> Preview:
    """Carry a plan out on a sample of persons; show rows before and after, and what is left of each column.

    Nothing is written, nothing is audited, and nothing of it may be passed on. `print(found.text)` shows the
    rows; a notebook shows columns alone. `folder` is where the files are that a plan names.
    """
    from heteronym.comparing.preview import preview_of
    from heteronym.comparing.trial import on_sample, sample_of, try_plans

    if rows < 1:
        raise UsageError("rows must be at least 1")
    made, beside = plan_and_folder(plan)
    made = override(made, options) if options else made
    running = run_for(run, plan)
    running.folder = Path(folder or beside)
    with running.active():
        table = read_given(as_frames(data, made.attributes), made.data)[0]
        sample = sample_of(table, made.data.person, made.named(Role.TEXT))
        content = on_sample(made.to_dict(), sample)
        (tried,) = try_plans(sample, [("the plan", content)], running)
    if tried.draft is None:
        raise PlanError(
            f"on {sample.persons} of {sample.of} persons the plan cannot be carried out: {tried.refused}"
        )
    return preview_of(tried.draft, persons=sample.persons, of=sample.of, rows=rows)
