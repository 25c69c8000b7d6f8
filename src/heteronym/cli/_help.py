"""What help shows first: groups of commands, the dozen options that most people need, the usual methods.

`--help` of a command with many options shows those of `SHOWN`; `--help-all` shows every one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

# group: command: one line
GROUPS: dict[str, dict[str, str]] = {
    "Start here": {
        "demo": "The bundled example, start to finish.",
        "profile": "Look at data: scales, roles with reasons, uniqueness. Writes a draft plan.",
        "anonymize": "Anonymize data as a plan says, verify the result, and release it.",
        "serve": "From a file to a verified release in the browser, on this machine.",
        "doctor": "What is installed, what is missing, and whether a small release verifies.",
    },
    "Inspect": {
        "verify": "Audit a release: does the promise hold on the files?",
        "judge": "Judge a release that any tool made, beside its original data.",
        "explain": "Why a released row looks as it does: groups, labels, mentions.",
        "utility": "What a release is still good for, beside the original data.",
        "compare": "Run a grid of settings on the same data: tables, plots, the best of them.",
        "attack": "Simulate attackers on a release: who is matched, how surely, against the promise.",
    },
    "Documents": {
        "scan": "Find mentions in text columns or documents: offsets and types, no text.",
        "sanitize": "Rewrite documents so that what is sensitive in them is gone.",
        "restore": "Bring documents with pseudonyms back, with the owner's vault.",
        "analyze": "Say who texts are about, what they say of them, and how sensitive it is.",
    },
    "Experts": {
        "hierarchy": "Build generalization hierarchies from data, or check them (build | check).",
        "models": "The language models that are installed, with scores and licences.",
    },
}

# Of commands with more options than fit on a screen: what most people need.
SHOWN: dict[str, str] = {
    "profile": "data output purpose person sheet preview thorough no_trial overwrite json",
    "anonymize": "data plan output private sheet k m method preset mentions preview dry_run overwrite json",
    "compare": "data plan output k m delta relational_weight method paths pick overwrite json",
    "judge": "released against config match rows k m output sarif junit private overwrite json verbose",
    "attack": "release against private only known sure seed json verbose",
    "sanitize": "data output method private by words reveal t accept_unread plan overwrite json",
}

# Partitioners: whoever does not know which one to take needs one of the first.
USUAL = {"mondrian": "columns", "joint": "columns, items and texts"}
OF_PAPERS = ("r-first", "t-first", "rum-bound", "tum-bound")


def methods_in_words(names: list[str]) -> str:
    """The partitioners, those for most people first."""
    usual = ", ".join(f"{name} ({what})" for name, what in USUAL.items() if name in names)
    experts = ", ".join(name for name in names if name not in USUAL and name not in OF_PAPERS)
    papers = ", ".join(name for name in names if name in OF_PAPERS)
    return f"Partitioner: {usual}; for experts: {experts}; methods of papers, to compare with: {papers}"


def with_help_all(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The command with `--help-all`, if `--help` shows only a part of its options."""
    if name not in SHOWN:
        return function
    signature = inspect.signature(function, eval_str=True)
    option = typer.Option(
        "--help-all", is_eager=True, callback=_show_all, help="Show the options for experts as well."
    )
    added = inspect.Parameter(
        "help_all", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, option]
    )

    @wraps(function)
    def command(*, help_all: bool, **given: Any) -> Any:
        return function(**given)

    command.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), added]
    )
    command.__annotations__ = {**function.__annotations__, "help_all": added.annotation}
    return command


def shorten(name: str, command: Any) -> None:
    """Hide from `--help` what only few need; who installed parts of another package needs their options."""
    if name not in SHOWN:
        return
    shown = {*SHOWN[name].split(), "help_all", *_foreign_parameters()}
    for parameter in command.params:
        if parameter.param_type_name == "option" and parameter.name not in shown:
            parameter.hidden = True


def _foreign_parameters() -> set[str]:
    """Parameters of privacy models and partitioners that other packages brought."""
    from heteronym import registry

    kinds = (registry.privacy_models, registry.partitioners)
    foreign = {
        part
        for kind in kinds
        for part in kind.names()
        if not kind.get(part).__module__.startswith("heteronym.")
    }
    by_name = registry.parameters_by_name(*kinds)
    return {name for name, owners in by_name.items() if any(part in foreign for part, _ in owners)}


def _show_all(context: typer.Context, value: bool) -> None:
    if value and not context.resilient_parsing:
        for parameter in context.command.params:
            if parameter.param_type_name == "option":
                parameter.hidden = False  # type: ignore[attr-defined]
        typer.echo(context.get_help())
        raise typer.Exit
