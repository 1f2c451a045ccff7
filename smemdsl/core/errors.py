"""The exception tree, and problems as data.

Pure code reports a `Fault`, which knows where in the document it is but not the file; the edge that read the
file turns it into a `Diagnostic`, which has path, line and column and can be printed.
"""

from collections.abc import Iterable
from typing import NamedTuple

from smemdsl.core.truncate import shortened

DocPath = tuple[str | int, ...]
"""Way from the document's root to a value: mapping keys and sequence indexes."""


class Fault(NamedTuple):
    """A problem at a place of a document."""

    where: DocPath
    code: str
    message: str
    hint: str = ""
    on_key: bool = False
    """The key of the last step is at fault, not its value."""
    offset: int | None = None
    """Characters from the start of the scalar, for a problem inside an expression."""
    severity: str = "error"
    why: str = ""
    """What explains it, where numbers do: the buffers that make the peak, the rule that gave the versions."""


class Diagnostic(NamedTuple):
    """A problem as people and machines read it: `path:line:col: severity[code] message`."""

    path: str
    line: int | None
    """1-based; None where the problem has no line (a missing file, a flag)."""
    column: int | None
    """1-based, in characters."""
    severity: str
    code: str
    message: str
    hint: str = ""
    source: str = ""
    """The line of the file it points at."""
    length: int = 1
    """Characters that the caret underlines."""
    why: str = ""
    """What explains it, where numbers do."""


class SmemdslError(Exception):
    """Root of everything that smemdsl raises on purpose."""


class InternalError(SmemdslError):
    """A promise of the program itself is broken, whatever the input."""


class ArgumentError(SmemdslError):
    """An argument of the library is not what it may be; the message names it and says what is wanted."""


class ArgumentTypeError(ArgumentError, TypeError):
    """An argument of the wrong type."""


class ArgumentValueError(ArgumentError, ValueError):
    """An argument of the right type, but out of its range."""


class FaultError(SmemdslError):
    """Faults found while a document is turned into a model; the edge adds the file."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(fault.message for fault in self.faults))


class ConstraintError(FaultError):
    """A configuration that breaks a constraint, and has no meaning either."""


class ScenarioError(SmemdslError):
    """A scenario that cannot be read, is not valid, or cannot be judged as asked.

    `fails` says that it is sound, but that its parameters break a constraint.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], *, fails: bool = False) -> None:
        self.diagnostics = tuple(diagnostics)
        self.fails = fails
        super().__init__("\n".join(f"{d.path}: {shortened(d.message)}" for d in self.diagnostics))


class ExpressionError(SmemdslError):
    """A text that is not an expression, or an expression that has no value.

    `offset` counts characters from the start of the text to the part at fault.
    """

    def __init__(self, message: str, offset: int = 0, *, code: str = "expression", hint: str = "") -> None:
        self.message = message
        self.offset = offset
        self.code = code
        self.hint = hint
        super().__init__(message)


class UnknownNameError(SmemdslError):
    """A name that stands for nothing known: a device, a dtype, a policy. `hint` names the nearest."""

    def __init__(self, message: str, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(message)
