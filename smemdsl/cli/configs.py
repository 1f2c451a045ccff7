"""Lists of configurations in files: json, yaml or csv, by the file's ending."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol

from smemdsl.cli import autotuners
from smemdsl.core.errors import Diagnostic, DocPath, Fault, ScenarioError
from smemdsl.source import discovery, document
from smemdsl.source.document import Document


class Diagnose(Protocol):
    """What is wrong with a value of a configuration, at its place in the file."""

    def __call__(self, name: str, code: str, message: str, hint: str = "") -> Diagnostic:
        """The diagnostic for the parameter of that name."""


class RawConfig(NamedTuple):
    """Values of parameters, as written."""

    values: dict[str, Any]
    diagnose: Diagnose


def read_configs(path: str) -> list[RawConfig]:
    """The configurations of a file: a list of mappings, or a csv table with the names in its first line.

    A mapping may also be Triton's `RawConfig`: parameters in `kwargs`, options beside it.

    Raises:
        ScenarioError: the file cannot be read, or holds something else.
    """
    shown = discovery.printable(path)
    text = discovery.read(discovery.Source(path, shown))
    if isinstance(text, Diagnostic):
        raise ScenarioError([text])
    configs = _from_csv(text) if path.lower().endswith(".csv") else _from_yaml(text)
    if not configs:
        raise ScenarioError([discovery.problem(shown, "configs", "lists no configuration")])
    return configs


def _from_yaml(text: discovery.Text) -> list[RawConfig]:
    """YAML, of which JSON is a part."""
    source = document.parse(text.shown, text.text)
    items = source.value
    if not isinstance(items, list):
        message = "expected a list of configurations, each a mapping of parameters to values"
        raise ScenarioError([source.diagnose(Fault((), "configs", message))])
    if faults := [fault for i, item in enumerate(items) for fault in _item_faults(item, i)]:
        raise ScenarioError(map(source.diagnose, faults))
    return [_config(source, i, item) for i, item in enumerate(items)]


def _config(source: Document, index: int, item: dict[str, Any]) -> RawConfig:
    found = list(autotuners.entries(item))
    places: dict[str, DocPath] = {name: (index, *where) for where, name, _ in found}
    return RawConfig({name: value for _, name, value in found}, partial(_in_yaml, source, places))


def _item_faults(item: Any, index: int) -> Iterator[Fault]:
    if not isinstance(item, dict) or not item:
        yield Fault((index,), "configs", "a configuration is a mapping of parameters to values")
        return
    yield from autotuners.faults(item, (index,))
    for where, name, value in autotuners.entries(item):
        if not isinstance(value, (int, str)) or value == "":
            message = f"{name} must be an integer, true, false, a dtype or an expression"
            yield Fault((index, *where), "configs", message)


def _in_yaml(
    source: Document, places: Mapping[str, DocPath], name: str, code: str, message: str, hint: str = ""
) -> Diagnostic:
    return source.diagnose(Fault(places[name], code, message, hint))


def without_launch_options(
    configs: Sequence[RawConfig], params: Collection[str]
) -> tuple[list[RawConfig], str]:
    """The configurations without what only says how a kernel is launched, and a note of what was left out.

    A launch option that some scenario has as a parameter stays.
    """
    left_out = autotuners.launch_options((config.values for config in configs), params)
    kept = [
        config._replace(values=autotuners.without(config.values, left_out)) if left_out else config
        for config in configs
    ]
    return kept, autotuners.note(left_out)


def _from_csv(text: discovery.Text) -> list[RawConfig]:
    """A table; an empty cell leaves the parameter as the file has it."""
    reader = csv.reader(io.StringIO(text.text), strict=True)
    configs: list[RawConfig] = []
    names: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            line = partial(_in_csv, text, reader.line_num)
            row = [cell.strip() for cell in cells]
            if not names:
                names = _checked(row, line)
                continue
            if len(row) != len(names):
                message = f"{len(row)} cells, where the first line has {len(names)}"
                raise ScenarioError([line("", "configs", message)])
            pairs = zip(names, row, strict=True)
            configs.append(
                RawConfig({name: document.parse_scalar(cell) for name, cell in pairs if cell}, line)
            )
    except csv.Error as error:
        raise ScenarioError([_in_csv(text, reader.line_num, "", "configs", str(error))]) from None
    return configs


def _checked(names: Sequence[str], line: Diagnose) -> list[str]:
    """The names of the columns, each there and there once."""
    wrong = [
        line(name, "configs", f"{name!r} heads two columns" if name else "a column has no name")
        for i, name in enumerate(names)
        if not name or name in names[:i]
    ]
    if wrong:
        raise ScenarioError(wrong)
    return list(names)


def _in_csv(
    text: discovery.Text, line: int, name: str, code: str, message: str, hint: str = ""
) -> Diagnostic:
    lines = document.lines_of(text.text)
    source = lines[line - 1] if line <= len(lines) else ""
    return Diagnostic(text.shown, line, 1, "error", code, message, hint, source)
