"""A page of matplotlib: one look whatever the machine's settings, and the same bytes each time."""

from __future__ import annotations

import io
import logging
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager, get_font
from matplotlib.ft2font import FT2Font
from matplotlib.lines import Line2D

from smemdsl.core.errors import SmemdslError
from smemdsl.output.plotting.labels import LEADING, shortened
from smemdsl.output.plotting.palette import FAINT, INK
from smemdsl.output.plotting.sheet import Sheet

SMALL = 0.9
"""Size of notes and ticks, as a share of the text's."""
DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (4, 1, 1, 1)))
"""Lines of budgets, in their order."""
FONT = "DejaVu Sans"
"""Comes with matplotlib, so that every machine has it."""
_OTHER_FONTS = (
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Source Han Sans SC", "WenQuanYi Zen Hei", "PingFang SC",
    "Hiragino Sans GB", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Arial Unicode MS",
)  # fmt: skip
"""Asked for characters that it has not, where they are installed."""
_ASCENT = 0.76
"""How far the baseline of a text is below its upper edge, in sizes, whatever marks stand on its letters."""
_DPI = 200
_FINE = 200
"""Size at which texts are measured: so large, rounding to whole pixels no longer matters."""
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
    "png": {},
}
"""What would differ from one day to the next, left out."""


class TooSmallError(SmemdslError):
    """A sheet on which a figure has no room."""


class Drawn(NamedTuple):
    """A file that shows a figure."""

    data: bytes
    missing: str
    """Characters that no font has which is installed."""


