"""The site builds without a network, every link leads somewhere, and newcomers are not buried."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
NEWCOMERS = [
    ROOT / "README.md",
    *(
        DOCS / name
        for name in ("index.md", "tutorial.md", "tutorial-python.ipynb", "install.md", "examples.md")
    ),
    *(DOCS / name for name in ("promises.md", "commands.md", "how-it-works.md")),
    *sorted((DOCS / "how-to").glob("*.md")),
]
SHORT = [path for path in NEWCOMERS if path.name in ("README.md", "tutorial.md", "tutorial-python.ipynb")]
LONGEST_SENTENCE, MOST_WORDS, FIRST_PAGE = 40, 12_000, 200_000


class Page(HTMLParser):
    """Anchors of a page, what it leads to, and what it loads."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {str(given[name]) for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))
        for name in ("src", "href"):
            if tag in ("img", "script", "link", "source") and given.get(name):
                self.loads.append(str(given[name]))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    folder = tmp_path_factory.mktemp("site")
    config: Any = load_config(str(ROOT / "mkdocs.yml"), site_dir=str(folder))
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


def text_of(path: Path) -> str:
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text("utf-8"))["cells"]
        return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return path.read_text("utf-8")


def test_every_link_of_the_site_leads_somewhere(pages: dict[Path, Page]) -> None:
    assert len(pages) > 200
    broken = []
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            there = (path.parent / unquote(target)).resolve() if target else path
            there = there / "index.html" if there.is_dir() else there
            if not there.is_file() or (
                anchor and there in pages and unquote(anchor) not in pages[there].anchors
            ):
                broken.append(f"{path.name}: {link}")
    assert broken == []


def test_pages_load_nothing_from_elsewhere(pages: dict[Path, Page], site: Path) -> None:
    for path, page in pages.items():
        for name in page.loads:
            assert not re.match(r"(?:[a-z]+:)?//", name), f"{path.name} loads {name}"
            assert (path.parent / unquote(name)).is_file(), f"{path.name} loads {name}, which is not there"


def test_the_first_page_is_light(pages: dict[Path, Page], site: Path) -> None:
    first = site / "index.html"
    loaded = [first, *((first.parent / name) for name in pages[first].loads)]
    assert sum(path.stat().st_size for path in loaded) < FIRST_PAGE


def test_every_page_of_the_menu_exists_and_is_reached() -> None:
    content = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))["nav"]
    in_menu = set(re.findall(r"[\w/-]+\.md", json.dumps(content)))
    written = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")}
    generated = {"tutorial-python.md"}
    elsewhere = {name for name in written if name.startswith(("decisions/", "guarantees/"))}
    assert {name for name in in_menu if not name.startswith("project/")} - written - generated == set()
    assert written - in_menu - elsewhere == set(), "add the page to the menu in mkdocs.yml"


@pytest.mark.parametrize(
    "path", sorted(DOCS.glob("*.md")) + sorted((DOCS / "how-to").glob("*.md")), ids=lambda p: p.name
)
def test_a_page_says_in_its_first_line_who_it_is_for(path: Path) -> None:
    title, empty, first, *_ = path.read_text("utf-8").split("\n")
    assert title.startswith("# ")
    assert (empty, first[:4]) == ("", "For ")


def sentences(text: str) -> list[str]:
    """Sentences of running text; tables, code and addresses of links are none."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    lines = ["" if line.startswith(("|", "#", "!")) else line for line in text.splitlines()]
    blocks = re.split(r"\n\s*\n|\n(?=[-*] )", "\n".join(lines))
    return [one for block in blocks for one in re.split(r"(?<=[.!?:])\s+", block) if one.strip()]


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.name)
def test_newcomers_read_short_sentences(path: Path) -> None:
    long = [one for one in sentences(text_of(path)) if len(one.split()) > LONGEST_SENTENCE]
    assert long == []


def test_newcomers_read_few_words() -> None:
    assert sum(len(text_of(path).split()) for path in NEWCOMERS) <= MOST_WORDS


def test_the_cells_of_the_notebook_run() -> None:
    cells = json.loads((DOCS / "tutorial-python.ipynb").read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert all(cell.get("outputs", []) == [] for cell in cells), "outputs are not kept: they would go stale"
    names: dict[str, Any] = {"__name__": "notebook"}
    shown = []
    for cell in code:
        *before, last = cell.strip().split("\n")
        exec(compile("\n".join(before), "notebook", "exec"), names)
        if re.match(r"(?:\w+ = |with |import |from |    )", last):
            exec(compile(cell, "notebook", "exec"), names)
        else:
            shown.append(eval(last, names))
    assert shown[-1] == (["data.parquet", "facts.json", "plan.yaml", "report.html"], True)
    assert any(one is True for one in shown)  # the verdict; frames do not compare
