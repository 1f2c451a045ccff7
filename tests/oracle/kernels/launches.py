"""Functions that launch two kernels, and loops whose bounds are in shared memory: each found a rule."""

import tilelang
import tilelang.language as T


@tilelang.jit
def two_launches(first="split", first_stages=2, stages=2, tma=False, filled=False, nested=False):
    """A product, then a sum of its tiles: how the first launch compiles changes the second."""

    @T.prim_func
    def main(
        A: T.Tensor((1024, 64), "float16"),
        W: T.Tensor((64, 64), "float16"),
        P: T.Tensor((1024, 64), "float16"),
        C: T.Tensor((64, 64), "float16"),
    ):
        if first == "split":
            with T.Kernel(16, threads=128) as b:
                a = T.alloc_shared((64, 64), "float16")
                w = T.alloc_shared((64, 64), "float16")
                acc = T.alloc_fragment((64, 64), "float32")
                T.clear(acc)
                for k in T.Pipelined(4, num_stages=first_stages):
                    T.copy(A[k * 64, 0], a)
                    T.copy(W, w)
                    T.gemm(a, w, acc)
                T.copy(acc, P[b * 64, 0])
        if first == "candidate":
            with T.Kernel(16, threads=128) as b:
                a = T.alloc_shared((64, 64), "float16")
                w = T.alloc_shared((64, 64), "float16")
                c = T.alloc_shared((64, 64), "float16")
                acc = T.alloc_fragment((64, 64), "float32")
                T.clear(acc)
                for k in T.Pipelined(4, num_stages=first_stages):
                    T.copy(A[k * 64, 0], a, disable_tma=True)
                    T.copy(W, w, disable_tma=True)
                    T.gemm(a, w, acc)
                for k in T.Pipelined(4, num_stages=first_stages):
                    T.copy(A[k * 64, 0], c)
                    T.gemm(c, c, acc)
                T.copy(acc, P[b * 64, 0])
        with T.Kernel(1, threads=128):
            p = T.alloc_shared((64, 64), "float16")
            q = T.alloc_shared((64,), "float16")
            total = T.alloc_fragment((64, 64), "float32")
            T.clear(total)
            if nested:
                for o in T.serial(3):
                    for k in T.Pipelined(16, num_stages=stages):
                        T.copy(P[k * 64, 0], p, disable_tma=not tma)
                        for i, j in T.Parallel(64, 64):
                            total[i, j] += p[i, j] * o
            else:
                for k in T.Pipelined(16, num_stages=stages):
                    T.copy(P[k * 64, 0], p, disable_tma=not tma)
                    if filled:
                        for i in T.Parallel(64):
                            q[i] = P[k * 64 + i, 0] * p[i, 0]
                    for i, j in T.Parallel(64, 64):
                        total[i, j] += p[i, j] * (q[i] if filled else T.float16(1))
            T.copy(total, C)

    return main


@tilelang.jit
def bounded(n=4, stages=2, plain=False, begin=False, twice=False, scalar=False, few=False):
    """A loop whose bounds are read from shared memory: every part of it reads them."""

    @T.prim_func
    def main(
        L: T.Tensor((n,), "int32"),
        A: T.Tensor((4096, 64), "float16"),
        B: T.Tensor((64, 64), "float16"),
        C: T.Tensor((64, 64), "float16"),
    ):
        with T.Kernel(n, threads=128) as b:
            lens = T.alloc_shared((n,), "int32")
            a = T.alloc_shared((64, 64), "float16")
            w = T.alloc_shared((64, 64), "float16")
            c = T.alloc_shared((64, 64), "float16")
            o = T.alloc_shared((64, 64), "float16")
            acc = T.alloc_fragment((64, 64), "float32")
            T.copy(L, lens, disable_tma=True)
            T.copy(B, w)
            T.clear(acc)
            if plain:
                for k in T.serial(T.ceildiv(lens[b], 64)):
                    T.copy(A[k * 64, 0], a)
                    T.gemm(a, w, acc)
            elif begin:
                for k in T.Pipelined(lens[b], lens[b] + 16, num_stages=stages):
                    T.copy(A[k * 64, 0], a)
                    T.gemm(a, w, acc)
            elif scalar:
                length = T.ceildiv(lens[b], 64)
                for k in T.Pipelined(length, num_stages=stages):
                    T.copy(A[k * 64, 0], a)
                    T.gemm(a, w, acc)
            else:
                for k in T.Pipelined(T.ceildiv(lens[b], 64), num_stages=stages):
                    T.copy(A[k * 64, 0], a)
                    T.gemm(a, w, acc)
            if twice:
                for k in T.Pipelined(4, num_stages=stages):
                    T.copy(A[k * 64, 0], c)
                    T.gemm(c, w, acc)
            T.copy(acc, o)
            T.copy(o, C)

    return main
