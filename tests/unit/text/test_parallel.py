"""Texts read by several processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
from heteronym.text import parallel
from heteronym.text.combine import pipeline

parallel._WORTH_IT = 0
parallel._BATCH = 1
texts = [f"On {i + 1} May 2001 Mr Smith came." for i in range(28)] * 2
print(len(pipeline("none", parts=("dates", "names"), processes=2).recognize(texts)))
"""


def test_a_script_without_a_guard_is_not_run_again_by_the_workers(tmp_path: Path) -> None:
    script = tmp_path / "plain.py"
    script.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "56", "")
