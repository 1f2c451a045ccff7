"""The results of a run put together as a page."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from smemdsl.api import Scenario
from smemdsl.core.errors import Diagnostic
from smemdsl.judging.plan import Options
from smemdsl.judging.result import INVALID, Report
from smemdsl.judging.verdict import FAIL, Verdict
from smemdsl.output.formats.findings import findings
from smemdsl.output.formats.tables import changed, counts
from smemdsl.output.report.baseline import Baseline
from smemdsl.output.report.cases import Question
from smemdsl.output.report.controls import ControlSettings, choices_of
from smemdsl.output.report.layouts import outcomes
from smemdsl.output.report.model import Case, ReportEntry, ReportPage, Unjudged


class ReportSubject(NamedTuple):
    """A scenario that was judged: its verdicts, those of all policies on the first budget first."""

    scenario: Scenario
    verdicts: tuple[Verdict, ...]
    policies: int

    @property
    def budgets(self) -> tuple[Verdict, ...]:
        """The first policy's verdict on each budget."""
        return self.verdicts[:: self.policies]


def subjects_of(report: Report, scenarios: Iterable[Scenario], policies: int) -> list[ReportSubject]:
    """The scenarios that have results, in their order."""
    by_path: dict[str, list[Verdict]] = {}
    for result in report.results:
        by_path.setdefault(result.path, []).append(result.verdict)
    return [ReportSubject(s, tuple(by_path[s.path]), policies) for s in scenarios if s.path in by_path]


def question_of(
    subject: ReportSubject, given: ControlSettings, options: Sequence[Options], most: int
) -> Question:
    """What is to be worked out of a scenario beside its verdicts; `most` combinations at most."""
    choices = choices_of(subject.scenario, given, most)
    budgets = tuple(verdict.asked for verdict in subject.budgets)
    return Question(subject.scenario, given, choices, budgets, tuple(options))


def page_of(
    title: str,
    report: Report,
    answered: Iterable[tuple[ReportSubject, Question, Sequence[Case]]],
    baseline: Baseline,
) -> ReportPage:
    """The page of a run.

    Args:
        title: Its heading.
        report: All that was found.
        answered: Each scenario, what was asked about it, and the cases beside its own.
        baseline: What its numbers are compared with.
    """
    problems = tuple(findings(report))
    by_path: dict[str, list[int]] = {}
    for index, problem in enumerate(problems):
        by_path.setdefault(problem.path, []).append(index)
    entries = tuple(_entry(*one, baseline, by_path) for one in answered)
    judged = {entry.path for entry in entries}
    return ReportPage(
        title,
        counts(report),
        (*report.notes, *baseline.notes),
        entries,
        tuple(_unjudged(path, found, problems) for path, found in by_path.items() if path not in judged),
        problems,
        baseline.name,
        baseline.gone,
    )


def _entry(
    subject: ReportSubject,
    question: Question,
    others: Sequence[Case],
    baseline: Baseline,
    problems: Mapping[str, Sequence[int]],
) -> ReportEntry:
    scenario, choices = subject.scenario, question.choices
    own = Case(outcomes(subject.verdicts))
    return ReportEntry(
        scenario.name,
        scenario.path,
        scenario.spec.summary,
        tuple(changed(verdict.plan) for verdict in subject.budgets),
        scenario.params,
        tuple(verdict.budget.name for verdict in subject.budgets),
        tuple(verdict.plan.policy for verdict in subject.verdicts[: subject.policies]),
        choices.controls,
        choices.cut,
        (*others[: choices.base], own, *others[choices.base :]),
        choices.base,
        tuple(problems.get(scenario.path, ())),
        baseline.of.get(scenario.path),
    )


def _unjudged(path: str, found: Sequence[int], problems: Sequence[Diagnostic]) -> Unjudged:
    is_ruled_out = all(problems[i].code == "constraint" for i in found)
    return Unjudged(path, FAIL if is_ruled_out else INVALID, tuple(found))
