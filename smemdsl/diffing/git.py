"""Scenario files of a git revision, read from git's objects: no checkout is touched."""

from __future__ import annotations

import glob
import os
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from smemdsl.discovery import SUFFIXES, Text, printable, problem
from smemdsl.errors import Diagnostic, ScenarioError

DECLARES = re.compile(r"^[\"']?smemdsl[\"']?[ \t]*:", re.MULTILINE)
"""What a scenario has and hardly any other YAML: the key of the format's version at the left margin."""


class Revision(NamedTuple):
    """The scenario files of a revision, and what became of those that were renamed since."""

    texts: tuple[Text, ...]
    """Paths as the working tree's are shown, so that both sides agree on them."""
    renamed: Mapping[str, str]
    """Old path to new."""
    matched: frozenset[str]
    """The given paths under which the revision has something."""
    problems: tuple[Diagnostic, ...]
    """Files that are no text."""


def read_revision(revision: str, paths: Sequence[str]) -> Revision:
    """The scenario files under some paths at a revision; without a path, all here that declare themselves.

    Raises:
        ScenarioError: there is no git, no repository, or no such revision.
    """
    top = _git(["rev-parse", "--show-toplevel"]).rstrip("\n")
    commit = _resolve(revision)
    files = _files(top, commit)
    chosen = {path: _below(files, path, top) for path in paths or ["."]}
    read = list(_texts(top, {file: files[file] for found in chosen.values() for file in found}))
    texts = [text for text in read if isinstance(text, Text) and (paths or DECLARES.search(text.text))]
    problems = tuple(problem for problem in read if isinstance(problem, Diagnostic))
    matched = frozenset(path for path, found in chosen.items() if found)
    return Revision(tuple(texts), _renamed(top, commit), matched, problems if paths else ())


def is_revision(name: str) -> bool:
    """Whether git knows a commit of that name."""
    try:
        _resolve(name)
    except ScenarioError:
        return False
    return True


def files_here() -> list[str]:
    """The YAML files of the working tree below the current folder, but for those that git ignores.

    Raises:
        ScenarioError: there is no git, or no repository.
    """
    listed = _git(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).split("\0")
    return [path for path in dict.fromkeys(listed) if _is_scenario(path) and os.path.isfile(path)]


def _resolve(revision: str) -> str:
    """The commit that a revision names."""
    if revision and not revision.startswith("-"):
        found = _run(["rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"])
        if found.returncode == 0:
            return found.stdout.decode().strip()
    hint = "a shallow clone may not have it: `git fetch origin BRANCH` brings one"
    raise ScenarioError([problem("--base", "git", f"git knows no revision {revision!r}", hint)])


def _files(top: str, commit: str) -> dict[str, str]:
    """Every plain file of a commit, by its path below the top, with the id of its text."""
    listing = _git(["-C", top, "ls-tree", "-r", "-z", "--full-tree", commit])
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
    wanted = os.path.relpath(os.path.realpath(path), os.path.realpath(top)).replace(os.sep, "/")
    pattern = _glob(wanted) if glob.has_magic(path) else None
    prefix = "" if wanted == "." else f"{wanted}/"
    return [
        file
        for file in files
        if file == wanted
        or (file.startswith(prefix) and _is_scenario(file.removeprefix(prefix)))
        or (pattern is not None and pattern.fullmatch(file))
    ]


def _glob(pattern: str) -> re.Pattern[str]:
    """A glob as a regular expression: `**/` any folders, `*` and `?` within one name."""
    parts = re.split(r"(\*\*/|\*|\?|\[[^\]]+\])", pattern)
    words = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    return re.compile(
        "".join(words.get(p) or (p if p.startswith("[") and p.endswith("]") else re.escape(p)) for p in parts)
    )


def _texts(top: str, files: Mapping[str, str]) -> Iterator[Text | Diagnostic]:
    """The texts of some files, in one call of git."""
    ids = "".join(f"{files[path]}\n" for path in sorted(files))
    answer = _run(["-C", top, "cat-file", "--batch"], ids.encode()).stdout
    position = 0
    for path in sorted(files):
        end = answer.index(b"\n", position)
        size = int(answer[position:end].split()[2])
        data = answer[end + 1 : end + 1 + size]
        position = end + size + 2
        shown = _shown(top, path)
        try:
            yield Text(shown, data.decode("utf-8-sig"))
        except UnicodeDecodeError:
            yield problem(shown, "encoding", "is not UTF-8", "save the file as UTF-8")


def _renamed(top: str, commit: str) -> dict[str, str]:
    """Old paths to new of the files that git takes for renamed between the commit and the working tree."""
    options = ["--name-status", "--find-renames", "--diff-filter=R", "--no-ext-diff", "-z"]
    fields = iter(_git(["-C", top, "diff", *options, commit, "--"]).split("\0"))
    return {_shown(top, next(fields)): _shown(top, next(fields)) for status in fields if status}


def _shown(top: str, path: str) -> str:
    return printable(os.path.relpath(os.path.join(top, path), os.path.realpath(os.curdir)))


def _git(arguments: Sequence[str]) -> str:
    """What git answers.

    Raises:
        ScenarioError: git is not there, or fails.
    """
    result = _run(arguments)
    if result.returncode:
        said = next(_lines(result.stderr), "git failed").removeprefix("fatal: ")
        raise ScenarioError([problem("--base", "git", said)])
    return os.fsdecode(result.stdout)


def _lines(text: bytes) -> Iterator[str]:
    return (line for line in text.decode("utf-8", "replace").splitlines() if line.strip())


def _run(arguments: Sequence[str], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }  # git writes nothing, not even its index
    try:
        return subprocess.run(
            ["git", *arguments], input=given, capture_output=True, check=False, env=environment
        )
    except OSError:
        hint = "--base reads a git repository; two results or folders can be compared without"
        raise ScenarioError([problem("--base", "git", "git cannot be run", hint)]) from None
