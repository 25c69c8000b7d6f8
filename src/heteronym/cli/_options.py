"""Options that several commands have, and options made from the parameters of parts."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.registry import Parameter, parameters_by_name

Data = Annotated[
    list[str],
    typer.Argument(
        help="CSV, TSV, JSON, Parquet, Excel, SPSS, Stata or SAS files; - is CSV from standard input."
    ),
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Say nothing but errors.", rich_help_panel="Output")
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say more.", rich_help_panel="Output")]
Json = Annotated[
    bool, typer.Option("--json", help="One JSON object on standard output.", rich_help_panel="Output")
]
Debug = Annotated[bool, typer.Option("--debug", help="Show the trace of an error.", rich_help_panel="Output")]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace what is there.", rich_help_panel="Output")
]
Config = Annotated[
    Path, typer.Option("--config", "-c", help="The plan: roles, models, method.", rich_help_panel="Input")
]
Delimiter = Annotated[
    str | None, typer.Option(help="Of CSV files; detected if left out.", rich_help_panel="Input")
]
Encoding = Annotated[
    str | None, typer.Option(help="Of CSV files; detected if left out.", rich_help_panel="Input")
]
Sheet = Annotated[
    str | None, typer.Option(help="Of a workbook with several sheets.", rich_help_panel="Input")
]
Registry = Annotated[
    Path | None,
    typer.Option(help="The owner's registry of releases; its key is beside it.", rich_help_panel="Input"),
]
RegistryKey = Annotated[
    Path | None, typer.Option(help="The key of the registry, if it lies elsewhere.", rich_help_panel="Input")
]
Cache = Annotated[
    Path | None,
    typer.Option(
        help="Folder that remembers spans (never text), so that a run can resume.", rich_help_panel="Method"
    ),
]
LanguageModel = Annotated[
    str | None,
    typer.Option(
        "--language-model",
        "--model",
        help="Who reads the texts: accurate, fast, none or a spaCy pipeline.",
        rich_help_panel="Method",
    ),
]
Private = Annotated[
    Path | None,
    typer.Option(help="Folder for the owner's files; never part of a release.", rich_help_panel="Output"),
]
Passphrase = Annotated[
    bool,
    typer.Option(
        "--passphrase",
        help="Ask for a passphrase that encrypts the vault; HETERONYM_PASSPHRASE answers in scripts.",
        rich_help_panel="Output",
    ),
]
Seed = Annotated[int | None, typer.Option(help="Overrides the plan's seed.", rich_help_panel="Method")]


def with_part_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds an option per parameter of the privacy models and partitioners, in place of `**parameters`."""
    from heteronym import registry

    models = set(registry.privacy_models.names())
    added = [
        _option("method", str, "Partitioner: " + ", ".join(registry.partitioners.names()), panel="Method")
    ]
    for name, owners in parameters_by_name(registry.privacy_models, registry.partitioners).items():
        panel = "Privacy" if any(part in models for part, _ in owners) else "Method"
        added.append(_parameter_option(name, owners, panel=panel))
    cells = "Share of the cells of quasi columns that may be withheld"
    added.append(_option("suppress_cells_up_to", float, cells, panel="Method"))
    return _extended(function, added)


def with_grid_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the options of `with_part_options`, each for several values, in place of `**parameters`."""
    from heteronym import registry

    models = set(registry.privacy_models.names())
    added = [_option("method", str, "Partitioners to compare", panel="Method")]
    for name, owners in parameters_by_name(registry.privacy_models, registry.partitioners).items():
        panel = "Privacy" if any(part in models for part, _ in owners) else "Method"
        of = ", ".join(part for part, _ in owners)
        added.append(_option(name, str, f"{owners[0][1].help}. Of {of}", panel=panel))
    for name in ("terms", "items", "seed", "suppress_up_to", "suppress_cells_up_to"):
        if name not in {parameter.name for parameter in added}:
            added.append(_option(name, str, "As in the plan", panel="Method"))
    return _extended(function, added)


def with_options_of(parts: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds an option per parameter of these parts (document_methods, attacks), in place of `**parameters`."""
    from heteronym import registry

    found = parameters_by_name(getattr(registry, parts))
    added = [_parameter_option(name, owners, panel="Method") for name, owners in found.items()]
    return lambda function: _extended(function, added)


def _parameter_option(name: str, owners: list[tuple[str, Parameter]], *, panel: str) -> inspect.Parameter:
    parameter = owners[0][1]
    kind: Any = str if parameter.choices or not parameter.types else parameter.types[0]
    choices = f" ({' | '.join(map(str, parameter.choices))})" if parameter.choices else ""
    of = ", ".join(part for part, _ in owners)
    if kind is tuple:
        kind = list[str]
    elif kind not in (int, float, str, bool):
        kind = str
    return _option(name, kind, f"{parameter.help}{choices}. Of {of}", panel=panel)


def _option(name: str, kind: Any, help: str, *, panel: str) -> inspect.Parameter:
    option = typer.Option(f"--{name.replace('_', '-')}", help=help, rich_help_panel=panel)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
    )


def _extended(function: Callable[..., None], added: list[inspect.Parameter]) -> Callable[..., None]:
    signature = inspect.signature(function)
    fixed = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    function.__signature__ = signature.replace(parameters=[*fixed, *added])  # type: ignore[attr-defined]
    function.__annotations__ = {p.name: p.annotation for p in [*fixed, *added]} | {"return": None}
    return function
