"""The JSON API of `heteronym serve --api`: the library's calls for programs, with limits of size and time.

A call does all that was asked or nothing: a text that cannot be processed is an error of the whole call, and
no text is ever answered as it came because something went wrong. Nothing of a call is kept, but for the
vaults of pseudonyms that a caller names. Callers send a bearer token.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

import heteronym as hn
from heteronym.errors import CancelledError, HeteronymError, UsageError
from heteronym.web import api_calls as calls
from heteronym.web.project import Project

LARGEST = 8 << 20  # bytes of a call
LONGEST = 120.0  # seconds of a call
AT_ONCE = 2  # calls that work at the same time; the others wait
_VAULTS = "vaults"
_FILES = ("data.csv", "plan.yaml", "facts.json", "report.html")


class Limits(NamedTuple):
    """Of one call."""

    bytes: int = LARGEST
    seconds: float = LONGEST


class _Door(NamedTuple):
    """A call of the API."""

    name: str
    asked: type[BaseModel]
    answered: type[BaseModel]
    do: Callable[[Any, Project, hn.Run], dict[str, Any]]


def _scan(call: calls.ScanCall, project: Project, run: hn.Run) -> dict[str, Any]:
    found = hn.scan(call.texts, plan=call.text, model=call.model, run=run)
    return {"mentions": [[span._asdict() for span in spans] for spans in found]}


def _sanitize(call: calls.SanitizeCall, project: Project, run: hn.Run) -> dict[str, Any]:
    given: dict[str, Any] = {"method": call.method, "model": call.model, "plan": call.text, "run": run}
    reserved = {"output", "private", "passphrase", "cache", "words", *given} & call.parameters.keys()
    if reserved:
        raise UsageError(f"parameters: '{min(reserved)}' is none of the method's that a call may give")
    if call.vault is not None:
        given["private"] = _vault(project, call.vault, new=True)
    return {"texts": [str(hn.sanitize(text, **given, **call.parameters)) for text in call.texts]}


def _restore(call: calls.RestoreCall, project: Project, run: hn.Run) -> dict[str, Any]:
    vault = _vault(project, call.vault, new=False)
    return {"texts": [str(hn.restore(text, private=vault, run=run)) for text in call.texts]}


def _analyze(call: calls.AnalyzeCall, project: Project, run: hn.Run) -> dict[str, Any]:
    given: dict[str, Any] = {"author": call.author, "recipient": call.recipient, "model": call.model}
    return {"findings": [hn.analyze(text, **given, run=run) for text in call.texts]}


def _anonymize(call: calls.AnonymizeCall, project: Project, run: hn.Run) -> dict[str, Any]:
    _refuse_files_in(call.plan)
    with TemporaryDirectory(dir=project.folder, prefix=".api-") as desk:
        run.folder = Path(desk)
        place = Path(desk) / "release"
        data = Path(desk) / "data.csv"
        _frame(call.rows).write_csv(data)
        release = hn.anonymize(data, call.plan, output=place, run=run)
        files = {path.name: path.read_text("utf-8") for path in place.iterdir()} if call.files else None
    return {
        "rows": release.data.to_dicts(),
        "verdict": _verdict(release.verdict),
        "measures": release.facts["measures"],
        "files": files,
    }


def _verify(call: calls.VerifyCall, project: Project, run: hn.Run) -> dict[str, Any]:
    unknown = sorted(call.files.keys() - set(_FILES))
    if unknown:
        raise UsageError(f"files: a release of this API has {', '.join(_FILES)} and no others")
    with TemporaryDirectory(dir=project.folder, prefix=".api-") as desk:
        place = Path(desk) / "release"
        place.mkdir()
        for name, content in call.files.items():
            (place / name).write_text(content, "utf-8", errors="surrogatepass", newline="")
        against = None
        if call.against is not None:
            against = Path(desk) / "against.csv"
            _frame(call.against).write_csv(against)
        return _verdict(hn.verify(place, against=against, run=run))


_DOORS = (
    _Door("scan", calls.ScanCall, calls.Mentions, _scan),
    _Door("sanitize", calls.SanitizeCall, calls.Texts, _sanitize),
    _Door("restore", calls.RestoreCall, calls.Texts, _restore),
    _Door("analyze", calls.AnalyzeCall, calls.Findings, _analyze),
    _Door("anonymize", calls.AnonymizeCall, calls.Released, _anonymize),
    _Door("verify", calls.VerifyCall, calls.Verdict, _verify),
)


def _verdict(verdict: hn.Verdict) -> dict[str, Any]:
    told = verdict.to_dict()
    return {name: told[name] for name in ("holds", "unit", "models", "checks")}


def _vault(project: Project, name: str, *, new: bool) -> Path:
    """The folder of a vault; its name is one that the call's pattern allows."""
    folder = project.folder / _VAULTS / name
    if new:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    elif not folder.is_dir():
        raise UsageError("there is no vault of this name")
    return folder


def _frame(rows: list[dict[str, Any]]) -> Any:
    import polars as pl

    names = list(dict.fromkeys(name for row in rows for name in row))
    if not names or "" in names:
        raise UsageError("rows: every row is an object with names of columns")
    cells = {name: [_cell(row.get(name)) for row in rows] for name in names}
    return pl.DataFrame(cells, schema=dict.fromkeys(names, pl.String))


