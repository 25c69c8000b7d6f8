"""The scan that a review of words needs: found once for the data and what the plan says of it."""

from __future__ import annotations

from typing import Any

from heteronym.web.columns import text_columns
from heteronym.web.jobs import running_jobs, start_job
from heteronym.web.plan_text import content_of
from heteronym.web.project import Job, Project


def scan_of(project: Project) -> Job | None:
    """The latest scan of the data as the plan reads it now; None if there is none."""
    scans = project.jobs("scan")
    return scans[0] if scans and scans[0].given["of"] == scanned_as(project) else None


def scanned_as(project: Project) -> list[Any]:
    """What a scan depends on: the data and what the plan says of texts and columns."""
    plan = content_of(project.plan_text)
    return [project.data, *(repr(plan.get(key)) for key in ("text", "attributes", "data"))]


def scan_if_needed(project: Project, *, again: bool = False) -> None:
    """Find the words, unless that was done for this data and plan, or is being done."""
    found = scan_of(project)
    done = found is not None and (not again or found.state in ("done", "running"))
    if done or not text_columns(project.plan_text) or not project.data:
        return
    if not any(
        job.kind == "scan" and job.given["of"] == scanned_as(project) for job in running_jobs(project)
    ):
        given = {"data": project.data, "of": scanned_as(project), "plan": project.plan_text}
        start_job(project, "scan", given)
