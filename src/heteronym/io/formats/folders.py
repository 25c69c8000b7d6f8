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

_ARCHIVES = frozenset(".zip .gz .tgz .tar .bz2 .xz .7z .rar .zst .pst .mbox".split())
_SEEN_OR_HEARD = frozenset(
    ".png .jpg .jpeg .gif .tif .tiff .bmp .webp .heic .ico .dcm .mp3 .wav .m4a .ogg .flac .mp4 .mov .avi "
    ".mkv .webm".split()
)


class Listed(NamedTuple):
    """A document and its name below the folder that it is written to."""

    path: Path
    name: str


class Listing(NamedTuple):
    """The documents that are named or lie in folders, and what else lies there, each with its reason."""

    documents: list[Listed]
    others: list[str]
    hidden: list[str]


def list_documents(paths: Sequence[str], *, leave_out: Sequence[Path] = ()) -> Listing:
    """The files that are named, and the documents of the folders that are named, in a fixed order.

    A document of a folder keeps its place below that folder; with several arguments the folder's own name
    goes before, so that equal names of different folders stay apart. Whatever else a folder holds is listed:
    nothing is passed over in silence.
    """
    closed = {path.resolve() for path in leave_out}
    listed: list[Listed] = []
    others: list[str] = []
    hidden: list[str] = []
    for given in map(Path, paths):
        if not given.is_dir():
            if not given.exists():
                raise InputError(f"{given}: no such file or folder")
            listed.append(Listed(given, given.name))
            continue
        above = given.resolve().name if len(paths) > 1 else ""
        before = len(listed)
        for path, reason in _below(given, closed):
            if reason:
                (hidden if path.name.startswith(".") else others).append(f"{path}: {reason}")
            else:
                listed.append(Listed(path, str(Path(above) / path.relative_to(given))))
        if len(listed) == before:
            raise InputError(f"{given}: holds no documents ({', '.join(sorted(ENDINGS))})")
    [(name, times)] = Counter(one.name for one in listed).most_common(1)
    if times > 1:
        raise UsageError(f"two documents are called '{name}'; they would overwrite each other")
    return Listing(listed, others, hidden)


def _below(folder: Path, closed: set[Path]) -> Iterator[tuple[Path, str]]:
    """Every file below a folder, with the reason why it is not read or none; folders that are not entered."""
    shut: list[Path] = []
    for place, folders, files in os.walk(folder, onerror=lambda error: shut.append(Path(error.filename))):
        entered = []
        for name in sorted(folders):
            path = Path(place, name)
            if path.resolve() in closed:
                continue  # what this very run writes
            if name.startswith("."):
                yield path, f"a hidden folder ({_count(path)}); name it to have it read"
            elif path.is_symlink():
                yield path, "a link to a folder; name the folder itself"
            else:
                entered.append(name)
        folders[:] = entered
        for name in sorted(files):
            yield Path(place, name), _reason(Path(place, name))
    for path in shut:
        yield path, "a folder that cannot be opened"


def _reason(path: Path) -> str:
    """Why a file of a folder is not read; "" if it is."""
    if path.name.startswith("."):
        return "a hidden file; name it to have it read"
    if not path.is_file():
        return "no file (a device, a pipe, or a link to nothing)"
    ending = path.suffix.lower()
    if ending in ENDINGS:
        return ""
    if ending in _ARCHIVES:
        return "an archive; unfold it and name the folder"
    if ending in _SEEN_OR_HEARD:
        return "pictures, sound and film are not read"
    return "not a format that is read; name the file itself to have it read as plain text"


def _count(folder: Path) -> str:
    number = sum(len(files) for _, _, files in os.walk(folder))
    return f"{number} file{'' if number == 1 else 's'}"


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
    hidden: list[str]  # files of folders that nobody meant, such as .DS_Store

    said: ClassVar[str] = "written"

    def to_dict(self) -> dict[str, Any]:
        return {
            "documents": [*map(str, self.written)],
            "skipped": self.skipped,
            "hidden": self.hidden,
        }

    def in_words(self, *, verbose: bool = False) -> str:
        """What was written; `verbose` adds what was left out."""
        lines = [f"{self.said}: {path}" for path in self.written]
        lines += [f"skipped: {reason}" for reason in (*self.skipped, *self.hidden) if verbose]
        return "".join(f"{line}\n" for line in lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.in_words(verbose=True))}</pre>"


class ReadDocuments(NamedTuple):
    """Documents that could be read, the names they will be written under, and complaints about the others."""

    sources: list[Source]
    names: list[str]
    skipped: list[str]
    hidden: list[str]


def read_documents(
    paths: Sequence[str],
    target: Path,
    *,
    encoding: str | None,
    private: Path | None,
    overwrite: bool,
    run: Run,
) -> ReadDocuments:
    listed, others, hidden = list_documents(
        paths, leave_out=[target, *([] if private is None else [private])]
    )
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
    return ReadDocuments(sources, names, [*skipped, *others], hidden)


def without_unread(read: ReadDocuments) -> ReadDocuments:
    """Only documents that were read in all their parts; the others are listed with what was not read."""
    kept = ReadDocuments([], [], list(read.skipped), read.hidden)
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
