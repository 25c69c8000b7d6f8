"""What the name of a column says about its values, in many languages; words are in data/column_names.toml.

A name is cut into words (camelCase, under_scores, blanks) without accents and capitals, the words into the
longest entries of the lexicon. Meanings come with the most identifying first: a draft errs on the side of
leaving out.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_LONGEST = 5  # words of an entry
_JOINING = frozenset(
    "of the de du des d l la le del di da do dos van der die den des i y e et und and en ve a".split()
)
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d"})
_CJK = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_PATH = re.compile(r"[^\s.]+(?:\.[^\s.]+)+")
_KEYS_OF = frozenset({"person", "case", "key"})  # a name made of these alone numbers persons or cases


@dataclass(frozen=True)
class Meaning:
    """What values are, and which role they have by themselves."""

    name: str
    role: str
    shown: str
    entities: tuple[str, ...] = ()
    whole: bool = False


@dataclass(frozen=True)
class Naming:
    """The meanings of a column's name, likeliest first."""

    meanings: tuple[Meaning, ...] = ()
    keyed: bool = False  # a word for keys or numbers is part of the name
    numbers_persons: bool = False  # nothing but a word for persons, perhaps with a word for keys

    def __contains__(self, name: object) -> bool:
        return any(meaning.name == name for meaning in self.meanings)

    @property
    def identifying(self) -> Meaning | None:
        return next((meaning for meaning in self.meanings if meaning.role == "identifier"), None)

    @property
    def other(self) -> Meaning | None:
        """What the name says beside an identifier."""
        return next((meaning for meaning in self.meanings if meaning.role != "identifier"), None)


@dataclass(frozen=True)
class _Lexicon:
    meanings: Mapping[str, Meaning]  # in the order of the file
    entries: Mapping[str, tuple[str, ...]]  # words without blanks -> names of meanings
    alone: Mapping[str, tuple[str, ...]]  # only as a whole name
    endings: tuple[tuple[str, str], ...]
    beginnings: tuple[tuple[str, str], ...]
    anywhere: tuple[tuple[str, str], ...]


def words_of(name: str) -> list[str]:
    """The words of a column name, without accents, capitals and digits."""
    apart = re.sub(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)
    plain = unicodedata.normalize("NFKD", apart.casefold().translate(_LETTERS))
    plain = "".join(character for character in plain if not unicodedata.combining(character))
    return re.findall(r"[^\W\d_]+", plain)


def _frozen(found: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {words: tuple(names) for words, names in found.items()}


@cache
def _lexicon() -> _Lexicon:
    text = files("heteronym.knowledge").joinpath("data", "column_names.toml").read_text(encoding="utf-8")
    meanings: dict[str, Meaning] = {}
    entries: dict[str, list[str]] = {}
    alone: dict[str, list[str]] = {}
    endings, beginnings, anywhere = [], [], []
    for name, given in tomllib.loads(text).items():
        meanings[name] = Meaning(
            name, given["role"], given["shown"], tuple(given.get("entities", ())), given.get("whole", False)
        )
        languages = (
            value for key, value in given.items() if key not in ("role", "shown", "entities", "whole")
        )
        for entry in (entry for words in languages for entry in words.split(";")):
            joined = "".join(words_of(entry))
            if _CJK.search(entry):
                anywhere.append((entry, name))
            elif entry.startswith("*"):
                endings.append((joined, name))
            elif entry.endswith("*"):
                beginnings.append((joined, name))
            else:
                for written in _ways(entry):
                    found = (alone if entry.startswith("=") else entries).setdefault(written, [])
                    found.extend([name] if name not in found else [])
    return _Lexicon(
        meanings, _frozen(entries), _frozen(alone), tuple(endings), tuple(beginnings), tuple(anywhere)
    )


def _ways(entry: str) -> set[str]:
    """An entry without blanks; files often leave out what joins its words: `date_saisie`."""
    every = words_of(entry)
    kept = [word for word in every if word not in _JOINING]
    return {"".join(every)} | ({"".join(kept)} if len(kept) > 1 else set())


def _of_compound(word: str, lexicon: _Lexicon) -> tuple[str, ...]:
    """Meanings of a compound word by its longest known end or beginning."""
    fits = [
        (len(end), name) for end, name in lexicon.endings if word.endswith(end) and len(word) > len(end) + 1
    ]
    fits += [
        (len(start), name) for start, name in lexicon.beginnings if word.startswith(start) and word != start
    ]
    longest = max((size for size, _ in fits), default=0)
    return tuple(dict.fromkeys(name for size, name in fits if size == longest))


def _tiles(words: list[str], lexicon: _Lexicon) -> list[tuple[str, ...]]:
    """Meanings of the longest entries that the words are made of; none for unknown words."""
    tiles: list[tuple[str, ...]] = []
    at = 0
    while at < len(words):
        for size in range(min(_LONGEST, len(words) - at), 0, -1):
            joined = "".join(words[at : at + size])
            found = lexicon.entries.get(joined, ())
            if not found and joined.endswith("s"):
                found = lexicon.entries.get(joined[:-1], ())
            if found:
                break
        else:
            size = 1
            found = _of_compound(words[at], lexicon)
        if found or words[at] not in _JOINING:
            tiles.append(found)
        at += size
    return tiles


@cache
def naming_of(name: str) -> Naming:
    """What a column's name says."""
    if _PATH.fullmatch(name):  # of objects inside rows: the last part says most, if it says anything
        last = naming_of(name.rpartition(".")[2])
        if last.other is not None or (last.identifying is not None and not last.keyed):
            return last
    lexicon = _lexicon()
    words = words_of(name)
    tiles = _tiles(words, lexicon)
    short = [word for word in words if word not in _JOINING]
    if short != words and short:
        tiles = max(tiles, _tiles(short, lexicon), key=lambda found: (sum(map(bool, found)), -len(found)))
    tiles += [(meaning,) for entry, meaning in lexicon.anywhere if entry in name]
    if "".join(words) in lexicon.alone:
        tiles = [lexicon.alone["".join(words)], *(tile for tile in tiles if tile)]
    keyed = any("key" in tile for tile in tiles)
    keys_only = bool(tiles) and all(_KEYS_OF.intersection(tile) for tile in tiles)
    found = [meaning for tile in tiles for meaning in tile if meaning != "key"]
    if not keys_only:
        found = [meaning for meaning in found if not lexicon.meanings[meaning].whole]
    if "name" in found and {"thing", "place", "job"}.intersection(found):
        found = [meaning for meaning in found if meaning != "name"]  # the name of a product or a town
    order = list(lexicon.meanings)
    chosen = sorted(set(found), key=order.index)
    return Naming(
        tuple(lexicon.meanings[meaning] for meaning in chosen),
        keyed,
        keys_only and "person" in chosen,
    )
