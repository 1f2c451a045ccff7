"""Kernels of several launches, of branches on the thread index, of bounds that are read from memory."""

import tilelang
import tilelang.language as T


@tilelang.jit
def normalised_product(M=512, N=256, K=512, bm=64, bn=64, bk=64, stages=2, threads=128):
    """Row norms by one launch, a product of the scaled rows by the other."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        S: T.Tensor((M,), "float32"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            rows = T.alloc_shared((bm, bk), "float16")
            squares = T.alloc_fragment((bm, bk), "float32")
            part = T.alloc_fragment((bm,), "float32")
            norm = T.alloc_fragment((bm,), "float32")
            T.clear(norm)
            for k in T.serial(K // bk):
                T.copy(A[bx * bm, k * bk], rows)
                for i, j in T.Parallel(bm, bk):
                    squares[i, j] = rows[i, j].astype("float32") * rows[i, j].astype("float32")
                T.reduce_sum(squares, part, dim=1)
                for i in T.Parallel(bm):
                    norm[i] += part[i]
            for i in T.Parallel(bm):
                S[bx * bm + i] = T.rsqrt(norm[i] / K + 1e-6)
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            scales = T.alloc_shared((bm,), "float32")
            out = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            T.copy(S[by * bm : (by + 1) * bm], scales)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            for i, j in T.Parallel(bm, bn):
                total[i, j] *= scales[i]
            T.copy(total, out)
            T.copy(out, C[by * bm, bx * bn])

    return main


@tilelang.jit
def split_and_sum(M=256, N=256, K=1024, parts=4, bm=64, bn=64, bk=32, stages=3, threads=128):
    """Split-k by one launch, the sum over the parts by the other."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K), "float16"),
        W: T.Tensor((parts, M, N), "float32"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, parts, threads=threads) as (bx, by, bz):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            result = T.alloc_shared((bm, bn), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // parts // bk, num_stages=stages):
                T.copy(A[by * bm, (bz * (K // parts // bk) + k) * bk], left)
                T.copy(B[bx * bn, (bz * (K // parts // bk) + k) * bk], right)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, result)
            T.copy(result, W[bz, by * bm, bx * bn])
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            part = T.alloc_shared((bm, bn), "float32")
            narrow = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for p in T.Pipelined(parts, num_stages=2):
                T.copy(W[p, by * bm, bx * bn], part)
                for i, j in T.Parallel(bm, bn):
                    total[i, j] += part[i, j]
            T.copy(total, narrow)
            T.copy(narrow, C[by * bm, bx * bn])

    return main


@tilelang.jit
def three_launches(M=256, N=256, bm=32, bn=128, threads=256):
    """A cast, row maxima across warps, a scaled copy: one function."""

    @T.prim_func
    def main(
        A: T.Tensor((M, N), "float32"),
        H: T.Tensor((M, N), "float16"),
        X: T.Tensor((M,), "float32"),
        O: T.Tensor((N, M), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            wide = T.alloc_shared((bm, bn), "float32")
            narrow = T.alloc_shared((bm, bn), "float16")
            T.copy(A[by * bm, bx * bn], wide)
            for i, j in T.Parallel(bm, bn):
                narrow[i, j] = wide[bm - 1 - i, j].astype("float16")
            T.copy(narrow, H[by * bm, bx * bn])
        with T.Kernel(M // bm, threads=threads) as by:
            tile = T.alloc_shared((bm, N), "float32")
            values = T.alloc_fragment((bm, N), "float32")
            most = T.alloc_fragment((bm,), "float32")
            T.copy(A[by * bm, 0], tile)
            T.copy(tile, values)
            T.reduce_absmax(values, most, dim=1)
            T.copy(most, X[by * bm : (by + 1) * bm])
        with T.Kernel(N // bn, M // bm, threads=128) as (bx, by):
            source = T.alloc_shared((bm, bn), "float16")
            target = T.alloc_shared((bn, bm), "float16")
            T.copy(H[by * bm, bx * bn], source)
            for i, j in T.Parallel(bn, bm):
                target[i, j] = source[j, i] / X[by * bm + j].astype("float16")
            T.copy(target, O[bx * bn, by * bm])

    return main


@tilelang.jit
def forward_and_back(M=256, N=256, K=256, bm=64, bn=64, bk=32, stages=2, later=3, threads=128):
    """Two pipelined products, the second of the first's result."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "bfloat16"),
        B: T.Tensor((K, N), "bfloat16"),
        H: T.Tensor((M, N), "bfloat16"),
        G: T.Tensor((M, K), "float32"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "bfloat16")
            right = T.alloc_shared((bk, bn), "bfloat16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, H[by * bm, bx * bn])
        with T.Kernel(K // bn, M // bm, threads=threads) as (bx, by):
            grads = T.alloc_shared((bm, bk), "bfloat16")
            weight = T.alloc_shared((bn, bk), "bfloat16")
            total2 = T.alloc_fragment((bm, bn), "float32")
            T.clear(total2)
            for k in T.Pipelined(N // bk, num_stages=later):
                T.copy(H[by * bm, k * bk], grads)
                T.copy(B[bx * bn, k * bk], weight)
                T.gemm(grads, weight, total2, transpose_B=True)
            T.copy(total2, G[by * bm, bx * bn])

    return main


@tilelang.jit
def branch_sums(M=128, N=256, rows=8, half=128, threads=256):
    """A reduction by some of the threads, another by the rest."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), S: T.Tensor((M,), "float32"), X: T.Tensor((M,), "float32")):
        with T.Kernel(M // rows, threads=threads) as bx:
            tile = T.alloc_shared((rows, N), "float32")
            tx = T.get_thread_binding()
            T.copy(A[bx * rows, 0], tile)
            if tx < half:
                sums = T.alloc_fragment((rows, N), "float32")
                total = T.alloc_fragment((rows,), "float32")
                T.copy(tile, sums)
                T.reduce_sum(sums, total, dim=1)
                T.copy(total, S[bx * rows : (bx + 1) * rows])
            else:
                tops = T.alloc_fragment((rows, N), "float32")
                most = T.alloc_fragment((rows,), "float32")
                T.copy(tile, tops)
                T.reduce_max(tops, most, dim=1)
                T.copy(most, X[bx * rows : (bx + 1) * rows])

    return main


@tilelang.jit
def leader_writes(N=4096, block=512, threads=128):
    """One thread leaves a scalar in shared memory that all read."""

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), n: T.Tensor((N // block,), "int32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // block, threads=threads) as bx:
            tile = T.alloc_shared((block,), "float32")
            count = T.alloc_shared((1,), "int32")
            turned = T.alloc_shared((block,), "float32")
            tx = T.get_thread_binding()
            if tx == 0:
                count[0] = n[bx]
            T.copy(A[bx * block], tile)
            T.sync_threads()
            for i in T.Parallel(block):
                turned[i] = T.if_then_else(i < count[0], tile[block - 1 - i], 0.0)
            T.copy(turned, B[bx * block])

    return main


@tilelang.jit
def bound_from_memory(M=256, N=64, K=1024, bm=64, bk=64, stages=2, threads=128):
    """The bound of the pipelined loop is read from global memory."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        steps: T.Tensor((M // bm,), "int32"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            out = T.alloc_shared((bm, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            T.clear(total)
            for k in T.Pipelined(steps[by], num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, 0], right)
                T.gemm(left, right, total)
            T.copy(total, out)
            T.copy(out, C[by * bm, 0])

    return main


@tilelang.jit
def bounds_in_shared(M=256, N=64, K=1024, bm=64, bk=32, groups=8, stages=2, threads=128):
    """Begin and end of a serial loop lie in shared memory, each a table."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        starts: T.Tensor((groups + 1,), "int32"),
        C: T.Tensor((groups, M, N), "float32"),
    ):
        with T.Kernel(M // bm, groups, threads=threads) as (by, g):
            table = T.alloc_shared((groups + 1,), "int32")
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            for i in T.Parallel(groups + 1):
                table[i] = starts[i]
            T.clear(total)
            for k in T.serial(table[g + 1] - table[g]):
                T.copy(A[by * bm, (table[g] + k) * bk], left)
                T.copy(B[(table[g] + k) * bk, 0], right)
                T.gemm(left, right, total)
            T.copy(total, C[g, by * bm, 0])

    return main


@tilelang.jit
def bound_in_variable(M=256, N=64, K=1024, bm=64, bk=32, stages=3, threads=128):
    """The bound is kept in a local variable, from two reads."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        ends: T.Tensor((M // bm + 1,), "int32"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            first = T.alloc_var("int32")
            count = T.alloc_var("int32")
            first = ends[by]
            count = T.ceildiv(ends[by + 1] - first, bk)
            T.clear(total)
            for k in T.Pipelined(count, num_stages=stages):
                T.copy(A[by * bm, first + k * bk], left)
                T.copy(B[first + k * bk, 0], right)
                T.gemm(left, right, total)
            T.copy(total, C[by * bm, 0])

    return main


@tilelang.jit
def halves_copy(M=256, N=128, bm=32, threads=256):
    """Each half of the threads copies a tile of its own."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as bx:
            first = T.alloc_shared((bm, N), "float16")
            second = T.alloc_shared((bm, N), "float16")
            tx = T.get_thread_binding()
            if tx < threads // 2:
                for i, j in T.Parallel(bm, N):
                    first[i, j] = A[bx * bm + i, j]
            else:
                for i, j in T.Parallel(bm, N):
                    second[i, j] = B[bx * bm + i, j]
            T.sync_threads()
            for i, j in T.Parallel(bm, N):
                C[bx * bm + i, j] = first[bm - 1 - i, j] + second[i, N - 1 - j]

    return main