def _cell(value: Any) -> str | None:
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _refuse_files_in(plan: Mapping[str, Any]) -> None:
    """A plan of a call names no files of the server."""
    attributes, text = plan.get("attributes"), plan.get("text")
    columns = attributes.values() if isinstance(attributes, Mapping) else ()
    named = any(isinstance(one, Mapping) and one.get("hierarchy") is not None for one in columns)
    if isinstance(text, Mapping):
        named |= any(_names_a_file(text.get(key)) for key in ("allow", "deny"))
        named |= bool(text.get("words")) or text.get("model") not in (None, "accurate", "fast", "none")
    named |= any("population" in model for model in _models(plan))
    if named:
        raise UsageError("plan: a call cannot name files: use `text.patterns` in place of word lists")


def _models(plan: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    models = plan.get("privacy")
    listed = models if isinstance(models, list) else [models]
    return [model for model in listed if isinstance(model, Mapping)]


def _names_a_file(value: Any) -> bool:
    if isinstance(value, Mapping):
        return any(map(_names_a_file, value.values()))
    listed = value if isinstance(value, list) else [value]
    return isinstance(value, str) or any(isinstance(one, str) and one.startswith("@") for one in listed)


# --- carrying out ---------------------------------------------------------------------------------


def api_routes(limits: Limits) -> list[BaseRoute]:
    workers = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="api")
    routes: list[BaseRoute] = [
        Route(f"/api/{door.name}", _endpoint(door, limits, workers), methods=["POST"]) for door in _DOORS
    ]
    description = openapi()
    return [
        *routes,
        Route("/api/health", lambda request: JSONResponse({"status": "ok", "version": hn.__version__})),
        Route("/api/openapi.json", lambda request: JSONResponse(description)),
    ]


def _endpoint(door: _Door, limits: Limits, workers: ThreadPoolExecutor) -> Callable[[Request], Any]:
    async def endpoint(request: Request) -> Response:
        import asyncio

        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > limits.bytes:
                return _fault(413, "size", f"a call may have {limits.bytes >> 20} MB")
        try:
            call = door.asked.model_validate_json(bytes(body))
        except ValidationError as error:
            return _fault(422, "usage", _places_of(error))
        project: Project = request.app.state.project
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(workers, _carried_out, door, call, project, limits)

    return endpoint


def _carried_out(door: _Door, call: Any, project: Project, limits: Limits) -> Response:
    run = hn.Run(folder=project.folder)
    clock = threading.Timer(limits.seconds, run.cancel)
    clock.daemon = True
    clock.start()
    try:
        answer = door.do(call, project, run)
        run.poll()
    except CancelledError:
        return _fault(503, "time", f"it took longer than {limits.seconds:g} seconds; nothing was done")
    except hn.PromiseError as error:
        return _fault(409, error.code, str(error))
    except HeteronymError as error:
        return _fault(422, error.code, str(error))
    except RecursionError:
        return _fault(422, "usage", "what was given is nested too deeply")
    finally:
        clock.cancel()
    return JSONResponse(answer)


def _fault(status: int, code: str, message: str) -> Response:
    return JSONResponse({"error": {"code": code, "message": message}}, status)


def _places_of(error: ValidationError) -> str:
    """What is wrong and where; never what stands there."""
    told = []
    for one in error.errors(include_input=False, include_url=False, include_context=False)[:5]:
        known = [str(part) for part in one["loc"] if isinstance(part, int) or part in _KEYS]
        told.append(
            f"{'.'.join(known) or 'the call'}: {_PLAIN.get(one['type'], one['type'].replace('_', ' '))}"
        )
    return "; ".join(dict.fromkeys(told))


_KEYS = {name for door in _DOORS for name in door.asked.model_fields}
_PLAIN = {
    "missing": "is missing",
    "extra_forbidden": "has a key that this call does not know",
    "json_invalid": "is no JSON",
    "string_type": "must be a text",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_type": "must be an object",
    "too_short": "has too few entries",
    "too_long": "has too many entries",
    "string_pattern_mismatch": "has signs that a name here cannot have",
    "literal_error": "is none of the known ones",
}


# --- description ----------------------------------------------------------------------------------


def openapi() -> dict[str, Any]:
    """OpenAPI 3.1, from the same classes that check calls."""
    from pydantic.json_schema import models_json_schema

    pairs = [(one, "validation") for door in _DOORS for one in (door.asked, door.answered)]
    pairs += [(calls.Refused, "validation"), (calls.Health, "validation")]
    _, schemas = models_json_schema(pairs, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
    paths: dict[str, Any] = {}
    for door in _DOORS:
        paths[f"/api/{door.name}"] = {
            "post": {
                "operationId": door.name,
                "summary": (door.asked.__doc__ or "").strip(),
                "security": [{"token": []}],
                "requestBody": {"required": True, "content": _content(door.asked)},
                "responses": {
                    "200": {"description": "Done.", "content": _content(door.answered)},
                    **_REFUSALS,
                },
            }
        }
    health = {"200": {"description": "It runs.", "content": _content(calls.Health)}}
    paths["/api/health"] = {
        "get": {"operationId": "health", "summary": "Whether it runs.", "responses": health}
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "heteronym", "version": hn.__version__},
        "paths": paths,
        "components": {
            "schemas": schemas["$defs"],
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _content(model: type[BaseModel]) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}}


_REFUSALS = {
    status: {"description": text, "content": _content(calls.Refused)}
    for status, text in {
        "401": "The token is missing or wrong.",
        "409": "The promise cannot be met; nothing is released.",
        "413": "Too large.",
        "422": "The call, plan or data cannot be used.",
        "503": "It took too long; nothing was done.",
    }.items()
}
