"""heteronym sanitize"""

# Annotations must be objects here, not strings: options of parts are added to them.
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer, asked_passphrase
from heteronym.registry import document_methods

_METHODS = "Document method: " + ", ".join(document_methods.names())


@given.as_command
@given.with_options_of("document_methods")
@given.follows(
    "sanitize",
    data=Annotated[
        list[str],
        typer.Argument(metavar="documents", help="Texts, mails, office files, PDF, JSON; folders of them."),
    ],
    method=Annotated[str, given.of_method(help=_METHODS)],
    plan=Annotated[
        Path | None, given.of_input("--config", "-c", help="A plan; what it says of texts holds.")
    ],
    accept_unread=Annotated[
        bool,
        given.of_input("--accept-unread", help="Keep pictures, macros and other parts that are not read."),
    ],
)
def command(
    run: Any,
    quiet: bool,
    output: Annotated[Path, given.of_output("--output", "-o", help="Folder for the documents.")],
    passphrase: given.Passphrase = False,
    **options: Any,
) -> Answer:
    """Rewrite documents so that what is sensitive in them is gone; each keeps its name, in a folder.

    Example: [bold]heteronym sanitize letter.txt notes/ -o clean --method redact[/]. Exit code 4 says that
    some documents, or parts of them, could not be read and were left out.
    """
    from heteronym.api.sanitize import KEPT, RENAMED, sanitize
    from heteronym.api.vaults import keeps_vault
    from heteronym.io.formats.source import count_kinds

    method, private = options["method"], options["private"]
    asked = passphrase or keeps_vault(method)
    done = sanitize(
        [Path(name) for name in options.pop("data")],
        output=output,
        passphrase=asked_passphrase(passphrase, new=True) if asked else None,
        run=run,
        **{name: value for name, value in options.items() if value is not None},
    )
    remarks = [f"heteronym: {warning}" for warning in done.facts.get("warnings", ())]
    if keeps_vault(method) and private is None and not quiet:
        remarks.append("no --private: there is no vault, and nobody can restore these documents")
    if done.kept:
        remarks.append(f"heteronym: {KEPT.format(done.kept)}")
    if done.facts.get("renamed") and not quiet:
        where = "" if private is None else f" ({RENAMED} in the private folder says which)"
        remarks.append(f"{done.facts['renamed']} names of files held a masked term and were changed{where}")
    remarks += [f"not read: {reason}" for reason in done.hidden if not quiet]
    if not quiet:
        left_out = done.facts.get("left_out", {}).items()
        remarks += [
            f"not written: {name}: {count_kinds(Counter(kinds).elements())}" for name, kinds in left_out
        ]
    return Answer(done.to_dict(), done.text, remarks=remarks, skipped=done.skipped)
