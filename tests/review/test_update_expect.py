"""`check --update-expect`: numbers that do not hold are rewritten, and nothing else of the file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from smemdsl.cli import cli

BODY = """\
params: {n: 2}
budget: [sm_90, sm_86]
buffers:
  a: {bytes: 32 KiB, versions: n}
  b: {bytes: 16 KiB}
sweep: {n: 1..8}
"""
"""Arena 81920 B: 2 blocks per SM on sm_90 (233472 // 82944) and 1 on sm_86; at most n is 6, on sm_86 2."""


def run(folder: Path, expect: str, *options: str) -> tuple[Result, str]:
    """Update one file, and the `expect` part that it has then."""
    file = folder / "k.yaml"
    file.write_bytes(f"smemdsl: 1\n{BODY}{expect}".encode())
    result = CliRunner().invoke(cli, ["check", str(file), "--update-expect", *options])
    after = file.read_bytes().decode()
    assert after.startswith(f"smemdsl: 1\n{BODY}")
    return result, after.removeprefix(f"smemdsl: 1\n{BODY}")


REWRITTEN = [
    ("expect: {arena: 1}", "expect: {arena: 81920}"),
    ("expect: {arena: 1 KiB}", "expect: {arena: 80 KiB}"),
    ("expect: {arena: 1MiB}", "expect: {arena: 81920B}"),
    ("expect: {arena: 0x10}", "expect: {arena: 0x14000}"),
    ("expect: {arena: 0o17}", "expect: {arena: 0o240000}"),
    ('expect: {arena: "<= 1 KiB"}', 'expect: {arena: "<= 80 KiB"}'),
    ("expect: {arena: '< 1'}", "expect: {arena: '< 81921'}"),
    ("expect: {arena: '> 96 KiB'}", "expect: {arena: '> 81919 B'}"),
    ("expect: {arena_max: 8}", "expect: {arena_max: 81920}"),
    ("expect: {arena_min: 96 KiB}", "expect: {arena_min: 80 KiB}"),
    ("expect: {versions: {a: 3, b: 1}}", "expect: {versions: {a: 2, b: 1}}"),
    ("expect: {blocks_per_sm: '>= 2'}", "expect: {blocks_per_sm: '>= 1'}"),
    ("expect: {blocks_per_sm: '<= 1'}", "expect: {blocks_per_sm: '<= 2'}"),
    ("expect: {devices: {sm_80: {max: {n: 2}}}}", "expect: {devices: {sm_80: {max: {n: 4}}}}"),
    ("expect: # why\n  arena:   7   # bytes\n", "expect: # why\n  arena:   81920   # bytes\n"),
    (
        "expect:\r\n  arena: 7\r\n  versions: {a: 7}\r\n",
        "expect:\r\n  arena: 81920\r\n  versions: {a: 2}\r\n",
    ),
    (
        "expect: {versions: {a: &x 7, b: 1}} # \N{GREEK SMALL LETTER MU}\n",
        "expect: {versions: {a: &x 2, b: 1}} # μ\n",
    ),
]


@pytest.mark.parametrize(("before", "after"), REWRITTEN)
def test_the_number_alone_changes(tmp_path: Path, before: str, after: str) -> None:
    """Relation, quotes, unit where it divides, base, comments, spaces and line ends stay; then all holds."""
    result, found = run(tmp_path, before)
    assert found == after
    assert result.exit_code == 0, result.output


LEFT = [
    "expect: {fits: false}",
    "expect: {share: [[a, b]]}",
    "expect: {arena: 'n * 8'}",
    "expect: {arena: '!= 81920'}",
    "expect: {blocks_per_sm: 2}",
    "expect: {max: {n: 6}}",
]
"""Promises without a number, expressions, and numbers that no value makes right on both devices."""


@pytest.mark.parametrize("expect", LEFT)
def test_what_no_number_mends_is_left(tmp_path: Path, expect: str) -> None:
    """The file stays as it is and the miss is reported."""
    result, found = run(tmp_path, expect)
    assert found == expect
    assert result.exit_code == 1
    assert "error[expect-" in result.output


def test_a_number_is_mended_beside_one_that_cannot_be(tmp_path: Path) -> None:
    """One expectation that cannot be mended does not keep the others from it."""
    result, found = run(tmp_path, "expect: {arena: 1, blocks_per_sm: 2, fits: true}")
    assert found == "expect: {arena: 81920, blocks_per_sm: 2, fits: true}"
    assert result.exit_code == 1


def test_an_alias_shared_by_two_numbers_is_left(tmp_path: Path) -> None:
    """A text that stands for two numbers which differ cannot become both."""
    expect = "expect: {versions: {a: &one 7, b: *one}}"
    result, found = run(tmp_path, expect)
    assert found == expect
    assert result.exit_code == 1


def test_sound_file_is_not_touched(tmp_path: Path) -> None:
    """Without a miss nothing is written, not even the time of the file."""
    file = tmp_path / "k.yaml"
    file.write_bytes(b"\xef\xbb\xbfsmemdsl: 1\nbuffers: {a: {bytes: 16}}\nexpect: {arena: 16}\n")
    stamp = file.stat().st_mtime_ns
    assert CliRunner().invoke(cli, ["check", str(file), "--update-expect"]).exit_code == 0
    assert file.stat().st_mtime_ns == stamp


def test_byte_order_mark_and_missing_last_line_end_stay(tmp_path: Path) -> None:
    """The bytes around the number are those of the file, also those that YAML does not see."""
    file = tmp_path / "k.yaml"
    file.write_bytes(b"\xef\xbb\xbfsmemdsl: 1\r\nbuffers: {a: {bytes: 16}}\r\nexpect: {arena: 3}")
    CliRunner().invoke(cli, ["check", str(file), "--update-expect"])
    assert file.read_bytes() == b"\xef\xbb\xbfsmemdsl: 1\r\nbuffers: {a: {bytes: 16}}\r\nexpect: {arena: 16}"


@pytest.mark.parametrize("options", [["--set", "n=3"], ["--budget", "sm_80"], ["--align", "16"]])
def test_not_beside_an_override(tmp_path: Path, options: list[str]) -> None:
    """Expectations speak of the file as it stands, so an override and an update exclude each other."""
    result, found = run(tmp_path, "expect: {arena: 1}", *options)
    assert found == "expect: {arena: 1}"
    assert result.exit_code == 2


def test_not_what_ships_nor_stdin() -> None:
    """There is no file of the user's to write."""
    for path in ("builtin:epilogue", "-"):
        result = CliRunner().invoke(
            cli, ["check", path, "--update-expect"], input="smemdsl: 1\nbuffers: {}\n"
        )
        assert result.exit_code == 2
