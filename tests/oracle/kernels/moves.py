"""Kernels in TileLang that move, reduce and reorder, written for the tests."""

import tilelang
import tilelang.language as T


@tilelang.jit
def row_sum(M=1024, N=4096, bn=512, stages=2, threads=128):
    @T.prim_func
    def kernel(A: T.Tensor((M, N), "float32"), B: T.Tensor((M,), "float32")):
        with T.Kernel(M // 8, threads=threads) as bx:
            tile = T.alloc_shared((8, bn), "float32")
            values = T.alloc_fragment((8, bn), "float32")
            part = T.alloc_fragment((8,), "float32")
            total = T.alloc_fragment((8,), "float32")
            T.clear(total)
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(A[bx * 8, k * bn], tile)
                T.copy(tile, values)
                T.reduce_sum(values, part, dim=1)
                for i in T.Parallel(8):
                    total[i] += part[i]
            T.copy(total, B[bx * 8])

    return kernel


@tilelang.jit
def row_norm(M=1024, N=2048, bm=4, threads=256):
    @T.prim_func
    def kernel(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float16")
            values = T.alloc_fragment((bm, N), "float32")
            squares = T.alloc_fragment((bm, N), "float32")
            total = T.alloc_fragment((bm,), "float32")
            T.copy(A[bx * bm : (bx + 1) * bm, :], tile)
            T.copy(tile, values)
            for i, j in T.Parallel(bm, N):
                squares[i, j] = values[i, j] * values[i, j]
            T.reduce_sum(squares, total, dim=1)
            for i, j in T.Parallel(bm, N):
                values[i, j] = values[i, j] * T.rsqrt(total[i] / N)
            T.copy(values, B[bx * bm : (bx + 1) * bm, :])

    return kernel


@tilelang.jit
def transpose(M=1024, N=1024, tile=64, threads=128):
    @T.prim_func
    def kernel(A: T.Tensor((M, N), "float16"), B: T.Tensor((N, M), "float16")):
        with T.Kernel(N // tile, M // tile, threads=threads) as (bx, by):
            source = T.alloc_shared((tile, tile), "float16")
            target = T.alloc_shared((tile, tile), "float16")
            T.copy(A[by * tile, bx * tile], source)
            for i, j in T.Parallel(tile, tile):
                target[i, j] = source[j, i]
            T.copy(target, B[bx * tile, by * tile])

    return kernel


@tilelang.jit
def vectors(N=65536, block=1024, threads=128):
    """One-dimensional copies in both directions."""

    @T.prim_func
    def kernel(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32"), C: T.Tensor((N,), "float32")):
        with T.Kernel(N // block, threads=threads) as bx:
            left = T.alloc_shared((block,), "float32")
            right = T.alloc_shared((block,), "float32")
            both = T.alloc_shared((block,), "float32")
            T.copy(A[bx * block : (bx + 1) * block], left)
            T.copy(B[bx * block : (bx + 1) * block], right)
            for i in T.Parallel(block):
                both[i] = left[i] + right[i]
            T.copy(both, C[bx * block : (bx + 1) * block])

    return kernel


@tilelang.jit
def phases(M=512, bm=64, N=128, threads=128):
    """Four tiles, of which two live at a time."""

    @T.prim_func
    def kernel(A: T.Tensor((4, M, N), "float16"), B: T.Tensor((4, M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as bx:
            first = T.alloc_shared((bm, N), "float16")
            second = T.alloc_shared((bm, N), "float32")
            third = T.alloc_shared((bm, N), "float16")
            fourth = T.alloc_shared((bm, N), "float32")
            T.copy(A[0, bx * bm, 0], first)
            for i, j in T.Parallel(bm, N):
                second[i, j] = first[bm - 1 - i, j] * 2
            for i, j in T.Parallel(bm, N):
                third[i, j] = second[i, N - 1 - j] + 1
            for i, j in T.Parallel(bm, N):
                fourth[i, j] = third[bm - 1 - i, j] * 3
            for i, j in T.Parallel(bm, N):
                B[0, bx * bm + i, j] = fourth[i, N - 1 - j]

    return kernel


@tilelang.jit
def conditional(M=512, N=512, K=512, bm=64, bn=64, bk=32, stages=3, threads=128):
    """A bias tile is copied by some blocks only."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        bias: T.Tensor((bm, bn), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            extra = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            if bx > 2:
                T.copy(bias, extra)
                for i, j in T.Parallel(bm, bn):
                    total[i, j] += extra[i, j]
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def experts(M=512, N=512, K=512, count=8, bm=64, bn=64, bk=64, stages=2, threads=128):
    """A grouped product: each block looks up its expert, and gathers its rows."""

    @T.prim_func
    def kernel(
        X: T.Tensor((M, K), "float16"),
        W: T.Tensor((count, N, K), "float16"),
        which: T.Tensor((M // bm,), "int32"),
        rows: T.Tensor((M,), "int32"),
        Y: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            tokens = T.alloc_shared((bm, bk), "float16")
            weight = T.alloc_shared((bn, bk), "float16")
            indexes = T.alloc_shared((bm,), "int32")
            total = T.alloc_fragment((bm, bn), "float32")
            expert = which[by]
            T.copy(rows[by * bm : (by + 1) * bm], indexes)
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                for i, j in T.Parallel(bm, bk):
                    tokens[i, j] = X[indexes[i], k * bk + j]
                T.copy(W[expert, bx * bn : (bx + 1) * bn, k * bk : (k + 1) * bk], weight)
                T.gemm(tokens, weight, total, transpose_B=True)
            T.copy(total, Y[by * bm, bx * bn])

    return kernel


@tilelang.jit
def single(M=512, N=512, bm=64, bn=100, threads=128):
    """One buffer, of a size that is no multiple of 16 bytes a row."""

    @T.prim_func
    def kernel(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, bn), M // bm, threads=threads) as (bx, by):
            tile = T.alloc_shared((bm, bn), "float16")
            T.copy(A[by * bm, bx * bn], tile)
            for i, j in T.Parallel(bm, bn):
                tile[i, j] = tile[i, j] * 2
            T.copy(tile, B[by * bm, bx * bn])

    return kernel


@tilelang.jit
def tables(M=512, N=256, bm=32, threads=128):
    """A static shared array beside the arena."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, N), "float16"), scale: T.Tensor((N,), "float32"), B: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            table = T.alloc_shared((N,), "float32", scope="shared")
            tile = T.alloc_shared((bm, N), "float16")
            result = T.alloc_shared((bm, N), "float16")
            T.copy(scale, table)
            T.copy(A[bx * bm, 0], tile)
            for i, j in T.Parallel(bm, N):
                result[i, j] = tile[bm - 1 - i, j] * table[j]
            T.copy(result, B[bx * bm, 0])

    return kernel


@tilelang.jit
def two_launches(M=512, N=512, bm=64, threads=128):
    """Two kernels of one function."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float32")
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            first = T.alloc_shared((bm, N), "float16")
            second = T.alloc_shared((bm, N), "float16")
            T.copy(A[bx * bm, 0], first)
            for i, j in T.Parallel(bm, N):
                second[i, j] = first[bm - 1 - i, j]
            T.copy(second, B[bx * bm, 0])
        with T.Kernel(M // bm, threads=threads) as bx:
            third = T.alloc_shared((bm, N), "float16")
            fourth = T.alloc_shared((bm, N // 2), "float32")
            T.copy(B[bx * bm, 0], third)
            for i, j in T.Parallel(bm, N // 2):
                fourth[i, j] = third[i, j] + third[i, j + N // 2]
            T.copy(fourth, C[bx * bm : (bx + 1) * bm, 0 : N // 2])

    return kernel
