"""Kernels in TileLang, each of which found a rule that was missing."""

import tilelang
import tilelang.language as T


@tilelang.jit
def convolution(N=2, H=16, W=16, C=64, F=64, window=3, bm=64, bn=64, bk=32, stages=3, threads=128):
    """A convolution that gathers its windows itself; the compiler sees that none leaves the image."""
    rows, columns = H - window + 1, W - window + 1

    @T.prim_func
    def kernel(
        A: T.Tensor((N, H, W, C), "float16"),
        B: T.Tensor((window * window * C, F), "float16"),
        O: T.Tensor((N * rows * columns, F), "float16"),
    ):
        with T.Kernel(T.ceildiv(F, bn), T.ceildiv(N * rows * columns, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            result = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(T.ceildiv(window * window * C, bk), num_stages=stages):
                for i, j in T.Parallel(bm, bk):
                    inner = k * bk + j
                    pixel = by * bm + i
                    y = inner // (C * window) + pixel % (rows * columns) // columns
                    x = inner // C % window + pixel % columns
                    inside = (y >= 0) and (x >= 0) and (y < H) and (x < W)
                    left[i, j] = T.if_then_else(inside, A[pixel // (rows * columns), y, x, inner % C], 0)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, result)
            T.copy(result, O[by * bm, bx * bn])

    return kernel


@tilelang.jit
def pipeline_in_pipeline(M=512, N=512, K=512, bm=64, bn=64, bk=64, outer=2, stages=3, threads=128):
    """A pipelined loop inside another one."""

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        S: T.Tensor((M // bm, bm), "float32"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, threads=threads) as bx:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            scale = T.alloc_shared((bm,), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            for i in T.Pipelined(M // bm, num_stages=outer):
                T.copy(S[i, 0], scale)
                T.clear(total)
                for k in T.Pipelined(K // bk, num_stages=stages):
                    T.copy(A[i * bm, k * bk], left)
                    T.copy(B[k * bk, bx * bn], right)
                    T.gemm(left, right, total)
                for x, y in T.Parallel(bm, bn):
                    total[x, y] *= scale[x]
                T.copy(total, C[i * bm, bx * bn])

    return kernel


@tilelang.jit
def reducer(M=256, N=1024, bm=32, bn=128, stages=2, threads=256):
    """Row sums by a reducer of which every thread has a copy."""

    @T.prim_func
    def kernel(A: T.Tensor((M, N), "float32"), B: T.Tensor((M,), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, bn), "float32")
            total = T.alloc_reducer((bm,), "float32", replication="all")
            T.clear(total)
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(A[bx * bm, k * bn], tile)
                for i, j in T.Parallel(bm, bn):
                    total[i] += tile[i, j]
            T.finalize_reducer(total)
            T.copy(total, B[bx * bm])

    return kernel


@tilelang.jit
def row_products(N=1024, K=1024, bn=64, bk=128, stages=2, threads=128):
    """A matrix by a vector, each cast on its way: under aggressive merge two reads of one statement."""

    @T.prim_func
    def kernel(A: T.Tensor((K,), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((N,), "float32")):
        with T.Kernel(N // bn, threads=threads) as bx:
            vector = T.alloc_shared((bk,), "float16")
            rows = T.alloc_shared((bn, bk), "float16")
            products = T.alloc_fragment((bn, bk), "float32")
            part = T.alloc_fragment((bn,), "float32")
            total = T.alloc_fragment((bn,), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[k * bk], vector)
                T.copy(B[bx * bn, k * bk], rows)
                for i, j in T.Parallel(bn, bk):
                    products[i, j] = vector[j].astype("float32") * rows[i, j].astype("float32")
                T.reduce_sum(products, part, dim=1)
                for i in T.Parallel(bn):
                    total[i] += part[i]
            T.copy(total, C[bx * bn])

    return kernel


@tilelang.jit
def cast_inside(M=256, N=256, bm=64, bn=64, threads=128):
    """A copy inside shared memory that casts: under aggressive merge a read and a write."""

    @T.prim_func
    def kernel(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float32"), C: T.Tensor((M,), "float32")):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            narrow = T.alloc_shared((bm, bn), "float16")
            wide = T.alloc_shared((bm, bn), "float32")
            turned = T.alloc_shared((bm, bn), "float32")
            values = T.alloc_fragment((bm, bn), "float32")
            total = T.alloc_fragment((bm,), "float32")
            T.copy(A[by * bm, bx * bn], narrow)
            T.copy(narrow, wide)
            T.clear(turned)
            for i, j in T.Parallel(bm, bn):
                turned[i, j] += wide[j, i]
            T.copy(turned, values)
            T.reduce_sum(values, total, dim=1)
            T.copy(turned, B[by * bm, bx * bn])
            T.copy(total, C[by * bm : (by + 1) * bm])

    return kernel
