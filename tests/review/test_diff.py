"""`smemdsl diff`: what each change of a kernel reads like, against numbers worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.review.kernels import FLASH, smemdsl

EDITS = [
    pytest.param(
        {"versions: n": "versions: 3"},
        [
            "flash_fwd  arena 114688 -> 131072 B (+16384, +14.3 %)  sm_90 2 -> 1 blocks/SM  OK",
            "  K_shared 2 -> 3 versions +16384",
        ],
        0,
        id="one version more",
    ),
    pytest.param(
        {"{n: 2}": "{n: 10}"},
        [
            "flash_fwd  arena 114688 -> 245760 B (+131072, +114.3 %)  sm_90 2 -> 0 blocks/SM  OK -> OVER",
            "  K_shared 2 -> 10 versions +131072",
            "  n 2 -> 10",
            "  newly over: sm_90, 245760 of 232448 B, 13312 B too much",
        ],
        1,
        id="newly over",
    ),
    pytest.param(
        {"Q_shared: {bytes: 48 KiB}": "Q_shared: {bytes: 48 KiB, align: 256}"},
        [],
        0,
        id="nothing that counts",
    ),
    pytest.param(
        {"V_shared: {bytes: 16 KiB": "V_shared: {bytes: 32 KiB"},
        [
            "flash_fwd  arena 114688 -> 147456 B (+32768, +28.6 %)  sm_90 2 -> 1 blocks/SM  OK",
            "  V_shared 16384 -> 32768 B a version +32768",
            "  largest n that fits sm_90 8 -> 7",
        ],
        0,
        id="a larger tile",
    ),
    pytest.param(
        {"access: [store]": "access: [mma, store]"},
        [
            "flash_fwd  arena 114688 -> 131072 B (+16384, +14.3 %)  sm_90 2 -> 1 blocks/SM  OK",
            "  O_shared and V_shared no longer share storage",
            "  O_shared live [2, 3) -> [1, 3)",
        ],
        0,
        id="sharing lost",
    ),
    pytest.param(
        {"  O_shared: {bytes: 16 KiB, access: [store]}\n": ""},
        [
            "flash_fwd  arena 114688 B  sm_90 2 blocks/SM  OK",
            "  O_shared removed, 16384 B -16384",
        ],
        0,
        id="a buffer that shared is gone",
    ),
    pytest.param(
        {"buffers:": "static: 1 KiB\nbuffers:"},
        [
            "flash_fwd  arena 114688 B  used 114688 -> 115712 B (+1024, +0.9 %)  sm_90 2 blocks/SM  OK",
            "  static memory 0 -> 1024 B +1024",
        ],
        0,
        id="static memory",
    ),
    pytest.param(
        {"budget: sm_90": "budget: sm_80"},
        [
            "flash_fwd  arena 114688 B  sm_90 -> sm_80 (232448 -> 166912 B) 2 -> 1 blocks/SM  OK",
            "  largest n that fits sm_80 8 -> 5",
        ],
        0,
        id="another device",
    ),
    pytest.param(
        {"budget: sm_90": "budget: 112 KiB"},
        [
            "flash_fwd  arena 114688 B  sm_90 -> 112 KiB (232448 -> 114688 B) 2 -> unknown blocks/SM  OK",
            "  largest n that fits 112 KiB 8 -> 2",
        ],
        0,
        id="a size instead of a device",
    ),
    pytest.param(
        {"sweep: {n: 1..8}": "sweep: {n: 1..8}\nexpect: {arena: 1}"},
        [
            "flash_fwd  arena 114688 B  sm_90 2 blocks/SM  OK -> FAIL",
            "  expectation broke: expected arena to be 1 B, got 114688 B (new/k.yaml:12)",
        ],
        1,
        id="an expectation broke",
    ),
    pytest.param(
        {"sweep: {n: 1..8}": "constraints: [n > 2]"},
        [
            "flash_fwd  arena 114688 B  sm_90 2 blocks/SM  OK -> FAIL",
            "  constraint broke: the constraint n > 2 does not hold (new/k.yaml:11)",
        ],
        1,
        id="a constraint broke",
    ),
]


@pytest.mark.parametrize(("edits", "lines", "code"), EDITS)
def test_one_line_and_what_explains_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edits: dict[str, str], lines: list[str], code: int
) -> None:
    """A change is one line with old and new values, and below it stands what brought it about."""
    monkeypatch.chdir(tmp_path)
    after = FLASH
    for old, new in edits.items():
        assert old in after
        after = after.replace(old, new)
    for folder, text in (("old", FLASH), ("new", after)):
        Path(folder).mkdir()
        Path(folder, "k.yaml").write_text(text, encoding="utf-8")
    result = smemdsl("diff", "old", "new")
    assert result.exit_code == code, result.output
    shown = result.stdout.splitlines()
    assert shown[:-2] == lines
    assert (
        shown[-1] == ("1 changed, 0 unchanged" if lines else "no change: 1 scenario") or "; 1 " in shown[-1]
    )


def folder(root: Path, name: str, **texts: str) -> str:
    """A folder of scenarios."""
    (root / name).mkdir()
    for stem, text in texts.items():
        (root / name / f"{stem}.yaml").write_text(text, encoding="utf-8")
    return str(root / name)


def test_added_removed_and_newly_fitting(tmp_path: Path) -> None:
    """Scenarios of one side alone are named as such; a fix is not a failure."""
    over = FLASH.replace("{n: 2}", "{n: 10}").replace("flash_fwd", "big")
    small = "smemdsl: 1\nbudget: sm_90\nbuffers: {a: {bytes: 16 KiB}}\n"
    old = folder(tmp_path, "old", big=over, gone=small)
    new = folder(tmp_path, "new", big=over.replace("{n: 10}", "{n: 9}"), fresh=small.replace("16", "32"))
    result = smemdsl("diff", old, new)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "big  arena 245760 -> 229376 B (-16384, -6.7 %)  sm_90 0 -> 1 blocks/SM  OVER -> OK",
        "  K_shared 10 -> 9 versions -16384",
        "  n 10 -> 9",
        "  newly fits: sm_90, 229376 of 232448 B, 3072 B left",
        "fresh  added  arena 32768 B  sm_90 6 blocks/SM  OK",
        "gone  removed  arena 16384 B  sm_90 13 blocks/SM  OK",
        "",
        "1 changed, 1 added, 1 removed, 0 unchanged; 1 newly fitting",
    ]


def test_several_budgets_have_a_line_each(tmp_path: Path) -> None:
    """The headline has the worst verdict, each budget that moved its own line."""
    two = FLASH.replace("budget: sm_90", "budget: [sm_90, sm_80, 1 MiB]").replace("sweep: {n: 1..8}\n", "")
    result = smemdsl(
        "diff", folder(tmp_path, "old", k=two), folder(tmp_path, "new", k=two.replace("{n: 2}", "{n: 6}"))
    )
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:3] == [
        "flash_fwd  arena 114688 -> 180224 B (+65536, +57.1 %)  OK -> OVER",
        "  sm_90 2 -> 1 blocks/SM  OK",
        "  sm_80 1 -> 0 blocks/SM  OK -> OVER",
    ]


LIMITS = [
    ("14.3%", 0),  # 16384 / 114688 is 14.2857 %
    ("14.2 %", 1),
    ("16KiB", 0),
    ("16383", 1),
    ("0%", 1),
    ("0", 1),
    ("100%", 0),
]


@pytest.mark.parametrize(("limit", "code"), LIMITS)
def test_growth_has_a_limit(tmp_path: Path, limit: str, code: int) -> None:
    """Growth of exactly the limit passes; a byte more fails and is named."""
    old = folder(tmp_path, "old", k=FLASH)
    new = folder(tmp_path, "new", k=FLASH.replace("versions: n", "versions: 3"))
    result = smemdsl("diff", old, new, "--max-growth", limit)
    assert result.exit_code == code
    said = f"grew too much: used 114688 -> 131072 B (+16384, +14.3 %), where {limit} is allowed"
    assert (said in result.stdout) == bool(code)


@pytest.mark.parametrize("limit", ["", "5", "x", "5 KB", "-1%", "1e3%", "5%%"])
def test_what_is_no_limit(tmp_path: Path, limit: str) -> None:
    """A limit is a percentage or a size with a clear unit; bytes may stand alone."""
    old = folder(tmp_path, "old", k=FLASH)
    assert smemdsl("diff", old, old, "--max-growth", limit).exit_code == (0 if limit == "5" else 2)


def test_growth_from_nothing_is_beyond_any_percentage(tmp_path: Path) -> None:
    """An arena of 0 bytes can only grow by more than any share of it, and the line has no percentage."""
    none = "smemdsl: 1\nbudget: sm_90\nbuffers: {a: {bytes: 0}}\n"
    old, new = folder(tmp_path, "old", k=none), folder(tmp_path, "new", k=none.replace("0}", "16}"))
    result = smemdsl("diff", old, new, "--max-growth", "900%")
    assert result.exit_code == 1
    assert "k  arena 0 -> 16 B (+16)  " in result.stdout


@pytest.mark.parametrize("command", ["check", "pack"])
def test_stored_results(tmp_path: Path, command: str) -> None:
    """A result of either command stands for the scenarios it came from; only that of `pack` has buffers."""
    old = folder(tmp_path, "old", k=FLASH)
    stored = tmp_path / "old.json"
    stored.write_text(smemdsl(command, old, "--format", "json").stdout)
    assert smemdsl("diff", str(stored), old).stdout == "no change: 1 scenario\n"
    new = folder(tmp_path, "new", k=FLASH.replace("versions: n", "versions: 3"))
    result = smemdsl("diff", str(stored), new)
    assert (
        "flash_fwd  arena 114688 -> 131072 B (+16384, +14.3 %)  sm_90 2 -> 1 blocks/SM  OK" in result.stdout
    )
    assert ("K_shared 2 -> 3 versions +16384" in result.stdout) == (command == "pack")
    assert ("lists no buffers" in result.stderr) == (command == "check")


def test_result_of_pack_knows_no_expectations(tmp_path: Path) -> None:
    """What was not held to expectations is compared without them, on the budgets that both sides have."""
    broken = FLASH + "expect: {arena: 1, devices: {sm_80: {fits: true}}}\n"
    old = folder(tmp_path, "old", k=broken)
    stored = tmp_path / "old.json"
    stored.write_text(smemdsl("pack", old, "--format", "json").stdout)
    result = smemdsl("diff", str(stored), old)
    assert (result.exit_code, result.stdout) == (0, "no change: 1 scenario\n")
    assert "expectations are not compared" in result.stderr


UNFIT = [
    "",
    "[]",
    "{",
    '{"schema_version": 2, "command": "check", "results": [], "diagnostics": []}',
    '{"schema_version": 1, "command": "sweep", "results": [], "diagnostics": []}',
    '{"schema_version": 1, "command": "check", "results": [{}], "diagnostics": []}',
    '{"schema_version": 1, "command": "check", "results": {}, "diagnostics": []}',
    '{"schema_version": true, "command": "check", "results": [], "diagnostics": []}',
    "[" * 100000,
]
STORED = {
    "path": "k.yaml",
    "scenario": "k",
    "params": {"n": 1},
    "policy": "tilelang",
    "static_bytes": 0,
    "arena_bytes": 64,
    "used_bytes": 64,
    "verdict": "OK",
    "budget": {"name": "100", "bytes": 100},
}
"""A result as the first versions wrote it: without `confidence`, `limit` and `largest`."""
A = {"name": "a", "versions": 1, "bytes": 8}
WRONG: list[dict[str, object]] = [
    {"verdict": "ok"},
    {"verdict": "\0"},
    {"confidence": "sure"},
    {"limit": "disk"},
    {"largest": {"n": "3"}},
    {"largest": {"n": True}},
    {"params": {"n": [1]}},
    {"params": {"n": 0.5}},
    {"arena_bytes": -1},
    {"arena_bytes": 2**63},
    {"scenario": "a\0b"},
    {"blocks_per_sm": "2"},
    {"buffers": [{**A, "live": [1]}]},
    {"buffers": [{**A, "live": ["0", "1"]}]},
    {"buffers": [{**A, "offset": "0"}]},
]


def stored(file: Path, **fields: object) -> str:
    """A stored result with some fields set, in a file."""
    head = {"schema_version": 1, "command": "check", "results": [{**STORED, **fields}], "diagnostics": []}
    file.write_text(json.dumps(head))
    return str(file)


@pytest.mark.parametrize("fields", WRONG, ids=str)
def test_results_have_a_strict_shape(tmp_path: Path, fields: dict[str, object]) -> None:
    """A value that no result has is an input error, on either side of a diff, and of a baseline."""
    bad, good = stored(tmp_path / "bad.json", **fields), stored(tmp_path / "good.json")
    kernel = tmp_path / "k.yaml"
    kernel.write_text(FLASH)
    for command in (("diff", bad, good), ("diff", good, bad), ("check", str(kernel), "--baseline", bad)):
        result = smemdsl(*command)
        assert result.exit_code == 2
        assert "error[result-file]" in result.stderr


def test_older_results_are_read(tmp_path: Path) -> None:
    """What later versions added may be missing, or be null."""
    old = stored(tmp_path / "old.json", buffers=[A])
    new = stored(tmp_path / "new.json", confidence="exact", limit=None, buffers=[{**A, "align": None}])
    result = smemdsl("diff", old, new)
    assert (result.exit_code, result.stdout) == (0, "no change: 1 scenario\n")


@pytest.mark.parametrize("text", UNFIT, ids=range(len(UNFIT)))
def test_what_is_no_result(tmp_path: Path, text: str) -> None:
    """A file that is no result is an input error with a hint, whatever it holds."""
    file = tmp_path / "r.json"
    file.write_text(text)
    result = smemdsl("diff", str(file), folder(tmp_path, "new", k=FLASH))
    assert result.exit_code == 2
    assert "error[result-file]" in result.stderr


def test_invalid_scenarios_end_with_2(tmp_path: Path) -> None:
    """What cannot be judged on either side is an input error; the rest is still compared."""
    old = folder(tmp_path, "old", k=FLASH, bad="smemdsl: 1\n")
    result = smemdsl("diff", old, folder(tmp_path, "new", k=FLASH.replace("{n: 2}", "{n: 1}")))
    assert result.exit_code == 2
    assert "114688 -> 98304 B (-16384, -14.3 %)" in result.stdout


def test_json_has_both_values_of_everything(tmp_path: Path) -> None:
    """Machines get every number that the line is made of."""
    old = folder(tmp_path, "old", k=FLASH)
    new = folder(tmp_path, "new", k=FLASH.replace("{n: 2}", "{n: 10}"))
    value = json.loads(smemdsl("diff", old, new, "--format", "json").stdout)
    (change,) = value["changes"]
    assert change["arena_bytes"] == {"old": 114688, "new": 245760}
    assert change["budgets"][0]["old"]["blocks_per_sm"] == 2
    assert change["budgets"][0]["new"]["verdict"] == "OVER"
    assert change["reasons"][0] == {
        "subject": "K_shared", "text": "2 -> 10 versions", "delta_bytes": 131072, "buffer": True
    }  # fmt: skip
    assert change["marks"] == ["newly over"]
    assert value["summary"]["newly_over"] == 1


def test_markdown_is_a_comment_or_nothing(tmp_path: Path) -> None:
    """A table with folded details for a pull request; not a word where nothing changed."""
    old = folder(tmp_path, "old", k=FLASH)
    new = folder(tmp_path, "new", k=FLASH.replace("versions: n", "versions: 3"))
    shown = smemdsl("diff", old, new, "--format", "markdown").stdout
    assert "| flash_fwd  | sm_90 2 -&gt; 1 blocks/SM  OK | 114688 -&gt; 131072 | +16384, +14.3 % |" in shown
    assert "<details><summary>What explains it</summary>" in shown
    same = smemdsl("diff", old, old, "--format", "markdown")
    assert (same.stdout, same.stderr) == ("", "no change: 1 scenario\n")


def test_github_points_at_the_buffer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change is annotated at the buffer that explains it, a broken expectation at its own line."""
    monkeypatch.chdir(tmp_path)
    folder(tmp_path, "old", k=FLASH)
    after = FLASH.replace("versions: n", "versions: 3") + "expect: {arena: 114688}\n"
    folder(tmp_path, "new", k=after)
    change, broken = smemdsl("diff", "old", "new", "--format", "github").stdout.splitlines()
    assert change.startswith("::error file=new/k.yaml,title=regression,line=8,col=3,")
    assert "114688 -> 131072 B (+16384, +14.3 %25)" in change
    assert "%0AK_shared 2 -> 3 versions +16384" in change
    assert broken.startswith("::error file=new/k.yaml,title=expect-arena,line=12,col=17,")
    assert smemdsl("diff", "old", "old", "--format", "github").stdout == ""


