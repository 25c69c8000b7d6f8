"""Kernels as machine code: called with numbers and arrays, kept on disk, loaded without numba.

A kernel is compiled for the types of its arguments (`compiling.py`, the only place that needs numba) to an
object file of a few dozen kilobytes. It has one entrance, which takes the address of its arguments: every
number is a word of eight bytes, every array its size, address, shape and strides, every tuple what it holds.
Loading such a file takes milliseconds; to import numba for it would take half a second.

What is kept holds no data: it depends on the source of the kernels, the types of arguments and the machine.
"""

from __future__ import annotations

import builtins
import ctypes
import hashlib
import json
import os
import pickle
import struct
import sys
import weakref
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES, ExtensionFileLoader
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np

from heteronym import kept

Shown = Any  # how a result is read: a format of one word, or a list that says what it is made of
SUFFIX = ".kernel"
LARGE = 1 << 20  # bytes of a result from which on it is not copied


@dataclass(frozen=True)
class Code:
    """What compilation made of a kernel for some types of arguments."""

    machine: bytes
    enter: str
    free: str
    result: Shown
    words: int  # of the result
    outside: tuple[str, ...]  # names that the code expects to find in the process


class Entrance:
    """A kernel that Python calls: machine code by types of arguments."""

    def __init__(self, function: Callable[..., Any], compiled: Callable[[tuple[Any, ...]], Code]) -> None:
        self.function = function
        self.compiled = compiled
        self.loaded: dict[str, _Loaded] = {}

    def __call__(self, *args: Any) -> Any:
        kinds: list[str] = []
        words: list[int | float] = []
        for arg in args:
            _append(arg, kinds, words)
        signature = ",".join(kinds)
        loaded = self.loaded.get(signature)
        if loaded is None:
            loaded = self.loaded[signature] = self._load(signature, args)
        return loaded.call(words)

    def _load(self, signature: str, args: tuple[Any, ...]) -> _Loaded:
        name = f"{self.function.__module__}.{self.function.__qualname__}"
        digest = hashlib.sha256(f"{_state()}\n{signature}".encode()).hexdigest()[:24]
        file = f"{name.removeprefix('heteronym.')}-{digest}{SUFFIX}"
        code = _read(file)
        if code is None:
            code = self.compiled(args)
            _keep(file, code)
        return _Loaded(name, code)


def _append(arg: Any, kinds: list[str], words: list[int | float]) -> None:
    if isinstance(arg, np.ndarray):
        flags = arg.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        kinds.append(f"{arg.dtype.str}{arg.ndim}{layout}{'' if flags.writeable else 'r'}")
        words += (0, 0, arg.size, arg.itemsize, arg.ctypes.data, *arg.shape, *arg.strides)
    elif isinstance(arg, bool | np.bool_):
        kinds.append("?")
        words.append(int(arg))
    elif isinstance(arg, int | np.int64):
        kinds.append("q")
        words.append(int(arg))
    elif isinstance(arg, float):
        kinds.append("d")
        words.append(float(arg))
    elif isinstance(arg, tuple):
        kinds.append(f"{type(arg).__module__}.{type(arg).__qualname__}(")
        for part in arg:
            _append(part, kinds, words)
        kinds.append(")")
    elif isinstance(arg, np.signedinteger):
        kinds.append(arg.dtype.str)
        words.append(int(arg))
    else:
        raise TypeError(f"kernels take numbers, arrays and tuples of them, not {type(arg).__name__}")


class _Loaded:
    """Machine code in this process."""

    def __init__(self, name: str, code: Code) -> None:
        self.name, self.code = name, code
        self.engine = _engine(code)
        address = self.engine.get_function_address
        self.enter = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)(address(code.enter))
        self.free = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address(code.free))

    def call(self, words: Sequence[int | float]) -> Any:
        given = np.empty(len(words), np.int64)
        form = "".join("d" if type(word) is float else "q" for word in words)
        struct.pack_into(f"={form}", given.data, 0, *words)
        out = np.zeros(max(self.code.words, 2), np.int64)
        if self.enter(given.ctypes.data, out.ctypes.data):
            raise _error(int(out[0]), int(out[1]), self.name)
        made = _Made(out, self)
        result = _shown(self.code.result, iter(enumerate(out.tolist())), made)
        made.give_back()
        return result


@dataclass(frozen=True)
class _Made:
    """The words of a result, which own what the kernel made."""

    words: np.ndarray[Any, Any]
    by: _Loaded

    def give_back(self) -> None:
        self.by.free(self.words.ctypes.data)

    def part(self, at: int) -> _Made:
        """What the word at a place owns, and this one no longer does."""
        one = np.zeros_like(self.words)
        one[at], self.words[at] = self.words[at], 0
        return _Made(one, self.by)


class _Memory:
    """A large array of a result where the kernel left it; given back when nobody has it any more."""

    def __init__(self, made: _Made, about: dict[str, Any]) -> None:
        self.__array_interface__ = about
        weakref.finalize(self, made.give_back).atexit = False


