"""Options made from the signatures of Python calls and from the parameters of parts.

A command is the Python call of its name: `follows` gives it an option for each parameter of the call. What an
option is called and what its help says stands here once, or at the command if only that one says it so.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from functools import partial, wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym import registry
from heteronym.cli._console import Answer, Steps, errors_as_messages, warn_of_passwords
from heteronym.cli._help import methods_in_words
from heteronym.registry import Parameter, parameters_by_name

# by the panel of the help page on which they stand
of_input, of_method, of_output, of_privacy = (
    partial(typer.Option, rich_help_panel=panel) for panel in ("Input", "Method", "Output", "Privacy")
)

Data = Annotated[
    list[str],
    typer.Argument(
        help="CSV, TSV, JSON, Parquet, Excel, SPSS, Stata or SAS files; - is CSV from standard input; "
        "tables of databases as postgresql://HOST/DB#TABLE, sqlite:///FILE#TABLE, duckdb:///FILE#TABLE."
    ),
]
Quiet = Annotated[bool, of_output("--quiet", "-q", help="Print errors only.")]
Verbose = Annotated[bool, of_output("--verbose", "-v", help="Print more detail.")]
Json = Annotated[bool, of_output("--json", help="Print the result as one JSON object.")]
Debug = Annotated[bool, of_output("--debug", help="Print the traceback of an error.")]
Overwrite = Annotated[bool, of_output("--overwrite", help="Overwrite existing output.")]
Config = Annotated[
    Path, of_input("--config", "-c", help="Plan file (YAML): roles of columns, privacy models, method.")
]
Delimiter = Annotated[str | None, of_input(help="Field delimiter of CSV files. Default: detected.")]
Encoding = Annotated[str | None, of_input(help="Text encoding of the input. Default: detected.")]
Sheet = Annotated[str | None, of_input(help="Sheet of an Excel workbook with several.")]
Table = Annotated[str | None, of_input(help="Table of a database: TABLE or SCHEMA.TABLE.")]
Query = Annotated[str | None, of_input(help="SQL whose rows are read from a database, instead of a table.")]
ReportFolder = Annotated[
    Path | None,
    of_output(help="Folder for report, facts and plan of a release in a database. Default: TABLE-release."),
]
Registry = Annotated[Path | None, of_input(help="Registry file of earlier releases; its key lies beside it.")]
RegistryKey = Annotated[Path | None, of_input(help="Key file of the registry, if it lies elsewhere.")]
Cache = Annotated[
    Path | None, of_method(help="Cache folder for recognized spans (never text), to resume a run.")
]
LanguageModel = Annotated[
    str | None,
    of_method(
        "--language-model",
        "--model",
        help="Recognition model for free text: accurate, fast, none or a spaCy pipeline.",
    ),
]
Private = Annotated[Path | None, of_output(help="Folder for the owner's files; never part of a release.")]
Passphrase = Annotated[
    bool,
    of_output(
        "--passphrase",
        help="Ask for a passphrase that encrypts the vault; HETERONYM_PASSPHRASE answers in scripts.",
    ),
]
Mentions = Annotated[
    Path | None,
    of_input(
        help="Reviewed mentions (written by `scan`) instead of scanning, or decisions about what it finds."
    ),
]
Seed = Annotated[int | None, of_method(help="Random seed. Default: the plan's.")]


def as_command(function: Callable[..., Answer]) -> Callable[..., None]:
    """A command from a function that returns its answer, with --quiet, --json and --debug.

    A function that asks for a `run`, or for what --quiet or --json say, gets it.
    """
    asked = {"run", "quiet", "json"} & inspect.signature(function).parameters.keys()

    @wraps(function)
    def command(*, quiet: bool, json: bool, debug: bool, **given: Any) -> None:
        from heteronym.run import Run

        with errors_as_messages(debug=debug, json=json) as outcome:
            warn_of_passwords(given)
            with closing(Steps(quiet=quiet)) as steps:
                known = {"run": Run(steps), "quiet": quiet, "json": json}
                answer = function(**given, **{name: known[name] for name in asked})
            outcome.released = answer.released
            answer.say(json=json, quiet=quiet)

    flags = {"quiet": Quiet, "json": Json, "debug": Debug}
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=flag)
        for name, flag in flags.items()
    ]
    return extended(command, added, without=asked)


# By the parameter of the call; what is missing here a command says itself
OPTIONS: dict[str, Any] = {
    "data": Data,
    "delimiter": Delimiter,
    "encoding": Encoding,
    "sheet": Sheet,
    "table": Table,
    "query": Query,
    "report_folder": ReportFolder,
    "registry": Registry,
    "registry_key": RegistryKey,
    "cache": Cache,
    "model": LanguageModel,
    "private": Private,
    "mentions": Mentions,
    "seed": Seed,
    "overwrite": Overwrite,
    "metadata": Annotated[
        bool, of_output("--metadata", help="Also write datapackage.json and croissant.json, for catalogues.")
    ],
}
OPTIONS |= {
    "engine": Annotated[
        str | None,
        of_method(help="For rows that do not fit into memory: duckdb or spark. Default: chosen by size."),
    ],
    "master": Annotated[str | None, of_method(help="Where Spark runs: local[4], spark://host:7077.")],
    "memory": Annotated[str | None, of_method(help="What the engine may use, such as 4GB.")],
}
_NO_OPTIONS = {"run", "progress", "parameters"}  # the command's own, and mappings of the parts' options


def follows(call: str, **special: Any) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Adds an option per parameter of a Python call, in place of `**options`.

    `special` are annotations of options that only this command has, or says differently; those that the call
    has no parameter for may be left out by whoever calls the command. A parameter that the function names
    itself is its own affair.
    """

    def decorate(function: Callable[..., Answer]) -> Callable[..., Answer]:
        own = inspect.signature(function).parameters
        wanted = {
            name: [] if parameter.default == () else parameter.default
            for name, parameter in signature_of(call).parameters.items()
            if name not in own and name not in _NO_OPTIONS and parameter.kind is not parameter.VAR_KEYWORD
        }
        added = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=default,
                annotation=special.get(name) or OPTIONS[name],
            )
            for name, default in (dict.fromkeys(special) | wanted).items()
        ]
        return extended(function, added, first=True)

    return decorate


