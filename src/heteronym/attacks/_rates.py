"""Success rates with their uncertainty, and what is left of them beside a control group.

Reference: Giomi, Boenisch, Wehmeyer and Tasnadi 2023, "A unified framework for quantifying privacy risk in
synthetic data" (Wilson intervals; risk = (attack - control) / (1 - control)).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

_Z = 1.96  # 95 %


@dataclass(frozen=True)
class Rate:
    """Successes among trials as Wilson's centre and half width."""

    successes: float
    trials: int

    @property
    def value(self) -> float:
        if not self.trials:
            return 0.0
        return (self.successes + _Z * _Z / 2) / (self.trials + _Z * _Z)

    @property
    def error(self) -> float:
        if not self.trials:
            return 1.0
        n, s = self.trials, self.successes
        return _Z / (n + _Z * _Z) * math.sqrt(max(s * (n - s) / n, 0.0) + _Z * _Z / 4)

    def beside(self, control: Rate) -> tuple[float, float]:
        """Risk in excess of the control, between 0 and 1, with its half width.

        Where the control always succeeds nothing is left to attribute to the release.
        """
        room = 1 - control.value
        if room <= 1e-9:
            return 0.0, 1.0
        risk = (self.value - control.value) / room
        by_control = (1 - self.value) / (room * room) * control.error
        return min(max(risk, 0.0), 1.0), math.hypot(self.error / room, by_control)
