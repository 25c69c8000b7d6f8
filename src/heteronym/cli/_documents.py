"""Passphrases of vaults."""

from __future__ import annotations

import os

import typer

PASSPHRASE = "HETERONYM_PASSPHRASE"


def asked_passphrase(wanted: bool, *, new: bool = False) -> str | None:
    """The passphrase from the environment, or typed unseen; never from an option, which others could read."""
    given = os.environ.get(PASSPHRASE)
    if given is not None or not wanted:
        return given
    return str(typer.prompt("passphrase", hide_input=True, confirmation_prompt=new, err=True))
