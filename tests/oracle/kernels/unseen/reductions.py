"""Reductions of every kind, in loops, in branches, over any dimension."""

import tilelang
import tilelang.language as T


@tilelang.jit
def every_kind(M=256, N=512, bm=16, threads=128):
    """Six reductions of one tile, each with an answer of its own."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), O: T.Tensor((6, M), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float32")
            values = T.alloc_fragment((bm, N), "float32")
            a = T.alloc_fragment((bm,), "float32")
            b = T.alloc_fragment((bm,), "float32")
            c = T.alloc_fragment((bm,), "float32")
            d = T.alloc_fragment((bm,), "float32")
            e = T.alloc_fragment((bm,), "float32")
            T.copy(A[bx * bm, 0], tile)
            T.copy(tile, values)
            T.reduce_sum(values, a, dim=1)
            T.reduce_max(values, b, dim=1)
            T.reduce_min(values, c, dim=1)
            T.reduce_abssum(values, d, dim=1)
            T.reduce_absmax(values, e, dim=1)
            for i in T.Parallel(bm):
                O[0, bx * bm + i] = a[i]
                O[1, bx * bm + i] = b[i]
                O[2, bx * bm + i] = c[i]
                O[3, bx * bm + i] = d[i]
                O[4, bx * bm + i] = e[i]

    return main


@tilelang.jit
def columns_and_rows(M=256, N=256, bm=64, bn=64, threads=128):
    """A tile is reduced over both dimensions, one after the other."""

    @T.prim_func
    def main(
        A: T.Tensor((M, N), "float16"),
        R: T.Tensor((M, N // bn), "float32"),
        C: T.Tensor((M // bm, N), "float32"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            tile = T.alloc_shared((bm, bn), "float16")
            values = T.alloc_fragment((bm, bn), "float32")
            rows = T.alloc_fragment((bm,), "float32")
            columns = T.alloc_fragment((bn,), "float32")
            T.copy(A[by * bm, bx * bn], tile)
            T.copy(tile, values)
            T.reduce_sum(values, rows, dim=1)
            T.reduce_max(values, columns, dim=0)
            for i in T.Parallel(bm):
                R[by * bm + i, bx] = rows[i]
            T.copy(columns, C[by, bx * bn])

    return main


@tilelang.jit
def middle_dimension(B=8, S=16, M=16, N=32, threads=128):
    """The middle of three dimensions is summed, then the last."""

    @T.prim_func
    def main(
        A: T.Tensor((B, S, M, N), "float32"),
        O: T.Tensor((B, S), "float32"),
        P: T.Tensor((B, S, N), "float32"),
    ):
        with T.Kernel(B, threads=threads) as b:
            tile = T.alloc_shared((S, M, N), "float32")
            values = T.alloc_fragment((S, M, N), "float32")
            middle = T.alloc_fragment((S, N), "float32")
            last = T.alloc_fragment((S,), "float32")
            T.copy(A[b, 0, 0, 0], tile)
            T.copy(tile, values)
            T.reduce_sum(values, middle, dim=1)
            T.copy(middle, P[b, 0, 0])
            T.reduce_max(middle, last, dim=1)
            T.copy(last, O[b, 0])

    return main


@tilelang.jit
def online_softmax(M=256, N=2048, bm=8, bn=256, stages=2, threads=128):
    """Maximum and sum are kept up in a pipelined loop, then a second pass."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, bn), "float16")
            again = T.alloc_shared((bm, bn), "float16")
            values = T.alloc_fragment((bm, bn), "float32")
            here = T.alloc_fragment((bm,), "float32")
            most = T.alloc_fragment((bm,), "float32")
            before = T.alloc_fragment((bm,), "float32")
            part = T.alloc_fragment((bm,), "float32")
            total = T.alloc_fragment((bm,), "float32")
            T.fill(most, -T.infinity("float32"))
            T.clear(total)
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(A[bx * bm, k * bn], tile)
                T.copy(tile, values)
                T.copy(most, before)
                T.reduce_max(values, here, dim=1)
                for i in T.Parallel(bm):
                    most[i] = T.max(before[i], here[i])
                for i, j in T.Parallel(bm, bn):
                    values[i, j] = T.exp(values[i, j] - most[i])
                T.reduce_sum(values, part, dim=1)
                for i in T.Parallel(bm):
                    total[i] = total[i] * T.exp(before[i] - most[i]) + part[i]
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(A[bx * bm, k * bn], again)
                T.copy(again, values)
                for i, j in T.Parallel(bm, bn):
                    values[i, j] = T.exp(values[i, j] - most[i]) / total[i]
                T.copy(values, B[bx * bm, k * bn])

    return main


