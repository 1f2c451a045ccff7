"""Products of a matrix of which two in four elements are stored, with the metadata that say which."""

import tilelang
import tilelang.language as T

STORED = 2
"""K is that many times the columns of A."""


@tilelang.jit
def product(
    M=512, N=512, K=512, bm=128, bn=128, bk=64, stages=2, threads=128, dtype="float16", codes="int16",
    elements=16, total="float32", trans_a=False, trans_b=False,
):  # fmt: skip
    """`elements` of K have their metadata in one of `codes`."""
    left_shape, all_left = ((bm, bk // STORED), (M, K // STORED))
    if trans_a:
        left_shape, all_left = left_shape[::-1], all_left[::-1]
    right_shape, all_right = ((bn, bk), (N, K)) if trans_b else ((bk, bn), (K, N))

    @T.prim_func
    def kernel(
        A: T.Tensor(all_left, dtype),
        E: T.Tensor((M, K // elements), codes),
        B: T.Tensor(all_right, dtype),
        C: T.Tensor((M, N), total),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared(left_shape, dtype)
            metadata = T.alloc_shared((bm, bk // elements), codes)
            right = T.alloc_shared(right_shape, dtype)
            result = T.alloc_shared((bm, bn), total)
            sums = T.alloc_fragment((bm, bn), total)
            T.clear(sums)
            T.disable_warp_group_reg_alloc()
            for k in T.Pipelined(K // bk, num_stages=stages):
                if trans_a:
                    T.copy(A[k * bk // STORED, by * bm], left)
                else:
                    T.copy(A[by * bm, k * bk // STORED], left)
                T.copy(E[by * bm, k * bk // elements], metadata)
                if trans_b:
                    T.copy(B[bx * bn, k * bk], right)
                else:
                    T.copy(B[k * bk, bx * bn], right)
                T.gemm_sp(left, metadata, right, sums, transpose_A=trans_a, transpose_B=trans_b)
            T.copy(sums, result)
            T.copy(result, C[by * bm, bx * bn])

    return kernel
