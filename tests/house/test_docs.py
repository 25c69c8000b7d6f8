"""Documentation is tested like code: what it names exists, what it shows runs, what code made is fresh."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any, get_args

import numpy as np
import polars as pl
import pytest
import xlsxwriter
import yaml
from pydantic import BaseModel

import heteronym
from heteronym import registry
from heteronym.cli import COMMANDS, main
from heteronym.io.plan_yaml import parse_yaml
from heteronym.model.part import Part
from heteronym.model.plan import Plan
from heteronym.model.schema import Role, Scale

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
EXAMPLE = Path(str(files("heteronym") / "examples" / "blog"))
PARTS = [(kind, name) for kind in registry.ALL for name in kind.names()]


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def table_rows(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.startswith("|") and not set(line) <= set("|-")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def run_block(code: str, name: str) -> ModuleType:
    """A code block as a module of its own, without this file's future imports."""
    module = ModuleType(name)
    sys.modules[name] = module
    try:
        exec(compile(code, f"{name} (shown)", "exec", dont_inherit=True), module.__dict__)
    finally:
        del sys.modules[name]
    return module


def part_of(text: str, heading: str) -> str:
    """What stands below a heading, up to the next of its level."""
    level = heading.split(" ")[0]
    return text.split(f"{heading}\n", 1)[1].split(f"\n{level} ", 1)[0]


