"""How numba is told to compile kernels; imported when the first one is.

Left to itself, numba makes a whole of every function: with an entrance from Python, optimized, turned into
machine code and kept on disk, and then once more as a part of every function that calls it. Here every
function is only prepared, and all that a kernel needs is optimized once, together. Steps that kernels do not
need are left out: closures, literals, branches on types, and references to arrays that others keep.

A named tuple of arrays that comes from Python reaches kernels as one address (`Bundle`), and a field of it is
loaded where it is used. As a value it would be a hundred numbers, copied in every call.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from llvmlite import ir
from numba import njit, typeof
from numba._dynfunc import make_function
from numba.core import cgutils, typed_passes, types, untyped_passes
from numba.core import ir as numba_ir
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.lowering import BaseLower, Lower
from numba.core.registry import cpu_target
from numba.core.runtime.context import NRTContext
from numba.core.runtime.nrtdynmod import incref_decref_ty
from numba.core.types.functions import BaseFunction
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
)

from heteronym.machine_code import Code, Shown

WORD = ir.IntType(64)
ADDRESS = WORD.as_pointer()

# cheap: everything is optimized again together
FUNCTION_OPTIONS = {"opt": 1, "loop_vectorize": False, "slp_vectorize": False}


# Parts and wholes


class _Library(JITCodeLibrary):
    def _optimize_functions(self, module: Any) -> None:
        module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager(**FUNCTION_OPTIONS)
        for function in module.functions:
            if not function.is_declaration:
                passes.run(function, builder)


class _Part(_Library):
    """Code that is linked, optimized and turned into machine code where it ends up."""

    def finalize(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _Whole(_Library):
    """A kernel with all that it calls, as an object file."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.machine = b""

    def link(self, part: Any) -> None:
        """With all that it calls, callers first: what nobody has asked for yet would be left out."""
        order: dict[Any, None] = {}

        def visit(library: Any) -> None:
            if library not in order:
                for below in library._linking_libraries:
                    visit(below)
                order.setdefault(library)

        visit(part)
        for library in reversed(order):
            self.add_linking_library(library)

    def _finalize_final_module(self) -> None:
        self._verify_declare_only_symbols()
        self.machine = self._codegen._tm.emit_object(self._final_module)
        self._finalized = True

    def outside(self) -> tuple[str, ...]:
        module = self._final_module
        named = [*module.functions, *module.global_variables]
        return tuple(x.name for x in named if x.is_declaration and not x.name.startswith("llvm."))


class _References(NRTContext):  # type: ignore[misc]
    """Counts the one reference that an array has; numba looks for more in all of its seven words."""

    def get_meminfos(self, builder: Any, kind: Any, value: Any) -> list[Any]:
        if isinstance(kind, types.Array):
            return [(kind, builder.extract_value(value, 0))]
        if not self._context.data_model_manager[kind].contains_nrt_meminfo():
            return []
        found: list[Any] = super().get_meminfos(builder, kind, value)
        return found


class _Lower(Lower):  # type: ignore[misc]
    """To LLVM. A part that makes no arrays has none to give back, and counts no references."""

    def __init__(self, context: Any, library: Any, about: Any, code: Any, metadata: Any = None) -> None:
        context = context.subtarget()
        self.holds = lambda kind: context.data_model_manager[kind].contains_nrt_meminfo()
        self.counts = self.holds(about.restype) or any(
            self.holds(about.typemap[each.target.name]) and not _is_borrowed(each.value, about.typemap)
            for block in code.blocks.values()
            for each in block.find_insts(numba_ir.Assign)
        )
        context.__dict__.pop("nrt", None)
        context.enable_nrt = self.counts
        if self.counts:
            context.nrt = _References(context, True)
        super().__init__(context, library, about, code, metadata=metadata)

    def delvar(self, name: str) -> None:
        if self.counts and self.holds(self.typeof(name)):
            super().delvar(name)
        elif name not in self._blk_local_varmap:
            self._singly_assigned_vars.discard(name)


