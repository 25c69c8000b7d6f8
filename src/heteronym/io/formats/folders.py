"""Many documents: which files of folders are meant, reading them, what they are called, and writing all of
them or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from heteronym.errors import InputError, OutputError, UsageError
from heteronym.io.formats import ENDINGS, open_document
from heteronym.io.formats.source import Source, count_kinds
from heteronym.model.in_words import InWords
from heteronym.run import Run


class Listed(NamedTuple):
    """A document and its name below the folder that it is written to."""

    path: Path
    name: str


def list_documents(paths: Sequence[str], *, leave_out: Sequence[Path] = ()) -> list[Listed]:
    """The files that are named, and the documents of the folders that are named, in a fixed order.

    A document of a folder keeps its place below that folder; with several arguments the folder's own name
    goes before, so that equal names of different folders stay apart.
    """
    closed = {path.resolve() for path in leave_out}
    listed: list[Listed] = []
    for given in map(Path, paths):
        if not given.is_dir():
            if not given.exists():
                raise InputError(f"{given}: no such file or folder")
            listed.append(Listed(given, given.name))
            continue
        above = given.resolve().name if len(paths) > 1 else ""
        inside = [Listed(path, str(Path(above) / path.relative_to(given))) for path in _below(given, closed)]
        if not inside:
            raise InputError(f"{given}: holds no documents ({', '.join(sorted(ENDINGS))})")
        listed += inside
    [(name, times)] = Counter(one.name for one in listed).most_common(1)
    if times > 1:
        raise UsageError(f"two documents are called '{name}'; they would overwrite each other")
    return listed


def _below(folder: Path, closed: set[Path]) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and Path(place, name).resolve() not in closed
        )
        for name in sorted(files):
            if not name.startswith(".") and Path(name).suffix.lower() in ENDINGS:
                yield Path(place, name)


def written_names(listed: Sequence[Listed], endings: Sequence[str | None]) -> list[str]:
    """What each document is called when it is written; one that changes its format changes its ending.

    "a.pdf" becomes "a.txt", or "a.pdf.txt" where there is an "a.txt" as well.
    """
    taken = {one.name for one, ending in zip(listed, endings) if ending is None}
    names = []
    for one, ending in zip(listed, endings):
        name = one.name
        if ending is not None:
            name = str(Path(one.name).with_suffix(ending))
            if name in taken:
                name = one.name + ending
            taken.add(name)
        names.append(name)
    return names


def check_written(listed: Sequence[Listed], names: Sequence[str], target: Path, *, overwrite: bool) -> None:
    """Refuse before any work is done what would fail at its end, or lose an original."""
    if target.exists() and not target.is_dir():
        raise OutputError(f"{target}: exists and is not a folder")
    written = [target / name for name in names]
    originals = {one.path.resolve() for one in listed}
    if any(path.exists() for path in written) and not overwrite:
        raise OutputError(f"{target}: documents of these names exist. Use --overwrite to replace them")
    if any(path.resolve() in originals for path in written):
        raise UsageError(f"{target}: is where the originals are; name another folder")


def write_all(target: Path, files: Mapping[str, bytes]) -> list[Path]:
    """The files below a folder: under hidden names first, so that a full disk leaves none of them."""
    hidden: Path | None = None
    try:
        target.absolute().parent.mkdir(parents=True, exist_ok=True)
        hidden = Path(tempfile.mkdtemp(prefix=".heteronym-", dir=target.absolute().parent))
        for name, content in files.items():
            (hidden / name).parent.mkdir(parents=True, exist_ok=True)
            (hidden / name).write_bytes(content)
        if not target.exists():
            os.chmod(hidden, 0o755)
            os.rename(hidden, target)
        else:
            for name in files:
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                os.replace(hidden / name, target / name)
    except OSError as error:
        raise OutputError(f"{target}: cannot be written ({error.strerror or 'output error'})") from None
    finally:
        if hidden is not None:
            shutil.rmtree(hidden, ignore_errors=True)
    return [target / name for name in files]


@dataclass(frozen=True)
class WrittenFiles(InWords):
    """Where documents went, and which could not be read, with reasons."""

    written: list[Path]
    skipped: list[str]

    said: ClassVar[str] = "written"

    def to_dict(self) -> dict[str, Any]:
        return {"documents": [*map(str, self.written)], "skipped": self.skipped}

    def in_words(self, *, verbose: bool = False) -> str:
        """What was written; `verbose` adds what was left out."""
        lines = [f"{self.said}: {path}" for path in self.written]
        lines += [f"skipped: {reason}" for reason in self.skipped if verbose]
        return "".join(f"{line}\n" for line in lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.in_words(verbose=True))}</pre>"


class ReadDocuments(NamedTuple):
    """Documents that could be read, the names they will be written under, and complaints about the others."""

    sources: list[Source]
    names: list[str]
    skipped: list[str]


def read_documents(
    paths: Sequence[str],
    target: Path,
    *,
    encoding: str | None,
    private: Path | None,
    overwrite: bool,
    run: Run,
) -> ReadDocuments:
    listed = list_documents(paths, leave_out=[target, *([] if private is None else [private])])
    sources: list[Source] = []
    kept: list[Listed] = []
    skipped: list[str] = []
    for number, one in enumerate(listed):
        run.tell(number / len(listed), "read")
        try:
            sources.append(open_document(one.path, encoding))
            kept.append(one)
        except InputError as error:
            skipped.append(str(error))
    if not sources:
        more = f", and {len(skipped) - 1} more cannot be read" if len(skipped) > 1 else ""
        raise InputError(f"{skipped[0]}{more}")
    names = written_names(kept, [source.ending for source in sources])
    check_written(kept, names, target, overwrite=overwrite)
    return ReadDocuments(sources, names, skipped)


def without_unread(read: ReadDocuments) -> ReadDocuments:
    """Only documents that were read in all their parts; the others are listed with what was not read."""
    kept = ReadDocuments([], [], list(read.skipped))
    for source, name in zip(read.sources, read.names, strict=True):
        if source.unread:
            kinds = count_kinds(source.unread)
            kept.skipped.append(
                f"{name}: holds parts that are not read ({kinds}); --accept-unread keeps them"
            )
        else:
            kept.sources.append(source)
            kept.names.append(name)
    if not kept.sources:
        more = f", and {len(kept.skipped) - 1} more cannot be read" if len(kept.skipped) > 1 else ""
        raise InputError(f"{kept.skipped[0]}{more}. Nothing was written")
    return kept
