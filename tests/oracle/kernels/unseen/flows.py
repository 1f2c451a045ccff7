"""Loops in loops, conditions in pipelines, tiles with unusual lives."""

import tilelang
import tilelang.language as T


@tilelang.jit
def nested_pipelines(M=256, N=256, K=256, bm=64, bn=64, bk=32, outer=2, inner=2, threads=128):
    """The outer pipelined loop brings a bias tile, the inner one the operands."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        Z: T.Tensor((M, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            bias = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            for n in T.Pipelined(N // bn, num_stages=outer):
                T.copy(Z[by * bm, n * bn], bias)
                T.copy(bias, total)
                for k in T.Pipelined(K // bk, num_stages=inner):
                    T.copy(A[by * bm, k * bk], left)
                    T.copy(B[k * bk, n * bn], right)
                    T.gemm(left, right, total)
                T.copy(total, C[by * bm, n * bn])

    return main


@tilelang.jit
def serial_in_pipeline(M=256, N=128, K=512, bm=64, bk=64, stages=2, threads=128):
    """A serial loop over slices of the copied tile."""

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, 0], right)
                for s in T.serial(bk // 16):
                    for i, j in T.Parallel(bm, N):
                        total[i, j] += left[i, s * 16].astype("float32") * right[s * 16, j].astype("float32")
            T.copy(total, C[by * bm, 0])

    return main


@tilelang.jit
def two_conditions(M=256, N=256, K=512, bm=64, bn=64, bk=32, stages=2, threads=128):
    """A tile is scaled in even steps and shifted in odd ones, from two tables."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float32"),
        S: T.Tensor((K,), "float32"),
        R: T.Tensor((M, K), "float32"),
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            tile = T.alloc_shared((bm, bk), "float32")
            table = T.alloc_shared((bk,), "float32")
            out = T.alloc_shared((bm, bk), "float32")
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], tile)
                T.copy(S[k * bk], table)
                if k % 2 == 0:
                    for i, j in T.Parallel(bm, bk):
                        out[i, j] = tile[bm - 1 - i, j] * table[j]
                else:
                    for i, j in T.Parallel(bm, bk):
                        out[i, j] = tile[i, bk - 1 - j] + table[j]
                T.copy(out, R[by * bm, k * bk])

    return main


