"""A capture as a scenario file."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from smemdsl.api import loads
from smemdsl.compilers.capture import scenario
from smemdsl.compilers.capture.request import Capture, Request
from smemdsl.judging.verify_capture import compare
from tests.capture.captures import CAPTURE, REQUEST, TILES


@pytest.mark.parametrize("write", [scenario.explicit, scenario.program])
def test_packs_as_compiled(write: Any) -> None:
    """Both forms read back and pack to what was captured: arena, static bytes, versions and offsets."""
    comparison = compare(CAPTURE, loads("\n".join(write(CAPTURE, REQUEST))).plan())
    assert comparison.exact, comparison


def test_unknown_life_and_alignment() -> None:
    """What the compiler does not say, as of a single buffer, is left out; the size is then not rounded."""
    alone = TILES[0]._replace(bytes=40, versions=1, shape=(5, 4), align=None, live=None)
    text = "\n".join(scenario.explicit(CAPTURE._replace(buffers=(alone,), arena=40), REQUEST))
    assert "A_s: {shape: [5, 4], dtype: float16, versions: 1}" in text
    assert loads(text).plan().packing.arena == 40


def test_a_cluster_is_written() -> None:
    """Blocks of a cluster, as `num_ctas` of a Triton kernel says; nothing of a single block."""
    read = loads("\n".join(scenario.explicit(CAPTURE._replace(cluster=2), REQUEST)))
    assert read.plan().cluster == 2
    assert loads("\n".join(scenario.explicit(CAPTURE, REQUEST))).plan().cluster is None


def test_bytes_where_the_shape_would_lie() -> None:
    """A buffer that the compiler stores in other than its dtype's bytes is written in bytes."""
    padded = TILES[0]._replace(bytes=3 * 128 * 64, dtype="float4_e2m1fn")
    text = "\n".join(scenario.explicit(CAPTURE._replace(buffers=(padded,)), REQUEST))
    assert "A_s: {bytes: 8192, versions: 3" in text


def test_no_line_break_gets_out_of_the_comment() -> None:
    """An argument cannot add lines to the file."""
    request = Request("tilelang", "a\nb.py", "k", (("x", "1\nname: other"),), "sm_80")
    assert loads("\n".join(scenario.explicit(CAPTURE, request))).name == "k"


def test_the_command_can_be_pasted() -> None:
    """A shell gives the words of the comment back as they were."""
    args = (("a", "*fp16"), ("t", "float16[8, 4]"), ("s", "it's"))
    request = Request("triton", "my kernels.py", "k", args, "sm_80", (("num_warps", "4"),), "main")
    comment = list(scenario.explicit(CAPTURE, request))[1]
    assert shlex.split(comment.partition(" capture ")[2]) == [
        *("triton", "my kernels.py::k", "--arg", "a=*fp16", "--arg", "t=float16[8, 4]", "--arg", "s=it's"),
        *("--option", "num_warps=4", "--kernel", "main", "--target", "sm_80"),
    ]
    assert "--arg 'a=*fp16'" in comment


@given(
    st.recursive(
        st.integers() | st.booleans() | st.text(max_size=8),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
        max_leaves=8,
    )
)
def test_flow_style_reads_back(value: Any) -> None:
    """Whatever is written in flow style is read back as it was, by a reader of YAML 1.1 too."""
    text = scenario.flow(value).replace("\x7f", "\\x7f")
    if json.loads(json.dumps(value)) == value and all(c.isprintable() for c in text):
        assert yaml.safe_load(text) == value


def test_json_round_trip() -> None:
    """A capture and a request survive the way between the processes."""
    assert Capture.from_json(json.loads(json.dumps(CAPTURE.to_json()))) == CAPTURE
    assert Request.from_json(json.loads(json.dumps(REQUEST.to_json()))) == REQUEST
