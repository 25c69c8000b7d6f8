"""Changes to the text of a plan that leave the rest of it, comments too, as it was; and where an error is.

A change is made in the text at the place of the value. The text that results must say what was asked for;
where it does not (anchors, odd layouts), the plan is written anew, without comments.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from heteronym.errors import HeteronymError

Place = Sequence[str | int]


@dataclass(frozen=True)
class PlanFault:
    """What is wrong with a plan, and the line it is in, counted from 1, where that can be told."""

    message: str
    line: int | None


def check_plan(text: str, folder: Path) -> PlanFault | None:
    """What the plan reader says of this text; None if nothing."""
    import heteronym as hn

    with tempfile.TemporaryDirectory(dir=folder, prefix=".plan-") as desk:
        path = Path(desk) / "plan.yaml"
        path.write_text(text, "utf-8")
        try:
            hn.read_plan(path)
        except HeteronymError as error:
            return PlanFault(str(error).replace(f"{desk}/", ""), line_of(text, str(error)))
    return None


def line_of(text: str, message: str) -> int | None:
    """The line that a message of the plan reader speaks of: it names a line, or a key by its path."""
    stated = re.search(r"\bline (\d+)", message)
    if stated:
        return int(stated[1])
    named = re.match(r"[^:]*: ([^\s:]+(?: [^\s:]+)*?): ", message)
    node = _composed(text)
    if named is None or node is None:
        return None
    line, rest = None, named[1]
    while rest and isinstance(node, yaml.MappingNode):
        found = [(key, value) for key, value in node.value if f"{rest}.".startswith(f"{key.value}.")]
        if not found:
            break
        key, node = max(found, key=lambda pair: len(pair[0].value))
        line, rest = key.start_mark.line + 1, rest[len(key.value) + 1 :]
    if isinstance(node, yaml.SequenceNode):
        line = _line_in_list(node, message) or line
    return line


def _line_in_list(node: yaml.SequenceNode, message: str) -> int | None:
    """Of the entry that holds a name which the message quotes."""
    quoted = set(re.findall(r"'([^']+)'", message))
    for entry in node.value:
        values = [value.value for _, value in entry.value] if isinstance(entry, yaml.MappingNode) else []
        if quoted & {value for value in values if isinstance(value, str)}:
            return int(entry.start_mark.line) + 1
    return None


def with_value(text: str, path: Place, value: Any) -> str:
    """The plan with this value at this path; None takes the key out."""
    content = yaml.safe_load(text) or {}
    wanted = _changed(content, path, value)
    if wanted == content:
        return text
    edited = _edited(text, path, value)
    if edited is not None:
        try:
            if yaml.safe_load(edited) == wanted:
                return edited
        except yaml.YAMLError:
            edited = None
    return yaml.safe_dump(wanted, sort_keys=False, allow_unicode=True)


def _changed(content: Any, path: Place, value: Any) -> Any:
    made = _unshared(content)
    at = made
    for key in path[:-1]:
        if isinstance(at, dict) and at.get(key) is None:
            at[key] = {}
        at = at[key]
    if value is None:
        at.pop(path[-1], None)
    else:
        at[path[-1]] = value
    return made


def _unshared(content: Any) -> Any:
    """A copy in which what an anchor stands for is there once per alias."""
    if isinstance(content, dict):
        return {key: _unshared(value) for key, value in content.items()}
    return [_unshared(value) for value in content] if isinstance(content, list) else content


def _edited(text: str, path: Place, value: Any) -> str | None:
    """The text with the change made in its place, if that place is of a simple kind."""
    parent = _node_at(_composed(text), path[:-1])
    if parent is None:
        return None
    node = _node_at(parent, path[-1:])
    flat = parent.flow_style
    if node is not None and value is not None and (isinstance(node, yaml.ScalarNode) or node.flow_style):
        return _replaced(text, node, _flow(value))
    if isinstance(parent, yaml.MappingNode) and flat:
        entries = yaml.safe_load(text[parent.start_mark.index : parent.end_mark.index])
        return _replaced(text, parent, _flow(_changed(entries, path[-1:], value)))
    if isinstance(parent, yaml.MappingNode) and node is None and value is not None and parent.value:
        first = parent.value[0][0].start_mark
        line = f"{_flow(path[-1])}: {_flow(value)}\n{' ' * first.column}"
        return text[: first.index] + line + text[first.index :]
    return None


def _replaced(text: str, node: yaml.Node, by: str) -> str:
    return text[: node.start_mark.index] + by + text[node.end_mark.index :]


def _flow(value: Any) -> str:
    written = yaml.safe_dump(
        value, default_flow_style=True, sort_keys=False, width=10_000, allow_unicode=True
    )
    return written.removesuffix("\n").removesuffix("\n...").strip()


def _node_at(node: yaml.Node | None, path: Place) -> Any:
    for key in path:
        if isinstance(node, yaml.MappingNode):
            node = next((value for name, value in node.value if name.value == str(key)), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
        else:
            return None
    return node


def _composed(text: str) -> yaml.Node | None:
    try:
        node: yaml.Node | None = yaml.compose(text, yaml.SafeLoader)
    except yaml.YAMLError:
        return None
    return node


def content_of(text: str | None) -> Mapping[str, Any]:
    """The plan as plain data; empty where it is none."""
    try:
        content = yaml.safe_load(text or "")
    except yaml.YAMLError:
        return {}
    return content if isinstance(content, Mapping) else {}
