"""The pages of `smemdsl explain`: every code has one, what it says fails does fail, its fix mends."""

from __future__ import annotations

import ast
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from smemdsl.rules.catalogue import codes, names, page
from tests.review.kernels import smemdsl

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")
POSITIONS = {
    "Fault": 1, "problem": 1, "fault": 1, "Diagnostic": 4, "_Number": 0, "_warning": 1,
    "CaptureError": 0, "Failure": 0, "attempt": 0,
}  # fmt: skip
"""Calls that are given a code, and which of their arguments it is."""
EITHER = {"_error": (0, 1), "line": (1,), "_in_csv": (3,)}
"""Helpers of several modules: the code is the first or the second."""
OF_FIELDS = {"expect-arena", "expect-arena-max", "expect-arena-min"}
"""Made from the name of the field that is expected."""
NO_CODES = {"number", "sign", "unit"}
"""What a helper of that name takes elsewhere: groups of a pattern."""


KERNEL = """\
smemdsl: 1
params: {num_stages: 2}
budget: sm_90
buffers:
  a: {bytes: 32 KiB, versions: num_stages}
sweep:
  num_stages: 1..6
"""
"""The file kernel.yaml beside which the shell lines of the pages run; 7 stages fit 232448 B."""


def strings(node: ast.expr) -> Iterator[str]:
    """The texts that an expression may give, where they look like codes."""
    if isinstance(node, ast.IfExp):
        yield from strings(node.body)
        yield from strings(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and CODE.match(node.value):
        yield node.value


def of_call(node: ast.Call) -> Iterator[str]:
    """The codes that a call is given."""
    name = str(getattr(node.func, "id", None) or getattr(node.func, "attr", ""))
    positions = EITHER.get(name) or ((POSITIONS[name],) if name in POSITIONS else ())
    for position in positions:
        yield from strings(node.args[position]) if position < len(node.args) else ()
    for keyword in node.keywords:
        yield from strings(keyword.value) if keyword.arg == "code" else ()


def emitted() -> set[str]:
    """Every code in the source of the package."""
    found: set[str] = set(OF_FIELDS)
    for file in (ROOT / "smemdsl").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        found.update(re.findall(r"(?:error|warning)\[([a-z][\w-]*)\]", text))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call):
                found.update(of_call(node))
            elif isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "").lower() == "code":
                found.update(strings(node.value))
            elif isinstance(node, ast.FunctionDef):
                names = [*node.args.args, *node.args.kwonlyargs]
                values = [*node.args.defaults, *node.args.kw_defaults]
                named = zip(reversed(names), reversed(values), strict=False)
                found.update(s for arg, value in named if arg.arg == "code" and value for s in strings(value))
    return found - NO_CODES


def test_every_code_has_a_page() -> None:
    """Whatever the program can say in brackets, `explain` knows."""
    assert emitted() - set(codes()) == set()


def test_no_page_is_left_over() -> None:
    """A page of a code that nothing says any more is gone."""
    made = {"regression", "growth", "changed", "output"}  # chosen from a pair, or in a table
    assert set(codes()) - emitted() - made == set()


def parts(code: str) -> dict[str, str]:
    """A page by its headings; what comes before the first is the summary."""
    text = page(code).text
    pieces = re.split(r"^## (\w+)\n", text, flags=re.MULTILINE)
    return {"What": pieces[0]} | dict(zip(pieces[1::2], pieces[2::2], strict=True))


