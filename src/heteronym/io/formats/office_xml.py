"""What the XML parts of Office files tell, in whatever part: texts, comments, and attributes that name or
describe.

All character data is read, save numbers and the few elements that hold words of the format. Attributes are
read if they are made to tell something (a description, the name of a bookmark, the value of a form field),
or if their value looks told. Times of editing and initials are no text: they are traces, which `sanitize`
clears.
"""

from __future__ import annotations

import re

from heteronym.io.formats import markup
from heteronym.io.formats.source import Escape, Gathering
from heteronym.model.edit import Edit

_TEXTS = frozenset({"t", "delText", "instrText", "delInstrText"})
_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n"}
_LINES = frozenset({"p", "si", "is", "comment", "text"})
_PEOPLE = {"creator": "PERSON", "lastModifiedBy": "PERSON", "Manager": "PERSON", "Company": "ORG"}
_WORDS_OF_THE_FORMAT = frozenset(
    "align Application AppVersion formatCode sqref numFmt language revision contentType".split()
)
_PERSON_ATTRIBUTES = frozenset({"author", "userId", "lastModifiedBy", "userName"})
_TOLD = frozenset(
    "alt anchor caption categoryName column connectionString descr displayName displayText href instr "
    "lastValue "
    "location phldrT placeholder prompt promptTitle sourceFile string target text title tooltip value".split()
)
_TOLD_VALUES = frozenset(  # elements whose `val` is a text
    "alias attr connectString column default description docVar docPart helpText listEntry mappedName name "
    "query statusText tag tblCaption tblDescription udl".split()
)
_NAMED = frozenset(  # elements whose `name` was chosen by somebody
    "attr bookmarkStart cacheField caption cNvPr definedName docPr docVar property sheet sp "
    "tableColumn".split()
)
# Lists and codes of the format; what is told about a person does not belong there.
_MARKUP = frozenset(
    "adj adjusthandles ascii coords coordsize cs csTypeface eastAsia eqn filltype font hAnsi Ignorable "
    "mimetype PartName path pitchFamily points prefixMappings ProgID Requires schemaLocation spid style "
    "styleId supplementalFont typeface uri xpath".split()
)
_STYLE_PARTS = re.compile(r"(?:^|/)(?:styles|stylesWithEffects|fontTable|theme\d*|numbering)\.xml$")
_BUILT_IN = re.compile(r"_\w+$")  # a bookmark that Word made
_TIME = re.compile(r"\s*\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?\s*")
_DAY = re.compile(r"\s*\d{4}(?:-\d\d(?:-\d\d)?)?\s*")
NO_TIME = "1980-01-01T00:00:00Z"
_TIMES_OF_THE_FILE = frozenset({"created", "modified", "lastPrinted"})
_TELLING = re.compile(r"[^\W\d_]|\d{3}|&")
_NUMBER = re.compile(r"\s*(?:[-+]?\d[\d.]*(?:[eE][-+]?\d+)?|true|false|\{[0-9A-Fa-f-]{36}\})\s*")


def _local(name: str) -> str:
    return name.rsplit(":", 1)[-1]


def read_runs(gathering: Gathering, stream: str, part: str) -> None:
    """Runs of paragraphs; a paragraph is a line."""
    inside = 0
    for token in markup.tokens(stream):
        name = _local(token.name)
        if token.kind in ("text", "cdata") and inside:
            escape = str if token.kind == "cdata" else markup.as_text
            markup.add_text(gathering, stream, (part, token.at, token.to), escape=escape)
        elif name in _TEXTS and stream[token.to - 2] != "/":
            inside = max(0, inside + (1 if token.kind == "open" else -1))
        elif token.kind == "open" and name in _BREAKS:
            gathering.join(_BREAKS[name])
        elif token.kind == "close" and name in _LINES:
            gathering.join("\n")
    gathering.join("\n")


def read_rest(gathering: Gathering, stream: str, part: str) -> None:
    """Everything but runs: each on a line of its own."""
    element, inside = "", 0
    for token in markup.tokens(stream):
        text = stream[token.at : token.to]
        if token.kind == "open":
            element = _local(token.name)
            for value in markup.attributes(stream, token):
                _read_attribute(gathering, stream, part, element, value, text)
        if token.kind in ("open", "close") and _local(token.name) in _TEXTS and text[-2] != "/":
            inside = max(0, inside + (1 if token.kind == "open" else -1))
        if token.kind == "close":
            element = ""
        elif token.kind == "comment":
            _add_line(gathering, stream, (part, token.at, token.to), escape=markup.as_comment)
        elif token.kind == "instruction" and not text.startswith("xml "):
            _add_line(gathering, stream, (part, token.at, token.to), escape=markup.as_instruction)
        elif token.kind in ("text", "cdata") and not inside:
            escape = str if token.kind == "cdata" else markup.as_text
            _read_data(gathering, stream, (part, token.at, token.to), element, escape)


