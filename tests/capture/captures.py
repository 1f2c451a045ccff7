"""A capture to write and to compare: the GEMM of `test_plan_text`."""

from __future__ import annotations

from typing import Any

from smemdsl.compilers.capture.request import Capture, CapturedBuffer, Request

REQUEST = Request("tilelang", "gemm.py", "matmul", (("M", "1024"),), "sm_90a")
TILES = (
    CapturedBuffer("A_s", 49152, 3, 1024, (5, 19), 0, (128, 64), "float16"),
    CapturedBuffer("B_s", 49152, 3, 1024, (5, 19), 49152, (64, 128), "float16"),
    CapturedBuffer("C_s", 32768, 1, 16, (19, 25), 0, (128, 128), "float16"),
)
PROGRAM: dict[str, Any] = {
    "threads": 128,
    "options": {},
    "static": 0,
    "buffers": {
        "A_s": {"shape": [128, 64], "dtype": "float16"},
        "B_s": {"shape": [64, 128], "dtype": "float16"},
        "C_s": {"shape": [128, 128], "dtype": "float16"},
    },
    "program": [
        {
            "loop": "k",
            "extent": 16,
            "num_stages": 3,
            "body": [
                {"copy": "A_s"},
                {"copy": "B_s"},
                {"gemm": {"a": "A_s", "b": "B_s", "m": 128, "n": 128, "k": 64}},
            ],
        },
        {"compute": {"writes": ["C_s"]}},
        {"store": "C_s"},
    ],
}
CAPTURE = Capture(
    "tilelang 0.1.15", "main_kernel", "sm_90a", 256, "tilelang", TILES, 98304, 48, 16, 0.5, PROGRAM, ()
)
