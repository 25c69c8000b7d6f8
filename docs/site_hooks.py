"""What the site needs beyond the pages: pages that lie beside the sources, links to files, the notebook.

Called by MkDocs (`mkdocs.yml`, `make docs`). Pages are written for readers of the repository; here their
links are led to the places of the site, and a link to a source file becomes its name.
"""

from __future__ import annotations

import json
import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PROJECT = ("ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
NOTEBOOKS = ("docs/tutorial-python.ipynb",)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^)\s#]*)(#[^)\s]*)?\)")


def slug(text: str, separator: str) -> str:
    """Anchors as the repository's readers have them."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", separator)


def on_config(config: Any) -> Any:
    config.mdx_configs.setdefault("toc", {})["slugify"] = slug
    return config


def on_files(files: Any, config: Any) -> Any:
    from mkdocs.structure.files import File

    for name in PROJECT:
        files.append(File.generated(config, f"project/{name}", content=(ROOT / name).read_text("utf-8")))
    for name in NOTEBOOKS:
        place = name.removeprefix("docs/").replace(".ipynb", ".md")
        files.append(
            File.generated(config, place, content=notebook_as_page((ROOT / name).read_text("utf-8")))
        )
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    return lists_after_blank_lines(with_site_links(markdown, page.file.src_uri))


def notebook_as_page(content: str) -> str:
    """The cells of a notebook one below the other."""
    parts = []
    for cell in json.loads(content)["cells"]:
        text = "".join(cell["source"])
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def with_site_links(markdown: str, place: str) -> str:
    """Links from places in the repository to places of the site; code is left alone."""
    source = place.removeprefix("project/") if place.startswith("project/") else f"docs/{place}"

    def led(match: re.Match[str]) -> str:
        sign, text, target, anchor = match.groups()
        if not target or re.match(r"[a-z]+:", target):
            return match.group()
        there = _site_place(posixpath.normpath(posixpath.join(posixpath.dirname(source), target)))
        if there is None:
            return text
        way = posixpath.relpath(there, posixpath.dirname(place) or ".")
        return f"{sign}[{text}]({way}{anchor or ''})"

    parts = re.split(r"(^```.*?^```[^\n]*$|`[^`\n]*`(?!\]))", markdown, flags=re.M | re.S)
    outside = [_LINK.sub(led, part) if number % 2 == 0 else part for number, part in enumerate(parts)]
    return "".join(outside)


def _site_place(path: str) -> str | None:
    """Where a file of the repository is on the site; None if it is not there."""
    if path in PROJECT:
        return f"project/{path}"
    if path == "README.md":
        return "index.md"
    if path in NOTEBOOKS:
        path = path.replace(".ipynb", ".md")
    if path.startswith("docs/") and path.endswith((".md", ".webp", ".svg", ".png")):
        return path.removeprefix("docs/")
    return None


def lists_after_blank_lines(markdown: str) -> str:
    """A list that follows a line of text begins a block of its own."""
    found: list[str] = []
    is_code = False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            is_code = not is_code
        begins = re.match(r"(?:[-*]|\d+\.) ", line)
        before = found[-1] if found else ""
        if not is_code and begins and before.strip() and not re.match(r"\s*(?:[-*]|\d+\.) |\s", before):
            found.append("")
        found.append(line)
    return "\n".join(found)
