"""The scores as a page of documentation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.conformance.scoring import Score
from smemdsl.output.formats.tables import pipe_table

Count = Callable[[Score], bool]
UNSEEN = Path(__file__).with_name("unseen.md")
"""Written by hand, since a first look cannot be measured twice."""

HONEST = (
    "What this page does not show: the rules were found on kernels of this repository, many of them among "
    "those below. So it says how well they describe these kernels; the next section is of kernels that "
    "nobody had seen. Files that need a GPU, data or packages that are not there are not tried; each is "
    "listed at the end."
)


def page(
    scores: Sequence[Score],
    targets: Sequence[str],
    source: str,
    compiler: str,
    files: int,
    silent: Sequence[str],
) -> str:
    """The whole page, in Markdown; the table has a column for each target."""
    scores = sorted(scores, key=lambda score: (score.file, score.kernel, score.target))
    return (
        "\n".join(
            [
                *_top(source, compiler, files),
                *_table(scores, targets),
                *UNSEEN.read_text(encoding="utf-8").strip().splitlines(),
                "",
                *_times(scores, targets[0]),
                *_misses(scores),
                *_left(scores, silent),
            ]
        )
        + "\n"
    )


def _top(source: str, compiler: str, files: int) -> Iterator[str]:
    yield "# Conformance"
    yield ""
    yield (
        f"Every kernel that the entry points of {files} files of {source} compile, captured with {compiler} "
        "on a CPU and predicted by `smemdsl`. Written by `python -m benchmarks.conformance FOLDER`."
    )
    yield ""
    yield (
        "*Explicit* is `capture --form explicit`: lives and alignments are the compiler's, the packing is "
        "ours. *Program* is `capture --form program`: the statements of the kernel before the compiler's "
        "passes; versions, lives, alignments, workspaces and barriers are worked out by the rules. Whether a "
        "reduction crosses warps is taken from the compiler's inferred layouts."
    )
    yield ""
    yield HONEST
    yield ""


def _table(scores: Sequence[Score], targets: Sequence[str]) -> Iterator[str]:
    rows: list[tuple[str, Count, Count]] = [
        ("kernels tried", _any, _any),
        ("compiled", _compiled, _any),
        ("of these, with two or more buffers in the arena", _packed, _compiled),
        ("explicit form: every offset", lambda s: s.explicit, _compiled),
        ("program form written", lambda s: s.written, _compiled),
        ("program form: versions of every buffer", lambda s: s.versions, lambda s: s.written),
        ("program form: arena", lambda s: s.arena, lambda s: s.written),
        ("program form: arena and every offset", lambda s: s.offsets, lambda s: s.written),
        (
            "program form, of two or more buffers: arena",
            lambda s: s.arena,
            lambda s: s.written and _packed(s),
        ),
        (
            "program form, of two or more buffers: arena and every offset",
            lambda s: s.offsets,
            lambda s: s.written and _packed(s),
        ),
        ("program form: static bytes", lambda s: s.static, lambda s: s.written),
    ]
    cells = [[label, *(_share(scores, target, hit, of) for target in targets)] for label, hit, of in rows]
    cells.append(["planning arrays of pipelined loops", *(_loops(scores, target) for target in targets)])
    yield pipe_table(("", *targets), cells)
    yield ""


def _loops(scores: Sequence[Score], target: str) -> str:
    mine = [score for score in scores if score.target == target]
    return f"{sum(s.planned for s in mine)} of {sum(s.loops for s in mine)}"


def _any(_: Score) -> bool:
    return True


def _compiled(score: Score) -> bool:
    return not score.failure


def _packed(score: Score) -> bool:
    return _compiled(score) and score.buffers > 1


def _share(scores: Sequence[Score], target: str, hit: Count, of: Count) -> str:
    whole = [score for score in scores if score.target == target and of(score)]
    count = sum(map(hit, whole))
    if hit is of or not whole:
        return str(count)
    return f"{count} of {len(whole)} ({100 * count / len(whole):.1f} %)"


def _times(scores: Sequence[Score], target: str) -> Iterator[str]:
    written = [score for score in scores if score.written and score.target == target]
    if not written:
        return
    compiling, predicting = (
        median(score.compile_seconds for score in written),
        median(score.predict_seconds for score in written),
    )
    total = sum(s.compile_seconds for s in written) / sum(s.predict_seconds for s in written)
    yield "## Time"
    yield ""
    yield (
        f"CPU time, one run, {target}: compiling a kernel takes {compiling * 1000:.0f} ms in the median, "
        "without the compiler's start-up and without NVIDIA's assembler; reading its program form and "
        f"predicting takes {predicting * 1000:.2f} ms. Over all {len(written)} kernels that is a factor of "
        f"{total:.0f}."
    )
    yield ""


def _misses(scores: Sequence[Score]) -> Iterator[str]:
    missed = [s for s in scores if not s.failure and (s.reason or not s.explicit or s.planned < s.loops)]
    yield "## Every miss"
    yield ""
    rows = [
        [s.file, s.kernel, s.target, _kind(s), s.reason or "statements counted otherwise"] for s in missed
    ]
    yield pipe_table(("file", "kernel", "target", "misses", "why"), rows, 5) if rows else "None."
    yield ""


def _kind(score: Score) -> str:
    kinds = [
        ("explicit", score.explicit),
        ("program", score.written),
        ("versions", score.versions or not score.written),
        ("arena", score.arena or not score.written),
        ("offsets", score.offsets or not score.written),
        ("static", score.static or not score.written),
        ("planning arrays", score.planned == score.loops),
    ]
    return ", ".join(name for name, held in kinds if not held)


def _without_folders(text: str) -> str:
    """A message without the folders of the machine that it was printed on."""
    return re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "", text)


def _left(scores: Sequence[Score], silent: Sequence[str]) -> Iterator[str]:
    yield "## Not captured"
    yield ""
    rows = [[s.file, s.kernel, s.target, _without_folders(s.failure)] for s in scores if s.failure]
    yield pipe_table(("file", "kernel", "target", "the compiler says"), rows, 4) if rows else "None."
    yield ""
    yield f"{len(silent)} files compile nothing when run here:"
    yield ""
    for line in silent:
        yield f"* {_without_folders(line)}"
