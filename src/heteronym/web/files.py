"""Files that the server hands out: its own style and scripts, and what a run released."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response, StreamingResponse

from heteronym.api.utility import PAGE_FILE as UTILITY_PAGE
from heteronym.web.project import Project

_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# The report draws with inline styles and runs no code; in a sandbox it could not either.
_REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"
)
_STATIC = {
    **{path.name: path for path in (files("heteronym.web") / "static").iterdir()},
    "base.css": files("heteronym.report") / "base.css",  # one style for pages and reports
}


def static(request: Request) -> Response:
    """By a list of names, not by a path."""
    found = _STATIC.get(request.path_params["name"])
    kind = _KINDS.get(os.path.splitext(request.path_params["name"])[1])
    if found is None or kind is None:
        return PlainTextResponse("There is no such file.", 404)
    return Response(found.read_bytes(), media_type=kind)


def report(request: Request) -> Response:
    folder = _release(request)
    if folder is None:
        return PlainTextResponse("There is no such release.", 404)
    text = (folder / "report.html").read_text("utf-8")
    return HTMLResponse(text, headers={"content-security-policy": _REPORT_POLICY})


def utility_page(request: Request) -> Response:
    """What a release is still good for, for its owner alone: it is in no release."""
    folder = _release(request)
    path = None if folder is None else folder.parent / "owner" / UTILITY_PAGE
    if path is None or not path.is_file():
        return PlainTextResponse("Nobody asked yet what this release is good for.", 404)
    return HTMLResponse(path.read_text("utf-8"), headers={"content-security-policy": _REPORT_POLICY})


def released_data(request: Request) -> Response:
    """The released table in the format that came in."""
    folder = _release(request)
    found = [] if folder is None else [path for path in folder.iterdir() if path.stem == "data"]
    if not found:
        return PlainTextResponse("There is no such release.", 404)
    name = f"release-{request.path_params['number']}{found[0].suffix}"
    return FileResponse(found[0], filename=name, media_type="application/octet-stream")


def released_all(request: Request) -> Response:
    """The whole release as one archive; nothing of the owner's folder is in it."""
    folder = _release(request)
    if folder is None:
        return PlainTextResponse("There is no such release.", 404)
    packed = tempfile.SpooledTemporaryFile(max_size=32 << 20)  # noqa: SIM115 - closed when it was sent
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                archive.write(path, path.relative_to(folder))
    size = packed.tell()
    packed.seek(0)
    name = f"release-{request.path_params['number']}.zip"
    headers = {"content-disposition": f'attachment; filename="{name}"', "content-length": str(size)}
    return StreamingResponse(_pieces(packed), media_type="application/zip", headers=headers)


def _pieces(file: Any) -> Iterator[bytes]:
    with file:
        while piece := file.read(1 << 16):
            yield piece


def _release(request: Request) -> Any:
    """The folder of a run that is done; numbers of runs, and no paths, come from outside."""
    project: Project = request.app.state.project
    run = project.job(request.path_params["number"])
    if run is None or run.kind != "run" or run.state != "done":
        return None
    return project.run_folder(run.id) / "release"
