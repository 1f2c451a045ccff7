"""Every combination of a scenario's controls, judged beforehand: a page cannot judge."""

from __future__ import annotations

from typing import NamedTuple

from smemdsl.api import Scenario
from smemdsl.core.errors import ConstraintError, FaultError
from smemdsl.judging.fill import judge_filled
from smemdsl.judging.plan import Options, broken_constraint
from smemdsl.judging.result import INVALID
from smemdsl.judging.verdict import FAIL
from smemdsl.output.report.controls import Choices, ControlSettings
from smemdsl.output.report.layouts import outcomes
from smemdsl.output.report.model import Case
from smemdsl.scenario.spec import BudgetSpec


class Question(NamedTuple):
    """What is to be worked out of a scenario."""

    scenario: Scenario
    given: ControlSettings
    """Values that stand in for the file's in every combination."""
    choices: Choices
    budgets: tuple[BudgetSpec, ...]
    options: tuple[Options, ...]
    """One a policy."""

    @property
    def size(self) -> int:
        """Verdicts to come to."""
        count = len(self.budgets) * len(self.options)
        for control in self.choices.controls:
            count *= len(control.values)
        return count


def other_cases(question: Question) -> tuple[Case, ...]:
    """All cases but that of the initial values, of which `check` knows more: what the file expects."""
    combinations = question.choices.combinations()
    del combinations[question.choices.base]
    return tuple(_case(question, {**question.given, **settings}) for settings in combinations)


def _case(question: Question, settings: ControlSettings) -> Case:
    spec, budgets = question.scenario.spec, question.budgets
    try:
        of_policies = [list(judge_filled(spec, settings, budgets, o)) for o in question.options]
    except FaultError as error:
        word = FAIL if isinstance(error, ConstraintError) else INVALID
        return Case((), word, str(error))
    verdicts = [verdict for of_budget in zip(*of_policies, strict=True) for verdict in of_budget]
    if broken := verdicts[0].plan.violated:
        return Case((), FAIL, "; ".join(broken_constraint(one).message for one in broken))
    return Case(outcomes(verdicts))
