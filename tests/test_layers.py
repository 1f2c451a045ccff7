"""How the package is cut: imports in one direction, heavy modules where they are needed, nothing too long."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "smemdsl"
LAYERS = """
core _version
devices packing program source
compilers execution
policies
scenario
lowering
judging
api
__init__ review rules sweeping
output
cli
__main__
"""
"""Rooms and loose modules of `smemdsl`; each may import what stands on a line above its own."""
LEVEL = {name: level for level, line in enumerate(LAYERS.split("\n")) for name in line.split()}
UPWARD: set[tuple[str, str]] = set()
"""Imports against the direction, each inside a function."""
OWNERS = {
    "yaml": {"source/document/nodes.py"},
    "jsonschema": {"scenario/schema/messages.py"},
    "tabulate": {"output/formats/tables.py"},
    "jinja2": {"output/report/page.py"},
    "matplotlib": {
        "cli/commands/plot.py",
        *(f"output/plotting/draw/{part}.py" for part in ("curves", "heat", "page", "panel", "ticks")),
    },
    "numba": {"packing/optimal/compiled/kernel.py"},
    "numpy": {"packing/optimal/compiled/search.py"},
    "smemdsl.cli.commands": {"cli/__init__.py"},
    "subprocess": {"compilers/capture/process.py", "review/repository.py"},
}
"""Modules that only these files import."""
FILES = sorted(PACKAGE.rglob("*.py"))


def imported(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    """Every module that a file imports, and whether at its top."""
    top = {id(node) for node in getattr(tree, "body", ())}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in top) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                path = ROOT.joinpath(*name.split("."))
                is_module = path.with_suffix(".py").exists() or (path / "__init__.py").exists()
                yield name if is_module else node.module, id(node) in top


def part(file: Path) -> str:
    """The name of a file in `LAYERS`: its own, or its package's."""
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_every_module_has_its_layer() -> None:
    """The list holds what there is, and nothing else."""
    assert {part(file) for file in FILES} == set(LEVEL)


def test_imports_go_in_one_direction() -> None:
    """A module imports what stands above it only; what goes against that is listed, and inside a function."""
    against = set()
    for file in FILES:
        for name, at_top in imported(ast.parse(file.read_text(encoding="utf-8"))):
            if not name.startswith("smemdsl."):
                continue
            one, other = part(file), name.split(".")[1]
            if one != other and LEVEL[other] >= LEVEL[one]:
                assert not at_top, f"{file.name} imports {name}"
                against.add((one, other))
    assert against == UPWARD


@pytest.mark.parametrize("folder", ["smemdsl", "benchmarks", "docs"])
def test_nothing_but_a_test_needs_the_tests(folder: str) -> None:
    """Tests may use what the benchmarks have, never the other way round."""
    for file in (ROOT / folder).rglob("*.py"):
        names = [name for name, _ in imported(ast.parse(file.read_text(encoding="utf-8")))]
        assert not [name for name in names if name.split(".")[0] == "tests"], file


@pytest.mark.parametrize("module", OWNERS)
def test_who_knows_what(module: str) -> None:
    """Each library is known to one file, and the commands to the group that loads them."""
    owners = set()
    for file in FILES:
        names = [name for name, _ in imported(ast.parse(file.read_text(encoding="utf-8")))]
        if any(name == module or name.startswith(f"{module}.") for name in names):
            owners.add(file.relative_to(PACKAGE).as_posix())
    if module == "smemdsl.cli.commands":
        owners = {owner for owner in owners if not owner.startswith("cli/commands/")}
        assert owners <= OWNERS[module]  # by name, as an argument of import_module
    else:
        assert owners == OWNERS[module]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_nothing_is_too_long(file: Path) -> None:
    """A module has 300 lines at most, a function 50 without its docstring."""
    text = file.read_text(encoding="utf-8")
    assert text.count("\n") <= 300
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            docstring = (first.end_lineno or 0) - first.lineno + 1 if is_docstring else 0
            assert (node.end_lineno or 0) - node.lineno + 1 - docstring <= 50, node.name


def loaded(program: str) -> set[str]:
    """The top-level names of all modules that a Python program has loaded at its end."""
    code = f"{program}\nimport sys\nprint('loaded', *sorted({{name.split('.')[0] for name in sys.modules}}))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    )
    return set(done.stdout.splitlines()[-1].split()[1:])


COMMAND = """
import sys
from smemdsl.__main__ import main
sys.argv = ["smemdsl", *{arguments!r}]
try:
    main()
except SystemExit:
    pass
"""


@pytest.mark.parametrize(
    ("program", "absent"),
    [
        ("import smemdsl", {"click", "yaml", "jsonschema", "tabulate", "json"}),
        ("import smemdsl; smemdsl.load('builtin:epilogue').check()", {"click", "jsonschema", "tabulate"}),
        (COMMAND.format(arguments=["check", "builtin:epilogue"]), {"jsonschema", "tabulate", "difflib"}),
        (COMMAND.format(arguments=["pack", "builtin:epilogue"]), {"jsonschema", "tabulate", "difflib"}),
        (
            COMMAND.format(arguments=["pack", "builtin:epilogue", "--policy", "optimal"]),
            {"jsonschema", "tabulate", "difflib", "numba", "numpy"},
        ),
        (COMMAND.format(arguments=["sweep", "builtin:epilogue"]), {"jsonschema", "tabulate", "difflib"}),
        (COMMAND.format(arguments=["devices"]), {"jsonschema", "tabulate", "yaml"}),
        (COMMAND.format(arguments=["--version"]), {"jsonschema", "tabulate", "yaml"}),
    ],
    ids=["import", "library", "check", "pack", "optimal", "sweep", "devices", "version"],
)
def test_start_up_loads_what_is_used(program: str, absent: set[str]) -> None:
    """A sound scenario is judged without jsonschema and tabulate, and an import alone loads no library."""
    assert loaded(program) & absent == set()


def test_a_bad_scenario_loads_jsonschema() -> None:
    """What the tests above look for is seen where it is there."""
    program = "import smemdsl\ntry:\n    smemdsl.loads('x: 1')\nexcept smemdsl.ScenarioError:\n    pass"
    assert {"yaml", "jsonschema"} <= loaded(program)


def module_of(file: Path) -> str:
    """The dotted name of a file's module."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def test_no_files_import_each_other_in_a_circle() -> None:
    """Not even inside functions."""
    names = {module_of(file) for file in FILES}
    graph: dict[str, set[str]] = {}
    for file in FILES:
        found = {name for name, _ in imported(ast.parse(file.read_text(encoding="utf-8")))}
        graph[module_of(file)] = (found & names) - {module_of(file)}
    TopologicalSorter(graph).prepare()
