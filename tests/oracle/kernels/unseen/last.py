"""Warp specialisation by hand, four-bit floats, several outputs, more small shapes."""

import tilelang
import tilelang.language as T


@tilelang.jit
def two_groups(M=256, N=128, bm=32, threads=256):
    """One warp group fills a tile, the other reads what it leaves behind a barrier."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as bx:
            first = T.alloc_shared((bm, N), "float16")
            second = T.alloc_shared((bm, N), "float16")
            ready = T.alloc_barrier(threads // 2)
            tx = T.get_thread_binding()
            if tx >= threads // 2:
                for i, j in T.Parallel(bm, N):
                    first[i, j] = A[bx * bm + i, j]
                T.barrier_arrive(ready)
            else:
                for i, j in T.Parallel(bm, N):
                    second[i, j] = B[bx * bm + i, j]
                T.barrier_wait(ready, 0)
                for i, j in T.Parallel(bm, N):
                    C[bx * bm + i, j] = first[bm - 1 - i, j] * second[i, j]

    return main


@tilelang.jit
def produced_and_used(M=256, N=128, K=256, bm=64, bk=64, threads=256):
    """A producer warp group copies by TMA for a consumer, with two barriers."""

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            full = T.alloc_barrier(arrive_count=128)
            empty = T.alloc_barrier(arrive_count=128)
            with T.ws(1):
                for k in T.serial(K // bk):
                    T.barrier_wait(empty, (k + 1) % 2)
                    T.tma_copy(A[by * bm, k * bk], left, barrier=full)
                    T.tma_copy(B[k * bk, 0], right, barrier=full)
                    T.barrier_arrive(full)
            with T.ws(0):
                T.clear(total)
                for k in T.serial(K // bk):
                    T.barrier_wait(full, k % 2)
                    T.gemm(left, right, total)
                    T.barrier_arrive(empty)
                T.copy(total, C[by * bm, 0])

    return main


@tilelang.jit
def fours_product(M=256, N=256, K=256, bm=64, bn=64, bk=128, stages=2, threads=128):
    """Four-bit floats, widened to fp16 on the way from shared memory."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((N, K // 2), "uint8"),
        E: T.Tensor((N, K // 32), "uint8"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            packed = T.alloc_shared((bn, bk // 2), "uint8")
            exponents = T.alloc_shared((bn, K // 32), "uint8")
            right = T.alloc_shared((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            T.copy(E[bx * bn : (bx + 1) * bn, :], exponents)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * (bk // 2)], packed)
                for i, j in T.Parallel(bn, bk):
                    right[i, j] = T.Cast("float16", (packed[i, j // 2] >> ((j % 2) * 4)) & 7) * T.Cast(
                        "float16", exponents[i, (k * bk + j) // 32]
                    )
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def fours_cast(M=256, N=256, bm=16, threads=128):
    """Rows to packed four-bit floats: a scale by row, two values a byte."""

    @T.prim_func
    def main(X: T.Tensor((M, N), "float16"), Y: T.Tensor((M, N // 2), "uint8"), S: T.Tensor((M,), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float16")
            packed = T.alloc_shared((bm, N // 2), "uint8")
            scales = T.alloc_shared((bm,), "float32")
            values = T.alloc_fragment((bm, N), "float32")
            most = T.alloc_fragment((bm,), "float32")
            T.copy(X[bx * bm, 0], tile)
            T.copy(tile, values)
            T.reduce_absmax(values, most, dim=1)
            for i in T.Parallel(bm):
                scales[i] = most[i] / 6.0
            for i, j in T.Parallel(bm, N // 2):
                packed[i, j] = T.Cast("uint8", tile[i, j * 2] / scales[i]) | (
                    T.Cast("uint8", tile[i, j * 2 + 1] / scales[i]) << 4
                )
            T.copy(packed, Y[bx * bm, 0])
            T.copy(scales, S[bx * bm])

    return main


@tilelang.jit
def three_outputs(M=256, N=256, K=256, bm=64, bn=64, bk=32, stages=2, threads=128):
    """One product, stored as it is, squashed and transposed."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        C: T.Tensor((M, N), "float32"),
        D: T.Tensor((M, N), "float16"),
        E: T.Tensor((N, M), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            plain = T.alloc_shared((bm, bn), "float32")
            squashed = T.alloc_shared((bm, bn), "float16")
            turned = T.alloc_shared((bn, bm), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, plain)
            T.copy(plain, C[by * bm, bx * bn])
            for i, j in T.Parallel(bm, bn):
                squashed[i, j] = T.sigmoid(plain[i, j])
            T.copy(squashed, D[by * bm, bx * bn])
            for i, j in T.Parallel(bn, bm):
                turned[i, j] = squashed[j, i]
            T.copy(turned, E[bx * bn, by * bm])

    return main


@tilelang.jit
def staircase(M=256, N=256, bm=32, threads=128):
    """Tiles of five sizes, each read once more long after it was written."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            a = T.alloc_shared((bm, N), "float32")
            b = T.alloc_shared((bm, N // 2), "float32")
            c = T.alloc_shared((bm, N // 4), "float32")
            d = T.alloc_shared((bm, N // 8), "float32")
            e = T.alloc_shared((bm, N // 16), "float32")
            T.copy(A[bx * bm, 0], a)
            for i, j in T.Parallel(bm, N // 2):
                b[i, j] = a[i, 2 * j] + a[i, 2 * j + 1]
            for i, j in T.Parallel(bm, N // 4):
                c[i, j] = b[i, 2 * j] + b[i, 2 * j + 1]
            for i, j in T.Parallel(bm, N // 8):
                d[i, j] = c[i, 2 * j] + c[i, 2 * j + 1]
            for i, j in T.Parallel(bm, N // 16):
                e[i, j] = d[i, 2 * j] + d[i, 2 * j + 1]
            for i, j in T.Parallel(bm, N // 8):
                d[i, j] += e[i, j // 2]
            for i, j in T.Parallel(bm, N // 4):
                c[i, j] += d[i, j // 2]
            for i, j in T.Parallel(bm, N):
                B[bx * bm + i, j] = c[i, j // 4]

    return main


@tilelang.jit
def odd_shapes(M=250, N=100, bm=25, threads=96):
    """Sizes that are no powers of two, in a block of three warps."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((N, M), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float32")
            turned = T.alloc_shared((N, bm), "float32")
            words = T.alloc_shared((7,), "int32")
            for i in T.Parallel(7):
                words[i] = i * i
            T.copy(A[bx * bm : (bx + 1) * bm, :], tile)
            for i, j in T.Parallel(N, bm):
                turned[i, j] = tile[j, i] + words[j % 7].astype("float32")
            for i, j in T.Parallel(N, bm):
                B[i, bx * bm + j] = turned[i, j]

    return main


@tilelang.jit
def cumulated_gates(B=2, S=512, H=8, chunk=64, threads=128):
    """Running sums of gates within chunks, from the end, then differences of neighbours."""

    @T.prim_func
    def main(
        G: T.Tensor((B, S, H), "float32"),
        O: T.Tensor((B, S, H), "float32"),
        D: T.Tensor((B, S, H), "float32"),
    ):
        with T.Kernel(S // chunk, B, threads=threads) as (c, b):
            tile = T.alloc_shared((chunk, H), "float32")
            sums = T.alloc_shared((chunk, H), "float32")
            values = T.alloc_fragment((chunk, H), "float32")
            T.copy(G[b, c * chunk, 0], tile)
            T.cumsum(tile, sums, dim=0, reverse=True)
            T.copy(sums, O[b, c * chunk, 0])
            T.copy(tile, values)
            T.cumsum(values, dim=1)
            for i, j in T.Parallel(chunk, H):
                D[b, c * chunk + i, j] = values[i, j] - sums[i, j]

    return main


@tilelang.jit
def two_reduced_tiles(M=256, N=512, bm=8, threads=128):
    """Reductions of different widths around a tile's death."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float16"), O: T.Tensor((M,), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            wide = T.alloc_shared((bm, N), "float32")
            narrow = T.alloc_shared((bm, N), "float16")
            a = T.alloc_fragment((bm, N), "float32")
            b = T.alloc_fragment((bm, N), "float16")
            x = T.alloc_fragment((bm,), "float32")
            y = T.alloc_fragment((bm,), "float16")
            T.copy(A[bx * bm, 0], wide)
            T.copy(wide, a)
            T.reduce_sum(a, x, dim=1)
            T.copy(B[bx * bm, 0], narrow)
            T.copy(narrow, b)
            T.reduce_max(b, y, dim=1)
            for i in T.Parallel(bm):
                O[bx * bm + i] = x[i] * y[i].astype("float32")

    return main


@tilelang.jit
def whole_block_sum(N=65536, block=4096, threads=256):
    """One number per block, and one atomic add."""

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), S: T.Tensor((1,), "float32")):
        with T.Kernel(N // block, threads=threads) as bx:
            tile = T.alloc_shared((block,), "float32")
            values = T.alloc_fragment((block,), "float32")
            total = T.alloc_fragment((1,), "float32")
            T.copy(A[bx * block], tile)
            T.copy(tile, values)
            T.reduce_sum(values, total, dim=0)
            tx = T.get_thread_binding()
            if tx == 0:
                T.atomic_add(S[0], total[0])

    return main


@tilelang.jit
def batch_in_pipeline(B=8, M=64, N=64, K=64, stages=2, threads=128):
    """The pipelined loop runs over a batch; every product has an end of its own."""

    @T.prim_func
    def main(
        A: T.Tensor((B, M, K), "float16"),
        W: T.Tensor((B, K, N), "float16"),
        Z: T.Tensor((B, N), "float32"),
        C: T.Tensor((B, M, N), "float16"),
    ):
        with T.Kernel(1, threads=threads) as _:
            left = T.alloc_shared((M, K), "float16")
            right = T.alloc_shared((K, N), "float16")
            bias = T.alloc_shared((N,), "float32")
            out = T.alloc_shared((M, N), "float16")
            total = T.alloc_fragment((M, N), "float32")
            for b in T.Pipelined(B, num_stages=stages):
                T.copy(A[b, 0, 0], left)
                T.copy(W[b, 0, 0], right)
                T.copy(Z[b, 0], bias)
                T.clear(total)
                T.gemm(left, right, total)
                for i, j in T.Parallel(M, N):
                    total[i, j] += bias[j]
                T.copy(total, out)
                T.copy(out, C[b, 0, 0])

    return main


@tilelang.jit
def tail_of_rows(M=250, N=200, K=300, bm=64, bn=64, bk=64, stages=2, threads=128):
    """No size is a multiple of the tile's."""

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            out = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(T.ceildiv(K, bk), num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, out)
            T.copy(out, C[by * bm, bx * bn])

    return main


@tilelang.jit
def paged_rows(pages=64, page=32, D=128, count=8, stages=2, threads=128):
    """Pages named by a table in shared memory are summed, weighted by a second table."""

    @T.prim_func
    def main(
        X: T.Tensor((pages, page, D), "float16"),
        I: T.Tensor((16, count), "int32"),
        W: T.Tensor((16, count), "float32"),
        Y: T.Tensor((16, page, D), "float32"),
    ):
        with T.Kernel(16, threads=threads) as bx:
            table = T.alloc_shared((count,), "int32")
            weights = T.alloc_shared((count,), "float32")
            rows = T.alloc_shared((page, D), "float16")
            total = T.alloc_fragment((page, D), "float32")
            T.copy(I[bx, 0], table)
            T.copy(W[bx, 0], weights)
            T.clear(total)
            for k in T.Pipelined(count, num_stages=stages):
                T.copy(X[table[k], 0, 0], rows)
                for i, j in T.Parallel(page, D):
                    total[i, j] += rows[i, j] * weights[k]
            T.copy(total, Y[bx, 0, 0])

    return main


@tilelang.jit
def merged_sums(M=256, N=256, bm=32, bn=64, stages=2, threads=128):
    """Columns are summed over a pipelined loop, then rows of the same stream in a second one."""

    @T.prim_func
    def main(
        A: T.Tensor((M, N), "float32"), C: T.Tensor((M,), "float32"), R: T.Tensor((M // bm, bn), "float32")
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, bn), "float32")
            again = T.alloc_shared((bm, bn), "float32")
            values = T.alloc_fragment((bm, bn), "float32")
            other = T.alloc_fragment((bm, bn), "float32")
            columns = T.alloc_fragment((bn,), "float32")
            rows = T.alloc_fragment((bm,), "float32")
            T.clear(columns)
            T.clear(rows)
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(A[bx * bm, k * bn], tile)
                T.copy(tile, values)
                T.reduce_sum(values, columns, dim=0, clear=False)
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(A[bx * bm, k * bn], again)
                T.copy(again, other)
                T.reduce_sum(other, rows, dim=1, clear=False)
            T.copy(columns, R[bx, 0])
            T.copy(rows, C[bx * bm])

    return main
