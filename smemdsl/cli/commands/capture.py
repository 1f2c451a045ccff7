"""`smemdsl capture`: a scenario from a kernel's source, by compiling it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn, TypeVar

import click
from click.core import ParameterSource

from smemdsl.cli import shell_completion
from smemdsl.cli.atomic_write import write_whole
from smemdsl.cli.option_values import FiniteType
from smemdsl.cli.output import complain, say
from smemdsl.cli.output_guard import refuse_overwriting
from smemdsl.compilers.capture.process import TIME_LIMIT, run
from smemdsl.compilers.capture.request import TARGET_HINT, Capture, Failure, Request
from smemdsl.core import exit_codes
from smemdsl.core.errors import Diagnostic, ScenarioError, UnknownNameError
from smemdsl.source import discovery

F = TypeVar("F", bound=Callable[..., Any])


@click.group()
def capture() -> None:
    """Write a scenario from a kernel's source, by compiling it. Runs the code of that file.

    The compiler that is installed compiles the kernel on the CPU; no GPU is needed. What it made of
    shared memory becomes a scenario: buffers, versions, alignments, live ranges, static bytes, threads and
    the arena.

    The file is imported, which runs its code with your rights, in its own process and under a time
    limit. No other command runs anybody's code.
    """


def _pairs(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    for text in values:
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise click.BadParameter(f"{text!r} is not NAME=VALUE")
        if name.strip() in dict(pairs):
            raise click.BadParameter(f"{name.strip()} is given twice")
        pairs.append((name.strip(), value.strip()))
    return tuple(pairs)


def _no_form(_: click.Context, __: click.Parameter, form: str | None) -> None:
    if form is not None:
        raise click.UsageError(f"--form {form}: only `smemdsl capture tilelang` has forms; this is explicit")


def _common(function: F) -> F:
    for option in reversed(
        [
            click.argument("source", metavar="FILE.py::NAME"),
            click.option(
                "--target",
                required=True,
                metavar="SM",
                shell_complete=shell_completion.targets,
                help="What to compile for, such as sm_90a.",
            ),
            click.option("-o", "--output", metavar="FILE", help="Write the scenario here, not to stdout."),
            click.option("--verify", is_flag=True, help=VERIFY_HELP),
            click.option(
                "--time-limit",
                type=FiniteType(min=1),
                default=TIME_LIMIT,
                show_default=True,
                metavar="SECONDS",
                help="For the import and the compilation.",
            ),
        ]
    ):
        function = option(function)
    return function


def _arg(text: str) -> Callable[[F], F]:
    """The option for what a factory or a kernel is given."""
    return click.option("--arg", "args", multiple=True, callback=_pairs, metavar="NAME=VALUE", help=text)


TILELANG_ARG = (
    "Of the factory: a Python literal, a dtype's name, or a tensor as float16[1024,64]. Repeatable."
)
TRITON_ARG = "Of the kernel: a type such as *fp16 or i32:16, or a constexpr's value. Repeatable."
FORM_HELP = "What the compiler decided, or what the kernel does."
VERIFY_HELP = "Pack the scenario and print predicted against compiled; exit code 1 if anything differs."


@capture.command()
@_arg(TILELANG_ARG)
@_common
@click.option("--kernel", default="", metavar="NAME", help="Which, if several are launched.")
@click.option(
    "--form",
    type=click.Choice(["explicit", "program"]),
    default="explicit",
    show_default=True,
    help=FORM_HELP,
)
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=_pairs,
    metavar="NAME=VALUE",
    help="A pass option, such as tl.enable_aggressive_shared_memory_merge=true. Repeatable.",
)
def tilelang(
    source: str,
    args: tuple[tuple[str, str], ...],
    target: str,
    output: str | None,
    verify: bool,
    kernel: str,
    time_limit: float,
    form: str,
    options: tuple[tuple[str, str], ...],
) -> None:
    """Capture a TileLang kernel. Runs the code of FILE.

    NAME is a prim_func, a @tilelang.jit factory, a kernel object, or a function that returns one. This
    imports FILE and so runs its code, in its own process, with your rights, under a time limit.

    --form explicit writes what the compiler decided; --form program writes what the kernel does, from which
    `smemdsl pack` works out the same by the compiler's rules; where the statements may fall short, a comment
    says why.

    Exit code: 0 written; 1 --verify found a difference; 2 there is no capture.

    \b
    Examples:
      smemdsl capture tilelang gemm.py::matmul --arg M=1024 --arg N=1024 --arg K=1024 --target sm_90a
      smemdsl capture tilelang gemm.py::kernel --target sm_80 --form program -o gemm.yaml --verify
    """
    file, name = _source(source, output)
    request = Request("tilelang", file, name, args, target, options, kernel)
    _finish(request, _captured(request, time_limit), form, output, verify)


@capture.command()
@_arg(TRITON_ARG)
@_common
@click.option("--form", hidden=True, expose_value=False, callback=_no_form)
@click.option("--num-warps", type=click.IntRange(min=1), default=4, show_default=True)
@click.option("--num-stages", type=click.IntRange(min=1), default=3, show_default=True)
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=_pairs,
    metavar="NAME=VALUE",
    help="Another compile option, such as num_ctas=2. Repeatable.",
)
def triton(
    source: str,
    args: tuple[tuple[str, str], ...],
    target: str,
    output: str | None,
    verify: bool,
    time_limit: float,
    num_warps: int,
    num_stages: int,
    options: tuple[tuple[str, str], ...],
) -> None:
    """Capture a Triton kernel. Runs the code of FILE.

    NAME is a function under @triton.jit. An argument is a type (*fp16, i32, i32:16 for a multiple of 16) or a
    value; pointers are taken to be aligned to 16 B, *fp16:1 says that one is not. This imports FILE and so
    runs its code, in its own process, with your rights, under a time limit.

    Exit code: 0 written; 1 --verify found a difference; 2 there is no capture.

    \b
    Examples:
      smemdsl capture triton add.py::add --arg x=*fp32 --arg n=i32 --arg BLOCK=1024 --target sm_90
      smemdsl capture triton gemm.py::gemm --arg a=*fp16 --num-stages 4 --target sm_80 --verify
    """
    file, name = _source(source, output)
    compiling = _compiling({"num_warps": num_warps, "num_stages": num_stages}, options)
    request = Request("triton", file, name, args, target, compiling)
    _finish(request, _captured(request, time_limit), "explicit", output, verify)


def _compiling(flags: Mapping[str, int], options: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """What flags and --option say together; an option that has a flag may be said by either."""
    context = click.get_current_context()
    for name in flags.keys() & dict(options).keys():
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{name} is given twice, by --{name.replace('_', '-')} and by --option")
    return tuple({**{name: str(value) for name, value in flags.items()}, **dict(options)}.items())


def _source(source: str, output: str | None) -> tuple[str, str]:
    """File and name of the kernel; the file is not what is written to."""
    file, colons, name = source.rpartition("::")
    if not colons or not file or not name:
        raise click.UsageError(f"{source!r} is not FILE.py::NAME")
    refuse_overwriting([output] if output is not None else [], [file])
    return file, name


def _captured(request: Request, limit: float) -> Capture:
    _check_target(request)
    answer = next(iter(run([request], limit)))
    if isinstance(answer, Failure):
        _refuse(request, answer)
    return answer


def _check_target(request: Request) -> None:
    """See to it that the scenario will have a budget: its target is a device that is known here."""
    from smemdsl.devices import resolve_budget

    if not re.fullmatch(r"sm_\d+[af]?", request.target):
        _fail(request, "unknown-target", f"{request.target!r} is not a compute capability", TARGET_HINT)
    try:
        resolve_budget(request.target, _no_expression)
    except UnknownNameError as error:
        _fail(request, "unknown-target", error.message, error.hint)


def _no_expression(text: str) -> NoReturn:
    raise UnknownNameError(f"unknown device {text!r}", TARGET_HINT)


def _fail(request: Request, code: str, message: str, hint: str = "") -> NoReturn:
    _refuse(request, Failure(code, message, hint))


def _refuse(request: Request, why: Failure) -> NoReturn:
    shown = discovery.printable(request.file)
    place = (shown, why.line, why.column)
    complain([Diagnostic(*place, "error", why.code, why.message, why.hint, why.source, why.length)])
    raise SystemExit(exit_codes.INVALID)


def _finish(request: Request, found: Capture, form: str, output: str | None, verify: bool) -> None:
    """Write the scenario, compare it if that was asked for, and leave."""
    from smemdsl.compilers.capture import scenario

    shown = discovery.printable(request.file)
    said = [*found.warnings, *(found.doubts if form == "program" and found.program is not None else ())]
    complain(Diagnostic(shown, None, None, "warning", "capture", message) for message in said)
    if form == "program" and found.program is None:
        _fail(request, "no-program", "; ".join(found.doubts), "--form explicit")
    write = scenario.program if form == "program" else scenario.explicit
    text = "".join(f"{line}\n" for line in write(found, request))
    if output is not None:
        _save(output, text)
    elif not verify:
        click.echo(text, nl=False)
    raise SystemExit(_verify(request, found, text) if verify else exit_codes.OK)


def _save(output: str, text: str) -> None:
    try:
        write_whole(output, text.encode())
    except ScenarioError as error:
        complain(error.diagnostics)
        raise SystemExit(exit_codes.INVALID) from None


def _verify(request: Request, found: Capture, text: str) -> int:
    from smemdsl.api import loads
    from smemdsl.core.errors import ScenarioError
    from smemdsl.judging.verify_capture import compare
    from smemdsl.output.formats.comparison import lines

    try:
        plan = loads(text, f"<capture of {request.name}>").plan()
    except ScenarioError as error:
        complain(error.diagnostics)
        return exit_codes.INVALID
    result = compare(found, plan)
    for line in lines(result):
        say(f"{line}\n", sys.stdout, coloured=False)
    return exit_codes.OK if result.exact else exit_codes.OVER
