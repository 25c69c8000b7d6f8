"""The way back: documents with pseudonyms get their own words again, with the owner's vault and key."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from heteronym.errors import InputError
from heteronym.io.bundles import check_private
from heteronym.io.formats.folders import write_all
from heteronym.model.edit import Edit
from heteronym.run import Run
from heteronym.sanitizing import owner_files, read_documents
from heteronym.surrogates.vault import KEY, VAULT, Vault, digest, open_vault


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
    """Each document under its name in a folder, with the words that it had before.

    A document that is as it was released comes back exactly. In one that was changed since, every surrogate
    that stands for one thing only is put back where it occurs.
    """
    check_private(private, target)
    owner = owner_files(private, (VAULT, KEY))
    if VAULT not in owner:
        raise InputError(f"{private}: holds no vault ({VAULT})")
    vault = open_vault(owner, passphrase)
    run = run or Run()
    read = read_documents(paths, target, encoding=encoding, private=private, overwrite=overwrite, run=run)
    files: dict[str, bytes] = {}
    skipped = list(read.skipped)
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
    if not files:
        more = f", and {len(skipped) - 1} more" if len(skipped) > 1 else ""
        raise InputError(f"{skipped[0]}{more}")
    return RestoredFiles(write_all(target, files), by_word, skipped)


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