@tilelang.jit
def prefix_rows(M=256, N=256, bm=16, threads=128):
    """Running sums along rows in shared memory, forward and back."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float32")
            back = T.alloc_shared((bm, N), "float32")
            T.copy(A[bx * bm, 0], tile)
            T.cumsum(tile, back, dim=1, reverse=True)
            T.cumsum(tile, tile, dim=1)
            T.copy(tile, B[bx * bm, 0])
            T.copy(back, C[bx * bm, 0])

    return main


@tilelang.jit
def prefix_columns(M=256, N=256, bm=32, bn=64, dim=0, threads=128):
    """Running sums of a fragment, which goes through shared memory."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            tile = T.alloc_shared((bm, bn), "float32")
            values = T.alloc_fragment((bm, bn), "float32")
            T.copy(A[by * bm, bx * bn], tile)
            T.copy(tile, values)
            T.cumsum(values, dim=dim)
            T.copy(values, B[by * bm, bx * bn])

    return main


@tilelang.jit
def two_in_a_loop(M=256, N=1024, bm=8, bn=128, stages=2, threads=256):
    """Sum and smallest of two streams, every step."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32"), O: T.Tensor((2, M), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            one = T.alloc_shared((bm, bn), "float32")
            two = T.alloc_shared((bm, bn), "float32")
            x = T.alloc_fragment((bm, bn), "float32")
            y = T.alloc_fragment((bm, bn), "float32")
            sums = T.alloc_fragment((bm,), "float32")
            least = T.alloc_fragment((bm,), "float32")
            T.clear(sums)
            T.fill(least, T.infinity("float32"))
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(A[bx * bm, k * bn], one)
                T.copy(B[bx * bm, k * bn], two)
                T.copy(one, x)
                T.copy(two, y)
                T.reduce_sum(x, sums, dim=1, clear=False)
                T.reduce_min(y, least, dim=1, clear=False)
            T.copy(sums, O[0, bx * bm])
            T.copy(least, O[1, bx * bm])

    return main


@tilelang.jit
def under_branch(M=256, N=512, bm=4, threads=128):
    """A reduction that only some blocks do, before another that all do."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), O: T.Tensor((M,), "float32"), P: T.Tensor((M,), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float32")
            values = T.alloc_fragment((bm, N), "float32")
            some = T.alloc_fragment((bm,), "float32")
            every = T.alloc_fragment((bm,), "float32")
            T.copy(A[bx * bm, 0], tile)
            T.copy(tile, values)
            if bx % 2 == 0:
                T.reduce_absmax(values, some, dim=1)
                T.copy(some, P[bx * bm])
            for i, j in T.Parallel(bm, N):
                values[i, j] = values[i, j] * values[i, j]
            T.reduce_sum(values, every, dim=1)
            T.copy(every, O[bx * bm])

    return main


@tilelang.jit
def bits(M=256, N=256, bm=16, threads=128):
    """Bitwise reductions of masks."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "int32"), O: T.Tensor((3, M), "int32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "int32")
            values = T.alloc_fragment((bm, N), "int32")
            a = T.alloc_fragment((bm,), "int32")
            b = T.alloc_fragment((bm,), "int32")
            c = T.alloc_fragment((bm,), "int32")
            T.copy(A[bx * bm, 0], tile)
            T.copy(tile, values)
            T.reduce_bitand(values, a, dim=1)
            T.reduce_bitor(values, b, dim=1)
            T.reduce_bitxor(values, c, dim=1)
            T.copy(a, O[0, bx * bm])
            T.copy(b, O[1, bx * bm])
            T.copy(c, O[2, bx * bm])

    return main


@tilelang.jit
def variance(M=128, N=1024, bm=2, threads=256):
    """Layer norm: mean, then centred squares, weight and bias from shared memory."""

    @T.prim_func
    def main(
        A: T.Tensor((M, N), "float16"),
        W: T.Tensor((N,), "float32"),
        Z: T.Tensor((N,), "float32"),
        B: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float16")
            weight = T.alloc_shared((N,), "float32")
            bias = T.alloc_shared((N,), "float32")
            values = T.alloc_fragment((bm, N), "float32")
            squares = T.alloc_fragment((bm, N), "float32")
            mean = T.alloc_fragment((bm,), "float32")
            spread = T.alloc_fragment((bm,), "float32")
            T.copy(A[bx * bm, 0], tile)
            T.copy(W, weight)
            T.copy(Z, bias)
            T.copy(tile, values)
            T.reduce_sum(values, mean, dim=1)
            for i, j in T.Parallel(bm, N):
                values[i, j] -= mean[i] / N
            for i, j in T.Parallel(bm, N):
                squares[i, j] = values[i, j] * values[i, j]
            T.reduce_sum(squares, spread, dim=1)
            for i, j in T.Parallel(bm, N):
                values[i, j] = values[i, j] * T.rsqrt(spread[i] / N + 1e-5) * weight[j] + bias[j]
            T.copy(values, B[bx * bm, 0])

    return main
