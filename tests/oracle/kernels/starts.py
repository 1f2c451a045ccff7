"""Pipelined loops in TileLang that start where a block or its data say: what the prologue then holds."""

import tilelang
import tilelang.language as T

STARTS = {
    "block": lambda block, first, second: block,
    "half": lambda block, first, second: block // 2,
    "after": lambda block, first, second: T.max(0, block + 3),
    "window": lambda block, first, second: T.max(0, block - 2),
    "window_of_rows": lambda block, first, second: T.max(0, (block * 64 - 100) // 32),
    "not_first": lambda block, first, second: T.max(1, block),
    "no_later": lambda block, first, second: T.min(block, 5),
    "given": lambda block, first, second: first,
    "difference": lambda block, first, second: first - second,
    "tiles": lambda block, first, second: (first + 31) // 32 - second // 32,
    "given_window": lambda block, first, second: T.max(0, first - 3),
    "given_window_of_rows": lambda block, first, second: T.max(0, (first - second) // 32),
    "given_no_later": lambda block, first, second: T.min(first, 4),
    "larger": lambda block, first, second: T.max(first, second),
    "clamped_then_tiles": lambda block, first, second: T.max(0, first - second) // 32,
}


@tilelang.jit
def product(start="block", stages=3, M=512, N=512, K=512, bm=64, bn=64, bk=32, threads=128):
    """The tile that only the last stage writes is larger than those that the first one fills."""
    where = STARTS[start]

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        low: T.Tensor((8,), "int32"),
        high: T.Tensor((8,), "int32"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            turned = T.alloc_shared((bm, bn), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            first = low[bx]
            second = high[by]
            for k in T.Pipelined(where(bx, first, second), K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
                T.copy(total, turned)
                for i, j in T.Parallel(bm, bn):
                    total[i, j] += turned[j, i]
            T.copy(total, C[by * bm, bx * bn])

    return kernel
