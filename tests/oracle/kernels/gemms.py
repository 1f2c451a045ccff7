"""Matrix products in TileLang, written for the tests."""

import tilelang
import tilelang.language as T


@tilelang.jit
def plain(M=1024, N=1024, K=1024, bm=128, bn=128, bk=64, stages=3, threads=128):
    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(T.ceildiv(K, bk), num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def staged(M=1024, N=1024, K=1024, bm=128, bn=256, bk=32, stages=2, threads=256, dtype="float16"):
    @T.prim_func
    def kernel(A: T.Tensor((M, K), dtype), B: T.Tensor((N, K), dtype), C: T.Tensor((M, N), dtype)):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), dtype)
            right = T.alloc_shared((bn, bk), dtype)
            result = T.alloc_shared((bm, bn), dtype)
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(T.ceildiv(K, bk), num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], right)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, result)
            T.copy(result, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def transposed_left(M=512, N=512, K=512, bm=64, bn=64, bk=32, stages=2, threads=128):
    @T.prim_func
    def kernel(
        A: T.Tensor((K, M), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bk, bm), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(T.ceildiv(K, bk), num_stages=stages):
                T.copy(A[k * bk, by * bm], left)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm(left, right, total, transpose_A=True, policy=T.GemmWarpPolicy.FullCol)
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def split_k(M=512, N=512, K=2048, parts=4, bm=128, bn=128, bk=32, stages=2, threads=128):
    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float32")
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), parts, threads=threads) as (bx, by, bz):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            result = T.alloc_shared((bm, bn), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // parts // bk, num_stages=stages):
                T.copy(A[by * bm, bz * (K // parts) + k * bk], left)
                T.copy(B[bz * (K // parts) + k * bk, bx * bn], right)
                T.gemm(left, right, total)
            T.copy(total, result)
            T.atomic_add(C[by * bm, bx * bn], result)

    return kernel


@tilelang.jit
def gated(M=512, N=1024, K=1024, bm=64, bn=64, bk=64, stages=2, threads=128):
    @T.prim_func
    def kernel(
        X: T.Tensor((M, K), "bfloat16"),
        G: T.Tensor((N, K), "bfloat16"),
        U: T.Tensor((N, K), "bfloat16"),
        Y: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            tokens = T.alloc_shared((bm, bk), "bfloat16")
            gate = T.alloc_shared((bn, bk), "bfloat16")
            up = T.alloc_shared((bn, bk), "bfloat16")
            out = T.alloc_shared((bm, bn), "bfloat16")
            gates = T.alloc_fragment((bm, bn), "float32")
            ups = T.alloc_fragment((bm, bn), "float32")
            T.clear(gates)
            T.clear(ups)
            for k in T.Pipelined(T.ceildiv(K, bk), num_stages=stages):
                T.copy(X[by * bm, k * bk], tokens)
                T.copy(G[bx * bn, k * bk], gate)
                T.copy(U[bx * bn, k * bk], up)
                T.gemm(tokens, gate, gates, transpose_B=True)
                T.gemm(tokens, up, ups, transpose_B=True)
            for i, j in T.Parallel(bm, bn):
                ups[i, j] = ups[i, j] * gates[i, j] / (1.0 + T.exp(-gates[i, j]))
            T.copy(ups, out)
            T.copy(out, Y[by * bm, bx * bn])

    return kernel


@tilelang.jit
def persistent(M=1024, N=1024, K=512, bm=128, bn=128, bk=64, stages=2, threads=128, blocks=16):
    tiles = (M // bm) * (N // bn)

    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"), B: T.Tensor((K, N), "float16"), C: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(blocks, threads=threads) as block:
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, bn), "float16")
            result = T.alloc_shared((bm, bn), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            for wave in T.serial(tiles // blocks):
                tile = wave * blocks + block
                T.clear(total)
                for k in T.Pipelined(K // bk, num_stages=stages):
                    T.copy(A[tile // (N // bn) * bm, k * bk], left)
                    T.copy(B[k * bk, tile % (N // bn) * bn], right)
                    T.gemm(left, right, total)
                T.copy(total, result)
                T.copy(result, C[tile // (N // bn) * bm, tile % (N // bn) * bn])

    return kernel


@tilelang.jit
def dequantised(M=256, N=512, K=1024, bm=64, bn=64, bk=64, stages=2, threads=128):
    @T.prim_func
    def kernel(
        A: T.Tensor((M, K), "float16"), B: T.Tensor((N, K // 2), "uint8"), C: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(T.ceildiv(N, bn), T.ceildiv(M, bm), threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            packed = T.alloc_shared((bn, bk // 2), "uint8")
            right = T.alloc_shared((bn, bk), "float16")
            packed_local = T.alloc_fragment((bn, bk // 2), "uint8")
            right_local = T.alloc_fragment((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * (bk // 2)], packed)
                T.copy(packed, packed_local)
                for i, j in T.Parallel(bn, bk):
                    right_local[i, j] = T.Cast("float16", (packed_local[i, j // 2] >> ((j % 2) * 4)) & 15)
                T.copy(right_local, right)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return kernel


@tilelang.jit
def two_products(M=512, K=256, H=256, N=256, bm=64, bk=64, stages=2, threads=128):
    @T.prim_func
    def kernel(
        X: T.Tensor((M, K), "float16"),
        V: T.Tensor((K, H), "float16"),
        W: T.Tensor((H, N), "float16"),
        Y: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(T.ceildiv(M, bm), threads=threads) as by:
            left = T.alloc_shared((bm, bk), "float16")
            first = T.alloc_shared((bk, H), "float16")
            hidden = T.alloc_shared((bm, H), "float16")
            second = T.alloc_shared((bk, N), "float16")
            inner = T.alloc_fragment((bm, H), "float32")
            outer = T.alloc_fragment((bm, N), "float32")
            T.clear(inner)
            T.clear(outer)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(X[by * bm, k * bk], left)
                T.copy(V[k * bk, 0], first)
                T.gemm(left, first, inner)
            T.copy(inner, hidden)
            for k in T.serial(H // bk):
                T.copy(W[k * bk, 0], second)
                T.gemm(hidden[0:bm, k * bk : (k + 1) * bk], second, outer)
            T.copy(outer, Y[by * bm, 0])

    return kernel
