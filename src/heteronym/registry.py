"""Finds the parts: every module in a room's folder, then the entry points of other packages.

A registry is walked on first use, so that importing heteronym stays cheap.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from importlib.metadata import entry_points
from types import UnionType
from typing import Any, Generic, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from heteronym import contracts
from heteronym.errors import UsageError, nearest
from heteronym.model.limits import LARGEST_NUMBER

Contract = TypeVar("Contract")
PartClass = TypeVar("PartClass", bound=type)


class Registry(Generic[Contract]):
    """The parts of one kind, by name."""

    def __init__(self, kind: str, room: str, *, prefix: str = "") -> None:
        self.kind = kind
        self.room = room
        self._prefix = prefix  # of most files in the room that hold such a part
        self._parts: dict[str, type] = {}
        self._walked = False

    def register(self, name: str, *other_names: str) -> Callable[[PartClass], PartClass]:
        def keep(part: PartClass) -> PartClass:
            for called in (name, *other_names):
                known = self._parts.get(called)
                if known is not None and known.__qualname__ != part.__qualname__:
                    raise UsageError(f"two parts are called '{called}' among the {self.kind}s")
                self._parts[called] = part
            part.part_name = name  # type: ignore[attr-defined]
            return part

        return keep

    def _walk(self) -> None:
        if self._walked:
            return
        self._walked = True
        package = importlib.import_module(self.room)
        for module in pkgutil.iter_modules(package.__path__):
            if not module.name.startswith("_"):
                importlib.import_module(f"{self.room}.{module.name}")
        for point in _entry_points().select(group=f"heteronym.{self.kind.replace(' ', '_')}s"):
            point.load()

    def _look_for(self, name: str) -> None:
        """Into the file that is called like the part, so that nobody waits for all the others."""
        module = f"{self.room}.{self._prefix}{name.replace('-', '_')}"
        if self._walked or name in self._parts or not module.replace(".", "").isidentifier():
            return
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise

    def names(self) -> list[str]:
        self._walk()
        return sorted(self._parts)

    def knows(self, name: str) -> bool:
        self._look_for(name)
        return name in self._parts or name in self.names()

    def get(self, name: str) -> type:
        if not self.knows(name):
            raise UsageError(f"no {self.kind} is called '{name}'.{nearest(name, self._parts)}")
        return self._parts[name]

    def has(self, name: str, parameter: str) -> bool:
        """Whether the part of this name has such a parameter."""
        return any(parameter == field.name for field in fields(self.get(name)))

    def build(self, name: str, parameters: Mapping[str, Any] | None = None) -> Contract:
        """A part with checked parameters."""
        part = self.get(name)
        known = {p.name: p for p in parameters_of(part)}
        given = dict(parameters or {})
        for key in given:
            if key not in known:
                raise UsageError(f"{self.kind} '{name}' has no parameter '{key}'.{nearest(key, known)}")
        for parameter in known.values():
            if parameter.name in given:
                given[parameter.name] = parameter.checked(given[parameter.name], owner=name)
            elif parameter.required:
                raise UsageError(f"{self.kind} '{name}' needs '{parameter.name}': {parameter.help}")
        return cast(Contract, part(**given))


@cache
def _entry_points() -> Any:
    return entry_points()  # of all packages; asking for one group reads as much


class Parameter:
    """One field of a part: what may be set, and to what."""

    def __init__(self, field: Field[Any], hint: Any) -> None:
        self.name = field.name
        self.required = field.default is MISSING and field.default_factory is MISSING
        self.default = None if self.required else field.default
        self.help: str = field.metadata.get("help", "")
        self.minimum: float = field.metadata.get("min", -math.inf)
        self.maximum: float = field.metadata.get("max", math.inf)
        options = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
        self.optional = type(None) in options
        kinds = [o for o in options if o is not type(None)]
        self.choices: tuple[Any, ...] = tuple(
            c for o in kinds if get_origin(o) is Literal for c in get_args(o)
        )
        self.types: tuple[type, ...] = tuple(
            tuple if get_origin(o) is tuple else o for o in kinds if get_origin(o) is not Literal
        )

    def checked(self, value: Any, *, owner: str) -> Any:
        """The value in the field's type, or a refusal that says what would do."""
        where = f"'{self.name}' of '{owner}'"
        if value is None and self.optional:
            return None
        if value in self.choices and not isinstance(value, bool):
            return value
        for kind in self.types:
            fitted = _fitted(value, kind)
            if fitted is not None:
                if isinstance(fitted, (int, float)) and abs(fitted) > LARGEST_NUMBER:
                    raise UsageError(f"{where} must be {self._range()}, and at most {LARGEST_NUMBER:g}")
                if isinstance(fitted, (int, float)) and not self.minimum <= fitted <= self.maximum:
                    raise UsageError(f"{where} must be {self._range()}, got {fitted}")
                return fitted
        if self.choices and isinstance(value, str):
            raise UsageError(
                f"{where} must be {self.wanted()}, got '{value}'.{nearest(value, map(str, self.choices))}"
            )
        raise UsageError(f"{where} must be {self.wanted()}")

    def wanted(self) -> str:
        words = [str(c) for c in self.choices] + [_NAMES.get(t, t.__name__) for t in self.types]
        return " or ".join(words)

    def _range(self) -> str:
        if self.minimum == -math.inf and self.maximum == math.inf:
            return "a number"
        if self.maximum == math.inf:
            return f"at least {self.minimum:g}"
        if self.minimum == -math.inf:
            return f"at most {self.maximum:g}"
        return f"between {self.minimum:g} and {self.maximum:g}"


