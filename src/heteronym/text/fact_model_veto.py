"""Drops weak spans where the fact model sees none, and adds the facts that the model found itself.

Cost        O(spans log spans) per text
Randomness  none
"""

from __future__ import annotations

from collections.abc import Iterator

from heteronym.model.mention import Span
from heteronym.text.lines import weighty
from heteronym.text.models.token_classifier import TOLD
from heteronym.text.stretches import Covers

# How sure the fact model must be that words state no fact, for a span of a type to be dropped (0713, 0716).
YIELDING = {
    **{"PRODUCT": 0.5, "ORG": 0.7, "PERSON": 0.9, "TIME": 0.9},
    **dict.fromkeys("AGE EDUCATION WORK_OF_ART EVENT".split(), 0.95),
    **dict.fromkeys("JOB FAMILY MARITAL DATE".split(), 0.995),
}
_ALONE = frozenset({"PERSON", "CODE", "HEALTH"})  # added only where nothing else was found
SURE = 0.8  # a rule from here on is believed more than the model
# A name is not dropped where the words around leave no choice: "happy bday zqx!", "DEQ refused"
_CERTAIN = {"PERSON": 0.9, "ORG": 0.92}

Ranked = list[tuple[int, Span]]


def apply_fact_model_veto(text: str, ranked: Ranked, quiet: dict[float, Covers]) -> Ranked:
    """Drops spans of types that are often mistaken where the fact model is sure that there is no fact.

    A fact that the model found counts where no span of another type stands: of "luthier in Rome" the part
    that is not the place.
    """
    facts = [(rank, span) for rank, span in ranked if span.rule.startswith(TOLD)]
    others = [
        (rank, span)
        for rank, span in ranked
        if not span.rule.startswith(TOLD)
        and (
            span.type not in YIELDING
            or (rank == 1 and span.score >= SURE)  # a name of which the model is sure
            or span.score >= _CERTAIN.get(span.type, 2.0)
            or not quiet[YIELDING[span.type]].hold(span)
        )
    ]
    if not facts:
        return others
    foreign = {
        kind: Covers(span for _, span in others if kind in _ALONE or _broad(span.type) != kind)
        for kind in {_broad(span.type) for _, span in facts}
    }
    return others + [
        (rank, span._replace(start=start, end=end))
        for rank, span in facts
        for start, end in _free(text, span, foreign[_broad(span.type)])
    ]


def _free(text: str, span: Span, taken: Covers) -> Iterator[tuple[int, int]]:
    """What others leave of a fact; names, codes and illnesses count as a whole or not at all."""
    if not taken.touch(span):
        yield span.start, span.end
    elif span.type not in _ALONE:
        yield from filter(None, (weighty(text, *rest) for rest in taken.gaps(span)))


def _broad(kind: str) -> str:
    return "LOC" if kind in ("GPE", "FAC") else kind
