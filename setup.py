"""Builds the kernels: every `*_kernels.py` that has a `.pxd` beside it becomes an extension module.

Everything else about the package stands in pyproject.toml. Where there is no C compiler the package is
installed all the same: its kernels then run as the Python that they are, which is slower.

HETERONYM_BOUNDSCHECK=1   kernels that check every index, for tests
HETERONYM_KERNELS=python  no kernel is compiled, and none that was compiled before stays
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError

SOURCE = Path("src")
PACKAGE = SOURCE / "heteronym"
SHARED = "heteronym._memory_views"  # what all kernels need of Cython, compiled once
BUILT = PACKAGE / "kernels_built.json"  # what compiled kernels in this folder were made from

# the same results everywhere: no fused operations, and integers that run over wrap around
CHECKED = os.environ.get("HETERONYM_BOUNDSCHECK") == "1"
OPTIONS = ["-O1" if CHECKED else "-O2", "-g0", "-fwrapv", "-ffp-contract=off"]
if sys.platform == "win32":
    OPTIONS = []
DIRECTIVES = {
    "language_level": 3,
    "infer_types": True,
    "boundscheck": CHECKED,
    "wraparound": False,
    "initializedcheck": False,
    "cpow": True,
}


def kernel_files() -> list[Path]:
    return sorted(path.with_suffix(".py") for path in PACKAGE.rglob("*_kernels.pxd"))


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def why_not() -> str:
    """Why kernels are not compiled here; empty if they are."""
    if os.environ.get("HETERONYM_KERNELS") == "python":
        return "HETERONYM_KERNELS=python"
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "").split()
    if compiler and shutil.which(compiler[0]) is None:
        return f"there is no C compiler ({compiler[0]})"
    folders = {sysconfig.get_paths()[name] for name in ("include", "platinclude")}
    if not any(Path(folder, "Python.h").exists() for folder in folders):
        return "Python's headers (Python.h) are not installed"
    return ""


def extensions() -> list[Any]:
    parts = [Extension(module_name(path), [str(path)], extra_compile_args=OPTIONS) for path in kernel_files()]
    # each way to compile has its own folder: Cython looks only whether sources are newer
    folder = Path("build", "kernels-checked" if CHECKED else "kernels")
    shared = str(folder.joinpath(*SHARED.split("."))) + ".c"
    return [*parts, Extension(SHARED, [shared], extra_compile_args=OPTIONS)]


def to_c(parts: list[Any]) -> list[Any]:
    from Cython.Build import cythonize

    made: list[Any] = cythonize(
        parts,
        include_path=[str(SOURCE)],
        build_dir=str(Path(parts[-1].sources[0]).parents[1]),
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=SHARED,
        nthreads=os.cpu_count() or 1,
        quiet=True,
    )
    return made


class BuildKernels(build_ext):
    """All kernels or none: a compiled one calls others in machine code."""

    def finalize_options(self) -> None:
        self.made = {module_name(path): digest(path) for path in kernel_files()}
        if self.distribution.ext_modules:
            self.distribution.ext_modules = to_c(self.distribution.ext_modules)
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count() or 1
        # objects of the two ways to compile are not mixed
        self.build_temp = f"{self.build_temp}-checked" if CHECKED else self.build_temp
        self.force = self.force or _built().get("checked", False) != CHECKED

    def run(self) -> None:
        if self.extensions:
            print("Compiling the kernels that changed (all of them take about a minute on two cores) ...")
        try:
            super().run()
        except BaseError as error:
            tell_why_not(str(error))
            self.extensions = []
        if not self.extensions:
            remove_compiled()
        if self.inplace or getattr(self, "editable_mode", False):
            made = self.made if self.extensions else {}
            BUILT.write_text(json.dumps({"checked": CHECKED, "sources": made}, indent=1) + "\n")


def tell_why_not(reason: str) -> None:
    print(f"heteronym: kernels stay Python, which is slower: {reason}", file=sys.stderr)


def remove_compiled() -> None:
    """From the source folder: what was compiled before would be taken for what is there now."""
    for module in (*map(module_name, kernel_files()), SHARED):
        place = SOURCE.joinpath(*module.split("."))
        for old in (*place.parent.glob(f"{place.name}.*.so"), *place.parent.glob(f"{place.name}.*.pyd")):
            old.unlink()


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes() + path.with_suffix(".pxd").read_bytes()).hexdigest()


def _built() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(BUILT.read_text()) if BUILT.exists() else {}
    return found


REASON = why_not()
if REASON:
    tell_why_not(REASON)
setup(ext_modules=[] if REASON else extensions(), cmdclass={"build_ext": BuildKernels})
