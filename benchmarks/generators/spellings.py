"""How people write a value in a note: every form that a text is searched for, and some more.

The forms are written down here a second time, on purpose without a look at the program: what it must find is
not taken from what it finds.
"""

from __future__ import annotations

import datetime as dt
import random
import unicodedata
from urllib.parse import quote

_TENS = "zero ten twenty thirty forty fifty sixty seventy eighty ninety".split()
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()


def in_words(number: int) -> str:
    if number < 20:
        return _ONES[number]
    return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")


def ages(age: int, sex: str, rng: random.Random) -> str:
    letter = sex[0]
    article = "an" if age in (18, *range(80, 90)) else "a"
    forms = [
        f"{age}{letter}", f"{letter.lower()}{age}", f"{age}y {letter}", f"{age} years old", f"aged {age}",
        f"{age}-year-old", f"{age}½", f"{article} {age} year old", f"{age} yo", f"{age}yo",
    ]  # fmt: skip
    if 12 < age < 100:
        forms += [in_words(age), in_words(age).replace("-", " ").capitalize(), in_words(age)]
    return rng.choice(forms)


def names(first: str, last: str, rng: random.Random) -> str:
    plain = ascii_of(last)
    forms = [
        f"{first} {last}", f"{first.lower()} {last.lower()}", f"{last}, {first}", f"Dr.{last}", f"Mr {last}",
        f"miss {last.lower()}", f"{first[0]}. {last}", f"{first} {last}".upper(), f"{last}'s",
        quote(f"{ascii_of(first)} {plain}"), f"/home/{ascii_of(first)}_{plain}/notes",
        f"the{ascii_of(first)}{plain}Show", unicodedata.normalize("NFD", f"{first} {last}"),
        f"{first} {last}".replace("'", "’").replace("-", "\u2010"), f"{ascii_of(first)} {plain}",
        f"{ascii_of(first)}{plain}".lower(), f"{first}\u00a0{last}", first.lower(), last.lower(),
        f"{last.lower()}'s", f"mr {first.lower()}", first,
    ]  # fmt: skip
    return rng.choice(forms)


def logins(login: str, rng: random.Random) -> str:
    return rng.choice([login, login.upper(), f"{login} at mail", f"https://x.example/u/{login}", f"@{login}"])


def codes(code: str, rng: random.Random) -> str:
    return rng.choice([code, code.replace("-", ""), code.replace("-", " "), code.lower()])


def phones(phone: str, rng: random.Random) -> str:
    digits = "".join(c for c in phone if c.isdigit())
    return rng.choice([phone, digits, "0" + digits[2:], f"(0){digits[2:4]} {digits[4:8]} {digits[8:]}"])


def days(day: dt.date, rng: random.Random) -> str:
    forms = ["%Y-%m-%d", "%d.%m.%Y", "%d%m%Y", "%d %B %Y", "%B %d, %Y", "%d/%m/%y", "%Y%m%d", "%d %b %Y"]
    return day.strftime(rng.choice(forms))


def amounts(amount: str, rng: random.Random) -> str:
    value = float(amount)
    return rng.choice([amount, f"{value:g}" if value < 1e5 else amount, f"{value:,.2f}", f"€{amount}"])


def words(value: str, rng: random.Random) -> str:
    forms = [
        value,
        value.replace("'", "’"),
        value.replace("-", "\u2010"),
        unicodedata.normalize("NFD", value),
    ]
    return rng.choice(forms)


def ascii_of(text: str) -> str:
    text = text.replace("ø", "o").replace("Ł", "L").replace("ł", "l").replace("ß", "ss")
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return "".join(c for c in plain if c.isalnum())
