"""`smemdsl plot`: what it writes, what it says, and how it leaves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.running import run
from tests.plot.test_draw import SVG, texts

pytest.importorskip("matplotlib")
ET = pytest.importorskip("xml.etree.ElementTree")
TILES = (
    "plot",
    "builtin:gemm-tiles",
    "-o",
    "out.svg",
    "--sweep",
    "--set",
    "block_M=128",
    "--set",
    "block_N=128",
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current folder."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_ACTIONS", "FORCE_COLOR", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def shown(file: str = "out.svg") -> list[str]:
    """The texts of a figure."""
    return texts(ET.parse(file).getroot())


@pytest.mark.parametrize(
    ("suffix", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF"), ("PNG", b"\x89PNG")]
)
def test_a_map_in_every_format(suffix: str, magic: bytes) -> None:
    """The ending of the name says which; the counts are the answer."""
    done = run("plot", "builtin:epilogue", "-o", f"out.{suffix}")
    assert (done.code, done.out, done.err) == (0, "1 scenario: 1 OK\n", f"wrote out.{suffix}\n")
    assert Path(f"out.{suffix}").read_bytes().startswith(magic)


def test_what_is_over_is_drawn_too() -> None:
    """Exit code 1, as of `check`, and the figure is there."""
    done = run("plot", "builtin:epilogue", "-o", "out.svg", "--set", "num_stages=4", "--budget", "rtx-4090")
    assert (done.code, done.out) == (1, "1 scenario: 0 OK, 1 OVER\n")
    assert "sm_89: OVER, 0 blocks/SM" in shown()
    assert "epilogue: num_stages=4" in shown()


def test_policies_and_budgets() -> None:
    """A panel a policy, each once; a line a budget."""
    flags = (
        "--policy",
        "struct",
        "--policy",
        "triton",
        "--policy",
        "struct",
        "--budget",
        "h100",
        "--budget",
        "100KiB",
    )
    run("plot", "builtin:epilogue", "-o", "out.svg", *flags, "--align", "1024")
    assert [text for text in shown() if text in ("struct", "triton")] == ["struct", "triton"]
    assert {"sm_90", "100KiB"} <= set(shown())


@pytest.mark.parametrize(("title", "first"), [(("--title", "A figure"), True), (("--title", ""), False)])
def test_a_title(title: tuple[str, str], *, first: bool) -> None:
    """Another one, or none."""
    run("plot", "builtin:epilogue", "-o", "out.svg", *title)
    assert ("A figure" in shown()) is first
    assert "epilogue" not in shown()


def test_a_sheet() -> None:
    """A slide is 13.333 by 7.5 inches; a width and a height of one's own count more."""
    for flags, size in (((), (13.333, 7.5)), (("--width", "10", "--height", "8"), (10, 8))):
        run("plot", "builtin:epilogue", "-o", "out.svg", "--size", "slide", *flags)
        root = ET.parse("out.svg").getroot()
        got = tuple(float(root.get(name).removesuffix("pt")) / 72 for name in ("width", "height"))
        assert got == pytest.approx(size, abs=0.001)
        assert root.tag == f"{SVG}svg"


def test_sweeps() -> None:
    """Over two axes colours, over one a curve; the counts are those of `sweep`, and so is the exit code."""
    two = run(*TILES, "--set", "block_K=32,64", "--set", "num_stages=4..9")
    assert (two.code, two.out) == (0, "12 rows: 10 OK, 2 OVER\n")
    assert {"block_K", "num_stages", "gemm-tiles: block_M=128 block_N=128"} <= set(shown())
    one = run(*TILES, "--set", "block_K=64", "--set", "num_stages=4..9", "--budget", "h100")
    assert (one.code, one.out) == (0, "6 rows: 4 OK, 2 OVER\n")
    assert "blocks/SM of sm_90" in shown()
    none = run(*TILES, "--set", "block_K=64", "--set", "num_stages=8..9")
    assert (none.code, none.out) == (1, "2 rows: 0 OK, 2 OVER\n")


def test_a_row_in_error() -> None:
    """It is told, its cell is white, and the exit code is 2."""
    write("k.yaml", "params: {n: 1, m: 1}\nbuffers: {a: {bytes: 8 // (n - m)}}\n")
    done = run("plot", "k.yaml", "-o", "out.svg", "--sweep", "--set", "n=3..4", "--set", "m=1..3")
    assert (done.code, done.out) == (2, "6 rows: 5 OK, 1 INVALID\n")
    assert "error[expr-zero-division]" in done.err
    assert "White: ruled out by a constraint, or in error." in shown()


def write(name: str, text: str) -> None:
    """A scenario in the current folder."""
    Path(name).write_text(f"smemdsl: 1\n{text}", encoding="utf-8")


