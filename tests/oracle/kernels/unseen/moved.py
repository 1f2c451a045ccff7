"""Convolutions, gathers, sorts, dynamic shapes, warp specialisation by hand, atomic adds."""

import tilelang
import tilelang.language as T


@tilelang.jit
def im2col(N=2, C=64, H=32, W=32, F=64, window=3, bm=64, bn=64, bk=32, stages=2, threads=128):
    """A convolution through T.im2col."""
    rows = H + 2 - window + 1

    @T.prim_func
    def main(
        A: T.Tensor((N, H, W, C), "float16"),
        B: T.Tensor((window, window, C, F), "float16"),
        O: T.Tensor((N, rows, rows, F), "float16"),
    ):
        with T.Kernel(F // bn, T.ceildiv(N * rows * rows, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            out = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            flat = T.Tensor((window * window * C, F), "float16", B.data)
            rows_out = T.Tensor((N * rows * rows, F), "float16", O.data)
            T.clear(total)
            for k in T.Pipelined(window * window * C // bk, num_stages=stages):
                T.im2col(A, left, by, k, window, 1, 1, 1)
                T.copy(flat[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, out)
            T.copy(out, rows_out[by * bm, bx * bn])

    return main


@tilelang.jit
def depthwise(N=2, L=1024, C=256, bl=64, bc=64, taps=4, threads=128):
    """A causal depthwise convolution over a sequence."""

    @T.prim_func
    def main(
        X: T.Tensor((N, L + taps, C), "float16"),
        W: T.Tensor((taps, C), "float32"),
        Y: T.Tensor((N, L, C), "float16"),
    ):
        with T.Kernel(C // bc, L // bl, N, threads=threads) as (bx, by, bz):
            tile = T.alloc_shared((bl + taps, bc), "float16")
            weight = T.alloc_shared((taps, bc), "float32")
            out = T.alloc_shared((bl, bc), "float16")
            total = T.alloc_fragment((bl, bc), "float32")
            T.copy(X[bz, by * bl : by * bl + bl + taps, bx * bc : (bx + 1) * bc], tile)
            T.copy(W[0, bx * bc], weight)
            T.clear(total)
            for t in T.serial(taps):
                for i, j in T.Parallel(bl, bc):
                    total[i, j] += tile[i + t, j] * weight[t, j]
            T.copy(total, out)
            T.copy(out, Y[bz, by * bl, bx * bc])

    return main


@tilelang.jit
def bitonic(M=64, N=256, threads=128):
    """A bitonic sort of rows in shared memory, back and forth between two buffers."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(M, threads=threads) as bx:
            here = T.alloc_shared((N,), "float32")
            there = T.alloc_shared((N,), "float32")
            T.copy(A[bx, 0], here)
            for k in T.serial(8):
                for j in T.serial(8):
                    for i in T.Parallel(N):
                        there[i] = T.if_then_else(
                            (i & (1 << k)) == 0,
                            T.min(here[i], here[i ^ (1 << (7 - j))]),
                            T.max(here[i], here[i ^ (1 << (7 - j))]),
                        )
                    for i in T.Parallel(N):
                        here[i] = there[i]
            T.copy(here, B[bx, 0])

    return main


@tilelang.jit
def radix_counts(M=64, N=2048, bins=256, threads=256):
    """One pass of a radix top-k: counts, running sums, positions."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "uint32"), P: T.Tensor((M, bins), "int32"), I: T.Tensor((M, N), "int32")):
        with T.Kernel(M, threads=threads) as bx:
            keys = T.alloc_shared((N,), "uint32")
            counts = T.alloc_shared((bins,), "int32")
            taken = T.alloc_shared((1,), "int32")
            chosen = T.alloc_shared((N,), "int32")
            tx = T.get_thread_binding()
            T.fill(counts, 0)
            if tx == 0:
                taken[0] = 0
            T.copy(A[bx, 0], keys)
            T.sync_threads()
            for i in T.Parallel(N):
                T.atomic_add(counts[T.Cast("int32", keys[i] >> 24)], 1)
            T.sync_threads()
            T.cumsum(counts, counts, dim=0)
            T.copy(counts, P[bx, 0])
            for i in T.Parallel(N):
                chosen[i] = T.if_then_else(counts[T.Cast("int32", keys[i] >> 24)] < 64, i, -1)
            T.copy(chosen, I[bx, 0])

    return main


@tilelang.jit
def dynamic_rows(N=256, K=512, bm=64, bn=64, bk=32, stages=3, threads=128):
    """The number of rows is a symbol."""
    M = T.dynamic("m")

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(N // bn, T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            out = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, out)
            T.copy(out, C[by * bm, bx * bn])

    return main


@tilelang.jit
def dynamic_depth(M=256, N=256, bm=64, bn=64, bk=32, stages=2, threads=128):
    """The depth is a symbol, so the pipelined loop's bound is too."""
    K = T.dynamic("k")

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(T.ceildiv(K, bk), num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], right)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def groups_of_products(count=4, M=256, N=128, K=256, bm=64, bn=64, bk=64, stages=2, threads=128):
    """Blocks look up their group by a serial search in shared memory."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((count, K, N), "float16"),
        ends: T.Tensor((count,), "int32"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            table = T.alloc_shared((count,), "int32")
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            group = T.alloc_var("int32")
            T.copy(ends, table)
            group = 0
            for g in T.serial(count):
                group = T.if_then_else(table[g] <= by * bm, g + 1, group)
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[group, k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def scattered_adds(M=1024, N=128, bm=32, stages=2, threads=128):
    """Rows are added to places that indexes name."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), I: T.Tensor((M,), "int32"), B: T.Tensor((256, N), "float32")):
        with T.Kernel(8, threads=threads) as bx:
            rows = T.alloc_shared((bm, N), "float32")
            places = T.alloc_shared((bm,), "int32")
            for k in T.Pipelined(M // bm // 8, num_stages=stages):
                T.copy(A[(bx * (M // bm // 8) + k) * bm, 0], rows)
                T.copy(I[(bx * (M // bm // 8) + k) * bm], places)
                for i, j in T.Parallel(bm, N):
                    T.atomic_add(B[places[i], j], rows[i, j])

    return main


@tilelang.jit
def rope(S=512, H=4, D=64, bs=32, threads=128):
    """Rotated pairs, with sines and cosines in shared memory."""

    @T.prim_func
    def main(
        X: T.Tensor((S, H, D), "float16"),
        co: T.Tensor((S, D // 2), "float32"),
        si: T.Tensor((S, D // 2), "float32"),
        Y: T.Tensor((S, H, D), "float16"),
    ):
        with T.Kernel(S // bs, H, threads=threads) as (bx, h):
            x = T.alloc_shared((bs, D), "float16")
            c = T.alloc_shared((bs, D // 2), "float32")
            s = T.alloc_shared((bs, D // 2), "float32")
            y = T.alloc_shared((bs, D), "float16")
            T.copy(X[bx * bs : (bx + 1) * bs, h, :], x)
            T.copy(co[bx * bs, 0], c)
            T.copy(si[bx * bs, 0], s)
            for i, j in T.Parallel(bs, D // 2):
                y[i, j] = x[i, j] * c[i, j] - x[i, j + D // 2] * s[i, j]
                y[i, j + D // 2] = x[i, j] * s[i, j] + x[i, j + D // 2] * c[i, j]
            T.copy(y, Y[bx * bs : (bx + 1) * bs, h, :])

    return main


@tilelang.jit
def hadamard(M=256, N=256, bm=8, steps=8, threads=128):
    """A Hadamard transform, step by step in shared memory."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            here = T.alloc_shared((bm, N), "float32")
            there = T.alloc_shared((bm, N), "float32")
            T.copy(A[bx * bm, 0], here)
            for s in T.serial(steps):
                for i, j in T.Parallel(bm, N):
                    there[i, j] = T.if_then_else(
                        (j & (1 << s)) == 0,
                        here[i, j] + here[i, j ^ (1 << s)],
                        here[i, j ^ (1 << s)] - here[i, j],
                    )
                T.copy(there, here)
            T.copy(here, B[bx * bm, 0])

    return main
