"""The kernels that a file compiles when its own entry points run. Runs in the worker."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from smemdsl.compilers.capture.failing import CaptureError, attempt
from smemdsl.compilers.tilelang.capture.building import Built, options_of, with_own_options
from smemdsl.compilers.tilelang.capture.compiler import module

MOST = 4
"""Kernels of one file; an autotuner would give hundreds."""
ALIKE = 1
"""Kernels of one name in one file: with other parameters."""
ENTRIES = ("main", "run_regression_perf")


class EnoughError(Exception):
    """No more kernels of this file are wanted."""


class Stub:
    """Stands for a compiled kernel: calls give tensors without data, all else gives another stub."""

    def __init__(self, func: Any = None, out: Any = None) -> None:
        self.prim_func, self.out = func, out

    def __call__(self, *args: Any, **_: Any) -> Any:
        """Output tensors, where the kernel has them; of anything else, a number."""
        return _Number(1.0) if self.prim_func is None else _outputs(self.prim_func, self.out, args)

    def __getattr__(self, name: str) -> Stub:
        """A profiler, a source, a latency: all stubs."""
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub()


class _Number(float):
    """A measured time, or whatever else was asked for."""

    def __getattr__(self, name: str) -> Stub:
        if name.startswith("__"):
            raise AttributeError(name)
        return Stub()


def _outputs(func: Any, out: Any, args: tuple[Any, ...]) -> Any:
    torch = module("torch")
    attrs = func.attrs
    indexes = (
        out if out is not None else list(attrs["tilelang_out_idx"]) if "tilelang_out_idx" in attrs else []
    )
    params = list(func.params)
    tensors = []
    for index in [indexes] if isinstance(indexes, int) else indexes:
        buffer = func.buffer_map[params[int(index)]]
        shape = [int(extent) if hasattr(extent, "value") else 128 for extent in buffer.shape]
        dtype = getattr(torch, str(buffer.dtype), torch.float32)
        tensors.append(torch.empty(shape, dtype=dtype, device="meta"))
    return tensors[0] if len(tensors) == 1 else tensors or None


@contextmanager
def recorded() -> Iterator[list[Built]]:
    """Within, what would be compiled is kept, here in order, each once."""
    tilelang, jit, tuner = (module(f"tilelang{name}") for name in ("", ".jit", ".autotuner.tuner"))
    kept: list[Built] = []
    before = tilelang.compile, jit.compile, tuner.AutoTuneImpl.__call__
    seen: set[str] = set()
    alike: Counter[str] = Counter()

    def keep(func: Any = None, out_idx: Any = None, *_: Any, pass_configs: Any = None, **__: Any) -> Stub:
        built = with_own_options(Built(func, options_of(pass_configs)))
        text = f"{func.script()}{sorted(map(str, built.options.items()))}"
        name = str(func.attrs["global_symbol"]) if "global_symbol" in func.attrs else ""
        if text not in seen and alike[name] < ALIKE:
            kept.append(built)
            alike[name] += 1
        seen.add(text)
        if len(kept) >= MOST:
            raise EnoughError
        return Stub(func, out_idx)

    tilelang.compile = jit.compile = keep
    tuner.AutoTuneImpl.__call__ = _first_configuration
    try:
        yield kept
    finally:
        tilelang.compile, jit.compile, tuner.AutoTuneImpl.__call__ = before


def _first_configuration(tuned: Any, *args: Any, **kwargs: Any) -> Any:
    """What an autotuner would try first."""
    configs = tuned.configs(*args, **kwargs) if callable(tuned.configs) else tuned.configs
    first: Mapping[str, Any] = dict(configs[0]) if configs else {}
    return tuned.jit_impl(*args, **{**first, **kwargs})


def run_entries(user: ModuleType) -> Iterator[str]:
    """Run a file's entry points and tests; why each that ended early did."""
    for name, entry in _entries(user):
        try:
            attempt("entry", name, entry)
        except CaptureError as error:
            if "EnoughError" in str(error):
                return
            yield str(error).splitlines()[0][:200]


def _entries(user: ModuleType) -> Iterator[tuple[str, Callable[[], object]]]:
    for name, value in list(vars(user).items()):
        wanted = name in ENTRIES or name.startswith(("test_", "run_"))
        if (
            wanted
            and inspect.isfunction(value)
            and value.__module__ == user.__name__
            and _needs_nothing(value)
        ):
            yield name, value


def _needs_nothing(function: Callable[..., object]) -> bool:
    parameters = inspect.signature(function).parameters.values()
    return all(p.default is not p.empty or p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)
