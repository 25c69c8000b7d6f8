"""Mentions of tables and of single documents as JSON lines, for review and for other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from heteronym.errors import InputError, PlanError
from heteronym.io.mentions import document_lines, mention_lines
from heteronym.io.plans import override, read_plan
from heteronym.io.tables import read_tables
from heteronym.model.plan import TextPlan
from heteronym.model.schema import Role
from heteronym.pipeline import Clock, Progress, find, make_dataset
from heteronym.text.entity_types import is_direct
from heteronym.text.propagate import propagate
from heteronym.text.scan import counts, recognize, recognizers_for


def scan_tables(
    paths: Sequence[str], config: Path, *, options: Mapping[str, Any], progress: Progress | None = None
) -> list[str]:
    plan = override(read_plan(config), options)
    dataset = make_dataset(read_tables(paths, plan.data), plan, folder=config.parent)
    if not dataset.schema.named(Role.TEXT):
        raise PlanError("no column has role text: there is nothing to scan")
    return list(mention_lines(find(dataset, plan, clock=Clock(progress), folder=config.parent)))


def scan_documents(
    paths: Sequence[str],
    *,
    language_model: str | None = None,
    encoding: str | None = None,
    progress: Progress | None = None,
) -> list[str]:
    """A document is one text: what is found once is found everywhere in it."""
    plan = TextPlan(model=language_model) if language_model else TextPlan()
    parts = recognizers_for(plan)
    lines: list[str] = []
    for number, path in enumerate(paths):
        text = _read_document(path, encoding)
        found = recognize([text], parts, wanted=lambda kind: counts(kind, plan))
        spans = propagate([text], found, is_direct=lambda kind: is_direct(kind, direct=plan.direct))[0]
        lines += document_lines(path, spans)
        if progress is not None:
            progress("scan", (number + 1) / len(paths))
    return lines


def _read_document(path: str, encoding: str | None) -> str:
    try:
        return Path(path).read_bytes().decode(encoding or "utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (UnicodeDecodeError, LookupError):
        raise InputError(f"{path}: not {encoding or 'UTF-8'}. Name its encoding with --encoding") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or 'input error'})") from None
