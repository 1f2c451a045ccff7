"""Figures in files: every rectangle and label is there, names stay text, bytes are always the same."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("matplotlib")

from smemdsl import load, loads
from smemdsl.planning import Options
from smemdsl.plotting import SIZES, CurveFigure, HeatFigure, MapFigure, map_figure
from smemdsl.plotting.draw import TooSmallError, drawn
from tests.plot.test_figures import TILE, TILES, figure
from tests.plot.test_picture import LIVES, scenario

SVG = "{http://www.w3.org/2000/svg}"
ROOT = Path(__file__).parents[2]
MAP = map_figure(
    [
        v
        for p in ("sequential", "tilelang")
        for v in load("builtin:epilogue").verdicts(["sm_89", "sm_90"], Options(p))
    ]
)
HEAT = figure(TILES, TILE | {"block_K": "32,64", "num_stages": "2..8"}, ["sm_90", "sm_80"])
CURVE = figure(TILES, TILE | {"num_stages": "1..5"}, ["sm_90"])
NAMES = ("$x^2$", "<script>alert(1)</script>", "缓冲区", "a & b \"q\" 'z'", r"\frac{1}{2}", "]]>", "OK")


def svg(what: MapFigure | HeatFigure | CurveFigure, size: str = "page") -> ET.Element:
    """The figure as a tree."""
    return ET.fromstring(drawn(what, SIZES[size], ".svg").data)


def ids(tree: ET.Element, pattern: str) -> list[str]:
    """The identifiers that a pattern matches."""
    return sorted(name for one in tree.iter() if re.fullmatch(pattern, name := one.get("id", "")))


def texts(tree: ET.Element) -> list[str]:
    """Every text."""
    return ["".join(one.itertext()) for one in tree.iter(f"{SVG}text")]


def test_a_map_has_all_its_rectangles() -> None:
    """Three blocks a panel, two lines of budgets, one bracket, free space hatched, in two panels."""
    tree = svg(MAP)
    assert ids(tree, r"panel-\d-block-\d") == [f"panel-{p}-block-{b}" for p in (0, 1) for b in (0, 1, 2)]
    assert ids(tree, r"panel-\d-budget-\d") == [f"panel-{p}-budget-{b}" for p in (0, 1) for b in (0, 1)]
    assert ids(tree, r"panel-\d-shared-\d") == ["panel-1-shared-1"]
    assert len(ids(tree, r"panel-\d-free-\d")) == sum(len(panel.picture.spaces) for panel in MAP.panels)
    assert ids(tree, r"panel-\d-(arena|peak)") == sorted(
        f"panel-{p}-{w}" for p in (0, 1) for w in ("arena", "peak")
    )
    shown = texts(tree)
    assert shown.count("A_shared") == shown.count("B_shared") == 2
    assert {"sequential", "tilelang", "arena 64.0 KiB", "sm_89", "99.0 KiB", "sm_90", "227.0 KiB"} <= set(
        shown
    )
    assert {"3", "4", "51", "53", "slot", "address (KiB)", "peak, slot 4", "epilogue"} <= set(shown)


def test_identifiers_are_unique() -> None:
    """No identifier stands twice in a file, or a reader could not follow it."""
    for what in (MAP, HEAT, CURVE):
        names = [name for one in svg(what).iter() if (name := one.get("id"))]
        assert len(names) == len(set(names))


def test_a_heat_map_has_its_frontiers() -> None:
    """One a budget, the numbers of all cells, the axes and the key."""
    tree = svg(HEAT)
    assert ids(tree, r"panel-0-frontier-\d") == ["panel-0-frontier-0", "panel-0-frontier-1"]
    assert ids(tree, "panel-0-hatched") == ["panel-0-hatched"]
    shown = texts(tree)
    assert {"block_K", "num_stages", "32", "64", "arena (KiB)"} <= set(shown)
    assert {"448", "512"} <= set(shown)  # cells: 7 and 8 stages of 64 KiB
    assert "edge of what fits sm_90 (227.0 KiB)" in shown
    assert "Hatched: does not fit any of them." in shown


def test_a_curve_has_its_bands() -> None:
    """3, 2, 1 and 0 blocks of multiples of 64 KiB on sm_90."""
    tree = svg(CURVE)
    assert ids(tree, r"band-\d") == [f"band-{i}" for i in range(4)]
    assert ids(tree, r"curve-0-\w+") == ["curve-0-fits", "curve-0-over"]
    assert ids(tree, r"budget-\d") == ["budget-0"]
    assert {"num_stages", "blocks/SM of sm_90", "3", "2", "1", "0", "sm_90", "227.0 KiB"} <= set(texts(tree))


@pytest.mark.parametrize("suffix", [".svg", ".png", ".pdf"])
@pytest.mark.parametrize("what", [MAP, HEAT, CURVE], ids=["map", "heat", "curve"])
def test_the_same_figure_is_the_same_bytes(what: MapFigure, suffix: str) -> None:
    """Also where the user's own settings differ, and these are left alone; no date, no path is in it."""
    import matplotlib as mpl

    first = drawn(what, SIZES["column"], suffix).data
    with mpl.rc_context(
        {"font.size": 30, "svg.fonttype": "path", "axes.facecolor": "red", "text.usetex": False}
    ):
        assert drawn(what, SIZES["column"], suffix).data == first
        assert mpl.rcParams["font.size"] == 30
    assert first.startswith({".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}[suffix])
    assert not re.search(rb"<dc:date>|CreationDate|/(?:home|root|tmp|work)/", first)


def test_another_process_gives_the_same_bytes(tmp_path: Path) -> None:
    """Whatever the order of sets and the time zone."""
    files = []
    for seed in ("0", "1"):
        files.append(tmp_path / f"{seed}.svg")
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": f"UTC{seed}", "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "smemdsl", "plot", "builtin:epilogue", "-o", str(files[-1])]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert done.stderr == f"wrote {files[-1]}\n"
    assert files[0].read_bytes() == files[1].read_bytes()


def hostile(names: Sequence[str]) -> MapFigure:
    """A figure of buffers that share nothing, each large enough for its name."""
    rows = "".join(f"  {name!r}: {{bytes: 64 KiB}}\n" if "'" not in name else "" for name in names)
    quoted = "".join("  '{}': {{bytes: 64 KiB}}\n".format(n.replace("'", "''")) for n in names if "'" in n)
    text = f"smemdsl: 1\nbudget: 1 MiB\nbuffers:\n{rows}{quoted}".replace("\\\\", "\\")
    return map_figure([loads(text).check()])


def test_names_stay_text() -> None:
    """Neither mathematics nor mark-up becomes of a name."""
    tree = svg(hostile(NAMES))
    assert set(NAMES) <= set(texts(tree))
    assert not list(tree.iter(f"{SVG}script"))


@pytest.mark.parametrize("suffix", [".png", ".pdf"])
def test_names_are_drawn(suffix: str) -> None:
    """Without a warning; characters that no font has are told."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert drawn(hostile(NAMES), SIZES["page"], suffix).data
        assert "\ue000" not in drawn(hostile(["plain"]), SIZES["page"], suffix).missing


def test_names_without_room_have_letters() -> None:
    """A buffer of 64 B beside one of 64 KiB has a letter in the map, and its name below."""
    text = "smemdsl: 1\nalign: 16\nbuffers: {large: {bytes: 64 KiB}, thin: {bytes: 64}, narrow: {bytes: 64}}"
    shown = texts(svg(map_figure([loads(text).check()])))
    assert {"large", "a", "b"} <= set(shown)
    assert "a: thin; b: narrow." in shown


def test_many_names_without_room_are_counted() -> None:
    """Sixty of 16 B beside one of 1 MiB: no letters, but their number."""
    rows = "".join(f"  b{i}: {{bytes: 16}}\n" for i in range(60))
    text = f"smemdsl: 1\nalign: 16\nbuffers:\n  large: {{bytes: 1 MiB}}\n{rows}"
    shown = texts(svg(map_figure([loads(text).check()])))
    assert "60 buffers have no room for their names." in shown
    assert "a" not in shown


def test_long_names_are_whole() -> None:
    """A name of 200 characters is broken into lines that together hold all of it."""
    name = "".join(f"n{i:03}" for i in range(50))
    shown = texts(svg(hostile([name]), "column"))
    assert name in "".join(shown)


@settings(max_examples=4, deadline=None)
@given(LIVES.filter(lambda lives: any(size for _, _, size in lives)), st.sampled_from(sorted(SIZES)))
def test_every_block_is_drawn(lives: list[tuple[int, int, int]], size: str) -> None:
    """Whatever the arena: as many rectangles as blocks, and each buffer's name somewhere."""
    what = map_figure([scenario(lives).check(budget="2 KiB")])
    tree = svg(what, size)
    blocks = what.panels[0].picture.blocks
    assert ids(tree, r"panel-0-block-\d+") == sorted(f"panel-0-block-{block.buffer}" for block in blocks)
    shown = " ".join(texts(tree))
    assert all(re.search(rf"\b{block.name}\b", shown) for block in blocks)


@pytest.mark.parametrize("what", [MAP, HEAT, CURVE], ids=["map", "heat", "curve"])
@pytest.mark.parametrize("size", list(SIZES))
def test_nothing_leaves_the_sheet(what: MapFigure, size: str) -> None:
    """Every text lies within the sheet, as far as its ends can be told: in the picture the rim is white."""
    from matplotlib.image import imread

    picture = imread(io.BytesIO(drawn(what, SIZES[size], ".png").data), format="png")
    for rim in (picture[0], picture[-1], picture[:, 0], picture[:, -1]):
        assert (rim[:, :3] == 1).all()


def test_many_panels_take_rows() -> None:
    """Six policies do not stand side by side in a column: the sheet grows."""
    policies = ("tilelang", "sequential", "triton", "struct", "firstfit", "optimal")
    scenario = load("builtin:epilogue")
    what = map_figure([v for p in policies for v in scenario.verdicts(["sm_90"], Options(p))])
    width, height = (
        float(svg(what, "column").get(name, "").removesuffix("pt")) for name in ("width", "height")
    )
    assert width == pytest.approx(72 * SIZES["column"].width)
    assert height > 72 * SIZES["column"].height


def test_too_narrow_a_sheet_is_said() -> None:
    """Two panels of colours in one inch and a half."""
    both = figure(TILES, TILE | {"block_K": "32,64", "num_stages": "2..8"}, policies=("tilelang", "struct"))
    for what in (MAP, both, CURVE):
        with pytest.raises(TooSmallError, match=r"inches, and there are 1\.5"):
            drawn(what, SIZES["page"].resized(1.5, None), ".svg")
