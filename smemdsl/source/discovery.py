"""From paths on the command line to the texts of scenario files."""

import codecs
import errno
import os
import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from smemdsl.core.did_you_mean import nearest
from smemdsl.core.errors import Diagnostic
from smemdsl.core.shown import one_line

if TYPE_CHECKING:
    from pathlib import Path

MAX_FILE_BYTES = 16 * 1024 * 1024
"""More than any scenario needs; keeps an endless input from filling the memory."""
MAX_SHOWN = 200
"""Bytes of a line shown from one on that is not UTF-8."""
SUFFIXES = (".yaml", ".yml")
BUILTIN = "builtin:"
TABLE_COLUMNS = ("id", "lower", "upper", "size")
"""What the first line of a table of intervals begins with."""
STDIN = "-"


class Source(NamedTuple):
    """A scenario file that was asked for: where it is, and what messages call it."""

    file: str
    shown: str


class Text(NamedTuple):
    """What a source holds."""

    shown: str
    text: str


def builtin_root() -> "Path":
    """The folder of the scenarios that ship: beside the package's data, or at the top of a checkout."""
    from pathlib import Path

    package = Path(__file__).parents[1]
    packaged = package / "data" / "scenarios"
    return packaged if packaged.is_dir() else package.parent / "scenarios"


def is_table(path: str, text: str) -> bool:
    """Whether a text is a table of intervals: by the name of its file, or by its first line."""
    if path.endswith(".csv"):
        return True
    head = text.lstrip().partition("\n")[0].split(",")
    return tuple(name.strip() for name in head[: len(TABLE_COLUMNS)]) == TABLE_COLUMNS


def stem(path: str) -> str:
    """The last part of a path without its suffix, as `pathlib` has it, which takes long to import."""
    name = os.path.basename(path.rstrip(os.sep))
    dot = name.rfind(".")
    return name[:dot] if 0 < dot < len(name) - 1 else name


def find(paths: tuple[str, ...]) -> Iterator[Source | Diagnostic]:
    """The scenario files under files, directories, globs, `builtin:` names and `-`, each once.

    A path with nothing under it comes out as a diagnostic.
    """
    seen: set[str] = set()
    for path in paths:
        count = 0
        for found in _expand(path):
            count += 1
            if isinstance(found, Source):
                identity = STDIN if found.file == STDIN else _identity(found.file)
                if identity in seen:
                    continue
                seen.add(identity)
            yield found
        if count == 0:
            yield _nothing(path)


def read(source: Source) -> Text | Diagnostic:
    """The text of a source."""
    try:
        data = _read_bytes(source.file)
    except OSError as error:
        return problem(source.shown, "unreadable", f"cannot be read: {error.strerror or error}")
    if len(data) > MAX_FILE_BYTES:
        return problem(source.shown, "too-large", f"file exceeds {MAX_FILE_BYTES // 2**20} MiB")
    return decode(source.shown, data)


