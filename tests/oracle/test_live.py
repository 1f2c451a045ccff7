"""The compilers themselves: what they make of our kernels, and what our scenarios of them pack to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata

import pytest

from smemdsl.api import loads
from smemdsl.compilers.capture import scenario
from smemdsl.compilers.capture.process import run
from smemdsl.compilers.capture.request import Capture, Failure, Request
from smemdsl.judging.verify_capture import CaptureComparison, compare
from tests.oracle.cases import TILELANG, TILELANG_TARGETS, TRITON, tilelang_requests, triton_requests
from tests.program.test_triton import product
from tests.program.triton_results import program as results_program
from tests.program.triton_rows import program

WORKERS = 2
TILELANG_REQUESTS = list(tilelang_requests())
TRITON_REQUESTS = list(triton_requests())


def missing(compiler: str) -> str:
    """Why a compiler cannot be asked; empty where it is installed."""
    try:
        metadata.version(compiler)
    except metadata.PackageNotFoundError:
        return f"{compiler} is not installed: pip install 'smemdsl[{compiler}]'"
    return ""


def label(request: Request) -> str:
    """A request in short."""
    options = "".join(f" {name.removeprefix('tl.')}={value}" for name, value in request.options)
    args = (
        "".join(f" {name}={value}" for name, value in request.args) if request.compiler == "tilelang" else ""
    )
    return f"{request.name}{args} {request.kernel} {request.target}{options}".replace("  ", " ")


def captured(requests: list[Request]) -> dict[Request, Capture | Failure]:
    """Their captures, by a few workers, each of which starts its compiler once."""
    with ThreadPoolExecutor(WORKERS) as pool:
        parts = [requests[i::WORKERS] for i in range(WORKERS)]
        answers = pool.map(lambda part: list(zip(part, run(part), strict=True)), parts)
        return {request: answer for part in answers for request, answer in part}


@pytest.fixture(scope="module")
def tilelang_captures() -> dict[Request, Capture | Failure]:
    """What TileLang makes of every kernel."""
    return captured(TILELANG_REQUESTS)


@pytest.fixture(scope="module")
def triton_captures() -> dict[Request, Capture | Failure]:
    """What Triton makes of every kernel."""
    return captured(TRITON_REQUESTS)


def compared(request: Request, found: Capture | Failure, lines: Iterable[str]) -> CaptureComparison:
    """The arena that a scenario packs to, beside the compiler's."""
    assert isinstance(found, Capture), found
    return compare(found, loads("".join(f"{line}\n" for line in lines), label(request)).plan())


def differences(comparison: CaptureComparison) -> Iterator[str]:
    """What is not equal."""
    for name, (predicted, compiled) in (("arena", comparison.arena), ("static", comparison.static)):
        if predicted != compiled:
            yield f"{name}: predicted {predicted}, compiled {compiled}"
    for pair in comparison.pairs:
        if not pair.same:
            yield f"{pair.name}: predicted {pair.predicted}, compiled {pair.compiled}"


def test_how_many_kernels() -> None:
    """At least 20 TileLang kernels over four targets, plain, aggressive, without reuse; 10 in Triton."""
    assert len(set(TILELANG)) >= 20
    assert {"sm_80", "sm_89", "sm_90a", "sm_100a"} <= {target for target, _ in TILELANG_TARGETS}
    assert len({name for name, *_ in TRITON}) >= 10
    assert {"sm_80", "sm_90", "sm_120"} <= {request.target for request in TRITON_REQUESTS}


@pytest.mark.skipif(bool(missing("tilelang")), reason=missing("tilelang"))
@pytest.mark.xdist_group("tilelang")
@pytest.mark.parametrize("request_", TILELANG_REQUESTS, ids=label)
def test_tilelang_explicit(request_: Request, tilelang_captures: dict[Request, Capture | Failure]) -> None:
    """An explicit capture of a TileLang kernel packs to the offsets that the compiler gave."""
    found = tilelang_captures[request_]
    assert isinstance(found, Capture), found
    assert not list(differences(compared(request_, found, scenario.explicit(found, request_))))


@pytest.mark.skipif(bool(missing("tilelang")), reason=missing("tilelang"))
@pytest.mark.xdist_group("tilelang")
@pytest.mark.parametrize("request_", TILELANG_REQUESTS, ids=label)
def test_tilelang_program(request_: Request, tilelang_captures: dict[Request, Capture | Failure]) -> None:
    """The rules work out versions, offsets, arena and static bytes from the statements of a kernel alone."""
    found = tilelang_captures[request_]
    assert isinstance(found, Capture), found
    assert found.doubts == ()
    assert not list(differences(compared(request_, found, scenario.program(found, request_))))


