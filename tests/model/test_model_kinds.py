"""A parameter's kind: what takes the place of its value in a flag, a call or a sweep is of the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemdsl.api import loads
from smemdsl.core.errors import ScenarioError
from smemdsl.scenario.parameter_types import DTYPE, NUMBER, TRUTH, kinds
from tests.review.kernels import smemdsl

TEXT = """smemdsl: 1
threads: 128
params:
  n: 2
  big: n > 1
  middle: n // 2
  warps: threads // 32
  d: float16
  same: d
  either: n if big else big
  least: min(n, 3)
  off: not big
  minus: -n
buffers: {A: {bytes: 64 * n, versions: 1 + middle, when: big or off}}
"""
KINDS = {
    "n": NUMBER,
    "big": TRUTH,
    "middle": NUMBER,
    "warps": NUMBER,
    "d": DTYPE,
    "same": DTYPE,
    "either": None,
    "least": NUMBER,
    "off": TRUTH,
    "minus": NUMBER,
}
SAMPLES: dict[str, list[int | bool | str]] = {
    NUMBER: [3, "3", "1 + 1"],
    TRUTH: [True, "1 == 1", "not false"],
    DTYPE: ["int8", "torch.int8"],
}


def test_kinds() -> None:
    """Constants, names, operators and functions say what comes of them; two branches may say nothing."""
    assert kinds(loads(TEXT).spec.params) == KINDS


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("kind", SAMPLES)
def test_what_takes_the_place(name: str, kind: str) -> None:
    """A value of the kind is taken, of any other it is refused, as code and as a document."""
    fits = KINDS[name] in (None, kind)
    for value in SAMPLES[kind]:
        written = str(value).lower() if isinstance(value, bool) else repr(value)
        for key in (f"sweep: {{{name}: [{written}]}}", f"configs: [{{{name}: {written}}}]"):
            if fits:
                assert loads(f"{TEXT}{key}\n").spec
            else:
                with pytest.raises(ScenarioError) as caught:
                    loads(f"{TEXT}{key}\n")
                (found,) = caught.value.diagnostics
                assert (found.code, found.line) == ("expr-type", TEXT.count("\n") + 1)
        if fits:
            assert loads(TEXT).choices({name: value})
        else:
            with pytest.raises(ScenarioError, match=f"{name} is {KINDS[name]} in the file"):
                loads(TEXT).choices({name: value})


def test_ranges_are_numbers() -> None:
    with pytest.raises(ScenarioError, match="big is true or false in the file, and cannot become a number"):
        loads(f"{TEXT}sweep: {{big: 0..1}}\n")


@pytest.mark.parametrize("command", ["check", "pack", "sweep"])
def test_flags(tmp_path: Path, command: str) -> None:
    """A stage count that became a truth value would count as one stage, where one is subtracted from it."""
    result = smemdsl(command, "builtin:epilogue", "--set", "num_stages=true")
    assert result.exit_code == 2
    assert "num_stages is a number in the file, and cannot become true or false" in result.stderr
    (tmp_path / "c.json").write_text('[{"num_stages": true}]')
    result = smemdsl("sweep", "builtin:epilogue", "--configs", str(tmp_path / "c.json"))
    assert result.exit_code == 2
    assert "c.json:1:17: error[expr-type] num_stages is a number" in result.stderr
