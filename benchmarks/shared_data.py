"""Where the shared data lies, and how a benchmark makes its inputs from it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("HETERONYM_SHARED", ROOT.parent / "shared"))


def need_shared() -> Path:
    if not SHARED.is_dir():
        sys.exit(f"no shared data at {SHARED}; set HETERONYM_SHARED")
    return SHARED


def generate(tool: str, *arguments: str) -> None:
    """Run a generator of the shared tools."""
    subprocess.run([sys.executable, str(need_shared() / "tools" / tool), *arguments], check=True)


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def show(rows: list[dict[str, object]]) -> None:
    """Rows as a markdown table."""
    names = list(rows[0])
    print("| " + " | ".join(names) + " |")
    print("|" + "---|" * len(names))
    for row in rows:
        print("| " + " | ".join(f"{v:.4f}" if isinstance(v, float) else str(v) for v in row.values()) + " |")
