"""Codes of the same shape: digits stay digits, letters letters, and check digits stay valid.

A code that passes one of the known checks (payment cards, IBAN, NHS, ISBN, ...) gets a surrogate that passes
the same. Candidates are drawn until one does.

Reference   ISO/IEC 7812-1 (Luhn), ISO 13616 and ISO 7064 (mod 97-10), Verhoeff 1969, national rules
Guarantee   same length, same classes of characters, same checks passed
Cost        some thousand draws where several checks hold by chance
Randomness  none beside the key
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from heteronym.surrogates.draws import Draws

_MOST_DRAWS = 200_000
_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"  # without I, O and Q, which people misread
_CHUNK = re.compile(r"\S+")


def _digits(code: str) -> list[int]:
    return [int(c) for c in code]


def _luhn(code: str) -> bool:
    numbers = _digits(code)[::-1]
    return (sum(numbers[::2]) + sum(sum(divmod(2 * d, 10)) for d in numbers[1::2])) % 10 == 0


def _mod97(code: str) -> bool:
    """ISO 7064 over letters and digits, the first four characters last."""
    return int("".join(str(int(c, 36)) for c in code[4:] + code[:4])) % 97 == 1


def _isin(code: str) -> bool:
    return _luhn("".join(str(int(c, 36)) for c in code))


def _mod11_10(code: str) -> bool:
    """ISO 7064 mod 11,10, as the German tax number has it."""
    product = 10
    for digit in _digits(code)[:-1]:
        product = ((digit + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(code[-1])


_D5 = tuple(tuple((i % 5 + j % 5) % 5 if i < 5 and j < 5 else (i + j) % 5 + 5 if i < 5 else
            (i - j) % 5 + 5 if j < 5 else (i - j) % 5 for j in range(10)) for i in range(10))  # fmt: skip
_TURN = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def _verhoeff(code: str) -> bool:
    check = 0
    for place, digit in enumerate(reversed(_digits(code))):
        for _ in range(place % 8):
            digit = _TURN[digit]
        check = _D5[check][digit]
    return check == 0


def _cpf(code: str) -> bool:
    numbers = _digits(code)
    return all(
        (sum(d * (n + 1 - i) for i, d in enumerate(numbers[:n])) * 10 % 11) % 10 == numbers[n]
        for n in (9, 10)
    )


def _weighted(weights: tuple[int, ...], modulus: int) -> Callable[[str], bool]:
    return lambda code: sum(w * d for w, d in zip(weights, _digits(code))) % modulus == 0


def _dni(code: str) -> bool:
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int(code[:8]) % 23] == code[8]


def _vin(code: str) -> bool:
    values = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", _digits("12345678123457923456789")))
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    rest = sum(w * (int(c) if c.isdigit() else values[c]) for w, c in zip(weights, code)) % 11
    return code[8] == ("X" if rest == 10 else str(rest))


def _nir(code: str) -> bool:
    return (97 - int(code[:13]) % 97) == int(code[13:])


def _dea(code: str) -> bool:
    numbers = _digits(code[2:])
    return (sum(numbers[0:6:2]) + 2 * sum(numbers[1:6:2])) % 10 == numbers[6]


# The form of a code without blanks and marks, and what holds of a valid one.
CHECKS: dict[str, tuple[re.Pattern[str], Callable[[str], bool]]] = {
    name: (re.compile(form), check)
    for name, form, check in (
        ("card", r"\d{8,19}", _luhn),
        ("iban", r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}", _mod97),
        ("isin", r"[A-Z]{2}[A-Z0-9]{9}\d", _isin),
        ("german tax number", r"[1-9]\d{10}", _mod11_10),
        ("aadhaar", r"[2-9]\d{11}", _verhoeff),
        ("cpf", r"\d{11}", _cpf),
        ("nhs", r"\d{10}", _weighted((10, 9, 8, 7, 6, 5, 4, 3, 2, 1), 11)),
        ("ean", r"\d{13}", _weighted((1, 3) * 6 + (1,), 10)),
        ("aba", r"\d{9}", _weighted((3, 7, 1) * 3, 10)),
        ("bsn", r"\d{9}", _weighted((9, 8, 7, 6, 5, 4, 3, 2, -1), 11)),
        ("tfn", r"\d{9}", _weighted((1, 4, 3, 7, 5, 8, 6, 9, 10), 11)),
        ("pesel", r"\d{11}", _weighted((1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), 10)),
        ("dni", r"\d{8}[A-Z]", _dni),
        ("vin", r"[A-HJ-NPR-Z0-9]{17}", _vin),
        ("nir", r"[12]\d{14}", _nir),
        ("dea", r"[A-Z]{2}\d{7}", _dea),
    )
}  # fmt: skip


def passed(code: str) -> list[str]:
    """The checks that a bare code passes."""
    return [name for name in CHECKS if _passes(code, name)]


def _passes(code: str, name: str) -> bool:
    form, check = CHECKS[name]
    return form.fullmatch(code) is not None and check(code)


def code_surrogate(
    code: str,
    key: bytes,
    *,
    keep: int = 0,
    kind: str = "CODE",
    attempt: int = 0,
    checks: Collection[str] | None = None,
) -> str | None:
    """A bare code of the shape of `code`, whose first `keep` characters stay; None if there is no other.

    It passes the checks that `code` passes, or those that are told.
    """
    wanted = passed(code) if checks is None else checks
    draws = Draws(key, "code", kind, code, str(attempt))
    free = _stays(code, keep)
    if free == len(code):
        return None
    for _ in range(_MOST_DRAWS):
        first = _drawn(code[free], draws, least=1)
        candidate = code[:free] + first + "".join(_drawn(c, draws) for c in code[free + 1 :])
        if candidate != code and all(_passes(candidate, name) for name in wanted):
            return candidate
    return None


def _stays(code: str, keep: int) -> int:
    """How many characters stay: zeros in front carry meaning (area codes, numbers filled up)."""
    return keep + len(code[keep:]) - len(code[keep:].lstrip("0"))


def shape(code: str, *, keep: int = 0) -> str:
    """What the surrogate of a bare code tells of it, beside checks: what stays, and the kinds of the rest."""
    stays = _stays(code, keep)
    return code[:stays] + "".join("9" if c.isdigit() else "X" for c in code[stays:])


def _drawn(character: str, draws: Draws, *, least: int = 0) -> str:
    if character.isdigit():
        return str(least + draws.below(10 - least))
    return draws.choice(_LETTERS)


def places(surface: str, *, labelled: bool) -> list[int]:
    """Which characters make up the code itself; a word beside it ("MRN 4711") is no part of it."""
    if not labelled:
        return [place for place, c in enumerate(surface) if c.isalnum()]
    chunks = [(match.start(), match.group()) for match in _CHUNK.finditer(surface)]
    numbered = any(any(map(str.isdigit, chunk)) for _, chunk in chunks)
    return [
        start + i
        for start, chunk in chunks
        if not numbered or any(map(str.isdigit, chunk)) or re.fullmatch(r"[A-Z]{1,2}", chunk)
        for i, c in enumerate(chunk)
        if c.isalnum()
    ]


def poured(surface: str, where: list[int], code: str) -> str:
    """A bare code in the writing of another: its blanks, marks and capitals."""
    characters = list(surface)
    for place, character in zip(where, code, strict=True):
        characters[place] = character.lower() if surface[place].islower() else character
    return "".join(characters)
