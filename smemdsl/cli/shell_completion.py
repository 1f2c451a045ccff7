"""What a shell offers where the tab key is pressed: scenarios, devices, parameters, codes.

Each is looked up only then. A file that is not sound offers nothing, and nothing is said about it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from smemdsl.source.discovery import BUILTIN

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

_MOST_FILES = 20
"""Scenarios that are read for the names of their parameters."""
_SUFFIXES = (".yaml", ".yml", ".csv", ".json")
"""What a scenario, a table of intervals and a stored result end in."""


def scenarios(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Scenario files and folders, and those that ship."""
    folder, begin = os.path.split(incomplete)
    if incomplete.startswith(BUILTIN):
        return _of(builtins(), incomplete)
    found = _files(folder, begin)
    if len(found) == 1 and found[0].endswith("/"):
        return _items([incomplete], "dir")  # the shell goes on below, without a blank
    if BUILTIN.startswith(incomplete):
        found.append(BUILTIN)
    return _items(found)


def builtins() -> Iterator[str]:
    """The names of the scenarios that ship."""
    from smemdsl.source.discovery import Source, find

    return (found.shown for found in find((BUILTIN,)) if isinstance(found, Source))


def _files(folder: str, begin: str) -> list[str]:
    try:
        entries = sorted(os.scandir(folder or os.curdir), key=lambda entry: entry.name)
    except (OSError, ValueError):
        return []
    found = []
    for entry in entries:
        if entry.name.startswith(begin) and (begin or not entry.name.startswith(".")):
            path = os.path.join(folder, entry.name)
            if entry.is_dir():
                found.append(f"{path}/")
            elif entry.name.endswith(_SUFFIXES):
                found.append(path)
    return found


def budgets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Devices, and their memories once a slash is typed."""
    from smemdsl.devices import presets

    names = dict.fromkeys([*_devices(), *(preset.name for preset in presets())])
    return _of((name for name in names if "/" not in name or "/" in incomplete), incomplete)


def device_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Devices."""
    return _of(_devices(), incomplete)


def _devices() -> Iterator[str]:
    """Every device by its canonical name, and products as they are written without blanks; no number."""
    from smemdsl.devices import devices

    for device in devices():
        if device.primary is None:  # one of its memories has to be named
            continue
        yield device.id
        names = (name for product in device.products for name in product.names)
        yield from (name for name in names if not name.isdigit() and " " not in name)


def settings(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The parameters of the scenarios that are named, each with its equals sign."""
    return _of((f"{name}=" for name in _parameters(ctx)), incomplete)


def parameters(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The parameters of the scenarios that are named."""
    return _of(_parameters(ctx), incomplete)


def _parameters(ctx: click.Context) -> list[str]:
    named = ctx.params.get("paths") or ctx.params.get("file") or ()
    paths = (named,) if isinstance(named, str) else named
    left = ctx.args  # of a line that ends in an option, click leaves what is not an option here
    return list(dict.fromkeys(_names(path for path in (*paths, *left) if path != "-")))


def _names(paths: Iterable[str]) -> Iterator[str]:
    from itertools import islice

    from smemdsl.api import loads
    from smemdsl.core.errors import ScenarioError
    from smemdsl.source.discovery import Source, Text, find, read

    for found in islice(find(tuple(paths)), _MOST_FILES):
        text = read(found) if isinstance(found, Source) else found
        try:
            yield from loads(text.text, text.shown).params if isinstance(text, Text) else ()
        except ScenarioError:
            continue


def codes(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Codes of errors and warnings."""
    from smemdsl.rules.catalogue import names as known

    return _of(known(), incomplete)


def revisions(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Branches and tags."""
    from smemdsl.review.repository import revisions as known

    return _of(known(), incomplete)


def outputs(*styles: str) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    """Formats, each with its colon; the shell completes the file behind it."""

    def offer(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return _of((f"{style}:" for style in styles), incomplete)

    return offer


def targets(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What kernels are compiled for."""
    return _of((name for name in _devices() if name.startswith("sm_")), incomplete)


def _of(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return _items(name for name in names if name.startswith(incomplete))


def _items(values: Iterable[str], kind: str = "plain") -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(value, type=kind) for value in values]
