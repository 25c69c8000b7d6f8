"""Three promises in plain words, and what they set in a plan.

The sizes are the customary ones that `profile` names: 3 under contract, 5 in a wider circle, 11 in public.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heteronym.web.plan_text import content_of, with_value


@dataclass(frozen=True)
class Preset:
    """For whom a release is made."""

    name: str
    title: str
    who: str
    k: int


PRESETS = (
    Preset("partner", "A trusted partner", "Under contract, few people, no wish to know who is who.", 3),
    Preset("research", "A research circle", "Several groups under an agreement; some may know a person.", 5),
    Preset("public", "The public", "Anybody, for ever, with whatever else can be found.", 11),
)


def models_of(text: str | None) -> list[Mapping[str, Any]]:
    models = content_of(text).get("privacy") or []
    listed = [models] if isinstance(models, Mapping) else models
    return [model for model in listed if isinstance(model, Mapping)] if isinstance(listed, list) else []


def k_of(text: str | None) -> int | None:
    """The smallest group that the plan asks for."""
    found = [model["k"] for model in models_of(text) if isinstance(model.get("k"), int)]
    return min(found) if found else None


def with_k(text: str, k: int) -> str:
    """The plan with this k in every model that has one; k-anonymity is added where none has."""
    models = models_of(text)
    has_k = [number for number, model in enumerate(models) if "k" in model]
    if not has_k:
        return with_value(text, ["privacy"], [{"model": "k-anonymity", "k": k}, *map(dict, models)])
    single = isinstance(content_of(text).get("privacy"), Mapping)
    for number in has_k:
        text = with_value(text, ["privacy", "k"] if single else ["privacy", number, "k"], k)
    return text
