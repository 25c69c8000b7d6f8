"""Runs the recognizers that a plan asks for over texts, and settles what they found.

This room reads texts and knows no table: what a text has to do with its person's cells is read off later
(`reading`).

Cost        the recognizers'
Randomness  none
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from heteronym import registry
from heteronym.contracts import Recognizer
from heteronym.errors import PlanError, nearest
from heteronym.model.mention import Span
from heteronym.model.plan import TextPlan
from heteronym.run import current
from heteronym.text.combine import pipeline
from heteronym.text.entity_types import DIRECT, is_direct, is_sensitive
from heteronym.text.models.pipelines import model_folder
from heteronym.text.owner_lists import apply_owner_lists
from heteronym.text.parallel import batches
from heteronym.text.settle import settle

_BATCH_TEXTS = 1_000
_BATCH_CHARACTERS = 2_000_000
_OWN_MODELS = ("accurate", "fast")


def recognizers_for(
    text_plan: TextPlan,
    *,
    folder: Path | None = None,
    processes: int = 1,
    cache: str | None = None,
    first: Sequence[Recognizer] = (),
    linked: Collection[str] = (),
) -> list[Recognizer]:
    """The recognizers that a plan asks for, by rank: the owner's own lists, then all that we know.

    `folder` is where the plan's word lists are looked for; `processes` and `cache` as in `combine`; `first`
    are recognizers that a model of the plan needs, `linked` the types as which columns turn up in texts.
    """
    chosen: list[Recognizer] = list(first)
    if text_plan.patterns:
        chosen.append(registry.recognizers.get("patterns")(text_plan.patterns))
    if text_plan.words:
        listed: Any = registry.recognizers.get("words")
        chosen.append(listed.of_files(text_plan.words, folder=folder))
    model = model_in_use(text_plan)
    listed = None
    if text_plan.entities is not None:
        direct = DIRECT if text_plan.direct is None else text_plan.direct
        listed = {*text_plan.entities, *direct, *linked}
    chosen.append(
        pipeline(model, language=text_plan.language, processes=processes, cache=cache, listed=listed)
    )
    return list(apply_owner_lists(chosen, text_plan, folder))


def model_in_use(text_plan: TextPlan) -> str:
    """The model that will run. The default is a wish: where it is not installed, the next best does."""
    model, language, parts = text_plan.model, text_plan.language, registry.recognizers
    if model == TextPlan.model_fields["model"].default:
        model = next((name for name in _OWN_MODELS if _has_weights(name)), "none")
    elif model != "none" and not (model in parts.names() and getattr(parts.get(model), "is_model", False)):
        # Asked without importing spaCy: a pipeline is a folder or a package.
        if Path(model).is_dir() or (model.isidentifier() and find_spec(model) is not None):
            return model
        raise PlanError(f"plan: text.model: no such model.{nearest(model, {*_OWN_MODELS, 'none'})}")
    # Names are found by a model: one that reads another language would miss them without a word.
    reads = getattr(parts.get(model), "languages", ()) if model != "none" else ()
    if reads and language not in reads:
        raise PlanError(
            f"plan: text.language: '{model}' does not read '{language}'. "
            "Name a spaCy pipeline in text.model that you trained or whose origin you know, "
            "or model: none for rules alone."
        )
    return model


def _has_weights(name: str) -> bool:
    folder = model_folder(name)
    return folder.is_dir() and any(folder.iterdir())


def counts(type: str, text_plan: TextPlan, *, in_table: bool = False) -> bool:
    """Whether mentions of a type matter to the release: direct ones always do."""
    if is_direct(type, direct=text_plan.direct):
        return True
    if text_plan.entities is not None:
        return type in text_plan.entities
    return is_sensitive(type, in_table=in_table) or type in text_plan.patterns or type in text_plan.words


def recognize(
    texts: Sequence[str],
    recognizers: Sequence[Recognizer],
    *,
    wanted: Callable[[str], bool] = lambda kind: True,
) -> list[list[Span]]:
    """Settled spans per text, nothing propagated; what a single document needs. Equal texts are read once."""
    found: dict[str, list[Span]] = {}
    run = current()
    distinct = dict.fromkeys(text for text in texts if text and not text.isspace())
    for batch in batches(distinct, len, most=_BATCH_CHARACTERS, count=_BATCH_TEXTS):
        run.poll()
        ranked: list[list[tuple[int, Span]]] = [[] for _ in batch]
        for rank, part in enumerate(recognizers):
            for mine, spans in zip(ranked, part.recognize(batch)):
                mine.extend((rank, span) for span in spans if wanted(span.type))
        found.update((text, settle(text, mine)) for text, mine in zip(batch, ranked))
    return [list(found.get(text, ())) for text in texts]
