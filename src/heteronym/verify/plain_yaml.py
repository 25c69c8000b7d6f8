"""YAML as the auditor reads it: plain values, nothing that unfolds, no key twice."""

from __future__ import annotations

from typing import Any

import yaml


class _PlainLoader(yaml.SafeLoader):
    """No aliases, which could unfold without end; `on`, `yes` and `no` are names, not truth values."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [(tag, shape) for tag, shape in known if not tag.endswith(":bool") or first in "tTfF"]
        for first, known in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        """Of a key that stands twice, one reader takes the first value and another the last."""
        made = super().construct_mapping(node, deep=deep)
        if len(made) < len(node.value):
            raise yaml.YAMLError
        return made


def read_yaml(text: str) -> Any:
    """What a text says; ValueError where it is none, or says two things."""
    try:
        return yaml.load(text, _PlainLoader)
    except yaml.YAMLError:
        raise ValueError("not YAML") from None
