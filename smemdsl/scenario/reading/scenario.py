"""From a document to a scenario: schema checked, expressions parsed, names checked, nothing bound."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from smemdsl.core import dtypes, units
from smemdsl.core.confidence import Uncertainty
from smemdsl.core.did_you_mean import did_you_mean, few
from smemdsl.core.errors import DocPath, ExpressionError, Fault, FaultError, UnknownNameError
from smemdsl.policies import policy_names
from smemdsl.scenario import expressions, parameter_types, schema
from smemdsl.scenario.reading.budgets import for_triton, read_budgets
from smemdsl.scenario.reading.expect import read_expect
from smemdsl.scenario.spec import (
    Access,
    Axis,
    BufferSpec,
    Choice,
    Condition,
    Expr,
    Number,
    ProgramSpec,
    RegionSpec,
    ScenarioSpec,
)
from smemdsl.source.discovery import stem
from smemdsl.source.document import Document

DEFAULT_ALIGN = 128
PROGRAM_ALIGN = 16
"""Of a program: what TileLang gives a buffer that nothing asks more of."""
SWIZZLE_ALIGN = {"128B": 1024, "64B": 512, "32B": 256, "none": 128}
"""Alignment that a TMA or wgmma operand of each swizzle needs: its atom of eight rows."""
_SPECIAL = ("threads", "registers")
T = TypeVar("T")


def read(document: Document) -> ScenarioSpec:
    """The scenario of a document.

    Raises:
        FaultError: with every fault that the schema finds, else with every fault of wording: expressions,
            dtypes, names of parameters, regions and buffers. Both where the schema finds no more than
            misspelt keys.
    """
    value = document.value
    faults = schema.faults(value)
    if faults:
        from smemdsl.scenario.schema.pruning import without_unknown_keys

        value = without_unknown_keys(value, faults)
        if value is None:
            raise FaultError(faults)
    reader = _Reader(value)
    spec = reader.scenario(stem(document.path))
    found = [*faults, *reader.faults] or list(parameter_types.faults(spec))
    if found:
        raise FaultError(found)
    return spec


class _Reader:
    """Reads fields one by one; a fault is kept and the reading goes on with a harmless value."""

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value
        self.faults: list[Fault] = []
        self.params: dict[str, Any] = value.get("params", {})
        self.names = dict.fromkeys([*self.params, *(key for key in _SPECIAL if key in value)])
        numbers = [key for key in _SPECIAL if isinstance(value.get(key), int)]
        self.places = {name: i for i, name in enumerate(dict.fromkeys([*numbers, *self.params]))}
        self.regions: dict[str, None] = {}

    def scenario(self, stem: str) -> ScenarioSpec:
        value = self.value
        params = self.read_params()
        timeline = tuple(
            self.region(item, ("timeline", i)) for i, item in enumerate(value.get("timeline", ()))
        )
        buffers = tuple(self.buffer(name, item) for name, item in value["buffers"].items())
        expect = value.get("expect")
        of_devices = (expect or {}).get("devices", {})
        return ScenarioSpec(
            name=value.get("name", stem),
            summary=value.get("summary", ""),
            params=params,
            constraints=self.conditions("constraints"),
            budgets=read_budgets(value, self.names, self.faults.append),
            blocks_per_sm=self.optional("blocks_per_sm", self.number),
            policy=value.get("policy", "triton" if for_triton(value) else policy_names()[0]),
            align=self.size(
                value.get("align", PROGRAM_ALIGN if "program" in value else DEFAULT_ALIGN), ("align",)
            ),
            static=self.size(value.get("static", 0), ("static",)),
            threads=self.optional("threads", self.number),
            registers=self.optional("registers", self.number),
            cluster=self.optional("cluster", self.number),
            request=self.optional("request", self.size),
            timeline=timeline,
            program=self.program() if "program" in value else None,
            buffers=buffers,
            expect=None if expect is None else read_expect(expect, ("expect",), self),
            device_expect=tuple(
                (name, read_expect(item, ("expect", "devices", name), self))
                for name, item in of_devices.items()
            ),
            axes=self.axes("sweep"),
            configs=tuple(
                tuple((name, self.choice(name, v, ("configs", i, name))) for name, v in config.items())
                for i, config in enumerate(value.get("configs", ()))
            ),
            fill=self.axes("fill"),
            uncertain=tuple(
                Uncertainty(kind, reason)
                for kind, reasons in value.get("confidence", {}).items()
                for reason in reasons
            ),
        )

    def fault(self, where: DocPath, code: str, message: str, hint: str = "", *, on_key: bool = False) -> None:
        self.faults.append(Fault(where, code, message, hint, on_key))

    def bad_text(self, error: ExpressionError, where: DocPath) -> None:
        self.faults.append(Fault(where, error.code, error.message, error.hint, offset=error.offset))

    def optional(self, key: str, read: Callable[[Any, DocPath], T]) -> T | None:
        return read(self.value[key], (key,)) if key in self.value else None

    # -- expressions ----------------------------------------------------------------------------------------

    def expression(
        self, text: str, where: DocPath, known: Collection[str] | None = None, words: Sequence[str] = ()
    ) -> Expr | int:
        """A text as an expression whose names are all known; 0 after a fault."""
        try:
            node = expressions.parse(text)
            expressions.check_names(node, self.names if known is None else known, self.names, words)
        except ExpressionError as error:
            self.bad_text(error, where)
            return 0
        return Expr(node, where, text.strip())

    def number(self, value: int | str, where: DocPath, words: Sequence[str] = ()) -> Number:
        return value if isinstance(value, int) else self.expression(value, where, words=words)

    def size(self, value: int | str, where: DocPath) -> Number:
        """A size in bytes: with a unit, or an expression."""
        if isinstance(value, int):
            return value
        try:
            size = units.parse_size(value)
        except ExpressionError as error:
            self.bad_text(error, where)
            return 0
        return self.expression(value, where) if size is None else size

    def condition(self, value: bool | str, where: DocPath) -> Condition:
        return value if isinstance(value, bool) else self.as_condition(self.expression(value, where))

    @staticmethod
    def as_condition(value: Expr | int) -> Condition:
        return True if isinstance(value, int) else value

    def conditions(self, key: str) -> tuple[Condition, ...]:
        return tuple(self.condition(item, (key, i)) for i, item in enumerate(self.value.get(key, ())))

    def choice(self, name: str, value: int | bool | str, where: DocPath) -> Choice:
        """A value for a parameter; an expression sees the parameters above it."""
        if not isinstance(value, str):
            self.known_parameter(name, where)
            return value
        if (dtype := dtypes.lookup(value.strip())) is not None:
            self.known_parameter(name, where)
            return dtype
        return self.expression(value, where, self.above(name)) if self.known_parameter(name, where) else 0

    def known_parameter(self, name: str, where: DocPath) -> bool:
        if name not in self.params:
            self.fault(
                where, "unknown-parameter", f"unknown parameter {name!r}", self.hint(name), on_key=True
            )
        return name in self.params

    def hint(self, name: str) -> str:
        return did_you_mean(name, few(self.params))

    def above(self, name: str) -> expressions.Above:
        """Names that the expression of a parameter may use: `threads` only where it is a number outright."""
        return expressions.Above(self.places, self.places[name])

    def read_params(self) -> tuple[tuple[str, Choice], ...]:
        for name in self.params:
            if expressions.is_reserved(name):
                message = f"a parameter cannot be called {name!r}: that is a dtype, a function or a keyword"
                self.fault(("params", name), "reserved-name", message, on_key=True)
            elif name in _SPECIAL and name in self.value:
                message = f"a parameter cannot be called {name!r} where the file has that key"
                self.fault(("params", name), "reserved-name", message, on_key=True)
        return tuple((name, self.choice(name, v, ("params", name))) for name, v in self.params.items())

    # -- timeline, buffers -----------------------------------------------------------------------------------

    def program(self) -> ProgramSpec:
        from smemdsl.scenario.reading.program import read_program

        return read_program(self.value, self)

    def region(self, value: str | dict[str, Any], where: DocPath) -> RegionSpec:
        if isinstance(value, str):
            value = {"region": value}
        name = value["region"]
        if name in self.regions:
            self.fault(where, "duplicate-region", f"region {name!r} is already defined above")
        self.regions[name] = None
        return RegionSpec(
            name,
            where,
            self.number(value.get("statements", 1), (*where, "statements")),
            self.number(value["extent"], (*where, "extent")) if "extent" in value else None,
            self.numbers(value.get("stages", ()), (*where, "stages")),
        )

    def numbers(self, values: Iterable[int | str], where: DocPath) -> tuple[Number, ...]:
        return tuple([self.number(item, (*where, i)) for i, item in enumerate(values)])

    def buffer(self, name: str, value: dict[str, Any]) -> BufferSpec:
        where: DocPath = ("buffers", name)
        get = value.get

        def optional(key: str, read: Callable[[Any, DocPath], Number]) -> Number | None:
            return read(value[key], (*where, key)) if key in value else None

        def pair(first: str, second: str) -> tuple[Number, Number]:
            return self.number(value[first], (*where, first)), self.number(value[second], (*where, second))

        live = self.numbers(value["live"], (*where, "live")) if "live" in value else None
        return BufferSpec(
            name,
            where,
            shape=self.numbers(value["shape"], (*where, "shape")) if "shape" in value else None,
            dtype=self.dtype(value["dtype"], (*where, "dtype")) if "dtype" in value else None,
            bytes=optional("bytes", self.size),
            storage_bits=optional("storage_bits", self.number),
            versions=optional("versions", self.number),
            stages=pair("def_stage", "use_stage") if "def_stage" in value else None,
            access=self.access(get("access", ()), (*where, "access")),
            live=None if live is None else (live[0], live[1]),
            align=SWIZZLE_ALIGN[value["swizzle"]] if "swizzle" in value else optional("align", self.size),
            when=self.condition(get("when", True), (*where, "when")),
            static=get("scope") == "static",
            annotated="layout" in value,
        )

    def dtype(self, name: str, where: DocPath) -> dtypes.DType | Expr:
        found = dtypes.lookup(name)
        if found is not None:
            return found
        if name in self.params:
            return Expr(expressions.parse(name), where, name)
        try:
            return dtypes.find(name)
        except UnknownNameError as error:
            self.fault(where, "unknown-dtype", error.message, error.hint)
            return dtypes.find("uint8")

    def access(self, value: Mapping[str, Any] | Iterable[str], where: DocPath) -> tuple[Access, ...]:
        if isinstance(value, dict):
            places = [(name, (*where, name), items) for name, items in value.items()]
        else:
            places = [(name, (*where, i), ()) for i, name in enumerate(value)]
        for name, place, _ in places:
            if name not in self.regions:
                hint = did_you_mean(name, few(self.regions))
                self.fault(place, "unknown-region", f"unknown region {name!r}", hint, on_key=True)
        return tuple(Access(name, place, self.numbers(items, place)) for name, place, items in places)

    # -- expectations and axes ------------------------------------------------------------------------------

    def known_buffer(self, name: str, where: DocPath, *, on_key: bool = False) -> None:
        if name not in self.value["buffers"]:
            hint = did_you_mean(name, few(self.value["buffers"]))
            self.fault(where, "unknown-buffer", f"unknown buffer {name!r}", hint, on_key=on_key)

    def axes(self, key: str) -> tuple[Axis, ...]:
        if key not in self.value:
            return ()
        from smemdsl.scenario.reading.axes import read_axes

        return read_axes(key, self.value[key], self)
