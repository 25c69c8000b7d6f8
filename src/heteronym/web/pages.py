"""The pages: what a project holds, drawn by templates in which everything is escaped."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

import heteronym as hn
from heteronym.errors import HeteronymError
from heteronym.io.owned import open_owned
from heteronym.report.plots import meter, three
from heteronym.web.columns import ROLES, SCALES, column_choices, text_columns
from heteronym.web.jobs import look_after, running_jobs
from heteronym.web.plan_text import check_plan, content_of
from heteronym.web.project import Job, Project
from heteronym.web.promise import PRESETS, k_of, meaning_of, picture_of, refused_of
from heteronym.web.scans import scan_of
from heteronym.web.tables import person_rows, read_as_planned

STEP_NAMES = {
    "": "starting",
    "read": "reading",
    "scan": "finding mentions in texts",
    "link": "linking mentions to columns",
    "encode": "encoding persons",
    "partition": "forming groups",
    "recode": "recoding",
    "measure": "measuring what it cost",
    "write": "writing",
    "verify": "verifying the written files",
    "profile": "looking at columns",
    "report": "reporting",
    "trial": "trying plans on some persons",
    "utility": "measuring what it is good for",
    "attack": "attacking",
}
LANGUAGES = {"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "nl": "Dutch"}
# Keys of the review: key, what it does, its name, and what it means.
CHOICES = (
    ("⏎", "confirm", "right", "a mention, as it was found: the plan decides what becomes of it"),
    ("m", "mask", "mask", "always replaced by its type"),
    ("k", "keep", "keep", "may be read as it stands; outside of the promise"),
    ("n", "never", "never a mention", "found by mistake"),
    ("t", "type", "other type", "the type chosen last; Shift and t chooses another"),
    ("s", "same", "same as", "another spelling of a word"),
)
MOVES = (
    ("o", "only", "only here", "the next decision holds for one place; again: the next place"),
    ("u", "undo", "undo", "takes the last step back"),
    ("a", "add", "add missed words", "the words selected in a text, wherever they stand"),
    ("b", "bulk", "all in view", "one decision about all that the filter shows"),
    ("↑", "back", "back", "without deciding"),
    ("↓", "next", "skip", "without deciding"),
    ("/", "find", "search", "to the filter; Escape leads back"),
)
MOST_RUNS = 6  # whose settings are put side by side
MOST_ROWS = 20  # of a person on one page
_FILES = files("heteronym.web")


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FunctionLoader(lambda name: (_FILES / "templates" / name).read_text("utf-8")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["percent"] = lambda share: three(share, percent=True)
    made.filters["three"] = three
    made.filters["meter"] = lambda share: Markup(meter(share))
    made.filters["language"] = lambda code: LANGUAGES.get(code, code)
    made.filters["step"] = lambda name: STEP_NAMES.get(name, name)
    return made


def render(request: Request, template: str, **given: Any) -> Response:
    """A page with the steps in view: what is done, and what is missing."""
    project: Project = request.app.state.project
    page = _environment().get_template(template)
    known = {
        "write_token": request.app.state.keys.write,
        "steps": steps_of(project),
        "here": request.url.path.split("/")[1] or "data",
        "project": project,
        "looks_on": request.state.looks_on,
    }
    return HTMLResponse(page.render({**known, **given}))


def steps_of(project: Project) -> list[dict[str, Any]]:
    """Every step with its state: done, now (can be done) or later, and what is missing."""
    has_data, has_profile = bool(project.data), project.get("profile") is not None
    has_plan, promised = project.plan_text is not None, bool(project.get("promised"))
    runs = project.jobs("run")
    released = any(run.state == "done" for run in runs)
    has_texts = bool(text_columns(project.plan_text))
    no_words = "there is no column of free text" if has_plan else "look at the data first"
    ready = has_data and has_plan
    steps = [
        ("data", "Data", has_profile, True, "name the data first"),
        ("columns", "Columns", promised or bool(runs), has_profile and has_plan, "look at the data first"),
        (
            "words",
            "Words",
            (has_profile and not has_texts) or promised or bool(runs),
            ready and has_texts,
            no_words,
        ),
        ("promise", "Promise", promised or bool(runs), ready, "look at the data first"),
        ("run", "Run", released, ready, "needs data and a plan"),
        ("release", "Release", released, released, "run first"),
    ]
    return [
        {"path": path, "name": name, "done": done, "open": is_open, "missing": "" if is_open else missing}
        for path, name, done, is_open, missing in steps
    ]


def data_page(request: Request) -> Response:
    project: Project = request.app.state.project
    looks = project.jobs("look")
    look = look_after(project, looks[0].id) if looks else None
    return render(
        request,
        "data.html.jinja",
        data=project.data,
        look=look,
        profile=project.get("profile"),
        preview=project.get("preview"),
        layouts=project.get("layouts") or [],
        found=content_of(project.plan_text),
        limit=request.app.state.upload_limit,
        start_folder=str(request.app.state.start_folder),
    )


def columns_page(request: Request) -> Response:
    project: Project = request.app.state.project
    profile = project.get("profile")
    tried = latest(project, "preview")
    choices = (
        [] if profile is None else column_choices(profile, project.plan_text, project.get("spreads") or [])
    )
    left = {} if tried is None or tried.result is None else tried.result["columns_left"]
    return render(
        request,
        "columns.html.jinja",
        profile=profile,
        choices=choices,
        roles=ROLES,
        scales=SCALES,
        fault=_plan_fault(project),
        tried=tried,
        left=left,
        outdated=tried is not None and tried.given["plan"] != project.plan_text,
    )


def latest(project: Project, kind: str, **given: Any) -> Job | None:
    """The latest job of a kind on the data as it is."""
    wanted = {"data": project.data, **given}
    found = (job for job in project.jobs(kind) if all(job.given.get(k) == v for k, v in wanted.items()))
    one = next(found, None)
    return None if one is None else look_after(project, one.id)


def words_page(request: Request) -> Response:
    """The review; its terms come by `words`."""
    project: Project = request.app.state.project
    scan = scan_of(project)
    scan = None if scan is None else look_after(project, scan.id)
    review = request.app.state.desk.review()
    return render(
        request,
        "words.html.jinja",
        has_texts=bool(text_columns(project.plan_text)),
        scan=scan,
        review=review,
        reviewer=project.get("reviewer") or "",
        agreement=project.get("agreement"),
        former=bool(project.former_decisions()),
        decided=project.decisions_path.is_file(),
        choices=CHOICES,
        moves=MOVES,
    )


def promise_page(request: Request) -> Response:
    project: Project = request.app.state.project
    text, profile = project.plan_text, project.get("profile")
    found = comparison_of(project)
    plot = ""
    lines: list[dict[str, Any]] = []
    refused: list[Mapping[str, Any]] = []
    if found is not None and found.result is not None:
        plot, lines = picture_of(found.result, text)
        refused = [*refused_of(found.result)]
    return render(
        request,
        "promise.html.jinja",
        presets=PRESETS,
        k=k_of(text),
        models=meaning_of(text),
        persons=None if profile is None else profile["persons"],
        has_plan=text is not None,
        fault=_plan_fault(project),
        comparison=found,
        plot=Markup(plot),
        lines=lines,
        refused=refused,
        outdated=found is not None and _but_for_promise(found.given["plan"]) != _but_for_promise(text),
    )


def comparison_of(project: Project) -> Job | None:
    """The latest comparison on the data as it is."""
    return latest(project, "compare")


def _but_for_promise(text: str | None) -> dict[str, Any]:
    """What a comparison holds still while it varies the promise."""
    return {name: value for name, value in content_of(text).items() if name not in ("privacy", "partition")}


def plan_page(request: Request) -> Response:
    project: Project = request.app.state.project
    text = project.plan_text or ""
    given = {"text": text, "fault": _plan_fault(project) if text else None}
    return render(request, "plan.html.jinja", **given, commands=commands_of(project))


def run_page(request: Request) -> Response:
    project: Project = request.app.state.project
    now = next((job for job in running_jobs(project) if job.kind == "run"), None)
    runs = [run_line(run) for run in project.jobs("run")]
    fault = _plan_fault(project)
    ready = bool(project.data) and project.plan_text is not None and fault is None
    differing = differing_settings(project.jobs("run")[:MOST_RUNS])
    given = {"now": now, "runs": runs, "ready": ready, "fault": fault, "differing": differing}
    return render(request, "run.html.jinja", **given)


def differing_settings(runs: Sequence[Job]) -> dict[str, Any]:
    """What the plans of these runs do not all say: the runs, and a line for each setting."""
    plans = [_flat(content_of(run.given.get("plan"))) for run in runs]
    names = dict.fromkeys(name for plan in plans for name in plan)
    lines = [(name, [plan.get(name) for plan in plans]) for name in names]
    lines = [(name, values) for name, values in lines if any(value != values[0] for value in values)]
    return {"runs": [run.id for run in runs], "lines": lines}


def _flat(content: Any, before: str = "") -> dict[str, str]:
    """Settings by their path; entries of a list by what they are."""
    if isinstance(content, Mapping):
        parts = [(f"{before}{'.' if before else ''}{name}", value) for name, value in content.items()]
    elif isinstance(content, list) and any(isinstance(one, Mapping) for one in content):
        named = [
            one.get("model", n + 1) if isinstance(one, Mapping) else n + 1 for n, one in enumerate(content)
        ]
        parts = [(f"{before}.{name}", value) for name, value in zip(named, content, strict=True)]
    else:
        return {before: ", ".join(map(str, content)) if isinstance(content, list) else str(content)}
    return {path: told for name, value in parts for path, told in _flat(value, name).items()}


def release_page(request: Request) -> Response:
    """The release of a run; the latest good one if none is named."""
    project: Project = request.app.state.project
    number = request.path_params.get("number")
    done = [run for run in project.jobs("run") if run.state == "done"]
    run = next((run for run in done if number is None or run.id == number), None)
    of_run: dict[str, Job | None] = {"audit": None, "attack": None, "utility": None}
    if run is not None:
        kinds = {"audit": "verify", "attack": "attack", "utility": "utility"}
        given_run = {"data": run.given["data"], "run": run.id}
        of_run = {name: latest(project, kind, **given_run) for name, kind in kinds.items()}
    line = None if run is None else run_line(run)
    commands = [] if run is None else commands_of(project, run)
    given = {"run": run, "line": line, "commands": commands, **of_run}
    return render(request, "release.html.jinja", **given)


def row_page(request: Request) -> Response:
    """Why one released row looks as it does, with the person's texts and the others of the group."""
    project: Project = request.app.state.project
    run, row = project.job(request.path_params["number"]), request.path_params["row"]
    given: dict[str, Any] = {"told": None, "fault": None, "texts": [], "last": 0}
    if run is None or run.kind != "run" or run.state != "done":
        given["fault"] = "There is no such release."
    else:
        try:
            given |= _row_told(project, run, row)
        except HeteronymError as error:
            given["fault"] = str(error)
    return render(request, "row.html.jinja", run=run, row=row, **given)


