"""Whole layers: normalisation, losses, mixtures of experts, recurrences."""

import tilelang
import tilelang.language as T


@tilelang.jit
def cross_entropy(M=256, V=4096, bm=4, bv=512, stages=2, threads=128):
    """Loss of rows of logits, in one pass with running maxima."""

    @T.prim_func
    def main(X: T.Tensor((M, V), "bfloat16"), y: T.Tensor((M,), "int32"), L: T.Tensor((M,), "float32")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, bv), "bfloat16")
            labels = T.alloc_shared((bm,), "int32")
            picked = T.alloc_shared((bm,), "float32")
            values = T.alloc_fragment((bm, bv), "float32")
            most = T.alloc_fragment((bm,), "float32")
            before = T.alloc_fragment((bm,), "float32")
            total = T.alloc_fragment((bm,), "float32")
            part = T.alloc_fragment((bm,), "float32")
            T.copy(y[bx * bm : (bx + 1) * bm], labels)
            for i in T.Parallel(bm):
                picked[i] = X[bx * bm + i, labels[i]].astype("float32")
            T.fill(most, -T.infinity("float32"))
            T.clear(total)
            for k in T.Pipelined(V // bv, num_stages=stages):
                T.copy(X[bx * bm, k * bv], tile)
                T.copy(tile, values)
                T.copy(most, before)
                T.reduce_max(values, most, dim=1, clear=False)
                for i, j in T.Parallel(bm, bv):
                    values[i, j] = T.exp(values[i, j] - most[i])
                T.reduce_sum(values, part, dim=1)
                for i in T.Parallel(bm):
                    total[i] = total[i] * T.exp(before[i] - most[i]) + part[i]
            for i in T.Parallel(bm):
                L[bx * bm + i] = T.log(total[i]) + most[i] - picked[i]

    return main


@tilelang.jit
def norm_backward(M=256, N=512, bm=8, threads=128):
    """The gradient of an rms norm: of the input by rows, of the weight by atomic adds."""

    @T.prim_func
    def main(
        X: T.Tensor((M, N), "float16"),
        G: T.Tensor((M, N), "float16"),
        W: T.Tensor((N,), "float32"),
        dX: T.Tensor((M, N), "float16"),
        dW: T.Tensor((N,), "float32"),
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            xs = T.alloc_shared((bm, N), "float16")
            gs = T.alloc_shared((bm, N), "float16")
            ws = T.alloc_shared((N,), "float32")
            x = T.alloc_fragment((bm, N), "float32")
            g = T.alloc_fragment((bm, N), "float32")
            work = T.alloc_fragment((bm, N), "float32")
            square = T.alloc_fragment((bm,), "float32")
            dot = T.alloc_fragment((bm,), "float32")
            dw = T.alloc_fragment((N,), "float32")
            T.copy(X[bx * bm, 0], xs)
            T.copy(G[bx * bm, 0], gs)
            T.copy(W, ws)
            T.copy(xs, x)
            T.copy(gs, g)
            for i, j in T.Parallel(bm, N):
                work[i, j] = x[i, j] * x[i, j]
            T.reduce_sum(work, square, dim=1)
            for i, j in T.Parallel(bm, N):
                work[i, j] = g[i, j] * x[i, j] * T.rsqrt(square[i] / N)
            T.reduce_sum(work, dw, dim=0)
            for i, j in T.Parallel(bm, N):
                work[i, j] = g[i, j] * x[i, j] * ws[j]
            T.reduce_sum(work, dot, dim=1)
            for i, j in T.Parallel(bm, N):
                work[i, j] = (g[i, j] * ws[j] - x[i, j] * dot[i] / square[i]) * T.rsqrt(square[i] / N)
            T.copy(work, dX[bx * bm, 0])
            for j in T.Parallel(N):
                T.atomic_add(dW[j], dw[j])

    return main


@tilelang.jit
def routed_top(M=256, E=64, top=4, bm=32, threads=128):
    """Router scores: softmax over experts, the best few by repeated maxima, their sum."""

    @T.prim_func
    def main(
        X: T.Tensor((M, E), "float32"), P: T.Tensor((M, top), "float32"), I: T.Tensor((M, top), "int32")
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            logits = T.alloc_shared((bm, E), "float32")
            chosen = T.alloc_shared((bm, top), "float32")
            values = T.alloc_fragment((bm, E), "float32")
            places = T.alloc_fragment((bm, E), "int32")
            most = T.alloc_fragment((bm,), "float32")
            place = T.alloc_fragment((bm,), "int32")
            T.copy(X[bx * bm, 0], logits)
            T.copy(logits, values)
            for t in T.serial(top):
                T.reduce_max(values, most, dim=1)
                for i, j in T.Parallel(bm, E):
                    places[i, j] = T.if_then_else(values[i, j] == most[i], j, 0)
                T.reduce_max(places, place, dim=1)
                for i in T.Parallel(bm):
                    chosen[i, t] = most[i]
                    I[bx * bm + i, t] = place[i]
                for i, j in T.Parallel(bm, E):
                    values[i, j] = T.if_then_else(place[i] == j, -1e30, values[i, j])
            for i, j in T.Parallel(bm, top):
                P[bx * bm + i, j] = T.exp(chosen[i, j] - chosen[i, 0])

    return main


@tilelang.jit
def two_layers(M=256, K=128, H=256, N=128, bm=64, bh=64, stages=2, threads=128):
    """A feed-forward block: the hidden tile goes through shared memory every step."""

    @T.prim_func
    def main(
        X: T.Tensor((M, K), "bfloat16"),
        U: T.Tensor((H, K), "bfloat16"),
        D: T.Tensor((N, H), "bfloat16"),
        Y: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(M // bm, threads=threads) as bx:
            x = T.alloc_shared((bm, K), "bfloat16")
            up = T.alloc_shared((bh, K), "bfloat16")
            down = T.alloc_shared((N, bh), "bfloat16")
            hidden = T.alloc_shared((bm, bh), "bfloat16")
            inner = T.alloc_fragment((bm, bh), "float32")
            total = T.alloc_fragment((bm, N), "float32")
            T.copy(X[bx * bm, 0], x)
            T.clear(total)
            for h in T.Pipelined(H // bh, num_stages=stages):
                T.copy(U[h * bh, 0], up)
                T.copy(D[0, h * bh], down)
                T.clear(inner)
                T.gemm(x, up, inner, transpose_B=True)
                for i, j in T.Parallel(bm, bh):
                    inner[i, j] = T.max(inner[i, j], 0.0)
                T.copy(inner, hidden)
                T.gemm(hidden, down, total, transpose_B=True)
            T.copy(total, Y[bx * bm, 0])

    return main


@tilelang.jit
def gated_recurrence(B=16, S=32, D=64, threads=128):
    """A recurrence with two weight tiles that stay: a product every step, the state in shared memory."""

    @T.prim_func
    def main(
        X: T.Tensor((S, B, D), "float16"),
        U: T.Tensor((D, D), "float16"),
        V: T.Tensor((D, D), "float16"),
        Y: T.Tensor((S, B, D), "float16"),
    ):
        with T.Kernel(1, threads=threads) as _:
            u = T.alloc_shared((D, D), "float16")
            v = T.alloc_shared((D, D), "float16")
            x = T.alloc_shared((B, D), "float16")
            state = T.alloc_shared((B, D), "float16")
            gates = T.alloc_fragment((B, D), "float32")
            news = T.alloc_fragment((B, D), "float32")
            T.copy(U, u)
            T.copy(V, v)
            T.clear(state)
            for s in T.serial(S):
                T.copy(X[s, 0, 0], x)
                T.clear(gates)
                T.clear(news)
                T.gemm(x, u, gates, policy=T.GemmWarpPolicy.FullCol)
                T.gemm(state, v, news, policy=T.GemmWarpPolicy.FullCol)
                for i, j in T.Parallel(B, D):
                    news[i, j] = T.tanh(gates[i, j] + news[i, j])
                T.copy(news, state)
                T.copy(state, Y[s, 0, 0])

    return main


@tilelang.jit
def group_norm(B=4, C=64, S=256, groups=8, threads=128):
    """Mean and variance over channels and positions: two dimensions, one after the other."""

    @T.prim_func
    def main(X: T.Tensor((B, C, S), "float32"), Y: T.Tensor((B, C, S), "float32")):
        with T.Kernel(groups, B, threads=threads) as (g, b):
            tile = T.alloc_shared((C // groups, S), "float32")
            values = T.alloc_fragment((C // groups, S), "float32")
            rows = T.alloc_fragment((C // groups,), "float32")
            mean = T.alloc_fragment((1,), "float32")
            T.copy(X[b, g * (C // groups) : (g + 1) * (C // groups), :], tile)
            T.copy(tile, values)
            T.reduce_sum(values, rows, dim=1)
            T.reduce_sum(rows, mean, dim=0)
            for i, j in T.Parallel(C // groups, S):
                values[i, j] = tile[i, j] - mean[0] / (C // groups * S)
            T.copy(values, Y[b, g * (C // groups) : (g + 1) * (C // groups), :])

    return main


@tilelang.jit
def distances(M=256, N=256, D=128, bm=64, bn=64, bd=32, stages=2, threads=128):
    """Squared distances: a product, and norms of both operands taken from the same tiles."""

    @T.prim_func
    def main(A: T.Tensor((M, D), "float16"), B: T.Tensor((N, D), "float16"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bd), "float16")
            right = T.alloc_shared((bn, bd), "float16")
            l2 = T.alloc_shared((bm,), "float32")
            r2 = T.alloc_shared((bn,), "float32")
            a = T.alloc_fragment((bm, bd), "float32")
            b = T.alloc_fragment((bn, bd), "float32")
            ln = T.alloc_fragment((bm,), "float32")
            rn = T.alloc_fragment((bn,), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            T.clear(ln)
            T.clear(rn)
            for k in T.Pipelined(D // bd, num_stages=stages):
                T.copy(A[by * bm, k * bd], left)
                T.copy(B[bx * bn, k * bd], right)
                for i, j in T.Parallel(bm, bd):
                    a[i, j] = left[i, j] * left[i, j]
                for i, j in T.Parallel(bn, bd):
                    b[i, j] = right[i, j] * right[i, j]
                T.reduce_sum(a, ln, dim=1, clear=False)
                T.reduce_sum(b, rn, dim=1, clear=False)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(ln, l2)
            T.copy(rn, r2)
            for i, j in T.Parallel(bm, bn):
                C[by * bm + i, bx * bn + j] = l2[i] + r2[j] - 2.0 * total[i, j]

    return main


@tilelang.jit
def triangle_product(M=256, K=256, bm=64, bk=64, stages=2, threads=128):
    """A product with its own transpose; blocks above the diagonal do nothing."""

    @T.prim_func
    def main(A: T.Tensor((M, K), "float16"), C: T.Tensor((M, M), "float16")):
        with T.Kernel(M // bm, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bm, bk), "float16")
            turned = T.alloc_shared((bm, bm), "float16")
            total = T.alloc_fragment((bm, bm), "float32")
            if by >= bx:
                T.clear(total)
                for k in T.Pipelined(K // bk, num_stages=stages):
                    T.copy(A[by * bm, k * bk], left)
                    T.copy(A[bx * bm, k * bk], right)
                    T.gemm(left, right, total, transpose_B=True)
                T.copy(total, C[by * bm, bx * bm])
                for i, j in T.Parallel(bm, bm):
                    turned[j, i] = total[i, j]
                T.copy(turned, C[bx * bm, by * bm])

    return main


@tilelang.jit
def expert_rows(T_=256, E=4, K=128, N=128, bm=64, bk=32, stages=2, threads=128):
    """Gathered tokens times an expert's weight, scattered with their weights by atomic adds."""

    @T.prim_func
    def main(
        X: T.Tensor((T_, K), "float16"),
        W: T.Tensor((E, K, N), "float16"),
        rows: T.Tensor((E, bm), "int32"),
        share: T.Tensor((E, bm), "float32"),
        Y: T.Tensor((T_, N), "float32"),
    ):
        with T.Kernel(E, threads=threads) as e:
            index = T.alloc_shared((bm,), "int32")
            weights = T.alloc_shared((bm,), "float32")
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bk, N), "float16")
            total = T.alloc_fragment((bm, N), "float32")
            T.copy(rows[e, 0], index)
            T.copy(share[e, 0], weights)
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                for i, j in T.Parallel(bm, bk):
                    left[i, j] = X[index[i], k * bk + j]
                T.copy(W[e, k * bk, 0], right)
                T.gemm(left, right, total)
            for i, j in T.Parallel(bm, N):
                T.atomic_add(Y[index[i], j], total[i, j] * weights[i])

    return main


@tilelang.jit
def low_rank(M=256, N=256, K=256, R=16, bm=64, bn=64, bk=64, stages=2, threads=128):
    """A product with a low-rank addition, whose inner tile goes through shared memory."""

    @T.prim_func
    def main(
        X: T.Tensor((M, K), "float16"),
        W: T.Tensor((K, N), "float16"),
        A: T.Tensor((K, R), "float16"),
        B: T.Tensor((R, N), "float16"),
        Y: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            x = T.alloc_shared((bm, bk), "float16")
            w = T.alloc_shared((bk, bn), "float16")
            a = T.alloc_shared((bk, R), "float16")
            b = T.alloc_shared((R, bn), "float16")
            inner = T.alloc_shared((bm, R), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            small = T.alloc_fragment((bm, R), "float32")
            T.clear(total)
            T.clear(small)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(X[by * bm, k * bk], x)
                T.copy(W[k * bk, bx * bn], w)
                T.copy(A[k * bk, 0], a)
                T.gemm(x, w, total, policy=T.GemmWarpPolicy.FullRow)
                T.gemm(x, a, small, policy=T.GemmWarpPolicy.FullRow)
            T.copy(small, inner)
            T.copy(B[0, bx * bn], b)
            T.gemm(inner, b, total, policy=T.GemmWarpPolicy.FullRow)
            T.copy(total, Y[by * bm, bx * bn])

    return main
