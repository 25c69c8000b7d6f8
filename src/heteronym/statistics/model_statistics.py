"""What several models know of the same persons while a search moves them about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from heteronym.contracts import PrivacyModel, Statistic
from heteronym.model.person_view import PersonView
from heteronym.statistics.histograms import Histogram


class ModelStatistics:
    """The statistics of several models; those that group size alone decides need none."""

    def __init__(self, view: PersonView, models: Sequence[PrivacyModel]) -> None:
        self.view, self.models = view, models
        self.least = max((model.least_persons for model in models), default=1)
        self.asking = [model for model in models if not model.size_only]

    def histograms(self) -> list[Histogram] | None:
        """The statistics of nobody, if all are histograms with limits that compiled searches know."""
        statistics = [model.start(self.view) for model in self.asking]
        plain = [statistic for statistic in statistics if type(statistic) is Histogram]
        return plain if len(plain) == len(statistics) else None

    def start(self, members: NDArray[Any] | None = None) -> list[Statistic]:
        statistics: list[Statistic] = [model.start(self.view) for model in self.asking]
        if members is not None:
            for statistic in statistics:
                statistic.add(members)
        return statistics

    def admits(self, members: NDArray[Any]) -> bool:
        """Whether all models admit a set of persons."""
        return len(members) >= self.least and all(s.admits() for s in self.start(members))

    def admits_cut(self, whole: list[Statistic], part: NDArray[Any], rest: int) -> bool:
        """Whether both sides of a cut are admitted; if so, `whole` is left without the part."""
        if min(len(part), rest) < self.least:
            return False
        if not all(s.admits() for s in self.start(part)):
            return False
        for statistic in whole:
            statistic.remove(part)
        if all(s.admits() for s in whole):
            return True
        for statistic in whole:
            statistic.add(part)
        return False
