"""How kernels are compiled.

Rules are small functions that LLVM inlines into one entry kernel; only the entry kernel is
cached on disk, optimized and made into machine code. With `NUMBA_DISABLE_JIT=1` everything below
is plain Python.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Callable, Iterator
from typing import Any

from llvmlite import ir
from llvmlite.binding import Linkage
from llvmlite.ir.instructions import CallInstr, ConditionalBranch
from numba import config, njit, types
from numba.core.callconv import CPUCallConv
from numba.core.cgutils import get_null_value, if_unlikely
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.cpu import CPUContext
from numba.core.lowering import Lower
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic
from numba.np import arrayobj

from sim import branches

COMPILED = not config.DISABLE_JIT

_NEVER = (1, 1 << 20)  # weights of a branch to an error: once in a million
_SELDOM = 50  # what is called once in so many runs of a function is not put into it


class _PartOfKernel(JITCodeLibrary):
    """The code of a function that compiled functions link into theirs, and that nothing else runs.

    numba optimizes each function with all that it calls, and makes machine code of all that,
    before it is linked into its callers, where both are done again: level by level, a third of
    the time that a kernel takes to compile. Here both are left to the entry kernel.
    """

    def _optimize_final_module(self) -> None:
        """Leave it as it is."""

    def _finalize_final_module(self) -> None:
        """Make no machine code."""
        self._finalize_dynamic_globals()
        self._finalized = True


class _Entry(JITCodeLibrary):
    """The code of a function that is run by itself, with all that it calls.

    What it calls nobody else can, and LLVM is told so: it then passes no argument that is not
    read, knows one that is the same wherever it is called (an array is passed as seven words, of
    which most are), and leaves out code that nothing calls.

    Private, not internal: an internal function keeps its name in the object, and RuntimeDyld takes
    a weak function of that name in a code loaded later (a rule called alone, a user's strategy) for
    the same one - and calls it with arguments that it no longer has.
    """

    def _optimize_final_module(self) -> None:
        """Tell, and go on as numba does."""
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr:
                function.linkage = Linkage.private
        super()._optimize_final_module()


class _Calls(CPUCallConv):
    """How a part of a kernel calls another: as in numba, but nothing is cleared in advance.

    numba makes room for the result and for the error of each call and clears all of it whenever
    the caller begins, so `advance` would write 200 words before it does anything. Here an error
    goes where the caller's own goes, and a result's place is cleared by the call itself.
    """

    def call_function(
        self, builder: Any, callee: Any, resty: Any, argtys: Any, args: Any, attrs: Any = None
    ) -> tuple[Any, Any]:
        """Call a compiled function; return its status and its result."""
        kind = self.get_return_type(resty).pointee
        with builder.goto_entry_block():
            place = builder.alloca(kind)
        builder.store(get_null_value(kind), place)
        error = self._get_excinfo_argument(builder.function)
        packed = self._get_arg_packer(argtys).as_arguments(builder, args)
        code = builder.call(callee, [place, error, *packed], attrs=attrs or ())
        status = self._get_return_status(builder, code, builder.load(error))
        result = self.context.get_returned_value(builder, resty, builder.load(place))
        return status, result


class _Context(CPUContext):
    """numba's context with other calls."""

    @property
    def call_conv(self) -> _Calls:
        """Return how functions are called."""
        return _Calls(self)


def _checked(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """Return an index that has been checked: it counts from the start, never from the end.

    numba adds the size to an index below zero and then compares twice, five instructions of the
    eight that it takes to read a number out of an array. Here one comparison without sign does.
    """
    index = context.cast(builder, index, kind, types.intp)
    with if_unlikely(builder, builder.icmp_unsigned(">=", index, size)):
        context.call_conv.return_user_exc(builder, IndexError, ("index is out of bounds",))
    return index


@contextlib.contextmanager
def _counting_from_start(function: Any) -> Iterator[None]:
    """Compile the indexes of our functions as `_checked` does; other people's may be negative."""
    usual = arrayobj.fix_integer_index
    if not _counts(function):
        arrayobj.fix_integer_index = _checked
    try:
        yield
    finally:
        arrayobj.fix_integer_index = usual


class _Lower(Lower):
    """How a function becomes LLVM code: as in numba, and LLVM is told what runs and what does not.

    Or the code counts it, where that is wanted (`branches.count_branches`).
    """

    def lower_function_body(self) -> Any:
        """Lower the body, then see to its branches and calls."""
        tail = super().lower_function_body()
        function = self.func_ir.func_id.func
        blocks = self.function.blocks
        ends = [block.terminator for block in blocks]
        jumps = [end for end in ends if isinstance(end, ConditionalBranch)]
        unmarked = [jump for jump in jumps if "prof" not in jump.metadata]
        calling = [block for block in blocks if any(map(_calls_part, block.instructions))]
        for jump in jumps:  # numba marks those to an error, with a weight of one in a hundred
            if (marked := jump.metadata.get("prof")) is not None:
                true, false = (weight.constant for weight in marked.operands[1:])
                jump.set_weights(_NEVER if true < false else _NEVER[::-1])
        if (counting := branches.counting()) is not None:
            place = counting.place(function, len(unmarked), len(calling))
            for number, jump in enumerate(unmarked):
                _count(jump.parent, counting.address(place + number), jump.operands[0])
            for number, block in enumerate([blocks[0], *calling], len(unmarked)):
                _count(block, counting.address(place + number))
        elif (known := branches.counts_of(function, len(unmarked), len(calling))) is not None:
            for jump, (true, false) in zip(unmarked, known.branches, strict=True):
                if true + false:  # what was never reached, LLVM may guess
                    jump.set_weights([true, false])
            for block, often in zip(calling, known.calls, strict=True):
                if often * _SELDOM < known.entered:
                    for call in filter(_calls_part, block.instructions):
                        call.attributes.add("noinline")
        return tail


def _calls_part(instruction: Any) -> bool:
    """Say whether an instruction calls a compiled function, not LLVM's or numba's helpers."""
    return isinstance(instruction, CallInstr) and instruction.callee.name.startswith("_ZN")


def _count(block: Any, address: int, condition: Any = None) -> None:
    """Add one to a count when a block runs; where a condition is true, to the count behind it."""
    number = ir.IntType(64)
    builder = ir.IRBuilder(block)
    if block.is_terminated:
        builder.position_before(block.terminator)
    else:
        builder.position_at_end(block)
    where = number(address)
    if condition is not None:
        where = builder.add(where, builder.shl(builder.zext(condition, number), number(3)))
    place = builder.inttoptr(where, number.as_pointer())
    builder.store(builder.add(builder.load(place), number(1)), place)


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerPart(NativeLowering):
    """Make a function's LLVM code, and nothing that can be run by itself."""

    _name = "lower_part_of_kernel"
    lowering_class = _Lower

    def run_pass(self, state: Any) -> bool:
        """Do what numba's pass does; a name stands for the function that it would make."""
        context = state.targetctx
        state.library = _PartOfKernel(context.codegen(), state.func_id.func_qualname)
        state.flags.no_compile = True
        state.targetctx = copy.copy(context)
        state.targetctx.__class__ = _Context
        with _counting_from_start(state.func_id.func):
            super().run_pass(state)
        state.targetctx = context
        name = object()
        state["cr"] = state["cr"]._replace(cfunc=name)
        state.library.finalize()
        context.insert_user_function(name, state["cr"].fndesc, [state.library])
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerEntry(NativeLowering):
    """Make a function's code and all that it calls."""

    _name = "lower_entry"
    lowering_class = _Lower

    def run_pass(self, state: Any) -> bool:
        """Do what numba's pass does."""
        state.library = _Entry(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        with _counting_from_start(state.func_id.func):
            super().run_pass(state)
        return True


def _pipeline(state: Any, lowering: type[NativeLowering]) -> list[PassManager]:
    """Return numba's pipeline with another last step."""
    usual = DefaultPassBuilder.define_nopython_pipeline(state)
    manager = PassManager("nopython")
    for step, what in usual.passes:
        manager.add_pass(lowering if step is NativeLowering else step, what)
    manager.finalize()
    return [manager]


class _PartCompiler(CompilerBase):
    """Compiles parts of kernels."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the one pipeline."""
        return _pipeline(self.state, _LowerPart)


class _EntryCompiler(CompilerBase):
    """Compiles what is run by itself."""

    def define_pipelines(self) -> list[PassManager]:
        """Return the one pipeline."""
        return _pipeline(self.state, _LowerEntry)


# Bounds checks cost nothing measurable here, so they stay on. The wrappers by which C and Python
# call each function would be compiled for nobody.
_OPTIONS: dict[str, Any] = {"boundscheck": True, "nogil": True}
_PART: dict[str, Any] = {
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "pipeline_class": _PartCompiler,
}


def _counts(function: Callable[..., Any]) -> bool:
    """Say whether a function keeps count of who refers to arrays.

    Ours make none unless they say so (`with_arrays`), so they need not; other people's may.
    """
    return not branches.is_ours(function)


def _number(kind: Any) -> Any:
    """Return the type of a number for a constant's or an enum member's, other types as they are."""
    if isinstance(kind, types.IntegerLiteral):
        return kind.literal_type
    return kind.dtype if isinstance(kind, types.IntEnumMember) else kind


def _compile(function: Callable[..., Any], **options: Any) -> Any:
    """Compile a function as a part of kernels, once for all numbers.

    Left alone, numba compiles it anew for each constant that somebody calls it with. Called from
    Python (a test may do so), it is compiled once more, to stand alone.
    """
    options |= _OPTIONS
    part: Any = njit(**options, **_PART)(function)
    if COMPILED:
        template = part.get_call_template

        def get_call_template(args: Any, kws: Any) -> Any:
            return template(
                tuple(map(_number, args)), {name: _number(kind) for name, kind in kws.items()}
            )

        alone = njit(**options)(function)
        part.get_call_template = get_call_template
        part.add_overload = lambda made: part.overloads.update({tuple(made.signature.args): made})
        part._compile_for_args = lambda *_args, **_kws: alone
    return part


def rule(function: Callable[..., Any]) -> Any:
    """Compile a function that is inlined where it is called: the hot path of a game."""
    return _compile(function, forceinline=True, _nrt=_counts(function))


def rare(function: Callable[..., Any]) -> Any:
    """Compile a function that is called and not inlined: what happens seldom or in many places.

    Said explicitly: otherwise numba hands the option down from a rule to whatever it calls, and a
    kernel of many functions becomes one that takes minutes to compile.
    """
    return _compile(function, forceinline=False, _nrt=_counts(function))


def with_arrays(function: Callable[..., Any]) -> Any:
    """Compile a function of ours that makes arrays to work in, and is called, not inlined."""
    return _compile(function, forceinline=False, _nrt=True)


def entry(signature: Any, function: Callable[..., Any], *, makes_arrays: bool = False) -> Any:
    """Compile a function that is run by itself, or take it from numba's cache on disk."""
    return njit(
        signature,
        cache=True,
        pipeline_class=_EntryCompiler,
        _nrt=makes_arrays,
        **_OPTIONS,
    )(function)


if COMPILED:

    @intrinsic
    def selected(_context: Any, items: Any, place: Any) -> Any:
        """Return an item of a tuple of equal types without a jump, which could not be guessed.

        An index becomes a jump by a table. A place outside the tuple gives the first item.
        """

        def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            values, wanted = arguments
            item = builder.extract_value(values, 0)
            for number in range(1, items.count):
                here = builder.icmp_signed("==", wanted, wanted.type(number))
                item = builder.select(here, builder.extract_value(values, number), item)
            return item

        return items.dtype(items, place), build

    def _zeros(count: str) -> Any:
        """Return the function that counts a number's zero bits from one end: one instruction."""

        def build(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            # of a number without any one there are 64
            return getattr(builder, count)(arguments[0], ir.Constant(ir.IntType(1), 0))

        def typed(_context: Any, bits: Any) -> Any:
            if bits == types.int64:
                return types.int64(types.int64), build
            return None

        return intrinsic(typed)

    zeros_below, zeros_above = _zeros("cttz"), _zeros("ctlz")

else:

    def selected(items: Any, place: Any) -> Any:
        """Return an item of a tuple."""
        return items[place]

    def zeros_below(bits: int) -> int:
        """Return the number of zero bits below the lowest one of 64."""
        return int(bits & -bits).bit_length() - 1 if bits != 0 else 64

    def zeros_above(bits: int) -> int:
        """Return the number of zero bits above the highest one of 64."""
        return 64 - (int(bits) & 2**64 - 1).bit_length()
