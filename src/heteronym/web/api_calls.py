"""What callers of the JSON API send: requests as they are checked, and described to others.

Unknown keys are errors. A complaint names the place, never what stands there.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

MOST_TEXTS = 1000
MOST_ROWS = 20_000
_VAULT = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$"


class Call(BaseModel):
    """What all calls have in common."""

    model_config = ConfigDict(extra="forbid")


class _Texts(Call):
    texts: list[StrictStr] = Field(
        min_length=1, max_length=MOST_TEXTS, description="Texts, each treated by itself."
    )
    model: StrictStr | None = Field(None, description="Who reads them: accurate, fast or none.")


class ScanCall(_Texts):
    """Find mentions."""

    text: dict[str, Any] | None = Field(None, description="The part `text` of a plan: what counts.")


class SanitizeCall(_Texts):
    """Mask, generalize or rename what is sensitive in texts."""

    method: Literal["redact", "pseudonyms", "information-content", "plausibility", "assertions"] = "redact"
    parameters: dict[str, Any] = Field(default_factory=dict, description="Of the method.")
    text: dict[str, Any] | None = Field(None, description="The part `text` of a plan: what counts.")
    vault: StrictStr | None = Field(
        None, pattern=_VAULT, description="Where pseudonyms are remembered, on the server; for `restore`."
    )


class RestoreCall(Call):
    """Bring back the words behind pseudonyms."""

    texts: list[StrictStr] = Field(min_length=1, max_length=MOST_TEXTS)
    vault: StrictStr = Field(pattern=_VAULT, description="The one that `sanitize` was given.")


class AnalyzeCall(_Texts):
    """Say whom texts are about, and what they tell of each."""

    author: StrictStr | None = None
    recipient: StrictStr | None = None


class AnonymizeCall(Call):
    """Anonymize a small table; the answer is there only if the audit passed."""

    rows: list[dict[StrictStr, StrictStr | StrictInt | float | StrictBool | None]] = Field(
        min_length=1, max_length=MOST_ROWS
    )
    plan: dict[str, Any] = Field(description="As in a plan file; word lists and hierarchies cannot be files.")
    files: StrictBool = Field(False, description="Whether the files of the release come along, for `verify`.")


class VerifyCall(Call):
    """Audit a release that `anonymize` made, from its files."""

    files: dict[StrictStr, StrictStr] = Field(description="Name and content, as `anonymize` gave them.")
    against: list[dict[StrictStr, StrictStr | StrictInt | float | StrictBool | None]] | None = Field(
        None, max_length=MOST_ROWS, description="The original rows."
    )


class Mention(BaseModel):
    """Characters from `start` up to `end`."""

    start: int
    end: int
    type: str
    score: float
    source: str
    rule: str


class Mentions(BaseModel):
    mentions: list[list[Mention]] = Field(description="Per text.")


class Texts(BaseModel):
    texts: list[str] = Field(description="In the order in which they came.")


class Findings(BaseModel):
    findings: list[dict[str, Any]] = Field(description="Per text.")


class Verdict(BaseModel):
    holds: bool | None = Field(description="None: it cannot be told from what was given.")
    unit: str
    models: list[dict[str, Any]]
    checks: list[dict[str, Any]]


class Released(BaseModel):
    rows: list[dict[str, Any]]
    verdict: Verdict
    measures: dict[str, Any]
    files: dict[str, str] | None = None


class Fault(BaseModel):
    code: str
    message: str


class Refused(BaseModel):
    error: Fault


class Health(BaseModel):
    status: Literal["ok"]
    version: str
