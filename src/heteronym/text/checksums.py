"""Checksums of published identifiers: whether a number, as it is written, can be one of its kind.

Each check takes what a pattern matched, separators and all. The rules are those that issuers publish: ISO/IEC
7812 (Luhn), ISO 13616 (IBAN), BIP 173 and 350 (bech32), weights as named at each function. A number that
passes one by chance is one of ten (Luhn) to one of four billion (Bitcoin).

Cost        O(length of the number)
Randomness  none
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Sequence
from hashlib import sha256
from types import MappingProxyType

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
_BECH32_GENERATOR = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)
_BECH32_CONSTANTS = (1, 0x2BC830A3)  # bech32 and bech32m


def digits_of(text: str) -> list[int]:
    return [int(character) for character in text if character.isdigit()]


def _weighted(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True))


def _luhn_sum(digits: Sequence[int]) -> int:
    doubled = [2 * digit - 9 * (digit > 4) for digit in digits[-2::-2]]
    return sum(digits[-1::-2]) + sum(doubled)


def luhn(text: str) -> bool:
    """Payment cards, Canadian social insurance numbers."""
    return _luhn_sum(digits_of(text)) % 10 == 0


def payment_card(text: str) -> bool:
    """Luhn, and not one digit over and over."""
    return luhn(text) and len(set(digits_of(text))) > 1


def us_provider(text: str) -> bool:
    """National Provider Identifier: Luhn behind the prefix of health applications in the United States."""
    digits = digits_of(text)
    return len(set(digits[:-1])) > 1 and _luhn_sum([8, 0, 8, 4, 0, *digits]) % 10 == 0


def us_routing(text: str) -> bool:
    """Routing number of the American Bankers Association: weights 3, 7, 1."""
    return _weighted(digits_of(text), (3, 7, 1) * 3) % 10 == 0


def us_drug_prescriber(text: str) -> bool:
    """Registration of the Drug Enforcement Administration: odd places once, even places twice."""
    digits = digits_of(text[2:])
    return _weighted(digits[:-1], (1, 2) * 3) % 10 == digits[-1]


def us_never_issued(text: str) -> bool:
    """Social security numbers that nobody has: empty groups, 666, one digit only, those of advertisements."""
    number = "".join(map(str, digits_of(text)))
    return (
        number[:3] in ("000", "666")
        or number[3:5] == "00"
        or number[5:] == "0000"
        or len(set(number)) == 1
        or number in ("123456789", "987654320", "078051120")
    )


def orcid(text: str) -> bool:
    """Number of a researcher: ISO 7064, modulo 11, with X for ten at its end."""
    total = 0
    for digit in digits_of(text[:-1]):
        total = 2 * (total + digit) % 11
    check = (12 - total) % 11
    return text[-1].upper() == ("X" if check == 10 else str(check))


def uk_health_service(text: str) -> bool:
    """Number of the National Health Service: weights 10 to 1, modulo 11."""
    return _weighted(digits_of(text), range(10, 0, -1)) % 11 == 0


def uk_number_plate(text: str) -> bool:
    """The year of a number plate since September 2001: 02 to 29 from March, 51 to 79 from September."""
    year = int("".join(map(str, digits_of(text))))
    return 2 <= year <= 29 or 51 <= year <= 79


def au_tax_file(text: str) -> bool:
    """Australian tax file number, modulo 11."""
    return _weighted(digits_of(text), (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def au_medicare(text: str) -> bool:
    """Australian Medicare number: the ninth digit checks the eight before it."""
    digits = digits_of(text)
    return _weighted(digits[:8], (1, 3, 7, 9) * 2) % 10 == digits[8]


def in_aadhaar(text: str) -> bool:
    """Indian Aadhaar number: Verhoeff's checksum; none begins with 0 or 1, none reads the same backwards."""
    digits = digits_of(text)
    return digits[0] > 1 and digits != digits[::-1] and _verhoeff(digits) == 0


_VERHOEFF_STEP = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def _verhoeff(digits: Sequence[int]) -> int:
    """Digits are moves of a pentagon (0-4 turn it, 5-9 turn it over); they are permuted place by place."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        for _ in range(place % 8):
            digit = _VERHOEFF_STEP[digit]
        turn = total % 5 + digit % 5 if total < 5 else total % 5 - digit % 5
        total = turn % 5 + 5 * ((total < 5) != (digit < 5))
    return total


def iban(text: str) -> bool:
    """The number that its characters spell, the first four moved to the end, leaves 1 modulo 97."""
    characters = "".join(filter(str.isalnum, text))
    spelt = "".join(str(int(character, 36)) for character in characters[4:] + characters[:4])
    return int(spelt) % 97 == 1


def bitcoin(text: str) -> bool:
    """Bitcoin address: a double hash in base 58, or bech32."""
    return _bech32(text) if text[:3].lower() == "bc1" else _base58_check(text)


def _base58_check(text: str) -> bool:
    number = 0
    for character in text:
        value = _BASE58.find(character)
        if value < 0:
            return False
        number = number * 58 + value
    zeros = len(text) - len(text.lstrip(_BASE58[0]))
    content = bytes(zeros) + number.to_bytes((number.bit_length() + 7) // 8, "big")
    return sha256(sha256(content[:-4]).digest()).digest()[:4] == content[-4:]


def _bech32(text: str) -> bool:
    if text not in (text.lower(), text.upper()):
        return False
    name, _, rest = text.lower().rpartition("1")
    values = [_BECH32.find(character) for character in rest]
    if not name or len(values) < 6 or len(text) > 90 or -1 in values:
        return False
    total = 1
    for value in (*(ord(c) >> 5 for c in name), 0, *(ord(c) & 31 for c in name), *values):
        top = total >> 25
        total = (total & 0x1FFFFFF) << 5 ^ value
        for bit, generator in enumerate(_BECH32_GENERATOR):
            total ^= generator if top >> bit & 1 else 0
    return total in _BECH32_CONSTANTS


def no_ip_address(text: str) -> bool:
    try:
        ipaddress.ip_interface(text)
    except ValueError:
        return True
    return False


def empty_hardware_address(text: str) -> bool:
    """All bits the same: everybody, or nobody."""
    return set(text.lower()) - set(":-.") in ({"0"}, {"f"})


CHECKS: MappingProxyType[str, Callable[[str], bool]] = MappingProxyType(
    {
        check.__name__: check
        for check in (
            *(luhn, payment_card, iban, bitcoin, no_ip_address, empty_hardware_address),
            *(us_provider, us_routing, us_drug_prescriber, us_never_issued, uk_health_service),
            *(uk_number_plate, au_tax_file, au_medicare, in_aadhaar, orcid),
        )
    }
)
