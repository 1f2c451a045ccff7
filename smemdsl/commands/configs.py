"""Lists of configurations in files: json, yaml or csv, by the file's ending."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from smemdsl import discovery, document
from smemdsl.errors import Diagnostic, Fault, ScenarioError

Config = dict[str, Any]


def read_configs(path: str) -> list[Config]:
    """The configurations of a file: a list of mappings, or a csv table with the names in its first line.

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


def _from_yaml(text: discovery.Text) -> list[Config]:
    """YAML, of which JSON is a part."""
    source = document.parse(text.shown, text.text)
    items = source.value
    if not isinstance(items, list):
        fault = Fault(
            (), "configs", "a list of configurations is wanted, each a mapping of parameters to values"
        )
        raise ScenarioError([source.diagnose(fault)])
    faults = [fault for i, item in enumerate(items) for fault in _item_faults(item, i)]
    if faults:
        raise ScenarioError(map(source.diagnose, faults))
    return items


def _item_faults(item: Any, index: int) -> Iterator[Fault]:
    if not isinstance(item, dict) or not item:
        yield Fault((index,), "configs", "a configuration is a mapping of parameters to values")
        return
    for name, value in item.items():
        if not isinstance(value, (int, str)) or value == "":
            yield Fault(
                (index, name), "configs", f"{name} must be an integer, true, false, a dtype or an expression"
            )


def _from_csv(text: discovery.Text) -> list[Config]:
    """A table; an empty cell leaves the parameter as the file has it."""
    reader = csv.reader(io.StringIO(text.text), strict=True)
    configs: list[Config] = []
    names: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not names:
                names = [cell.strip() for cell in cells]
                continue
            if len(cells) != len(names):
                raise _bad_row(
                    text, reader.line_num, f"{len(cells)} cells, where the first line has {len(names)}"
                )
            pairs = zip(names, map(str.strip, cells), strict=True)
            configs.append({name: document.parse_scalar(cell) for name, cell in pairs if cell})
    except csv.Error as error:
        raise _bad_row(text, reader.line_num, str(error)) from None
    return configs


def _bad_row(text: discovery.Text, line: int, message: str) -> ScenarioError:
    lines = document.lines_of(text.text)
    source = lines[line - 1] if line <= len(lines) else ""
    return ScenarioError([Diagnostic(text.shown, line, 1, "error", "configs", message, "", source)])
