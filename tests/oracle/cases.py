"""Which kernel is compiled for what: (file, kernel, arguments), targets, options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from smemdsl.compilers.capture.request import Request

KERNELS = Path(__file__).parent / "kernels"
AGGRESSIVE = (("tl.enable_aggressive_shared_memory_merge", "True"),)
NO_REUSE = (("tl.disable_shared_memory_reuse", "True"),)
UNSPECIALISED = (("tl.disable_warp_specialized", "True"),)

TILELANG = (
    *(
        ("gemms", name)
        for name in (
            "plain",
            "staged",
            "transposed_left",
            "split_k",
            "gated",
            "persistent",
            "dequantised",
            "two_products",
        )
    ),
    *(("attention", name) for name in ("forward", "causal", "latent", "linear", "paged")),
    *(
        ("moves", name)
        for name in (
            "row_sum",
            "row_norm",
            "transpose",
            "vectors",
            "phases",
            "conditional",
            "experts",
            "single",
            "tables",
        )
    ),
)
"""The TileLang kernels, with their defaults."""
FOUND = (
    *(
        ("fills", name)
        for name in (
            "scaled",
            "doubled",
            "scaled_in_registers",
            "scaled_by_rows",
            "filled_doubled",
            "filled_where",
            "filled_twice",
        )
    ),
    *(
        ("fresh", name)
        for name in ("convolution", "pipeline_in_pipeline", "reducer", "row_products", "cast_inside")
    ),
)
"""Kernels that found a rule, each where the rules differ most."""
ARGUED = (
    *(
        ("starts", "product", (("start", start), ("stages", stages)))
        for start, stages in (
            ("block", "3"),
            ("window", "2"),
            ("window", "3"),
            ("given_window", "2"),
            ("given_window", "3"),
            ("given_window_of_rows", "2"),
            ("no_later", "3"),
        )
    ),
    *(("indexed", name, ()) for name in ("looked_up", "scattered", "read_twice")),
    *(
        ("launches", "bounded", args)
        for args in ((), (("stages", "3"), ("begin", "True")), (("scalar", "True"),))
    ),
    ("sparse", "product", ()),
    ("sparse", "product", (("trans_a", "True"), ("bm", "64"))),
    ("sparse", "product", (("bk", "128"), ("bn", "256"), ("threads", "256"))),
    (
        "sparse",
        "product",
        (("dtype", "int8"), ("total", "int32"), ("codes", "int8"), ("trans_b", "True"), ("bk", "128")),
    ),
)
"""Kernels with arguments, each of which found a rule or shows where it ends."""
ARGUED_TARGETS = (("sm_80", ()), ("sm_90a", ()), ("sm_90a", UNSPECIALISED))
FOUND_TARGETS = (("sm_80", ()), ("sm_90a", ()), ("sm_90a", AGGRESSIVE))
TILELANG_TARGETS = (
    ("sm_80", ()),
    ("sm_80", AGGRESSIVE),
    ("sm_80", NO_REUSE),
    ("sm_89", ()),
    ("sm_90a", ()),
    ("sm_90a", AGGRESSIVE),
    ("sm_90a", UNSPECIALISED),
    ("sm_100a", ()),
)

_PRODUCT = dict.fromkeys("abc", "*fp16") | {f"stride_{name}": "i32:16" for name in "abc"} | {"K": "1024"}
_TILE = {"BM": "128", "BN": "128", "BK": "64"}
_DESCRIBED = {name: f"tensordesc<fp16[{shape}]>" for name, shape in (("a", "128, 64"), ("b", "64, 128"))}
TRITON = (
    ("product", {**_PRODUCT, **_TILE}, 8, 3),
    ("product", {**_PRODUCT, **_TILE, "BM": "64", "BK": "32"}, 4, 4),
    ("product", {**_PRODUCT, **_TILE, "a": "*fp8e5", "b": "*fp8e5", "BN": "256"}, 8, 2),
    ("product_transposed", {**_PRODUCT, **_TILE}, 4, 2),
    ("described", {**_DESCRIBED, "c": "tensordesc<fp16[128, 128]>", "K": "i32:16", **_TILE}, 8, 3),
    ("described", {**_DESCRIBED, "c": "tensordesc<fp16[128, 128]>", "K": "i32:16", **_TILE}, 4, 1),
    (
        "attention",
        {**dict.fromkeys("qkvo", "*fp16"), "length": "1024", "BM": "128", "BN": "64", "D": "64"},
        4,
        3,
    ),
    ("softmax", {"x": "*fp32", "y": "*fp32", "columns": "4096", "BLOCK": "4096"}, 8, 1),
    ("layer_norm", {**dict.fromkeys("xwby", "*fp16"), "columns": "2048", "BLOCK": "2048"}, 4, 1),
    ("transpose", {"x": "*fp16", "y": "*fp16", "M": "1024", "N": "1024", "BM": "64", "BN": "64"}, 4, 1),
    ("prefix", {"x": "*fp32", "y": "*fp32", "BLOCK": "2048"}, 4, 1),
    ("counts", {"x": "*i32", "y": "*i32", "BLOCK": "1024", "BINS": "128"}, 4, 1),
    ("ordered", {"x": "*fp32", "y": "*fp32", "BLOCK": "1024"}, 4, 1),
    ("chained", {**dict.fromkeys("xvwy", "*fp16"), "BM": "64", "K": "64", "H": "128", "N": "64"}, 4, 1),
    ("sorted_rows", {"x": "*fp32", "y": "*fp32", "ROWS": "16", "COLUMNS": "128"}, 4, 1),
    ("sorted_rows", {"x": "*fp32", "y": "*fp32", "ROWS": "1", "COLUMNS": "4096"}, 8, 1),
    (
        "keys_gradient",
        {
            **dict.fromkeys(["q", "k", "v", "o", "dk"], "*fp16"),
            "norm": "*fp32",
            "length": "1024",
            "D": "64",
            "BM": "32",
            "BN": "64",
        },
        4,
        2,
    ),
    ("picked", {"x": "*fp32", "index": "*i32", "y": "*i32", "ROWS": "64", "COLUMNS": "32"}, 4, 1),
)
"""Kernel, arguments, num_warps and num_stages."""
TRITON_TARGETS = ("sm_80", "sm_90", "sm_120")
TMA_TARGETS = ("sm_90", "sm_100", "sm_120")


def tilelang_requests() -> Iterator[Request]:
    """Every TileLang kernel for every target."""
    for file, name in TILELANG:
        for target, options in TILELANG_TARGETS:
            yield Request("tilelang", str(KERNELS / f"{file}.py"), name, (), target, options)
    for file, name in FOUND:
        for target, options in FOUND_TARGETS:
            yield Request("tilelang", str(KERNELS / f"{file}.py"), name, (), target, options)
    for file, name, args in ARGUED:
        for target, options in ARGUED_TARGETS:
            yield Request("tilelang", str(KERNELS / f"{file}.py"), name, args, target, options)
    tensors = (("A", "float32[256, 64]"), ("B", "float32[256, 64]"))
    for name, args in (("bare", ()), ("compiled", ()), ("built", ()), ("wrapped", ()), ("summed", tensors)):
        yield Request("tilelang", str(KERNELS / "objects.py"), name, args, "sm_90a")
    for target in ("sm_80", "sm_90a"):
        for kernel in ("kernel_kernel", "kernel_kernel_1"):
            yield Request("tilelang", str(KERNELS / "moves.py"), "two_launches", (), target, (), kernel)
    for args in ((), (("stages", "3"), ("filled", "True")), (("first", "'candidate'"), ("stages", "3"))):
        path = str(KERNELS / "launches.py")
        yield Request("tilelang", path, "two_launches", args, "sm_90a", (), "main_kernel_1")


def triton_requests() -> Iterator[Request]:
    """Every Triton kernel for every target."""
    for name, args, warps, stages in TRITON:
        for target in TRITON_TARGETS if name != "described" else TMA_TARGETS:
            options = (("num_warps", str(warps)), ("num_stages", str(stages)))
            yield Request(
                "triton", str(KERNELS / "triton_kernels.py"), name, tuple(args.items()), target, options
            )
