"""heteronym anonymize"""

# Annotations must be objects here, not strings: options of parts are added to them.
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli._console import Steps, errors_as_messages, print_json
from heteronym.cli._documents import asked_passphrase
from heteronym.cli._options import (
    Cache,
    Config,
    Data,
    Debug,
    Delimiter,
    Encoding,
    Json,
    LanguageModel,
    Mentions,
    Overwrite,
    Passphrase,
    Quiet,
    Registry,
    RegistryKey,
    Seed,
    Sheet,
    Verbose,
    with_part_options,
)
from heteronym.cli._panels import output_option, privacy_option

_Output = Annotated[Path, output_option("--output", "-o", help="Release folder to make.")]
_Private = Annotated[Path | None, output_option(help="Folder for the owner's files (row map, mentions).")]
_Preset = Annotated[str | None, privacy_option(help="What a policy asks for: ema-0.09 or hipaa-safe-harbor.")]
_DryRun = Annotated[bool, output_option("--dry-run", help="Say what would run, and what it takes.")]


@with_part_options
def command(
    data: Data,
    config: Config,
    output: _Output,
    private: _Private = None,
    passphrase: Passphrase = False,
    mentions: Mentions = None,
    preset: _Preset = None,
    language_model: LanguageModel = None,
    cache: Cache = None,
    registry: Registry = None,
    registry_key: RegistryKey = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    sheet: Sheet = None,
    seed: Seed = None,
    overwrite: Overwrite = False,
    dry_run: _DryRun = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    json: Json = False,
    debug: Debug = False,
    **parameters: Any,
) -> None:
    """Anonymize data as a plan says, verify the written files, and release them only if they pass.

    Example: [bold]heteronym anonymize posts.csv -c plan.yaml -o release --k 5[/]
    """
    with errors_as_messages(debug=debug) as outcome:
        from heteronym.estimating import estimate
        from heteronym.io.plans import override, read_plan
        from heteronym.library import anonymize
        from heteronym.run import Run

        layout = {"delimiter": delimiter, "encoding": encoding, "sheet": sheet}
        options = {"seed": seed, "preset": preset, "language_model": language_model}
        plan = override(read_plan(config), layout | options | parameters)
        if dry_run:
            found = estimate(data, plan, folder=config.parent)
            print_json(found.to_dict()) if json else typer.echo(found.text, nl=False)
            return
        with Steps(quiet=quiet) as steps:
            release = anonymize(
                data,
                plan,
                output=output,
                private=private,
                passphrase=asked_passphrase(passphrase, new=True) if plan.renames or passphrase else None,
                mentions=mentions,
                cache=cache,
                registry=registry,
                registry_key=registry_key,
                overwrite=overwrite,
                run=Run(steps, folder=config.parent).since_start(),
            )
            outcome.released = True
        if json:
            print_json({"release": str(output), **release.facts})
        elif not quiet:
            show(release.facts, output, verbose=verbose)


def show(facts: Any, output: Path, *, verbose: bool = False) -> None:
    """The outcome on one screen."""
    unit = facts["verdict"]["unit"]
    for model in facts["verdict"]["models"]:
        given = ", ".join(f"{name} = {value}" for name, value in model["parameters"].items())
        typer.echo(f"verified: {model['model']} ({given}), smallest group {model['smallest_group']} {unit}")
    for check in facts["verdict"]["checks"]:
        if check["holds"] is None or verbose:
            typer.echo(f"{'remark' if check['holds'] is None else 'passed'}: {check['detail']}")
    if facts["data"].get("rows_not_english"):
        share = 100 * facts["data"]["rows_not_english"] / facts["data"]["rows"]
        typer.echo(
            f"remark: {share:.1f} % of the texts do not look English; the rules and models read English"
        )
    for line in loss_table(facts["measures"]):
        typer.echo(line)
    groups = facts["measures"]["groups"]
    typer.echo(f"groups: {groups['count']} of {groups['min']} to {groups['max']} persons")
    withheld = facts["measures"].get("withheld")
    if withheld:
        told = ", ".join(f"{name} {count:,}" for name, count in withheld["by_attribute"].items())
        typer.echo(f"withheld: {withheld['cells']:,} cells of single persons ({told})")
    if verbose:
        for step, seconds in facts["timing"].items():
            typer.echo(f"  {step}: {seconds:.2f} CPU s")
    data = next(path for path in sorted(output.iterdir()) if path.name.startswith("data."))
    typer.echo(f"release: {data}\nfacts:   {output / 'facts.json'}\nreport:  {output / 'report.html'}")


def loss_table(measures: Any) -> list[str]:
    """What was lost of columns, items, events and terms, each by its own measure, from 0 to 1."""
    ncp, items, events = measures["ncp"], measures.get("transaction"), measures.get("events")
    rows = [("columns", "NCP", ncp.get("relational"))]
    if items is not None:
        rows += [("items", "TNCP", items["tncp"]), ("", "UL", items["ul"])]
    if events is not None:
        rows.append(("events", "NCP", events["event_loss"]))
    rows += [
        ("terms", "not as they were", ncp.get("textual")),
        ("", "information", ncp.get("information")),
        ("columns and terms", "total NCP", ncp["total"]),
    ]
    found = [(part, measure, value) for part, measure, value in rows if value is not None]
    return ["loss of"] + [f"  {part:<18} {measure:<17} {value:.4f}" for part, measure, value in found]