class Canvas:
    """A figure under way; places are inches from the lower left corner, sizes of text are points."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.figure = Figure(figsize=(sheet.width, sheet.height))
        self._renderer: Any = RendererAgg(1, 1, 72)  # type: ignore[no-untyped-call]
        self._widths: dict[str, float] = {}
        """Of characters of size 1."""

    @property
    def points(self) -> float:
        """Size of the text."""
        return self.sheet.points

    @property
    def line(self) -> float:
        """Height of a line of text, in inches."""
        return LEADING * self.points / 72

    @property
    def stroke(self) -> float:
        """Width of an outline, in points."""
        return self.points / 10

    def measure(self, text: str, size: float) -> float:
        """How wide the widest line of a text is, in points: its characters side by side, without kerning."""
        return max(sum(map(self._width, line)) for line in text.split("\n")) * size

    def _width(self, char: str) -> float:
        """The width of a character of size 1."""
        if char not in self._widths:
            font = FontProperties(size=_FINE)
            width, _, _ = self._renderer.get_text_width_height_descent(char, font, ismath=False)
            self._widths[char] = float(width) / _FINE
        return self._widths[char]

    def inches(self, text: str, size: float | None = None) -> float:
        """How wide a text is, in inches."""
        return self.measure(text, size or self.points) / 72

    def grow(self, height: float) -> None:
        """Make the page higher, where it is lower than that."""
        if height > self.sheet.height:
            self.sheet = self.sheet._replace(height=height)
            self.figure.set_size_inches(self.sheet.width, height)

    def check_width(self, panels: int, width: float, least: float) -> None:
        """See to it that panels are as wide as the least that shows anything, in lines of text.

        Raises:
            TooSmallError: they are not, and nothing but a wider sheet helps.
        """
        short = least * self.line - width
        if short > 0:
            wanted = self.sheet.width + panels * short
            what = f"{panels} panels side by side need" if panels > 1 else "the figure needs a width of"
            raise TooSmallError(f"{what} {wanted:.1f} inches, and there are {self.sheet.width:g}")

    def title(self, text: str) -> None:
        """The figure's title at the top, if there is one."""
        size = 1.15 * self.points
        shown = shortened(text, (self.sheet.width - self.line) * 72, size, self.measure)
        self.write(self.line / 2, self.sheet.height - self.line / 2, shown, size=size, weight="bold")

    def axes(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Axes at a place."""
        w, h = self.sheet.width, self.sheet.height
        return self.figure.add_axes((left / w, bottom / h, width / w, height / h))

    def write(self, x: float, y: float, text: str, **how: Any) -> None:
        """A text whose upper left corner is at a place, unless it is said how else to align it."""
        place: dict[str, Any] = {"ha": "left", "va": "baseline", "size": self.points} | how
        if place["va"] == "baseline":
            y -= _ASCENT * place["size"] / 72
        self.figure.text(x / self.sheet.width, y / self.sheet.height, text, **place)

    def leader(self, points: Sequence[tuple[float, float]], name: str) -> None:
        """A thin line from what a label names to the label."""
        x = [place / self.sheet.width for place, _ in points]
        y = [place / self.sheet.height for _, place in points]
        line = Line2D(x, y, color=FAINT, lw=0.7 * self.stroke, transform=self.figure.transFigure)
        line.set(gid=name, zorder=1)
        self.figure.add_artist(line)


def on_page(draw: Callable[[Canvas], None], sheet: Sheet, suffix: str, title: str) -> Drawn:
    """The file that a function draws."""
    kind = suffix.removeprefix(".")
    data = io.BytesIO()
    with _settings(sheet), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        page = Canvas(sheet)
        draw(page)
        missing = _missing(page.figure)
        if missing:
            mpl.rcParams["font.family"] = [FONT, *_installed()]
            page = Canvas(sheet)
            draw(page)
            missing = _missing(page.figure)
        metadata = _METADATA[kind] | {"Title": title}
        page.figure.savefig(data, format=kind, metadata=metadata)
    for warning in caught:
        if "missing from" not in str(warning.message):
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
    return Drawn(data.getvalue(), missing)


@contextmanager
def _settings(sheet: Sheet) -> Iterator[None]:
    """Matplotlib as it comes, whatever the user's own settings are, with the look of these figures."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with mpl.rc_context():
            mpl.rcdefaults()
            settings: Any = mpl.rcParams
            settings.update(_look(sheet))
            yield
    finally:
        logger.setLevel(level)


def _look(sheet: Sheet) -> dict[str, Any]:
    stroke = sheet.points / 10
    return {
        "font.family": [FONT],
        "font.size": sheet.points,
        "text.color": INK,
        "text.parse_math": False,  # a buffer may be called $x$
        "text.hinting": "no_hinting",  # so that a text is as wide as it was measured
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "axes.linewidth": stroke,
        "axes.labelsize": sheet.points,
        "xtick.color": INK,
        "ytick.color": INK,
        "xtick.labelsize": 0.9 * sheet.points,
        "ytick.labelsize": 0.9 * sheet.points,
        "xtick.major.width": stroke,
        "ytick.major.width": stroke,
        "hatch.linewidth": 0.6 * stroke,
        "savefig.dpi": _DPI,
        "savefig.facecolor": "white",
        "svg.fonttype": "none",  # text stays text: to be searched, read aloud, and edited
        "svg.hashsalt": "smemdsl",
        "pdf.fonttype": 42,  # as publishers ask for
    }


def _missing(figure: Figure) -> str:
    """Characters of a figure that the fonts of the moment have not."""
    texts = "".join(text.get_text() for text in figure.findobj(_is_text))  # type: ignore[attr-defined]
    fonts = [_font(name) for name in mpl.rcParams["font.family"]]
    return "".join(
        char
        for char in dict.fromkeys(texts)
        if char.isprintable() and not any(font.get_char_index(ord(char)) for font in fonts)
    )


def _is_text(artist: object) -> bool:
    return hasattr(artist, "get_text") and bool(artist.get_text())


def _font(name: str) -> FT2Font:
    return get_font(fontManager.findfont(FontProperties(family=name)))


def _installed() -> list[str]:
    names = set(fontManager.get_font_names())
    return [name for name in _OTHER_FONTS if name in names]
