"""Loading many scenarios: one that is bad is reported, and the run goes on with the sound ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from smemdsl.api import Scenario, loads
from smemdsl.cli.executors import connected_executor
from smemdsl.cli.judge_scenarios import JudgeSteps, Lint, judge_all
from smemdsl.cli.output import complain
from smemdsl.cli.progress import told
from smemdsl.core import exit_codes
from smemdsl.core.did_you_mean import did_you_mean
from smemdsl.core.errors import Diagnostic, ExpressionError, ScenarioError, UnknownNameError
from smemdsl.devices import resolve_budget
from smemdsl.judging.result import Report, Result, summarize
from smemdsl.judging.verdict import Verdict
from smemdsl.scenario import expressions
from smemdsl.source import discovery
from smemdsl.source.document import parse_scalar


class Batch:
    """The sound scenarios under some paths, and what is wrong with the others."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.scenarios: list[Scenario] = []
        self.diagnostics: list[Diagnostic] = []
        self.invalid = 0
        self.files: dict[str, str] = {}
        """The file of each path that can be written: neither stdin nor one that ships."""
        self.inputs: list[str] = []
        """Every file that was looked at; `-` is stdin."""
        for found in discovery.find(tuple(paths)):
            text = self._read(found) if isinstance(found, discovery.Source) else found
            if isinstance(text, Diagnostic):
                self.reject([text])
                continue
            try:
                self.scenarios.append(loads(text.text, text.shown))
                if isinstance(found, discovery.Source) and _is_file(found):
                    self.files[found.shown] = found.file
            except ScenarioError as error:
                self.reject(error.diagnostics)

    def _read(self, source: discovery.Source) -> discovery.Text | Diagnostic:
        self.inputs.append(source.file)
        return discovery.read(source)

    def reject(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Count one input that cannot be judged."""
        self.diagnostics += diagnostics
        self.invalid += 1

    def check_flags(self, budgets: Iterable[str] = (), **names: Iterable[str]) -> None:
        """See to it that every budget means something, and that each name is a parameter of some scenario.

        `names` holds the names that each flag gives. What is wrong ends the run, with exit code 2.
        """
        known = dict.fromkeys(name for scenario in self.scenarios for name in scenario.params)
        problems = [problem for text in budgets for problem in _budget_problems(text, known)]
        for flag, given in names.items() if self.scenarios else ():
            problems += [
                _unknown(f"--{flag}", name, known) for name in dict.fromkeys(given) if name not in known
            ]
        if problems:
            complain([*self.diagnostics, *problems])
            raise SystemExit(exit_codes.INVALID)

    def fill(self, fills: Mapping[str, str]) -> None:
        """Give the scenarios that have these parameters other values to fill them with.

        A text that is not a range of integers ends the run, with exit code 2.
        """
        for i, scenario in enumerate(self.scenarios if fills else ()):
            own = {name: text for name, text in fills.items() if name in scenario.params}
            try:
                self.scenarios[i] = scenario.with_fill(**own)
            except ScenarioError as error:
                complain([*self.diagnostics, *error.diagnostics])
                raise SystemExit(exit_codes.INVALID) from None

    def judge(
        self,
        command: str,
        verdicts: Callable[[Scenario], Sequence[Verdict]],
        notes: tuple[str, ...] = (),
        lint: Lint | None = None,
        jobs: int | None = 1,
        policy: str | None = None,
        scheduler: str | None = None,
    ) -> Report:
        """The report of a run; functions give the verdicts of each scenario and what to warn of.

        `jobs` and `policy` are those of `judge_all`. A scheduler that fails ends the run, with exit code 2.
        """
        try:
            with told(f"judging {_size(self.scenarios)}"), connected_executor(scheduler, jobs) as executor:
                everything = list(
                    judge_all(JudgeSteps(verdicts, lint), self.scenarios, jobs, policy, executor)
                )
        except ScenarioError as error:
            complain([*self.diagnostics, *error.diagnostics])
            raise SystemExit(exit_codes.INVALID) from None
        results: list[Result] = []
        failed = 0
        for scenario, judged in zip(self.scenarios, everything, strict=True):
            if judged.fails:
                failed += 1
                self.diagnostics += judged.problems
            elif judged.problems:
                self.reject(judged.problems)
            results += (Result(scenario.path, verdict) for verdict in judged.verdicts)
            self.diagnostics += scenario.diagnose(judged.faults)
        summary = summarize(results, self.invalid, failed)
        return Report(command, tuple(results), tuple(self.diagnostics), summary, notes, failed=failed > 0)


def _size(scenarios: Sequence[Scenario]) -> str:
    """How much there is to judge: `1 scenario, 100,000 buffers`."""
    buffers = sum(len(scenario.spec.buffers) for scenario in scenarios)
    return f"{len(scenarios):,} {'scenario' if len(scenarios) == 1 else 'scenarios'}, {buffers:,} buffers"


def _is_file(source: discovery.Source) -> bool:
    return source.file != discovery.STDIN and not source.shown.startswith(discovery.BUILTIN)


def settings_of(scenario: Scenario, settings: Mapping[str, str]) -> dict[str, int | bool | str]:
    """The settings that this scenario has parameters for, read as the file would read them."""
    names = scenario.params
    return {name: parse_scalar(text) for name, text in settings.items() if name in names}


def _unknown(flag: str, name: str, known: Iterable[str]) -> Diagnostic:
    message = f"no scenario here has a parameter {name!r}"
    return discovery.problem(flag, "unknown-parameter", message, did_you_mean(name, known))


def _budget_problems(text: str, known: Collection[str]) -> Iterator[Diagnostic]:
    """What is wrong with a budget whatever the scenario: no device, no size, no expression."""

    def evaluate(expression: str) -> int:
        names = (*known, "threads", "registers")
        tree = expressions.parse(expression)
        expressions.check_names(tree, names, names)
        return 0 if expressions.names(tree) else expressions.evaluate_number(tree, {})

    try:
        resolve_budget(text, evaluate)
    except (ExpressionError, UnknownNameError) as error:
        yield discovery.problem("--budget", "budget", error.message, error.hint)
