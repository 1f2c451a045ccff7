"""The statements of a program, from a document: names checked, nothing bound."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from smemdsl.core.dtypes import DType, find
from smemdsl.core.errors import DocPath
from smemdsl.scenario.reading.target_keys import meaningless_keys
from smemdsl.scenario.spec import Condition, Expr, Number, ProgramSpec, StatementSpec

VERBS = ("copy", "load", "store", "gemm", "reduce", "compute", "atomic_add", "if", "loop")
COMPUTED = "computed"
"""What stands for a loop bound that depends on data or on the block index."""
CLAMPED = "clamped"
"""What stands for a start that is a `max` or `min` of such."""
_BOUNDS: Mapping[str, tuple[str, ...]] = {
    "extent": (COMPUTED,),
    "start": (COMPUTED, CLAMPED),
    "num_stages": (),
}
"""Bounds of a loop, and the words that may stand for each."""
_FLAGS = ("bulk", "tma", "trans", "trans_a", "trans_b", "cross_warp", "nest", "global", "scalar")


class ProgramFields(Protocol):
    """What reads the fields of a scenario, and keeps the faults."""

    def number(self, value: int | str, where: DocPath, words: Sequence[str] = ()) -> Number:
        """An integer or an expression; `words` may stand in its place, and hints name them."""

    def condition(self, value: bool | str, where: DocPath) -> Condition:
        """A truth value or an expression."""

    def dtype(self, name: str, where: DocPath) -> DType | Expr:
        """A dtype or the parameter that holds one."""

    def known_buffer(self, name: str, where: DocPath) -> None:
        """See to it that the buffer is declared."""

    def fault(self, where: DocPath, code: str, message: str, hint: str = "") -> None:
        """Keep a fault."""


def read_program(value: Mapping[str, Any], fields: ProgramFields) -> ProgramSpec:
    """The program of a document that has one."""
    options = value.get("options", {})
    for where, message, hint in meaningless_keys(value):
        fields.fault(where, "meaningless-key", message, hint)
    return ProgramSpec(
        value["target"],
        _statements(value["program"], ("program",), fields),
        {name: fields.condition(item, ("options", name)) for name, item in options.items()},
    )


def _statements(
    items: list[dict[str, Any]], where: DocPath, fields: ProgramFields
) -> tuple[StatementSpec, ...]:
    found: list[StatementSpec] = []
    for i, item in enumerate(items):
        found += _Statement(item, (*where, i), fields).read()
    return tuple(found)


class _Statement(NamedTuple):
    item: dict[str, Any]
    where: DocPath
    fields: ProgramFields

    def read(self) -> list[StatementSpec]:
        """The statement; one for each buffer where a copy lists several, none after a fault."""
        verbs = [verb for verb in VERBS if verb in self.item]
        if len(verbs) != 1:
            several = f"one statement has {' and '.join(verbs)}" if verbs else "a statement has no verb"
            self.fields.fault(
                self.where, "statement", several, f"one of {', '.join(VERBS)}, each an item of its own"
            )
            return []
        verb = verbs[0]
        if verb in ("if", "loop"):
            return [self.nested(verb)]
        value, where = self.item[verb], (*self.where, verb)
        if verb == "copy" and isinstance(value, list):
            return [self.simple(verb, {"to": name}, (*where, i)) for i, name in enumerate(value)]
        if not isinstance(value, dict):
            value = {"to" if verb in ("copy", "load") else "from": value}
        if verb == "store" and ("from" in value) == ("dtype" in value):
            message = "a store needs `from`, a buffer, or `dtype`, for the result of the gemm before it"
            self.fields.fault(where, "statement", message, "one of the two")
            return []
        return [self.simple(verb, value, where)]

    def simple(self, verb: str, value: dict[str, Any], where: DocPath) -> StatementSpec:
        fields = self.fields

        def each(names: tuple[str, ...], read: Callable[[Any, DocPath], Any]) -> dict[str, Any]:
            return {name: read(value[name], (*where, name)) for name in names if name in value}

        return StatementSpec(
            verb,
            where,
            each(("to", "from", "a", "b", "e", "reads", "writes", "indexes"), self.names),
            each(("m", "n", "k", "threads"), fields.number),
            each(_FLAGS, fields.condition),
            {name: value[name] for name in ("policy", "mma", "input_precision") if name in value},
            self.element_type(verb, value, where),
            (),
            None,
        )

    def nested(self, verb: str) -> StatementSpec:
        item, where, fields = self.item, self.where, self.fields
        bounds = {name: item[name] for name in _BOUNDS if name in item}
        said = {name: bounds.pop(name) for name, words in _BOUNDS.items() if bounds.get(name) in words}
        inner = "if" if verb == "if" else "body"
        return StatementSpec(
            verb,
            where,
            {"reads": self.names(item["reads"], (*where, "reads"))} if "reads" in item else {},
            {name: fields.number(value, (*where, name), _BOUNDS[name]) for name, value in bounds.items()},
            {},
            {key: item[key] for key in ("loop",) if key in item} | said,
            None,
            _statements(item[inner], (*where, inner), fields),
            _statements(item["else"], (*where, "else"), fields) if "else" in item else None,
        )

    def names(self, value: str | list[str], where: DocPath) -> tuple[str, ...]:
        """A buffer or a list of them, each declared."""
        if isinstance(value, str):
            self.fields.known_buffer(value, where)
            return (value,)
        for i, name in enumerate(value):
            self.fields.known_buffer(name, (*where, i))
        return tuple(value)

    def element_type(self, verb: str, value: dict[str, Any], where: DocPath) -> DType | Expr | None:
        """Of a result that is stored, or of what is reduced: float32 where nothing is said."""
        if "dtype" in value:
            return self.fields.dtype(value["dtype"], (*where, "dtype"))
        return find("float32") if verb == "reduce" else None
