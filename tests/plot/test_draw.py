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
from smemdsl.core.truncate import without_middle
from smemdsl.judging.plan import Options
from smemdsl.output.plotting import SIZES, CurveFigure, HeatFigure, MapFigure, map_figure
from smemdsl.output.plotting.draw import TooSmallError, drawn
from smemdsl.output.plotting.draw.heat import Colours
from tests.effort import examples
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


def test_long_names_are_shortened() -> None:
    """Of a name of 200 characters a note has the beginning and the end, and no more."""
    name = "".join(f"n{i:03}" for i in range(50))
    shown = texts(svg(hostile([name]), "column"))
    assert without_middle(name, 60) in "".join(shown)
    assert name[:100] not in "".join(shown)


def test_every_budget_has_a_line_to_its_name() -> None:
    """Four budgets whose names are moved apart: four leaders of the map, three of a curve."""
    text = "smemdsl: 1\nbuffers: {a: {bytes: 27 KiB}}"
    tree = svg(map_figure(loads(text).verdicts(["20KiB", "21KiB", "22KiB", "sm_90"])))
    assert ids(tree, r"panel-0-leader-\d") == [f"panel-0-leader-{i}" for i in range(4)]
    assert {"20KiB", "21KiB", "22KiB", "sm_90", "227.0 KiB"} <= set(texts(tree))
    assert "20.0 KiB" not in texts(tree)
    tree = svg(figure(TILES, TILE | {"num_stages": "1..5"}, ["sm_90", "sm_89", "100KiB"]))
    assert ids(tree, r"leader-\d") == [f"leader-{i}" for i in range(3)]


def test_marks_say_how_many_budgets_are_fitted() -> None:
    """1 to 4 stages of 64 KiB on 99, 163 and 227 KiB."""
    tree = svg(figure(TILES, TILE | {"num_stages": "1..4"}, ["sm_89", "sm_80", "sm_90"]))
    assert ids(tree, r"curve-0-\w+") == ["curve-0-fits", "curve-0-over", "curve-0-some"]
    shown = texts(tree)
    assert [text for text in shown if text.endswith("/3")] == ["3/3", "2/3", "1/3", "0/3"]
    assert any("blocks/SM of sm_89 alone" in text for text in shown)


def test_what_has_no_edge_has_no_line_in_the_key() -> None:
    """Two and three stages of 32 and 64 KiB: all fit 227 KiB, and none 1 KiB."""
    shown = texts(svg(figure(TILES, TILE | {"block_K": "32,64", "num_stages": "2..3"}, ["sm_90", "1KiB"])))
    assert {"Everything fits sm_90 (227.0 KiB).", "Nothing fits 1KiB."} <= set(shown)
    assert not any("edge of what fits" in text for text in shown)


def test_colours_end_near_the_largest_budget() -> None:
    """Up to 6400 KiB on one of 227: 340.5 KiB have the last colour, and the bar says that there is more."""
    what = figure(TILES, TILE | {"block_K": "32,64", "num_stages": "1..100"}, ["sm_90"])
    assert isinstance(what, HeatFigure)
    colours = Colours(what)
    assert (colours.top, colours.above) == (348672, True)
    assert colours.of(348672) == colours.of(6400 * 1024) != colours.of(232448)
    assert "Colours end well above the largest budget." in texts(svg(what))


def test_letters_that_have_no_place() -> None:
    """Thirty buffers of 16 B upon each other at the end of 1 MiB: letters for some, the names of the rest."""
    rows = "".join(f"  b{i}: {{bytes: 16}}\n" for i in range(30))
    text = f"smemdsl: 1\nalign: 16\nbuffers:\n  large: {{bytes: 1 MiB}}\n{rows}"
    shown = " ".join(texts(svg(map_figure([loads(text).check()]))))
    assert "a: b0;" in shown
    assert "Without room for a letter: " in shown
    assert all(re.search(rf"\bb{i}\b", shown) for i in range(30))


def test_marks_on_letters_move_no_line() -> None:
    """A line of a note stands where it would without accents upon accents: its baseline is the same."""

    def heights(name: str) -> list[str]:
        text = (
            f"smemdsl: 1\nbuffers: {{large: {{bytes: 64 KiB}}, {name}: {{bytes: 16}}, other: {{bytes: 16}}}}"
        )
        tree = svg(map_figure([loads(text).check()]))
        found = next(one for one in tree.iter(f"{SVG}text") if "other." in "".join(one.itertext()))
        return re.findall(r"-?[0-9.]+", found.get("transform", ""))[1:2] or [found.get("y", "")]

    assert heights("e") == heights("e\u0301\u0301\u0301\u0301")


@settings(max_examples=examples(4), deadline=None)
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
