"""The YAML of plans: safe, without keys given twice, and only as large as a plan can be."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from functools import cache
from typing import Any

import yaml

from heteronym.errors import PlanError
from heteronym.model.limits import MOST_PLAN_NODES


def parse_yaml(text: str, source: str) -> Mapping[str, Any]:
    try:
        _check_size(text)
        content = yaml.load(text, _StrictLoader)
    except RecursionError:
        raise PlanError(f"{source}: nested too deeply for a plan") from None
    except (ValueError, OverflowError):  # a number, a date or a time that no Python value holds
        raise PlanError(f"{source}: holds a number or a date out of range") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark is not None else ""
        problem = str(error.problem) if isinstance(error, _KeyTwice) else "not valid YAML"
        raise PlanError(f"{source}{where}: {problem}") from None
    if not isinstance(content, Mapping):
        raise PlanError(f"{source}: a plan is a mapping with `attributes` and `privacy`")
    return content


def _check_size(text: str) -> None:
    """Refuses what would grow without end: aliases of aliases, or of themselves."""

    @cache
    def size(node: Any) -> int:
        inside = node.value if isinstance(node.value, list) else []
        parts = [part for one in inside for part in (one if isinstance(one, tuple) else (one,))]
        found = 1 + sum(map(size, parts))
        if found > MOST_PLAN_NODES:
            raise RecursionError
        return found

    top = yaml.compose(text, _StrictLoader)
    if top is not None:
        size(top)


class _KeyTwice(yaml.constructor.ConstructorError):
    pass


class _StrictLoader(yaml.SafeLoader):
    """A safe loader that refuses a key given twice, and for which only true and false are truth values.

    YAML 1.1 also takes on, off, yes and no for them, but `join: {on: id}` and a column called `no` are names.
    """

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys: set[Any] = set()
        for key, _ in node.value:
            name = self.construct_object(key, deep=deep)
            if not isinstance(name, Hashable):
                continue  # the loader refuses it
            if name in keys:
                raise _KeyTwice(None, None, f"key '{name}' is given twice", key.start_mark)
            keys.add(name)
        return super().construct_mapping(node, deep)


_StrictLoader.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
