"""A text as it is meant where it is written oddly: no tags and escapes, letters of one script, whole words.

"Jo<b>hn</b>", "J%6Fhn", "Jоhn" with a Cyrillic o, "Jo-" at a line's end, "J o h n" and "J0hn" all become
John. A text has a further view only where it holds something of the kind; a view knows where each of its
stretches stands in the text as it came. What is read in views is only compared with known values, so
that a wrong guess ("<120 and 80>" is no tag) costs nothing: the text itself is searched as well.

Cost        O(characters); nothing but a look for signs where a text is plain
Randomness  none
"""

from __future__ import annotations

import binascii
import html
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from string import ascii_uppercase
from typing import NamedTuple
from urllib.parse import unquote

from heteronym.text.atoms import plain_character

_AROUND = 64  # characters beside an odd stretch that may belong to the same value
_SIGNS_OF_CODES = frozenset("<%&\\=[]*~`}\x1b")
_DOUBLED = ("''", "’’", "__")
_FORUM_TAGS = r"(?:b|i|u|s|em|strong|url|img|color|size|font|code|quote|list|center|sub|sup|spoiler)"
_CODES = re.compile(
    r"<!\[CDATA\[|\]\]>"
    r"|[-\u2010\u2011]\s*<[bB][rR]\s*/?>\s*(?=[^\W_])"  # a hyphen at the end of a line of a page
    r"""|</?[a-zA-Z!?](?:"[^"<]{0,200}"|'[^'<]{0,200}'|[^<>]){0,400}+>"""  # a tag
    r"|%u[0-9a-fA-F]{4}|(?:%(?:25)*[0-9a-fA-F]{2})+"
    r"|&(?:amp;)*(?:#\d{1,7};?|#[xX][0-9a-fA-F]{1,6};?|[a-zA-Z][a-zA-Z0-9]{1,31};)"
    r"|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8}|\\u\{[0-9a-fA-F]{1,6}\}|\\x[0-9a-fA-F]{2}"
    r"|=\?[\w-]{2,20}\?[bB]\?[A-Za-z0-9+/=]{4,200}\?="  # words of a mail's header
    r"|=\r?\n|(?<=[^\W\d_])=[ \t]+(?=[a-z])|(?:=[0-9A-F]{2})+"  # quoted-printable, also where lines flow
    rf"|\[/?{_FORUM_TAGS}(?:=[^\[\]\n]{{0,100}})?\]"
    r"|\x1b\[[0-9;]{0,12}[A-Za-z]"  # colours of a terminal
    # signs of Markdown, wikis and LaTeX inside a word, accents of LaTeX
    r"|(?<=[^\W_])(?:\*{1,3}|~~|['’]{2,5}|`{1,2}|_{2}|\}|\]\([^()\s]{0,200}\)|\\[\"'`^~=.\-]\{?)(?=[^\W_])"
)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{11,4000}={0,2}(?![A-Za-z0-9+/=])")
_TURNED = re.compile("\u202e([^\u202c\u2066-\u2069\n]{1,400})\u202c?")  # written from right to left
_TWICE = re.compile(r"%(?:25)+(?=[0-9a-fA-F]{2})")  # "%2520"
_LINE_BEGINS = r"[\s>|#*+/%;\-]*"  # of quoted lines, comments, lists and changes
_IN_WORDS = frozenset("\u201c\u201d\u201e\u201f\u00ab\u00bb")
_BEYOND = re.compile(
    rf"\u00ad\s*\n{_LINE_BEGINS}(?=[^\W\d_])"  # a soft hyphen at a line's end, or that of a quoted line
    r"|(?<=[^\W_])[\u201c-\u201f\u00ab\u00bb](?=[^\W_])|[^\t\n\r -~]"
)
_AT_A_LINES_END = re.compile(
    rf"(?<=[^\W\d_])[-\u2010\u2011]\s*\n{_LINE_BEGINS}(?=[^\W\d_])"
    r"|(?<=[^\W\d_])-[ \t]+(?:[>|#*+/%;]+\s*)*(?=[a-z])"
)
_SPACED = re.compile(r"(?<![^\W_])[^\W_]([ .\-_*\u00b7|/]{1,2})[^\W_](?:\1[^\W_]){2,}(?![^\W_])")  # J o h n
_LEET = re.compile(
    r"(?<![^\W_@$!|])(?=[^\s]*[A-Za-z])(?=[^\s]*[0134578@$!|])[A-Za-z013457@$!|8]{4,}(?![^\W_@$])"
)
_LETTER_FOR = str.maketrans("0134578@$!|", "oieastbasil")
_AT_AND_DOT = re.compile(r"\s*[\[({<]?\s*\b(at|dot)\b\s*[\])}>]?\s*", re.IGNORECASE)
_SPELT = "zero one two three four five six seven eight nine".split()
_DIGIT_WORDS = {word: str(digit) for digit, word in enumerate(_SPELT)} | {"oh": "0", "nought": "0"}
_ONE_DIGIT = "|".join(_DIGIT_WORDS)
_SPELT_DIGITS = re.compile(rf"\b(?:{_ONE_DIGIT})(?:[\s,\-]{{1,3}}(?:{_ONE_DIGIT})){{4,}}\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")

