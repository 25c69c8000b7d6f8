"""How numba is told to compile kernels; imported when the first one is.

Left to itself, numba makes a whole of every function: with an entrance from Python, optimized, turned into
machine code and kept on disk, and then once more as a part of every function that calls it. Here a kernel
that others call is only prepared, and optimized once: inside the kernel that Python calls.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

from numba import njit
from numba._dynfunc import make_function
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.extending import typeof_impl

from heteronym.compiled import Kernel


class _Part(JITCodeLibrary):
    """Code that is optimized and becomes machine code where it ends up."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _WholeCompiler(Compiler):
    def compile_extra(self, func: Callable[..., Any]) -> Any:
        # millions of small objects are made and all of them are in use: to look for garbage among them takes
        # a tenth of the time
        collects = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(func)
        finally:
            if collects:
                gc.enable()


class _PartCompiler(Compiler):
    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, names: Any
    ) -> None:
        flags.no_compile = True
        library = _Part(target.codegen(), "part")
        super().__init__(typing, target, library, args, result, flags, names)

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        made = super().compile_extra(func)
        # by this, callers find it; there is nothing to call from Python
        nothing = make_function(made.fndesc.lookup_module(), func.__name__, "", 0, made.environment, ())
        self.state.targetctx.insert_user_function(nothing, made.fndesc, [made.library])
        return made._replace(entry_point=nothing)


def entrance(function: Callable[..., Any]) -> Any:
    """Compiled, to be called from Python; kept on disk."""
    return njit(cache=True, nogil=True, pipeline_class=_WholeCompiler)(function)


def part(function: Callable[..., Any]) -> Any:
    """Compiled, to be called by kernels."""
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return njit(nogil=True, pipeline_class=_PartCompiler, **options)(function)


@typeof_impl.register(Kernel)
def _kernel_among_names(found: Kernel, _: Any) -> Any:
    return types.Dispatcher(found.part)
