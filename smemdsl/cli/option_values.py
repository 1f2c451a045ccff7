"""Values of options that are more than a word: `name=value`, `format:file`, sizes, times."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

import click

from smemdsl.core.errors import ExpressionError
from smemdsl.core.units import parse_size
from smemdsl.output.formats import of_file

if TYPE_CHECKING:
    _PairType = click.ParamType[tuple[str, str]]
    _NumberType = click.ParamType[int]
else:  # older versions of click have it without a parameter
    _PairType = _NumberType = click.ParamType


class FiniteType(click.FloatRange):
    """A number for which neither nan nor inf stands."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value!r} is not a finite number", param, ctx)
        return number


class FileType(click.Path):
    """A path; a NUL, which no system has in one, is refused before the system is asked."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the path."""
        if "\0" in str(value):
            self.fail(f"{value!r} is no path: it holds a NUL", param, ctx)
        return super().convert(value, param, ctx)


class SettingType(_PairType):
    """`name=value`, kept as a pair of name and text."""

    name = "name=value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split at the first equals sign."""
        if isinstance(value, tuple):
            return value
        name, equals, text = str(value).partition("=")
        if not equals or not name.strip() or not text.strip():
            self.fail(f"{value!r} is not of the form name=value", param, ctx)
        return name.strip(), text.strip()


class AlignmentType(_NumberType):
    """A power of two, in bytes; with a unit if wanted."""

    name = "bytes"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the size."""
        try:
            size = parse_size(value)
        except ExpressionError as error:
            self.fail(f"{error.message}{error.hint and f' ({error.hint})'}", param, ctx)
        if size is None or size < 1 or size & (size - 1):
            self.fail(f"{value!r} is not an alignment: must be a power of two", param, ctx)
        return size


class SecondsType(click.FloatRange):
    """A time: a number, for which nan does not stand."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number."""
        seconds = float(super().convert(value, param, ctx))
        if not seconds >= 0:  # nan is neither below nor above
            self.fail(f"{value!r} is not a time", param, ctx)
        return seconds


class OutputFileType(_PairType):
    """`format:file`, kept as a pair."""

    name = "format:file"

    def __init__(self, styles: Sequence[str]) -> None:
        self.styles = tuple(styles)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split at the first colon; without one, the file's ending says the format."""
        if isinstance(value, tuple):
            return value
        style, colon, file = str(value).partition(":")
        if not colon and (found := of_file(style, self.styles)):
            return found, style
        if not colon or not file:
            self.fail(
                f"{value!r} is not of the form FORMAT:FILE, for instance sarif:smemdsl.sarif", param, ctx
            )
        if style not in self.styles:
            self.fail(f"{style!r} is not a format: {', '.join(self.styles)}", param, ctx)
        return style, file
