"""heteronym analyze"""

from pathlib import Path
from typing import Annotated, Any

import typer

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

_COLOURS = {0: None, 1: None, 2: "yellow", 3: "red"}
_MOST = 20  # persons and rows on a screen


_Data = Annotated[
    list[str] | None, typer.Argument(help="Text documents, or with -c data files with text columns.")
]
_Config = Annotated[Path | None, given.of_input("--config", "-c", help="The plan; makes DATA a table.")]
_Author = Annotated[str | None, given.of_input(help="Who writes: what 'I' stands for.")]
_Recipient = Annotated[str | None, given.of_input(help="Who is written to: what 'you' stands for.")]
_Passphrase = Annotated[
    str | None,
    given.of_output(
        envvar="HETERONYM_PASSPHRASE",
        help="Seals what names persons in the private folder; better given by the environment.",
    ),
]
_Restore = Annotated[
    Path | None, given.of_output(help="Write the documents that a private folder holds into this folder.")
]


@given.as_command
def command(
    run: Any,
    data: _Data = None,
    config: _Config = None,
    author: _Author = None,
    recipient: _Recipient = None,
    private: given.Private = None,
    passphrase: _Passphrase = None,
    restore: _Restore = None,
    language_model: given.LanguageModel = None,
    cache: given.Cache = None,
    delimiter: given.Delimiter = None,
    encoding: given.Encoding = None,
) -> Answer:
    """Who is a text about, and what does it say of them: assertions, persons, sensitivity.

    Example: [bold]heteronym analyze letter.txt --private owner[/], then open owner/analysis.html.
    Nothing leaves this machine; the screen and the private folder name persons.
    """
    from heteronym.api import analyze as analyzing
    from heteronym.errors import UsageError

    if restore is not None:
        return _restored(private, restore, passphrase)
    if not data:
        raise UsageError("name at least one document")
    run.cache, run.folder = cache, None if config is None else config.parent
    rows = None
    if config is not None:
        options = {"encoding": encoding, "language_model": language_model, "delimiter": delimiter}
        corpus, rows = analyzing.analyze_tables(data, config, options=options, run=run)
    else:
        who = {"author": author, "recipient": recipient}
        corpus = analyzing.analyze_documents(
            data, who=who, language_model=language_model, encoding=encoding, run=run
        )
    content = analyzing.corpus_to_dict(corpus)
    if private is not None:
        analyzing.write_owner_files(private, analyzing.owner_files(corpus, content), passphrase)
    if rows is None:
        return Answer(content, lambda: _show(content))
    return Answer({"rows": rows, "persons": len(content["persons"])}, lambda: _show_rows(rows))


def _restored(private: Path | None, target: Path, passphrase: str | None) -> Answer:
    from heteronym.api.analyze import restored
    from heteronym.errors import UsageError
    from heteronym.io.owner_files import write_private

    if private is None:
        raise UsageError("--restore needs --private: the folder with the owner's files")
    texts = restored(private, passphrase)
    write_private(target, {name: text.encode("utf-8") for name, text in texts.items()})
    return Answer(None, lambda: typer.echo(f"restored {len(texts)} documents: {target}"), asked=True)


def _show(content: dict[str, Any]) -> None:
    for document in content["documents"]:
        typer.secho(document["name"], bold=True)
        for warning in document["warnings"]:
            typer.secho(f"  note: {warning}", fg="yellow")
        for assertion in document["assertions"]:
            _show_assertion(assertion)
        private = [a for a in document["assertions"] if a["proprietors"]]
        typer.echo(f"  {len(document['assertions'])} assertions, {len(private)} private\n")
    if not content["persons"]:
        typer.echo("No individual is referred to: there is no private information that the rules can see.")
        return
    typer.secho("persons, most sensitive first", bold=True)
    for row in content["persons"][:_MOST]:
        about = f" ({', '.join(row['categories'])})" if row["categories"] else ""
        typer.secho(
            f"  {row['label']}: {row['statements']} statements, level {row['level']}{about}",
            fg=_COLOURS[row["level"]],
        )
    if len(content["persons"]) > _MOST:
        typer.echo(f"  and {len(content['persons']) - _MOST} more")


def _show_assertion(assertion: dict[str, Any]) -> None:
    if not assertion["proprietors"]:
        return
    level = assertion["sensitivity"]["level"]
    text = " ".join(assertion["text"].split())
    typer.secho(f"  {assertion['class']:15} {text}", fg=_COLOURS[level])
    typer.echo(f"  {'':15} of {', '.join(assertion['proprietors'])}")
    for part in assertion["canonical"]:
        for atom in part:
            typer.echo(f"  {'':15} ({atom['identity']}, {atom['assertion']})")
    if assertion["sensitivity"]["categories"]:
        why = ", ".join(assertion["sensitivity"]["reasons"])
        typer.echo(f"  {'':15} level {level}: {', '.join(assertion['sensitivity']['categories'])} ({why})")
    if assertion["suggestion"]:
        typer.echo(f"  {'':15} instead: {assertion['suggestion']} (level {assertion['suggested_level']})")


def _show_rows(rows: list[dict[str, Any]]) -> None:
    about = sorted(
        (row for row in rows if row["about_others"]),
        key=lambda row: (-row["level"], -row["about_others"], row["row"]),
    )
    typer.echo(f"{len(about)} of {len(rows)} texts tell private facts of people other than their author")
    for row in about[:_MOST]:
        kinds = f" ({', '.join(row['categories'])})" if row["categories"] else ""
        typer.echo(
            f"  row {row['row']}, {row['column']}: {row['about_others']} statements "
            f"about {row['others']} others, level {row['level']}{kinds}"
        )
    if len(about) > _MOST:
        typer.echo(f"  and {len(about) - _MOST} more; --json lists all")
    own = sum(row["about_author"] > 0 for row in rows)
    if own:
        typer.secho(
            f"note: {own} texts tell of their own author, who is possessor and proprietor at once",
            fg="yellow",
        )
