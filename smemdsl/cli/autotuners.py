"""Configurations as autotuners write them: Triton's `Config` as json, with its options beside `kwargs`.

`json.dumps([config.__dict__ for config in configs])` gives

    [{"kwargs": {"BLOCK_M": 128}, "num_warps": 8, "num_ctas": 1, "num_stages": 3, "maxnreg": null, ...}]
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from smemdsl.core.errors import DocPath, Fault

KWARGS = "kwargs"
"""The field of `triton.Config` that holds what the kernel takes."""
LAUNCH = ("num_warps", "num_ctas", "maxnreg", "pre_hook", "ir_override")
"""The fields that say how it is launched, by which no buffer is larger or smaller; `num_stages` is none."""
_WARPS = "num_warps"
T = TypeVar("T")


def is_config(item: Any) -> bool:
    """Whether a mapping is a `Config`: no parameter is a mapping."""
    return isinstance(item, dict) and isinstance(item.get(KWARGS), dict)


def entries(item: Mapping[str, Any]) -> Iterator[tuple[DocPath, str, Any]]:
    """Where each value of a configuration stands in it, its name, and the value.

    Of a `Config`, those in `kwargs` first; options that are not set are left out.
    """
    if not is_config(item):
        yield from (((name,), name, value) for name, value in item.items())
        return
    yield from (((KWARGS, name), name, value) for name, value in item[KWARGS].items())
    for name, value in item.items():
        if name != KWARGS and value is not None:
            yield (name,), name, value


def faults(item: Mapping[str, Any], where: DocPath) -> Iterator[Fault]:
    """What an autotuner would not take: a name twice."""
    for name in item[KWARGS] if is_config(item) else ():
        if name in item and item[name] is not None:
            yield Fault((*where, name), "configs", f"{name} stands in `{KWARGS}` too", on_key=True)


def launch_options(names: Iterable[Collection[str]], params: Collection[str]) -> frozenset[str]:
    """Of the names in configurations, those of launch options that no scenario has as a parameter."""
    return frozenset(name for listed in names for name in listed if name in LAUNCH and name not in params)


def note(left_out: Collection[str]) -> str:
    """What is said of options that are left out; nothing where there are none."""
    if not left_out:
        return ""
    names = [name for name in LAUNCH if name in left_out]
    text = f"{', '.join(names)}: no parameter here, and without effect on shared memory; left out"
    if _WARPS in names:
        text += f" (blocks/SM follow it with `threads: 32 * {_WARPS}` and a parameter {_WARPS} in the file)"
    return text


def without(values: Mapping[str, T], left_out: Collection[str]) -> dict[str, T]:
    """The values of a configuration but for some."""
    return {name: value for name, value in values.items() if name not in left_out}