def decode(shown: str, data: bytes) -> Text | Diagnostic:
    """The text of a file's bytes, which are UTF-8, without a byte-order mark."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return problem(shown, "encoding", "is UTF-16 or UTF-32; a scenario is UTF-8")
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return Text(shown, data.decode())
    except UnicodeDecodeError as error:
        return _undecodable(shown, data, error.start)


def problem(shown: str, code: str, message: str, hint: str = "") -> Diagnostic:
    """A diagnostic of something that has no line."""
    return Diagnostic(shown, None, None, "error", code, message, hint)


def printable(path: str) -> str:
    """A path as messages show it: forward slashes, and no character that a terminal would act on."""
    text = os.fsencode(path).decode("utf-8", "backslashreplace").replace(os.sep, "/")
    return one_line(text) or "''"


def _expand(path: str) -> Iterator[Source | Diagnostic]:
    if path == STDIN:
        yield Source(STDIN, "<stdin>")
    elif "\0" in path:
        yield problem(printable(path), "not-found", "no such file or directory")
    elif path.startswith(BUILTIN):
        yield from _builtin(path)
    elif not os.path.isabs(path) and not _is_somewhere():
        yield problem(printable(path), "not-found", "the current directory was deleted or moved")
    elif os.path.isdir(path):
        yield from _walk(path)
    elif os.path.lexists(path):
        yield Source(path, printable(path))
    elif any(sign in path for sign in "*?["):
        for match in sorted(_matches(path)):
            if os.path.isdir(match):
                yield from _walk(match)
            elif _is_readable(match):
                yield Source(match, printable(match))
    else:
        yield _missing(path)


def _missing(path: str) -> Diagnostic:
    """Why there is nothing to be seen under a path."""
    try:
        os.lstat(path)
    except OSError as error:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR, errno.EINVAL):
            return problem(printable(path), "unreadable", f"cannot be read: {error.strerror}")
    except ValueError:  # a character that no path has
        pass
    return problem(printable(path), "not-found", "no such file or directory", _beside(path))


def _beside(path: str) -> str:
    """A hint: what is called almost like it in its folder, whatever it ends in."""
    folder, name = os.path.split(path)
    try:
        there = sorted(os.listdir(folder or os.curdir))
    except (OSError, ValueError):
        return ""
    stems = {os.path.splitext(one)[0]: printable(os.path.join(folder, one)) for one in there}
    return _perhaps(os.path.splitext(name)[0], stems)


def _perhaps(name: str, shown: Mapping[str, str]) -> str:
    """A hint: the nearest names, as they are shown."""
    near = [shown[one] for one in nearest(name, shown)]
    return f"did you mean {' or '.join(near)}?" if near else ""


def _matches(pattern: str) -> set[str]:
    """What a pattern stands for; `**` is any folders below, and a link to a folder is followed once."""
    import glob

    before, stars, after = pattern.partition(f"**{os.sep}")
    if not stars or (before and not before.endswith(os.sep)):
        return set(glob.glob(pattern))
    found: set[str] = set()
    for start in glob.glob(before) if before else [os.curdir]:
        for folder, _ in _folders(start, []):
            below = "" if folder == os.curdir else glob.escape(folder.removeprefix(f"{os.curdir}{os.sep}"))
            found |= _matches(os.path.join(below, after))
    return found


def _builtin(path: str) -> Iterator[Source]:
    from pathlib import Path

    root = builtin_root()
    name = path.removeprefix(BUILTIN)
    target = root / name
    if not target.resolve().is_relative_to(root.resolve()):
        return
    files = sorted(_scenario_files(str(target), [])) if target.is_dir() else [f"{target}.yaml"]
    for file in files:
        if os.path.isfile(file):
            yield Source(file, BUILTIN + Path(file).relative_to(root).with_suffix("").as_posix())


def _walk(path: str) -> Iterator[Source | Diagnostic]:
    refused: list[OSError] = []
    for file in sorted(_scenario_files(path, refused)):
        yield Source(file, printable(file))
    for error in refused:
        yield problem(printable(str(error.filename)), "unreadable", f"cannot be read: {error.strerror}")


def _scenario_files(root: str, refused: list[OSError]) -> Iterator[str]:
    """YAML files below a folder, hidden ones left out; folders that cannot be read are added to the list."""
    for folder, files in _folders(root, refused):
        for name in files:
            if name.endswith(SUFFIXES) and not name.startswith("."):
                file = os.path.join(folder, name)
                if _is_readable(file):
                    yield file


def _folders(root: str, refused: list[OSError]) -> Iterator[tuple[str, list[str]]]:
    """A folder and those below it, each once and in order of their names, with the names of their files."""
    entered: set[str] = set()
    for folder, folders, files in os.walk(root, onerror=refused.append, followlinks=True):
        real = _identity(folder)
        if real in entered:
            folders.clear()
            continue
        entered.add(real)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield folder, files


def _is_readable(file: str) -> bool:
    """Whether a file that nobody named may be read: no pipe, which nobody may be writing to."""
    return os.path.isfile(file) or not os.path.exists(file)


def _identity(path: str) -> str:
    """What two names of one file or folder have in common."""
    try:
        return os.path.realpath(path)
    except OSError:  # no current folder to begin at
        return path


def _is_somewhere() -> bool:
    """Whether there is a current folder."""
    try:
        os.getcwd()
    except OSError:
        return False
    return True


def _nothing(path: str) -> Diagnostic:
    if path.startswith(BUILTIN):
        shown = {found.shown.removeprefix(BUILTIN): found.shown for found in _builtin(BUILTIN)}
        hint = _perhaps(path.removeprefix(BUILTIN), shown) or "`smemdsl check builtin:` checks all of them"
        return problem(printable(path), "not-found", "smemdsl ships no scenario with this name", hint)
    hint = "scenario files end in .yaml or .yml"
    return problem(printable(path), "no-scenarios", "no scenario found here", hint)


def _read_bytes(file: str) -> bytes:
    """The bytes of a file, or a little more than a file may have."""
    if file == STDIN and sys.stdin is None:
        raise OSError(errno.EBADF, "standard input is not available")
    if file == STDIN:
        return sys.stdin.buffer.read(MAX_FILE_BYTES + 1)
    descriptor = os.open(file, os.O_RDONLY)
    try:
        chunks = []
        room = MAX_FILE_BYTES + 1
        while room > 0 and (chunk := os.read(descriptor, 1 << 16)):
            chunks.append(chunk)
            room -= len(chunk)
        return b"".join(chunks)
    finally:
        os.close(descriptor)


def _undecodable(shown: str, data: bytes, start: int) -> Diagnostic:
    """The first byte that is not UTF-8, with what stands before it on its line."""
    before = data[:start].decode("utf-8")
    line = re.split(r"\r\n|[\r\n]", before)
    rest = data[start : start + MAX_SHOWN].decode("utf-8", "replace").splitlines()[:1]
    message = f"the byte 0x{data[start]:02X} is not UTF-8"
    place = (len(line), len(line[-1]) + 1)
    return Diagnostic(
        shown, *place, "error", "encoding", message, "save the file as UTF-8", "".join([line[-1], *rest])
    )