def many(count: int) -> str:
    """So many buffers."""
    return "buffers:\n" + "".join(f"  b{i}: {{bytes: 16, live: [{i}, {i + 1}]}}\n" for i in range(count))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("k.yaml", "-o", "map.jpg"), "map.jpg: a figure is an .svg, .png, .pdf"),
        (("k.yaml", "-o", "-"), "a figure is an .svg, .png, .pdf"),
        (("k.yaml",), "Missing option '-o'"),
        (("k.yaml", "-o", "no/map.svg"), "no/map.svg: error[unwritable]"),
        (("none.yaml", "-o", "map.svg"), "none.yaml: error[not-found]"),
        (("bad.yaml", "-o", "map.svg"), "error["),
        (("k.yaml", "k2.yaml", "-o", "map.svg"), "plot: error[several-scenarios] 2 scenarios found"),
        (("empty.yaml", "-o", "map.svg"), "empty.yaml: error[plot] nothing lies in the arena"),
        (("many.yaml", "-o", "map.svg"), "many.yaml: error[plot] 501 buffers are more than the 500"),
        (("k.yaml", "-o", "map.svg", "--sweep"), "k.yaml: error[no-axes]"),
        (("k.yaml", "-o", "map.svg", "--sweep", "--fill", "n=1..2"), "--sweep and --fill"),
        (
            ("k.yaml", "-o", "map.svg", "--sweep", "--set", "n=1..1001"),
            "error[plot] 1001 configurations are more",
        ),
        (
            ("k.yaml", "-o", "map.svg", "--sweep", "--set", "n=1..201", "--set", "m=1..200"),
            "40200 configurations",
        ),
        (
            ("k.yaml", "-o", "map.svg", "--sweep", "--set", "n=1..3", "--set", "m=1..2", "--set", "l=4,5"),
            "a figure has room for two axes, and there are 3: n, m, l\n  hint: fix the others: --set l=4\n",
        ),
        (("listed.yaml", "-o", "map.svg", "--sweep"), "error[plot] a figure needs axes"),
        (
            ("ruled.yaml", "-o", "map.svg", "--sweep"),
            "error[plot] there is nothing to draw: 0 rows: 0 OK; 2 skipped",
        ),
        (("k.yaml", "-o", "map.svg", "--set", "x=1"), "error[unknown-parameter]"),
        (("k.yaml", "-o", "map.svg", "--budget", "h10"), "error[budget]"),
        (("k.yaml", "-o", "map.svg", "--policy", "none"), "Invalid value for '--policy'"),
        (("k.yaml", "-o", "map.svg", "--width", "0"), "Invalid value for '--width'"),
        (("k.yaml", "-o", "map.svg", "--width", "1"), "error[plot] the figure needs a width of "),
        (
            ("k.yaml", "-o", "map.svg", "--width", "nan"),
            "Invalid value for '--width': 'nan' is not a finite number",
        ),
        (("k.yaml", "-o", "map.svg", "--width", "inf"), "Invalid value for '--width'"),
        (("k.yaml", "-o", "map.svg", "--height", "nan"), "'--height': 'nan' is not a finite number"),
        (("k.yaml", "-o", "map.svg", "--height", "-inf"), "Invalid value for '--height'"),
        (("k.yaml", "-o", "map.svg", "--size", "poster"), "Invalid value for '--size'"),
        (("self.svg", "-o", "self.svg"), "self.svg: error[overwrites-input]"),
        (("self.svg", "-o", "link.svg"), "link.svg: error[overwrites-input]"),
    ],
)
def test_errors(arguments: tuple[str, ...], said: str) -> None:
    """Each is told in words, with exit code 2, and nothing is written."""
    write("k.yaml", "params: {n: 1, m: 1, l: 1}\nbuffers: {a: {bytes: n * m * l}}\n")
    write("k2.yaml", "buffers: {a: {bytes: 1}}\n")
    write("self.svg", "buffers: {a: {bytes: 1}}\n")
    Path("link.svg").symlink_to("self.svg")
    write("bad.yaml", "buffers: {a: {bytes: x}}\n")
    write("empty.yaml", "buffers: {}\n")
    write("many.yaml", many(501))
    write("listed.yaml", "params: {n: 1}\nbuffers: {a: {bytes: n}}\nconfigs: [{n: 1}, {n: 2}]\n")
    write("ruled.yaml", "params: {n: 1}\nconstraints: [n > 2]\nbuffers: {a: {bytes: n}}\nsweep: {n: 1..2}\n")
    done = run("plot", *arguments)
    assert done.code == 2
    assert said in done.err
    assert (done.out, Path("map.svg").exists()) == ("", False)


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says what to install."""
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = run("plot", "builtin:epilogue", "-o", "out.svg")
    assert done.code == 2
    assert "plot needs matplotlib: pip install 'smemdsl[plot]'" in done.err


def test_names_without_room() -> None:
    """Letters stand for them, in file order, whether the buffers share storage or not."""
    small = "".join(f"  b{i}: {{bytes: 16, live: [{i}, {i + 1}]}}\n" for i in range(4))
    write("small.yaml", f"buffers:\n{small}  lone: {{bytes: 16}}\n  wide: {{bytes: 64 KiB}}\n")
    run("plot", "small.yaml", "-o", "out.svg", "--policy", "struct", "--policy", "tilelang")
    assert "a: b0; b: b1; c: b2; d: b3; e: lone." in shown()


def test_as_many_buffers_as_there_may_be() -> None:
    """Five hundred of them make a figure."""
    write("many.yaml", many(500))
    assert run("plot", "many.yaml", "-o", "out.svg").code == 0