def _is_borrowed(value: Any, kinds: Any) -> bool:
    """Whether an array, or what holds some, is one that the caller keeps, or a part of it."""
    if isinstance(value, numba_ir.Arg | numba_ir.Var):
        return True
    if not isinstance(value, numba_ir.Expr):
        return False
    if value.op in ("cast", "phi", "build_tuple", "exhaust_iter"):
        return True
    if value.op in ("getattr", "static_getitem"):
        return not isinstance(kinds[value.value.name], types.Array)
    if value.op != "getitem" or not isinstance(kinds[value.value.name], types.Array):
        return False
    return isinstance(kinds[value.index.name], types.Integer | types.SliceType)


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[untyped-decorator]
class _Lowering(typed_passes.NativeLowering):  # type: ignore[misc]
    _name = "kernel_lowering"

    @property
    def lowering_class(self) -> type[Lower]:
        return _Lower


_STEPS = (
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.InlineClosureLikes,
    untyped_passes.GenericRewrites,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
    typed_passes.AnnotateTypes,
    _Lowering,
    typed_passes.NoPythonBackend,
)


def _has_functions(function: Callable[..., Any]) -> bool:
    return any(isinstance(each, CodeType) for each in function.__code__.co_consts)


def _nothing(*_: Any) -> None:
    pass


class _PartCompiler(Compiler):
    def __init__(
        self, typing: Any, target: Any, library: Any, args: Any, result: Any, flags: Any, names: Any
    ) -> None:
        flags.no_compile = True
        for context in (typing, target):
            context.refresh = _nothing  # what numba knows does not grow from part to part
        super().__init__(typing, target, library, args, result, flags, names)
        for context in (typing, target, self.state.targetctx):
            context.__dict__.pop("refresh", None)

    def define_pipelines(self) -> list[Any]:
        manager = PassManager("kernel")
        for step in _STEPS:
            # a list that is comprehended is a function inside the function
            if step is not untyped_passes.InlineClosureLikes or _has_functions(self.state.func_id.func):
                manager.add_pass(step, step.__name__)
        manager.finalize()
        return [manager]

    def compile_extra(self, func: Callable[..., Any]) -> Any:
        made = super().compile_extra(func)
        # by this, callers find it; there is nothing to call from Python
        nothing = make_function(made.fndesc.lookup_module(), func.__name__, "", 0, made.environment, ())
        self.state.targetctx.insert_user_function(nothing, made.fndesc, [made.library])
        return made._replace(entry_point=nothing)


def part(function: Callable[..., Any]) -> Any:
    """Compiled, to be called by kernels."""
    options: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    made = njit(nogil=True, pipeline_class=_PartCompiler, **options)(function)
    template = made.get_call_template
    made.get_call_template = lambda args, names: template(tuple(map(_general, args)), names)
    return made


def _general(kind: Any) -> Any:
    """One version of a part for all constants and all sizes of whole numbers that it is called with."""
    kind = types.unliteral(kind)
    return types.int64 if isinstance(kind, types.Integer) and kind.signed else kind


def make_known(kind: type) -> None:
    """Objects of this class, among the names that a kernel uses, stand for what their `part` is."""
    if kind not in typeof_impl.registry:
        typeof_impl.register(kind)(lambda found, _: types.Dispatcher(found.part))


_typed: dict[Any, Any] = {}
_call_type = BaseFunction.get_call_type


def _known_call_type(function: Any, context: Any, args: Any, names: Any) -> Any:
    """What numba's own functions and operators make of such types; the same few are asked by the thousand."""
    if names:
        return _call_type(function, context, args, names)
    if (function, args) not in _typed:
        _typed[function, args] = _call_type(function, context, args, names)
    return _typed[function, args]


@contextmanager
def _in_parts() -> Iterator[None]:
    """What is compiled meanwhile, numba's own functions included, becomes parts without entrances.

    And no garbage is looked for: millions of small objects are made, all of them in use.
    """
    codegen, collects = cpu_target.target_context.codegen(), gc.isenabled()
    # kernels have no Python objects, of which an environment tells
    others = ((codegen, "_library_class", _Part), (codegen, "set_env", _nothing),
              (BaseFunction, "get_call_type", _known_call_type),
              (BaseLower, "create_cfunc_wrapper", _nothing))  # fmt: skip
    before = [getattr(owner, name) for owner, name, _ in others]
    for owner, name, other in others:
        setattr(owner, name, other)
    gc.disable()
    try:
        yield
    finally:
        for (owner, name, _), own in zip(others, before, strict=True):
            setattr(owner, name, own)
        if collects:
            gc.enable()


