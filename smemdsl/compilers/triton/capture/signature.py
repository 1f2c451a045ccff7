"""What a Triton kernel is specialised for: types, constants and hints, from arguments as typed.

`x=*fp16` is a pointer, aligned to 16 B as allocators give it (`*fp16:1`: not); `n=i32` an integer, `n=i32:16`
one that is a multiple of 16; a literal is a constant, or, of a parameter that is not a constexpr, an integer
specialised as Triton does at launch.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from smemdsl.core.did_you_mean import did_you_mean

TYPES = (
    *("fp8e4nv", "fp8e4b8", "fp8e4b15", "fp8e5", "fp8e5b16", "fp16", "bf16", "fp32", "fp64"),
    *(f"{sign}{bits}" for sign in "iu" for bits in (1, 8, 16, 32, 64)),
    "void",
)
"""Names of Triton 3.9 in a signature: `str_to_ty` of its `language/__init__.py`."""
_TYPE = re.compile(r"(?P<type>(?P<star>\*k?)?(?P<name>[a-z]\w*)|tensordesc\w*<.*>)(?::(?P<hint>1|16))?")
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
        if text is None and parameter.constexpr:
            signature = _constant(signature, parameter.name, parameter.default)
        else:
            signature = _with(signature, index, parameter, repr(parameter.default) if text is None else text)
    return signature


def _constant(signature: Signature, name: str, value: Any) -> Signature:
    signature.types[name] = "constexpr"
    signature.constants[name] = value
    return signature


def _with(signature: Signature, index: int, parameter: Parameter, text: str) -> Signature:
    name = parameter.name
    known, value = _literal(text)
    if parameter.constexpr:
        if not known and (found := _TYPE.fullmatch(text)) and found["name"] in (None, *TYPES):
            raise SignatureError(f"{name} is a constexpr, which takes a value: not the type {text}")
        return _constant(signature, name, value)
    if known and (not isinstance(value, int) or isinstance(value, bool) or value == 1):
        return _constant(signature, name, value)
    if known:
        signature.types[name] = "i32" if -(2**31) <= value < 2**31 else "i64"
        hint = value % _DIVISIBLE == 0
    elif found := _TYPE.fullmatch(text):
        if (type_ := found["name"]) not in (None, *TYPES):
            raise SignatureError(f"{name}={text}: Triton has no type {type_!r}; {_near(type_)}")
        signature.types[name] = found["type"]
        hint = found["hint"] == "16" or (found["hint"] is None and text.startswith("*"))
    else:
        raise SignatureError(f"{name}={text}: neither a type such as *fp16 or i32 nor a number")
    return signature._replace(divisible=(*signature.divisible, index)) if hint else signature


def _near(name: str) -> str:
    return did_you_mean(name, TYPES, otherwise="it has ")


def _literal(text: str) -> tuple[bool, Any]:
    """Whether a text is a Python literal, and its value; of one that is none, the text."""
    try:
        return True, ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False, {"true": True, "false": False}.get(text, text)
