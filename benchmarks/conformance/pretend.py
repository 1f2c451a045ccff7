"""A GPU that is not there: PyTorch's CUDA tensors become tensors without data. Runs in the worker."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

NAME = "pretended"


def pretend_cuda(capability: tuple[int, int]) -> None:
    """From now on `device="cuda"` means PyTorch's device for shapes alone, and a GPU seems to be there."""
    torch = import_module("torch")
    if torch.cuda.is_available() and torch.cuda.get_device_name() == NAME:
        return
    overrides = import_module("torch.overrides")

    class Mode(overrides.TorchFunctionMode):  # type: ignore[misc,name-defined]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func(*map(_device, args), **{key: _device(value) for key, value in (kwargs or {}).items()})

    def _device(value: Any) -> Any:
        if isinstance(value, str) and value.split(":")[0] == "cuda":
            return "meta"
        if isinstance(value, torch.device) and value.type == "cuda":
            return torch.device("meta")
        return value

    Mode().__enter__()
    torch.Tensor.cuda = lambda self, *_, **__: self.to("meta")
    torch.nn.Module.cuda = lambda self, *_, **__: self.to("meta")
    _pretend_driver(torch.cuda, capability)


def _pretend_driver(cuda: Any, capability: tuple[int, int]) -> None:
    major, minor = capability
    properties = SimpleNamespace(
        name=NAME,
        major=major,
        minor=minor,
        multi_processor_count=132,
        total_memory=80 << 30,
        shared_memory_per_block_optin=232448,
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
    }
    for name, answer in answers.items():
        setattr(cuda, name, lambda *_, answer=answer, **__: answer)
