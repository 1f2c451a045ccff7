"""Kernels in TileLang that read shared memory for an index: planning does not see that."""

import tilelang
import tilelang.language as T


@tilelang.jit
def looked_up(M=512, N=512, bm=32, bn=128, stages=2, threads=128):
    """A tile that only says where to read in a static table: one version, for no statement reads it."""

    @T.prim_func
    def kernel(
        X: T.Tensor((M, N), "uint8"), values: T.Tensor((256,), "float16"), Y: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            table = T.alloc_shared((256,), "float16", scope="shared")
            codes = T.alloc_shared((bm, bn), "uint8")
            tile = T.alloc_shared((bm, bn), "float16")
            T.copy(values, table)
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(X[by * bm, k * bn], codes)
                for i, j in T.Parallel(bm, bn):
                    tile[i, j] = table[codes[i, j]]
                T.copy(tile, Y[by * bm, k * bn])

    return kernel


@tilelang.jit
def scattered(M=512, N=512, bm=32, bn=128, stages=3, threads=128):
    """A tile that only says where in shared memory to write."""

    @T.prim_func
    def kernel(
        X: T.Tensor((M, N), "float16"), P: T.Tensor((M, N // bn, bn), "int32"), Y: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            places = T.alloc_shared((bn,), "int32")
            tile = T.alloc_shared((bm, bn), "float16")
            sorted_tile = T.alloc_shared((bm, bn), "float16")
            values = T.alloc_fragment((bm, bn), "float16")
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(P[by, k, 0], places)
                T.copy(X[by * bm, k * bn], tile)
                T.copy(tile, values)
                for i, j in T.Parallel(bm, bn):
                    sorted_tile[i, places[j]] = values[i, j]
                T.copy(sorted_tile, Y[by * bm, k * bn])

    return kernel


@tilelang.jit
def read_twice(M=512, N=512, bm=32, bn=128, stages=3, threads=128):
    """A tile that is read for its values, and then for an index: it has one version more than stages."""

    @T.prim_func
    def kernel(
        X: T.Tensor((M, N), "int32"), values: T.Tensor((256,), "float32"), Y: T.Tensor((M, N), "float32")
    ):
        with T.Kernel(M // bm, threads=threads) as by:
            table = T.alloc_shared((256,), "float32")
            codes = T.alloc_shared((bm, bn), "int32")
            turned = T.alloc_shared((bm, bn), "float32")
            tile = T.alloc_shared((bm, bn), "float32")
            T.copy(values, table)
            for k in T.Pipelined(N // bn, num_stages=stages):
                T.copy(X[by * bm, k * bn], codes)
                for i, j in T.Parallel(bm, bn):
                    turned[i, j] = codes[i, bn - 1 - j] * 2.0
                for i, j in T.Parallel(bm, bn):
                    tile[i, j] = table[codes[i, j]] + turned[i, bn - 1 - j]
                T.copy(tile, Y[by * bm, k * bn])

    return kernel
