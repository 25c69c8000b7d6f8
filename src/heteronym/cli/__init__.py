"""The command line: one file per command, loaded when it is called.

`heteronym --help` must answer at once, so this file knows only names and one line about each.
"""

from __future__ import annotations

import importlib
from typing import Any

import typer
from typer.core import TyperGroup

COMMANDS = {
    "profile": "Look at data: scales, roles with reasons, uniqueness. Writes a draft plan.",
    "anonymize": "Anonymize data as a plan says, verify the result, and release it.",
    "compare": "Run a grid of settings on the same data: tables, plots, the best of them.",
    "verify": "Audit a release: does the promise hold on the files?",
    "explain": "Why a released row looks as it does: groups, labels, mentions.",
    "utility": "What a release is still good for, beside the original data.",
    "scan": "Find mentions in text columns or documents: offsets and types, no text.",
    "judge": "Judge a release that any tool made, beside its original data.",
    "attack": "Simulate attackers on a release: who is matched, how surely, against the promise.",
    "hierarchy": "Build generalization hierarchies from data, or check them (build | check).",
    "sanitize": "Rewrite documents so that what is sensitive in them is gone.",
    "restore": "Bring documents with pseudonyms back, with the owner's vault.",
    "analyze": "Say who texts are about, what they say of them, and how sensitive it is.",
    "serve": "From a file to a verified release in the browser, on this machine.",
    "models": "The language models that are installed, with scores and licences.",
    "demo": "The bundled example, start to finish.",
}
HELP = """Anonymize columns, item sets and free text together, with one guarantee, verified on the files.

Start with [bold]heteronym demo[/], then [bold]heteronym profile DATA -o plan.yaml[/],
read the plan, and run [bold]heteronym anonymize DATA -c plan.yaml -o RELEASE[/]."""


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
    app.command(name=name, help=function.__doc__ or COMMANDS[name])(function)
    return app


def _loaded(name: str) -> Any:
    module = importlib.import_module(f"heteronym.cli.{name}")
    # a module with commands of its own brings its app
    own = getattr(module, "app", None)
    command = typer.main.get_command(own if own is not None else _app_with(name, module.command))
    command.name = name
    return command


app = typer.Typer(
    cls=_LazyGroup, help=HELP, no_args_is_help=True, add_completion=False, rich_markup_mode="rich",
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
