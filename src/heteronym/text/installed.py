"""Which language models are there: our own with version, licence and scores, and installed spaCy pipelines.

Scores are read from `models/scores.json` beside the weights; the whole account is in `models/CARD.md`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import entry_points
from typing import Any

from heteronym.model.in_words import InWords
from heteronym.text.models.pipelines import model_folder

_OURS = {
    "accurate": ("config.json", "MiniLM token classifier (ONNX, int8): better and slower"),
    "fast": ("meta.json", "spaCy pipeline with names, tags, lemmas and parse: faster"),
}


@dataclass(frozen=True)
class InstalledModel:
    """One line of `heteronym models`."""

    name: str  # as the plan's text.model takes it
    about: str
    installed: bool
    version: str = ""
    licence: str = ""
    megabytes: float = 0.0
    scores: Mapping[str, Any] = field(default_factory=dict)


class Models(tuple[InstalledModel, ...], InWords):
    """All language models that are known here."""

    def in_words(self, *, verbose: bool = False) -> str:
        lines = []
        for model in self:
            state = f"version {model.version}, {model.licence}" if model.installed else "not installed"
            size = f", {model.megabytes} MB" if model.megabytes else ""
            lines += [f"{model.name}: {model.about}", f"  {state}{size}"]
            lines += [f"  {name}: {score}" for name, score in model.scores.items()]
        return "".join(f"{line}\n" for line in lines)

    def to_dict(self) -> dict[str, Any]:
        return {"models": [asdict(model) for model in self]}


def models() -> Models:
    """The language models that are installed, with version, size, licence and scores: ours, then spaCy's."""
    found = [_own(name, *about) for name, about in _OURS.items()]
    for point in sorted(entry_points(group="spacy_models"), key=lambda point: point.name):
        licence, version = "", ""
        if point.dist is not None:
            licence, version = str(point.dist.metadata.json.get("license", "")), point.dist.version
        found.append(InstalledModel(point.name, "installed spaCy pipeline", True, version, licence))
    return Models(found)


def _own(name: str, settings: str, about: str) -> InstalledModel:
    folder = model_folder(name)
    if not (folder / settings).is_file():
        return InstalledModel(name, about, installed=False)
    settings_read = json.loads((folder / settings).read_text(encoding="utf-8"))
    scores = json.loads((folder.parent / "scores.json").read_text(encoding="utf-8"))
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return InstalledModel(
        name,
        about,
        installed=True,
        version=str(settings_read.get("version", "")),
        licence=str(settings_read.get("license", "Apache-2.0")),
        megabytes=round(size / 1e6, 1),
        scores=scores.get(name, {}),
    )