def _row_told(project: Project, run: Job, row: int) -> dict[str, Any]:
    folder = project.run_folder(run.id)
    release, private = folder / "release", folder / "owner"
    told = hn.explain(release, private=private, row=row, values=True)
    opened = open_owned(release, private)
    before = read_as_planned([Path(path) for path in run.given["data"]], opened.plan.data.model_dump())
    rows, mentions = [(row, told.source_row)], {row: told.mentions}
    for other in told.same_person[:MOST_ROWS]:
        if other != row:
            one = hn.explain(release, private=private, row=other, values=True)
            rows.append((other, one.source_row))
            mentions[other] = one.mentions
    texts = person_rows(before.frame, opened.table, sorted(rows), mentions)
    return {"told": told, "texts": texts, "last": opened.table.height}


def run_line(run: Job) -> dict[str, Any]:
    """What is told of a run beside others."""
    line: dict[str, Any] = {"id": run.id, "state": run.state, "message": run.message, "k": run.given.get("k")}
    line["seconds"] = run.seconds
    if run.result is not None:
        facts: Mapping[str, Any] = run.result["facts"]
        ncp, groups = facts["measures"]["ncp"], facts["measures"]["groups"]
        line |= {"loss": ncp["total"], "columns": ncp.get("relational"), "terms": ncp.get("textual")}
        line |= {"groups": groups["count"], "smallest": groups["min"], "holds": facts["verdict"]["holds"]}
        line |= {"models": facts["verdict"]["models"], "unit": facts["verdict"]["unit"]}
        line["remarks"] = [c["detail"] for c in facts["verdict"]["checks"] if c["holds"] is None]
    return line


