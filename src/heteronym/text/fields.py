"""Keys of forms, tables and exports by what they announce: "Surname", "hosp no", "date_of_birth", "lastIp".

The kinds are those of entity types, and a few more where the value must be read with care: NAME (whatever
stands there is a name), LIKELY (a name may stand there), BY (a name or initials), SECRET, SUM (an
amount only with a currency), STATUS (marital, if the value says so), NONE (known, but tells nobody).
"""

from __future__ import annotations

import re

from heteronym.text.lexicon import lexicon

_LEXICON = lexicon("fields")


def _kinds(table: str) -> dict[str, str]:
    return {
        " ".join(key.split()): kind for kind, keys in _LEXICON.table(table).items() for key in keys.split(",")
    }


KEYS = _kinds("keys")

_BODIES = _LEXICON.words("BODIES")
_NUMBERED = frozenset("no nos number numbers num nr id ids ref reference code uuid guid".split())
_NOT_NUMBERED = _LEXICON.words("NOT_NUMBERED")
_OF = _LEXICON.compiled("OF")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BRACKETS = re.compile(r"\s?\(([^)]*)\)?")


def folded(key: str) -> str:
    """A key as the table writes it: small letters, single blanks, "no" for its abbreviations."""
    bare = key.lower().replace("’", "'").replace("_", " ").replace("(s)", "").replace("( s )", "")
    bare = re.sub(r"\s*/\s*", "/", bare)
    bare = re.sub(r"\b(no|num|nr|tel|ph|mob|lic|reg|ref|hosp|acct|cert)\.", r"\1", bare).rstrip(".#: ")
    return re.sub(r"\s+", " ", re.sub(r"\b(?:num|nr)\b|\s#", " no", bare)).strip()


def kind_of(key: str) -> str | None:
    """What a folded key announces; None: no key."""
    if (kind := KEYS.get(key)) is not None:
        return kind
    if "(" in key:
        inner = _BRACKETS.search(key)
        outer = _BRACKETS.sub("", key).strip()
        kind = KEYS.get(inner.group(1).strip()) if inner else None
        if kind in ("CODE", "PHONE") or not outer:
            return kind
        return kind_of(outer) or ("CODE" if numbered(outer) else None)
    if (of := _OF.fullmatch(key)) is not None:
        return _of(*of.groups())
    if key.endswith(" by") and key[:-3].endswith(("ed", "en", "ne")) and " " not in key[:-3]:
        return "BY"
    for separator in ("/", " & ", " and ", " or "):
        if separator in key:
            first, _, second = key.partition(separator)
            kind = KEYS.get(first)
            return KEYS.get(second, kind) if kind in (None, "NONE") else kind
    return None


def _of(what: str, whose: str) -> str | None:
    if what in ("date", "year", "day", "month"):
        return "DATE"
    if what in ("name", "names"):
        last = whose.split()[-1]
        return "ORG" if last in _BODIES else "NAME"
    if what == "relationship":
        return "FAMILY"
    return None if what == "number" else "GPE" if what != "place" or whose.split()[-1] != "work" else "ORG"


def numbered(key: str) -> bool:
    """A longer key that ends like the number of something: "philhealth no", "employee code"."""
    words = key.split()
    return len(words) > 1 and words[-1] in _NUMBERED and words[-2] not in _NOT_NUMBERED


_COLUMNS = _kinds("columns")


def column_kind(name: str) -> str | None:
    """What a column, a member of an object or a tag holds: "member_id", "lastName", "user.email"."""
    key = folded(_CAMEL.sub(" ", name).replace("-", " ").replace(".", " ").replace(":", " "))
    words = key.split()
    for first in range(len(words)):
        part = " ".join(words[first:])
        if first and len(part) < 3 and part not in ("id", "ip", "no"):
            break  # "rosalinda t." is no telephone
        if (kind := _COLUMNS.get(part) or kind_of(part)) is not None:
            return kind
    return "CODE" if numbered(key) else None


EVERYDAY = _LEXICON.words("EVERYDAY")
ALONE = frozenset("conditions present direct desk home work place value rate status user staff site".split())
