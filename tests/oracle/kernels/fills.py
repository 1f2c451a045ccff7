"""Pipelined loops in TileLang in which a statement fills shared memory and does something else too."""

import tilelang
import tilelang.language as T


@tilelang.jit
def scaled(M=512, N=512, K=512, bm=128, bn=64, bk=64, stages=3, threads=128):
    """The right operand is multiplied by scales from global memory."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K), "float16"),
        S: T.Tensor((N, K // bk), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            packed = T.alloc_shared((bn, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], packed)
                for i, j in T.Parallel(bn, bk):
                    right[i, j] = packed[i, j] * S[bx * bn + i, k]
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def doubled(M=512, N=512, K=512, bm=128, bn=64, bk=64, stages=3, threads=128):
    """The right operand is doubled: nothing but the copies reads global memory."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            packed = T.alloc_shared((bn, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], packed)
                for i, j in T.Parallel(bn, bk):
                    right[i, j] = packed[i, j] * 2
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def scaled_in_registers(M=512, N=512, K=512, bm=128, bn=64, bk=64, stages=3, threads=128):
    """The scales are applied in registers; the statement that writes shared memory reads none of them."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K), "float16"),
        S: T.Tensor((N, K // bk), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            packed = T.alloc_shared((bn, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            values = T.alloc_fragment((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], packed)
                T.copy(packed, values)
                for i, j in T.Parallel(bn, bk):
                    values[i, j] = values[i, j] * S[bx * bn + i, k]
                T.copy(values, right)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def scaled_by_rows(M=512, N=512, K=512, bm=128, bn=64, bk=64, stages=2, threads=128):
    """A loop of several statements, one of which reads scales into registers."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K), "float16"),
        S: T.Tensor((N, K), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            packed = T.alloc_shared((bn, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            scale = T.alloc_fragment((16, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], packed)
                for part in T.serial(bn // 16):
                    T.copy(S[bx * bn + part * 16, k * bk], scale)
                    for i, j in T.Parallel(16, bk):
                        right[part * 16 + i, j] = packed[part * 16 + i, j] * scale[i, j]
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def filled_doubled(M=512, N=512, K=512, bm=128, bn=64, bk=64, stages=3, threads=128):
    """The right operand is doubled on its way from global memory."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                for i, j in T.Parallel(bn, bk):
                    right[i, j] = B[bx * bn + i, k * bk + j] * 2
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def filled_where(M=512, N=512, K=512, bm=128, bn=64, bk=64, stages=3, threads=128):
    """The right operand is masked on its way from global memory."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                for i, j in T.Parallel(bn, bk):
                    right[i, j] = T.if_then_else(i + j < k, B[bx * bn + i, k * bk + j], 0)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def filled_twice(M=512, N=512, K=512, bm=128, bn=64, bk=64, stages=2, threads=128):
    """One loop writes the right operand, with scales, and a sum beside it, without."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K), "float16"),
        S: T.Tensor((N, K // bk), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            packed = T.alloc_shared((bn, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            beside = T.alloc_shared((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], packed)
                for i, j in T.Parallel(bn, bk):
                    right[i, j] = packed[i, j] * S[bx * bn + i, k]
                    beside[i, j] = packed[i, j] + 1
                T.gemm(left, right, total, transpose_B=True)
                T.gemm(left, beside, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return kernel
