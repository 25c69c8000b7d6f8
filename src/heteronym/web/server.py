"""The application and its start: bound to this machine alone, opened by a token, ended by Ctrl-C."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from heteronym.errors import UsageError
from heteronym.web import actions, files, hierarchies, pages, words
from heteronym.web.guard import Guard, Keys
from heteronym.web.jobs import cancel_all, running_jobs, start_job
from heteronym.web.project import Project

UPLOAD_LIMIT = 1 << 30  # bytes; larger files are named by their path
USUAL_PORT = 8765
_OPENER = "open.html"


@dataclass(frozen=True)
class Settings:
    """How the server is started."""

    project: Path
    data: tuple[str, ...] = ()
    plan: Path | None = None
    port: int | None = None  # None: the usual one, or another if that is taken; 0: any
    idle_minutes: float | None = None
    upload_limit: int = UPLOAD_LIMIT
    api_token: str | None = None  # programs may call; None: no API
    look_on: bool = False  # a second address, for somebody who changes nothing
    host: str | None = None  # an address beside this machine's own, which needs the TLS files
    certificate: Path | None = None
    key: Path | None = None


def serve(settings: Settings, announce: Callable[[Keys, Path], None]) -> None:
    """Serve until Ctrl-C, or until nobody asked for anything for so long."""
    _check_address(settings)
    project = Project.open(settings.project)
    prepare(project, settings)
    bound = _bound(settings.port, settings.host or "127.0.0.1")
    names: tuple[str, ...] = () if settings.host is None else (settings.host, socket.gethostname())
    names = names[1:] if settings.host in ("0.0.0.0", "::") else names
    scheme = "http" if settings.certificate is None else "https"
    look = secrets.token_urlsafe(32) if settings.look_on else None
    keys = Keys(bound.getsockname()[1], api=settings.api_token, look=look, names=names, scheme=scheme)
    guard = make_app(project, keys, upload_limit=settings.upload_limit)
    opener = project.folder / _OPENER
    _write_opener(opener, keys.address)
    config = uvicorn.Config(
        guard,
        log_level="critical",  # its messages may quote what was asked for
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="off",
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64 << 10,
        ssl_certfile=settings.certificate,
        ssl_keyfile=settings.key,
    )
    server = uvicorn.Server(config)
    announce(keys, opener)
    try:
        asyncio.run(_serve(server, guard, bound, project, settings.idle_minutes))
    except KeyboardInterrupt:
        server.should_exit = True
    finally:
        opener.unlink(missing_ok=True)
        cancel_all(project)
        bound.close()


async def _serve(
    server: uvicorn.Server, guard: Guard, bound: socket.socket, project: Project, idle: float | None
) -> None:
    async def end_when_idle() -> None:
        assert idle is not None
        while not server.should_exit:
            await asyncio.sleep(min(idle * 6, 10))
            waited = time.monotonic() - guard.last_request
            if waited > idle * 60 and not await asyncio.to_thread(running_jobs, project):
                server.should_exit = True

    watching = asyncio.create_task(end_when_idle()) if idle is not None else None
    try:
        await server.serve(sockets=[bound])
    finally:
        if watching is not None:
            watching.cancel()


def prepare(project: Project, settings: Settings) -> None:
    """The data and the plan that were named on the command line."""
    if settings.plan is not None:
        project.take_plan(settings.plan)
    if settings.data:
        paths = [str(Path(path).absolute()) for path in settings.data]
        missing = [path for path in paths if not Path(path).is_file()]
        if missing:
            raise UsageError(f"{missing[0]}: no such file")
        if paths != project.data or project.get("profile") is None:
            if settings.plan is None and paths != project.data:
                project.plan_path.unlink(missing_ok=True)
            project.use_data(paths)
            start_job(project, "look", {"data": paths})


def make_app(project: Project, keys: Keys, *, upload_limit: int = UPLOAD_LIMIT) -> Guard:
    """All pages and actions behind the guard."""
    app = Starlette(
        routes=[
            Route("/", _home),
            Route("/data", pages.data_page),
            Route("/columns", pages.columns_page),
            Route("/columns/{number:int}/hierarchy", hierarchies.hierarchy_page),
            Route("/do/hierarchy/{number:int}", hierarchies.keep, methods=["POST"]),
            Route("/do/hierarchy/{number:int}/build", hierarchies.build, methods=["POST"]),
            Route("/words", pages.words_page),
            Route("/words/decisions", words.decisions_file),
            Route("/words/terms", words.terms, methods=["POST"]),
            Route("/words/term", words.term, methods=["POST"]),
            Route("/words/effect", words.effect, methods=["POST"]),
            Route("/words/count", words.count, methods=["POST"]),
            Route("/words/sample", words.sample, methods=["POST"]),
            Route("/do/words", words.decide, methods=["POST"]),
            Route("/do/scan", words.scan, methods=["POST"]),
            Route("/do/reviewer", words.reviewer, methods=["POST"]),
            Route("/do/merge", words.merge, methods=["POST"]),
            Route("/do/take-over", words.take_over, methods=["POST"]),
            Route("/promise", pages.promise_page),
            Route("/plan", pages.plan_page),
            Route("/run", pages.run_page),
            Route("/release", pages.release_page),
            Route("/release/{number:int}", pages.release_page),
            Route("/release/{number:int}/row/{row:int}", pages.row_page),
            Route("/release/{number:int}/report", files.report),
            Route("/release/{number:int}/utility", files.utility_page),
            Route("/release/{number:int}/data", files.released_data),
            Route("/release/{number:int}/all", files.released_all),
            Route("/static/{name}", files.static),
            Route("/jobs/{number:int}/events", actions.events),
            Route("/do/example", actions.use_example, methods=["POST"]),
            Route("/do/paths", actions.use_paths, methods=["POST"]),
            Route("/do/upload", actions.upload, methods=["POST"]),
            Route("/do/columns", actions.save_columns, methods=["POST"]),
            Route("/do/promise", actions.save_promise, methods=["POST"]),
            Route("/do/compare", actions.compare, methods=["POST"]),
            Route("/do/pick", actions.pick, methods=["POST"]),
            Route("/do/plan", actions.save_plan, methods=["POST"]),
            Route("/do/run", actions.start_run, methods=["POST"]),
            Route("/do/release/{number:int}/{kind}", actions.look_at_release, methods=["POST"]),
            Route("/do/cancel/{number:int}", actions.cancel, methods=["POST"]),
            *([] if keys.api is None else _api_routes()),
        ]
    )
    app.state.project = project
    app.state.keys = keys
    app.state.desk = words.Desk(project)
    app.state.upload_limit = upload_limit
    app.state.start_folder = Path.cwd()
    return Guard(app, keys)


def _api_routes() -> list[BaseRoute]:
    from heteronym.web.api import Limits, api_routes

    return api_routes(Limits())


def _check_address(settings: Settings) -> None:
    """Other machines are served over TLS or not at all: pages and calls hold personal data."""
    has_files = settings.certificate is not None and settings.key is not None
    if (settings.certificate is None) != (settings.key is None):
        raise UsageError("--tls-cert and --tls-key go together")
    if settings.host is not None and not has_files:
        raise UsageError(
            "--host lets other machines in, and what they send and see is personal data: give --tls-cert and "
            "--tls-key, too"
        )
    for path in (settings.certificate, settings.key):
        if path is not None and not path.is_file():
            raise UsageError(f"{path}: no such file")


def _home(request: Request) -> Response:
    """Where one was: the first step that is not done."""
    steps = pages.steps_of(request.app.state.project)
    return RedirectResponse("/" + next((s["path"] for s in steps if not s["done"]), "release"), 303)


def _bound(port: int | None, host: str) -> socket.socket:
    """A socket of this machine alone, unless an address was named."""
    wanted: Sequence[int] = (USUAL_PORT, 0) if port is None else (port,)
    for one in wanted:
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, one))
        except (OSError, OverflowError, UnicodeError):
            made.close()
            continue
        made.listen(128)
        return made
    raise UsageError(f"port {port} is taken or not allowed; choose another with --port")


def _write_opener(path: Path, address: str) -> None:
    """A file that leads to the address: as an argument of the browser, other users would see the token."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        out.write(
            f'<!doctype html><meta http-equiv="refresh" content="0;url={address}"><title>heteronym</title>'
        )
