"""Options that several commands have, and options made from the parameters of parts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli._panels import input_option, method_option, output_option
from heteronym.registry import Parameter, parameters_by_name

Data = Annotated[
    list[str],
    typer.Argument(
        help="CSV, TSV, JSON, Parquet, Excel, SPSS, Stata or SAS files; - is CSV from standard input."
    ),
]
Quiet = Annotated[bool, output_option("--quiet", "-q", help="Say nothing but errors.")]
Verbose = Annotated[bool, output_option("--verbose", "-v", help="Say more.")]
Json = Annotated[bool, output_option("--json", help="One JSON object on standard output.")]
Debug = Annotated[bool, output_option("--debug", help="Show the trace of an error.")]
Overwrite = Annotated[bool, output_option("--overwrite", help="Replace what is there.")]
Config = Annotated[Path, input_option("--config", "-c", help="The plan: roles, models, method.")]
Delimiter = Annotated[str | None, input_option(help="Of CSV files; detected if left out.")]
Encoding = Annotated[str | None, input_option(help="Of CSV files; detected if left out.")]
Sheet = Annotated[str | None, input_option(help="Of a workbook with several sheets.")]
Registry = Annotated[
    Path | None, input_option(help="The owner's registry of releases; its key is beside it.")
]
RegistryKey = Annotated[Path | None, input_option(help="The key of the registry, if it lies elsewhere.")]
Cache = Annotated[
    Path | None, method_option(help="Folder that remembers spans (never text), so that a run can resume.")
]
LanguageModel = Annotated[
    str | None,
    method_option(
        "--language-model", "--model", help="Who reads the texts: accurate, fast, none or a spaCy pipeline."
    ),
]
Private = Annotated[Path | None, output_option(help="Folder for the owner's files; never part of a release.")]
Passphrase = Annotated[
    bool,
    output_option(
        "--passphrase",
        help="Ask for a passphrase that encrypts the vault; HETERONYM_PASSPHRASE answers in scripts.",
    ),
]
Mentions = Annotated[
    Path | None, input_option(help="Reviewed mentions as `scan` writes them, instead of scanning.")
]
Seed = Annotated[int | None, method_option(help="Overrides the plan's seed.")]


def with_part_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds an option per parameter of the privacy models and partitioners, in place of `**parameters`."""
    from heteronym import registry

    methods = "Partitioner: " + ", ".join(registry.partitioners.names())
    cells = "Share of the cells of quasi columns that may be withheld"
    return extended(
        function,
        [
            option("method", str, methods, panel="Method"),
            *(_parameter_option(name, owners, panel=panel) for name, owners, panel in part_parameters()),
            option("suppress_cells_up_to", float, cells, panel="Method"),
        ],
    )


def part_parameters() -> Iterator[tuple[str, list[tuple[str, Parameter]], str]]:
    """Parameters of privacy models and partitioners: name, whose they are, and their panel."""
    from heteronym import registry

    models = set(registry.privacy_models.names())
    for name, owners in parameters_by_name(registry.privacy_models, registry.partitioners).items():
        yield name, owners, "Privacy" if any(part in models for part, _ in owners) else "Method"


def with_options_of(parts: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Adds an option per parameter of these parts (document_methods, attacks), in place of `**parameters`."""
    from heteronym import registry

    found = parameters_by_name(getattr(registry, parts))
    added = [_parameter_option(name, owners, panel="Method") for name, owners in found.items()]
    return lambda function: extended(function, added)


def _parameter_option(name: str, owners: list[tuple[str, Parameter]], *, panel: str) -> inspect.Parameter:
    parameter = owners[0][1]
    kind: Any = str if parameter.choices or not parameter.types else parameter.types[0]
    choices = f" ({' | '.join(map(str, parameter.choices))})" if parameter.choices else ""
    of = ", ".join(part for part, _ in owners)
    if kind is tuple:
        kind = list[str]
    elif kind not in (int, float, str, bool):
        kind = str
    return option(name, kind, f"{parameter.help}{choices}. Of {of}", panel=panel)


def option(name: str, kind: Any, help: str, *, panel: str) -> inspect.Parameter:
    option = typer.Option(f"--{name.replace('_', '-')}", help=help, rich_help_panel=panel)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
    )


def extended(function: Callable[..., None], added: list[inspect.Parameter]) -> Callable[..., None]:
    signature = inspect.signature(function)
    fixed = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    function.__signature__ = signature.replace(parameters=[*fixed, *added])  # type: ignore[attr-defined]
    function.__annotations__ = {p.name: p.annotation for p in [*fixed, *added]} | {"return": None}
    return function
