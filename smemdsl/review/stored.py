"""The states of a stored result: what `check` or `pack` wrote with `--format json`."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from smemdsl.core.buffers import PlacedBuffer
from smemdsl.core.confidence import APPROXIMATE, BOUND, EXACT
from smemdsl.core.errors import Diagnostic, ScenarioError, SmemdslError
from smemdsl.devices import LIMITS
from smemdsl.judging.verdict import FAIL, OK, OVER
from smemdsl.review.live import on_budget
from smemdsl.review.state import BudgetState, ScenarioState, Snapshot
from smemdsl.source.discovery import Text, problem

VERSION = 1
"""The `schema_version` that can be read."""
T = TypeVar("T")
_MOST = 2**63
"""No number of a scenario reaches this."""
_SEVERITIES = ("error", "warning", "note")
_TEXTS = ("code", "message")


def is_result(text: Text) -> bool:
    """Whether a text is meant as a stored result and not as a scenario."""
    begins = text.text.lstrip()[:200]
    return text.shown.lower().endswith(".json") or (begins.startswith("{") and '"schema_version"' in begins)


def read_result(text: Text) -> Snapshot:
    """The states of a stored result.

    Raises:
        ScenarioError: it is not a result of `check` or `pack`, or of another version.
    """
    try:
        value = json.loads(text.text)
        _check_head(value)
        results = [_mapping(item) for item in _get(value, "results", list)]
        diagnostics = [_diagnostic(_mapping(item)) for item in _get(value, "diagnostics", list)]
        states = _states(results, diagnostics)
    except (ValueError, RecursionError, _UnfitError) as error:
        hint = "`smemdsl check PATH --format json > FILE` writes one, `smemdsl pack` one with buffers"
        message = f"is not a stored result: {error}" if str(error) else "is not a stored result"
        raise ScenarioError([problem(text.shown, "result-file", message, hint)]) from None
    return Snapshot(text.shown, tuple(states), verified=value["command"] == "check")


class _UnfitError(SmemdslError):
    """A result that has not what a result has."""


def _check_head(value: Any) -> None:
    version = _get(_mapping(value), "schema_version", int)
    if version != VERSION:
        raise _UnfitError(f"its schema_version is {version}, and {VERSION} can be read")
    command = _get(value, "command", str)
    if command not in ("check", "pack"):
        raise _UnfitError(f"it comes from `{command}`, and `check` and `pack` can be read")


def _states(results: list[dict[str, Any]], diagnostics: list[Diagnostic]) -> list[ScenarioState]:
    """One state a path: a scenario has as many results as budgets, and with `fill` as many states."""
    by_path: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for item in results:
        layout = f"{_get(item, 'arena_bytes', int)} {_get(item, 'params', dict)}"
        by_path.setdefault(_get(item, "path", str), {}).setdefault(layout, []).append(item)
    states: list[ScenarioState] = []
    for path, layouts in by_path.items():
        found = [_state(path, items, diagnostics) for items in layouts.values()]
        states += found if len(found) == 1 else map(on_budget, found)
    return states


def _state(path: str, items: list[dict[str, Any]], diagnostics: list[Diagnostic]) -> ScenarioState:
    first = items[0]
    arena, static = _get(first, "arena_bytes", int), _get(first, "static_bytes", int)
    launch = static + (_get(first, "request_bytes", int) if "request_bytes" in first else arena)
    return ScenarioState(
        path=path,
        key=path,
        name=_get(first, "scenario", str),
        params=_params(first),
        policy=_get(first, "policy", str),
        arena=arena,
        static=static,
        used=_get(first, "used_bytes", int),
        launch=launch,
        buffers=_buffers(first),
        budgets=tuple({b.name: b for b in (_budget(item, launch) for item in items)}.values()),
        failures=tuple(d for d in diagnostics if d.path == path and d.severity == "error"),
    )


def _budget(item: dict[str, Any], launch: int) -> BudgetState:
    budget = _mapping(item.get("budget"))
    size, verdict = _get(budget, "bytes", int), _word(item, "verdict", (OK, OVER, FAIL))
    return BudgetState(
        _get(budget, "name", str),
        size,
        verdict,
        launch <= size if verdict == "FAIL" else verdict == "OK",
        verdict == "OK" or item.get("over_expected") is True,
        None if item.get("blocks_per_sm") is None else _get(item, "blocks_per_sm", int),
        _largest(item),
        _word(item, "confidence", (EXACT, BOUND, APPROXIMATE)) if "confidence" in item else EXACT,
        None if item.get("limit") is None else _word(item, "limit", LIMITS),
    )


def _largest(item: dict[str, Any]) -> dict[str, int | None]:
    """The largest values that fit; none where the result does not say."""
    found = _get(item, "largest", dict) if "largest" in item else {}
    if not all(value is None or _is_number(value, -_MOST) for value in found.values()):
        raise _UnfitError("`largest` has the wrong type")
    return found


def _params(item: dict[str, Any]) -> dict[str, Any]:
    """The parameters: integers, true, false, or names of types."""
    found = _get(item, "params", dict)
    if not all(type(value) in (bool, str) or _is_number(value, -_MOST) for value in found.values()):
        raise _UnfitError("`params` has the wrong type")
    return found


def _buffers(item: dict[str, Any]) -> tuple[PlacedBuffer, ...] | None:
    if "buffers" not in item:
        return None
    found = [_buffer(_mapping(b)) for b in _get(item, "buffers", list)]
    static = _get(item, "static_buffers", list) if "static_buffers" in item else []
    return (*found, *(_buffer(_mapping(b)) for b in static))


def _buffer(value: dict[str, Any]) -> PlacedBuffer:
    live = value.get("live")
    if live is not None and not (type(live) is list and len(live) == 2 and all(map(_is_number, live))):
        raise _UnfitError("`live` has the wrong type")
    return PlacedBuffer(
        _get(value, "name", str),
        _get(value, "versions", int),
        _get(value, "bytes", int),
        None if value.get("align") is None else _get(value, "align", int),
        None if live is None else (live[0], live[1]),
        None if value.get("offset") is None else _get(value, "offset", int),
    )


def _diagnostic(value: dict[str, Any]) -> Diagnostic:
    line, column = value.get("line"), value.get("column")
    if not all(place is None or _is_number(place, 1) for place in (line, column)):
        raise _UnfitError("the place of a diagnostic has the wrong type")
    severity, code, message = _word(value, "severity", _SEVERITIES), *(_get(value, f, str) for f in _TEXTS)
    return Diagnostic(_get(value, "path", str), line, column, severity, code, message)


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _UnfitError("expected a mapping")
    return value


def _get(value: Mapping[str, Any], key: str, kind: type[T]) -> T:
    found = value.get(key)
    if type(found) is not kind:
        raise _UnfitError(f"`{key}` is missing" if found is None else f"`{key}` has the wrong type")
    if kind is int and not _is_number(found):
        raise _UnfitError(f"`{key}` is out of range")
    if kind is str and "\0" in str(found):
        raise _UnfitError(f"`{key}` holds a NUL")
    return found


def _word(value: Mapping[str, Any], key: str, known: Collection[str]) -> str:
    """One of the words that are written there."""
    found = _get(value, key, str)
    if found not in known:
        raise _UnfitError(f"`{key}` is none of {', '.join(known)}")
    return found


def _is_number(value: object, least: int = 0) -> bool:
    """Whether it is an integer that a result can hold."""
    return type(value) is int and least <= value < _MOST
