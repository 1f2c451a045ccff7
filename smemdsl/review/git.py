"""Scenario files of a git revision, read from git's objects: no checkout is touched."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from smemdsl.core.errors import Diagnostic, ScenarioError
from smemdsl.review.repository import Base, base, git, reason, resolve, run, top_of
from smemdsl.source.discovery import SUFFIXES, Text, printable, problem

DECLARES = re.compile(r"^[\"']?smemdsl[\"']?[ \t]*:", re.MULTILINE)
"""What a scenario has and hardly any other YAML: the key of the format's version at the left margin."""

Shown = Callable[[str], str]
"""From a file as git has it to how messages show it."""


class Revision(NamedTuple):
    """The scenario files of a revision, and what became of those that were renamed since."""

    texts: tuple[Text, ...]
    """Paths as the working tree's are shown, so that both sides agree on them."""
    renamed: Mapping[str, str]
    """Old path to new."""
    matched: frozenset[str]
    """The given paths under which the revision has something."""
    problems: tuple[Diagnostic, ...]
    """Files that are not text."""
    notes: tuple[str, ...] = ()
    """Which commit was read, where it is another than the one that was named."""


def read_revision(revision: str, paths: Sequence[str], *, parted: bool = True) -> Revision:
    """The scenario files under some paths at a revision; without a path, all here that declare themselves.

    `parted`: not at the revision itself but where HEAD left it, so that what it did since does not count.

    Raises:
        ScenarioError: there is no git, no repository, or no such revision.
    """
    top = top_of(paths)
    commit, notes = base(top, revision) if parted else Base(resolve(top, revision))
    files = _files(top, commit)
    chosen = {path: _below(files, path, top) for path in paths or ["."]}
    shown = _shower(top, paths)
    read = list(_texts(top, {file: files[file] for found in chosen.values() for file in found}, shown))
    texts = [text for text in read if isinstance(text, Text) and (paths or DECLARES.search(text.text))]
    problems = tuple(problem for problem in read if isinstance(problem, Diagnostic))
    matched = frozenset(path for path, found in chosen.items() if found)
    renamed = _renamed(top, commit, shown)
    return Revision(tuple(texts), renamed, matched, problems if paths else (), notes)


def is_revision(name: str, paths: Sequence[str] = ()) -> bool:
    """Whether git knows a commit of that name, in the repository of the paths."""
    try:
        resolve(top_of(paths), name)
    except ScenarioError:
        return False
    return True


def files_here() -> list[str]:
    """The YAML files of the working tree below the current folder, but for those that git ignores.

    Raises:
        ScenarioError: there is no git, or no repository.
    """
    listed = git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).split("\0")
    return [path for path in dict.fromkeys(listed) if _is_scenario(path) and os.path.isfile(path)]


def _files(top: str, commit: str) -> dict[str, str]:
    """Every plain file of a commit, by its path below the top, with the id of its text."""
    listing = git(["-C", top, "ls-tree", "-r", "-z", "--full-tree", commit])
    files = {}
    for entry in listing.split("\0"):
        head, _, path = entry.partition("\t")
        if path and head.startswith("100"):  # neither a link nor a submodule
            files[path] = head.split(" ")[2]
    return files


def _is_scenario(path: str) -> bool:
    """Whether a walk over folders would take the file: it ends like YAML, and nothing of it is hidden."""
    return path.endswith(SUFFIXES) and not any(part.startswith(".") for part in path.split("/"))


def _below(files: Iterable[str], path: str, top: str) -> list[str]:
    """The files that a path names, seen from the current folder: one, those of a folder, those of a glob."""
    wanted = _inside(path, top)
    pattern = _glob(wanted) if glob.has_magic(path) else None
    prefix = "" if wanted == "." else f"{wanted}/"
    return [
        file
        for file in files
        if file == wanted
        or (file.startswith(prefix) and _is_scenario(file.removeprefix(prefix)))
        or (pattern is not None and pattern.fullmatch(file))
    ]


def _inside(path: str, top: str) -> str:
    """A path as git has it: seen from the top."""
    return os.path.relpath(os.path.realpath(path), os.path.realpath(top)).replace(os.sep, "/")


def _glob(pattern: str) -> re.Pattern[str]:
    """A glob as a regular expression: `**/` any folders, `*` and `?` within one name."""
    parts = re.split(r"(\*\*/|\*|\?|\[[^\]]+\])", pattern)
    words = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.compile(
        "".join(words.get(p) or (p if p.startswith("[") and p.endswith("]") else re.escape(p)) for p in parts)
    )


def _texts(top: str, files: Mapping[str, str], shown_of: Shown) -> Iterator[Text | Diagnostic]:
    """The texts of some files, in one call of git."""
    ids = "".join(f"{files[path]}\n" for path in sorted(files))
    result = run(["-C", top, "cat-file", "--batch"], ids.encode())
    answer = result.stdout
    position = 0
    for path in sorted(files):
        end = answer.find(b"\n", position)
        header = answer[position : max(end, position)].split()
        if len(header) != 3:  # `ID missing`, or nothing more: an object that is not there or is corrupt
            said = reason(result.stderr) or f"object {files[path]} is missing"
            if said.startswith("warning: "):
                said = f"object {files[path]} is missing ({said.removeprefix('warning: ')})"
            hint = "a partial clone lacks it, or the repository is damaged: `git fetch --refetch`, `git fsck`"
            raise ScenarioError([problem("--base", "git", f"{path}: {said}", hint)])
        size = int(header[2])
        data = answer[end + 1 : end + 1 + size]
        position = end + size + 2
        shown = shown_of(path)
        try:
            yield Text(shown, data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            yield problem(shown, "encoding", "is not UTF-8", "save the file as UTF-8")


def _renamed(top: str, commit: str, shown: Shown) -> dict[str, str]:
    """Old paths to new of the files that git takes for renamed between the commit and the working tree."""
    options = ["--name-status", "--find-renames", "--diff-filter=R", "--no-ext-diff", "--no-textconv"]
    options += ["--ignore-submodules=all", "-z"]  # in one, git would go by its settings, not by ours
    fields = iter(git(["-C", top, "diff", *options, commit, "--"]).split("\0"))
    return {shown(next(fields)): shown(next(fields)) for status in fields if status}


def _shower(top: str, paths: Sequence[str]) -> Shown:
    """How a file of the repository is shown: as the working tree's is, below the path that names it."""
    given = {_inside(path, top): path for path in paths}
    absolute = bool(paths) and all(map(os.path.isabs, paths))

    def shown(file: str) -> str:
        for inside, path in given.items():
            if file == inside:
                return printable(path)
            if inside == "." or file.startswith(f"{inside}/"):
                return printable(os.path.normpath(os.path.join(path, os.path.relpath(file, inside))))
        whole = os.path.join(top, file)
        return printable(whole if absolute else os.path.relpath(whole, os.path.realpath(os.curdir)))

    return shown