@tilelang.jit
def skipped_block(M=256, N=128, K=256, bm=64, bk=32, stages=3, threads=128):
    """Nothing at all is done by blocks that a flag turns off."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        on: T.Tensor((M // bm,), "int32"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            out = T.alloc_shared((bm, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            if on[by] != 0:
                T.clear(total)
                for k in T.Pipelined(K // bk, num_stages=stages):
                    T.copy(A[by * bm, k * bk], left)
                    T.copy(B[k * bk, 0], right)
                    T.gemm(left, right, total)
                T.copy(total, out)
                T.copy(out, C[by * bm, 0])

    return main


@tilelang.jit
def either_product(M=256, N=128, K=256, bm=64, bk=32, stages=2, threads=128):
    """A flag chooses between two pipelined products with buffers of their own."""

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
            other_left = T.alloc_shared((bm, bk), "float16")
            other = T.alloc_shared((bk, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            other_total = T.alloc_fragment((bm, N), "float32")
            if by < 2:
                T.clear(total)
                for k in T.Pipelined(K // bk, num_stages=stages):
                    T.copy(A[by * bm, k * bk], left)
                    T.copy(B[k * bk, 0], right)
                    T.gemm(left, right, total)
                T.copy(total, C[by * bm, 0])
            else:
                T.clear(other_total)
                for k in T.Pipelined(K // bk, num_stages=stages):
                    T.copy(A[by * bm, k * bk], other_left)
                    T.copy(D[k * bk, 0], other)
                    T.gemm(other_left, other, other_total)
                T.copy(other_total, C[by * bm, 0])

    return main


@tilelang.jit
def ring_by_hand(M=256, N=128, K=512, bm=64, bk=32, threads=128):
    """Two slots are filled and used in turn by the kernel itself, without a pipelined loop."""

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            left_2 = T.alloc_shared((bm, bk), "float16")
            right_2 = T.alloc_shared((bk, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            T.clear(total)
            T.copy(A[by * bm, 0], left)
            T.copy(B[0, 0], right)
            for k in T.serial(K // bk // 2):
                T.copy(A[by * bm, (2 * k + 1) * bk], left_2)
                T.copy(B[(2 * k + 1) * bk, 0], right_2)
                T.gemm(left, right, total)
                T.copy(A[by * bm, (2 * k + 2) * bk], left)
                T.copy(B[(2 * k + 2) * bk, 0], right)
                T.gemm(left_2, right_2, total)
            T.copy(total, C[by * bm, 0])

    return main


@tilelang.jit
def cleared_in_loop(M=256, N=256, bm=32, bn=64, steps=4, threads=128):
    """A sum that is cleared and stored every few steps."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, bn), "float32")):
        with T.Kernel(M // bm, threads=threads) as by:
            tile = T.alloc_shared((bm, bn), "float32")
            kept = T.alloc_shared((bm, bn), "float32")
            out = T.alloc_shared((bm, bn), "float32")
            for _ in T.serial(steps):
                T.clear(kept)
                for k in T.serial(N // bn):
                    T.copy(A[by * bm, k * bn], tile)
                    for i, j in T.Parallel(bm, bn):
                        kept[i, j] += tile[i, bn - 1 - j]
                for i, j in T.Parallel(bm, bn):
                    out[i, j] = kept[bm - 1 - i, j] * 0.5
                T.copy(out, B[by * bm, 0])

    return main


@tilelang.jit
def filled_under_condition(M=256, N=128, bm=32, threads=128):
    """A tile is written by one branch and read after both."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), Z: T.Tensor((N,), "float16"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as by:
            tile = T.alloc_shared((bm, N), "float16")
            extra = T.alloc_shared((N,), "float16")
            out = T.alloc_shared((bm, N), "float16")
            T.clear(extra)
            T.copy(A[by * bm, 0], tile)
            if by % 2 == 1:
                T.copy(Z, extra)
            for i, j in T.Parallel(bm, N):
                out[i, j] = tile[bm - 1 - i, j] + extra[j]
            T.copy(out, B[by * bm, 0])

    return main


@tilelang.jit
def until_done(M=64, N=256, bm=4, threads=128):
    """A loop that ends when the largest change is small."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            here = T.alloc_shared((bm, N), "float32")
            there = T.alloc_shared((bm, N), "float32")
            change = T.alloc_fragment((bm, N), "float32")
            most = T.alloc_fragment((bm,), "float32")
            flags = T.alloc_shared((bm,), "float32")
            step = T.alloc_var("int32")
            step = 0
            T.copy(A[bx * bm, 0], here)
            T.fill(flags, 1.0)
            while (flags[0] > 0.01) and (step < 50):
                for i, j in T.Parallel(bm, N):
                    there[i, j] = 0.5 * (here[i, (j + 1) % N] + here[i, (j + N - 1) % N])
                for i, j in T.Parallel(bm, N):
                    change[i, j] = there[i, j] - here[i, j]
                T.reduce_absmax(change, most, dim=1)
                T.copy(most, flags)
                T.copy(there, here)
                step += 1
            T.copy(here, B[bx * bm, 0])

    return main


@tilelang.jit
def prologue_and_epilogue(M=256, N=128, K=512, bm=64, bk=64, stages=2, threads=128):
    """Tables are made before the loop in the buffers that the end stores from."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        S: T.Tensor((M, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            both = T.alloc_shared((bm, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            T.copy(S[by * bm, 0], both)
            T.copy(both, total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, 0], right)
                T.gemm(left, right, total)
            T.copy(total, both)
            T.copy(both, C[by * bm, 0])

    return main


@tilelang.jit
def three_deep(M=128, N=128, K=256, heads=2, bm=64, bn=64, bk=32, stages=2, threads=128):
    """Three loops, the innermost pipelined, with a tile copied on every level."""

    @T.prim_func
    def main(
        A: T.Tensor((heads, M, K), "float16"),
        B: T.Tensor((heads, K, N), "float16"),
        H: T.Tensor((heads, N), "float32"),
        S: T.Tensor((heads, M, N), "float16"),
        C: T.Tensor((heads, M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            gate = T.alloc_shared((N,), "float32")
            skip = T.alloc_shared((bm, bn), "float16")
            out = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            for h in T.serial(heads):
                T.copy(H[h, 0], gate)
                for n in T.serial(N // bn):
                    T.copy(S[h, by * bm, n * bn], skip)
                    T.clear(total)
                    for k in T.Pipelined(K // bk, num_stages=stages):
                        T.copy(A[h, by * bm, k * bk], left)
                        T.copy(B[h, k * bk, n * bn], right)
                        T.gemm(left, right, total)
                    for i, j in T.Parallel(bm, bn):
                        out[i, j] = total[i, j] * gate[n * bn + j] + skip[i, j]
                    T.copy(out, C[h, by * bm, n * bn])

    return main
