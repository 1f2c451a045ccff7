"""Loading a user's Python file, and reading the values that its kernels are given. Runs in the worker."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from smemdsl.capture.failing import CaptureError, attempt
from smemdsl.suggest import did_you_mean

_TENSOR = re.compile(r"(?P<dtype>[a-z]\w*)\[(?P<shape>[\d\s,]*)\]")


class Tensor(NamedTuple):
    """A tensor that an argument stands for: `float16[1024, 64]`."""

    dtype: str
    shape: tuple[int, ...]


@contextmanager
def loaded(file: str) -> Iterator[ModuleType]:
    """The module in a file, run as `import` would run it; its folder is on the path while it is in use.

    Raises:
        CaptureError: it cannot be read, or raises.
    """
    path = Path(file).resolve()
    if not path.is_file():
        raise CaptureError("no-file", "there is no such file")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    loader = spec.loader if spec else None
    if spec is None or loader is None:
        raise CaptureError("capture-import", "this is no Python file", "FILE.py::NAME")
    module = importlib.util.module_from_spec(spec)
    before = set(sys.modules)
    sys.modules[path.stem] = module
    sys.argv = [str(path)]
    sys.path.insert(0, str(path.parent))
    try:
        attempt("capture-import", "the file cannot be imported", lambda: loader.exec_module(module))
        yield module
    finally:
        sys.path.remove(str(path.parent))
        _forget(path, before)


def _forget(path: Path, before: set[str]) -> None:
    """Drop what a file brought along from its own folder, for the next file may have others of the name."""
    for name in set(sys.modules) - before | {path.stem}:
        origin = getattr(sys.modules.get(name), "__file__", None)
        if origin and Path(origin).is_relative_to(path.parent):
            del sys.modules[name]


def find(module: ModuleType, name: str) -> Any:
    """What a module calls by a dotted name.

    Raises:
        CaptureError: there is no such name.
    """
    found: Any = module
    for part in name.split("."):
        if not hasattr(found, part):
            names = [key for key in vars(module) if not key.startswith("_")]
            raise CaptureError("capture-name", f"nothing here is called {name!r}", did_you_mean(name, names))
        found = getattr(found, part)
    return found


def read_value(text: str) -> Any:
    """A value as typed: a Python literal, a tensor, else the text itself (dtypes are texts)."""
    if found := _TENSOR.fullmatch(text.strip()):
        sizes = [part.strip() for part in found["shape"].split(",") if part.strip()]
        return Tensor(found["dtype"], tuple(map(int, sizes)))
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False}.get(text, text)


def read_values(pairs: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Arguments by name."""
    return {name: read_value(text) for name, text in pairs}
