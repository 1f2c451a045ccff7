"""What a report needs beside the verdicts: every combination of its controls, on one core or several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from smemdsl.cli.judge_scenarios import WORTH
from smemdsl.cli.progress import Progress
from smemdsl.execution import processes
from smemdsl.output.report.cases import Question, other_cases
from smemdsl.output.report.model import Case

_SEARCH, _PROGRAM, _PACKING = 0.5, 0.005, 0.0005
"""Seconds of a combination: under the policy that searches, to lower a program, and otherwise."""


def answers(questions: Sequence[Question], jobs: int | None) -> Iterator[tuple[Case, ...]]:
    """The answers, in order.

    Args:
        questions: What is to be worked out.
        jobs: Processes; None: as many as there are cores, if there is enough to do.
    """
    progress = Progress(sum(question.size for question in questions))
    done = 0
    try:
        for question, found in zip(questions, _answers(questions, jobs), strict=True):
            done += question.size
            progress.show(done, done)
            yield found
    finally:
        progress.clear()


def _answers(questions: Sequence[Question], jobs: int | None) -> Iterator[tuple[Case, ...]]:
    if jobs == 1 or (jobs is None and sum(map(_seconds, questions)) < WORTH):
        yield from map(other_cases, questions)
        return
    executor = processes.Processes(jobs or processes.cores())
    for _, found in executor.imap_ordered(_answer, questions, range(len(questions))):
        yield found


def _answer(questions: Sequence[Question], number: int) -> tuple[Case, ...]:
    return other_cases(questions[number])


def _seconds(question: Question) -> float:
    """About how long it takes."""
    spec = question.scenario.spec
    searches = [option for option in question.options if (option.policy or spec.policy) == "optimal"]
    once = _PROGRAM if spec.program is not None else _PACKING
    return question.size * (once + _SEARCH * len(searches) / len(question.options))
