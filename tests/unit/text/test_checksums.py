"""Checksums against numbers that issuers publish as examples, and every slip of one digit."""

from __future__ import annotations

import pytest

from heteronym.text.checksums import CHECKS

# A check, and examples from the pages that publish it
PUBLISHED = {
    "luhn": ["79927398713", "4111 1111 1111 1111", "046 454 286"],
    "iban": ["DE89 3704 0044 0532 0130 00", "GB29NWBK60161331926819", "NO93-8601-1117-947"],
    "us_provider": ["1234567893", "1245-319-599"],
    "us_routing": ["121000358", "1110-0002-5"],
    "us_drug_prescriber": ["AB1234563", "F91234563"],
    "uk_health_service": ["943 476 5919", "9876543210"],
    "au_tax_file": ["876 543 210", "459599230"],
    "au_medicare": ["2123 45670 1"],
    "in_aadhaar": ["2341 2341 2346"],
}
EVERY_SLIP = {"luhn", "iban", "us_routing", "uk_health_service", "au_tax_file", "in_aadhaar"}


@pytest.mark.parametrize(("name", "number"), [(name, n) for name, ns in PUBLISHED.items() for n in ns])
def test_published_examples_pass(name: str, number: str) -> None:
    assert CHECKS[name](number)


@pytest.mark.parametrize("name", sorted(EVERY_SLIP))
def test_a_slip_of_one_digit_is_noticed(name: str) -> None:
    number = PUBLISHED[name][0]
    places = [place for place, character in enumerate(number) if character.isdigit()]
    slips = [
        number[:place] + digit + number[place + 1 :]
        for place in places
        for digit in "0123456789"
        if digit != number[place]
    ]
    assert [slip for slip in slips if CHECKS[name](slip)] == []


def test_verhoeff_notices_neighbours_that_changed_places() -> None:
    number = "234123412346"
    swapped = [
        number[:i] + number[i + 1] + number[i] + number[i + 2 :]
        for i in range(len(number) - 1)
        if number[i] != number[i + 1]
    ]
    assert swapped
    assert [one for one in swapped if CHECKS["in_aadhaar"](one)] == []


@pytest.mark.parametrize(
    "address",
    [
        "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
        "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy",
        "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",  # BIP 173
        "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
        "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",  # BIP 350
    ],
)
def test_bitcoin_addresses(address: str) -> None:
    assert CHECKS["bitcoin"](address)
    assert not CHECKS["bitcoin"](address[:-1] + ("5" if address[-1] != "5" else "6"))
    assert not CHECKS["bitcoin"](address[:10] + "0" + address[10:])


def test_bech32_has_letters_of_one_size() -> None:
    assert not CHECKS["bitcoin"]("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4")


@pytest.mark.parametrize(
    ("name", "number", "true"),
    [
        ("payment_card", "0000 0000 0000 0000", False),
        ("payment_card", "5500 0000 0000 0004", True),
        ("us_provider", "1111111112", False),
        ("us_never_issued", "666-45-1234", True),
        ("us_never_issued", "123-00-1234", True),
        ("us_never_issued", "123-45-0000", True),
        ("us_never_issued", "078051120", True),
        ("us_never_issued", "536-90-4399", False),
        ("uk_number_plate", "AB12 CDE", True),
        ("uk_number_plate", "AB51CDE", True),
        ("uk_number_plate", "AB42 CDE", False),
        ("in_aadhaar", "0341 2341 2346", False),
        ("no_ip_address", "10.0.0.1/24", False),
        ("no_ip_address", "fe80::1%eth0", False),
        ("no_ip_address", "12:30:45", True),
        ("empty_hardware_address", "FF:FF:FF:FF:FF:FF", True),
        ("empty_hardware_address", "00-00-00-00-00-00", True),
        ("empty_hardware_address", "00:1b:44:11:3a:b7", False),
    ],
)
def test_checks_that_are_no_plain_sum(name: str, number: str, true: bool) -> None:
    assert CHECKS[name](number) is true
