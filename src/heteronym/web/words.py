"""The review of words: what pages ask of it, and the review that is open in the server.

Steps come in the order in which keys were typed, several at once; each has a name, so that what is sent again
is not done twice. Words travel in bodies of requests, never in addresses.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response

import heteronym as hn
from heteronym.errors import HeteronymError, UsageError
from heteronym.reviewing.review import Filter, Review
from heteronym.reviewing.terms import Context, ReviewTerm, Spot
from heteronym.web.actions import action
from heteronym.web.columns import text_columns
from heteronym.web.project import Project
from heteronym.web.scans import scan_if_needed, scan_of

_MOST = 200  # terms in one answer
_STATES = ("open", "decided", "differing", "all")


class Desk:
    """The review that lies open; it is read again when there is a new scan or a new run."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._lock = threading.Lock()
        self._open: Review | None = None
        self._read_as: Any = None

    def review(self) -> Review | None:
        """None until the words were found."""
        scan = scan_of(self.project)
        if scan is None or scan.state != "done":
            return None
        done = [job for job in self.project.jobs("run") if job.state == "done"]
        run = next((job for job in done if job.given["data"] == self.project.data), None)
        read_as = (scan.id, None if run is None else run.id)
        with self._lock:
            if self._read_as != read_as or self._open is None:
                self._open = self._opened(scan.id, None if run is None else self.project.run_folder(run.id))
                self._read_as = read_as
            self._open.who = self.project.get("reviewer") or ""
            return self._open

    def _opened(self, scan: int, run: Path | None) -> Review:
        project = self.project
        folder = project.run_folder(scan)
        data = [Path(path) for path in project.data]
        given: dict[str, Any] = {
            "decisions": project.decisions_path,
            "mentions": folder / "mentions.jsonl",
        }
        source = data[0] if len(data) == 1 else data
        plan = folder / "plan.yaml"
        (project.folder / "cache").mkdir(mode=0o700, exist_ok=True)
        run_of = hn.Run(folder=project.folder)
        if run is not None:
            try:
                more: dict[str, Any] = {"release": run / "release", "private": run / "owner"}
                return hn.review(source, plan, **given, **more, run=run_of)
            except HeteronymError:  # made of other persons, by another version, or changed since
                run_of = hn.Run(folder=project.folder)
        return hn.review(source, plan, **given, run=run_of)


def desk_of(request: Request) -> Review:
    found = request.app.state.desk.review()
    if found is None:
        raise UsageError("The words were not found yet.")
    review: Review = found
    return review


# --- reading --------------------------------------------------------------------------------------


