"""Presets: what policies ask of a plan, by name. Each is a file in the package's folder `presets`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from heteronym.errors import UsageError, nearest
from heteronym.registry import parameters_of, privacy_models

_ENDING = ".yaml"


def preset_names() -> list[str]:
    folder = files("heteronym") / "presets"
    return sorted(file.name.removesuffix(_ENDING) for file in folder.iterdir() if file.name.endswith(_ENDING))


def read_preset(name: str) -> Mapping[str, Any]:
    if name not in preset_names():
        raise UsageError(f"no preset is called '{name}'.{nearest(name, preset_names())}")
    text = (files("heteronym") / "presets" / f"{name}{_ENDING}").read_text("utf-8")
    import yaml

    return dict(yaml.safe_load(text))


def with_preset(content: Mapping[str, Any], name: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """A plan as the preset asks: its k for all models that have one, or what a model of its own needs.

    Options that are parameters of that model are followed at once: columns depend on them.
    """
    preset = read_preset(name)
    if "model" not in preset:
        return {**content, "privacy": _with_k(content["privacy"], preset["k"])}
    model: Any = privacy_models.get(preset["model"])
    given = {p.name: options[p.name] for p in parameters_of(model) if p.name in options}
    prepared: dict[str, Any] = model.prepared(content, **given)
    return prepared


def _with_k(privacy: list[dict[str, Any]], k: int) -> list[dict[str, Any]]:
    """The models with this k, and k-anonymity if none has one."""
    has_k = [privacy_models.has(model["model"], "k") for model in privacy]
    models = [{**model, "k": k} if has else model for model, has in zip(privacy, has_k, strict=True)]
    return models if any(has_k) else [{"model": "k-anonymity", "k": k}, *models]
