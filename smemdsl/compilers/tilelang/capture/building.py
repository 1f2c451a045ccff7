"""From the name that a user gives to a prim_func and the pass options that it is compiled with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from smemdsl.compilers.capture.failing import CaptureError, attempt, described, no_kernel
from smemdsl.compilers.capture.loading import Tensor
from smemdsl.compilers.capture.user_frame import in_file
from smemdsl.compilers.tilelang.capture.compiler import module


class Built(NamedTuple):
    """A prim_func before the passes, and the pass options that its source asks for."""

    func: Any
    options: Mapping[str, Any]


class Kept(NamedTuple):
    """Stands for the kernel object that `tilelang.compile` would return, had it a GPU."""

    func: Any
    options: Mapping[str, Any]

    def __call__(self, *_: Any, **__: Any) -> None:
        """Do nothing: a file may run its kernel when it is imported."""


def build(found: Any, args: Mapping[str, Any], target: Any, file: str) -> Built:
    """The prim_func that an object of the user's file stands for, with all pass options of its source.

    Raises:
        CaptureError: it is not a kernel, or a factory turns its arguments down, or raises.
    """
    return with_own_options(_build(found, args, target, file))


def with_own_options(built: Built) -> Built:
    """Those that the function itself states come in too; those given to the compiler win."""
    attrs = built.func.attrs
    own = options_of(attrs["tilelang_pass_configs"]) if attrs and "tilelang_pass_configs" in attrs else {}
    return Built(built.func, {**own, **built.options})


def _build(found: Any, args: Mapping[str, Any], target: Any, file: str) -> Built:
    """The prim_func that an object of the user's module stands for.

    It is a prim_func, a kernel object, a factory under `tilelang.jit` or `tilelang.autotune`, or a plain
    function that returns one of these.

    """
    values = {name: _tensor(value) if isinstance(value, Tensor) else value for name, value in args.items()}
    jit = getattr(found, "jit_impl", found)
    if hasattr(jit, "get_tir"):
        with target:
            func = _call(jit.get_tir, values, file)
        return Built(func, options_of(getattr(jit, "pass_configs", None)))
    if callable(found) and not _is_kernel(found):
        found, values = _call_plain(found, values, target, file), {}
    if isinstance(found, Kept):
        return Built(*found)
    if _is_compiled(found):
        return Built(found.prim_func, options_of(getattr(found, "pass_configs", None)))
    if isinstance(found, module("tvm.tirx").PrimFunc):
        if values:
            raise CaptureError("capture-args", "a prim_func takes no --arg", "only a factory does")
        return Built(found, {})
    raise no_kernel(found, "a prim_func or a @tilelang.jit factory")


def _is_kernel(found: Any) -> bool:
    return isinstance(found, Kept | module("tvm.tirx").PrimFunc) or _is_compiled(found)


def _is_compiled(found: Any) -> bool:
    """Whether it is a kernel object; `tilelang.language` has a `prim_func` too, which makes some."""
    return isinstance(getattr(found, "prim_func", None), module("tvm.tirx").PrimFunc)


def options_of(configs: Mapping[Any, Any] | None) -> dict[str, Any]:
    """Pass options under their plain names."""
    return {str(getattr(key, "value", key)): value for key, value in (configs or {}).items()}


def _call(function: Callable[..., Any], values: Mapping[str, Any], file: str) -> Any:
    """What a factory makes; a call that does not get as far as the file has the wrong arguments."""
    try:
        return attempt("capture-compile", "the factory raises", lambda: function(**values))
    except CaptureError as error:
        cause = error.__cause__
        if not isinstance(cause, TypeError) or in_file(cause, file):
            raise
        hint = "give its arguments by --arg NAME=VALUE"
        raise CaptureError(
            "capture-args", f"the factory cannot be called: {described(cause)}", hint
        ) from cause


def _call_plain(function: Callable[..., Any], values: Mapping[str, Any], target: Any, file: str) -> Any:
    with target:
        return _call(function, values, file)


@contextmanager
def kept_kernels() -> Iterator[list[Kept]]:
    """Within, compiling makes no kernel but keeps what would be compiled, here in order.

    Where the compiler does not load, nothing is changed; whatever needs it says so.
    """
    try:
        tilelang, jit = module("tilelang"), module("tilelang.jit")
    except CaptureError:
        yield []
        return
    kept: list[Kept] = []

    def keep(func: Any = None, *_: Any, pass_configs: Any = None, **__: Any) -> Kept:
        kept.append(Kept(func, options_of(pass_configs)))
        return kept[-1]

    before = tilelang.compile, jit.compile
    tilelang.compile = jit.compile = keep
    try:
        yield kept
    finally:
        tilelang.compile, jit.compile = before


def _tensor(value: Tensor) -> Any:
    torch = module("torch")
    dtype = getattr(torch, value.dtype, None)
    if not isinstance(dtype, torch.dtype):
        raise CaptureError("capture-args", f"PyTorch has no dtype {value.dtype!r}")
    return torch.empty(value.shape, dtype=dtype, device="meta")
