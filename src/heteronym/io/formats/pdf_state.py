"""What a PDF's operators have set when a glyph is shown, and a stream of instructions with its glyphs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from heteronym.io.formats.pdf_fonts import Font, Glyph

Matrix = tuple[float, float, float, float, float, float]
ONE: Matrix = (1, 0, 0, 1, 0, 0)


class Shown(NamedTuple):
    """A glyph: which instruction shows it, which string of that, and where in it."""

    instruction: int
    part: int
    at: int
    glyph: Glyph


@dataclass
class State:
    """What the operators of text and graphics have set."""

    font: Font | None = None
    name: Any = None
    size: float = 0
    character: float = 0
    word: float = 0
    scale: float = 1
    leading: float = 0
    rise: float = 0
    matrix: Matrix = ONE
    line: Matrix = ONE
    place: Matrix = ONE  # of the page


@dataclass
class Page:
    """A stream of instructions, and the glyphs that it shows."""

    owner: Any  # whose resources they are
    instructions: list[Any]
    glyphs: list[Shown] = field(default_factory=list)
    states: dict[int, State] = field(default_factory=dict)  # before each instruction that shows text
    begin: dict[int, int] = field(default_factory=dict)  # and the beginning of its text object


def times(a: Matrix, b: Matrix) -> Matrix:
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def copied(state: State) -> State:
    return State(**vars(state))


def advance_of(glyph: Glyph, state: State) -> float:
    space = state.word if glyph.code == b" " else 0
    return (glyph.width / 1000 * state.size + state.character + space) * state.scale


def is_number(one: Any) -> bool:
    try:
        float(one)
        return not isinstance(one, (str, bytes)) and type(one).__name__ != "String"
    except (TypeError, ValueError):
        return False
