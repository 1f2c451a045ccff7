"""What goes wrong in the worker, as an exception; and calling code that may raise anything at all."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from importlib import metadata
from typing import TypeVar

from smemdsl.compilers.capture.request import Failure
from smemdsl.core.did_you_mean import nearest
from smemdsl.core.errors import SmemdslError

T = TypeVar("T")
_LONG = 40
"""Lines of a message that are kept."""


class CaptureError(SmemdslError):
    """There will be no capture; `failure` says why."""

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        self.failure = Failure(code, message, hint)
        super().__init__(message)


def attempt(code: str, what: str, action: Callable[[], T], hint: str = "") -> T:
    """The result of code that is not ours.

    Raises:
        CaptureError: with its own message, whatever it raises, an exit included.
    """
    try:
        return action()
    except CaptureError:
        raise
    except (Exception, SystemExit) as error:
        raise CaptureError(code, f"{what}: {described(error)}", hint) from error


def installed(name: str, title: str, known: Sequence[str], digits: int) -> str:
    """The installed version of a compiler, if its first numbers, so many of them, are among those known.

    Raises:
        CaptureError: none is installed, or one that is not known.
    """
    hint = f"pip install 'smemdsl[{name}]'"
    try:
        found = metadata.version(name)
    except metadata.PackageNotFoundError:
        raise CaptureError("compiler-missing", f"{title} is not installed in this Python", hint) from None
    if ".".join(found.split("+")[0].split(".")[:digits]) not in known:
        message = f"{title} {found} is installed; its output is not known here, that of {', '.join(known)} is"
        raise CaptureError("compiler-version", message, hint)
    return found


def no_kernel(found: object, wanted: str) -> CaptureError:
    """What to raise for a name that stands for something else."""
    kind = type(found).__name__
    article = "an" if kind[0].lower() in "aeiou" else "a"
    return CaptureError("capture-name", f"it is no kernel but {article} {kind}", wanted)


def check_options(title: str, given: Iterable[str], known: Collection[str]) -> None:
    """See to it that a compiler has the options that it is given.

    Raises:
        CaptureError: it has not; the hint names the nearest, or says how many there are.
    """
    for name in given:
        if name not in known:
            near = nearest(name, known)
            hint = (
                f"did you mean {' or '.join(near)}?" if near else f"it has {len(known)}, none spelt like this"
            )
            raise CaptureError("capture-options", f"{title} has no option {name!r}", hint)


def described(error: BaseException) -> str:
    """Kind and message of an exception; the end of a message that is very long, since reasons stand there."""
    lines = str(error).strip().splitlines()
    if len(lines) > _LONG:
        lines = [*lines[:5], "...", *lines[5 - _LONG :]]
    return "\n".join([f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__, *lines[1:]])