@pytest.mark.skipif(bool(missing("triton")), reason=missing("triton"))
@pytest.mark.xdist_group("triton")
@pytest.mark.parametrize("request_", TRITON_REQUESTS, ids=label)
def test_triton_explicit(request_: Request, triton_captures: dict[Request, Capture | Failure]) -> None:
    """An explicit capture of a Triton kernel packs to the offsets that the compiler gave."""
    found = triton_captures[request_]
    assert isinstance(found, Capture), found
    assert not list(differences(compared(request_, found, scenario.explicit(found, request_))))


@pytest.mark.skipif(bool(missing("triton")), reason=missing("triton"))
@pytest.mark.xdist_group("triton")
@pytest.mark.parametrize("request_", [r for r in TRITON_REQUESTS if r.name == "described"], ids=label)
def test_triton_descriptors(request_: Request, triton_captures: dict[Request, Capture | Failure]) -> None:
    """Every buffer and barrier of a product whose tiles are moved by tensor descriptors is Triton's."""
    found = triton_captures[request_]
    assert isinstance(found, Capture), found
    args, options = dict(request_.args), dict(request_.options)
    m, n, k = (int(args[name]) for name in ("BM", "BN", "BK"))
    row = {
        "target": request_.target, "kernel": "product", "by": "descriptors", "block": [m, n, k],
        "dtype": "fp16", "num_stages": int(options["num_stages"]), "num_warps": int(options["num_warps"]),
        "trans_a": False, "trans_b": False, "apart": False, "gemms": 1, "store": [m, n, "float16"],
        "scratch": [], "scratch_in_loop": [],
    }  # fmt: skip
    plan = loads(program(row)).plan()
    placed = zip(plan.lowered.buffers, plan.packing.offsets, strict=True)
    predicted = sorted((buffer.bytes, buffer.align, offset) for buffer, offset in placed)
    assert predicted == sorted((buffer.bytes, buffer.align, buffer.offset) for buffer in found.buffers)
    assert plan.packing.arena == found.arena


@pytest.mark.skipif(bool(missing("triton")), reason=missing("triton"))
@pytest.mark.xdist_group("triton")
@pytest.mark.parametrize("request_", [r for r in TRITON_REQUESTS if r.name == "product"], ids=label)
def test_triton_program(request_: Request, triton_captures: dict[Request, Capture | Failure]) -> None:
    """The rules of Triton give the arena of a pipelined product from its tile, stages and warps."""
    found = triton_captures[request_]
    assert isinstance(found, Capture), found
    args, options = dict(request_.args), dict(request_.options)
    row = {
        "target": request_.target,
        "block": [int(args[name]) for name in ("BM", "BN", "BK")],
        "num_stages": int(options["num_stages"]),
        "num_warps": int(options["num_warps"]),
        "dtype": args["a"].lstrip("*"),
        "scratch": sum(b.bytes for b in found.buffers if b.what == "convert_layout"),
    }
    assert loads(product(row)).plan().packing.arena == found.arena


@pytest.mark.skipif(bool(missing("triton")), reason=missing("triton"))
@pytest.mark.parametrize(
    "request_", [r for r in TRITON_REQUESTS if r.name in ("product", "attention")], ids=label
)
def test_triton_results(request_: Request, triton_captures: dict[Request, Capture | Failure]) -> None:
    """Of a product and of attention the rules give every buffer from tiles and types: no byte is declared."""
    found = triton_captures[request_]
    assert isinstance(found, Capture), found
    args, options = dict(request_.args), dict(request_.options)
    attention = request_.name == "attention"
    row = {
        "kernel": request_.name,
        "target": request_.target,
        "block": [int(args[name]) for name in (("BM", "BN", "D") if attention else ("BM", "BN", "BK"))],
        "dtype": args["q" if attention else "a"].lstrip("*"),
        "stored": args["o" if attention else "c"].lstrip("*"),
        "num_stages": int(options["num_stages"]),
        "num_warps": int(options["num_warps"]),
        **dict.fromkeys(["trans_a", "trans_b", "trans_c"], False),
    }
    plan = loads(results_program(row)).plan()
    placed = zip(plan.lowered.buffers, plan.packing.offsets, strict=True)
    predicted = sorted((buffer.bytes, buffer.align, offset) for buffer, offset in placed)
    assert predicted == sorted((buffer.bytes, buffer.align, buffer.offset) for buffer in found.buffers)
    assert (plan.packing.arena, plan.confidence) == (found.arena, "exact")
