"""What a Triton kernel is specialised for: types, constants and hints, from arguments as typed.

`x=*fp16` is a pointer, aligned to 16 B as allocators give it (`*fp16:1`: not); `n=i32` an integer, `n=i32:16`
one that is a multiple of 16; a literal is a constant, or, of a parameter that is no constexpr, an integer
specialised as Triton does at launch.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

_TYPE = re.compile(r"(?P<type>\*?[a-z]+\d*\w*|tensordesc<.*>)(?::(?P<hint>1|16))?")
_DIVISIBLE = 16


class Parameter(NamedTuple):
    """A parameter of the kernel; `default` is None where it has none."""

    name: str
    constexpr: bool
    default: Any


class Signature(NamedTuple):
    """What Triton's `ASTSource` takes."""

    types: dict[str, str]
    constants: dict[str, Any]
    divisible: tuple[int, ...]
    """Indexes of the parameters that are multiples of 16."""


class SignatureError(ValueError):
    """An argument is missing, unknown, or says nothing."""


def specialise(parameters: Sequence[Parameter], args: Iterable[tuple[str, str]]) -> Signature:
    """The specialisation that some arguments ask for.

    Raises:
        SignatureError: an argument is missing, or no parameter has its name, or it is neither type nor value.
    """
    given = dict(args)
    names = [parameter.name for parameter in parameters]
    if unknown := [name for name in given if name not in names]:
        raise SignatureError(f"the kernel has no parameter {unknown[0]!r}; it has {', '.join(names)}")
    missing = [p.name for p in parameters if p.name not in given and p.default is None]
    if missing:
        raise SignatureError(f"no --arg for {', '.join(missing)}")
    signature = Signature({}, {}, ())
    for index, parameter in enumerate(parameters):
        text = given.get(parameter.name)
        signature = _with(signature, index, parameter, repr(parameter.default) if text is None else text)
    return signature


def _with(signature: Signature, index: int, parameter: Parameter, text: str) -> Signature:
    name = parameter.name
    known, value = _literal(text)
    if parameter.constexpr or (
        known and (not isinstance(value, int) or isinstance(value, bool) or value == 1)
    ):
        signature.types[name] = "constexpr"
        signature.constants[name] = value
        return signature
    if known:
        signature.types[name] = "i32" if -(2**31) <= value < 2**31 else "i64"
        hint = value % _DIVISIBLE == 0
    elif found := _TYPE.fullmatch(text):
        signature.types[name] = found["type"]
        hint = found["hint"] == "16" or (found["hint"] is None and text.startswith("*"))
    else:
        raise SignatureError(f"{name}={text}: neither a type such as *fp16 or i32 nor a number")
    return signature._replace(divisible=(*signature.divisible, index)) if hint else signature


def _literal(text: str) -> tuple[bool, Any]:
    """Whether a text is a Python literal, and its value; of one that is none, the text."""
    try:
        return True, ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False, {"true": True, "false": False}.get(text, text)
