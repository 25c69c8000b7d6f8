"""What a job does, in a process of its own: `python -m heteronym.web.work PROJECT NUMBER`.

Progress and outcome go to the project's state. A term signal cancels the run, which ends within a second and
leaves nothing; where it does not, the process ends all the same.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from traceback import extract_tb
from typing import Any

import heteronym as hn
from heteronym.errors import CancelledError, HeteronymError
from heteronym.web.columns import text_columns
from heteronym.web.project import Job, Project
from heteronym.web.promise import kept_of
from heteronym.web.tables import before_and_after, first_rows, layouts, previewed, read_as_planned, spreads

_EVERY = 0.1  # seconds between two notes of progress
_PATIENCE = 10  # seconds between being asked and being made to end
_CANCELLED = "Cancelled. Nothing was released."


class _Progress:
    """Notes how far the work is, not too often."""

    def __init__(self, project: Project, number: int) -> None:
        self.project, self.number = project, number
        self._step, self._noted = "", 0.0

    def __call__(self, step: str, share: float | None) -> None:
        now = time.time()
        if step != self._step:
            self._step, self._noted = step, now
            self.project.change_job(self.number, step=step, share=share, step_began=now)
        elif now - self._noted >= _EVERY:
            self._noted = now
            self.project.change_job(self.number, share=share)


def work(project: Project, number: int) -> None:
    job = project.job(number)
    assert job is not None
    run = hn.Run(_Progress(project, number), folder=project.folder)

    def stop(*details: object) -> None:
        run.cancel()
        threading.Thread(target=_end_late, args=(project, number), daemon=True).start()

    signal.signal(signal.SIGTERM, stop)
    try:
        result = _KINDS[job.kind](project, job, run)
        run.poll()
        ending: dict[str, Any] = {"state": "done", "result": result}
    except CancelledError:
        ending = {"state": "cancelled", "message": _CANCELLED}
    except HeteronymError as error:
        ending = {"state": "failed", "message": str(error)}
    except MemoryError:
        ending = {"state": "failed", "message": "Not enough memory. Nothing was released."}
    except Exception as error:  # noqa: BLE001 - its text may quote data: kind and place are told
        place = extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {place.name}, line {place.lineno}"
        ending = {"state": "failed", "message": f"A fault of the program ({where}). Nothing was released."}
    project.change_job(number, **ending, ended=time.time())


def _end_late(project: Project, number: int) -> None:
    time.sleep(_PATIENCE)
    project.change_job(number, state="cancelled", message=_CANCELLED, ended=time.time())
    os._exit(1)


def _look(project: Project, job: Job, run: hn.Run) -> Mapping[str, Any]:
    """Scales, roles with reasons and the risk as it is; a draft plan, if there is no plan yet."""
    data = [Path(path) for path in job.given["data"]]
    found = hn.profile(data, run=run)
    run.poll()
    told = found.to_dict()
    settings = found.plan.get("data", {})
    table = read_as_planned(data, settings)
    project.put("preview", first_rows(table))
    project.put("layouts", layouts(data, settings))
    project.put("spreads", spreads(table.frame, told["columns"]))
    project.put("profile", told)
    if project.plan_text is None:
        project.write_plan(found.text)
    return {"rows": found.rows, "persons": found.persons}


def _run(project: Project, job: Job, run: hn.Run) -> Mapping[str, Any]:
    """A release with the owner's files beside it, if the promise can be kept."""
    folder = project.run_folder(job.id)
    data = [Path(path) for path in job.given["data"]]
    plan = _plan_of(job, folder)
    given: dict[str, Any] = {"output": folder / "release", "private": folder / "owner", "run": run}
    if text_columns(job.given["plan"]):
        given |= {"cache": _cache(project), "mentions": _decisions_as_they_are(project, folder)}
    release = hn.anonymize(_data_of(job), plan, **given)
    return {"facts": release.facts, "changes": before_and_after(release, data, plan)}


def _scan(project: Project, job: Job, run: hn.Run) -> Mapping[str, Any]:
    """The mentions of all texts, for review; what was recognized is remembered for the runs."""
    folder = project.run_folder(job.id)
    plan = _plan_of(job, folder)
    found = hn.scan(
        _data_of(job), plan=plan, output=folder / "mentions.jsonl", cache=_cache(project), run=run
    )
    (folder / "mentions.jsonl").chmod(0o600)
    return {"mentions": len(found)}


def _decisions_as_they_are(project: Project, folder: Path) -> Path | None:
    """A copy beside the run; None if nothing was decided."""
    if not project.decisions_path.is_file() or not project.decisions_path.stat().st_size:
        return None
    copy = folder / "decisions.jsonl"
    project.write_private(copy, project.decisions_path.read_text("utf-8", errors="surrogatepass"))
    return copy


def _cache(project: Project) -> Path:
    folder = project.folder / "cache"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _verify(project: Project, job: Job, run: hn.Run) -> Mapping[str, Any]:
    """The auditor's word on the files as they lie there now, against the data."""
    folder = project.run_folder(job.given["run"])
    return hn.verify(folder / "release", against=_data_of(job), private=folder / "owner", run=run).to_dict()


def _attack(project: Project, job: Job, run: hn.Run) -> Mapping[str, Any]:
    """What simulated attackers find in the files, beside what was promised."""
    folder = project.run_folder(job.given["run"])
    told = hn.attack(folder / "release", against=_data_of(job), private=folder / "owner", run=run).to_dict()
    for one in told["attacks"]:
        one["order"] = {False: 0, True: 1}.get(one["holds"], 2)  # what is broken first
    return told


def _utility(project: Project, job: Job, run: hn.Run) -> Mapping[str, Any]:
    """What the release is still good for; its page lies in the owner's folder."""
    folder = project.run_folder(job.given["run"])
    found = hn.utility(folder / "release", against=_data_of(job), private=folder / "owner", run=run)
    return {"lines": found.text.strip().splitlines()}


def _compare(project: Project, job: Job, run: hn.Run) -> Mapping[str, Any]:
    """What other promises would cost, on some persons alone."""
    folder = project.run_folder(job.id)
    given: dict[str, Any] = {"cache": _cache(project)} if text_columns(job.given["plan"]) else {}
    data = _data_of(job)
    found = hn.compare(
        data, _plan_of(job, folder), sample=True, processes=1, run=run, **given, **job.given["grid"]
    )
    return kept_of(found)


def _preview(project: Project, job: Job, run: hn.Run) -> Mapping[str, Any]:
    """What some rows would become under the plan, on some persons alone."""
    folder = project.run_folder(job.id)
    return previewed(hn.preview(_data_of(job), _plan_of(job, folder), folder=project.folder, run=run))


def _data_of(job: Job) -> Any:
    data = [Path(path) for path in job.given["data"]]
    return data[0] if len(data) == 1 else data


def _plan_of(job: Job, folder: Path) -> hn.Plan:
    """The plan as it was when the work was started."""
    (folder / "plan.yaml").write_text(job.given["plan"], "utf-8")
    return hn.read_plan(folder / "plan.yaml")


_KINDS = {
    "look": _look,
    "scan": _scan,
    "preview": _preview,
    "compare": _compare,
    "run": _run,
    "verify": _verify,
    "attack": _attack,
    "utility": _utility,
}

if __name__ == "__main__":
    os.nice(5)  # pages are answered first
    work(Project(Path(sys.argv[1])), int(sys.argv[2]))
