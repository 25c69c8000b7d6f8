"""information-content and plausibility from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

TEXT = "Uses marijuana for phantom limb pain.\n"


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text(TEXT, "utf-8")
    return path


def test_plausibility_with_words_and_a_sense(command: Any, note: Path, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("marijuana\nphantom limb pain\n", "utf-8")
    done = command(
        "sanitize",
        note,
        "-o",
        tmp_path / "clean",
        "--method",
        "plausibility",
        "--t",
        "10",
        "--model",
        "none",
        "--words",
        words,
        "--sense",
        "marijuana=2",
        "--json",
    )
    assert done.exit_code == 0
    assert (tmp_path / "clean" / "note.txt").read_text("utf-8") == "Uses a soft drug for pain.\n"
    assert json.loads(done.out)["words"] == 2
    assert "marijuana" not in done.out


def test_information_content_with_features(command: Any, note: Path, tmp_path: Path) -> None:
    done = command(
        "sanitize",
        note,
        "-o",
        tmp_path / "clean",
        "--method",
        "information-content",
        "--model",
        "none",
        "--reveal",
        "disease",
        "--reveal",
        "engineer",
        "--json",
    )
    assert done.exit_code == 0
    assert json.loads(done.out)["beta"] == pytest.approx(3.303, abs=1e-3)
    assert "marijuana" not in (tmp_path / "clean" / "note.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("plausibility", "--t", "0"), 2),
        (("plausibility", "--alpha", "2"), 2),
        (("plausibility", "--t", "10000000000000000000000000000"), 2),
        (("plausibility", "--t", "100000000000000"), 1),
        (("plausibility", "--words", "missing.txt"), 2),
        (("information-content", "--beta", "-1"), 2),
        (("information-content", "--corpus", "missing"), 2),
    ],
)
def test_what_cannot_be_done_is_refused(
    command: Any, note: Path, tmp_path: Path, options: Any, code: int
) -> None:
    done = command("sanitize", note, "-o", tmp_path / "clean", "--model", "none", "--method", *options)
    assert done.exit_code == code
    assert not (tmp_path / "clean").exists()
    assert "marijuana" not in done.out + done.err


def test_an_unknown_feature_is_warned_about(command: Any, note: Path, tmp_path: Path) -> None:
    done = command(
        "sanitize",
        note,
        "-o",
        tmp_path / "clean",
        "--method",
        "information-content",
        "--model",
        "none",
        "--reveal",
        "xqzzkv",
    )
    assert done.exit_code == 0
    assert "feature 1" in done.err