def compiled(found: Any, args: tuple[Any, ...]) -> Code:
    """Machine code of a kernel for such arguments."""
    make_known(type(found))
    given = tuple(map(_type_of, args))
    context = cpu_target.target_context
    with global_compiler_lock, _in_parts():
        context.refresh()
        found.part.compile(given)
        made = found.part.overloads[given]
        whole = _Whole(context.codegen(), made.fndesc.qualname)
        module = context.create_module("entrance")
        names = f"enter.{made.fndesc.qualname}", f"free.{made.fndesc.qualname}"
        _write_enter(context, module, names[0], made.fndesc)
        _write_free(module, names[1], made.fndesc.restype)
        whole.add_ir_module(module)
        whole.link(made.library)
        whole.finalize()
    result = made.fndesc.restype
    return Code(whole.machine, *names, _result(result), _words(result), whole.outside())


# Arguments and results as words


class Bundle(types.Type):  # type: ignore[misc]
    """The address of a named tuple's fields."""

    def __init__(self, kind: type, fields: tuple[str, ...], parts: tuple[Any, ...]) -> None:
        self.fields, self.parts = fields, parts
        digest = hashlib.sha256(f"{kind.__module__}{parts}".encode()).hexdigest()[:12]
        super().__init__(name=f"{kind.__qualname__}_{digest}")


@register_model(Bundle)
class _BundleModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Bundle) -> None:
        super().__init__(manager, kind, ADDRESS)


@infer_getattr
class _BundleFields(AttributeTemplate):  # type: ignore[misc]
    key = Bundle

    def generic_resolve(self, bundle: Bundle, name: str) -> Any:
        return bundle.parts[bundle.fields.index(name)] if name in bundle.fields else None


@lower_getattr_generic(Bundle)  # type: ignore[untyped-decorator]
def _field(context: Any, builder: Any, bundle: Bundle, address: Any, name: str) -> Any:
    at = bundle.fields.index(name)
    kind = bundle.parts[at]
    return _load(context, builder, kind, address, sum(map(_words, bundle.parts[:at])))


def _type_of(arg: Any) -> Any:
    if isinstance(arg, tuple):
        parts = tuple(map(_type_of, arg))
        if hasattr(arg, "_fields"):
            return Bundle(type(arg), arg._fields, parts)
        return types.BaseTuple.from_types(parts)
    return typeof(arg)


def _words(kind: Any) -> int:
    if isinstance(kind, types.Array):
        return int(5 + 2 * kind.ndim)
    if isinstance(kind, Bundle):
        return sum(map(_words, kind.parts))
    if isinstance(kind, types.BaseTuple):
        return sum(map(_words, kind.types))
    return 0 if kind == types.none else 1


def _place(builder: Any, address: Any, at: int) -> Any:
    return builder.gep(address, [ir.Constant(WORD, at)])


def _load(context: Any, builder: Any, kind: Any, address: Any, at: int) -> Any:
    """The value that begins at a word. Words do not change while a kernel runs."""
    if isinstance(kind, Bundle):
        return _place(builder, address, at)
    if isinstance(kind, types.BaseTuple):
        values = []
        for each in kind.types:
            values.append(_load(context, builder, each, address, at))
            at += _words(each)
        return context.make_tuple(builder, kind, values)
    if isinstance(kind, types.Array):
        return _load_array(context, builder, kind, address, at)
    model = context.data_model_manager[kind]
    place = builder.bitcast(_place(builder, address, at), model.get_data_type().as_pointer())
    return model.from_data(builder, _fixed(builder, builder.load(place)))


