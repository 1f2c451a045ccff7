"""What operators and functions compute.

Their errors have offset 0: the evaluator knows where they stand.
"""

import operator
from collections.abc import Callable
from typing import NamedTuple

from smemdsl.core.dtypes import DType
from smemdsl.core.errors import ExpressionError

LIMIT = 2**63
"""Every value v, also an intermediate one, has -LIMIT < v < LIMIT."""


class Function(NamedTuple):
    """A function that an expression may call."""

    least: int
    """Fewest arguments."""
    most: int | None
    """Most arguments; None: any number."""
    usage: str
    """How a call is written, for messages."""
    apply: Callable[..., int]
    takes_dtype: bool = False
    """Its argument is a dtype, not a number."""


def overflow() -> ExpressionError:
    """The error for a value out of range."""
    hint = "values stay between -2**63 and 2**63, both excluded"
    return ExpressionError("the value does not fit into 64 bits", code="expr-overflow", hint=hint)


def power(base: int, exponent: int) -> int:
    """`base ** exponent`, without computing what is out of range anyway.

    Raises:
        ExpressionError: the exponent is negative (expr-type), or the result is out of range (expr-overflow).
    """
    if exponent < 0:
        raise ExpressionError(
            f"negative exponent {exponent}", code="expr-type", hint="numbers are whole: divide with //"
        )
    if -2 < base < 2:
        exponent = 2 - exponent % 2 if exponent else 0
    elif (abs(base).bit_length() - 1) * exponent >= 63:
        raise overflow()
    result: int = base**exponent
    return result


def floordiv(dividend: int, divisor: int) -> int:
    """`dividend // divisor`, rounded towards minus infinity.

    Raises:
        ExpressionError: the divisor is 0 (expr-zero-division).
    """
    if divisor == 0:
        raise _by_zero("//")
    return dividend // divisor


def modulo(dividend: int, divisor: int) -> int:
    """`dividend % divisor`, with the sign of the divisor.

    Raises:
        ExpressionError: the divisor is 0 (expr-zero-division).
    """
    if divisor == 0:
        raise _by_zero("%")
    return dividend % divisor


def ceildiv(dividend: int, divisor: int) -> int:
    """`dividend / divisor`, rounded towards plus infinity.

    Raises:
        ExpressionError: the divisor is 0 (expr-zero-division) or negative (expr-type).
    """
    _need_positive("ceildiv", divisor)
    return -(-dividend // divisor)


def align_up(value: int, alignment: int) -> int:
    """The least multiple of `alignment` that is at least `value`.

    Raises:
        ExpressionError: the alignment is 0 (expr-zero-division) or negative (expr-type).
    """
    _need_positive("align_up", alignment)
    return -(-value // alignment) * alignment


def next_pow2(value: int) -> int:
    """The least power of two that is at least `value`.

    Raises:
        ExpressionError: the value is below 1 (expr-type); for 0, Triton says 0 and TileLang 2.
    """
    if value < 1:
        raise ExpressionError(f"next_pow2 needs at least 1, and got {value}", code="expr-type")
    return 1 << (value - 1).bit_length()


def _by_zero(op: str) -> ExpressionError:
    return ExpressionError(f"'{op}' by zero", code="expr-zero-division")


def _need_positive(function: str, divisor: int) -> None:
    if divisor <= 0:
        code = "expr-type" if divisor else "expr-zero-division"
        raise ExpressionError(f"the second value of {function} must be positive, and is {divisor}", code=code)


def smallest(*values: int) -> int:
    """The least of one or more numbers."""
    return min(values)


def largest(*values: int) -> int:
    """The greatest of one or more numbers."""
    return max(values)


def sizeof(dtype: DType) -> int:
    """Bytes of one element.

    Raises:
        ExpressionError: an element takes less than a byte (expr-type).
    """
    if dtype.bits < 8:
        hint = f"n elements packed densely take ceildiv(n * {dtype.bits}, 8)"
        raise ExpressionError(f"{dtype.name} is smaller than a byte", code="expr-type", hint=hint)
    return dtype.bits // 8


FUNCTIONS: dict[str, Function] = {
    "min": Function(1, None, "min(a, b, ...)", smallest),
    "max": Function(1, None, "max(a, b, ...)", largest),
    "ceildiv": Function(2, 2, "ceildiv(a, b)", ceildiv),
    "align_up": Function(2, 2, "align_up(size, alignment)", align_up),
    "next_pow2": Function(1, 1, "next_pow2(n)", next_pow2),
    "sizeof": Function(1, 1, "sizeof(dtype)", sizeof, takes_dtype=True),
}

ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": floordiv,
    "%": modulo,
    "**": power,
}

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
