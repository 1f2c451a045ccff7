"""Scenarios that are nearly sound, through everything: a verdict or a ScenarioError, and nothing else."""

from __future__ import annotations

import copy
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from smemdsl.api import loads
from smemdsl.core.errors import ScenarioError
from smemdsl.judging.plan import Options
from tests.effort import examples
from tests.schema.sound import SOUND

NUMBERS = st.sampled_from([0, 1, 2, 3, 4, 16, 48, 128, 1024, 65536, 2**31, 2**62, 2**63 - 1])
TEXTS = st.sampled_from(
    [
        *("n", "block", "stages", "n - 1", "stages - 1", "n - 5", "-n", "2 ** 62", "n // 0", "n % (n - 4)"),
        *("1 > 0", "true", "not n", "n == 4", "1 if flag else 0", "type", "float16", "int4", "sizeof(type)"),
        *("min(n, 2)", "max(", "ceildiv(n, 3)", "align_up(n, 16)", "x", "010", "1.5", ""),
        *(
            "1..4",
            "4..1",
            "1..4, 9",
            "64 KiB",
            "64 KB",
            "sm_90",
            "sm_9",
            "h100",
            "gfx942",
            ">= 2",
            "<= n * 1024",
        ),
        *("a", "b", "k", "load", "128B", "none", "static", "threads", "registers"),
        *("triton", "struct", "sequential", "firstfit", "tilelang", "optimal"),
    ]
)
LEAVES = NUMBERS | TEXTS | st.booleans()


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a scalar inside a value, as its collection and its key or index."""
    if not isinstance(value, (dict, list)):
        return []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found: list[tuple[Any, Any]] = []
    for key, item in items:
        found += places_in(item) if isinstance(item, (dict, list)) else [(value, key)]
    return found


@st.composite
def nearly_sound(draw: st.DrawFn) -> str:
    """A sound document with a few scalars replaced by others, or left out."""
    document = copy.deepcopy(draw(st.sampled_from(SOUND)))
    for _ in range(draw(st.integers(1, 4))):
        places = places_in(document)
        if not places:
            break
        collection, key = draw(st.sampled_from(places))
        if draw(st.integers(0, 9)):
            collection[key] = draw(LEAVES)
        else:
            del collection[key]
    return json.dumps(document, ensure_ascii=False)


@settings(max_examples=examples(400))
@given(nearly_sound(), st.sampled_from([(), ("sm_90",), ("sm_75", "n * 1024", "100 KiB")]))
def test_a_verdict_or_a_scenario_error(text: str, budgets: tuple[str, ...]) -> None:
    """No document that has the right shape breaks the program, and every fault has a place in it."""
    options = Options(time_limit=0.1)
    try:
        scenario = loads(text, "f.json")
        for verdict in (*scenario.own_verdicts(options), *scenario.verdicts(budgets, options)):
            assert verdict.arena_bytes >= verdict.plan.peak.bytes
            assert verdict.fits == (verdict.plan.launch <= verdict.budget.bytes)
            scenario.diagnose((*verdict.failures, *verdict.warnings))
    except ScenarioError as error:
        for diagnostic in error.diagnostics:
            assert diagnostic.message
            assert diagnostic.line == 1 or diagnostic.message.startswith("--budget")
