"""Triton's compile options: which there are, and of what kind. Runs in the worker."""

from __future__ import annotations

import types
import typing
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from smemdsl.compilers.capture.failing import CaptureError, attempt, check_options


def checked(options: Mapping[str, Any], backend: Any, kind: type) -> Any:
    """The options as Triton's own object, which is an instance of `kind`.

    Triton itself ignores an option that it has not, and finds a wrong value where it is used, or never.

    Raises:
        CaptureError: there is no such option, or it takes no such value.
    """
    known = {field.name: field.default for field in fields(kind)}
    check_options("Triton", options, known)
    hints = typing.get_type_hints(kind)
    for name, value in options.items():
        wanted = _kinds(hints[name])
        if value is not known[name] and type(value) not in wanted:
            takes = " or ".join(each.__name__ for each in wanted if each is not type(None))
            raise CaptureError(
                "capture-options", f"{name} takes {takes}, not {value!r}", f"--option {name}=VALUE"
            )
    return attempt(
        "capture-options", "Triton does not take these options", lambda: backend.parse_options(dict(options))
    )


def _kinds(hint: Any) -> tuple[type, ...]:
    """The types that an annotation allows."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        return tuple(kind for each in typing.get_args(hint) for kind in _kinds(each))
    return (typing.get_origin(hint) or hint,)
