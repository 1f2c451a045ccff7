"""`check --update-expect`: the files under the given paths get the numbers that hold."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterable

import click

from smemdsl.api import Scenario, loads
from smemdsl.cli.atomic_write import write_whole
from smemdsl.cli.batch import Batch
from smemdsl.cli.output import say
from smemdsl.core.errors import DocPath, FaultError, ScenarioError
from smemdsl.judging.expect import own_misses
from smemdsl.judging.plan import Options, make_plan
from smemdsl.judging.unmet_expectations import UnmetExpectation
from smemdsl.review.update_expect import Updated, update
from smemdsl.source.discovery import problem


def update_expectations(batch: Batch, options: Options) -> None:
    """Rewrite the expected numbers of every scenario that can be judged, on disk and in the batch.

    Raises:
        click.UsageError: a scenario comes from stdin or ships with smemdsl.
    """
    if fixed := [s.path for s in batch.scenarios if s.path not in batch.files]:
        raise click.UsageError(f"--update-expect rewrites files, and {fixed[0]} is none")
    for i, scenario in enumerate(batch.scenarios):
        updated = _updated(scenario, options)
        if not updated.updates:
            continue
        try:
            _write(batch.files[scenario.path], updated.text)
        except OSError as error:
            message = f"cannot be written: {error.strerror}"
            batch.diagnostics.append(problem(scenario.path, "unwritable", message))
            continue
        except ScenarioError as error:
            batch.diagnostics.extend(error.diagnostics)
            continue
        batch.scenarios[i] = loads(updated.text, scenario.path)
        for item in updated.updates:
            note = f"{scenario.path}: {_name(item.where)}: {item.before} -> {item.after}"
            say(f"updated {note}\n", sys.stderr)


def _updated(scenario: Scenario, options: Options) -> Updated:
    """The text with the numbers that hold; as it is where it cannot be judged, which `check` then reports."""

    def misses(text: str) -> Iterable[UnmetExpectation]:
        spec = loads(text, scenario.path).spec
        return own_misses(make_plan(spec, None, options))

    try:
        return update(scenario.document.text, misses)
    except (FaultError, ScenarioError):
        return Updated(scenario.document.text, ())


def _name(where: DocPath) -> str:
    return ".".join(map(str, where))


def _write(file: str, text: str) -> None:
    """Replace the text of a file; a byte-order mark and the ends of lines stay."""
    with open(file, "rb") as stream:
        mark = codecs.BOM_UTF8 if stream.read(3) == codecs.BOM_UTF8 else b""
    write_whole(file, mark + text.encode())
