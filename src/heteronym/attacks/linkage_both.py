"""Who knows the quasi columns and a few items or terms of a target looks for those who fit both.

Reference   Terrovitis et al. 2008 (who knows m items); Poulis et al. 2013 (and the columns)
Guarantee   finds a target if the elements it draws, the rarest ones first, fit fewer persons than promised
Cost        O(targets * elements of a target * persons)
Randomness  which targets are tried, and some of the elements
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from heteronym.attacks.linkage_elements import LinkageByElements
from heteronym.registry import attacks


@attacks.register("linkage-both")
@dataclass(frozen=True)
class LinkageByBoth(LinkageByElements):
    """Knows all quasi columns and some items or terms of the target."""

    name: ClassVar[str] = "linkage-both"
    with_columns: ClassVar[bool] = True