def _error(address: int, size: int, name: str) -> BaseException:
    """What a kernel raised; numba describes it as a class and its arguments."""
    if address == 0:
        return RuntimeError(f"{name} ended with an error")
    kind, arguments, *_ = pickle.loads(ctypes.string_at(address, size))
    raised: BaseException = kind(*(arguments or ()))
    return raised


def _shown(result: Shown, words: Iterator[tuple[int, int]], made: _Made) -> Any:
    """A result from its words; small arrays are copied, large ones stay where they are."""
    if isinstance(result, str):
        if result == "none":
            return None
        _, word = next(words)
        if result == "?":
            return bool(word & 1)
        return struct.unpack("=d", struct.pack("=q", word))[0] if result == "d" else word
    if result[0] == "array":
        return _array(np.dtype(result[1]), result[2], words, made)
    values = [_shown(part, words, made) for part in result[2]]
    if result[1] is None:
        return tuple(values)
    module, _, name = result[1].partition(":")
    return getattr(import_module(module), name)(*values)


def _array(
    dtype: np.dtype[Any], dimensions: int, words: Iterator[tuple[int, int]], made: _Made
) -> np.ndarray[Any, Any]:
    at, owner = next(words)
    _, size, _, address, *rest = (next(words)[1] for _ in range(4 + 2 * dimensions))
    shape, strides = rest[:dimensions], rest[dimensions:]
    if size == 0:
        return np.empty(shape, dtype)
    span = dtype.itemsize + sum((n - 1) * stride for n, stride in zip(shape, strides, strict=True))
    memory = memoryview((ctypes.c_char * span).from_address(address))
    found = np.ndarray(shape, dtype, memory, strides=strides)
    # an argument that comes back has no owner here: Python may let go of it
    if owner == 0 or size * dtype.itemsize < LARGE or not found.flags.c_contiguous:
        return found.copy()
    about = {"version": 3, "shape": tuple(shape), "typestr": dtype.str, "data": (address, False)}
    return np.asarray(_Memory(made.part(at), about))


# Where code is kept


def _read(name: str) -> Code | None:
    head, _, machine = (kept.read(name) or b"").partition(b"\n")
    try:
        told = json.loads(head)
        if told.pop("bytes") == len(machine):
            return Code(machine, **{**told, "outside": tuple(told["outside"])})
    except (ValueError, KeyError, TypeError, AttributeError):
        return None  # not kept, or not by this version
    return None


def _keep(name: str, code: Code) -> None:
    told = {"enter": code.enter, "free": code.free, "result": code.result, "words": code.words}
    head = json.dumps({**told, "outside": code.outside, "bytes": len(code.machine)})
    kept.keep(name, head.encode() + b"\n" + code.machine)


@cache
def _state() -> str:
    """What machine code depends on beside types: source of kernels, versions, processor."""
    import llvmlite
    from llvmlite import binding as llvm

    sources = [*sorted(Path(__file__).parent.rglob("*_kernels.py")), Path(__file__)]
    sources += [Path(__file__).with_name("compiling.py"), _numba() / "_version.py"]
    stamps = [(source.name, status.st_size, status.st_mtime_ns) for source in sources
              for status in (source.stat(),)]  # fmt: skip
    features = llvm.get_host_cpu_features().flatten()
    cpu = (llvm.get_host_cpu_name(), features, os.environ.get("NUMBA_OPT"))
    return repr((stamps, cpu, llvmlite.__version__, sys.implementation.cache_tag, np.__version__))


# Loading


def _engine(code: Code) -> Any:
    from llvmlite import binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in code.outside:
        if llvm.address_of_symbol(name) is None:
            llvm.add_symbol(name, _address(name))
    target = llvm.Target.from_triple(llvm.get_process_triple())
    machine = target.create_target_machine(codemodel="jitdefault", jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code.machine))
    engine.finalize_object()
    return engine


def _address(name: str) -> int:
    """Of Python's own objects, of a function of numba's library in C, or of one that the process has."""
    if name.startswith("PyExc_"):
        return id(getattr(builtins, name.removeprefix("PyExc_")))
    if name == "_Py_NoneStruct":
        return id(None)
    for module, prefix in (
        ("core.runtime._nrt_python", "NRT_"),
        ("_helperlib", "numba_"),
        ("_helperlib", ""),
    ):
        short = name if name.startswith("_") else name.removeprefix(prefix)
        if name.startswith(prefix) and short in _helpers(module):
            return _helpers(module)[short]
    found = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    assert found is not None
    return found


def _numba() -> Path:
    """Where it lies; looking for it does not import it."""
    found = find_spec("numba")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


@cache
def _helpers(name: str) -> dict[str, int]:
    """Addresses in an extension module of numba."""
    if "numba" in sys.modules:
        module: Any = import_module(f"numba.{name}")
    else:
        folder = _numba().joinpath(*name.split(".")[:-1])
        paths = [folder / f"{name.rpartition('.')[2]}{suffix}" for suffix in EXTENSION_SUFFIXES]
        path = next(path for path in paths if path.exists())
        loader = ExtensionFileLoader(f"numba.{name}", str(path))
        spec = spec_from_file_location(f"numba.{name}", path, loader=loader)
        assert spec is not None
        module = module_from_spec(spec)
        loader.exec_module(module)
    return dict(module.c_helpers)
