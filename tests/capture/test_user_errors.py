"""What the compilers' users do wrong, with the compilers: which error, in which words, at which line."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest

from smemdsl.compilers.capture.process import run
from smemdsl.compilers.capture.request import Failure, Request

TILELANG = """\
import tilelang
import tilelang.language as T

@tilelang.jit
def product(M):
    @T.prim_func
    def main(A: T.Tensor((M, 128), "float16")):
        with T.Kernel(1, threads=128):
            s = T.alloc_shared((M, 128), "float16")
            T.copy(A, nowhere)
    return main

def picky(M):
    raise ValueError("M is odd")

def adding(M):
    return M + "a"

number = 3

@T.prim_func
def sound(A: T.Tensor((128, 128), "float16")):
    with T.Kernel(1, threads=128):
        s = T.alloc_shared((128, 128), "float16")
        T.copy(A, s)
        T.copy(s, A)
"""
RUN_TIME = """\
s = T.alloc_shared((n, 128), "float16")
        for i, j in T.Parallel(n, 128):
            s[i, j] = A[i, j]
        for i, j in T.Parallel(n, 128):
            A[i, j] = s[n - 1 - i, j]"""
TRITON = """\
import triton
import triton.language as tl

@triton.jit
def helper(a):
    return a + nothing

if True:
    @triton.jit
    def outer(x,
              B: tl.constexpr):
        o = tl.arange(0, B)
        tl.store(x + o, helper(o))

@triton.jit
def kernel(x, B: tl.constexpr):
    o = tl.arange(0, 3)
    tl.store(x + o, tl.max(o, 7))
