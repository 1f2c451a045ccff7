"""What explains a change: the buffers first, then who shares with whom, then what the file says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

from smemdsl.core.buffers import Bytes, PlacedBuffer
from smemdsl.review.changes import Change
from smemdsl.review.state import ScenarioState, comparable


class ChangeReason(NamedTuple):
    """One thing that changed."""

    subject: str
    """The buffer, the parameter, or the field."""
    text: str
    """`2 -> 3 versions`."""
    delta: Bytes | None = None
    """Bytes by which a buffer grew; None for what has no size."""
    is_buffer: bool = False


def reasons(change: Change) -> list[ChangeReason]:
    """Everything that explains a change; of a scenario that was added or removed, nothing."""
    old, new = change.old, change.new
    if old is None or new is None:
        return []
    found = [*_buffers(old, new)]
    if old.static != new.static and not any(reason.delta for reason in found):
        found.append(
            ChangeReason("static memory", f"{old.static} -> {new.static} B", new.static - old.static)
        )
    if old.launch - old.used != new.launch - new.used:
        found.append(ChangeReason("launch", f"{old.launch} -> {new.launch} B"))
    moved = new.arena - old.arena != sum(reason.delta or 0 for reason in found)
    return [*found, *(_sharing(old, new) if moved else ()), *_settings(old, new), *_largest(change)]


def _buffers(old: ScenarioState, new: ScenarioState) -> Iterator[ChangeReason]:
    """Buffers that came, went, or changed in versions or bytes, the largest change first."""
    listed = comparable(old, new)
    if listed is None:
        return
    before, after = ({buffer.name: buffer for buffer in buffers} for buffers in listed)
    found = [
        _buffer(name, before.get(name), after.get(name))
        for name in dict.fromkeys([*after, *before])
        if before.get(name) != after.get(name)
    ]
    yield from sorted(
        (reason for reason in found if reason is not None), key=lambda reason: -abs(reason.delta or 0)
    )


def _by_name(state: ScenarioState) -> dict[str, PlacedBuffer]:
    return {buffer.name: buffer for buffer in state.buffers or ()}


def _buffer(name: str, old: PlacedBuffer | None, new: PlacedBuffer | None) -> ChangeReason | None:
    if old is None or new is None:
        there = new or old
        assert there is not None
        word, sign = ("added", 1) if old is None else ("removed", -1)
        copies = "" if there.versions == 1 else f" in {there.versions} versions"
        return ChangeReason(name, f"{word}, {there.bytes} B{copies}", sign * there.bytes, is_buffer=True)
    parts = []
    if old.versions != new.versions:
        parts.append(f"{old.versions} -> {new.versions} versions")
    one, other = old.bytes // max(old.versions, 1), new.bytes // max(new.versions, 1)
    if one != other:
        parts.append(f"{one} -> {other} B" + (" a version" if max(old.versions, new.versions) > 1 else ""))
    if (old.offset is None) != (new.offset is None):
        parts.append("now static" if new.offset is None else "no longer static")
    if old.align != new.align and None not in (old.align, new.align):
        parts.append(f"align {old.align} -> {new.align}")
    return ChangeReason(name, ", ".join(parts), new.bytes - old.bytes, is_buffer=True) if parts else None


def _sharing(old: ScenarioState, new: ScenarioState) -> Iterator[ChangeReason]:
    """Pairs that shared storage and no longer do, or do now; with the lives that brought it about."""
    before, after = _by_name(old), _by_name(new)
    was, now = _pairs(before), _pairs(after)
    for one, other in sorted(was ^ now):
        if one not in before or other not in before or one not in after or other not in after:
            continue
        words = "share storage now" if (one, other) in now else "no longer share storage"
        yield ChangeReason(f"{one} and {other}", words, is_buffer=True)
    for name in after:
        if name in before and before[name].live != after[name].live and was != now:
            (a, b), (c, d) = before[name].live or (0, 0), after[name].live or (0, 0)
            yield ChangeReason(name, f"live [{a}, {b}) -> [{c}, {d})", is_buffer=True)


def _pairs(buffers: Mapping[str, PlacedBuffer]) -> set[tuple[str, str]]:
    """The pairs that have a byte of the arena in common."""
    placed = sorted((b.name, b.offset, b.offset + b.bytes) for b in buffers.values() if b.offset is not None)
    return {
        (one[0], other[0])
        for one, other in combinations(placed, 2)
        if max(one[1], other[1]) < min(one[2], other[2])
    }


def _settings(old: ScenarioState, new: ScenarioState) -> Iterator[ChangeReason]:
    """Parameters and the policy."""
    names = dict.fromkeys([*new.params, *old.params])
    if len(names) > 1 and not (old.params and new.params):  # another form of the file, as `expand` has it
        yield ChangeReason("params", f"{', '.join(names)} {'gone' if old.params else 'added'}")
        names = {}
    for name in names:
        one, other = old.params.get(name), new.params.get(name)
        if (type(one), one) != (type(other), other):
            yield ChangeReason(name, f"{_show(one)} -> {_show(other)}")
    if old.policy != new.policy:
        yield ChangeReason("policy", f"{old.policy} -> {new.policy}")
    if old.name != new.name:
        yield ChangeReason("name", f"{old.name} -> {new.name}")
    if old.key != new.key and not _same_tail(old.path, new.path):
        yield ChangeReason("file", f"{old.path} -> {new.path}")


def _same_tail(one: str, other: str) -> bool:
    """Whether one path is the other, seen from another folder."""
    short, long = sorted((one, other), key=len)
    return long == short or long.endswith(f"/{short}")


def _show(value: Any) -> str:
    if value is None:
        return "(none)"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _largest(change: Change) -> Iterator[ChangeReason]:
    """Largest values that fit, where they moved."""
    for pair in change.budgets:
        if pair.old is None or pair.new is None:
            continue
        for name, value in pair.old.largest.items():
            if name in pair.new.largest and pair.new.largest[name] != value:
                text = f"{_show(value)} -> {_show(pair.new.largest[name])}"
                yield ChangeReason(f"largest {name} that fits {pair.new.name}", text)
