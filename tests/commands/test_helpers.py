"""`devices`, `schema`, `init`, help and version."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from smemdsl import __version__
from smemdsl.cli import COMMANDS
from smemdsl.devices import devices
from smemdsl.scenario import schema
from tests.commands.running import run


def test_devices(folder: Path) -> None:
    """A row a device, with what a block may ask for and what an SM has; a row a memory of what has no SM."""
    lines = run("devices").out.splitlines()
    assert len(lines) == 1 + sum(1 if device.sm else len(device.memories) for device in devices())
    assert [line.split()[-2] for line in lines if line.startswith("ascend910b-ub ")] == ["196608"]
    (sm_90,) = (line for line in lines if line.startswith("sm_90 "))
    assert {"232448", "233472", "49152", "32", "2048"} <= set(sm_90.split())


def test_a_device_in_full(folder: Path) -> None:
    """A device that is named by a product is told with its sources."""
    out = run("devices", "h100").out
    assert out.startswith("sm_90 (compute capability 9.0)\n")
    assert "sm_90/sm  233472 B (228.0 KiB)" in out
    assert "sources:" in out
    assert out == run("devices", "sm_90a").out


def test_devices_for_programs(folder: Path) -> None:
    """json has every value with its sources, csv a line a preset, markdown a table."""
    answer = json.loads(run("devices", "--format", "json").out)
    assert (answer["schema_version"], answer["command"]) == (1, "devices")
    assert [device["id"] for device in answer["devices"]] == [device.id for device in devices()]
    rows = list(csv.DictReader(io.StringIO(run("devices", "h100", "--format", "csv").out), strict=True))
    assert {(row["memory"], row["limit_bytes"]) for row in rows} >= {("sm", "233472"), ("static", "49152")}
    assert run("devices", "--format", "markdown").out.startswith("| preset")


def test_a_device_that_there_is_not(folder: Path) -> None:
    """The nearest names are told."""
    done = run("devices", "h10")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(
        "devices: error[unknown-device] unknown device 'h10'\n  hint: did you mean h100"
    )


def test_schema(folder: Path) -> None:
    """The schema comes out as the file has it."""
    assert run("schema").out == schema.schema_text()


@pytest.mark.parametrize("form", ["plain", "epilogue", "carry", "gemm-tiles"])
def test_init_writes_what_holds(folder: Path, form: str) -> None:
    """A starter scenario is checked and passes, in a file as on stdout."""
    done = run("init", "new.yaml", "--form", form)
    assert (done.code, done.out) == (0, "")
    assert done.err == "wrote new.yaml; next: smemdsl check new.yaml\n"
    text = (folder / "new.yaml").read_text(encoding="utf-8")
    assert text.startswith("# yaml-language-server: $schema=scenario.schema.json\n")
    assert run("init", "--form", form).out == text
    assert run("check", "new.yaml").code == 0


def test_init_overwrites_nothing(folder: Path) -> None:
    """A file that is there stays, unless it is said that it need not."""
    before = (folder / "fits.yaml").read_text(encoding="utf-8")
    done = run("init", "fits.yaml")
    assert (done.code, "fits.yaml: error[exists]" in done.err) == (2, True)
    assert (folder / "fits.yaml").read_text(encoding="utf-8") == before
    assert run("init", "fits.yaml", "--force").code == 0
    assert (folder / "fits.yaml").read_text(encoding="utf-8") != before


@pytest.mark.parametrize("file", ["none/new.yaml", "empty", "bad.yaml/new.yaml"])
def test_init_where_nothing_can_be_written(folder: Path, file: str) -> None:
    """What keeps the file from being written is told."""
    done = run("init", file, "--force")
    assert (done.code, f"{file}: error[unwritable]" in done.err) == (2, True)


def test_version(folder: Path) -> None:
    """The version is the package's."""
    assert run("--version").out == f"smemdsl, version {__version__}\n"


def test_help(folder: Path) -> None:
    """The help names every command and the exit codes."""
    out = run("--help").out
    assert [line.split()[0] for line in out.split("Commands:\n")[1].split("\n\n")[0].splitlines()] == list(
        COMMANDS
    )
    assert "Exit codes:" in out


@pytest.mark.parametrize(
    "command", [*(c for c in COMMANDS if c != "capture"), "capture tilelang", "capture triton"]
)
def test_help_of_commands(folder: Path, command: str) -> None:
    """Every command has a help with an example."""
    done = run(*command.split(), "--help")
    assert done.code == 0
    assert "Examples:" in done.out
    assert f"smemdsl {command}" in done.out.split("Examples:")[1]