def test_overrides_hold_for_both_sides(tmp_path: Path) -> None:
    """`--budget` and `--set` judge both sides anew; a stored result cannot be judged anew."""
    old = folder(tmp_path, "old", k=FLASH)
    new = folder(tmp_path, "new", k=FLASH.replace("48 KiB", "64 KiB"))
    shown = smemdsl("diff", old, new, "--budget", "sm_86", "--set", "n=1").stdout
    assert "arena 98304 -> 114688 B (+16384, +16.7 %)  sm_86 1 -> 0 blocks/SM  OK -> OVER" in shown
    stored = tmp_path / "old.json"
    stored.write_text(smemdsl("pack", old, "--format", "json").stdout)
    assert smemdsl("diff", str(stored), new, "--budget", "sm_86").exit_code == 2


@pytest.mark.parametrize("paths", [[], ["a"], ["a", "b", "c"]])
def test_two_sides_are_wanted(paths: list[str]) -> None:
    """Without --base there are an old side and a new one."""
    assert smemdsl("diff", *paths).exit_code == 2


def test_filled_parameters_are_compared_budget_by_budget(tmp_path: Path) -> None:
    """Where each budget has its own largest value, each has its own line, also against a stored result."""
    text = FLASH.replace("budget: sm_90", "budget: [sm_90, sm_86]").replace("sweep:", "fill:")
    old = folder(tmp_path, "old", k=text)
    new = folder(tmp_path, "new", k=text.replace("48 KiB", "44 KiB"))
    stored = tmp_path / "old.json"
    stored.write_text(smemdsl("pack", old, "--format", "json").stdout)
    lines = [
        "flash_fwd on sm_90  arena 212992 -> 208896 B (-4096, -1.9 %)  sm_90 1 block/SM  OK",
        "flash_fwd on sm_86  arena 98304 -> 94208 B (-4096, -4.2 %)  sm_86 1 block/SM  OK",
    ]
    for one in (old, str(stored)):
        shown = smemdsl("diff", one, new).stdout.splitlines()
        assert [line for line in shown if line.startswith("flash_fwd")] == lines


