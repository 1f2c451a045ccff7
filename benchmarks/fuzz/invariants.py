"""What holds for every input. Each check raises BrokenError, or lets an internal error or a hang through."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from click.testing import CliRunner, Result

from benchmarks.fuzz.model import BrokenError, Case
from smemdsl import ScenarioError, loads
from smemdsl.api import Scenario
from smemdsl.cli import cli
from smemdsl.core.buffers import Bytes
from smemdsl.judging.plan import ArenaPlan, Options
from smemdsl.packing.validate import violation
from smemdsl.policies import policy_names

FORMATS = ("text", "json", "csv", "markdown", "github", "junit", "sarif")
OPTIMAL_SHARE = 0.1
"""Of the valid inputs: `optimal` takes longer than all other policies together."""
MOST_BUFFERS = 40
"""Of more, the policies are not compared: `optimal` would search."""
RUNNER = CliRunner()


def hold(case: Case, random: Random) -> str:
    """Check a case; the answer is what it was: `valid`, `invalid`, `command`."""
    if case.kind == "command":
        run(case.args, case.text)
        return "command"
    try:
        scenario = loads(case.text)
        plan = scenario.plan()
        scenario.verdicts()  # a budget may have no value
    except ScenarioError as error:
        if not error.diagnostics:
            raise BrokenError("an error without a diagnostic") from None
        if random.random() < 0.05:
            _same(
                "exit code of what the library refuses",
                run(("check", "-"), case.text).exit_code in (1, 2),
                True,
            )
        return "invalid"
    _policies(scenario, plan, random)
    way = random.random()
    if way < 0.04:
        _formats(case.text)
    elif way < 0.10:
        _as_library(scenario, case.text)
    elif way < 0.14:
        _expanded(case.text)
    elif way < 0.20:
        _sweep(scenario, case.text, random)
    return "valid"


def run(args: tuple[str, ...], text: str) -> Result:
    """A command in this process; an exception that is not a person's mistake goes through."""
    result = RUNNER.invoke(cli, list(args), input=text, prog_name="smemdsl")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if result.exit_code not in (0, 1, 2):
        raise BrokenError(f"exit code {result.exit_code} of {' '.join(args)}")
    if "Traceback (most recent" in result.output:
        raise BrokenError(f"a traceback from {' '.join(args)}")
    return result


def _policies(scenario: Scenario, plan: ArenaPlan, random: Random) -> None:
    """Valid layouts, peak <= arena <= sum and padding, and nothing below `optimal`."""
    if len(plan.lowered.buffers) > MOST_BUFFERS:
        return
    arenas: dict[str, Bytes] = {}
    searched = random.random() < OPTIMAL_SHARE
    for policy in policy_names():
        if policy == "optimal" and not searched:
            continue
        try:
            made = scenario.plan(Options(policy=policy, time_limit=0.05))
        except ScenarioError as error:
            if "the launch requests" not in str(error):
                raise
            continue  # another policy may need more than `request` says
        buffers = [buffer for buffer in made.lowered.buffers if buffer.bytes]
        packing = made.packing
        offsets = [
            offset
            for offset, buffer in zip(packing.offsets, made.lowered.buffers, strict=True)
            if buffer.bytes
        ]
        if wrong := violation(buffers, packing._replace(offsets=tuple(offsets))):
            raise BrokenError(f"{policy}: {wrong}")
        rounding = max([made.lowered.align, *(buffer.align for buffer in buffers)]) - 1
        most = made.no_reuse + sum(buffer.align - 1 for buffer in buffers) + rounding
        if not made.peak.bytes <= packing.arena <= most:
            raise BrokenError(
                f"{policy}: peak {made.peak.bytes}, arena {packing.arena}, no reuse and padding {most}"
            )
        arenas[policy] = packing.arena
    if "optimal" in arenas and arenas["optimal"] > min(arenas.values()):
        raise BrokenError(f"optimal is above another policy: {arenas}")


def _formats(text: str) -> None:
    """Every format has the same exit code; json and csv the same numbers."""
    found = {each: run(("check", "-", "--format", each), text) for each in FORMATS}
    codes = {each: result.exit_code for each, result in found.items()}
    if len(set(codes.values())) > 1:
        raise BrokenError(f"exit codes differ by format: {codes}")
    for each in ("json", "sarif"):
        json.loads(found[each].stdout)
    for result in json.loads(found["json"].stdout)["results"]:
        for key in ("arena_bytes", "peak_bytes", "verdict"):
            for each in ("csv", "text", "markdown"):
                if str(result[key]) not in found[each].stdout:
                    raise BrokenError(f"{key} {result[key]} of json is not in {each}")


def _as_library(scenario: Scenario, text: str) -> None:
    """The command line says what the library says."""
    result = run(("pack", "-", "--format", "json"), text)
    told = json.loads(result.stdout)["results"]
    for verdict, one in zip(scenario.verdicts(), told, strict=True):
        _same("arena of library and command", verdict.arena_bytes, one["arena_bytes"])
        _same("used of library and command", verdict.used_bytes, one["used_bytes"])
        _same("confidence of library and command", verdict.confidence, one["confidence"])
        _same("blocks of library and command", verdict.blocks_per_sm, one.get("blocks_per_sm"))
        offsets = {each["name"]: each["offset"] for each in one["buffers"]}
        _same("offsets", {each.name: each.offset for each in verdict.layout}, offsets)


def _expanded(text: str) -> None:
    """`expand | pack` is `pack`."""
    expanded = run(("expand", "-"), text)
    if expanded.exit_code:
        return
    first, again = (
        json.loads(run(("pack", "-", "--format", "json"), each).stdout)["results"]
        for each in (text, expanded.stdout)
    )
    for one, other in zip(first, again, strict=False):
        for key in ("arena_bytes", "used_bytes", "peak_bytes", "no_reuse_bytes"):
            _same(f"{key} after expand", other[key], one[key])


def _sweep(scenario: Scenario, text: str, random: Random) -> None:
    """A row of a sweep is what `check` says of that configuration."""
    verdict = scenario.check()
    numbers = [name for name, value in verdict.params.items() if type(value) is int]
    if not numbers or verdict.filled:
        return
    name = random.choice(numbers)
    values = sorted({max(0, int(verdict.params[name]) + step) for step in (-1, 0, 1, 2)})
    if values[-1] >= 2**63:
        return
    given = f"{name}={','.join(map(str, values))}"
    answer = run(("sweep", "-", "--set", given, "--format", "json"), text)
    if not answer.stdout.startswith("{"):
        return
    for row in json.loads(answer.stdout).get("rows", []):
        _row(scenario, name, row)


def _row(scenario: Scenario, name: str, row: dict[str, Any]) -> None:
    value = row.get("params", row).get(name)
    if value is None or row.get("arena_bytes") is None:
        return
    verdicts = scenario.verdicts_with({name: value})
    if row["arena_bytes"] not in {each.arena_bytes for each in verdicts}:
        raise BrokenError(
            f"sweep's arena at {name}={value} is {row['arena_bytes']}, check's {verdicts[0].arena_bytes}"
        )


def _same(what: str, one: object, other: object) -> None:
    if one != other:
        raise BrokenError(f"{what}: {one} and {other}")