# Letters that look like Latin ones: Cyrillic, Greek, Armenian, Cherokee, Lisu.
_LOOKALIKES: dict[str, str] = {}
for _seen, _meant in (
    ("абвгдеёзіїјкӏмнопрѕтуүхһԁԛԝѵщшця", "a6brdeeziijklmhonpstyyxhdqwvwwur"),
    ("АВСЕЁЅІЇЈКМНОРТУҮХԌԚԜѴЬЗПГ", "ABCEESIIJKMHOPTYYXGQWVb3nr"),
    ("αβγεζηικνοπρστυχωϲϳ", "aByeznikvonpotuxwcj"),
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ABEZHIKMNOPTYXCJ"),
    ("օսհոցյզաժ", "ouhngjqwd"),
    ("ՕՍՏԼ", "OUSL"),
    ("ᎪᏴᏟᎠᎬᎻᎥᎫᏦᏞᎷΝᏢᎡᏚᎢᏙᏔᎩᏃ", "ABCDEHiJKLMNPRSTVWYZ"),
    ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"),
    ("ɑɡıȷʟɴʀʏᴀʙᴄᴅᴇꜰɢʜɪᴊᴋᴍᴏᴘꜱᴛᴜᴠᴡᴢſƖǀ", "agijlnryabcdefghijkmopstuvwzsll"),
):
    _LOOKALIKES |= {one: other for one, other in zip(_seen, _meant, strict=True) if one not in _LOOKALIKES}
_LOOKALIKES |= {"с": "c", "С": "C", "٬": ",", "٫": ".", "\u2800": " "}
_LOOKALIKES |= (
    dict.fromkeys("⁄∕⧸", "/") | dict.fromkeys("−﹣－", "-") | dict.fromkeys("•‧∙・", "·") | {"∶": ":"}
)
# Letters in black circles and squares, and those that flags are made of.
for _first in (0x1F150, 0x1F170, 0x1F1E6):
    _LOOKALIKES |= {chr(_first + place): letter for place, letter in enumerate(ascii_uppercase)}