def example(text: str) -> tuple[str, str] | None:
    """Language and text of the example in a part."""
    match = re.search(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return (match[1], match[2]) if match else None


@pytest.mark.parametrize("code", codes())
def test_a_page_is_whole(code: str) -> None:
    """What, why, an example and the fix, in this order, within 80 columns but for examples."""
    found = parts(code)
    assert list(found) == ["What", "Why", "Fails", "Fix"]
    assert all(text.strip() for text in found.values())
    assert example(found["Fails"])
    prose = re.sub(r"^```.*?^```$", "", page(code).text, flags=re.MULTILINE | re.DOTALL)
    assert max(map(len, prose.splitlines())) <= 80
    assert page(code).summary.endswith(".")


def outcome(language: str, text: str, folder: Path) -> str:
    """What is said when an example is run: a scenario is checked, lines of a shell are run beside one."""
    if language == "yaml":
        (folder / "example.yaml").write_text(text, encoding="utf-8")
        return smemdsl("check", str(folder / "example.yaml")).output
    (folder / "kernel.yaml").write_text(KERNEL)
    with chdir(folder):
        return "".join(map(run_line, text.splitlines()))


def run_line(line: str) -> str:
    """The output of one line of a shell; those of smemdsl run in this process."""
    if not line.startswith("smemdsl "):
        return subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=True).stdout
    command, _, file = line.removeprefix("smemdsl ").partition(" > ")
    result = smemdsl(*shlex.split(command))
    if file:
        Path(file).write_text(result.stdout)
    usage = (
        "error[usage]" if result.exit_code == 2 and "Usage: " in result.output else ""
    )  # as `main` words it
    return result.stderr if file else result.output + usage


@contextmanager
def chdir(folder: Path) -> Iterator[None]:
    """The folder as the current one."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


RUN = [code for code in codes() if (example(parts(code)["Fails"]) or ("text", ""))[0] != "text"]


@pytest.mark.parametrize("code", RUN)
def test_the_example_fails_and_the_fix_mends_it(code: str, tmp_path: Path) -> None:
    """The failing example says the code; the mended one does not, and says no error at all."""
    found = parts(code)
    bad, good = example(found["Fails"]), example(found["Fix"])
    assert bad
    (tmp_path / "bad").mkdir()
    said = outcome(*bad, tmp_path / "bad")
    assert f"[{code}]" in said or f"title={code}" in said, said
    if good:
        (tmp_path / "good").mkdir()
        said = outcome(*good, tmp_path / "good")
        assert f"[{code}]" not in said
        assert f"title={code}" not in said
        assert "error[" not in said, said


def test_most_examples_are_run() -> None:
    """Only what takes a compiler, the library, or a bug of our own has an example that is not run."""
    left = set(codes()) - set(RUN)
    library = {
        "range",
        "several-scenarios",
        "unknown-policy",
        "unknown-word",
        "undeclared-buffer",
        "bad-number",
    }
    rare = {"schema", "expression", "internal", "too-deep", "unplannable", "intervals", "output"}
    cluster = {"cluster-versions"}
    compiler = {"no-file", "no-program", "compiler-missing", "compiler-version"}
    shown = library | rare | compiler | cluster
    assert {code for code in left if not code.startswith("capture")} <= shown


def test_explain_prints_what_there_is() -> None:
    """Of several codes the pages that there are, then what is wrong with the others; a verdict is one."""
    result = smemdsl("explain", "OVER", "occupancy-step", "nonsense")
    assert result.exit_code == 2
    assert result.stdout.startswith("# occupancy-step\n")
    assert "did you mean over-budget" in result.stderr
    assert result.stderr.count("error[unknown-code]") == 2


def test_explain_prints_pages() -> None:
    """A code, or what stands in a message, gives its page; several give several; none gives the list."""
    for name in ("expect-arena", "error[expect-arena]"):
        result = smemdsl("explain", name)
        assert (result.exit_code, result.stdout) == (0, f"# expect-arena\n\n{page('expect-arena').text}\n")
    both = smemdsl("explain", "expect-arena", "sm-budget").stdout
    assert re.findall(r"^# (\S+)$", both, re.MULTILINE) == ["expect-arena", "sm-budget"]
    listed = smemdsl("explain").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(names())


def test_unknown_codes_get_the_nearest() -> None:
    """A misspelt code is wrong usage, with the nearest named."""
    result = smemdsl("explain", "expect-aren")
    assert result.exit_code == 2
    assert "expect-arena" in result.stderr


def test_messages_lead_to_their_page(tmp_path: Path) -> None:
    """Below what is wrong, the text names the command that says more; formats for programs do not."""
    file = tmp_path / "k.yaml"
    file.write_text("smemdsl: 1\nbuffers: {a: {bytes: 8}}\nexpect: {arena: 1}\n")
    assert "note: `smemdsl explain expect-arena` says more\n" in smemdsl("check", str(file)).stderr
    assert "explain" not in smemdsl("check", str(file), "--format", "concise").output