def commands_of(project: Project, run: Job | None = None) -> dict[str, str]:
    """What would be typed for what was clicked."""
    data = shlex.join(run.given["data"] if run is not None else project.data)
    folder = project.run_folder(run.id) if run is not None else project.folder
    plan = shlex.quote(str(project.plan_path))
    release, owner = (shlex.quote(str(folder / name)) for name in ("release", "owner"))
    against = " ".join(
        f"--against {shlex.quote(path)}" for path in (run.given["data"] if run else project.data)
    )
    shell = [
        f"heteronym profile {data} -o {plan}",
        f"heteronym anonymize {data} -c {plan} -o {release} --private {owner}",
        f"heteronym verify {release} {against} --private {owner}",
    ]
    paths = run.given["data"] if run is not None else project.data
    source = repr(paths[0]) if len(paths) == 1 else repr(paths)
    python = [
        "import heteronym as hn",
        "",
        f"found = hn.profile({source})",
        f"release = hn.anonymize({source}, {str(project.plan_path)!r},",
        f"                       output={str(folder / 'release')!r}, private={str(folder / 'owner')!r})",
        "print(release.verdict)",
    ]
    return {"shell": "\n".join(shell), "python": "\n".join(python)}


def _plan_fault(project: Project) -> Any:
    text = project.plan_text
    return None if text is None else check_plan(text, project.folder)


def job_state(job: Job) -> dict[str, Any]:
    """What a page needs to draw how far a job is."""
    left = job.seconds_left
    return {
        "state": job.state,
        "step": STEP_NAMES.get(job.step, job.step),
        "share": job.share,
        "seconds": round(job.seconds, 1),
        "left": None if left is None else round(left, 1),
        "message": job.message,
    }
