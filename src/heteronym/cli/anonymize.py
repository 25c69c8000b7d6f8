"""heteronym anonymize"""

# Annotations must be objects here, not strings: options of parts are added to them.
from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer, asked_passphrase
from heteronym.databases.address import is_address, without_secrets


@given.as_command
@given.with_part_options
@given.follows(
    "anonymize",
    data=given.Data,
    plan=given.Config,
    private=Annotated[Path | None, given.of_output(help="Folder for the owner's files (row map, mentions).")],
    # values of the plan, for this run
    preset=Annotated[
        str | None, given.of_privacy(help="What a policy asks for: ema-0.09 or hipaa-safe-harbor.")
    ],
    language_model=given.LanguageModel,
    delimiter=given.Delimiter,
    encoding=given.Encoding,
    sheet=given.Sheet,
    table=given.Table,
    query=given.Query,
    seed=given.Seed,
)
def command(
    run: Any,
    output: Annotated[
        str, given.of_output("--output", "-o", help="Release folder to make, or a table of a database.")
    ],
    passphrase: given.Passphrase = False,
    dry_run: Annotated[
        bool, given.of_output("--dry-run", help="Say what would run, and what it takes.")
    ] = False,
    preview: Annotated[
        bool, given.of_output("--preview", help="Show rows of a sample before and after; release nothing.")
    ] = False,
    verbose: given.Verbose = False,
    **options: Any,
) -> Answer:
    """Anonymize data as a plan says, verify the written files, and release them only if they pass.

    Example: [bold]heteronym anonymize posts.csv -c plan.yaml -o release --k 5[/]
    """
    from heteronym.api.anonymize import anonymize
    from heteronym.api.estimate import estimate
    from heteronym.io.database_targets import default_folder
    from heteronym.io.plans import override, read_plan

    config = options.pop("plan")
    asked = given.taken_by("anonymize", options)
    plan = override(read_plan(config), options)
    if dry_run:
        found = estimate(plan=plan, folder=config.parent, output=output, **given.taken_by("estimate", asked))
        return Answer(found.to_dict(), found.text, asked=True)
    if preview:
        from heteronym.api.preview import preview as show

        shown = show(asked["data"], plan, folder=config.parent, run=run)
        return Answer(shown.to_dict(), shown.text, asked=True)
    run.folder = config.parent
    release = anonymize(
        plan=plan,
        output=output,
        passphrase=asked_passphrase(passphrase, new=True) if plan.renames or passphrase else None,
        run=run.since_start(),
        **asked,
    )
    folder = asked["report_folder"] or default_folder(output) if is_address(output) else None
    return answer_of(release.facts, output, verbose=verbose, folder=folder)


def answer_of(facts: Any, output: str | Path, *, verbose: bool, folder: Path | None = None) -> Answer:
    """What was released, for `demo`, too."""
    content = {"release": without_secrets(output), **facts}
    if folder is not None:
        content["report_folder"] = str(folder)
    return Answer(content, lambda: _show(facts, output, folder, verbose=verbose), released=True)


def _show(facts: Any, output: str | Path, folder: Path | None, *, verbose: bool) -> None:
    """The outcome on one screen."""
    from heteronym.model.release import LANGUAGE

    unit, checks = facts["verdict"]["unit"], facts["verdict"]["checks"]
    foreign = next((f"; {check['detail']}" for check in checks if check["name"] == LANGUAGE), "")
    for model in facts["verdict"]["models"]:
        parameters = ", ".join(f"{name} = {value}" for name, value in model["parameters"].items())
        least = f"smallest group {model['smallest_group']} {unit}"
        typer.echo(f"verified: {model['model']} ({parameters}), {least}{foreign}")
        foreign = ""
    for check in checks:
        if check["name"] != LANGUAGE and (check["holds"] is None or verbose):
            typer.echo(f"{'remark' if check['holds'] is None else 'passed'}: {check['detail']}")
    engine = facts["method"].get("engine")
    if engine is not None and (verbose or engine["reason"] != "asked for"):
        typer.echo(f"engine: {engine['name']} ({engine['reason']})")
    for line in loss_table(facts["measures"]):
        typer.echo(line)
    groups = facts["measures"]["groups"]
    typer.echo(f"groups: {groups['count']} of {groups['min']} to {groups['max']} persons")
    withheld = facts["measures"].get("withheld")
    if withheld:
        counts = ", ".join(f"{name} {count:,}" for name, count in withheld["by_attribute"].items())
        typer.echo(f"withheld: {withheld['cells']:,} cells of single persons ({counts})")
    if verbose:
        for step, seconds in facts["timing"].items():
            typer.echo(f"  {step}: {seconds:.2f} CPU s")
    beside = Path(output) if folder is None else folder
    files = [path for path in sorted(beside.iterdir()) if path.name.startswith("data.")]
    data = files[0] if folder is None else without_secrets(output)
    typer.echo(f"release: {data}\nfacts:   {beside / 'facts.json'}\nreport:  {beside / 'report.html'}")


def loss_table(measures: Any) -> list[str]:
    """What was lost of columns, items, events and terms, each by its own measure, from 0 to 1."""
    ncp, items = measures["ncp"], measures.get("transaction", {})
    rows = [
        ("columns", "NCP", ncp.get("relational")),
        ("items", "TNCP", items.get("tncp")),
        ("", "UL", items.get("ul")),
        ("events", "NCP", measures.get("events", {}).get("event_loss")),
        ("terms", "not as they were", ncp.get("textual")),
        ("", "information", ncp.get("information")),
        ("columns and terms", "total NCP", ncp["total"]),
    ]
    found = [(part, measure, value) for part, measure, value in rows if value is not None]
    return ["loss of"] + [f"  {part:<18} {measure:<17} {value:.4f}" for part, measure, value in found]
