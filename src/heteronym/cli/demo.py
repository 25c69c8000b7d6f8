"""heteronym demo"""

from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

from heteronym.cli import _options as given
from heteronym.cli._console import Answer

_DATA = {"visits": "visits.csv", "blog": "posts.csv", "clinic": "visits.csv", "two-tools": "visits.csv"}
_HELP = (
    "visits: six patients with all kinds of data; blog: the paper's six persons; clinic: 300; "
    "two-tools: the clinic as two plain tools release it and as heteronym does, both judged."
)


@given.as_command
def command(
    run: Any,
    output: Annotated[Path, given.of_output("--output", "-o", help="Release folder to make.")] = Path(
        "demo-release"
    ),
    example: Annotated[str, given.of_input(help=_HELP)] = "visits",
    files_to: Annotated[
        Path | None, given.of_output("--files", help="Only copy the example's data into this folder.")
    ] = None,
    overwrite: given.Overwrite = False,
    verbose: given.Verbose = False,
) -> Answer:
    """Anonymize a bundled example (invented visits, the running example of the rx-anon paper, or a clinic).

    Example: [bold]heteronym demo -o demo-release[/]
    """
    from heteronym.api.anonymize import anonymize
    from heteronym.cli.anonymize import answer_of
    from heteronym.errors import UsageError, nearest

    if example not in _DATA:
        raise UsageError(f"--example must be one of {', '.join(_DATA)}.{nearest(example, _DATA)}")
    with as_file(files("heteronym") / "examples") as folder:
        if files_to is not None:
            kept = folder / ("clinic" if example == "two-tools" else example)
            return _copied(kept / _DATA[example], files_to, overwrite=overwrite)
        if example == "two-tools":
            return _two_tools(folder, output, run, overwrite=overwrite)
        data, plan = folder / example / _DATA[example], folder / example / "plan.yaml"
        release = anonymize(data, plan, output=output, overwrite=overwrite, run=run.since_start())
    return answer_of(release.facts, output, verbose=verbose)


def _copied(data: Path, folder: Path, *, overwrite: bool) -> Answer:
    """The data of an example, to try commands on."""
    from heteronym.io.plain_files import check_free, write_text

    target = folder / data.name
    check_free(target, overwrite=overwrite)
    folder.mkdir(parents=True, exist_ok=True)
    write_text(target, data.read_text("utf-8"))
    return Answer({"data": str(target)}, f"data: {target}\n")


def _two_tools(folder: Path, output: Path, run: Any, *, overwrite: bool) -> Answer:
    """The same data by two plain tools and by heteronym, each judged in the same way."""
    from heteronym.api.anonymize import anonymize
    from heteronym.api.judge import judge

    data, plan = folder / "clinic" / "visits.csv", folder / "clinic" / "plan.yaml"
    theirs = judge(folder / "two-tools" / "visits.csv", against=data, plan=plan, run=run)
    with TemporaryDirectory() as private:
        anonymize(data, plan, output=output, private=private, overwrite=overwrite, run=run)
        ours = judge(output, against=data, plan=plan, rows=private, run=run)
    words = (
        "Two plain tools, one for the columns (k = 5) and one for the notes:\n"
        f"{theirs.in_words()}\nheteronym, columns, codes and notes together (k = 5):\n{ours.in_words()}"
        f"release: {output}\n"
    )
    return Answer({"two_tools": theirs.to_dict(), "heteronym": ours.to_dict()}, words, released=True)
