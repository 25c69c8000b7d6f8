"""What the owner allows is never a mention, what he denies always is; languages have packs."""

from __future__ import annotations

from pathlib import Path

import pytest

from heteronym.api.scan import find_in_documents
from heteronym.errors import PlanError
from heteronym.model.plan import TextPlan
from heteronym.text.recognize import recognizers_for

TEXT = "Mr Karsten Trippel of Berlin wrote on 3 May 2001 about project Bluebird."


def found(text: str = TEXT, **plan: object) -> dict[str, str]:
    spans = find_in_documents([text], TextPlan.model_validate({"model": "none", **plan}))[0]
    return {text[span.start : span.end]: span.type for span in spans}


def test_words_patterns_and_types_that_are_allowed_are_no_mentions() -> None:
    assert found().keys() >= {"Mr Karsten Trippel", "3 May 2001"}
    assert "Mr Karsten Trippel" not in found(allow=["mr karsten trippel"])
    assert "Mr Karsten Trippel" not in found(allow=["/.*Trippel/"])
    assert "3 May 2001" not in found(allow=["DATE"])
    assert "Mr Karsten Trippel" in found(allow=["Trippel"])  # a part of a mention is not the mention


def test_what_is_denied_is_always_found_and_direct() -> None:
    assert found(deny=["bluebird"])["Bluebird"] == "DENIED"
    assert found(deny=["/project \\w+/"])["project Bluebird"] == "DENIED"


def test_lists_may_stand_in_files(tmp_path: Path) -> None:
    (tmp_path / "deny.txt").write_text("Bluebird\n", encoding="utf-8")
    plan = TextPlan(model="none", deny=("@deny.txt",))
    spans = recognizers_for(plan, folder=tmp_path)[0].recognize([TEXT])[0]
    assert [TEXT[span.start : span.end] for span in spans] == ["Bluebird"]


def test_a_type_counts_from_its_threshold_on() -> None:
    assert "3 May 2001" in found(thresholds={"DATE": 0.9})
    assert "3 May 2001" not in found(thresholds={"DATE": 0.99})


def test_a_pattern_that_cannot_be_read_is_refused_without_its_text() -> None:
    with pytest.raises(PlanError, match=r"text\.allow"):
        found(allow=["/(/"])


def test_without_a_reader_for_the_language_nothing_runs() -> None:
    with pytest.raises(PlanError, match="does not read 'de'"):
        recognizers_for(TextPlan(language="de"))


def test_german_rules_read_german() -> None:
    text = "Frau Anna Weber, 36 Jahre alt, wohnt seit Oktober 2004 in der Goethestraße 12, 50667 Köln."
    assert found(text, language="de") == {
        "Frau Anna Weber": "PERSON",
        "36 Jahre alt": "AGE",
        "Oktober 2004": "DATE",
        "Goethestraße 12, 50667 Köln": "ADDRESS",
    }
