"""The two sides of a diff, from what the command line names."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence

import click

from smemdsl.api import Scenario, loads
from smemdsl.cli.batch import Batch, settings_of
from smemdsl.core.errors import Diagnostic, ScenarioError
from smemdsl.judging.plan import Options
from smemdsl.judging.verdict import Verdict
from smemdsl.review.changes import Diff, compare
from smemdsl.review.git import DECLARES, Revision, files_here, is_revision, read_revision
from smemdsl.review.growth import Growth
from smemdsl.review.live import snapshot
from smemdsl.review.state import Snapshot
from smemdsl.review.stored import is_result, read_result
from smemdsl.source import discovery


class DiffInputs:
    """Reads sides; what overrides the files holds for both."""

    def __init__(self, settings: Mapping[str, str], budgets: Sequence[str], options: Options) -> None:
        self.settings = settings
        self.budgets = budgets
        self.options = options
        flags = {"--set": settings, "--budget": budgets, "--policy": options.policy, "--align": options.align}
        self.overrides = tuple(flag for flag, value in flags.items() if value)

    def verdicts(self, scenario: Scenario) -> Sequence[Verdict]:
        """The verdicts of the file as it stands, or with what overrides it."""
        if self.overrides:
            return scenario.verdicts_with(settings_of(scenario, self.settings), self.budgets, self.options)
        return scenario.own_verdicts(self.options)

    def compare(self, old: str, new: str, limits: Sequence[Growth]) -> Diff:
        """The diff of two results, files or folders; of two files, what they hold is held together.

        Raises:
            ScenarioError: a result cannot be read.
        """
        files = all(path == discovery.STDIN or os.path.isfile(path) for path in (old, new))
        return compare(self.side(old), self.side(new), limits=limits, together=files)

    def side(self, path: str) -> Snapshot:
        """One result, file, folder, or git revision where no path is called so."""
        if path == discovery.STDIN or os.path.isfile(path):
            text = discovery.read(discovery.Source(path, discovery.printable(path)))
            if isinstance(text, discovery.Text) and is_result(text):
                if self.overrides:
                    raise click.UsageError(f"{self.overrides[0]} needs scenarios, and {path} is a result")
                return read_result(text)
        if not os.path.lexists(path) and _is_empty(path) and is_revision(path):
            return self.past(path, read_revision(path, (), parted=False))
        return self.live(path, Batch((path,)), path if os.path.isdir(path) else "")

    def past(self, revision: str, found: Revision) -> Snapshot:
        """The scenarios of a revision, judged; what is wrong with them is a warning: nobody can mend it."""
        scenarios, problems = _loaded(found.texts)
        snap = snapshot(revision, scenarios, self.verdicts)
        told = (*found.problems, *problems, *snap.diagnostics)
        past = tuple(_of_revision(revision, problem) for problem in told)
        return snap._replace(diagnostics=past, invalid=0, verified=not self.overrides, notes=found.notes)

    def live(self, name: str, batch: Batch, root: str = "") -> Snapshot:
        """The scenarios of a batch, judged."""
        batch.check_flags(self.budgets, set=self.settings)
        found = snapshot(name, batch.scenarios, self.verdicts, root=root)
        return found._replace(
            verified=not self.overrides,
            diagnostics=(*batch.diagnostics, *found.diagnostics),
            invalid=batch.invalid + found.invalid,
        )

    def against(self, revision: str, paths: Sequence[str], limits: Sequence[Growth]) -> Diff:
        """The diff of the working tree against a git revision.

        Raises:
            ScenarioError: git does not know the revision.
        """
        found = read_revision(revision, paths)
        old = self.past(revision, found)
        there = _present(paths, found.matched) if paths else _declared(files_here())
        new = self.live("the working tree", Batch(there))
        still = {f"{revision}:{problem.path}" for problem in new.diagnostics}
        told = tuple(problem for problem in old.diagnostics if problem.path not in still)
        return compare(old._replace(diagnostics=told), new, found.renamed, limits)


def _loaded(texts: Iterable[discovery.Text]) -> tuple[list[Scenario], list[Diagnostic]]:
    scenarios: list[Scenario] = []
    problems: list[Diagnostic] = []
    for text in texts:
        try:
            scenarios.append(loads(text.text, text.shown))
        except ScenarioError as error:
            problems += error.diagnostics
    return scenarios, problems


def _of_revision(revision: str, diagnostic: Diagnostic) -> Diagnostic:
    return diagnostic._replace(path=f"{revision}:{diagnostic.path}", severity="warning")


def _present(paths: Sequence[str], before: Collection[str]) -> list[str]:
    """The paths without those under which everything is gone since."""
    return [path for path in paths if path not in before or not _is_empty(path)]


def _is_empty(path: str) -> bool:
    return all(isinstance(found, Diagnostic) for found in discovery.find((path,)))


def _declared(files: Iterable[str]) -> list[str]:
    """The files that declare themselves scenarios."""
    found = []
    for file in files:
        text = discovery.read(discovery.Source(file, file))
        if isinstance(text, discovery.Text) and DECLARES.search(text.text):
            found.append(file)
    return found
