"""Attention and its relatives in TileLang, written for the tests."""

import tilelang
import tilelang.language as T


@tilelang.jit
def forward(heads=8, length=1024, dim=64, bm=64, bn=64, stages=2, threads=128):
    shape = (heads, length, dim)

    @T.prim_func
    def kernel(
        Q: T.Tensor(shape, "float16"),
        K: T.Tensor(shape, "float16"),
        V: T.Tensor(shape, "float16"),
        O: T.Tensor(shape, "float16"),
    ):
        with T.Kernel(T.ceildiv(length, bm), heads, threads=threads) as (bx, head):
            query = T.alloc_shared((bm, dim), "float16")
            key = T.alloc_shared((bn, dim), "float16")
            value = T.alloc_shared((bn, dim), "float16")
            out = T.alloc_shared((bm, dim), "float16")
            scores = T.alloc_fragment((bm, bn), "float32")
            weights = T.alloc_fragment((bm, bn), "float16")
            total = T.alloc_fragment((bm, dim), "float32")
            highest = T.alloc_fragment((bm,), "float32")
            before = T.alloc_fragment((bm,), "float32")
            factor = T.alloc_fragment((bm,), "float32")
            row = T.alloc_fragment((bm,), "float32")
            norm = T.alloc_fragment((bm,), "float32")
            T.copy(Q[head, bx * bm : (bx + 1) * bm, :], query)
            T.fill(total, 0)
            T.fill(norm, 0)
            T.fill(highest, -T.infinity("float32"))
            for k in T.Pipelined(length // bn, num_stages=stages):
                T.copy(K[head, k * bn : (k + 1) * bn, :], key)
                T.clear(scores)
                T.gemm(query, key, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(highest, before)
                T.reduce_max(scores, highest, dim=1, clear=False)
                for i in T.Parallel(bm):
                    factor[i] = T.exp2(before[i] - highest[i])
                for i, j in T.Parallel(bm, bn):
                    scores[i, j] = T.exp2(scores[i, j] - highest[i])
                T.reduce_sum(scores, row, dim=1)
                for i in T.Parallel(bm):
                    norm[i] = norm[i] * factor[i] + row[i]
                T.copy(scores, weights)
                for i, j in T.Parallel(bm, dim):
                    total[i, j] *= factor[i]
                T.copy(V[head, k * bn : (k + 1) * bn, :], value)
                T.gemm(weights, value, total, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(bm, dim):
                total[i, j] /= norm[i]
            T.copy(total, out)
            T.copy(out, O[head, bx * bm : (bx + 1) * bm, :])

    return kernel


@tilelang.jit
def causal(heads=4, length=512, dim=128, bm=128, bn=64, stages=2, threads=256):
    shape = (heads, length, dim)

    @T.prim_func
    def kernel(
        Q: T.Tensor(shape, "bfloat16"),
        K: T.Tensor(shape, "bfloat16"),
        V: T.Tensor(shape, "bfloat16"),
        O: T.Tensor(shape, "bfloat16"),
    ):
        with T.Kernel(T.ceildiv(length, bm), heads, threads=threads) as (bx, head):
            query = T.alloc_shared((bm, dim), "bfloat16")
            key = T.alloc_shared((bn, dim), "bfloat16")
            value = T.alloc_shared((bn, dim), "bfloat16")
            weights = T.alloc_shared((bm, bn), "bfloat16")
            scores = T.alloc_fragment((bm, bn), "float32")
            total = T.alloc_fragment((bm, dim), "float32")
            row = T.alloc_fragment((bm,), "float32")
            T.copy(Q[head, bx * bm : (bx + 1) * bm, :], query)
            T.clear(total)
            for k in T.Pipelined(T.ceildiv((bx + 1) * bm, bn), num_stages=stages):
                T.copy(K[head, k * bn : (k + 1) * bn, :], key)
                T.clear(scores)
                T.gemm(query, key, scores, transpose_B=True)
                for i, j in T.Parallel(bm, bn):
                    scores[i, j] = T.if_then_else(bx * bm + i >= k * bn + j, T.exp2(scores[i, j]), 0)
                T.reduce_sum(scores, row, dim=1)
                for i, j in T.Parallel(bm, bn):
                    scores[i, j] /= row[i]
                T.copy(scores, weights)
                T.copy(V[head, k * bn : (k + 1) * bn, :], value)
                T.gemm(weights, value, total)
            T.copy(total, O[head, bx * bm : (bx + 1) * bm, :])

    return kernel


@tilelang.jit
def latent(heads=64, length=1024, dim=256, rope=64, bn=64, stages=2, threads=256):
    """One latent tensor is both key and value; a small tensor is added to the scores."""

    @T.prim_func
    def kernel(
        Q: T.Tensor((heads, dim), "float16"),
        R: T.Tensor((heads, rope), "float16"),
        C: T.Tensor((length, dim), "float16"),
        P: T.Tensor((length, rope), "float16"),
        O: T.Tensor((heads, dim), "float16"),
    ):
        with T.Kernel(1, threads=threads) as _:
            query = T.alloc_shared((heads, dim), "float16")
            query_rope = T.alloc_shared((heads, rope), "float16")
            latents = T.alloc_shared((bn, dim), "float16")
            key_rope = T.alloc_shared((bn, rope), "float16")
            weights = T.alloc_shared((heads, bn), "float16")
            scores = T.alloc_fragment((heads, bn), "float32")
            total = T.alloc_fragment((heads, dim), "float32")
            highest = T.alloc_fragment((heads,), "float32")
            T.copy(Q, query)
            T.copy(R, query_rope)
            T.clear(total)
            T.fill(highest, -T.infinity("float32"))
            for k in T.Pipelined(length // bn, num_stages=stages):
                T.copy(C[k * bn : (k + 1) * bn, :], latents)
                T.copy(P[k * bn : (k + 1) * bn, :], key_rope)
                T.clear(scores)
                T.gemm(query, latents, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
                T.gemm(query_rope, key_rope, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
                T.reduce_max(scores, highest, dim=1, clear=False)
                for i, j in T.Parallel(heads, bn):
                    scores[i, j] = T.exp2(scores[i, j] - highest[i])
                T.copy(scores, weights)
                T.gemm(weights, latents, total, policy=T.GemmWarpPolicy.FullCol)
            T.copy(total, O)

    return kernel


@tilelang.jit
def linear(heads=4, length=512, dim=64, chunk=64, stages=2, threads=128):
    shape = (heads, length, dim)

    @T.prim_func
    def kernel(
        Q: T.Tensor(shape, "float16"),
        K: T.Tensor(shape, "float16"),
        V: T.Tensor(shape, "float16"),
        O: T.Tensor(shape, "float16"),
    ):
        with T.Kernel(heads, threads=threads) as head:
            query = T.alloc_shared((chunk, dim), "float16")
            key = T.alloc_shared((chunk, dim), "float16")
            value = T.alloc_shared((chunk, dim), "float16")
            state_shared = T.alloc_shared((dim, dim), "float16")
            scores_shared = T.alloc_shared((chunk, chunk), "float16")
            state = T.alloc_fragment((dim, dim), "float32")
            scores = T.alloc_fragment((chunk, chunk), "float32")
            total = T.alloc_fragment((chunk, dim), "float32")
            T.clear(state)
            for c in T.Pipelined(length // chunk, num_stages=stages):
                T.copy(Q[head, c * chunk : (c + 1) * chunk, :], query)
                T.copy(K[head, c * chunk : (c + 1) * chunk, :], key)
                T.copy(V[head, c * chunk : (c + 1) * chunk, :], value)
                T.copy(state, state_shared)
                T.clear(scores)
                T.clear(total)
                T.gemm(query, key, scores, transpose_B=True)
                for i, j in T.Parallel(chunk, chunk):
                    scores[i, j] = T.if_then_else(i >= j, scores[i, j], 0)
                T.copy(scores, scores_shared)
                T.gemm(scores_shared, value, total)
                T.gemm(query, state_shared, total)
                T.gemm(key, value, state, transpose_A=True)
                T.copy(total, O[head, c * chunk : (c + 1) * chunk, :])

    return kernel


@tilelang.jit
def paged(heads=64, blocks=32, page=64, dim=128, stages=2, threads=128):
    """Keys are gathered, row by row, through a table of indexes."""

    @T.prim_func
    def kernel(
        Q: T.Tensor((heads, dim), "float16"),
        K: T.Tensor((blocks * page, dim), "float16"),
        rows: T.Tensor((blocks, page), "int32"),
        O: T.Tensor((heads, dim), "float16"),
    ):
        with T.Kernel(1, threads=threads) as _:
            query = T.alloc_shared((heads, dim), "float16")
            key = T.alloc_shared((page, dim), "float16")
            weights = T.alloc_shared((heads, page), "float16")
            scores = T.alloc_fragment((heads, page), "float32")
            total = T.alloc_fragment((heads, dim), "float32")
            T.copy(Q, query)
            T.clear(total)
            for b in T.Pipelined(blocks, num_stages=stages):
                for i, j in T.Parallel(page, dim):
                    key[i, j] = K[rows[b, i], j]
                T.clear(scores)
                T.gemm(query, key, scores, transpose_B=True)
                T.copy(scores, weights)
                T.gemm(weights, key, total)
            T.copy(total, O)

    return kernel
