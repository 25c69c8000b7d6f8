"""heteronym models"""

from dataclasses import asdict

import typer

from heteronym.cli._console import errors_as_messages, print_json
from heteronym.cli._options import Debug, Json


def command(json: Json = False, debug: Debug = False) -> None:
    """List the language models that are installed, with version, size, licence and scores.

    Example: [bold]heteronym models[/], then name one in the plan: [bold]text: {model: fast}[/]
    """
    with errors_as_messages(debug=debug):
        from heteronym.text.installed import installed_models

        found = installed_models()
        if json:
            print_json({"models": [asdict(model) for model in found]})
            return
        for model in found:
            state = f"version {model.version}, {model.licence}" if model.installed else "not installed"
            size = f", {model.megabytes} MB" if model.megabytes else ""
            typer.echo(f"{model.name}: {model.about}\n  {state}{size}")
            for name, score in model.scores.items():
                typer.echo(f"  {name}: {score}")
