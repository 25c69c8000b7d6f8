"""heteronym serve"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

TOKEN = "HETERONYM_API_TOKEN"


def _token() -> str:
    """The owner's choice, or one of chance."""
    import os
    import secrets

    from heteronym.errors import UsageError

    token = os.environ.get(TOKEN) or secrets.token_urlsafe(32)
    if len(token) < 16:
        raise UsageError(f"{TOKEN} must have at least 16 characters")
    return token


def _told(token: str) -> str:
    """A token that the environment gave is known, and stands in no log."""
    import os

    return f"that of {TOKEN}" if os.environ.get(TOKEN) == token else token


@given.as_command
def command(
    run: Any,
    data: Annotated[
        list[str] | None, typer.Argument(help="Data files to start with; none: choose in the browser.")
    ] = None,
    config: Annotated[Path | None, given.of_input("--config", "-c", help="A plan to start with.")] = None,
    project: Annotated[
        Path, given.of_output(help="Private folder for the plan, uploads and releases.")
    ] = Path("heteronym-project"),
    port: Annotated[int | None, given.of_output(help="Port on this machine; 0 takes a free one.")] = None,
    browser: Annotated[bool, given.of_output("--browser/--no-browser", help="Open a browser.")] = True,
    api: Annotated[bool, given.of_output(help="Let programs call, too: a JSON API with a token.")] = False,
    look_on: Annotated[
        bool, given.of_output(help="Print a second address, for somebody who sees all and changes nothing.")
    ] = False,
    host: Annotated[
        str | None, given.of_output(help="Another address than this machine's own; needs the TLS files.")
    ] = None,
    tls_cert: Annotated[Path | None, given.of_output(help="Certificate, as PEM.")] = None,
    tls_key: Annotated[Path | None, given.of_output(help="Its key, as PEM.")] = None,
    idle: Annotated[
        float | None, given.of_output(help="End after so many minutes in which nobody asked for a page.")
    ] = None,
) -> Answer:
    """From a file to a verified release in the browser; pages and data stay on this machine.

    Example: [bold]heteronym serve visits.csv[/]
    """
    from heteronym.web.guard import Keys
    from heteronym.web.server import Settings, serve

    token = _token() if api else None

    def announce(keys: Keys, opener: Path) -> None:
        typer.echo(f"heteronym is at {keys.address}")
        if keys.address_to_look is not None:
            typer.echo(f"to look on: {keys.address_to_look}")
        typer.echo(f"project: {project}\nCtrl-C ends it; what was done is kept.")
        if token is not None:
            typer.echo(f"JSON API: {keys.address.split('/start')[0]}/api/openapi.json, token: {_told(token)}")
        if browser:
            import threading
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(opener.as_uri(),), daemon=True).start()

    settings = Settings(
        project,
        tuple(data or ()),
        config,
        port,
        idle,
        api_token=token,
        look_on=look_on,
        host=host,
        certificate=tls_cert,
        key=tls_key,
    )
    serve(settings, announce)
    return Answer(None, f"closed; {project} holds what was done\n")