@action
def terms(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """The next terms in view, with their contexts."""
    review = desk_of(request)
    after, most = given.get("after", -1), given.get("most", 50)
    if not isinstance(after, int) or not isinstance(most, int):
        raise UsageError("after and most must be whole numbers")
    found = review.queue(filter_in(given), after=after, most=max(1, min(most, _MOST)))
    return {"terms": [shown(review, one) for one in found], **state_of(review)}


@action
def term(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    review = desk_of(request)
    one = review.terms.by_name.get(str(given.get("term")))
    if one is None:
        raise UsageError("There is no such term.")
    return {"term": shown(review, one, most=12), **state_of(review)}


@action
def effect(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """Who holds a term, what became of it in the last run, and what deciding would change."""
    found = desk_of(request).effect(str(given.get("term")))
    return {"effect": None if found is None else found.to_dict()}


@action
def count(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    return {"count": desk_of(request).count(filter_in(given))}


@action
def sample(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    review = desk_of(request)
    return {"sentences": [context_of(one) for one in review.sample(10)], **state_of(review)}


def filter_in(given: Mapping[str, Any]) -> Filter:
    state, kind, contains = given.get("state", "open"), given.get("type"), given.get("contains", "")
    if state not in _STATES or not isinstance(contains, str) or not (kind is None or isinstance(kind, str)):
        raise UsageError("This is no filter.")
    return Filter(state, kind or None, contains[:200])


def shown(review: Review, one: ReviewTerm, most: int = 3) -> dict[str, Any]:
    said = review.said(one)
    return {
        "number": one.number,
        "term": one.term,
        "spelling": one.spelling,
        "type": one.type,
        "types": list(one.types),
        "places": one.places,
        "persons": one.persons,
        "score": round(one.score, 2),
        "decision": None
        if said is None
        else {
            "is": said.decision,
            "type": said.type,
            "same_as": said.same_as,
            "said": said.said,
            "who": said.who,
        },
        "contexts": [context_of(context) for context in review.terms.contexts(one, most)],
    }


def context_of(context: Context) -> dict[str, Any]:
    return {
        "spot": list(context.spot),
        "column": context.column,
        "pieces": [list(piece) for piece in context.pieces],
    }


def state_of(review: Review) -> dict[str, Any]:
    return {"progress": review.progress()._asdict(), "missed": review.missed().to_dict()}


# --- deciding -------------------------------------------------------------------------------------


@action
def decide(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """Steps in their order; one that cannot be done is told, and the others are."""
    review, steps = desk_of(request), given.get("steps")
    if not isinstance(steps, list) or len(steps) > 500:
        raise UsageError("This is no list of steps.")
    told = []
    for step in steps:
        try:
            told.append(_done(review, step))
        except HeteronymError as error:
            told.append({"error": str(error)})
    return {"told": told, **state_of(review)}


def _done(review: Review, step: Any) -> dict[str, Any]:
    if not isinstance(step, dict):
        raise UsageError("This is no step.")
    named = step.get("id")
    if not isinstance(named, str) or not 0 < len(named) <= 80:
        raise UsageError("A step needs a name.")
    text = {k: v for k, v in step.items() if isinstance(v, str)}
    match step.get("do"):
        case "decide":
            spot = None if step.get("spot") is None else _spot(step["spot"])
            places = review.decide(
                text.get("term", ""),
                text.get("decision", ""),
                type=text.get("type"),
                same_as=text.get("same_as"),
                spot=spot,
                id=named,
            )
            return {"places": places}
        case "add":
            one = review.add(text.get("words", ""), text.get("type", ""), id=named)
            return {"added": shown(review, one), "places": one.places}
        case "all":
            wanted, expected = filter_in(step), step.get("expected")
            if not isinstance(expected, int):
                raise UsageError("How many were in view?")
            kind = text.get("to")
            done = review.decide_all(wanted, text.get("decision", ""), type=kind, expected=expected, id=named)
            return {"terms": done}
        case "check":
            missed = review.check(_spot(step.get("spot")), missed=step.get("missed") is True, id=named)
            return {"missed": missed.to_dict()}
        case "undo":
            return {"undone": review.undo(of=text.get("of", ""), id=named)}
    raise UsageError("This is no step.")


def _spot(given: Any) -> Spot:
    whole = isinstance(given, list) and len(given) == 4 and all(isinstance(n, int) for n in given)
    if not whole or min(given) < 0:
        raise UsageError("This is no place.")
    return Spot(*given)


@action
def scan(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    project: Project = request.app.state.project
    if not text_columns(project.plan_text):
        raise UsageError("The plan has no column of free text.")
    scan_if_needed(project, again=True)
    return {"go": "/words"}


@action
def reviewer(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """Who decides from now on."""
    request.app.state.project.put("reviewer", str(given.get("who", "")).strip()[:80])
    return {"note": "Kept. It is written beside each decision."}


@action
def merge(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """Decisions of a second reviewer, as the text of their file."""
    project: Project = request.app.state.project
    review = desk_of(request)
    text = given.get("decisions")
    if not isinstance(text, str) or not text.strip():
        raise UsageError("Choose the second reviewer's file of decisions.")
    other = project.folder / "second.jsonl"
    try:
        project.write_private(other, text)
        found = review.merge(other)
    finally:
        other.unlink(missing_ok=True)
    project.put("agreement", found.to_dict())
    return {"go": "/words"}


@action
def take_over(request: Request, given: dict[str, Any]) -> dict[str, Any]:
    """Decisions that were made about former data."""
    project: Project = request.app.state.project
    review = desk_of(request)
    former = project.former_decisions()
    if not former:
        raise UsageError("There are no former decisions.")
    review.merge(former[-1])
    former[-1].unlink()
    return {"go": "/words"}


def decisions_file(request: Request) -> Response:
    """The owner's file, for a second reviewer or the command line."""
    project: Project = request.app.state.project
    if not project.decisions_path.is_file():
        return PlainTextResponse("Nothing was decided yet.", 404)
    return FileResponse(
        project.decisions_path, filename="decisions.jsonl", media_type="application/octet-stream"
    )