Call = Callable[..., str]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """A command in this process, as typed; its standard output."""

    def run(line: str, *, code: int = 0) -> str:
        monkeypatch.setattr(sys, "argv", shlex.split(line, comments=True))
        with pytest.raises(SystemExit) as end:
            main()
        out, err = capsys.readouterr()
        assert end.value.code == code, err
        return out

    return run


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds posts.csv and a small database alone, as for somebody who begins."""
    shutil.copy(EXAMPLE / "posts.csv", tmp_path)
    with closing(sqlite3.connect(tmp_path / "people.db")) as database:
        database.execute("create table people (age integer, zip text)")
        database.executemany("insert into people values (?, ?)", [(20 + n % 9, "1010") for n in range(30)])
        database.commit()
    people = pl.DataFrame({"patient": ["p1", "p2"], "diagnosis": ["gout", "flu"]})
    with xlsxwriter.Workbook(tmp_path / "clinic.xlsx") as book:
        book.add_worksheet("visits").write(0, 0, "Patients")  # a title above the names
        people.write_excel(book, "visits", position="A2")
        people.write_excel(book, "diagnoses")
    people.write_csv(tmp_path / "diagnoses.csv")
    (tmp_path / "notes").mkdir()
    for patient in people["patient"]:
        (tmp_path / "notes" / f"{patient}.txt").write_text("Seen again.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def borrowed_registries() -> Iterator[None]:
    """Parts that a page registers are forgotten afterwards."""
    before = [(kind, kind.names(), dict(kind._parts)) for kind in registry.ALL]
    yield
    for kind, names, parts in before:
        kind._parts.clear()
        kind._parts.update(parts)
        assert kind.names() == names


# --- made from code -------------------------------------------------------------------------------


def _maker() -> Any:
    spec = importlib.util.spec_from_file_location("make_reference", DOCS / "make_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "name", ["docs/reference.md", "docs/decisions/README.md", "src/heteronym/io/plan.schema.json"]
)
def test_what_is_made_from_code_is_fresh(name: str) -> None:
    content = _maker().generated()[ROOT / name]
    assert text_of(name) == content, f"{name} is stale: run python docs/make_reference.py"


def test_the_schema_ships_with_the_package_and_knows_the_bundled_plan() -> None:
    schema = json.loads((files("heteronym.io") / "plan.schema.json").read_text("utf-8"))
    plan = yaml.safe_load((EXAMPLE / "plan.yaml").read_text("utf-8"))
    assert set(plan) <= set(schema["properties"])
    for attribute in plan["attributes"].values():
        assert set(attribute) <= set(schema["$defs"]["Attribute"]["properties"])


# --- everything is named --------------------------------------------------------------------------

FOLDERS = ("src/heteronym", "tests", "benchmarks", "docs", "training")
# Pages of today; decisions and the changelog tell of files as they were.
OF_TODAY = [path for path in PAGES if path.parent != DOCS / "decisions" and path.name != "CHANGELOG.md"]
NO_FILES = {
    "MODEL.py",
    "measures/exact.py",
    "measures/test_exact.py",
    "recognizers/plates.py",
}  # for a reader to fill in


def files_named_in(text: str) -> set[str]:
    """Modules and other sources of ours in backquotes, with as much of their folders as is written."""
    return set(re.findall(r"`([\w./-]+\.(?:py|pxd|toml|jinja))`", text))


@pytest.mark.parametrize("path", OF_TODAY, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_module_that_a_page_names_exists(path: Path) -> None:
    there = [f"/{file.relative_to(ROOT)}" for name in FOLDERS for file in (ROOT / name).rglob("*.*")]
    there += [f"/{file.name}" for file in ROOT.glob("*.*")]
    stale = [
        name
        for name in sorted(files_named_in(path.read_text("utf-8")))
        if not name.endswith(tuple(NO_FILES)) and not any(file.endswith(f"/{name}") for file in there)
    ]
    assert stale == []


def test_a_module_that_is_gone_would_be_noticed() -> None:
    assert files_named_in("see `verify/found.py` and `plan.yaml`, not found.py") == {"verify/found.py"}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_page_of_commands_names_every_command(command: str) -> None:
    commands = text_of("docs/commands.md")
    assert re.search(rf"^\| `heteronym {command}\b", commands, re.M), "add a row to docs/commands.md"


def test_the_readme_names_no_command_that_does_not_exist() -> None:
    named = set(re.findall(r"heteronym ([a-z]+)\b(?! makes)", " ".join(blocks(text_of("README.md"), ""))))
    assert named - {"demo"} <= set(COMMANDS)


@pytest.mark.parametrize("target", ["demo", "test"])
def test_both_make_commands_of_the_readme_exist(target: str) -> None:
    assert f"make {target}" in text_of("README.md")
    assert re.search(rf"^{target}:", text_of("Makefile"), re.M)


@pytest.mark.parametrize(("kind", "name"), PARTS, ids=[f"{kind.kind} {name}" for kind, name in PARTS])
def test_every_part_and_parameter_is_named(kind: registry.Registry[Any], name: str) -> None:
    told = text_of("docs/reference.md") + text_of("docs/plan.md")
    assert f"`{name}`" in told
    part = kind.get(name)
    assert (part.__doc__ or "").strip(), "a part says in one line what it does"
    for parameter in registry.parameters_of(part):
        assert f"`{parameter.name}`" in told
        assert parameter.help, f"parameter '{parameter.name}' of '{name}' has no help"


@pytest.mark.parametrize("name", registry.privacy_models.names())
def test_every_privacy_model_has_its_page(name: str) -> None:
    page = DOCS / "guarantees" / f"{name}.md"
    assert page.is_file(), f"write docs/guarantees/{name}.md: definition, attacker, proof sketch, limits"
    headings = " ".join(re.findall(r"^#+ (.*)", page.read_text("utf-8"), re.M)).lower()
    for wanted in ("defin", "attacker", "hold", "not protect"):
        assert wanted in headings, f"docs/guarantees/{name}.md: no heading about '{wanted}'"


@pytest.mark.parametrize("name", registry.measures.names())
def test_every_measure_is_explained(name: str) -> None:
    assert f"`{name}`" in text_of("docs/measures.md"), f"explain `{name}` in docs/measures.md"


def _models(model: type[BaseModel]) -> Iterator[type[BaseModel]]:
    yield model
    for field in model.model_fields.values():
        for found in _models_in(field.annotation):
            yield from _models(found)


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not issubclass(annotation, Part):  # their keys are the parameters of parts
            yield annotation
        return
    for argument in get_args(annotation):
        yield from _models_in(argument)


@pytest.mark.parametrize("model", list(_models(Plan)), ids=lambda model: model.__name__)
def test_every_plan_key_is_explained(model: type[BaseModel]) -> None:
    told = text_of("docs/plan.md")
    lacking = [name for name in model.model_fields if f"`{name}`" not in told]
    assert not lacking, f"explain {lacking} in docs/plan.md"


@pytest.mark.parametrize("name", [*Role, *Scale])
def test_every_role_and_scale_is_explained(name: str) -> None:
    assert f"`{name}`" in text_of("docs/plan.md")


def test_every_check_of_the_auditor_is_explained() -> None:
    source = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    told = text_of("docs/release-format.md")
    for name in set(re.findall(r"\bCheck\(\s*\"(\w+)\"", source)):
        assert f"`{name}`" in told, f"explain the check `{name}` in docs/release-format.md"


def _headings(page: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    plain = (re.sub(r"[^\w\- ]", "", h.lower()).strip() for h in re.findall(r"^#+ (.*)", text, re.M))
    return {heading.replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{target}: no such file"
        assert not anchor or anchor in _headings(there), f"{target}: no such heading"


@pytest.mark.parametrize("page", ["ARCHITECTURE.md", "docs/decisions/0004-mondrian-ends-by-clusters.md"])
def test_files_that_are_named_exist(page: str) -> None:
    for name in re.findall(r"`([\w/]+\.py)`", text_of(page)):
        below = (base.rglob(Path(name).name) for base in (ROOT / "src", ROOT / "benchmarks"))
        assert (ROOT / name).exists() or any(list(found) for found in below), name
        if "/" in name:
            assert (ROOT / "src" / "heteronym" / name).exists() or (ROOT / name).exists(), name


def test_decisions_that_the_code_cites_exist() -> None:
    for path in (ROOT / "src").rglob("*.py"):
        for number in re.findall(r"docs/decisions/(\d{4})", path.read_text("utf-8")):
            assert list((DOCS / "decisions").glob(f"{number}-*.md")), f"{path.name} cites decision {number}"


def test_no_two_decisions_have_one_number() -> None:
    numbers = [path.name[:4] for path in (DOCS / "decisions").glob("[0-9]*.md")]
    assert len(numbers) == len(set(numbers))


STATUS = r"accepted(?:; partly superseded by (\d{4}))?|superseded by (\d{4})"


@pytest.mark.parametrize(
    "path", sorted((DOCS / "decisions").glob("[0-9]*.md")), ids=lambda path: path.name[:4]
)
def test_a_decision_says_its_status_and_its_room(path: Path) -> None:
    title, empty, status, room, below, *_ = path.read_text("utf-8").split("\n")
    assert (title[:2], empty, below) == ("# ", "", "")
    said = re.fullmatch(f"Status: (?:{STATUS})", status)
    assert said, status
    for later in filter(None, said.groups()):
        assert later > path.name[:4]
        assert list((DOCS / "decisions").glob(f"{later}-*.md")), f"there is no decision {later}"
    folders = {one.name for one in (ROOT / "src" / "heteronym").iterdir() if one.is_dir()}
    assert room.removeprefix("Room: ") in folders | {"kernels", "run", "project"}, room


# --- what is shown runs ---------------------------------------------------------------------------


def test_the_commands_of_the_quick_start_run(desk: Path, call: Call) -> None:
    shell = next(block for block in blocks(text_of("README.md"), "") if "heteronym profile" in block)
    for line in shell.splitlines():
        if not line.startswith("pip "):
            call(line)
    assert (desk / "visits.csv").read_bytes() == (EXAMPLE.parent / "clinic" / "visits.csv").read_bytes()
    assert (desk / "release" / "facts.json").is_file()
    assert (desk / "owner").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("page", "number"),
    [
        (page, number)
        for page in PAGES
        if page.name != "CONTRIBUTING.md"
        for number, _ in enumerate(blocks(page.read_text("utf-8"), "python"))
    ],
    ids=lambda value: str(value.relative_to(ROOT)) if isinstance(value, Path) else str(value),
)
@pytest.mark.usefixtures("borrowed_registries", "desk")
def test_python_blocks_run(page: Path, number: int) -> None:
    code = blocks(page.read_text("utf-8"), "python")[number]
    run_block(code, page.stem)


@pytest.mark.parametrize("number", range(len(blocks(text_of("docs/plan.md"), "yaml"))))
def test_yaml_blocks_of_the_plan_page_are_plans(number: int) -> None:
    shown = parse_yaml(blocks(text_of("docs/plan.md"), "yaml")[number], "docs/plan.md")
    least = {"attributes": {"age": {"role": "quasi"}}, "privacy": [{"model": "k-anonymity", "k": 2}]}
    Plan.model_validate({**least, **shown})


@pytest.mark.usefixtures("borrowed_registries")
def test_the_worked_example_of_contributing_works() -> None:
    text = text_of("CONTRIBUTING.md")
    part, test = (
        blocks(text.split(f"<!-- worked example: {what} -->", 1)[1], "python")[0] for what in ("part", "test")
    )
    run_block(part, "exact")
    shown = vars(run_block(test, "test_exact"))
    [check] = [value for name, value in shown.items() if name.startswith("test_")]
    check()


@pytest.mark.usefixtures("borrowed_registries")
def test_the_recognizer_of_contributing_takes_part_as_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    from heteronym.text.combine import pipeline

    shown = text_of("CONTRIBUTING.md").split("<!-- worked example: recognizer -->", 1)[1]
    # The registry reads a part's annotations, for which its module must be there.
    monkeypatch.setitem(sys.modules, "plates", run_block(blocks(shown, "python")[0], "plates"))
    [span] = pipeline("none").recognize(["it was in the car KX-4711 then"])[0]
    assert (span.source, span.rule) == ("plates", "plate after a vehicle")


# --- the paper's example --------------------------------------------------------------------------


def paper_example() -> str:
    return part_of(text_of("docs/examples.md"), "## The paper's example")


@pytest.fixture
def demo(desk: Path, call: Call) -> tuple[str, pl.DataFrame, dict[str, Any]]:
    said = call("heteronym demo --example blog -o demo-release")
    facts = json.loads((desk / "demo-release" / "facts.json").read_text("utf-8"))
    return said, pl.read_csv(desk / "demo-release" / "data.csv", infer_schema=False), facts


def test_the_pages_show_what_the_demo_says(demo: tuple[str, pl.DataFrame, dict[str, Any]]) -> None:
    said, data, facts = demo
    released = [list(row) for row in data.iter_rows()]
    walkthrough = text_of("docs/walkthrough.md")
    assert table_rows(part_of(walkthrough, "## 5. The release"))[1:] == released
    shown = table_rows(paper_example().split("become", 1)[1])[1:]
    assert len(shown) == 4
    assert all(row in released for row in shown)
    [verdict] = blocks(part_of(walkthrough, "## 6. The verdict"), "")
    assert said.startswith(verdict)
    format_page = text_of("docs/release-format.md")
    for key in facts:
        assert re.search(rf"`{key}\b", format_page), key
    for count in facts["data"]:
        assert re.search(rf"\b{count}`", format_page), count
    for step in facts["timing"]:
        assert re.search(rf"\b{step}\b", format_page), step


def test_the_page_of_examples_shows_the_example_as_it_is() -> None:
    rows = [list(row) for row in pl.read_csv(EXAMPLE / "posts.csv", infer_schema=False).iter_rows()]
    shown = table_rows(paper_example().split("become", 1)[0])[1:]
    assert len(shown) == 4
    assert all(row in rows for row in shown)


def test_the_walkthrough_shows_true_intermediate_results() -> None:
    from heteronym.encode import encode
    from heteronym.io.plans import build_parts, read_plan
    from heteronym.io.tables import read_tables
    from heteronym.model.recoding import Fate
    from heteronym.pipeline import find, make_dataset
    from heteronym.run import Run
    from tests.unit.reading.data import read

    page = text_of("docs/walkthrough.md")
    plan = read_plan(EXAMPLE / "plan.yaml")
    dataset = make_dataset(read_tables([EXAMPLE / "posts.csv"], plan.data), plan, folder=EXAMPLE)
    found = read(dataset, find(dataset, plan, run=Run(folder=EXAMPLE)), plan.text)
    texts = dataset.frame["text"]
    mentions = [
        [
            str(found.row[i] + 1),
            texts[int(found.row[i])][found.start[i] : found.end[i]],
            found.types[found.type[i]],
            found.links[found.link[i]] if found.link[i] >= 0 else "",
        ]
        for i in range(len(found))
    ]
    assert table_rows(part_of(page, "## 1. Find mentions"))[1:] == mentions

    view = encode(dataset, found)
    elements = view.elements
    persons = [
        [
            str(person + 1),
            *(
                ", ".join(str(c.domain.values[code]) for code in c.sets[int(c.person_set[person])])
                for c in view.columns
            ),
            ", ".join(
                f"{elements.names[e]}:{elements.domains[elements.domain[e]].name}"
                for e in elements.of_person[person]
            ),
        ]
        for person in range(view.persons)
    ]
    assert table_rows(part_of(page, "## 2. One record per person"))[1:] == persons

    parts = build_parts(plan)
    rng = np.random.default_rng(0)
    partition = parts.partitioner.partition(view, models=parts.models, rng=rng)
    recoding = parts.terms.recode(view, partition, models=parts.models, rng=rng)
    labels = [
        registry.recoders.build(c.domain.attribute.labelled_by).labels(c.domain, partition.covers(c))
        for c in view.columns
    ]
    kept = np.split(recoding.of_group.codes, recoding.of_group.ptr[1:-1])
    fate = np.split(recoding.fate, recoding.of_group.ptr[1:-1])
    groups = [
        [
            "{" + ", ".join(str(person + 1) for person in partition.members()[group]) + "}",
            *(str(column[group]) for column in labels),
            ", ".join(elements.names[e] for e in kept[group][fate[group] == Fate.KEPT]),
        ]
        for group in range(partition.count)
    ]
    assert sorted(table_rows(part_of(page, "## 4. Labels"))[1:]) == sorted(groups)


def test_every_file_that_the_architecture_names_exists() -> None:
    package = ROOT / "src" / "heteronym"
    page = text_of("ARCHITECTURE.md")
    named = set(re.findall(r"`((?:[\w-]+/)*_?[\w-]+\.(?:py|toml|html\.jinja))`", page))
    assert len(named) > 40
    anywhere = {path.name for path in package.rglob("*")}
    missing = {
        name for name in named if not (package / name).exists() and not ("/" not in name and name in anywhere)
    }
    assert {name for name in missing if not (ROOT / name).exists()} == set()


def test_every_room_is_drawn_in_the_architecture() -> None:
    rooms = text_of("ARCHITECTURE.md").split("## Who may import whom", 1)[0]
    for path in (ROOT / "src" / "heteronym").iterdir():
        if path.is_dir() and any(path.glob("*.py")):
            assert f"  {path.name}/" in rooms, f"draw the room {path.name}/"
        elif path.suffix == ".py" and not path.name.startswith("__main"):
            assert path.name in rooms, f"draw {path.name}"


def test_the_citation_and_the_changelog_know_the_version() -> None:
    cited = yaml.safe_load(text_of("CITATION.cff"))
    assert cited["version"] == heteronym.__version__
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    headings = re.findall(r"^## (.+)", text_of("CHANGELOG.md"), re.M)
    assert headings[:2] == ["Unreleased", heteronym.__version__]


def test_hooks_come_with_the_environment_and_not_from_elsewhere() -> None:
    repositories = yaml.safe_load(text_of(".pre-commit-config.yaml"))["repos"]
    assert [one["repo"] for one in repositories] == ["local"]
    assert {hook["language"] for one in repositories for hook in one["hooks"]} == {"system"}