def _load_array(context: Any, builder: Any, kind: Any, address: Any, at: int) -> Any:
    form = context.get_value_type(kind)
    value = ir.Constant(form, ir.Undefined)
    for field, (word, wanted) in enumerate(zip((0, 1, 2, 3, 4), form.elements[:5], strict=True)):
        if word < 2:
            part = ir.Constant(wanted, None)  # nothing to count references to: Python holds the array
        elif word == 3:
            part = ir.Constant(wanted, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        else:
            place = builder.bitcast(_place(builder, address, at + word), wanted.as_pointer())
            part = _fixed(builder, builder.load(place))
        value = builder.insert_value(value, part, field)
    for i in range(2 * kind.ndim):
        part = _fixed(builder, builder.load(_place(builder, address, at + 5 + i)))
        value = builder.insert_value(value, part, [5 + i // kind.ndim, i % kind.ndim])
    return value


def _fixed(builder: Any, load: Any) -> Any:
    load.set_metadata("invariant.load", builder.module.add_metadata([]))
    return load


def _write_enter(context: Any, module: Any, name: str, about: Any) -> None:
    """int enter(arguments, result): not 0 where the kernel raises, and then where that is described."""
    kind = context.call_conv.get_function_type(about.restype, about.argtypes)
    callee = ir.Function(module, kind, about.llvm_func_name)
    enter = ir.Function(module, ir.FunctionType(ir.IntType(32), [ADDRESS, ADDRESS]), name)
    builder = ir.IRBuilder(enter.append_basic_block("entry"))
    values, at = [], 0
    for each in about.argtypes:
        values.append(_load(context, builder, each, enter.args[0], at))
        at += _words(each)
    status, result = context.call_conv.call_function(builder, callee, about.restype, about.argtypes, values)
    with builder.if_then(status.is_error, likely=False):
        with builder.if_then(status.is_user_exc):
            told = builder.load(status.excinfoptr)
            builder.store(builder.ptrtoint(builder.extract_value(told, 0), WORD), enter.args[1])
            size = builder.sext(builder.extract_value(told, 1), WORD)
            builder.store(size, _place(builder, enter.args[1], 1))
        builder.ret(ir.Constant(ir.IntType(32), 1))
    if about.restype != types.none:
        _store(context, builder, about.restype, result, enter.args[1], 0)
    builder.ret(ir.Constant(ir.IntType(32), 0))


def _write_free(module: Any, name: str, result: Any) -> None:
    """void free(result): what the kernel made is no longer needed."""
    free = ir.Function(module, ir.FunctionType(ir.VoidType(), [ADDRESS]), name)
    builder = ir.IRBuilder(free.append_basic_block("entry"))
    for at in _owned(result, 0):
        memory = builder.inttoptr(builder.load(_place(builder, free.args[0], at)), cgutils.voidptr_t)
        builder.call(cgutils.get_or_insert_function(module, incref_decref_ty, "NRT_decref"), [memory])
    builder.ret_void()


def _owned(kind: Any, at: int) -> Iterator[int]:
    """Words of a result that own memory."""
    if isinstance(kind, types.Array):
        yield at
    elif isinstance(kind, types.BaseTuple):
        for each in kind.types:
            yield from _owned(each, at)
            at += _words(each)


def _store(context: Any, builder: Any, kind: Any, value: Any, address: Any, at: int) -> None:
    if isinstance(kind, types.BaseTuple):
        for i, each in enumerate(kind.types):
            _store(context, builder, each, builder.extract_value(value, i), address, at)
            at += _words(each)
        return
    model = context.data_model_manager[kind]
    data = model.as_data(builder, value)
    place = builder.bitcast(_place(builder, address, at), data.type.as_pointer())
    if isinstance(data.type, ir.IntType) and data.type.width < 64:
        wide = builder.zext if kind == types.boolean or not getattr(kind, "signed", True) else builder.sext
        data, place = wide(data, WORD), _place(builder, address, at)
    builder.store(data, place)


def _result(kind: Any) -> Shown:
    if kind == types.none:
        return "none"
    if kind == types.boolean:
        return "?"
    if isinstance(kind, types.Integer):
        return "q"
    if kind == types.float64:
        return "d"
    if isinstance(kind, types.Array):
        from numba.np.numpy_support import as_dtype

        return ["array", as_dtype(kind.dtype).str, kind.ndim]
    if isinstance(kind, types.BaseNamedTuple):
        made = kind.instance_class
        return ["tuple", f"{made.__module__}:{made.__qualname__}", [_result(each) for each in kind.types]]
    if isinstance(kind, types.BaseTuple):
        return ["tuple", None, [_result(each) for each in kind.types]]
    raise TypeError(f"kernels return numbers, arrays and tuples of them, not {kind}")
