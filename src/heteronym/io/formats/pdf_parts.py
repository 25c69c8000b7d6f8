"""Parts of a PDF beside its pages: what is taken out, and the texts of its notes, fields and outline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from heteronym.io.formats.pdf_fonts import UnreadableError

_MOST_STRINGS = 100_000
_TAKEN_OUT = (
    "/Metadata /StructTreeRoot /MarkInfo /PieceInfo /OpenAction /AA /AF /Collection /Perms /DSS /Names "
    "/Dests /Threads /SpiderInfo /OutputIntents /Extensions".split()
)
_NO_TEXT = frozenset(
    "/DA /DS /Parent /P /AP /Popup /IRT /Lang /ID /D /Dest /R /Kids /Next /Prev /First /Last /StructParent "
    "/OC".split()
)


def take_out(pdf: Any, pikepdf: Any) -> Iterator[str]:
    """What nobody here reads, and what tells when and by whom the file was made."""
    root = pdf.Root
    names = root.get("/Names", {})
    if "/EmbeddedFiles" in names or "/AF" in root or "/Collection" in root:
        yield "attachment"
    opening = root.get("/OpenAction")
    acts = isinstance(opening, pikepdf.Dictionary) and str(opening.get("/S")) != "/GoTo"
    if "/JavaScript" in names or "/AA" in root or acts:
        yield "action"
    if "/Metadata" in root or len(pdf.trailer.get("/Info", {})):
        yield "set of properties"
    for key in _TAKEN_OUT:
        if key in root:
            del root[key]
    if "/Info" in pdf.trailer:
        del pdf.trailer["/Info"]
    form = root.get("/AcroForm")
    if form is not None:
        for key in ("/XFA", "/SigFlags"):
            if key in form:
                del form[key]
    for page in pdf.pages:
        yield from _take_out_of_page(page.obj, pikepdf)


def _take_out_of_page(page: Any, pikepdf: Any) -> Iterator[str]:
    for key in ("/Metadata", "/PieceInfo", "/Thumb", "/LastModified", "/AA", "/StructParents", "/B"):
        if key in page:
            del page[key]
    kept = []
    for note in page.get("/Annots", []):
        if note.get("/Subtype") in ("/FileAttachment", "/Sound", "/Movie", "/Screen", "/3D", "/RichMedia"):
            yield "attachment"
            continue
        value = note.get("/V")
        if isinstance(value, pikepdf.Dictionary):
            yield "digital signature"
            del note["/V"]
            if "/AP" in note:
                del note["/AP"]
        action = note.get("/A")
        if action is not None and str(action.get("/S")) not in ("/URI", "/GoTo"):
            del note["/A"]
            yield "action"
        for key in ("/AA", "/M", "/CreationDate", "/StructParent"):
            if key in note:
                del note[key]
        kept.append(note)
    if "/Annots" in page:
        page["/Annots"] = pikepdf.Array(kept)


def with_forms(page: Any) -> Iterator[Any]:
    """A page, the forms that it draws, and the looks of its notes, each once."""
    seen: set[tuple[int, int]] = set()
    waiting = [page]
    while waiting:
        owner = waiting.pop(0)
        if owner is not page:
            if owner.objgen in seen:
                continue
            seen.add(owner.objgen)
        yield owner
        objects = (
            owner.get("/Resources", {}).get("/XObject", {})
            if "/Resources" in owner
            else inherited(owner).get("/XObject", {})
        )
        waiting += [one for one in dict(objects).values() if one.get("/Subtype") == "/Form"]
        if owner is page:
            for note in page.get("/Annots", []):
                for looks in dict(note.get("/AP", {})).values():
                    some = (
                        [looks] if hasattr(looks, "read_bytes") and is_stream(looks) else dict(looks).values()
                    )
                    waiting += [one for one in some if is_stream(one)]


def is_stream(one: Any) -> bool:
    import pikepdf

    return isinstance(one, pikepdf.Stream)


def inherited(owner: Any) -> Any:
    """The resources of a page, which may be those of the pages above."""
    for _ in range(50):
        if "/Resources" in owner:
            return owner["/Resources"]
        if "/Parent" not in owner or is_stream(owner):
            break
        owner = owner["/Parent"]
    return {}


def strings(pdf: Any, pikepdf: Any) -> Iterator[tuple[Any, Any]]:
    """Texts of notes, fields and the outline: what holds each, and under which key."""
    waiting: list[Any] = [note for page in pdf.pages for note in page.obj.get("/Annots", [])]
    form = pdf.Root.get("/AcroForm")
    fields = list(form.get("/Fields", [])) if form is not None else []
    outline = pdf.Root.get("/Outlines")
    waiting += fields + ([outline] if outline is not None else [])
    seen: set[tuple[int, int]] = set()
    count = 0
    while waiting:
        one = waiting.pop(0)
        number = getattr(one, "objgen", (0, 0))
        if number != (0, 0) and number in seen:
            continue
        seen.add(number)
        is_list = isinstance(one, pikepdf.Array)
        if not is_list and not isinstance(one, pikepdf.Dictionary):
            continue
        for key, value in list(enumerate(one) if is_list else one.items()):
            if isinstance(value, pikepdf.String) and key not in _NO_TEXT:
                count += 1
                if count > _MOST_STRINGS:
                    raise UnreadableError
                yield one, key
            elif key in ("/Kids", "/First", "/Next") or key not in _NO_TEXT:
                waiting.append(value)


def without_texts(operands: Any, pikepdf: Any) -> list[Any]:
    """What marks a part of a page, without the text that it stands for."""
    said = operands[1]
    if isinstance(said, pikepdf.Dictionary):
        said = pikepdf.Dictionary(
            {key: value for key, value in said.items() if not isinstance(value, pikepdf.String)}
        )
    return [operands[0], said]