"""


def asked(compiler: str, text: str, folder: Path, requests: list[Request]) -> list[Failure]:
    """The failures of some requests, of one file."""
    try:
        metadata.version(compiler)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{compiler} is not installed: pip install 'smemdsl[{compiler}]'")
    file = folder / "user.py"
    file.write_text(text)
    found = list(run([request._replace(file=str(file)) for request in requests]))
    assert all(isinstance(each, Failure) for each in found), found
    return [each for each in found if isinstance(each, Failure)]


def place(failure: Failure) -> tuple[int | None, int | None, str]:
    """Line, column and what the carets stand under."""
    begin = (failure.column or 1) - 1
    return failure.line, failure.column, failure.source[begin : begin + failure.length]


def tilelang(name: str, *options: tuple[str, str], **args: str) -> Request:
    """A request of the file above."""
    return Request("tilelang", "", name, tuple(args.items()), "sm_90a", options)


def triton(name: str, *options: tuple[str, str], x: str = "*fp32", B: str = "128") -> Request:  # noqa: N803
    """A request of the file above."""
    return Request("triton", "", name, (("x", x), ("B", B)), "sm_90", options)


def test_tilelang_factories(tmp_path: Path) -> None:
    """What a factory raises is at its line; only a call that does not get there has wrong arguments."""
    requests = [tilelang("product", M="128"), tilelang("picky", M="3"), tilelang("adding", M="3")]
    requests += [tilelang("picky"), tilelang("product", M="128", N="3")]
    body, picky, adding, missing, unexpected = asked("tilelang", TILELANG, tmp_path, requests)
    assert [each.code for each in (body, picky, adding)] == ["capture-compile"] * 3
    assert [each.hint for each in (body, picky, adding)] == [""] * 3
    assert "NameError: name 'nowhere' is not defined" in body.message
    assert place(body) == (10, 13, "T")
    assert place(picky) == (14, 5, 'raise ValueError("M is odd")')
    assert place(adding) == (17, 12, 'M + "a"')
    for each, words in ((missing, "missing 1 required"), (unexpected, "unexpected keyword argument 'N'")):
        assert (each.code, each.hint, each.line) == (
            "capture-args",
            "give its arguments by --arg NAME=VALUE",
            None,
        )
        assert words in each.message


def test_tilelang_names_and_options(tmp_path: Path) -> None:
    """A module is not a kernel; an unknown option is named, with the nearest or the number of all."""
    requests = [tilelang("T"), tilelang("number")]
    requests += [tilelang("sound", (name, "true")) for name in ("tl.disable_tma_lowr", "qqq")]
    module, number, near, far = asked("tilelang", TILELANG, tmp_path, requests)
    assert (module.code, module.message) == ("capture-name", "it is no kernel but a module")
    assert (number.code, number.message) == ("capture-name", "it is no kernel but an int")
    assert (near.code, near.message) == ("capture-options", "TileLang has no option 'tl.disable_tma_lowr'")
    assert near.hint.startswith("did you mean tl.disable_tma_lower")
    assert far.code == "capture-options"
    assert re.fullmatch("it has [0-9]+, none spelt like this", far.hint)


@pytest.mark.parametrize("target", ["sm_bogus", "mi300x?"])
def test_unknown_targets(tmp_path: Path, target: str) -> None:
    """A target that a compiler does not have is refused before it is asked to compile for it."""
    (one,) = asked("tilelang", TILELANG, tmp_path, [tilelang("sound")._replace(target=target)])
    (other,) = asked("triton", TRITON, tmp_path, [triton("kernel")._replace(target=target)])
    assert (one.code, other.code) == ("capture-target", "capture-target")
    assert target in one.message
    assert target in other.message


def test_tilelang_sizes_known_at_run_time(tmp_path: Path) -> None:
    """A shared buffer whose size is a variable of the kernel has no bytes to tell."""
    text = TILELANG.replace("@T.prim_func\ndef sound(A", 'n = T.dynamic("n")\n\n@T.prim_func\ndef sound(A')
    text = text.replace(
        's = T.alloc_shared((128, 128), "float16")\n        T.copy(A, s)\n        T.copy(s, A)', RUN_TIME
    )
    text = text.replace("T.Tensor((128, 128)", "T.Tensor((n, 128)")
    (failure,) = asked("tilelang", text, tmp_path, [tilelang("sound")])
    assert failure.code == "capture-symbolic", failure


def test_triton_kernels(tmp_path: Path) -> None:
    """Triton counts from the function's `def`; the file's line is shown, of the innermost function in it."""
    outer, kernel = asked("triton", TRITON, tmp_path, [triton("outer"), triton("kernel")])
    assert outer.code == kernel.code == "capture-compile"
    assert place(outer) == (6, 16, "nothing")
    assert (
        outer.message == "the kernel does not compile: CompilationError: NameError('nothing is not defined')"
    )
    assert place(kernel) == (17, 9, "tl.arange(0, 3)")
    assert "power of 2" in kernel.message
    assert "at 2:" not in kernel.message


@pytest.mark.parametrize(
    ("request_", "code", "words", "hint"),
    [
        (
            triton("kernel", ("foo", "3")),
            "capture-options",
            "Triton has no option 'foo'",
            "none spelt like this",
        ),
        (
            triton("kernel", ("num_cta", "2")),
            "capture-options",
            "Triton has no option 'num_cta'",
            "did you mean num_ctas",
        ),
        (
            triton("kernel", ("num_stages", "abc")),
            "capture-options",
            "num_stages takes int, not 'abc'",
            "--option",
        ),
        (
            triton("kernel", ("num_warps", "true")),
            "capture-options",
            "num_warps takes int, not True",
            "--option",
        ),
        (triton("kernel", ("num_warps", "3")), "capture-options", "must be a power of 2", ""),
        (triton("kernel", x="*fp17"), "capture-args", "no type 'fp17'; did you mean fp16?", "--arg"),
        (triton("kernel", B="i32"), "capture-args", "B is a constexpr, which takes a value", "--arg"),
        (triton("tl"), "capture-name", "it is no kernel but a module", "@triton.jit"),
    ],
)
def test_triton_usage(tmp_path: Path, request_: Request, code: str, words: str, hint: str) -> None:
    """What is wrong with a request is found before anything is compiled: the kernel would not."""
    (failure,) = asked("triton", TRITON, tmp_path, [request_])
    assert (failure.code, failure.line) == (code, None)
    assert words in failure.message
    assert hint in failure.hint
