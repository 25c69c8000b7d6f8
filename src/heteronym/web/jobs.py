"""Starts, watches and cancels work in processes of their own.

A process holds a lock on a file of its folder as long as it lives (inherited from the server, so that there
is no moment without), which tells a server that was started again whether work still goes on.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from heteronym.web.project import Job, Project

_LOCK = "lock"
_GONE = "The process ended too early: memory ran out, or the machine was shut down. Nothing was released."
_started: dict[tuple[str, int], subprocess.Popen[bytes]] = {}  # to collect those that ended


def start_job(project: Project, kind: str, given: Mapping[str, Any]) -> int:
    """Begin work; its number tells pages where to look."""
    number = project.new_job(kind, given)
    lock = os.open(project.run_folder(number) / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        paths = os.pathsep.join(path for path in sys.path if path)
        process = subprocess.Popen(
            [sys.executable, "-m", "heteronym.web.work", str(project.folder), str(number)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": paths},
            pass_fds=(lock,),
            start_new_session=True,  # Ctrl-C goes to the server, which cancels its jobs
        )
    finally:
        os.close(lock)
    _started[str(project.folder), number] = process
    project.change_job(number, pid=process.pid)
    return number


def look_after(project: Project, number: int) -> Job | None:
    """The job as it stands; one whose process is gone without a word is told as interrupted."""
    _collect_ended()
    job = project.job(number)
    if job is None or job.is_over or _is_alive(project, job):
        return job
    job = project.job(number)  # it may have ended between both looks
    if job is not None and not job.is_over:
        project.change_job(number, state="interrupted", message=_GONE, ended=time.time())
        job = project.job(number)
    return job


def cancel_job(project: Project, number: int) -> None:
    job = look_after(project, number)
    if job is not None and not job.is_over and job.pid is not None:
        with suppress(ProcessLookupError):
            os.kill(job.pid, signal.SIGTERM)


def cancel_all(project: Project) -> None:
    """When the server is closed: nobody would see the outcome."""
    for job in running_jobs(project):
        cancel_job(project, job.id)


def running_jobs(project: Project) -> list[Job]:
    open_jobs = [job for job in project.jobs() if not job.is_over]
    checked = [look_after(project, job.id) for job in open_jobs]
    return [job for job in checked if job is not None and not job.is_over]


def _is_alive(project: Project, job: Job) -> bool:
    path = project.run_folder(job.id) / _LOCK
    if not path.exists():
        return time.time() - job.began < 5  # about to be started
    with path.open("r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return True
    return False


_collecting = threading.Lock()


def _collect_ended() -> None:
    with _collecting:
        for key, process in list(_started.items()):
            if process.poll() is not None:
                del _started[key]
