"""Compiles `heteronym/knowledge/data/name_origins.tsv`: names by origin and gender, for surrogates.

    python training/compile_name_origins.py FAKER NAMES

FAKER  the wheel or folder of the package Faker (MIT), of which only the lists of names are read
NAMES  folder of the package names (MIT; first names of the US census 1990 by gender, public domain)

Russian, Ukrainian, Bulgarian and Greek names are transliterated letter by letter. Names that the lists lack
or have in other letters only, are in `typed_names.tsv`.
"""

from __future__ import annotations

import importlib
import re
import sys
from collections.abc import Iterable
from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "src" / "heteronym" / "knowledge" / "data"
MOST = 1000  # names per list
ORIGINS = {
    "english": ["en_GB"], "irish": ["en_IE"], "german": ["de_DE", "de_AT"],
    "dutch": ["nl_NL", "nl_BE"], "nordic": ["sv_SE", "da_DK", "no_NO"], "finnish": ["fi_FI"],
    "french": ["fr_FR", "fr_CA", "fr_BE"], "italian": ["it_IT"], "spanish": ["es_ES", "es_MX", "es_AR"],
    "portuguese": ["pt_PT", "pt_BR"], "polish": ["pl_PL"], "czech": ["cs_CZ", "sk_SK"],
    "croatian": ["hr_HR", "sl_SI"], "hungarian": ["hu_HU"], "romanian": ["ro_RO"],
    "russian": ["ru_RU", "uk_UA"], "bulgarian": ["bg_BG"], "greek": ["el_GR"], "turkish": ["tr_TR"],
    "indian": ["en_IN"], "japanese": ["ja_JP"], "chinese": ["zh_TW"], "vietnamese": ["vi_VN"],
    "nigerian": ["en_NG", "ig_NG", "yo_NG"], "ghanaian": ["tw_GH"], "kenyan": ["en_KE"], "zulu": ["zu_ZA"],
}  # fmt: skip
CYRILLIC = dict(
    zip(
        "абвгдезийклмнопрстуфхъыьэіїєґё",
        "a b v g d e z i y k l m n o p r s t u f kh a y ' e i yi ye g yo".replace("'", "").split(" "),
        strict=True,
    )
) | {"ж": "zh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya"}
GREEK = (
    dict(
        zip(
            "αβγδεζηθικλμνξοπρσςτυφχψω",
            "a v g d e z i th i k l m n x o p r s s t y f ch ps o".split(" "),
            strict=True,
        )
    )
    | dict(zip("άέήίόύώϊϋ", "aeioioiiy", strict=True))
    | {"ύ": "y", "ώ": "o", "ό": "o", "ί": "i", "ή": "i"}
)
NAME = re.compile(r"[^\W\d_a-z][^\W\d_]{1,}(?:-[^\W\d_]{2,})?")


def latin(name: str) -> str:
    letters = CYRILLIC | GREEK
    return (
        "".join(letters.get(c.lower(), c) for c in name).capitalize()
        if not name.isascii() and any(c.lower() in letters for c in name)
        else "-".join(p.capitalize() for p in name.split("-"))
        if name.isupper()
        else name
    )


def taken(provider: type, *attributes: str) -> list[str]:
    return next((list(getattr(provider, a)) for a in attributes if len(getattr(provider, a, ())) > 1), [])


def lists(locales: Iterable[str], kind: str) -> list[str]:
    sources = {
        "female": ("first_romanized_names_female", "first_names_female"),
        "male": ("first_romanized_names_male", "first_names_male"),
        "surname": ("last_romanized_names", "last_names_male", "unisex_last_names", "last_names"),
    }[kind]
    found: dict[str, None] = {}
    for locale in locales:
        provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        for name in map(latin, taken(provider, *sources)[:MOST]):
            if NAME.fullmatch(name) and all(ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 for c in name):
                found[name] = None
    return list(found)


def census(folder: Path, gender: str) -> list[str]:
    rows = (folder / f"dist.{gender}.first").read_text().splitlines()
    return [row.split()[0].capitalize() for row in rows][:400]


def typed() -> dict[tuple[str, str], list[str]]:
    rows = (Path(__file__).parent / "typed_names.tsv").read_text("utf-8").splitlines()[1:]
    return {(origin, kind): names.split() for origin, kind, names in (row.split("\t") for row in rows)}


def main() -> None:
    added = typed()
    sys.path.insert(0, sys.argv[1])
    rows = [
        "# origin, what, names; from Faker (MIT), the US census of 1990 (public domain; package names, MIT)",
        "# and training/typed_names.tsv (by hand); made by training/compile_name_origins.py",
    ]
    for origin in sorted([*ORIGINS, "arabic"], key=lambda origin: (origin != "english", origin)):
        for kind in ("female", "male", "surname"):
            listed = lists(ORIGINS.get(origin, ()), kind)[:MOST]
            names = list(dict.fromkeys([*added.get((origin, kind), ()), *listed]))
            if origin == "english" and kind != "surname":
                common = census(Path(sys.argv[2]), kind)
                names = list(dict.fromkeys([*names, *common]))
            rows.append("\t".join((origin, kind, " ".join(names))))
    (TARGET / "name_origins.tsv").write_text("\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    main()
