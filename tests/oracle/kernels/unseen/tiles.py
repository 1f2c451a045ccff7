"""Many small tiles, views and reshapes, buffers that are declared in loops and used again after them."""

import tilelang
import tilelang.language as T


@tilelang.jit
def many_small(M=256, N=64, bm=16, threads=128):
    """Nine tiles of different sizes, which die one after another."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            a = T.alloc_shared((bm, N), "float32")
            b = T.alloc_shared((bm, N // 2), "float32")
            c = T.alloc_shared((N,), "float32")
            d = T.alloc_shared((bm,), "float32")
            e = T.alloc_shared((bm, N), "float16")
            f = T.alloc_shared((N, bm), "float16")
            g = T.alloc_shared((bm, N // 4), "float32")
            h = T.alloc_shared((N // 2,), "int32")
            o = T.alloc_shared((bm, N), "float32")
            T.copy(A[bx * bm, 0], a)
            for i, j in T.Parallel(bm, N // 2):
                b[i, j] = a[i, j] + a[i, N - 1 - j]
            for j in T.Parallel(N):
                c[j] = a[0, j] * 2.0
            for i in T.Parallel(bm):
                d[i] = b[i, 0] + c[i]
            for i, j in T.Parallel(bm, N):
                e[i, j] = a[bm - 1 - i, j].astype("float16")
            for i, j in T.Parallel(N, bm):
                f[i, j] = e[j, i] + d[j].astype("float16")
            for i, j in T.Parallel(bm, N // 4):
                g[i, j] = b[i, j * 2] + f[j, i].astype("float32")
            for j in T.Parallel(N // 2):
                h[j] = c[j].astype("int32")
            for i, j in T.Parallel(bm, N):
                o[i, j] = g[i, j // 4] + f[j, i].astype("float32") + h[j // 2].astype("float32")
            T.copy(o, B[bx * bm, 0])

    return main


@tilelang.jit
def chain_of_vectors(N=8192, block=256, threads=64):
    """Vectors of one size, each made of the one before and one from much earlier."""

    @T.prim_func
    def main(A: T.Tensor((N,), "float32"), B: T.Tensor((N,), "float32")):
        with T.Kernel(N // block, threads=threads) as bx:
            a = T.alloc_shared((block,), "float32")
            b = T.alloc_shared((block,), "float32")
            c = T.alloc_shared((block,), "float32")
            d = T.alloc_shared((block // 2,), "float32")
            e = T.alloc_shared((block,), "float32")
            f = T.alloc_shared((block // 2,), "float32")
            T.copy(A[bx * block], a)
            for i in T.Parallel(block):
                b[i] = a[block - 1 - i]
            for i in T.Parallel(block):
                c[i] = b[(i * 7) % block] + a[i]
            for i in T.Parallel(block // 2):
                d[i] = c[i * 2] + c[i * 2 + 1]
            for i in T.Parallel(block):
                e[i] = d[i // 2] * b[i]
            for i in T.Parallel(block // 2):
                f[i] = e[block - 1 - i] + d[block // 2 - 1 - i]
            for i in T.Parallel(block):
                B[bx * block + i] = f[i // 2] + c[i]

    return main


@tilelang.jit
def viewed_rows(M=256, N=512, bm=8, parts=8, threads=128):
    """A tile is read as if it had three dimensions."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, parts), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float32")
            cut = T.reshape(tile, [bm, parts, N // parts])
            values = T.alloc_fragment((bm, parts, N // parts), "float32")
            total = T.alloc_fragment((bm, parts), "float32")
            T.copy(A[bx * bm, 0], tile)
            T.copy(cut, values)
            T.reduce_sum(values, total, dim=2)
            T.copy(total, B[bx * bm, 0])

    return main


@tilelang.jit
def viewed_as_bytes(M=256, N=256, bm=16, threads=128):
    """Halves are looked at as integers."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "int16"), C: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float16")
            words = T.view(tile, [bm, N], dtype="int16")
            other = T.alloc_shared((bm, N), "float16")
            T.copy(A[bx * bm, 0], tile)
            for i, j in T.Parallel(bm, N):
                B[bx * bm + i, j] = words[bm - 1 - i, j] & T.int16(255)
            for i, j in T.Parallel(bm, N):
                other[i, j] = tile[i, N - 1 - j]
            T.copy(other, C[bx * bm, 0])

    return main


@tilelang.jit
def declared_in_loop(M=256, N=512, bm=32, bn=64, steps=4, threads=128):
    """Tiles that are declared in a serial loop, beside one from outside."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as bx:
            kept = T.alloc_shared((bm, bn), "float32")
            T.clear(kept)
            for k in T.serial(N // bn):
                tile = T.alloc_shared((bm, bn), "float16")
                turned = T.alloc_shared((bm, bn), "float16")
                T.copy(A[bx * bm, k * bn], tile)
                for i, j in T.Parallel(bm, bn):
                    turned[i, j] = tile[bm - 1 - i, bn - 1 - j]
                for i, j in T.Parallel(bm, bn):
                    kept[i, j] += turned[i, j].astype("float32")
                T.copy(turned, B[bx * bm, k * bn])

    return main


@tilelang.jit
def used_again(M=256, K=256, N=64, bm=64, bk=64, threads=128):
    """The operands of a product's loop serve as plain tiles after it."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float16"),
        B: T.Tensor((K, N), "float16"),
        D: T.Tensor((M, N), "float16"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            T.clear(total)
            for k in T.serial(K // bk):
                T.copy(A[bx * bm, k * bk], left)
                T.copy(B[k * bk, 0], right)
                T.gemm(left, right, total)
            T.copy(D[bx * bm : (bx + 1) * bm, 0:bk], left)
            for i, j in T.Parallel(bm, bk):
                right[j, i] = left[bm - 1 - i, j]
            for i, j in T.Parallel(bm, N):
                total[i, j] += right[i, j]
            T.copy(total, C[bx * bm, 0])

    return main


@tilelang.jit
def unrolled_tiles(M=256, N=512, bm=16, bn=64, count=4, threads=128):
    """Unrolled steps, each with a copy, a shuffle and a store."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float16"), B: T.Tensor((M, N), "float16")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, bn), "float16")
            turned = T.alloc_shared((bm, bn), "float16")
            for k in T.unroll(count):
                T.copy(A[bx * bm, k * bn], tile)
                for i, j in T.Parallel(bm, bn):
                    turned[i, j] = tile[i, bn - 1 - j]
                T.copy(turned, B[bx * bm, k * bn])

    return main


@tilelang.jit
def table_of_tables(M=512, N=128, bm=32, entries=64, threads=128):
    """Indexes of indexes, all in shared memory."""

    @T.prim_func
    def main(
        A: T.Tensor((M, N), "float16"),
        I: T.Tensor((M,), "int32"),
        J: T.Tensor((entries,), "int32"),
        B: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            first = T.alloc_shared((bm,), "int32")
            second = T.alloc_shared((entries,), "int32")
            rows = T.alloc_shared((bm, N), "float16")
            out = T.alloc_shared((bm, N), "float16")
            T.copy(I[bx * bm], first)
            T.copy(J, second)
            for i, j in T.Parallel(bm, N):
                rows[i, j] = A[second[first[i] % entries], j]
            for i, j in T.Parallel(bm, N):
                out[i, j] = rows[bm - 1 - i, j]
            T.copy(out, B[bx * bm, 0])

    return main


@tilelang.jit
def histogram(N=65536, block=1024, bins=256, threads=256):
    """Counts in shared memory, added to global ones at the end."""

    @T.prim_func
    def main(A: T.Tensor((N,), "int32"), H: T.Tensor((bins,), "int32")):
        with T.Kernel(N // block, threads=threads) as bx:
            counts = T.alloc_shared((bins,), "int32")
            values = T.alloc_shared((block,), "int32")
            T.clear(counts)
            T.copy(A[bx * block], values)
            for i in T.Parallel(block):
                T.atomic_add(counts[values[i] % bins], 1)
            for i in T.Parallel(bins):
                T.atomic_add(H[i], counts[i])

    return main


@tilelang.jit
def transposed_twice(M=512, N=512, tile=32, threads=128):
    """Two transposed copies through padded tiles."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float32"), B: T.Tensor((N, M), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(N // tile, M // tile, threads=threads) as (bx, by):
            padded = T.alloc_shared((tile, tile + 1), "float32")
            again = T.alloc_shared((tile, tile + 4), "float32")
            for i, j in T.Parallel(tile, tile):
                padded[i, j] = A[by * tile + i, bx * tile + j]
            for i, j in T.Parallel(tile, tile):
                again[i, j] = padded[j, i] * 2.0
            for i, j in T.Parallel(tile, tile):
                B[bx * tile + i, by * tile + j] = again[i, j]
            for i, j in T.Parallel(tile, tile):
                C[by * tile + i, bx * tile + j] = again[j, i]

    return main
