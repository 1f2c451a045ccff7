"""The small changes that are made to a module, one at a time, on its syntax tree."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Mutant(NamedTuple):
    """A module with one change."""

    module: str
    """Its path below the repository's root."""
    line: int
    change: str
    """The operator, the text before and after it, and the line it is in."""
    original: str
    """The module's text."""
    place: int
    """The node that is changed: how many `ast.walk` reaches before it."""
    changed: ast.AST

    @property
    def source(self) -> str:
        """The changed module's text."""
        tree = ast.parse(self.original)
        _put(tree, self.place, self.changed)
        return ast.unparse(ast.fix_missing_locations(tree))

    @property
    def name(self) -> str:
        """What an equivalent is listed by: it survives edits elsewhere in the module."""
        return f"{self.module}: {self.change}"


def mutants(module: str, source: str) -> Iterator[Mutant]:
    """Every mutant of a module, in source order of the changed node; the same on every run."""
    tree = ast.parse(source)
    lines = source.splitlines()
    met: Counter[str] = Counter()
    for index, node in enumerate(ast.walk(tree)):
        for kind, changed in _changes(node):
            line = getattr(node, "lineno", 0)
            change = f"{kind}: {ast.unparse(node)[:90]} -> {ast.unparse(changed)[:90]}"
            text = " ".join(f"{change}, in: {lines[line - 1]}".split())
            met[text] += 1
            again = f" ({met[text]})" if met[text] > 1 else ""
            yield Mutant(module, line, text + again, source, index, changed)


def _put(tree: ast.AST, index: int, changed: ast.AST) -> None:
    """Replace the node that the walk reaches at `index`."""
    wanted = list(ast.walk(tree))[index]
    for parent in ast.walk(tree):
        for field, value in ast.iter_fields(parent):
            if value is wanted:
                setattr(parent, field, changed)
            elif isinstance(value, list):
                value[:] = [changed if each is wanted else each for each in value]


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare(left, [operator], right):
            for other in COMPARISONS.get(type(operator), ()):
                yield "comparison", ast.Compare(left, [other()], right)
        case ast.BinOp(left, operator, right_) if type(operator) in ARITHMETIC:
            yield "arithmetic", ast.BinOp(left, ARITHMETIC[type(operator)](), right_)
        case ast.BoolOp(operator, values):
            other_ = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield "and/or", ast.BoolOp(other_, values)
        case ast.UnaryOp(ast.Not(), operand):
            yield "dropped not", operand
        case ast.Constant(bool() as truth):
            yield "constant", ast.Constant(not truth)
        case ast.Constant(int() as number):
            yield "constant", ast.Constant(number + 1)
            yield "constant", ast.Constant(number - 1)
        case ast.Call():
            yield from _calls(node)
        case ast.Expr(ast.Call() | ast.Yield() | ast.YieldFrom()) | ast.AugAssign() | ast.Raise():
            yield "dropped statement", ast.Pass()
        case ast.Continue():
            yield "dropped statement", ast.Break()


def _calls(call: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(call.func, ast.Name) and call.func.id in CALLS:
        yield "min/max", ast.Call(ast.Name(CALLS[call.func.id], ast.Load()), call.args, call.keywords)
    plain = not any(isinstance(each, ast.Starred) for each in call.args)
    named = isinstance(call.func, ast.Name) and call.func.id in ("min", "max", "isinstance", "cast")
    if len(call.args) == 2 and plain and not named:
        yield "swapped arguments", ast.Call(call.func, call.args[::-1], call.keywords)
