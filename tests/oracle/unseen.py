"""Kernels that nobody had looked at when the rules were written: which ones, and for what they are compiled.

Each is compiled in two configurations for four targets. `batch` says when it was written: what the first ones
showed was looked at to mend the rules before the second ones were compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from smemdsl.compilers.capture.request import Request
from tests.oracle.cases import KERNELS

TARGETS = ("sm_90a", "sm_89", "sm_100a", "sm_120a")
BY_TMA = ("sm_90a", "sm_90a", "sm_100a", "sm_120a")
"""Of kernels that name the Tensor Memory Accelerator."""


class Case(NamedTuple):
    """One kernel, with the arguments of its second configuration."""

    file: str
    name: str
    second: dict[str, int | str]
    targets: tuple[str, ...] = TARGETS
    batch: int = 1


CASES = (
    Case("launches", "normalised_product", {"bm": 128, "stages": 3, "threads": 256}),
    Case("launches", "split_and_sum", {"parts": 8, "bk": 64, "stages": 2}),
    Case("launches", "three_launches", {"bm": 16, "bn": 64, "threads": 128}),
    Case("launches", "forward_and_back", {"bm": 128, "stages": 3, "later": 2}),
    Case("launches", "branch_sums", {"half": 256, "threads": 512}),
    Case("launches", "leader_writes", {"block": 1024, "threads": 256}),
    Case("launches", "bound_from_memory", {"bk": 32, "stages": 3}),
    Case("launches", "bounds_in_shared", {"groups": 4, "bk": 64}),
    Case("launches", "bound_in_variable", {"bm": 128, "stages": 2}),
    Case("launches", "halves_copy", {"bm": 64, "threads": 128}),
    Case("reductions", "every_kind", {"bm": 4, "threads": 256}),
    Case("reductions", "columns_and_rows", {"bm": 32, "bn": 128, "threads": 256}),
    Case("reductions", "middle_dimension", {"M": 8, "N": 64, "threads": 256}),
    Case("reductions", "online_softmax", {"bm": 4, "stages": 3, "threads": 256}),
    Case("reductions", "prefix_rows", {"bm": 8, "threads": 64}),
    Case("reductions", "prefix_columns", {"dim": 1, "bm": 64}),
    Case("reductions", "two_in_a_loop", {"bm": 16, "stages": 3, "threads": 128}),
    Case("reductions", "under_branch", {"bm": 2, "threads": 256}),
    Case("reductions", "bits", {"bm": 8, "threads": 256}),
    Case("reductions", "variance", {"bm": 4, "N": 512, "threads": 128}),
    Case("tiles", "many_small", {"bm": 32, "N": 128, "threads": 256}),
    Case("tiles", "chain_of_vectors", {"block": 512, "threads": 128}),
    Case("tiles", "viewed_rows", {"bm": 4, "parts": 4, "threads": 256}),
    Case("tiles", "viewed_as_bytes", {"bm": 32, "threads": 256}),
    Case("tiles", "declared_in_loop", {"bm": 64, "bn": 128}),
    Case("tiles", "used_again", {"N": 128, "bm": 128, "bk": 128, "threads": 256}),
    Case("tiles", "unrolled_tiles", {"bm": 32, "count": 2}),
    Case("tiles", "table_of_tables", {"bm": 64, "entries": 100}),
    Case("tiles", "histogram", {"bins": 100, "threads": 128}),
    Case("tiles", "transposed_twice", {"tile": 64}),
    Case("pipelines", "given_stages", {"bk": 64, "sooner": 2}),
    Case("pipelines", "four_streams", {"bk": 64, "stages": 2}),
    Case("pipelines", "guarded", {"bk": 64, "stages": 3}),
    Case("pipelines", "last_is_other", {"bm": 128, "stages": 3}),
    Case("pipelines", "serial_around", {"bk": 64, "stages": 3}),
    Case("pipelines", "one_after_other", {"stages": 2, "later": 4}),
    Case("pipelines", "stored_in_loop", {"bm": 128, "stages": 3}),
    Case("pipelines", "persistent_rows", {"bm": 4, "stages": 3}),
    Case("pipelines", "persistent_product", {"bm": 128, "stages": 2}),
    Case("pipelines", "read_ahead", {"bm": 16, "stages": 2}),
    Case("attentions", "windowed", {"bm": 128, "D": 128, "threads": 256}),
    Case("attentions", "backward_preprocess", {"bm": 64, "D": 128}),
    Case("attentions", "backward", {"bm": 128, "stages": 1, "threads": 256}),
    Case("attentions", "decode_split", {"H": 64, "D": 64, "stages": 3}),
    Case("attentions", "chunk_states", {"D": 128, "stages": 1}),
    Case("attentions", "gated_backward", {"D": 128, "threads": 256}),
    Case("attentions", "selective_scan", {"bd": 64, "chunk": 8, "stages": 3}),
    Case("attentions", "chunk_scan", {"P": 128, "stages": 3}),
    Case("attentions", "delta_solve", {"chunk": 64, "D": 128}),
    Case("attentions", "pooled_keys", {"block": 16, "threads": 256}),
    Case("dtypes", "bytes_product", {"bk": 128, "stages": 2}),
    Case("dtypes", "eights_promoted", {"bm": 128, "stages": 3, "threads": 256}),
    Case("dtypes", "fives_product", {"bn": 128, "bk": 128, "stages": 2}),
    Case("dtypes", "fours_unpacked", {"bk": 128, "stages": 3}, batch=2),
    Case("dtypes", "twos_unpacked", {"bm": 64, "bk": 128, "stages": 3}, batch=2),
    Case("dtypes", "cast_to_eights", {"bm": 32, "group": 64}, batch=2),
    Case("dtypes", "singles_product", {"bm": 128, "stages": 2}, batch=2),
    Case("dtypes", "doubles_sum", {"bm": 2, "threads": 256}, batch=2),
    Case("dtypes", "wide_from_narrow", {"bk": 64, "stages": 3}, batch=2),
    Case("dtypes", "sparse_left", {"bm": 128, "stages": 3}, batch=2),
    Case("moved", "im2col", {"bk": 64, "stages": 3}, batch=2),
    Case("moved", "depthwise", {"bl": 128, "taps": 3, "threads": 256}, batch=2),
    Case("moved", "bitonic", {"N": 512, "threads": 256}, batch=2),
    Case("moved", "radix_counts", {"N": 4096, "threads": 512}, batch=2),
    Case("moved", "dynamic_rows", {"bk": 64, "stages": 2}, batch=2),
    Case("moved", "dynamic_depth", {"bk": 64, "stages": 3}, batch=2),
    Case("moved", "groups_of_products", {"bm": 32, "stages": 3}, batch=2),
    Case("moved", "scattered_adds", {"bm": 16, "stages": 3}, batch=2),
    Case("moved", "rope", {"bs": 64, "D": 128, "threads": 256}, batch=2),
    Case("moved", "hadamard", {"bm": 4, "threads": 256}, batch=2),
    Case("flows", "nested_pipelines", {"bk": 64, "inner": 3, "outer": 1}, batch=2),
    Case("flows", "serial_in_pipeline", {"bm": 32, "stages": 3}, batch=2),
    Case("flows", "two_conditions", {"bk": 64, "stages": 3}, batch=2),
    Case("flows", "skipped_block", {"bk": 64, "stages": 2}, batch=2),
    Case("flows", "either_product", {"bk": 64, "stages": 3}, batch=2),
    Case("flows", "ring_by_hand", {"bk": 64, "bm": 128}, batch=2),
    Case("flows", "cleared_in_loop", {"bm": 64, "steps": 2}, batch=2),
    Case("flows", "filled_under_condition", {"bm": 64, "threads": 256}, batch=2),
    Case("flows", "until_done", {"bm": 2, "threads": 256}, batch=2),
    Case("flows", "prologue_and_epilogue", {"bk": 32, "stages": 3}, batch=2),
    Case("flows", "three_deep", {"bk": 64, "stages": 3}, batch=2),
    Case("mixed", "cross_entropy", {"bm": 2, "stages": 3, "threads": 256}, batch=2),
    Case("mixed", "norm_backward", {"bm": 4, "threads": 256}, batch=2),
    Case("mixed", "routed_top", {"bm": 64, "top": 8}, batch=2),
    Case("mixed", "two_layers", {"bm": 128, "stages": 1, "threads": 256}, batch=2),
    Case("mixed", "gated_recurrence", {"B": 32, "D": 128}, batch=2),
    Case("mixed", "group_norm", {"groups": 4, "threads": 256}, batch=2),
    Case("mixed", "distances", {"bd": 64, "stages": 3}, batch=2),
    Case("mixed", "triangle_product", {"bk": 32, "stages": 3}, batch=2),
    Case("mixed", "expert_rows", {"bk": 64, "stages": 3}, batch=2),
    Case("mixed", "low_rank", {"bm": 128, "stages": 3}, batch=2),
    Case("last", "two_groups", {"bm": 64, "N": 64}, BY_TMA, batch=2),
    Case("last", "produced_and_used", {"bk": 32, "bm": 128}, BY_TMA, batch=2),
    Case("last", "fours_product", {"bk": 64, "stages": 3}, batch=2),
    Case("last", "fours_cast", {"bm": 8, "threads": 256}, batch=2),
    Case("last", "three_outputs", {"bk": 64, "stages": 3}, batch=2),
    Case("last", "staircase", {"bm": 16, "threads": 64}, batch=2),
    Case("last", "odd_shapes", {"bm": 50, "threads": 160}, batch=2),
    Case("last", "cumulated_gates", {"chunk": 128, "H": 16}, batch=2),
    Case("last", "two_reduced_tiles", {"bm": 16}, batch=2),
    Case("last", "whole_block_sum", {"block": 2048, "threads": 512}, batch=2),
    Case("last", "batch_in_pipeline", {"M": 128, "stages": 3}, batch=2),
    Case("last", "tail_of_rows", {"bm": 128, "stages": 3}, batch=2),
    Case("last", "paged_rows", {"page": 64, "stages": 3}, batch=2),
    Case("last", "merged_sums", {"bm": 64, "stages": 3}, batch=2),
)


def requests(case: Case) -> Iterator[Request]:
    """The case in both configurations, for each of its targets."""
    path = str(KERNELS / "unseen" / f"{case.file}.py")
    for args in ((), tuple((name, str(value)) for name, value in case.second.items())):
        for target in case.targets:
            yield Request("tilelang", path, case.name, args, target)
