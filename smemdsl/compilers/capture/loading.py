"""Loading a user's Python file, and reading the values that its kernels are given. Runs in the worker."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from smemdsl.compilers.capture.failing import CaptureError, attempt
from smemdsl.core.did_you_mean import did_you_mean

_TENSOR = re.compile(r"(?P<dtype>[a-z]\w*)\[(?P<shape>[\d\s,]*)\]")


class Tensor(NamedTuple):
    """A tensor that an argument stands for: `float16[1024, 64]`."""

    dtype: str
    shape: tuple[int, ...]


@contextmanager
def loaded(file: str) -> Iterator[ModuleType]:
    """The module in a file, run as `import` would run it; its folder is on the path while it is in use.

    A file in a package that imports its neighbours relatively is run as the module of the package.

    Raises:
        CaptureError: it cannot be read, or raises.
    """
    path = Path(file).resolve()
    if not path.is_file():
        raise CaptureError("no-file", "there is no such file")
    root, dotted = in_package(path)
    before, shadowed = set(sys.modules), sys.modules.get(path.stem)
    folders = list(dict.fromkeys([str(path.parent), str(root)]))
    sys.argv = [str(path)]
    sys.path[:0] = folders
    try:
        yield _executed(path, dotted)
    finally:
        for folder in folders:
            sys.path.remove(folder)
        _forget(root, path.stem, before)
        if shadowed is not None:
            sys.modules[path.stem] = shadowed


def in_package(path: Path) -> tuple[Path, str]:
    """The folder that holds a file's outermost package, and the file's module name from there."""
    parts, folder = [path.stem], path.parent
    while (folder / "__init__.py").is_file() and folder != folder.parent:
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts)


def _executed(path: Path, dotted: str) -> ModuleType:
    """The module in a file, run by itself; inside its package, where it cannot do without."""
    try:
        return _run(path.stem, path)
    except CaptureError as error:
        relative = isinstance(error.__cause__, ImportError) and "relative import" in str(error.__cause__)
        if not relative or dotted == path.stem:
            raise
    package = dotted.rpartition(".")[0]
    attempt("capture-import", f"its package {package} cannot be imported", lambda: import_module(package))
    return _run(dotted, path)


def _run(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    loader = spec.loader if spec else None
    if spec is None or loader is None:
        raise CaptureError("capture-import", "this is not a Python file", "FILE.py::NAME")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    attempt("capture-import", "the file cannot be imported", lambda: loader.exec_module(module))
    return module


def _forget(root: Path, stem: str, before: set[str]) -> None:
    """Drop what a file brought along from its own folder, for the next file may have others of the name."""
    for name in set(sys.modules) - before | {stem}:
        origin = getattr(sys.modules.get(name), "__file__", None)
        if origin and Path(origin).is_relative_to(root):
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
