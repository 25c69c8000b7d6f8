"""What pages ask the server to do; answers say where to go on, or what is wrong."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections.abc import AsyncIterator, Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from heteronym.errors import HeteronymError, UsageError
from heteronym.web.columns import text_columns, with_choice
from heteronym.web.jobs import cancel_job, look_after, running_jobs, start_job
from heteronym.web.pages import comparison_of, job_state
from heteronym.web.plan_text import check_plan
from heteronym.web.project import UPLOADS, Project
from heteronym.web.promise import PRESETS, grid_for, k_of, setting_of, with_k, with_setting
from heteronym.web.scans import scan_if_needed

_LARGEST_CALL = 16 << 20  # bytes of a form; data comes by `upload`
_EXAMPLE = "clinic"
Action = Callable[[Request, dict[str, Any]], dict[str, Any]]


def action(do: Action) -> Callable[[Request], Any]:
    """An endpoint that reads a small JSON object, does something, and answers with one."""

    async def endpoint(request: Request) -> Response:
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > _LARGEST_CALL:
                return JSONResponse({"error": "That is more than a form holds."}, 413)
        try:
            given = json.loads(body or b"{}")
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
            given = None
        if not isinstance(given, dict):
            return JSONResponse({"error": "The request must be a JSON object."}, 400)
        try:
            return JSONResponse(await run_in_threadpool(do, request, given))
        except HeteronymError as error:
            return JSONResponse({"error": str(error)}, 422)

    return endpoint


# --- data -----------------------------------------------------------------------------------------


@action
def use_example(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """The bundled clinic, with its plan and word lists."""
    project: Project = request.app.state.project
    target = project.folder / UPLOADS / _EXAMPLE
    with as_file(files("heteronym") / "examples" / _EXAMPLE) as folder:
        target.mkdir(mode=0o700, exist_ok=True)
        shutil.copyfile(folder / "visits.csv", target / "visits.csv")
        project.take_plan(folder / "plan.yaml")
    return _look_at(project, [str(target / "visits.csv")])


@action
def use_paths(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """Files on this machine, inside the folder in which the server was started."""
    allowed: Path = request.app.state.start_folder
    named = [line.strip() for line in str(given.get("paths", "")).splitlines() if line.strip()]
    if not named:
        raise UsageError("Name a file.")
    paths = []
    for name in named:
        if "\0" in name:
            raise UsageError("This is no name of a file.")
        path = (allowed / name).resolve()
        if not path.is_relative_to(allowed.resolve()):
            raise UsageError("Files must lie inside the folder in which `heteronym serve` was started.")
        if not path.is_file():
            raise UsageError("There is no such file.")
        paths.append(str(path))
    project: Project = request.app.state.project
    project.plan_path.unlink(missing_ok=True)
    return _look_at(project, paths)


async def upload(request: Request) -> Response:
    """One file, streamed into the project's folder; a partial one is taken away again."""
    project: Project = request.app.state.project
    limit: int = request.app.state.upload_limit
    too_large = (
        f"Uploads end at {limit >> 20:,} MB. Start `heteronym serve` with the path of the file instead."
    )
    name = safe_name(unquote(request.headers.get("x-file-name", "")))
    length = request.headers.get("content-length", "0")
    if length.isdigit() and int(length) > limit:
        return JSONResponse({"error": too_large}, 413)
    target = _free_place(project.folder / UPLOADS, name)
    written = 0
    try:
        with target.open("xb") as out:
            target.chmod(0o600)
            async for chunk in request.stream():
                written += len(chunk)
                if written > limit:
                    target.unlink()
                    return JSONResponse({"error": too_large}, 413)
                await run_in_threadpool(out.write, chunk)
    except (ClientDisconnect, asyncio.CancelledError):
        target.unlink(missing_ok=True)
        raise
    except OSError as error:
        target.unlink(missing_ok=True)
        return JSONResponse({"error": f"The file cannot be kept ({error.strerror})."}, 507)
    if not written:
        target.unlink()
        return JSONResponse({"error": "The file is empty."}, 422)
    project.plan_path.unlink(missing_ok=True)
    return JSONResponse(await run_in_threadpool(_look_at, project, [str(target)]))


def safe_name(name: str) -> str:
    """A name without folders or odd characters, which keeps its ending."""
    plain = re.sub(r"[^\w.-]+", "_", name.replace("\\", "/").rsplit("/", 1)[-1]).lstrip(".")
    stem, dot, ending = plain.rpartition(".")
    return f"{stem[:80]}{dot}{ending[:12]}" if stem else (plain[:80] or "data.csv")


def _free_place(folder: Path, name: str) -> Path:
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{number}-{name}"
    return path


def _look_at(project: Project, data: list[str]) -> dict[str, Any]:
    for job in running_jobs(project):
        cancel_job(project, job.id)
    project.use_data(data)
    start_job(project, "look", {"data": data})
    return {"go": "/data"}


