"""What a terminal shows that a pipe does not: a map unasked, and colours."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.running import run

pty = pytest.importorskip("pty", reason="this system has no pseudo-terminals")
ROOT = Path(__file__).parents[2]
CSI = re.compile(r"\x1b\[[0-9;]*m")
PACK = ("pack", "builtin:epilogue", "--set", "num_stages=4")


def on_terminal(
    *arguments: str, columns: int = 80, lines: int = 24, environment: dict[str, str] | None = None
) -> str:
    """What `smemdsl` writes to a terminal of that size."""
    import fcntl
    import termios

    master, slave = os.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    removed = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "GITHUB_ACTIONS")
    inherited = {name: value for name, value in os.environ.items() if name not in removed}
    own = {
        "TERM": "xterm-256color",
        "PYTHONIOENCODING": "utf-8",
        "PYTHONPATH": str(ROOT),
        **(environment or {}),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "smemdsl", *arguments],
        stdout=slave,
        stderr=subprocess.DEVNULL,
        env=inherited | own,
    )
    os.close(slave)
    shown = b""
    try:
        while data := os.read(master, 1 << 16):
            shown += data
    except OSError:  # how Linux says that the other side has closed
        pass
    os.close(master)
    process.wait()
    return shown.decode().replace("\r\n", "\n")


def test_a_map_is_drawn_on_a_terminal_of_80_columns() -> None:
    """It fits, it is in colour, and a taller terminal gets a taller one."""
    shown = on_terminal(*PACK)
    assert "48;5;" in shown
    plain = CSI.sub("", shown)
    assert "▼ peak, slot 10" in plain
    assert max(map(len, plain.splitlines()[-26:])) == 80
    taller = CSI.sub("", on_terminal(*PACK, columns=120, lines=60))
    assert taller.count("░│") > plain.count("░│")
    assert max(map(len, taller.splitlines())) == 120


@pytest.mark.parametrize(
    "arguments", [(*PACK, "--no-map"), (*PACK, "--policy", "struct", "--policy", "triton")]
)
def test_no_map_where_it_is_not_wanted(arguments: tuple[str, ...]) -> None:
    """Nor beside several policies, of which a table is wanted."""
    assert "peak, slot 10" not in on_terminal(*arguments).replace("at slot 10", "")


def test_no_map_on_a_narrow_terminal() -> None:
    """Below 80 columns there is one only where it is asked for."""
    assert "▼" not in on_terminal(*PACK, columns=79)
    assert "▼" in on_terminal(*PACK, "--map", columns=60)


def test_no_map_in_a_pipe() -> None:
    """A pipe gets words, and where a map is asked for one of 80 columns without colour."""
    assert "▼" not in run(*PACK).out
    asked = run(*PACK, "--map").out
    assert "▼" in asked
    assert "\x1b" not in asked


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(("--color", "never"), {}), ((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})],
)
def test_colours_can_be_refused(arguments: tuple[str, ...], environment: dict[str, str]) -> None:
    """By the flag, by NO_COLOR, by a terminal that has none: the map is there all the same."""
    shown = on_terminal(*PACK, *arguments, environment=environment)
    assert "▼" in shown
    assert "\x1b" not in shown


def test_maps_of_several_policies() -> None:
    """Where maps are asked for, there is one a policy."""
    shown = run(*PACK, "--policy", "tilelang", "--policy", "sequential", "--map").out
    assert [line.rpartition(" ")[2] for line in shown.splitlines() if ", policy " in line] == [
        "sequential",
        "tilelang",
    ]
    assert shown.count("▼ peak") == 2


def test_a_file_gets_no_colour(tmp_path: Path) -> None:
    """What --output writes is plain, also where the terminal's is not."""
    file = tmp_path / "out.txt"
    shown = run(*PACK, "--map", "--color", "always", "--output", f"text:{file}").out
    assert "\x1b" in shown
    assert CSI.sub("", shown) == file.read_text(encoding="utf-8")


def test_a_pivot_colours_what_fits() -> None:
    """Green fits, red does not: of 2 and 8 stages of 48 KiB, on 228 KiB."""
    sweep = (
        "sweep",
        "builtin:gemm-tiles",
        "--set",
        "block_M=256",
        "--set",
        "block_N=128",
        "--set",
        "block_K=64",
    )
    stages = ("--set", "num_stages=2,8", "--pivot", "num_stages")
    shown = run(*sweep, *stages, "--color", "always").out
    assert "\x1b[32m96.0 KiB OK\x1b[0m" in shown
    assert "\x1b[31m384.0 KiB OVER\x1b[0m" in shown
    assert CSI.sub("", shown) == run(*sweep, *stages).out


def test_a_pivot_of_largest_values_colours_them() -> None:
    """3 stages of 64 KiB fit into 228 KiB, and of 256 KiB none."""
    sweep = ("sweep", "builtin:gemm-tiles", "--set", "block_M=256", "--set", "block_N=256")
    shown = run(
        *sweep, "--set", "block_K=64,256", "--max", "num_stages", "--pivot", "block_K", "--color", "always"
    )
    assert "\x1b[32m3\x1b[0m" in shown.out
    assert "\x1b[31m-\x1b[0m" in shown.out
