"""Who may ask the server for something, and what every answer carries.

A request must name this server as its host, come from its own pages (Origin, Sec-Fetch-Site) and carry
the cookie that the start address gives; whatever changes something needs the write token in a header as
well, which only pages of this server can read. Answers are never stored, send no referrer and load nothing
from elsewhere.
Somebody who looks on has a start address and a cookie of their own, and reads what the owner reads.
An unforeseen error is answered and logged by its kind and place alone: its text may quote data.
"""

from __future__ import annotations

import hmac
import secrets
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from traceback import extract_tb
from typing import Any

from starlette.requests import ClientDisconnect
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
WRITE_HEADER = "x-heteronym-token"
# calls of pages that only read; whoever looks on may make no other
_READING = frozenset(f"/words/{name}" for name in ("terms", "term", "effect", "count", "sample"))
_ALWAYS = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
# A page of its own, and no redirect: a redirect that another program began would not carry a strict cookie.
_WELCOME = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=/">'
    '<title>heteronym</title><link rel="icon" href="/static/icon.svg"></head>'
    '<body><p><a href="/">Go on</a></p></body></html>'
)


@dataclass(frozen=True)
class Keys:
    """Secrets of one start of the server."""

    port: int
    start: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    write: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    api: str | None = field(default=None, repr=False)  # the bearer token of programs; None: no API
    look: str | None = field(default=None, repr=False)  # start of somebody who looks on; None: nobody may
    onlooker: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    names: tuple[str, ...] = ()  # hosts beside this machine's own
    scheme: str = "http"

    @property
    def hosts(self) -> tuple[str, ...]:
        return tuple(f"{name}:{self.port}" for name in ("127.0.0.1", "localhost", *self.names))

    @property
    def address(self) -> str:
        return self._start_with(self.start)

    @property
    def address_to_look(self) -> str | None:
        return None if self.look is None else self._start_with(self.look)

    def _start_with(self, token: str) -> str:
        host = self.names[0] if self.names else "127.0.0.1"
        return f"{self.scheme}://{host}:{self.port}/start?token={token}"

    @property
    def cookie(self) -> str:
        """Cookies do not know ports: two servers must not take each other's."""
        return f"heteronym-{self.port}"


class Guard:
    """Refuses whoever is not the owner's browser; wraps the whole application."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self.app = app
        self.keys = keys
        self.last_request = time.monotonic()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        self.last_request = time.monotonic()
        begun = False

        async def send_with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message = {**message, "headers": _with_safe_headers(message["headers"])}
            await send(message)

        try:
            answer = self._refusal(scope) or self._welcome(scope)
            await (answer or self.app)(scope, receive, send_with_headers)
        except ClientDisconnect:  # whoever asked has left: there is nobody to answer
            return
        except Exception as error:  # noqa: BLE001 - every error ends in an answer without values
            place = extract_tb(error.__traceback__)[-1]
            where = f"{type(error).__name__} in {place.name}, line {place.lineno}"
            print(f"heteronym: a fault of the program ({where})", file=sys.stderr)
            if not begun:
                answer = PlainTextResponse(f"A fault of the program ({where}).", status_code=500)
                await answer(scope, receive, send_with_headers)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        host, method = headers.get("host", ""), scope["method"]
        if host not in self.keys.hosts:
            return PlainTextResponse("This server answers only under its own address.", status_code=421)
        origin = headers.get("origin")
        if origin is not None and origin != f"{self.keys.scheme}://{host}":
            return PlainTextResponse("Requests of other sites are refused.", status_code=403)
        if scope["path"].startswith("/api/") and self.keys.api is not None:
            return self._refused_program(scope, headers)
        if scope["path"] == "/start" and method == "GET":
            return None
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return PlainTextResponse("Requests of other sites are refused.", status_code=403)
        cookie = _cookie(headers.get("cookie", ""), self.keys.cookie)
        looks_on = self.keys.look is not None and _same(cookie, self.keys.onlooker)
        scope.setdefault("state", {})["looks_on"] = looks_on
        if not looks_on and not _same(cookie, self.keys.session):
            text = "Open the address that `heteronym serve` printed; it lets this browser in."
            return PlainTextResponse(text, status_code=401)
        if looks_on and method not in ("GET", "HEAD") and scope["path"] not in _READING:
            return PlainTextResponse("You look on: only the owner's browser changes something.", 403)
        if method not in ("GET", "HEAD") and not _same(headers.get(WRITE_HEADER, ""), self.keys.write):
            return PlainTextResponse("The write token is missing or wrong; load the page again.", 403)
        return None

    def _refused_program(self, scope: Scope, headers: Mapping[str, str]) -> Response | None:
        """Programs send a bearer token; whether the server runs, and what it offers, anybody may ask."""
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return PlainTextResponse("Requests of other sites are refused.", status_code=403)
        given = headers.get("authorization", "")
        is_open = scope["path"] in ("/api/health", "/api/openapi.json")
        if is_open or _same(given, f"Bearer {self.keys.api}"):
            return None
        fault = {"error": {"code": "token", "message": "send the header `Authorization: Bearer TOKEN`"}}
        return JSONResponse(fault, 401, {"www-authenticate": "Bearer"})

    def _welcome(self, scope: Scope) -> Response | None:
        if scope["path"] != "/start":
            return None
        given = scope["query_string"].decode("latin-1").removeprefix("token=")
        looks_on = self.keys.look is not None and _same(given, self.keys.look)
        if not looks_on and not _same(given, self.keys.start):
            return PlainTextResponse("This is not the address that `heteronym serve` printed.", 401)
        answer = HTMLResponse(_WELCOME)
        answer.set_cookie(
            self.keys.cookie,
            self.keys.onlooker if looks_on else self.keys.session,
            httponly=True,
            samesite="strict",
            path="/",
            secure=self.keys.scheme == "https",
        )
        return answer


def _same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode(), secret.encode())


def _cookie(header: str, name: str) -> str:
    try:
        found = SimpleCookie(header).get(name)
    except CookieError:
        return ""
    return found.value if found is not None else ""


def _with_safe_headers(headers: Any) -> list[tuple[bytes, bytes]]:
    """A page may bring a content policy of its own (the report does); all else is the same for all."""
    kept = [(name, value) for name, value in headers if name.decode("latin-1").lower() not in _ALWAYS]
    if not any(name.lower() == b"content-security-policy" for name, _ in kept):
        kept.append((b"content-security-policy", CONTENT_POLICY.encode()))
    return [*kept, *((name.encode(), value.encode()) for name, value in _ALWAYS.items())]
