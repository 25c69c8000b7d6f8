"""The columns of a plan beside what a look at the data says of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from heteronym.web.plan_text import content_of, with_value

# Roles with what they mean for whoever chooses one; from what is hidden most to what is hidden least.
ROLES = {
    "identifier": "names the person; never released",
    "quasi": "others may know it; made alike within a group",
    "event": "others may know it, row by row",
    "items": "a set of codes or things",
    "terms": "terms found in a text elsewhere",
    "text": "free text; names and places in it are treated",
    "sensitive": "must not be learned; varied within a group",
    "plain": "released as it is",
}
SCALES = ("nominal", "ordinal", "numeric", "date")
_TREATED = ("identifier", "quasi", "event", "items", "terms", "text")


@dataclass(frozen=True)
class ColumnChoice:
    """One line of the page: what the plan says, what was proposed, and what is dangerous about it."""

    number: int
    name: str
    role: str | None
    scale: str
    proposed: str
    reason: str
    distinct: int
    missing: int
    share: float  # distinct values among the rows
    warning: str
    picture: Markup  # how often its values are
    told: str  # the same in words
    hierarchy: str | None  # the file, if there is one


def text_columns(plan_text: str | None) -> list[str]:
    """Columns of free text that the plan names."""
    planned = content_of(plan_text).get("attributes")
    found = planned.items() if isinstance(planned, Mapping) else ()
    return [name for name, one in found if isinstance(one, Mapping) and one.get("role") == "text"]


def column_choices(
    profile: Mapping[str, Any], plan_text: str | None, spreads: Sequence[Mapping[str, Any]] = ()
) -> list[ColumnChoice]:
    planned = content_of(plan_text).get("attributes") or {}
    rows = max(int(profile["rows"]), 1)
    choices = []
    for number, column in enumerate(profile["columns"]):
        settings = planned.get(column["name"]) if isinstance(planned, Mapping) else None
        settings = settings if isinstance(settings, Mapping) else {}
        role = settings.get("role")
        spread = spreads[number] if number < len(spreads) else {"of": "values", "bars": []}
        choices.append(
            ColumnChoice(
                number=number,
                name=column["name"],
                role=role,
                scale=settings.get("scale", "nominal"),
                proposed=column["role"],
                reason=column["reason"],
                distinct=column["distinct"],
                missing=column["missing"],
                share=column["distinct"] / rows,
                warning=_warning(role, column, rows),
                picture=small_picture(spread),
                told=_in_words(spread),
                hierarchy=settings.get("hierarchy"),
            )
        )
    return choices


def small_picture(spread: Mapping[str, Any]) -> Markup:
    """A bar per value or range; what each stands for is told where somebody points at it."""
    bars = spread["bars"]
    most = max((count for _, count in bars), default=0)
    if not most:
        return Markup("")
    drawn = []
    for number, (name, count) in enumerate(bars):
        height = max(22 * count / most, 1 if count else 0)
        drawn.append(
            Markup('<g><title>{}: {:,}</title><rect class="trough" x="{}" width="6" height="24"/>').format(
                name, count, number * 7
            )
            + Markup('<rect class="f0" x="{}" y="{}" width="6" height="{}"/></g>').format(
                number * 7, f"{24 - height:.1f}", f"{height:.1f}"
            )
        )
    width = max(len(bars) * 7 - 1, 20)
    start = Markup(
        '<svg class="spread" viewBox="0 0 {} 24" preserveAspectRatio="xMinYMid" role="img" aria-label="{}">'
    ).format(width, _in_words(spread))
    return start + Markup("").join(drawn) + Markup("</svg>")


def _in_words(spread: Mapping[str, Any]) -> str:
    bars, different = spread["bars"], spread.get("different", 0)
    if not bars:
        return "every value once" if different else ""
    if spread["of"] == "values":
        return "all values" if different <= len(bars) else f"the {len(bars)} most frequent of {different:,}"
    first, last = bars[0][0].split(" to ")[0], bars[-1][0].rsplit(" to ", 1)[-1]
    return f"{first} to {last}{' words' if spread['of'] == 'words' else ''}"


def _warning(role: str | None, column: Mapping[str, Any], rows: int) -> str:
    proposed = column["role"]
    if role is None:
        return "Without a role the run stops."
    if role in ("plain", "sensitive") and proposed == "identifier":
        return "Released as it is, and it looks like something that names a person."
    if role == "plain" and proposed in _TREATED:
        return f"Released as it is; the look at the data proposes {proposed}."
    if role == "sensitive" and proposed in ("quasi", "event", "text"):
        return "Released as it is, though varied within groups; others may know it."
    if role == "plain" and column["distinct"] > rows / 2 and column["scale"] != "text":
        return "Released as it is, and most values stand in one row only: whoever knows one finds the row."
    if role == "text" and proposed != "text":
        return (
            "Treated as free text: names in it are masked, but its values are not made alike within groups."
        )
    if role in ("quasi", "event") and proposed == "identifier":
        return "Looks like something that names a person; as a quasi-identifier nearly all of it is lost."
    return ""


def with_choice(text: str, name: str, *, role: str, scale: str) -> str:
    """The plan with this role and scale; other settings of the column stay."""
    if role not in ROLES or scale not in SCALES:
        return text
    text = with_value(text, ["attributes", name, "role"], role)
    settings = content_of(text).get("attributes", {}).get(name, {})
    if settings.get("scale", "nominal") != scale:
        text = with_value(text, ["attributes", name, "scale"], None if scale == "nominal" else scale)
    return text
