"""The command line: one file per command, loaded when it is called.

`heteronym --help` must answer at once, so this file knows only names and one line about each.
"""

from __future__ import annotations

import importlib
from typing import Any

import typer
from typer.core import TyperGroup

from heteronym.cli._help import GROUPS, shorten, with_help_all

COMMANDS = {name: line for group in GROUPS.values() for name, line in group.items()}
GROUP_OF = {name: title for title, group in GROUPS.items() for name in group}
HELP = """Anonymize columns, item sets and free text together, with one guarantee, verified on the files.

Start with [bold]heteronym demo[/], then [bold]heteronym profile DATA -o plan.yaml[/],
read the plan, and run [bold]heteronym anonymize DATA -c plan.yaml -o RELEASE[/].
[bold]heteronym COMMAND --help[/] shows what most people need of a command, and an example."""


class _LazyGroup(TyperGroup):
    """Commands by name; only the one that is called is imported."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _named_only(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else _loaded(name), rest


def _named_only(name: str) -> Any:
    def stub() -> None: ...

    return typer.main.get_command(_app_with(name, stub))


def _app_with(name: str, function: Any) -> typer.Typer:
    app = typer.Typer(add_completion=False, rich_markup_mode="rich")
    panel = GROUP_OF[name]
    app.command(name=name, help=function.__doc__ or COMMANDS[name], rich_help_panel=panel)(function)
    return app


def _loaded(name: str) -> Any:
    module = importlib.import_module(f"heteronym.cli.{name}")
    # a module with commands of its own brings its app
    own = getattr(module, "app", None)
    command = typer.main.get_command(
        own if own is not None else _app_with(name, with_help_all(name, module.command))
    )
    command.name = name
    shorten(name, command)
    return command


app = typer.Typer(
    cls=_LazyGroup, help=HELP, no_args_is_help=True, rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)  # fmt: skip


def _show_version(value: bool) -> None:
    if value:
        from heteronym import __version__

        typer.echo(f"heteronym {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(
        False, "--version", help="Show the version.", callback=_show_version, is_eager=True
    ),
) -> None: ...


def main() -> None:
    app(prog_name="heteronym")
