"""Pipelined loops with orders, conditions, loops around and inside them."""

import tilelang
import tilelang.language as T


@tilelang.jit
def given_stages(M=256, N=256, K=512, bm=64, bn=64, bk=32, threads=128, sooner=1):
    """Order and stages are given by the kernel."""

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, order=[0, 1, 2], stage=[0, 0, sooner], num_stages=2):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def four_streams(M=128, N=128, K=512, bm=64, bn=64, bk=32, stages=3, threads=128):
    """Two products of four operands, one of them cast in registers."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        D: T.Tensor((M, K), "float32"),
        E: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            a = T.alloc_shared((bm, bk), "float16")
            b = T.alloc_shared((bk, bn), "float16")
            d = T.alloc_shared((bm, bk), "float32")
            e = T.alloc_shared((bk, bn), "float16")
            narrow = T.alloc_fragment((bm, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], a)
                T.copy(B[k * bk, bx * bn], b)
                T.gemm(a, b, total)
                T.copy(D[by * bm, k * bk], d)
                T.copy(d, narrow)
                T.copy(E[k * bk, bx * bn], e)
                T.gemm(narrow, e, total)
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def guarded(M=256, N=256, K=512, bm=64, bn=64, bk=32, stages=2, threads=128):
    """A mask decides in the pipelined loop whether a block is done."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        mask: T.Tensor((M // bm, K // bk), "int32"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            out = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                if mask[by, k] != 0:
                    T.copy(A[by * bm, k * bk], left)
                    T.copy(B[k * bk, bx * bn], right)
                    T.gemm(left, right, total)
            T.copy(total, out)
            T.copy(out, C[by * bm, bx * bn])

    return main


@tilelang.jit
def last_is_other(M=256, N=256, K=512, bm=64, bn=64, bk=64, stages=2, threads=128):
    """The last step of the pipelined loop adds a bias tile."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        Z: T.Tensor((N,), "float32"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            bias = T.alloc_shared((bn,), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            T.copy(Z[bx * bn], bias)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
                if k == K // bk - 1:
                    for i, j in T.Parallel(bm, bn):
                        total[i, j] += bias[j]
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def serial_around(M=256, N=256, K=256, heads=4, bm=64, bn=64, bk=32, stages=2, threads=128):
    """A serial loop around a pipelined one, with an operand that is kept for it."""

    @T.prim_func
    def main(
        A: T.Tensor((heads, M, K), "float16"),
        B: T.Tensor((heads, K, N), "float16"),
        S: T.Tensor((heads, N), "float32"),
        C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            scale = T.alloc_shared((bn,), "float32")
            part = T.alloc_fragment((bm, bn), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for h in T.serial(heads):
                T.copy(S[h, bx * bn : (bx + 1) * bn], scale)
                T.clear(part)
                for k in T.Pipelined(K // bk, num_stages=stages):
                    T.copy(A[h, by * bm, k * bk], left)
                    T.copy(B[h, k * bk, bx * bn], right)
                    T.gemm(left, right, part)
                for i, j in T.Parallel(bm, bn):
                    total[i, j] += part[i, j] * scale[j]
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def one_after_other(M=256, N=128, K=256, bm=64, bk=64, stages=3, later=2, threads=128):
    """Two pipelined loops, the second of a smaller depth."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        D: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            again = T.alloc_shared((bm, bk // 2), "float16")
            other = T.alloc_shared((bk // 2, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, 0], right)
                T.gemm(left, right, total)
            for i, j in T.Parallel(bm, N):
                total[i, j] = T.max(total[i, j], 0.0)
            for k in T.Pipelined(K // bk * 2, num_stages=later):
                T.copy(A[by * bm, k * (bk // 2)], again)
                T.copy(D[k * (bk // 2), 0], other)
                T.gemm(again, other, total)
            T.copy(total, C[by * bm, 0])

    return main


@tilelang.jit
def stored_in_loop(M=256, N=512, K=64, bm=64, bn=64, stages=2, threads=128):
    """Every step stores its tile through shared memory."""

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, K), "float16")
            right = T.alloc_shared((bn, K), "float16")
            out = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.copy(A[by * bm, 0], left)
            for n in T.Pipelined(N // bn, num_stages=stages):
                T.copy(B[n * bn, 0], right)
                T.clear(total)
                T.gemm(left, right, total, transpose_B=True)
                T.copy(total, out)
                T.copy(out, C[by * bm, n * bn])

    return main


@tilelang.jit
def persistent_rows(M=1024, N=512, bm=8, blocks=16, stages=2, threads=128):
    """A persistent kernel over rows: the loop over its tiles is pipelined itself."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M,), "float32")):
        with T.Kernel(blocks, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float16")
            values = T.alloc_fragment((bm, N), "float32")
            total = T.alloc_fragment((bm,), "float32")
            for w in T.Pipelined(M // bm // blocks, num_stages=stages):
                T.copy(A[(w * blocks + bx) * bm, 0], tile)
                T.copy(tile, values)
                T.reduce_sum(values, total, dim=1)
                T.copy(total, B[(w * blocks + bx) * bm])

    return main


@tilelang.jit
def persistent_product(M=512, N=512, K=256, bm=64, bn=128, bk=64, blocks=8, stages=3, threads=256):
    """T.Persistent over the tiles of a product."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "bfloat16"), B: T.Tensor((K, N), "bfloat16"), C: T.Tensor((M, N), "bfloat16")
    ):
        with T.Kernel(blocks, threads=threads) as block:
            left = T.alloc_shared((bm, bk), "bfloat16")
            right = T.alloc_shared((bk, bn), "bfloat16")
            out = T.alloc_shared((bm, bn), "bfloat16")
            total = T.alloc_fragment((bm, bn), "float32")
            for bx, by in T.Persistent([M // bm, N // bn], blocks, block):
                T.clear(total)
                for k in T.Pipelined(K // bk, num_stages=stages):
                    T.copy(A[bx * bm, k * bk], left)
                    T.copy(B[k * bk, by * bn], right)
                    T.gemm(left, right, total)
                T.copy(total, out)
                T.copy(out, C[bx * bm, by * bn])

    return main


@tilelang.jit
def read_ahead(M=512, N=256, bm=8, stages=3, threads=128):
    """A stencil over rows: each step reads its tile and one of its neighbour."""

    @T.prim_func
    def main(A: T.Tensor((M + 8, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(4, threads=threads) as bx:
            here = T.alloc_shared((bm, N), "float32")
            below = T.alloc_shared((bm, N), "float32")
            out = T.alloc_shared((bm, N), "float32")
            for k in T.Pipelined(M // bm // 4, num_stages=stages):
                T.copy(A[(bx * (M // bm // 4) + k) * bm, 0], here)
                T.copy(A[(bx * (M // bm // 4) + k) * bm + 1, 0], below)
                for i, j in T.Parallel(bm, N):
                    out[i, j] = here[i, N - 1 - j] + below[i, j] * 0.5
                T.copy(out, B[(bx * (M // bm // 4) + k) * bm, 0])

    return main
