"""Pages from templates; what draws them is loaded when a first one is drawn."""

from __future__ import annotations

from typing import Any


def render(template: str, **given: Any) -> str:
    """A template of this folder, drawn; what it shows is escaped, and every name must be known."""
    from heteronym.report.environment import environment

    return environment().get_template(template).render(**given)
