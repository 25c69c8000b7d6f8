"""heteronym serve"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer


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
    idle: Annotated[
        float | None, given.of_output(help="End after so many minutes in which nobody asked for a page.")
    ] = None,
) -> Answer:
    """From a file to a verified release in the browser; pages and data stay on this machine.

    Example: [bold]heteronym serve visits.csv[/]
    """
    from heteronym.web.server import Settings, serve

    def announce(address: str, opener: Path) -> None:
        typer.echo(f"heteronym is at {address}\nproject: {project}\nCtrl-C ends it; what was done is kept.")
        if browser:
            import threading
            import webbrowser

            threading.Thread(target=webbrowser.open, args=(opener.as_uri(),), daemon=True).start()

    settings = Settings(project, tuple(data or ()), config, port, idle)
    serve(settings, announce)
    return Answer(None, f"closed; {project} holds what was done\n")
