"""What git says of a repository: its top, its commits, and where two histories part; nothing is written."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from smemdsl.core.did_you_mean import did_you_mean
from smemdsl.core.errors import ScenarioError
from smemdsl.review import harmless
from smemdsl.source.discovery import problem

_RANGE = re.compile(r"\.\.|^\^|\^[!@]$|\^-\d*$")
"""What `gitrevisions` takes for more than one commit."""
_FILTERS = r"^filter\."


class Base(NamedTuple):
    """The commit that the working tree is compared with."""

    commit: str
    notes: tuple[str, ...] = ()
    """How it is another than the revision that was named, or why it is not."""


def top_of(paths: Sequence[str]) -> str:
    """The top of the repository that the paths lie in; without a path, of the current folder's.

    Raises:
        ScenarioError: there is no git, no repository, or more than one.
    """
    folders = dict.fromkeys(map(_folder, paths)) or [os.curdir]
    tops = {folder: git(["-C", folder, "rev-parse", "--show-toplevel"]).rstrip("\n") for folder in folders}
    found = list(dict.fromkeys(tops.values()))
    if len(found) > 1:
        message = f"the paths lie in {len(found)} repositories, and a revision is one of one"
        raise ScenarioError([problem("--base", "git", message, "a run for each")])
    return found[0]


def resolve(top: str, revision: str) -> str:
    """The commit that a revision names.

    Raises:
        ScenarioError: there is none.
    """
    if revision and not revision.startswith("-"):
        found = run(["-C", top, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"])
        if found.returncode == 0:
            return found.stdout.decode().strip()
    message = f"git knows no revision {revision!r}"
    raise ScenarioError([problem("--base", "git", message, _hint(top, revision))])


def base(top: str, revision: str) -> Base:
    """Where HEAD left a revision, as `git diff REV...` has it; the revision itself where they share nothing.

    Raises:
        ScenarioError: git does not know the revision.
    """
    tip = resolve(top, revision)
    found = run(["-C", top, "merge-base", tip, "HEAD"])
    if found.returncode:
        why = "in this shallow clone; `git fetch --unshallow` brings more" if _is_shallow(top) else ""
        note = f"{revision} and HEAD have no commit in common {why}".rstrip()
        return Base(tip, (f"{note}: compared with the tip of {revision}",))
    commit = found.stdout.decode().strip()
    if commit == tip:
        return Base(tip)
    short = git(["-C", top, "rev-parse", "--short", commit]).strip()
    return Base(commit, (f"compared with {short}, where HEAD left {revision}, which has moved on since",))


def revisions(top: str = os.curdir) -> list[str]:
    """The names of the branches and tags of a repository; none where there is none."""
    kinds = ("refs/heads", "refs/tags", "refs/remotes")
    try:
        found = run(["-C", top, "for-each-ref", "--format=%(refname:short)", *kinds])
    except ScenarioError:
        return []
    return found.stdout.decode("utf-8", "replace").split()


def git(arguments: Sequence[str]) -> str:
    """What git answers.

    Raises:
        ScenarioError: git is not there, or fails.
    """
    result = run(arguments)
    if result.returncode:
        said = reason(result.stderr) or "git failed"
        raise ScenarioError([problem("--base", "git", said)])
    return os.fsdecode(result.stdout)


def reason(stderr: bytes) -> str:
    """What git says of a failure: its first fatal line, else its first; empty where it says nothing."""
    lines = list(_lines(stderr))
    fatal = [line.removeprefix("fatal: ") for line in lines if line.startswith("fatal: ")]
    return next(iter(fatal or lines), "")


def run(arguments: Sequence[str], given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """What git does with some input, whether it fails or not.

    Raises:
        ScenarioError: git is not there.
    """
    try:
        drivers = _started(["config", "-z", "--name-only", "--get-regexp", _FILTERS], arguments)
        return _started(arguments, arguments, given, harmless.drivers(drivers.stdout))
    except OSError:
        hint = "--base reads a git repository; two results or folders can be compared without"
        raise ScenarioError([problem("--base", "git", "git cannot be run", hint)]) from None


def _started(
    command: Sequence[str], place: Sequence[str], given: bytes = b"", settings: Sequence[tuple[str, str]] = ()
) -> subprocess.CompletedProcess[bytes]:
    """What a command of git does in the folder that `place` names with `-C`, if it does."""
    where = [] if command is place or place[:1] != ["-C"] else place[:2]
    environment = harmless.environment(os.environ, settings)
    return subprocess.run(
        ["git", *where, *command], input=given, capture_output=True, check=False, env=environment
    )


def _folder(path: str) -> str:
    """The folder of a path, or the nearest above it that is there: it may have been deleted, or be a glob."""
    folder = path
    while folder and not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return folder or os.curdir


def _hint(top: str, revision: str) -> str:
    if _RANGE.search(revision):
        return "one revision, not a range: the comparison starts where HEAD left it anyway"
    if revision.startswith("-"):
        return "--base takes a revision: --base main"
    if _is_shallow(top):
        return "a shallow clone may not have it: `git fetch origin BRANCH` brings one"
    return did_you_mean(revision, revisions(top))


def _is_shallow(top: str) -> bool:
    return run(["-C", top, "rev-parse", "--is-shallow-repository"]).stdout.strip() == b"true"


def _lines(text: bytes) -> Iterator[str]:
    return (line for line in text.decode("utf-8", "replace").splitlines() if line.strip())
