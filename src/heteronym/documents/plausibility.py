"""Sensitive words become more general ones, so that at least t texts could have been the original.

A word's volume is the number of most special concepts below what it becomes; a unit of text (document,
paragraph, sentence) is plausible for the product of the volumes of its distinct words. Words nobody knows are
removed. A word that occurs in several units becomes the most general of what they ask for, everywhere.

Reference   Anandan et al. 2012 (paper 003), definitions 1 to 4
Guarantee   every unit that held a sensitive word has at least t plausible originals
Cost        tagging, and a few milliseconds per unit for the exact search
Randomness  none
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from heteronym.documents import _plausible_audit
from heteronym.documents._own_bases import read_own
from heteronym.documents._plausible import Choice, InfeasibleError, Problem, count_of_bits, optimal, smallest
from heteronym.documents._plausible_study import (
    exhaustive_smallest,
    exhaustive_uniform,
    least_upper_bound,
    multi_step,
    top_down,
)
from heteronym.documents._plausible_words import Reader, Word, numbers, read_words, units_of, words_of_units
from heteronym.errors import PromiseError
from heteronym.knowledge.inflect import fitted
from heteronym.model.document import Document, Sanitized
from heteronym.model.edit import Edit, edited
from heteronym.model.release import Check
from heteronym.registry import document_methods
from heteronym.run import current

Figures = tuple[int, float, float]  # distinct words, bits and cost of a unit
_FACTORS = (8, 128, 4096, 1 << 20)  # by which t is exceeded if the recount falls short


@document_methods.register("plausibility")
@dataclass(frozen=True)
class Plausibility:
    """Generalizes sensitive words until at least t texts could have been the original."""

    t: int = field(default=1000, metadata={"help": "smallest number of plausible originals", "min": 1})
    alpha: float = field(
        default=0.5,
        metadata={
            "help": "weight of coming close to t, against treating all words alike",
            "min": 0.0,
            "max": 1.0,
        },
    )
    words: str | tuple[str, ...] | None = field(
        default=None, metadata={"help": "file with the sensitive words, one per line (a list in Python)"}
    )
    sensitive: Literal["phrases", "mentions"] = field(
        default="phrases", metadata={"help": "without words: all nouns, or what recognizers find"}
    )
    sense: tuple[str, ...] = field(
        default=(), metadata={"help": "which sense of a word is meant, as word=number"}
    )
    senses: Literal["first", "context"] = field(
        default="context", metadata={"help": "how the sense of all other words is found"}
    )
    chain: Literal["first", "all"] = field(
        default="first", metadata={"help": "ancestors by the first parent of each, or over all parents"}
    )
    goal: Literal["uniform", "smallest"] = field(
        default="uniform",
        metadata={
            "help": "least cost (definition 4), or smallest product (definition 3; to 2^-14 bits a word)"
        },
    )
    search: Literal["exact", "exhaustive", "lub", "msgs", "tdgs"] = field(
        default="exact", metadata={"help": "the exact search, or one of the paper's, for study"}
    )
    delta: int = field(default=1, metadata={"help": "steps that msgs may take", "min": 0, "max": 4})
    prior: Literal["uniform", "frequency"] = field(
        default="uniform", metadata={"help": "base words equally likely, or as likely as they are common"}
    )
    common_terms: bool = field(
        default=False, metadata={"help": "prefer a concept that several senses of a word share"}
    )
    unit: Literal["document", "paragraph", "sentence"] = field(
        default="document", metadata={"help": "what has to be plausible for t originals"}
    )
    t_of_type: tuple[str, ...] = field(
        default=(), metadata={"help": "another t for the words of an entity type, as TYPE=number"}
    )
    bits: float | None = field(
        default=None, metadata={"help": "instead of t: bits per sensitive word", "min": 0.0, "max": 64.0}
    )
    base: tuple[str, ...] = field(
        default=(), metadata={"help": "a hierarchy of your own, asked first: CSV, SKOS or OBO"}
    )
    identifiers: Literal["mask", "keep"] = field(
        default="mask", metadata={"help": "names, codes and towns: masked first, or left to the method alone"}
    )

    def sanitize(self, documents: Sequence[Document]) -> Sanitized:
        reader = Reader(self, read_own(self.base))
        own_t = numbers(self.t_of_type, "t_of_type")
        run = current()
        edits: list[list[Edit]] = []
        all_figures: list[Figures] = []
        removed = 0
        for number, document in enumerate(documents):
            run.tell(number / len(documents), "sanitize")
            words = reader.read(document)
            try:
                made, figures = self._solved(document, words, own_t)
            except PromiseError:  # more words help
                words = reader.read(document, ordinary=True)
                made, figures = self._solved(document, words, own_t)
            removed += sum(len(word.places) for word in words if len(word.options) < 2)
            all_figures += figures
            edits.append(made)
        return Sanitized(edits, self._facts(all_figures, removed))

    def _solved(
        self, document: Document, words: Sequence[Word], own_t: dict[str, int]
    ) -> tuple[list[Edit], list[Figures]]:
        """Edits that pass the recount; a larger t is aimed at where a label may be read more narrowly."""
        known = [word for word in words if len(word.options) > 1]
        figures = self._solve(document, known, own_t, 1, None)
        made = _edits(document.text, words)
        for factor in _FACTORS:
            released = edited(document.text, made)
            short = _plausible_audit.short_units(document, released, self._needs(), read_own(self.base))
            if not short:
                break
            figures |= self._solve(document, known, own_t, factor, short)
            made = _edits(document.text, words)
        return made, list(figures.values())

    def audit(self, document: Document, released: str) -> Check:
        """Counts again, from the two texts alone, how many originals each unit may have had."""
        own = read_own(self.base)
        short, counted, fewest = _plausible_audit.recount(document, released, self._needs(), own)
        detail = f"{short} of {counted} units have too few plausible originals (least: 2^{fewest:.2f})"
        return Check("plausibility", short == 0, detail)

    def _needs(self) -> _plausible_audit.Needs:
        own_t = numbers(self.t_of_type, "t_of_type")
        listed = () if self.words is None else read_words(self.words)
        kind = self.sensitive if self.words is None else "words"
        return _plausible_audit.Needs(self.t, own_t, self.bits, self.unit, kind, listed)

    def _solve(
        self,
        document: Document,
        words: Sequence[Word],
        own_t: dict[str, int],
        factor: int,
        only: set[int] | None,
    ) -> dict[tuple[int, str | None], Figures]:
        """Chooses an option of each word so that all units, or only these, reach their t times a factor."""
        figures: dict[tuple[int, str | None], Figures] = {}
        units = units_of(document, self.unit)
        of_unit = words_of_units(units, words)
        for where, here in enumerate(of_unit, 1):
            if only is not None and where not in only:
                continue
            groups: dict[str | None, list[Word]] = {}
            for word in here:
                groups.setdefault(word.type if word.type in own_t else None, []).append(word)
            for kind, group in groups.items():
                t = own_t[kind] if kind is not None else self.t
                if self.bits is not None and kind is None:
                    t = count_of_bits(self.bits * len(group))
                asked = t * factor if t > 1 else t
                figures[where, kind] = self._choose(group, asked, where, beyond=factor > 1)
        return figures

    def _choose(self, group: Sequence[Word], t: int, where: int, *, beyond: bool) -> Figures:
        entropies = tuple(tuple(option.entropy for option in word.options) for word in group)
        volumes = tuple(tuple(option.volume for option in word.options) for word in group)
        problem = Problem(entropies, t, self.alpha, volumes if self.prior == "uniform" else None)
        try:
            choice = self._searched(problem)
        except InfeasibleError as error:
            if beyond:  # t itself was reached: the most general words are as far as it goes
                return self._put(group, problem, problem.top())
            place = "the document" if self.unit == "document" else f"{self.unit} {where}"
            raise PromiseError(f"{place}: {error}. Nothing was released") from None
        return self._put(group, problem, choice)

    def _put(self, group: Sequence[Word], problem: Problem, choice: Choice) -> Figures:
        for word, option in zip(group, choice, strict=True):
            word.chosen = max(word.chosen, option)
        return len(group), problem.entropy(choice), problem.cost(choice)

    def _searched(self, problem: Problem) -> Choice:
        if self.goal == "smallest":
            return exhaustive_smallest(problem) if self.search == "exhaustive" else smallest(problem)
        if self.search == "exact":
            return optimal(problem)
        if self.search == "exhaustive":
            return exhaustive_uniform(problem)
        start = least_upper_bound(problem)
        if self.search == "msgs":
            return multi_step(problem, start, delta=self.delta)
        return top_down(problem, start) if self.search == "tdgs" else start

    def _facts(self, figures: Sequence[Figures], removed: int) -> dict[str, Any]:
        return {
            "t": self.t,
            "unit": self.unit,
            "units": len(figures),
            "words": sum(words for words, _, _ in figures),
            "removed": removed,
            "least_bits": min((bits for _, bits, _ in figures), default=0.0),
            "cost": math.fsum(cost for _, _, cost in figures) / len(figures) if figures else 0.0,
        }


def _edits(text: str, words: Sequence[Word]) -> list[Edit]:
    """What becomes of each place of each word; the same word the same everywhere."""
    made: list[Edit] = []
    for word in words:
        for (start, end), use in zip(word.places, word.uses, strict=True):
            if word.options and word.chosen == 0 and len(word.options) > 1:
                continue
            new = word.options[word.chosen].label if len(word.options) > 1 else f"[{word.type or 'TERM'}]"
            made.append(Edit(*fitted(new, text, start, end, use=use)))
    made.sort()
    for at in range(1, len(made)):
        if made[at].start < made[at - 1].end:  # an article that two edits claimed
            made[at] = made[at]._replace(start=made[at - 1].end)
    return made