class View(NamedTuple):
    """A text rewritten in some places; elsewhere it is as it was."""

    text: str
    ends: list[int]  # in `text`, of rewritten stretches
    made: list[tuple[int, int, int, int]]  # start and end of a stretch in `text` and in what it was made of
    before: View | None = None  # what it was made of, if that is a view, too
    odd: Sequence[tuple[int, int]] = ()  # stretches of `text` that are other than in the text as it came

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of the view stands in the text as it came."""
        start, end = self._begin(start), self._end(end)
        return (start, end) if self.before is None else self.before.back(start, end)

    def windows(self) -> Iterator[tuple[int, str]]:
        """Where the view differs, with some words around: a place, and the text that begins there."""
        number = done = 0
        while number < len(self.odd):
            start, end = self.odd[number]
            while number < len(self.odd) and self.odd[number][0] <= end + 2 * _AROUND:
                end = max(end, self.odd[number][1])
                number += 1
            start = max(done, self.text.rfind(" ", 0, max(start - _AROUND, 0)) + 1)
            stop = self.text.find(" ", end + _AROUND)
            done = len(self.text) if stop < 0 else stop
            yield start, self.text[start:done]

    def _begin(self, place: int) -> int:
        which = bisect_right(self.ends, place)
        if which < len(self.made) and self.made[which][0] <= place:
            return self.made[which][2]
        return place if not which else place - self.made[which - 1][1] + self.made[which - 1][3]

    def _end(self, place: int) -> int:
        """Of the last character, so that what was dropped behind it is left."""
        which = bisect_right(self.ends, place - 1)
        if which < len(self.made) and self.made[which][0] < place:
            return self.made[which][3]
        return place if not which else place - self.made[which - 1][1] + self.made[which - 1][3]


def view_of(text: str, *, digits: bool = False) -> View:
    """The text as it is meant: the text itself if it is plain; with numbers read aloud as digits if asked."""
    view = View(text, [], [])
    if "\u202e" in text:
        view = _rewritten(view, _TURNED, lambda found: found[1][::-1])
    if not _SIGNS_OF_CODES.isdisjoint(text) or any(sign in text for sign in _DOUBLED):
        view = _rewritten(view, _CODES, _decoded)
    view = _rewritten(view, _BASE64, lambda found: _from_base64(found.group()))
    view = _rewritten(view, _BEYOND, _latin)
    if "-" in view.text:
        view = _rewritten(view, _AT_A_LINES_END, lambda found: "")
    view = _rewritten(view, _SPACED, lambda found: "".join(filter(str.isalnum, found.group())))
    if digits:
        view = _rewritten(view, _SPELT_DIGITS, _in_digits)
    return view


def letters_for_signs(view: View) -> View:
    """ "J0hn" and "K@te" as names; the view itself if there is nothing of the kind."""
    return _rewritten(view, _LEET, lambda found: found.group().translate(_LETTER_FOR))


def mail_signs(view: View) -> View:
    """ "kate at mail dot org" as an address; the view itself if there is none."""
    if "dot" not in view.text.lower():
        return view
    return _rewritten(view, _AT_AND_DOT, lambda found: "@" if found[1].lower() == "at" else ".")


def _rewritten(view: View, pattern: re.Pattern[str], make: Callable[[re.Match[str]], str]) -> View:
    """A view with what a pattern finds rewritten; the view itself if that changes nothing."""
    text, done, length = view.text, 0, 0
    parts: list[str] = []
    made: list[tuple[int, int, int, int]] = []
    for found in pattern.finditer(text):
        start, end = found.span()
        new = make(found)
        if new == found.group():
            continue
        length += start - done
        parts += (text[done:start], new)
        made.append((length, length + len(new), start, end))
        length += len(new)
        done = end
    if not made:
        return view
    begins = [stretch[2] for stretch in made]

    def moved(place: int) -> int:
        which = bisect_right(begins, place) - 1
        if which < 0:
            return place
        first, last, _, end = made[which]
        return max(first, last + place - end)

    odd = sorted([*((moved(a), moved(b)) for a, b in view.odd), *((a, b) for a, b, _, _ in made)])
    return View("".join([*parts, text[done:]]), [stretch[1] for stretch in made], made, view, odd)


def _decoded(found: re.Match[str]) -> str:
    code = found.group()
    if code.startswith("=?"):
        _, charset, _, packed, _ = code.split("?")
        return _from_base64(packed, charset, code)
    if code[0] == "\\":
        return chr(int(code[2:].strip("{}"), 16) % 0x110000) if code[1] in "uUx" else ""
    if code[0] == "=":
        return unquote("%".join(code.split("=")), errors="replace") if code[1].isalnum() else ""
    if code[0] == "%":
        return chr(int(code[2:], 16)) if code[1] == "u" else unquote(_TWICE.sub("%", code), errors="replace")
    if code[0] == "&":
        return html.unescape("&" + code[1:].replace("amp;", "")) if len(code) > 5 else html.unescape(code)
    return ""


def _from_base64(packed: str, charset: str = "utf-8", instead: str | None = None) -> str:
    """What was packed, as in "=?utf-8?B?QW5uYQ==?=" of a mail's header; what stands there if no text."""
    try:
        text = binascii.a2b_base64(packed + "=" * (-len(packed) % 4)).decode(charset)
    except (ValueError, LookupError):
        text = ""
    return text if text.isprintable() and text else instead or packed


def _latin(found: re.Match[str]) -> str:
    character = found.group()
    if character in _LOOKALIKES:
        return _LOOKALIKES[character]
    if len(character) > 1 or character in _IN_WORDS:
        return ""
    if character.isdecimal():
        return str(int(character))
    if unicodedata.category(character) in ("Cc", "Cf", "Me"):  # unseen, or around a letter
        return " " if character.isspace() else ""
    made = plain_character(character)
    return "".join(_LOOKALIKES.get(one, one) for one in made)


def _in_digits(found: re.Match[str]) -> str:
    return "".join(_DIGIT_WORDS[word] for word in _WORD.findall(found.group().lower()))
