"""Comments of a draft plan: names on one line, and the risk of the table as it is, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_RISKS = ("prosecutor", "journalist", "marketer", "singling_out", "linkability", "inference", "household")


def in_comment(name: str, most: int = 60) -> str:
    """A name on one line, for people to read."""
    line = "".join(character if character.isprintable() else " " for character in name)
    return line if len(line) <= most else f"{line[: most - 1]}…"


def risk_lines(risk: Mapping[str, Any]) -> list[str]:
    """What `profiling.risk` found, in the words of the draft."""
    if not risk:
        return []
    found = risk["combinations"]
    told = [f"{name.replace('_', ' ')} {risk[name]:.3g}" for name in _RISKS if name in risk]
    lines = [
        f"# Risk as it is: {', '.join(told)}.",
        f"# {100 * risk['marketer']:.1f} % of persons would be matched by who knows all quasi columns, "
        f"{100 * risk['at_risk']:.1f} % hide among fewer than five.",
        f"# Alone on up to {found['largest']} columns: {found['singled_out']} persons, driven by "
        + ", ".join(f"{in_comment(n)} ({100 * s:.0f} %)" for n, s in list(found["drivers"].items())[:3])
        + ".",
        f"# Special uniques: {found['special']} persons are alone on fewer columns than there are.",
    ]
    lines += [
        f"#   {one['persons']} by {', '.join(map(in_comment, one['columns']))} and by no part of it"
        for one in found["combinations"][:3]
    ]
    for share, guess in risk["population"].items():
        lines.append(
            f"# If the data is {100 * float(share):g} % of a population, about {100 * guess['unique']:.1f} % "
            f"of that are unique in it, assuming that {guess['assumption']}."
        )
    return [*lines, *(f"# {part.strip()}" for part in risk["advice"].replace(". ", ".\n").split("\n"))]
