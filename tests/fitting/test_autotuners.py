"""The recipes of docs/autotuners.md, run by the autotuners themselves and held against their compilers."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import smemdsl
from smemdsl.compilers.capture.process import run
from smemdsl.compilers.capture.request import Capture, Request

DOCS = Path(__file__).parents[2] / "docs" / "autotuners.md"
LIMIT = 101376
"""Bytes that one block may ask for on an RTX 4090."""


def blocks() -> list[str]:
    """The Python of the page: Triton, TileLang, fill."""
    return re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)


def module(folder: Path, name: str, text: str) -> ModuleType:
    """A block as a module with a file, which the compilers read."""
    file = folder / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    sys.modules[name] = found
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spec.loader.exec_module(found)
    return found


def needed(name: str) -> Any:
    """A package that not everybody has."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip(name, reason=f"{name} is not installed")


def test_triton(tmp_path: Path) -> None:
    """What Triton's autotuner keeps is exactly what fits by the shared memory that Triton then allocates."""
    needed("triton")
    torch = needed("torch")
    matmul = module(tmp_path, "triton_recipe", blocks()[0]).matmul
    tensor = torch.zeros(4, 4, dtype=torch.float16)
    matmul.nargs = dict(zip("abcMNK", (tensor, tensor, tensor, 1024, 1024, 1024), strict=True))
    kept = matmul.prune_configs({})
    assert (len(kept), len(matmul.configs)) == (6, 9)  # as the page says
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitting = [config for config in matmul.configs if compiled_by_triton(matmul.fn, config) <= LIMIT]
    assert kept == fitting


def compiled_by_triton(kernel: Any, config: Any) -> int:
    """Bytes of shared memory of a configuration, for sm_80 as for the RTX 4090."""
    triton = importlib.import_module("triton")
    target = importlib.import_module("triton.backends.compiler").GPUTarget("cuda", 80, 32)
    values = config.all_kwargs()
    names = kernel.arg_names
    types = {n: "*fp16" if n in "abc" else "i32" if n in "MNK" else "constexpr" for n in names}
    source = triton.compiler.ASTSource(
        kernel,
        signature=types,
        constexprs={(names.index(name),): values[name] for name in names if types[name] == "constexpr"},
        attrs={(i,): [["tt.divisibility", 16]] for i, name in enumerate(names) if types[name] != "constexpr"},
    )
    options = {"num_warps": config.num_warps, "num_stages": config.num_stages}
    found = triton.compile(source, target=target, options=options)
    return int(found.metadata.shared)


def test_triton_without_a_fit(tmp_path: Path) -> None:
    """Where no configuration fits, the hook says what would."""
    needed("triton")
    torch = needed("torch")
    recipe = module(tmp_path, "triton_recipe_over", blocks()[0].replace('"rtx-4090"', '"8 KiB"'))
    recipe.matmul.nargs = {"a": torch.zeros(4, 4, dtype=torch.float16), "M": 1, "N": 1, "K": 1}
    with pytest.raises(ValueError, match="no configuration fits"):
        recipe.matmul.prune_configs({})


class ReachedCompilerError(Exception):
    """The autotuner has its configurations and begins to compile."""


def test_tilelang(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What TileLang's autotuner goes on with is what fits, and TileLang allocates what was predicted."""
    monkeypatch.chdir(tmp_path)  # where the autotuner writes its log
    needed("tilelang")
    text = blocks()[1] + PLAIN
    matmul = module(tmp_path, "tilelang_recipe", text).matmul
    tuner = matmul.get_tunner()

    def stop(**_: object) -> None:
        raise ReachedCompilerError

    tuner.jit_compile = tuner.jit_elaborate = stop
    tuner.set_kernel_parameters(((1024, 1024, 1024), ()), matmul.jit_impl.signature.parameters)
    with pytest.raises(ReachedCompilerError):
        tuner.run()
    tried = [
        {"block_M": 128, "block_N": n, "block_K": k, "num_stages": stages}
        for n, k, stages in [(128, 64, 3), (128, 64, 4), (256, 32, 4), (256, 64, 2), (256, 64, 3)]
    ]
    found = compiled_by_tilelang(tmp_path / "tilelang_recipe.py", tried)
    assert [config in tuner.configs for config in tried] == [size <= LIMIT for size in found]
    scenario = smemdsl.load("builtin:tilelang/gemm_staged_sm80")
    assert [scenario.plan(None, K=1024, **config).launch for config in tried] == found


PLAIN = """

def plain(block_M, block_N, block_K, num_stages):
    tiles = {"block_M": block_M, "block_N": block_N, "block_K": block_K, "num_stages": num_stages}
    return matmul.jit_impl.get_tir(1024, 1024, 1024, **tiles)
"""
"""The kernel of one configuration, for `capture`."""


def compiled_by_tilelang(file: Path, configs: list[dict[str, int]]) -> list[int]:
    """Bytes of shared memory of configurations for sm_80."""
    requests = [
        Request("tilelang", str(file), "plain", tuple((name, str(v)) for name, v in config.items()), "sm_80")
        for config in configs
    ]
    answers = list(run(requests))
    assert all(isinstance(answer, Capture) for answer in answers), answers
    return [answer.arena + answer.static for answer in answers if isinstance(answer, Capture)]


def test_fill_in_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    """The largest stage count of each tile, by hand: 166912 B hold 6, 5 and 3 stages of 24, 32 and 48 KiB."""
    exec(compile(blocks()[2], str(DOCS), "exec"), {})
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[:2] for line in lines] == [["64", "6"], ["128", "5"], ["256", "3"]]
    assert [int(line[2]) for line in lines] == [6 * 24 * 1024, 5 * 32 * 1024, 3 * 48 * 1024]


def test_fits_takes_a_budget() -> None:
    """A hook asks about the card at hand; one that nobody knows is an error, not a list without entries."""
    scenario = smemdsl.load("builtin:tilelang/gemm_staged_sm80")
    assert scenario.fits(num_stages=3)
    assert not scenario.fits(num_stages=3, budget="rtx-4090")
    assert scenario.fits(num_stages=3, budget="block_M * 2048")
    with pytest.raises(smemdsl.ScenarioError, match="not a device"):
        scenario.fits(budget="rtx-4091")