def _read_data(
    gathering: Gathering, stream: str, place: tuple[str, int, int], element: str, escape: Escape
) -> None:
    """Character data outside of runs: properties, custom data, figures of charts, formulas."""
    part, at, to = place
    text = stream[at:to]
    custom = part.startswith("customXml/")
    of_the_file = part.startswith("docProps/") and element in _TIMES_OF_THE_FILE and _DAY.fullmatch(text)
    if of_the_file or (_TIME.fullmatch(text) and not custom):
        gathering.traces.append((part, Edit(at, to, NO_TIME)))
    elif not _TELLING.search(text) or (_NUMBER.fullmatch(text) and not custom):
        return
    elif markup.is_encoded(text):
        gathering.unread.append("encoded data")
    elif element == "f" and '"' not in text and "'" not in text:
        return  # a formula without texts
    elif element not in _WORDS_OF_THE_FORMAT or custom:
        known = _PEOPLE.get(element, "") if part.startswith("docProps/") else ""
        _add_line(gathering, stream, place, known, escape=escape)


def _read_attribute(
    gathering: Gathering, stream: str, part: str, element: str, value: markup.Value, tag: str
) -> None:
    name, text = _local(value.name), stream[value.at : value.to]
    if (name == "initials" and part.startswith("word/")) or name == "gfxdata":
        # too short to be followed as a mention; a packed copy of a drawing that stands beside it
        gathering.traces.append((part, Edit(value.at, value.to, "")))
    elif _TIME.fullmatch(text) and not part.startswith("customXml/"):
        gathering.traces.append((part, Edit(value.at, value.to, NO_TIME)))
    elif markup.is_encoded(text):
        gathering.unread.append("encoded data")
    elif part.startswith("xl/") and name not in _TOLD and name != "v" and _NUMBER.fullmatch(text):
        return  # widths and places of a sheet
    elif _TELLING.search(text):
        kind = _type_of_attribute(part, element, value.name, text, tag)
        if kind is not None:
            escape = markup.as_link if part.endswith(".rels") else markup.as_attribute
            escape = _as_sheet if element == "sheet" and name == "name" else escape
            _add_line(gathering, stream, (part, value.at, value.to), kind, escape=escape)


def _type_of_attribute(part: str, element: str, attribute: str, text: str, tag: str) -> str | None:
    """The type of what an attribute names, "" for a text, None for markup."""
    name = _local(attribute)
    if part.endswith(".rels"):
        return "" if name == "Target" and re.search("TargetMode=.External", tag) else None
    if attribute.startswith("xmlns") or part == "[Content_Types].xml":
        return None
    if part.startswith("customXml/"):
        return "" if not re.match(r"https?://schemas\.", text) and name not in ("itemID", "uri") else None
    if name in _PERSON_ATTRIBUTES:
        return "PERSON"
    if name.startswith("rsid") or element.startswith("rsid"):
        return None  # numbers of sittings, which stand all over the package
    if name == "v":
        return ""  # what a pivot table remembers of its data
    if name == "name" and element in _NAMED:
        return None if _BUILT_IN.match(text) else ""
    if name in _TOLD or (name == "val" and element in _TOLD_VALUES and not _STYLE_PARTS.search(part)):
        return ""
    if name in _MARKUP or _STYLE_PARTS.search(part):
        return None
    return "" if markup.is_prose(text) else None


def _as_sheet(text: str) -> str:
    """As the name of a sheet, in which brackets may not stand."""
    return markup.as_attribute(re.sub(r"[\[\]:*?/\\]", " ", text).strip())


def _add_line(
    gathering: Gathering,
    stream: str,
    place: tuple[str, int, int],
    kind: str = "",
    *,
    escape: Escape = markup.as_text,
) -> None:
    gathering.join("\n")
    start = gathering.length
    if escape in (markup.as_comment, markup.as_instruction):
        gathering.add(stream[place[1] : place[2]], *place, escape)
    else:
        markup.add_text(gathering, stream, place, escape=escape)
    if kind:
        gathering.is_known(start, kind, "property of a document")
