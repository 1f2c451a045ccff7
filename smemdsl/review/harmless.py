"""What keeps git from running what a repository names: its settings may come from a stranger."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

_SETTINGS = (
    ("core.hooksPath", os.devnull),
    ("core.fsmonitor", "false"),
    ("core.pager", "cat"),
    ("core.askPass", ""),
    ("credential.helper", ""),
    ("diff.external", ""),
)
_VARIABLES = {
    "GIT_OPTIONAL_LOCKS": "0",  # git writes nothing, not even its index
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",  # before 2.44 git fetches what a partial clone lacks all the same
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_PAGER": "cat",
    "LC_ALL": "C",
}
_INHERITED = ("GIT_EXTERNAL_DIFF", "GIT_CONFIG_PARAMETERS")


def environment(inherited: Mapping[str, str], settings: Sequence[tuple[str, str]]) -> dict[str, str]:
    """An environment in which git runs no hook, monitor, pager, prompt, external diff or transport.

    `settings` are further ones of git's, after those that are always set. A setting that the caller's
    environment gives by `GIT_CONFIG_COUNT` stays, before ours, which win.
    """
    kept = {name: value for name, value in inherited.items() if name not in _INHERITED} | _VARIABLES
    text = kept.get("GIT_CONFIG_COUNT", "")
    first = int(text) if text.isdecimal() else 0
    every = [*_SETTINGS, *settings]
    for number, (name, value) in enumerate(every, first):
        kept |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return kept | {"GIT_CONFIG_COUNT": str(first + len(every))}


def drivers(names: bytes) -> list[tuple[str, str]]:
    """Settings that switch off the filters among some names of settings, each of which ends with a NUL."""
    found = {os.fsdecode(name).rpartition(".")[0] for name in names.split(b"\0") if name}
    off = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    return [(f"{driver}.{key}", value) for driver in sorted(found) for key, value in off]
