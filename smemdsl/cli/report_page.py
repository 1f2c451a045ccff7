"""From the results of a run to the page of `smemdsl report`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from smemdsl.cli.baseline import read_baseline
from smemdsl.cli.batch import Batch, settings_of
from smemdsl.cli.diff_inputs import DiffInputs
from smemdsl.cli.report_cases import answers
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.plan import Options
from smemdsl.judging.result import Report
from smemdsl.output.report.baseline import NONE, Baseline, beside
from smemdsl.output.report.controls import fair_share
from smemdsl.output.report.gather import ReportSubject, page_of, question_of, subjects_of
from smemdsl.output.report.model import ReportPage
from smemdsl.review.git import is_revision, read_revision
from smemdsl.review.live import states_of
from smemdsl.review.state import Snapshot
from smemdsl.review.stored import is_result
from smemdsl.source import discovery


class PageRequest(NamedTuple):
    """What was asked for."""

    paths: tuple[str, ...]
    title: str
    settings: Mapping[str, str]
    budgets: tuple[str, ...]
    options: tuple[Options, ...]
    """One a policy."""
    overridden: bool
    """Something of the files is, so that what they expect was not looked at."""
    combinations: int | None
    baseline: str | None
    jobs: int | None


def make_page(report: Report, batch: Batch, request: PageRequest) -> ReportPage:
    """The page of a run.

    Raises:
        ScenarioError: the baseline cannot be read.
    """
    subjects = subjects_of(report, batch.scenarios, len(request.options))
    compared = _baseline(request.baseline, subjects, request) if request.baseline is not None else NONE
    most = request.combinations or fair_share(len(subjects))
    questions = [
        question_of(
            subject,
            subject.scenario.choices(settings_of(subject.scenario, request.settings)),
            request.options,
            most,
        )
        for subject in subjects
    ]
    found = zip(subjects, questions, answers(questions, request.jobs), strict=True)
    return page_of(request.title, report, found, compared)


def _baseline(name: str, subjects: Sequence[ReportSubject], request: PageRequest) -> Baseline:
    root = request.paths[0] if len(request.paths) == 1 and os.path.isdir(request.paths[0]) else ""
    states = [state for one in subjects for state in states_of(one.scenario, one.budgets, root)]
    new = Snapshot("the scenarios", tuple(states), verified=not request.overridden)
    old, renamed = _old(name, request)
    return beside(old, new, renamed)


def _old(name: str, request: PageRequest) -> tuple[Snapshot, Mapping[str, str]]:
    """The old side: a stored result, scenarios judged as those of the page, or a git revision."""
    sides = DiffInputs(request.settings, request.budgets, request.options[0])
    if os.path.isfile(name):
        text = discovery.read(discovery.Source(name, discovery.printable(name)))
        if not isinstance(text, discovery.Text) or is_result(text):
            return read_baseline(name), {}
    if os.path.lexists(name):
        return sides.side(name), {}
    if not is_revision(name, request.paths):
        message = "is not a file, a folder or a git revision"
        raise ScenarioError([discovery.problem("--baseline", "not-found", f"{name!r} {message}")])
    found = read_revision(name, request.paths)
    return sides.past(name, found), found.renamed
