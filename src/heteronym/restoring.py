"""The way back: documents and tables with surrogates get their own words again, with vault and key."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from heteronym.errors import InputError, UsageError
from heteronym.io.formats import ENDINGS as DOCUMENTS
from heteronym.io.formats.folders import Listed, check_written, read_documents, write_all
from heteronym.io.owner_files import check_private
from heteronym.io.tables import ENDINGS, read_table, render
from heteronym.io.values import text_cells
from heteronym.keeping import owner_files
from heteronym.model.edit import Edit, edited
from heteronym.model.plan import DataPlan
from heteronym.run import Run
from heteronym.surrogates.vault import KEY, VAULT, Vault, cell_digest, digest, open_vault


class RestoredFiles(NamedTuple):
    """Where the documents went, how many came back word by word only, and which could not be restored."""

    written: list[Path]
    by_word: int
    skipped: list[str]


def restore_documents(
    paths: Sequence[str],
    target: Path,
    *,
    private: Path,
    passphrase: str | None = None,
    encoding: str | None = None,
    overwrite: bool = False,
    run: Run | None = None,
) -> RestoredFiles:
    """Each document or table under its name in a folder, with the words that it had before.

    A document that is as it was released comes back exactly. In one that was changed since, every surrogate
    that stands for one thing only is put back where it occurs. A table (a file, or a release folder) gets
    back what surrogates stand for, cell by cell; what was generalized or masked stays so.
    """
    check_private(private, target)
    owner = owner_files(private, (VAULT, KEY))
    if VAULT not in owner:
        raise InputError(f"{private}: holds no vault ({VAULT})")
    vault = open_vault(owner, passphrase)
    run = run or Run()
    tables = {path: table for path in paths if (table := _table_of(Path(path))) is not None}
    files, skipped = _tables_back(list(tables.values()), target, vault, encoding, overwrite=overwrite)
    documents = [path for path in paths if path not in tables]
    if not documents:
        return RestoredFiles(write_all(target, _any(files, skipped)), 0, skipped)
    read = read_documents(documents, target, encoding=encoding, private=private, overwrite=overwrite, run=run)
    skipped += read.skipped
    by_word = 0
    back = _words_back(vault)
    for number, (name, source) in enumerate(zip(read.names, read.sources, strict=True)):
        run.tell(number / len(read.names), "restore")
        known = vault.documents.get(digest(source.text))
        if known is not None:
            edits = [Edit(start, start + len(new), original) for start, new, original in known]
        else:
            edits = _edits_by_word(source.text, back)
            if not edits:
                skipped.append(f"{name}: the vault knows neither this document nor a word of it")
                continue
            by_word += 1
        files[name] = source.write(edits)
    return RestoredFiles(write_all(target, _any(files, skipped)), by_word, skipped)


def _any(files: dict[str, bytes], skipped: Sequence[str]) -> dict[str, bytes]:
    if not files:
        more = f", and {len(skipped) - 1} more" if len(skipped) > 1 else ""
        raise InputError(f"{skipped[0]}{more}")
    return files


def _table_of(path: Path) -> Path | None:
    """The table that is named, or that of the release folder that is; None: it is no table."""
    if (path / "facts.json").is_file():
        return next((one for one in sorted(path.glob("data.*")) if one.suffix.lower() in ENDINGS), None)
    is_table = path.suffix.lower() in ENDINGS and path.suffix.lower() not in DOCUMENTS
    return path if is_table and path.is_file() else None


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
