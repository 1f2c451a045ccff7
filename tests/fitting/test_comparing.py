"""Policies side by side, the bound, the buffer that costs the bytes, and the page of the compilers' waste."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smemdsl import load, loads
from smemdsl.judging.compare_policies import TopBuffer, lower_bound, policy_results, top_buffer_above
from smemdsl.policies import policy_names
from tests.commands.running import run
from tests.fitting.waste import PAGE, page, wasted

GQA = "builtin:tilelang/gqa_bwd_atomic_add_aggressive_sm90"
"""TileLang takes 188416 B for it, where 124160 do."""


def test_rivals_place_the_same_buffers() -> None:
    """The recorded kernel: 188416 B by TileLang's rule, 124160 B at least, and dk_shared is at the top."""
    plan = load(GQA).plan()
    assert plan.packing.arena == 188416
    assert [(r.policy, r.packing.arena) for r in policy_results(plan, ("optimal",))] == [("optimal", 124160)]
    assert lower_bound(plan) == 124160
    assert top_buffer_above(plan, 124160) == TopBuffer("dk_shared", 90112, 188416)
    assert top_buffer_above(plan, 188416) is None


@given(
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 5), st.integers(1, 5)), min_size=1, max_size=6),
    st.sampled_from([1, 16, 128]),
)
def test_bound(sizes: list[tuple[int, int, int]], align: int) -> None:
    """No policy goes below the bound, and the highest buffer reaches above it, up to rounding at the end."""
    lines = [
        f"  b{i}: {{bytes: {size}, live: [{start}, {start + length}]}}"
        for i, (size, start, length) in enumerate(sizes)
    ]
    scenario = loads(f"smemdsl: 1\nalign: {align}\nbuffers:\n" + "\n".join(lines))
    plan = scenario.plan()
    bound = lower_bound(plan)
    for rival in policy_results(plan, policy_names()):
        assert rival.packing.arena >= bound
    highest = top_buffer_above(plan, bound)
    ends = [at + b.bytes for b, at in zip(plan.lowered.buffers, plan.packing.offsets, strict=True) if b.bytes]
    if highest is None:
        assert max(ends, default=0) <= bound
    else:
        assert highest.end == max(ends) > bound


def test_pack_side_by_side() -> None:
    """A row each, with the waste over the bound; the exit code is that of the worst."""
    done = run("pack", GQA, "--policy", "tilelang", "--policy", "optimal", "--policy", "sequential")
    assert done.code == 1  # sequential is over
    assert done.out.split("\n\n")[1].splitlines() == [
        "policy      arena B  waste B       %  blocks/SM  verdict  ends above that",
        "tilelang     188416    64256      52          1  OK       dk_shared at 90112..188416",
        "optimal      124160        0       0          1  OK       -",
        "sequential   296960   172800     139          0  OVER     q at 272384..296960",
    ]
    assert "no arena can go below 124160 B (121.25 KiB)" in done.out
    assert done.out.endswith("1 scenario, 3 verdicts: 2 OK, 1 OVER\n")


def test_formats() -> None:
    """json has bound, waste, top and the buffers of each policy; csv bound and waste."""
    asked = ["pack", GQA, "--policy", "tilelang", "--policy", "triton"]
    results = json.loads(run(*asked, "--format", "json").out)["results"]
    assert [(r["policy"], r["lower_bound_bytes"], r["waste_bytes"]) for r in results] == [
        ("tilelang", 124160, 64256),
        ("triton", 124160, 0),
    ]
    assert results[0]["highest_buffer"] == {"name": "dk_shared", "start": 90112, "end": 188416}
    assert results[1]["highest_buffer"] is None
    assert len(results[1]["buffers"]) == 9
    rows = list(csv.DictReader(io.StringIO(run(*asked, "--format", "csv").out)))
    assert [(row["policy"], row["waste_bytes"]) for row in rows] == [("tilelang", "64256"), ("triton", "0")]
    assert "| tilelang |" in run(*asked, "--format", "markdown").out


def test_one_policy_is_shown_in_full() -> None:
    """One policy, also named twice, gives the layout; --explain goes with one alone."""
    assert "storage reuse" in run("pack", GQA, "--policy", "tilelang", "--policy", "tilelang").out
    assert run("pack", GQA, "--policy", "tilelang", "--policy", "triton", "--explain").code == 2


def test_check_compare() -> None:
    """A column after the arena; in json the packing and whether it is proved."""
    done = run("check", GQA, "--compare", "optimal", "--compare", "triton")
    headers, row = (re.split(r"  +", line) for line in done.out.splitlines()[:2])
    cells = dict(zip(headers, row, strict=True))
    assert (cells["arena B"], cells["optimal B"], cells["triton B"]) == ("188416", "124160", "124160")
    assert done.code == 0  # what another policy makes of it is no verdict
    (result,) = json.loads(run("check", GQA, "--compare", "optimal", "--format", "json").out)["results"]
    assert result["compared"] == [
        {"policy": "optimal", "arena_bytes": 124160, "lower_bound_bytes": 124160, "proved": True}
    ]
    (line,) = csv.DictReader(io.StringIO(run("check", GQA, "--compare", "optimal", "--format", "csv").out))
    assert line["optimal_arena_bytes"] == "124160"


def test_each_policy_fills_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A better policy may fit one stage more; each row says what it was filled to."""
    monkeypatch.chdir(tmp_path)
    Path("f.yaml").write_text(
        "smemdsl: 1\nparams: {n: 1}\nbudget: 700\nalign: 1\nfill: {n: 1..9}\nbuffers:\n"
        "  a: {bytes: 100, versions: n, live: [0, 1]}\n  b: {bytes: 100, versions: n, live: [1, 2]}\n",
        encoding="utf-8",
    )
    out = run("pack", "f.yaml", "--policy", "tilelang", "--policy", "sequential").out
    assert re.search(r"tilelang +n=7 +700 +0 +0", out)
    assert re.search(r"sequential +n=3 +600 +300 +100", out)
    assert "no arena with n=7 can go below 700 B" in out
    assert "no arena with n=3 can go below 300 B" in out


def without_placements(text: str) -> list[list[str]]:
    """The cells of every line; of tables that show a placement, all but the least one: there are several."""
    found = []
    shown = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        shown = "least arena" in cells or (shown and line.startswith("|"))
        if not re.fullmatch(r"[|:\-]+", line):
            found.append(cells[:-2] if shown else cells)
    return found


def test_the_page_of_waste() -> None:
    """docs/waste.md is what the recorded kernels give: `python -m tests.fitting.waste` writes it anew."""
    assert without_placements(PAGE.read_text("utf-8")) == without_placements(page())


def test_known_waste() -> None:
    """The kernels that were found by hand are in it, with the numbers found by hand."""
    found = {(one.row["kernel"], one.record.total): one.arena for one in wasted("tilelang_plans", "tilelang")}
    assert found["flashattn_bwd_atomic_add", 188416] == 124160
    assert found["tilelang_chunk_kda_fwd_intra_token_parallel", 34816] == 32000
