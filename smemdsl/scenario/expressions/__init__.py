"""Expressions: the small language that stands wherever a scenario wants a number, a condition or a dtype.

Precedence and meaning are Python's, on integers, truth values and dtypes: `+ - * // % **`, comparisons (also
chained), `and or not`, `a if c else b`, calls of `min max ceildiv align_up next_pow2 sizeof`. Integers are
written as YAML 1.2 has them (`128`, `0x80`, `0o200`); `true`, `false`, `True` and `False` are constants; a
dtype's name stands for the dtype, with or without its module (`torch.float16`). Blanks, tabs and line ends
separate words. True counts as 1 in arithmetic; `and`, `or`, `not` and the test of `if` take conditions only.
A dtype is compared with another by `==` and `!=`, and measured by `sizeof`; nothing else takes it.

Every value, also an intermediate one, lies between -2**63 and 2**63, both excluded; an expression has at most
`MAX_LENGTH` characters and `MAX_DEPTH` levels; so no input takes long.

All errors are `ExpressionError`, with the offset of the part at fault and one of these codes:

* `expr-syntax`: no expression, or something that the language does not have;
* `expr-too-big`: too long, or nested too deeply;
* `expr-call`: a call of what is not a function, a function that is not called, a wrong number of arguments;
* `expr-name`: a name that nothing defines, or that is defined below;
* `expr-type`: a value of a kind or a sign that its place does not take (a number as a condition, a dtype in
  arithmetic, a negative exponent or divisor of `ceildiv`, `sizeof` of a type smaller than a byte);
* `expr-overflow`: a value out of range;
* `expr-zero-division`: `//`, `%`, `ceildiv` or `align_up` by zero.
"""

from smemdsl.scenario.expressions.evaluate import evaluate, evaluate_condition, evaluate_number
from smemdsl.scenario.expressions.functions import LIMIT
from smemdsl.scenario.expressions.nodes import (
    Call,
    Chain,
    Compare,
    Conditional,
    Constant,
    Logic,
    Name,
    Node,
    Operation,
    Unary,
    Value,
    children,
    names,
)
from smemdsl.scenario.expressions.parser import MAX_DEPTH, parse
from smemdsl.scenario.expressions.scope import Above, check_names
from smemdsl.scenario.expressions.tokens import MAX_LENGTH
from smemdsl.scenario.expressions.values import as_condition, as_number
from smemdsl.scenario.expressions.words import is_name, is_reserved, reserved_as

__all__ = [
    "LIMIT",
    "MAX_DEPTH",
    "MAX_LENGTH",
    "Above",
    "Call",
    "Chain",
    "Compare",
    "Conditional",
    "Constant",
    "Logic",
    "Name",
    "Node",
    "Operation",
    "Unary",
    "Value",
    "as_condition",
    "as_number",
    "check_names",
    "children",
    "evaluate",
    "evaluate_condition",
    "evaluate_number",
    "is_name",
    "is_reserved",
    "names",
    "parse",
    "reserved_as",
]
