"""heteronym models"""

from dataclasses import asdict
from typing import Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer


@given.as_command
def command() -> Answer:
    """List the language models that are installed, with version, size, licence and scores.

    Example: [bold]heteronym models[/], then name one in the plan: [bold]text: {model: fast}[/]
    """
    from heteronym.text.installed import installed_models

    found = installed_models()
    return Answer({"models": [asdict(model) for model in found]}, lambda: _show(found), asked=True)


def _show(models: Any) -> None:
    for model in models:
        state = f"version {model.version}, {model.licence}" if model.installed else "not installed"
        size = f", {model.megabytes} MB" if model.megabytes else ""
        typer.echo(f"{model.name}: {model.about}\n  {state}{size}")
        for name, score in model.scores.items():
            typer.echo(f"  {name}: {score}")