def test_two_files_are_held_together_whatever_they_are_called(tmp_path: Path) -> None:
    """Two files are one kernel on both sides, as the person says who names them; two folders are not."""
    old = folder(tmp_path, "old", one=FLASH)
    new = folder(tmp_path, "new", two=FLASH.replace("flash_fwd", "b").replace("{n: 2}", "{n: 3}"))
    lines = smemdsl("diff", f"{old}/one.yaml", f"{new}/two.yaml").stdout.splitlines()
    assert lines[0] == "b  arena 114688 -> 131072 B (+16384, +14.3 %)  sm_90 2 -> 1 blocks/SM  OK"
    assert "  name flash_fwd -> b" in lines
    assert smemdsl("diff", old, new).stdout.splitlines() == [
        "b  added  arena 131072 B  sm_90 1 block/SM  OK",
        "flash_fwd  removed  arena 114688 B  sm_90 2 blocks/SM  OK",
        "",
        "1 added, 1 removed, 0 unchanged",
    ]


SPECIALISED = """\
smemdsl: 1
name: staged
params: {n: 3, block: 64}
target: sm_90
threads: 256
buffers:
  A: {shape: [128, block], dtype: float16}
  B: {shape: [block, 128], dtype: float16}
program:
  - loop: k
    extent: 16
    num_stages: n
    body:
      - copy: A
      - copy: B
      - gemm: {a: A, b: B, m: 128, n: 128, k: block}
"""
"""Warp-specialised: barriers of 8 * 2 * 3 stages lie in static memory."""


def test_a_program_and_what_it_expands_to(tmp_path: Path) -> None:
    """Static memory without its parts is the same memory; parameters that went together are one line."""
    program, explicit = tmp_path / "program.yaml", tmp_path / "explicit.yaml"
    program.write_text(SPECIALISED)
    explicit.write_text(smemdsl("expand", str(program)).stdout)
    result = smemdsl("diff", str(program), str(explicit))
    assert (result.exit_code, result.stdout) == (0, "no change: 1 scenario\n")
    explicit.write_text(explicit.read_text().replace("static: 48", "static: 64"))
    shown = smemdsl("diff", str(program), str(explicit)).stdout
    assert "  static memory 48 -> 64 B +16\n" in shown
    assert "  params n, block gone\n" in shown
    assert "(none)" not in shown
    assert "barriers" not in shown
