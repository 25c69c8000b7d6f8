"""Kernels as the Python that they are, where they are compiled, too: tests run both.

`HETERONYM_KERNELS=python` does it for a whole run of tests.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType


class SourceOfKernels(MetaPathFinder):
    """Finds the source of a kernel where Python would take the extension module beside it."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        room, _, module = name.rpartition(".")
        if not room.startswith("heteronym.") or not module.endswith("_kernels"):
            return None
        for folder in path or ():
            source = Path(folder, f"{module}.py")
            if source.exists():
                return spec_from_file_location(name, source, loader=SourceFileLoader(name, str(source)))
        return None


def prefer_source() -> None:
    """For all kernels that this process imports from now on."""
    sys.meta_path.insert(0, SourceOfKernels())
