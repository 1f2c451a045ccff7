"""Tables of text: names of any length, and scenarios of different parameters."""

from __future__ import annotations

from pathlib import Path

import pytest

from smemdsl.output.formats.tables import table
from tests.commands.running import run


def test_long_names_lose_their_middle() -> None:
    """Sixty characters of a name of 200 are left, 38 of them from its begin; paths stay whole."""
    long, path = "a" * 100 + "z" * 100, f"x ({'d/' * 50}k.yaml)"
    _, name, whole = table(["buffer", "bytes"], [[long, "1"], [path, "2"]]).splitlines()
    assert name.split() == ["a" * 38 + "..." + "z" * 19, "1"]
    assert whole.startswith(path)


@pytest.mark.parametrize("style", ["text", "markdown"])
def test_scenarios_of_different_parameters_have_tables_of_their_own(
    style: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a and b no table has columns of both; with the same parameters one table has both scenarios."""
    monkeypatch.chdir(tmp_path)
    for name, param in (("a", "m"), ("b", "n"), ("c", "n")):
        text = f"smemdsl: 1\nparams: {{{param}: 1}}\nsweep: {{{param}: 1..2}}\n"
        Path(f"{name}.yaml").write_text(text + f"buffers: {{x: {{bytes: {param}}}}}\n", encoding="utf-8")
    apart = run("sweep", "a.yaml", "b.yaml", "--format", style, "--budget", "1KiB").out.splitlines()
    headers = [line.replace("|", " ").split()[0] for line in apart if "no-reuse" in line]
    assert headers == ["m", "n"]
    assert [line.lstrip("# ") for line in apart if line.endswith(".yaml)")] == ["a (a.yaml)", "b (b.yaml)"]
    same = run("sweep", "b.yaml", "c.yaml", "--format", style, "--budget", "1KiB").out.splitlines()
    assert sum("no-reuse" in line for line in same) == 1
    assert not any(line.endswith(".yaml)") for line in same)
