"""A GPU that is not there: PyTorch's CUDA tensors become tensors without data. Runs in the worker."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from types import SimpleNamespace
from typing import Any

NAME = "pretended"
SMS = 132
SHARED_BYTES = 232448


def pretend_cuda(capability: tuple[int, int]) -> None:
    """From now on `device="cuda"` means PyTorch's device for shapes alone, and a GPU seems to be there."""
    torch = import_module("torch")
    if torch.cuda.is_available() and torch.cuda.get_device_name() == NAME:
        return
    overrides = import_module("torch.overrides")

    def called(_mode: Any, func: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*map(_device, args), **{key: _device(value) for key, value in (kwargs or {}).items()})

    def _device(value: Any) -> Any:
        if isinstance(value, str) and value.split(":")[0] == "cuda":
            return "meta"
        if isinstance(value, torch.device) and value.type == "cuda":
            return torch.device("meta")
        return value

    mode: Any = type("Mode", (overrides.TorchFunctionMode,), {"__torch_function__": called})
    mode().__enter__()
    torch.Tensor.cuda = lambda self, *_, **__: self.to("meta")
    torch.nn.Module.cuda = lambda self, *_, **__: self.to("meta")
    _pretend_values(torch)
    _pretend_driver(torch.cuda, capability)
    for name in ("tilelang.carver.arch.driver", "tilelang.carver.arch.driver.cuda_driver"):
        driver: Any = import_module(name)
        driver.get_num_sms = lambda *_: SMS
        driver.get_max_dynamic_shared_size_bytes = lambda *_, **__: SHARED_BYTES


def _pretend_values(torch: Any) -> None:
    """A tensor without data answers 1 when it is asked for a value, and has no zeros."""
    for name, value in (
        ("item", 1),
        ("__bool__", True),
        ("__int__", 1),
        ("__index__", 1),
        ("__float__", 1.0),
    ):
        real = getattr(torch.Tensor, name)
        setattr(torch.Tensor, name, lambda self, r=real, v=value: v if self.is_meta else r(self))
    torch.Tensor.tolist = _tolist(torch.Tensor.tolist)
    config: Any = import_module("torch.fx.experimental._config")
    config.meta_nonzero_assume_all_nonzero = True
    with suppress(ImportError):  # kernels in Triton, that references are computed with, do nothing
        jit: Any = import_module("triton.runtime.jit")
        jit.JITFunction.run = lambda *_, **__: None


def _tolist(real: Any) -> Any:
    def tolist(self: Any) -> Any:
        if not self.is_meta:
            return real(self)
        return [1] * self.shape[0] if self.dim() == 1 else [tolist(row) for row in self] if self.dim() else 1

    return tolist


def _pretend_driver(cuda: Any, capability: tuple[int, int]) -> None:
    major, minor = capability
    properties = SimpleNamespace(
        name=NAME,
        major=major,
        minor=minor,
        multi_processor_count=SMS,
        total_memory=80 << 30,
        shared_memory_per_block_optin=SHARED_BYTES,
        warp_size=32,
        L2_cache_size=50 << 20,
    )
    stream = SimpleNamespace(cuda_stream=0, synchronize=lambda: None)
    answers: dict[str, Any] = {
        "is_available": True,
        "device_count": 1,
        "current_device": 0,
        "get_device_capability": capability,
        "get_device_properties": properties,
        "get_device_name": NAME,
        "current_stream": stream,
        "synchronize": None,
        "set_device": None,
        "empty_cache": None,
        "manual_seed": None,
        "manual_seed_all": None,
        "_lazy_init": None,
        "get_arch_list": [f"sm_{major}{minor}"],
        "is_bf16_supported": True,
        "Event": SimpleNamespace(
            record=lambda *_: None, elapsed_time=lambda *_: 1.0, synchronize=lambda: None
        ),
        "memory_allocated": 0,
        "max_memory_allocated": 0,
        "reset_peak_memory_stats": None,
    }
    for name, answer in answers.items():
        setattr(cuda, name, lambda *_, answer=answer, **__: answer)
