"""The way back: documents and tables with surrogates get their own words again, with vault and key."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import polars as pl

from heteronym.api.vaults import owner_files
from heteronym.errors import InputError, UsageError
from heteronym.io.formats import ENDINGS as DOCUMENTS
from heteronym.io.formats import open_document
from heteronym.io.formats.folders import Listed, WrittenFiles, check_written, read_documents, write_all
from heteronym.io.given import documents_in, door
from heteronym.io.owner_files import check_private
from heteronym.io.tables import ENDINGS, read_table, render
from heteronym.io.values import text_cells
from heteronym.model.edit import Edit, edited
from heteronym.model.plan import DataPlan
from heteronym.run import Run
from heteronym.surrogates.vault import KEY, VAULT, Vault, cell_digest, digest, open_vault


@dataclass(frozen=True)
class RestoredFiles(WrittenFiles):
    """Where the documents went, which could not be restored, and how many came back word by word only."""

    by_word: int = 0

    said: ClassVar[str] = "restored"

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "by_word": self.by_word}

    def in_words(self, *, verbose: bool = False) -> str:
        changed = f"{self.by_word} of them were changed since, and came back word by word\n"
        return super().in_words(verbose=verbose) + (changed if self.by_word else "")


@door
def restore(
    data: Any,
    *,
    private: str | Path,
    output: str | Path | None = None,
    passphrase: str | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
    run: Run | None = None,
) -> Any:
    """What `sanitize` with pseudonyms, or a plan with surrogates, made, with the words that it had before.

    `data` is one text, or a Path or several, of documents, folders, tables and release folders: these are
    written below the folder `output`, each under its name. A document that is as it was released comes back
    exactly. In one that was changed since, every surrogate that stands for one thing only is put back where
    it occurs. A table gets back what surrogates stand for, cell by cell; what was generalized stays so.
    """
    owner, target = Path(private), None if output is None else Path(output)
    if isinstance(data, str) and (target is not None or overwrite or encoding is not None):
        raise UsageError("output, overwrite and encoding are for documents: give a Path; a str is a text")
    if target is not None:
        check_private(owner, target)
    files = owner_files(owner, (VAULT, KEY))
    if VAULT not in files:
        raise InputError(f"{private}: holds no vault ({VAULT})")
    vault, run = open_vault(files, passphrase), run or Run()
    if isinstance(data, str):
        edits, _ = _edits_back(data, vault, _words_back(vault))
        if not edits:
            raise InputError("the vault knows neither this text nor a word of it")
        return edited(data, edits)
    paths = documents_in(data)
    if target is None:
        raise UsageError("documents are written to a folder; name it with `output`")
    tables = {path: table for path in paths if (table := _table_of(Path(path), vault, encoding)) is not None}
    files, skipped = _tables_back(list(tables.values()), target, vault, encoding, overwrite=overwrite)
    documents = [path for path in paths if path not in tables]
    by_word = 0
    hidden: list[str] = []
    if documents:
        read = read_documents(
            documents, target, encoding=encoding, private=owner, overwrite=overwrite, run=run
        )
        skipped += read.skipped
        hidden = read.hidden
        back = _words_back(vault)
        for number, (name, source) in enumerate(zip(read.names, read.sources, strict=True)):
            run.tell(number / len(read.names), "restore")
            edits, is_known = _edits_back(source.text, vault, back)
            if edits or is_known:
                files[name], by_word = source.write(edits), by_word + (not is_known)
            else:
                skipped.append(f"{name}: the vault knows neither this document nor a word of it")
    return RestoredFiles(write_all(target, _any(files, skipped)), skipped, hidden, by_word)


def _edits_back(text: str, vault: Vault, back: dict[str, str]) -> tuple[list[Edit], bool]:
    """What brings a text back, and whether it is known as a whole."""
    known = vault.documents.get(digest(text))
    if known is None:
        return _edits_by_word(text, back), False
    return [Edit(start, start + len(new), original) for start, new, original in known], True


def _any(files: dict[str, bytes], skipped: Sequence[str]) -> dict[str, bytes]:
    if not files:
        more = f", and {len(skipped) - 1} more" if len(skipped) > 1 else ""
        raise InputError(f"{skipped[0]}{more}")
    return files


def _table_of(path: Path, vault: Vault, encoding: str | None) -> Path | None:
    """The table that is named, or that of the release folder that is; None: it is no table."""
    if (path / "facts.json").is_file():
        return next((one for one in sorted(path.glob("data.*")) if one.suffix.lower() in ENDINGS), None)
    if path.suffix.lower() not in ENDINGS or path.suffix.lower() == ".txt" or not path.is_file():
        return None
    return None if _is_known_document(path, vault, encoding) else path


def _is_known_document(path: Path, vault: Vault, encoding: str | None) -> bool:
    """Whether a file that could be a table is a document that was released as one."""
    if path.suffix.lower() not in DOCUMENTS:
        return False
    try:
        return digest(open_document(path, encoding).text) in vault.documents
    except InputError:
        return False


def _tables_back(
    paths: Sequence[Path], target: Path, vault: Vault, encoding: str | None, *, overwrite: bool
) -> tuple[dict[str, bytes], list[str]]:
    """Tables with the cells and texts that their surrogates stand for."""
    listed = [Listed(path, path.name) for path in paths]
    names = [one.name for one in listed]
    if len(set(names)) < len(names):
        raise UsageError("two tables have the same name; restore them one after the other")
    check_written(listed, names, target, overwrite=overwrite)
    files: dict[str, bytes] = {}
    skipped: list[str] = []
    for path in paths:
        table = read_table(path, DataPlan(encoding=encoding))
        columns = [back for cells in table.frame if (back := _column_back(cells, vault)) is not None]
        if columns:
            files[path.name] = render(table.frame.with_columns(columns), table.format)[0]
        else:
            skipped.append(f"{path}: the vault knows no cell of it")
    return files, skipped


def _column_back(cells: pl.Series, vault: Vault) -> pl.Series | None:
    """The column with what its surrogates stand for; None if there are none."""
    texts = text_cells(cells) if not cells.dtype.is_nested() else pl.Series([], dtype=pl.String)
    back: dict[str, str] = {}
    for cell in texts.drop_nulls().unique().to_list():
        known = vault.documents.get(cell_digest(cells.name, cell))
        if known:
            back[cell] = edited(cell, [Edit(start, start + len(new), old) for start, new, old in known])
    if not back:
        return None
    return texts.replace_strict(list(back), list(back.values()), default=texts).alias(cells.name)


def _words_back(vault: Vault) -> dict[str, str]:
    """Surrogates, as they were written, that stand for one original only."""
    found: dict[str, set[str]] = defaultdict(set)
    for places in vault.documents.values():
        for _, surrogate, original in places:
            found[surrogate].add(original)
    return {surrogate: next(iter(words)) for surrogate, words in found.items() if len(words) == 1}


def _edits_by_word(text: str, back: dict[str, str]) -> list[Edit]:
    if not back:
        return []
    longest_first = sorted(back, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")
    return [Edit(m.start(), m.end(), back[m.group()]) for m in pattern.finditer(text)]
