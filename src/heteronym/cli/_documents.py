"""What commands on documents share: passphrases, and documents that were left out."""

from __future__ import annotations

import os

import typer

PASSPHRASE = "HETERONYM_PASSPHRASE"

SOME_SKIPPED = 4  # exit code: done, but some documents could not be read


def asked_passphrase(wanted: bool, *, new: bool = False) -> str | None:
    """The passphrase from the environment, or typed unseen; never from an option, which others could read."""
    given = os.environ.get(PASSPHRASE)
    if given is not None:
        return given
    if not wanted:
        return None
    return str(typer.prompt("passphrase", hide_input=True, confirmation_prompt=new, err=True))


def tell_skipped(skipped: list[str]) -> None:
    """Which documents were left out, and an exit code of its own."""
    if skipped:
        for reason in skipped:
            typer.echo(f"skipped: {reason}", err=True)
        typer.echo(f"heteronym: {len(skipped)} documents were left out", err=True)
        raise typer.Exit(SOME_SKIPPED)