_NAMES: dict[type, str] = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}


def _fitted(value: Any, kind: type) -> Any:
    if kind is bool:
        return value if isinstance(value, bool) else None
    if isinstance(value, bool):
        return None
    if kind is int and isinstance(value, (int, float)):
        return int(value) if isinstance(value, int) or value.is_integer() else None
    if kind is float and isinstance(value, (int, float)):
        return _finite(value)
    if kind is tuple:
        return tuple(value) if isinstance(value, (list, tuple)) else None
    return value if isinstance(value, kind) else None


def _finite(value: float) -> float | None:
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number that no float holds
        return LARGEST_NUMBER * (2.0 if value > 0 else -2.0)


def parameters_of(part: type) -> Iterator[Parameter]:
    hints = get_type_hints(part)
    for field in fields(part):
        yield Parameter(field, hints[field.name])


def parameters_by_name(*kinds: Registry[Any]) -> dict[str, list[tuple[str, Parameter]]]:
    """Every parameter of these kinds of parts by its name, with the parts that have it."""
    found: dict[str, list[tuple[str, Parameter]]] = {}
    for kind in kinds:
        for part in kind.names():
            for parameter in parameters_of(kind.get(part)):
                found.setdefault(parameter.name, []).append((part, parameter))
    return found


def parameters_in_use(part: Any) -> dict[str, Any]:
    """A part's parameters as the plan would name them."""
    return {field.name: getattr(part, field.name) for field in fields(part)}


privacy_models: Registry[contracts.PrivacyModel] = Registry("privacy model", "heteronym.privacy")
partitioners: Registry[contracts.Partitioner] = Registry("partitioner", "heteronym.partition")
recoders: Registry[contracts.Recoder] = Registry("recoder", "heteronym.recode")
element_recoders: Registry[contracts.ElementRecoder] = Registry(
    "element recoder", "heteronym.recode", prefix="term_"
)
measures: Registry[contracts.Measure] = Registry("measure", "heteronym.measures")
recognizers: Registry[contracts.Recognizer] = Registry("recognizer", "heteronym.text.recognizers")
linkers: Registry[contracts.Linker] = Registry("linker", "heteronym.reading.linkers")
document_methods: Registry[contracts.DocumentMethod] = Registry("document method", "heteronym.documents")
analyzers: Registry[contracts.Analyzer] = Registry("analyzer", "heteronym.analyzers")
hierarchy_builders: Registry[contracts.HierarchyBuilder] = Registry(
    "hierarchy builder", "heteronym.hierarchies"
)
attacks: Registry[contracts.Attack] = Registry("attack", "heteronym.attacks")

ALL: tuple[Registry[Any], ...] = tuple(kind for kind in vars().copy().values() if isinstance(kind, Registry))


def entity_types() -> frozenset[str]:
    """Names of the entity types that the recognizers of the package know."""
    return frozenset(importlib.import_module("heteronym.text.entity_types").TYPES)
