"""Options that several commands have, and options made from the parameters of parts."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.io.plans import option_parameters

Data = Annotated[
    list[str], typer.Argument(help="CSV, TSV, JSON lines, Parquet or Excel files; - is standard input (CSV).")
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
    bool, typer.Option("--overwrite", help="Replace an existing release.", rich_help_panel="Output")
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
Seed = Annotated[int | None, typer.Option(help="Overrides the plan's seed.", rich_help_panel="Method")]


def with_part_options(function: Callable[..., None]) -> Callable[..., None]:
    """Adds an option per parameter of the privacy models and partitioners, in place of `**parameters`."""
    from heteronym import registry

    signature = inspect.signature(function)
    fixed = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
    added = [
        inspect.Parameter(
            "method",
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                str | None,
                typer.Option(
                    help="Partitioner: " + ", ".join(registry.partitioners.names()), rich_help_panel="Method"
                ),
            ],
        )
    ]
    models = set(registry.privacy_models.names())
    for name, owners in option_parameters().items():
        parameter = owners[0][1]
        kind: Any = str if parameter.choices or not parameter.types else parameter.types[0]
        panel = "Privacy" if any(part in models for part, _ in owners) else "Method"
        choices = f" ({' | '.join(map(str, parameter.choices))})" if parameter.choices else ""
        of = ", ".join(part for part, _ in owners)
        added.append(
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=Annotated[
                    (kind if kind in (int, float, str, bool) else str) | None,
                    typer.Option(
                        f"--{name.replace('_', '-')}",
                        help=f"{parameter.help}{choices}. Of {of}",
                        rich_help_panel=panel,
                    ),
                ],
            )
        )
    function.__signature__ = signature.replace(parameters=[*fixed, *added])  # type: ignore[attr-defined]
    function.__annotations__ = {p.name: p.annotation for p in [*fixed, *added]} | {"return": None}
    return function
