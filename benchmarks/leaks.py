"""How many values of their own persons are left in released hospital notes, by a count of its own.

    python -m benchmarks.leaks [--notes 5000] [--seed 1]

The generator says which surface of which value stands in which note. What the release put into a text
(labels, placeholders) is taken out, then every surface is searched as plain characters. Nothing of the
program is used for the count.
"""

from __future__ import annotations

import argparse
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import polars as pl

from benchmarks.generators.hospital_notes import PLAN, Told, hospital_notes

IDENTIFIERS = frozenset({"name", "login", "mrn", "phone"})
_PLACEHOLDER = re.compile(r"\[(?:[A-Z_]+|\.\.\.)\]")
_SHORT = 5  # letters: a shorter name is only looked for as a word of its own
_TITLE = re.compile(r"^(?:Dr\.|[Mm]r |miss |the|/home/|https://x\.example/u/|@)|(?:Show|/notes|'s| at mail)$")


def stripped(text: str, labels: Iterable[str]) -> str:
    """A released text without what the release put there: placeholders, and the row's labels."""
    text = _PLACEHOLDER.sub("\x00", text)
    for label in sorted(labels, key=len, reverse=True):
        if label and (label[0] in "[{(*" or label.endswith("*")):
            text = text.replace(label, "\x00")
    return text


def left_over(one: Told, text: str) -> bool:
    """Whether a surface still stands in a text: numbers by their digits, names without signs."""
    value, text = folded(core(one)), folded(text)
    if re.fullmatch(r"[\d\s().,€+/-]+", value):
        digits = re.sub(r"\D", "", value)
        between = r"[ ().,/-]{0,2}"
        return re.search(rf"(?<!\d){between.join(digits)}(?!\d)", text) is not None
    glued = "".join(c for c in value if c.isalnum())
    if len(glued) >= _SHORT:
        return glued in "".join(c for c in text if c.isalnum() or c == "\x00")
    return re.search(rf"(?<![^\W_]){re.escape(value)}(?![^\W_])", text) is not None


def is_shown(value: str, label: str) -> bool:
    if folded(value) == folded(label):
        return True
    try:
        return float(label) == float(value.lstrip("€").replace(",", ""))
    except ValueError:
        return False


def core(one: Told) -> str:
    """The part of a surface that is the value."""
    surface = one.surface
    if one.column in IDENTIFIERS:
        for _ in range(2):
            surface = _TITLE.sub("", surface)
    if one.column == "age":
        told = re.search(r"\d+|(?i:[a-z]+ty|[a-z]+teen|thirteen)(?:[ -][a-z]+)?", surface)
        return told.group() if told else surface
    if one.column == "zip":
        return surface[:5]
    return surface


def folded(text: str) -> str:
    text = text.replace("½", " ")
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return plain.replace("’", "'").replace("\u2010", "-").casefold()


def count(
    told: Sequence[Told],
    released: Mapping[int, Mapping[str, object]],
    *,
    text: str = "note",
    show: bool = False,
) -> tuple[Counter[str], Counter[str]]:
    """Per column how many surfaces were written, and how many are left; `released` is by source row."""
    written, left = Counter[str](), Counter[str]()
    for one in told:
        row = released.get(one.row)
        if row is None:
            continue
        written[one.column] += 1
        labels = {name: str(cell) for name, cell in row.items() if cell is not None and name != text}
        entries = labels.get("drugs", "").split(" ")
        shown = entries if one.column == "drugs" else [labels.get(one.column, "")]
        if any(is_shown(core(one), label) for label in shown):
            continue  # the release shows the value as it is
        rest = stripped(str(row[text] or ""), [*labels.values(), *entries])
        if left_over(one, rest):
            left[one.column] += 1
            if show:
                print("left:", one, "|", row[text])
    return written, left


def main() -> None:
    import heteronym as hn

    parser = argparse.ArgumentParser(prog="python -m benchmarks.leaks")
    parser.add_argument("--notes", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="the notes where something is left")
    args = parser.parse_args()
    frame, told = hospital_notes(args.notes, args.seed)
    begin = time.process_time()
    release = hn.anonymize(frame, PLAN)
    seconds = time.process_time() - begin
    rows = dict(zip(release.source_row.tolist(), pl.DataFrame(release.data).to_dicts(), strict=True))
    written, left = count(told, rows, show=args.show)
    for column in sorted(written):
        print(f"{column:12} written {written[column]:6} left {left[column]:4}")
    own = sum(left[c] for c in left if c in IDENTIFIERS)
    quasi = [c for c in written if c not in IDENTIFIERS]
    share = sum(left[c] for c in quasi) / max(sum(written[c] for c in quasi), 1)
    print(f"identifiers left: {own}; quasi values left: {100 * share:.3f} %; {seconds:.1f} CPU s")
    print(dict(release.facts["data"]))
    print([(check.name, check.holds) for check in release.verdict.checks])


if __name__ == "__main__":
    main()
