"""Reports on studies tell of nobody; whoever is told of in one is somebody."""

from __future__ import annotations

import pytest

from heteronym.model.plan import TextPlan
from heteronym.text.impersonal import is_impersonal
from heteronym.text.recognize import counts, recognize, recognizers_for

REPORT = (
    "Background: the aim of this study was to find out whether asthma "
    "in childhood is associated with diabetes. "
    "Methods: 120 patients with asthma and 118 controls were randomly drawn, "
    "and their questionnaires analysed. "
    "Results: 34% of Danish patients had diabetes after 5 years (P = 0.013), "
    "compared with 12.5% of the others. "
    "Conclusions: asthma was significantly associated with diabetes and hypertension in "
    "this cohort."
)
PLAN = TextPlan(model="none")


def types(text: str, plan: TextPlan = PLAN) -> set[str]:
    [found] = recognize([text], recognizers_for(plan), wanted=lambda kind: counts(kind, plan))
    return {span.type for span in found}


def test_findings_about_groups_are_no_mentions() -> None:
    assert is_impersonal(REPORT)
    assert types(REPORT) == set()


@pytest.mark.parametrize(
    "said",
    [
        " She was one of them.",
        " I was one of them.",
        " Dr Weber took part.",
        " A 45-year-old man took part.",
        " The patient was discharged with asthma.",
        " Our patient took part.",
        " Pt took part.",
    ],
)
def test_somebody_who_is_told_of_keeps_everything_masked(said: str) -> None:
    assert not is_impersonal(REPORT + said)
    assert {"HEALTH", "PERCENT"} <= types(REPORT + said)


def test_a_short_text_is_a_persons() -> None:
    assert "HEALTH" in types("asthma, diabetes; 34% burns; study, trial, cohort, controls, baseline")


def test_a_plan_that_lists_a_type_gets_it() -> None:
    assert "HEALTH" in types(REPORT, TextPlan(model="none", entities=("HEALTH",)))