def signature_of(call: str) -> inspect.Signature:
    return inspect.signature(getattr(importlib.import_module(f"heteronym.api.{call}"), call))


def taken_by(call: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options that are parameters of a Python call; they are taken out of the others."""
    return {name: options.pop(name) for name in signature_of(call).parameters if name in options}


def with_part_options(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Adds an option per parameter of the privacy models and partitioners, in place of `**parameters`."""
    methods = methods_in_words(registry.partitioners.names())
    cells = "Share of the cells of quasi columns that may be withheld"
    method = option("method", str, methods, panel="Method")
    withheld = option("suppress_cells_up_to", float, cells, panel="Method")
    parts = [_parameter_option(name, owners, panel=panel) for name, owners, panel in part_parameters()]
    return extended(function, [method, *parts, withheld])


def part_parameters() -> Iterator[tuple[str, list[tuple[str, Parameter]], str]]:
    """Parameters of privacy models and partitioners: name, whose they are, and their panel."""
    models = set(registry.privacy_models.names())
    for name, owners in parameters_by_name(registry.privacy_models, registry.partitioners).items():
        yield name, owners, "Privacy" if any(part in models for part, _ in owners) else "Method"


def with_options_of(parts: str) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Adds an option per parameter of these parts (document_methods, attacks), in place of `**parameters`."""
    found = parameters_by_name(getattr(registry, parts))
    added = [_parameter_option(name, owners, panel="Method") for name, owners in found.items()]
    return lambda function: extended(function, added)


def _parameter_option(name: str, owners: list[tuple[str, Parameter]], *, panel: str) -> inspect.Parameter:
    parameter = owners[0][1]
    type_ = str if parameter.choices or not parameter.types else parameter.types[0]
    kind = {int: int, float: float, bool: bool, tuple: list[str]}.get(type_, str)
    choices = f" ({' | '.join(map(str, parameter.choices))})" if parameter.choices else ""
    of = ", ".join(part for part, _ in owners)
    return option(name, kind, f"{parameter.help}{choices}. For {of}", panel=panel)


def option(name: str, kind: Any, help: str, *, panel: str) -> inspect.Parameter:
    option = typer.Option(f"--{name.replace('_', '-')}", help=help, rich_help_panel=panel)
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[kind | None, option]
    )


def extended(
    function: Callable[..., Any],
    added: list[inspect.Parameter],
    *,
    without: Collection[str] = (),
    first: bool = False,
) -> Callable[..., Any]:
    """The function as one with these parameters in place of `**options`, for those who ask for them."""
    signature = inspect.signature(function, eval_str=True)
    fixed = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in signature.parameters.values()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD and parameter.name not in without
    ]
    taken = [*added, *fixed] if first else [*fixed, *added]
    taken.sort(key=lambda parameter: parameter.default is not parameter.empty)  # what is required leads
    function.__signature__ = signature.replace(parameters=taken)  # type: ignore[attr-defined]
    function.__annotations__ = {p.name: p.annotation for p in taken} | {"return": None}
    return function
