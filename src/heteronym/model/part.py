"""What a plan says of a replaceable part: its name, and its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_serializer, model_validator
from pydantic_core import PydanticCustomError

from heteronym.errors import nearest


class Strict(BaseModel):
    """Base of everything a plan may say: frozen, and no key that we do not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)

    @model_validator(mode="before")
    @classmethod
    def _knows_its_keys(cls, value: Any) -> Any:
        unknown = [key for key in value if key not in cls.model_fields] if isinstance(value, Mapping) else []
        if unknown and isinstance(unknown[0], str):
            context = {"key": unknown[0], "close": nearest(unknown[0], cls.model_fields)}
            raise PydanticCustomError("no_such_key", "no such key.{close}", context)
        return value


class Part(Strict):
    """A replaceable part by name, with its parameters, as a plan writes it: `{key: name, parameter: ...}`."""

    key: ClassVar[str]
    name: str
    parameters: Mapping[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _from_plan(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value}
        if isinstance(value, Mapping) and "name" not in value and cls.key in value:
            return {"name": value[cls.key], "parameters": {k: v for k, v in value.items() if k != cls.key}}
        return value

    @model_serializer
    def _to_plan(self) -> Any:
        return {self.key: self.name, **self.parameters}


class Model(Part):
    """`{model: k-anonymity, k: 5}`"""

    key = "model"


class Method(Part):
    """`{method: mondrian, cut: gain}`"""

    key = "method"


class Recoder(Method):
    """`sets`, or `{method: sets, objective: ul}`"""

    @model_serializer
    def _to_plan(self) -> Any:
        return {self.key: self.name, **self.parameters} if self.parameters else self.name