# --- plan -----------------------------------------------------------------------------------------


@action
def save_columns(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    project: Project = request.app.state.project
    profile, text = project.get("profile"), project.plan_text
    if profile is None or text is None:
        raise UsageError("Look at the data first.")
    for number, column in enumerate(profile["columns"]):
        role, scale = given.get(f"role-{number}"), given.get(f"scale-{number}")
        if isinstance(role, str) and isinstance(scale, str):
            text = with_choice(text, column["name"], role=role, scale=scale)
    has_texts = bool(text_columns(text))
    if given.get("then") == "preview":
        answer = _saved(project, text, "/columns")
        if "go" in answer:
            start_job(project, "preview", {"data": project.data, "plan": text})
        return answer
    answer = _saved(project, text, "/words" if has_texts else "/promise")
    if has_texts and "go" in answer:
        scan_if_needed(project)
    return answer


@action
def save_promise(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    project: Project = request.app.state.project
    text = project.plan_text
    if text is None:
        raise UsageError("Look at the data first.")
    preset = next((one for one in PRESETS if one.name == given.get("preset")), None)
    asked = str(preset.k if preset is not None else given.get("k") or "")
    if not asked.isdigit() or not 2 <= int(asked) <= 10**6:
        raise UsageError("k must be a whole number from 2 on.")
    answer = _saved(project, with_k(text, int(asked)), "/run")
    project.put("promised", True)
    return answer


@action
def compare(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """What other promises would cost, on some of the persons."""
    project: Project = request.app.state.project
    text, profile = _usable_plan(project), project.get("profile")
    persons = 0 if profile is None else int(profile["persons"])
    for job in running_jobs(project):
        if job.kind == "compare":
            cancel_job(project, job.id)
    start_job(project, "compare", {"data": project.data, "plan": text, "grid": grid_for(text, persons)})
    return {"go": "/promise"}


@action
def pick(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """The plan takes over what a point of the comparison sets."""
    project: Project = request.app.state.project
    found = comparison_of(project)
    number = str(given.get("point", ""))
    if found is None or found.result is None or not number.isdigit():
        raise UsageError("Choose a point of the comparison.")
    answer = _saved(
        project, with_setting(_usable_plan(project), setting_of(found.result, int(number))), "/promise"
    )
    project.put("promised", True)
    return answer


def _usable_plan(project: Project) -> str:
    text = project.plan_text
    if text is None or not project.data:
        raise UsageError("Look at the data first.")
    fault = check_plan(text, project.folder)
    if fault is not None:
        raise UsageError(f"The plan cannot be used yet: {fault.message}")
    return text


@action
def save_plan(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """The plan as it was typed, if it can be read; else what is wrong, with its line."""
    project: Project = request.app.state.project
    text = str(given.get("text", "")).replace("\r\n", "\n")
    fault = check_plan(text, project.folder)
    if fault is not None:
        return {"error": fault.message, "line": fault.line}
    project.write_plan(text)
    return {"note": "Saved. The plan can be read."}


def _saved(project: Project, text: str, go: str) -> dict[str, Any]:
    fault = check_plan(text, project.folder)
    if fault is not None:
        return {"error": fault.message, "line": fault.line}
    project.write_plan(text)
    return {"go": go}


# --- jobs -----------------------------------------------------------------------------------------


@action
def start_run(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    project: Project = request.app.state.project
    text = project.plan_text
    if text is None or not project.data:
        raise UsageError("A run needs data and a plan.")
    if any(job.kind == "run" for job in running_jobs(project)):
        raise UsageError("A run is under way; cancel it, or wait.")
    number = start_job(project, "run", {"data": project.data, "k": k_of(text), "plan": text})
    return {"go": "/run", "job": number}


@action
def look_at_release(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """Audit the files as they lie there, attack them, or ask what they are still good for."""
    project: Project = request.app.state.project
    kind, run = request.path_params["kind"], project.job(request.path_params["number"])
    if kind not in ("verify", "attack", "utility"):
        raise UsageError("There is no such work.")
    if run is None or run.kind != "run" or run.state != "done":
        raise UsageError("There is no such release.")
    start_job(project, kind, {"run": run.id, "data": run.given["data"]})
    return {"go": f"/release/{run.id}"}


@action
def cancel(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    cancel_job(request.app.state.project, request.path_params["number"])
    return {"note": "Asked to stop."}


async def events(request: Request) -> Response:
    """How far a job is, as server-sent events, until it is over."""
    project: Project = request.app.state.project
    number = request.path_params["number"]

    async def states() -> AsyncIterator[str]:
        before = None
        while True:
            job = await run_in_threadpool(look_after, project, number)
            if job is None:
                return
            state = job_state(job)
            if state != before:
                yield f"data: {json.dumps(state)}\n\n"
            if job.is_over or await request.is_disconnected():
                return
            before = state
            await asyncio.sleep(0.2)

    return StreamingResponse(states(), media_type="text/event-stream")
