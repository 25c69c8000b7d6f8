"""Terms as a rule of release allows them: as they are, coarser (a date's year), or as their type.

Reference   45 CFR 164.514(b)(2)(i), HIPAA Safe Harbor
Guarantee   no term is shown as more than the model's `shown_as` says, nor than other models let stay
Cost        one look-up per distinct term of a group
Randomness  none
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from heteronym.contracts import Kind, Models, Rng
from heteronym.errors import PlanError
from heteronym.model.partition import Partition
from heteronym.model.person_view import PersonView
from heteronym.model.recoding import ElementLabels, Fate, Label
from heteronym.recode.term_suppress import may_stay
from heteronym.registry import element_recoders


@element_recoders.register("hipaa")
@dataclass(frozen=True)
class TermsByRule:
    """Keep what the model `hipaa` does not list, show dates by their year, mask the rest."""

    kind: ClassVar[Kind] = "terms"

    def recode(self, view: PersonView, partition: Partition, *, models: Models, rng: Rng) -> ElementLabels:
        ruling = [model for model in models if hasattr(model, "shown_as")]
        if not ruling:
            raise PlanError("recode.terms: 'hipaa' needs the model hipaa")
        held = partition.held(view, terms=True)
        kept = may_stay(view, partition, held, models)
        label = np.full(len(kept), -1, np.int32)
        numbers: dict[str, int] = {}
        # beside a model that counts who shows what, a label of one member's own would break its promise
        alone = len(ruling) == sum("terms" in model.protects for model in models)
        known: dict[int, str | None] = {}
        for place in np.flatnonzero(~kept & alone & ~view.elements.is_masked[held.of_group.codes]).tolist():
            element = int(held.of_group.codes[place])
            if element not in known:
                term = view.elements.term(element)
                known[element] = ruling[0].shown_as(term.type, term.text)
            text = known[element]
            if text is not None:
                label[place] = numbers.setdefault(text, len(numbers))
        fate = np.select([kept, label >= 0], [Fate.KEPT, Fate.GENERALIZED], Fate.TYPED).astype(np.uint8)
        return ElementLabels(held.of_group, fate, label, [Label(text, 2) for text in numbers])
