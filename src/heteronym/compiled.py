"""Whether kernels run compiled: they do where the package was built with a C compiler (`setup.py`).

A kernel is a file `*_kernels.py` with its types in a `.pxd` beside it. Compiled, it lies as an extension
module beside its source, and Python prefers that. What it returns is the same to the last bit
(tests/properties/test_compiled.py).
"""

from __future__ import annotations

import sys
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec


@cache
def are_compiled() -> bool:
    found = find_spec("heteronym.model._set_kernels")
    return found is not None and str(found.origin).endswith(tuple(EXTENSION_SUFFIXES))


@cache
def tell_if_not_compiled() -> None:
    """Say on standard error, once per process, that searches take longer than they need to."""
    if not are_compiled():
        print(
            "heteronym: the search kernels are not compiled and run in Python, much slower; "
            "install a C compiler, then heteronym again",
            file=sys.stderr,
        )
