"""Attention forward and backward, linear attention, scans over chunks."""

import tilelang
import tilelang.language as T


@tilelang.jit
def windowed(B=1, H=2, S=512, D=64, bm=64, bn=64, window=128, stages=2, threads=128):
    """Sliding-window attention: the loop's start depends on the block."""

    @T.prim_func
    def main(
        Q: T.Tensor((B, S, H, D), "float16"),
        K: T.Tensor((B, S, H, D), "float16"),
        V: T.Tensor((B, S, H, D), "float16"),
        O: T.Tensor((B, S, H, D), "float16"),
    ):
        with T.Kernel(S // bm, H, B, threads=threads) as (bx, by, bz):
            q = T.alloc_shared((bm, D), "float16")
            k = T.alloc_shared((bn, D), "float16")
            v = T.alloc_shared((bn, D), "float16")
            o = T.alloc_shared((bm, D), "float16")
            scores = T.alloc_fragment((bm, bn), "float32")
            weights = T.alloc_fragment((bm, bn), "float16")
            total = T.alloc_fragment((bm, D), "float32")
            most = T.alloc_fragment((bm,), "float32")
            before = T.alloc_fragment((bm,), "float32")
            scale = T.alloc_fragment((bm,), "float32")
            part = T.alloc_fragment((bm,), "float32")
            norm = T.alloc_fragment((bm,), "float32")
            T.copy(Q[bz, bx * bm : (bx + 1) * bm, by, :], q)
            T.clear(total)
            T.clear(norm)
            T.fill(most, -T.infinity("float32"))
            first = T.max(0, bx * bm - window) // bn
            for n in T.Pipelined(bx * bm // bn + 1 - first, num_stages=stages):
                T.copy(K[bz, (first + n) * bn : (first + n + 1) * bn, by, :], k)
                for i, j in T.Parallel(bm, bn):
                    scores[i, j] = T.if_then_else(
                        bx * bm + i >= (first + n) * bn + j, 0.0, -T.infinity("float32")
                    )
                T.gemm(q, k, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(most, before)
                T.reduce_max(scores, most, dim=1, clear=False)
                for i in T.Parallel(bm):
                    scale[i] = T.exp2(before[i] - most[i])
                for i, j in T.Parallel(bm, bn):
                    scores[i, j] = T.exp2(scores[i, j] - most[i])
                T.reduce_sum(scores, part, dim=1)
                for i in T.Parallel(bm):
                    norm[i] = norm[i] * scale[i] + part[i]
                T.copy(scores, weights)
                for i, j in T.Parallel(bm, D):
                    total[i, j] *= scale[i]
                T.copy(V[bz, (first + n) * bn : (first + n + 1) * bn, by, :], v)
                T.gemm(weights, v, total, policy=T.GemmWarpPolicy.FullRow)
            for i, j in T.Parallel(bm, D):
                total[i, j] /= norm[i]
            T.copy(total, o)
            T.copy(o, O[bz, bx * bm : (bx + 1) * bm, by, :])

    return main


@tilelang.jit
def backward_preprocess(B=1, H=4, S=512, D=64, bm=32, threads=128):
    """Row sums of output times its gradient."""

    @T.prim_func
    def main(
        O: T.Tensor((B, H, S, D), "float16"),
        G: T.Tensor((B, H, S, D), "float16"),
        R: T.Tensor((B, H, S), "float32"),
    ):
        with T.Kernel(H, S // bm, B, threads=threads) as (bx, by, bz):
            o = T.alloc_fragment((bm, 32), "float16")
            g = T.alloc_fragment((bm, 32), "float16")
            total = T.alloc_fragment((bm, 32), "float32")
            rows = T.alloc_fragment((bm,), "float32")
            T.clear(total)
            for k in T.serial(D // 32):
                T.copy(O[bz, bx, by * bm, k * 32], o)
                T.copy(G[bz, bx, by * bm, k * 32], g)
                for i, j in T.Parallel(bm, 32):
                    total[i, j] += o[i, j] * g[i, j]
            T.reduce_sum(total, rows, dim=1)
            T.copy(rows, R[bz, bx, by * bm : (by + 1) * bm])

    return main


@tilelang.jit
def backward(B=1, H=2, S=256, D=64, bm=64, bn=32, stages=2, threads=128):
    """Gradients of keys and values by block, of queries by atomic adds."""

    @T.prim_func
    def main(
        Q: T.Tensor((B, S, H, D), "float16"),
        K: T.Tensor((B, S, H, D), "float16"),
        V: T.Tensor((B, S, H, D), "float16"),
        G: T.Tensor((B, S, H, D), "float16"),
        L: T.Tensor((B, H, S), "float32"),
        R: T.Tensor((B, H, S), "float32"),
        dQ: T.Tensor((B, S, H, D), "float32"),
        dK: T.Tensor((B, S, H, D), "float16"),
        dV: T.Tensor((B, S, H, D), "float16"),
    ):
        with T.Kernel(H, S // bm, B, threads=threads) as (bx, by, bz):
            k = T.alloc_shared((bm, D), "float16")
            v = T.alloc_shared((bm, D), "float16")
            q = T.alloc_shared((bn, D), "float16")
            g = T.alloc_shared((bn, D), "float16")
            norm = T.alloc_shared((bn,), "float32")
            delta = T.alloc_shared((bn,), "float32")
            d = T.alloc_shared((bm, bn), "float16")
            dk_out = T.alloc_shared((bm, D), "float16")
            dv_out = T.alloc_shared((bm, D), "float16")
            weights = T.alloc_fragment((bm, bn), "float32")
            grads = T.alloc_fragment((bm, bn), "float32")
            narrow = T.alloc_fragment((bm, bn), "float16")
            narrow2 = T.alloc_fragment((bm, bn), "float16")
            dk = T.alloc_fragment((bm, D), "float32")
            dv = T.alloc_fragment((bm, D), "float32")
            dq = T.alloc_fragment((bn, D), "float32")
            T.copy(K[bz, by * bm : (by + 1) * bm, bx, :], k)
            T.copy(V[bz, by * bm : (by + 1) * bm, bx, :], v)
            T.clear(dk)
            T.clear(dv)
            for n in T.Pipelined(S // bn, num_stages=stages):
                T.copy(Q[bz, n * bn : (n + 1) * bn, bx, :], q)
                T.clear(weights)
                T.gemm(k, q, weights, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(L[bz, bx, n * bn : (n + 1) * bn], norm)
                for i, j in T.Parallel(bm, bn):
                    weights[i, j] = T.exp2(weights[i, j] - norm[j])
                T.copy(G[bz, n * bn : (n + 1) * bn, bx, :], g)
                T.clear(grads)
                T.gemm(v, g, grads, transpose_B=True, policy=T.GemmWarpPolicy.FullRow)
                T.copy(weights, narrow)
                T.gemm(narrow, g, dv, policy=T.GemmWarpPolicy.FullRow)
                T.copy(R[bz, bx, n * bn : (n + 1) * bn], delta)
                for i, j in T.Parallel(bm, bn):
                    narrow2[i, j] = weights[i, j] * (grads[i, j] - delta[j])
                T.gemm(narrow2, q, dk, policy=T.GemmWarpPolicy.FullRow)
                T.copy(narrow2, d)
                T.clear(dq)
                T.gemm(d, k, dq, transpose_A=True)
                for i, j in T.Parallel(bn, D):
                    T.atomic_add(dQ[bz, n * bn + i, bx, j], dq[i, j])
            T.copy(dv, dv_out)
            T.copy(dk, dk_out)
            T.copy(dv_out, dV[bz, by * bm : (by + 1) * bm, bx, :])
            T.copy(dk_out, dK[bz, by * bm : (by + 1) * bm, bx, :])

    return main


@tilelang.jit
def decode_split(B=2, H=16, S=1024, D=128, parts=4, bn=64, stages=2, threads=128):
    """Decoding with the keys split, and a second launch that joins the parts."""

    @T.prim_func
    def main(
        Q: T.Tensor((B, H, D), "float16"),
        K: T.Tensor((B, S, D), "float16"),
        V: T.Tensor((B, S, D), "float16"),
        L: T.Tensor((B, H, parts), "float32"),
        P: T.Tensor((B, H, parts, D), "float32"),
        O: T.Tensor((B, H, D), "float16"),
    ):
        with T.Kernel(B, parts, threads=threads) as (b, p):
            q = T.alloc_shared((H, D), "float16")
            k = T.alloc_shared((bn, D), "float16")
            v = T.alloc_shared((bn, D), "float16")
            w = T.alloc_shared((H, bn), "float16")
            scores = T.alloc_fragment((H, bn), "float32")
            total = T.alloc_fragment((H, D), "float32")
            most = T.alloc_fragment((H,), "float32")
            before = T.alloc_fragment((H,), "float32")
            part = T.alloc_fragment((H,), "float32")
            norm = T.alloc_fragment((H,), "float32")
            T.copy(Q[b, 0, 0], q)
            T.clear(total)
            T.clear(norm)
            T.fill(most, -T.infinity("float32"))
            for n in T.Pipelined(S // parts // bn, num_stages=stages):
                T.copy(K[b, p * (S // parts) + n * bn, 0], k)
                T.clear(scores)
                T.gemm(q, k, scores, transpose_B=True, policy=T.GemmWarpPolicy.FullCol)
                T.copy(most, before)
                T.reduce_max(scores, most, dim=1, clear=False)
                for i, j in T.Parallel(H, bn):
                    scores[i, j] = T.exp2(scores[i, j] - most[i])
                T.reduce_sum(scores, part, dim=1)
                for i in T.Parallel(H):
                    norm[i] = norm[i] * T.exp2(before[i] - most[i]) + part[i]
                T.copy(scores, w)
                for i, j in T.Parallel(H, D):
                    total[i, j] *= T.exp2(before[i] - most[i])
                T.copy(V[b, p * (S // parts) + n * bn, 0], v)
                T.gemm(w, v, total, policy=T.GemmWarpPolicy.FullCol)
            for i in T.Parallel(H):
                L[b, i, p] = T.log2(norm[i]) + most[i]
            for i, j in T.Parallel(H, D):
                P[b, i, p, j] = total[i, j] / norm[i]
        with T.Kernel(B, H, threads=threads) as (b, h):
            logs = T.alloc_shared((parts,), "float32")
            pieces = T.alloc_shared((parts, D), "float32")
            out = T.alloc_fragment((D,), "float32")
            T.copy(L[b, h, 0], logs)
            T.copy(P[b, h, 0, 0], pieces)
            T.clear(out)
            for s in T.serial(parts):
                for j in T.Parallel(D):
                    out[j] += pieces[s, j] * T.exp2(logs[s])
            T.copy(out, O[b, h, 0])

    return main


@tilelang.jit
def chunk_states(B=1, S=512, D=64, E=64, chunk=64, stages=2, threads=128):
    """The state of a linear attention, kept in registers and stored every chunk."""

    @T.prim_func
    def main(
        K: T.Tensor((B, S, D), "float16"),
        V: T.Tensor((B, S, E), "float16"),
        G: T.Tensor((B, S), "float32"),
        H: T.Tensor((B, S // chunk, D, E), "float16"),
    ):
        with T.Kernel(B, threads=threads) as b:
            k = T.alloc_shared((chunk, D), "float16")
            v = T.alloc_shared((chunk, E), "float16")
            gates = T.alloc_shared((chunk,), "float32")
            out = T.alloc_shared((D, E), "float16")
            scaled = T.alloc_shared((chunk, E), "float16")
            state = T.alloc_fragment((D, E), "float32")
            T.clear(state)
            for c in T.Pipelined(S // chunk, num_stages=stages):
                T.copy(state, out)
                T.copy(out, H[b, c, 0, 0])
                T.copy(K[b, c * chunk, 0], k)
                T.copy(V[b, c * chunk, 0], v)
                T.copy(G[b, c * chunk : (c + 1) * chunk], gates)
                for i, j in T.Parallel(chunk, E):
                    scaled[i, j] = v[i, j] * T.exp2(gates[chunk - 1] - gates[i]).astype("float16")
                for i, j in T.Parallel(D, E):
                    state[i, j] *= T.exp2(gates[chunk - 1])
                T.gemm(k, scaled, state, transpose_A=True)

    return main


@tilelang.jit
def gated_backward(B=1, S=256, D=64, E=64, chunk=64, threads=128):
    """Gradients of a gated linear attention's chunk: six products, two reductions."""

    @T.prim_func
    def main(
        Q: T.Tensor((B, S, D), "bfloat16"),
        K: T.Tensor((B, S, D), "bfloat16"),
        V: T.Tensor((B, S, E), "bfloat16"),
        G: T.Tensor((B, S), "float32"),
        dO: T.Tensor((B, S, E), "bfloat16"),
        H: T.Tensor((B, S // chunk, D, E), "bfloat16"),
        dH: T.Tensor((B, S // chunk, D, E), "bfloat16"),
        dQ: T.Tensor((B, S, D), "bfloat16"),
        dK: T.Tensor((B, S, D), "bfloat16"),
        dG: T.Tensor((B, S), "float32"),
    ):
        with T.Kernel(S // chunk, B, threads=threads) as (c, b):
            q = T.alloc_shared((chunk, D), "bfloat16")
            k = T.alloc_shared((chunk, D), "bfloat16")
            v = T.alloc_shared((chunk, E), "bfloat16")
            do = T.alloc_shared((chunk, E), "bfloat16")
            h = T.alloc_shared((D, E), "bfloat16")
            dh = T.alloc_shared((D, E), "bfloat16")
            ds = T.alloc_shared((chunk, chunk), "bfloat16")
            gates = T.alloc_shared((chunk,), "float32")
            ds_f = T.alloc_fragment((chunk, chunk), "float32")
            dq = T.alloc_fragment((chunk, D), "float32")
            dk = T.alloc_fragment((chunk, D), "float32")
            both = T.alloc_fragment((chunk, D), "float32")
            dg = T.alloc_fragment((chunk,), "float32")
            dg2 = T.alloc_fragment((chunk,), "float32")
            T.copy(Q[b, c * chunk, 0], q)
            T.copy(K[b, c * chunk, 0], k)
            T.copy(V[b, c * chunk, 0], v)
            T.copy(dO[b, c * chunk, 0], do)
            T.copy(H[b, c, 0, 0], h)
            T.copy(dH[b, c, 0, 0], dh)
            T.copy(G[b, c * chunk : (c + 1) * chunk], gates)
            T.clear(ds_f)
            T.clear(dq)
            T.clear(dk)
            T.gemm(do, v, ds_f, transpose_B=True)
            for i, j in T.Parallel(chunk, chunk):
                ds_f[i, j] = T.if_then_else(i >= j, ds_f[i, j] * T.exp2(gates[i] - gates[j]), 0.0)
            T.copy(ds_f, ds)
            T.gemm(do, h, dq, transpose_B=True)
            for i, j in T.Parallel(chunk, D):
                dq[i, j] *= T.exp2(gates[i])
            T.gemm(ds, k, dq)
            T.gemm(v, dh, dk, transpose_B=True)
            T.gemm(ds, q, dk, transpose_A=True)
            for i, j in T.Parallel(chunk, D):
                both[i, j] = dq[i, j] * q[i, j]
            T.reduce_sum(both, dg, dim=1)
            for i, j in T.Parallel(chunk, D):
                both[i, j] = dk[i, j] * k[i, j]
            T.reduce_sum(both, dg2, dim=1)
            for i in T.Parallel(chunk):
                dG[b, c * chunk + i] = dg[i] - dg2[i]
            T.copy(dq, dQ[b, c * chunk, 0])
            T.copy(dk, dK[b, c * chunk, 0])

    return main


@tilelang.jit
def selective_scan(B=2, S=256, D=256, N=16, bd=32, chunk=16, stages=2, threads=128):
    """A state-space scan, step by step within chunks that are copied ahead."""

    @T.prim_func
    def main(
        X: T.Tensor((B, S, D), "float32"),
        dt: T.Tensor((B, S, D), "float32"),
        Bm: T.Tensor((B, S, N), "float32"),
        Cm: T.Tensor((B, S, N), "float32"),
        A: T.Tensor((D, N), "float32"),
        Y: T.Tensor((B, S, D), "float32"),
    ):
        with T.Kernel(D // bd, B, threads=threads) as (bx, b):
            x = T.alloc_shared((chunk, bd), "float32")
            t = T.alloc_shared((chunk, bd), "float32")
            bm = T.alloc_shared((chunk, N), "float32")
            cm = T.alloc_shared((chunk, N), "float32")
            y = T.alloc_shared((chunk, bd), "float32")
            a = T.alloc_fragment((bd, N), "float32")
            state = T.alloc_fragment((bd, N), "float32")
            out = T.alloc_fragment((bd, N), "float32")
            row = T.alloc_fragment((bd,), "float32")
            T.copy(A[bx * bd, 0], a)
            T.clear(state)
            for c in T.Pipelined(S // chunk, num_stages=stages):
                T.copy(X[b, c * chunk, bx * bd], x)
                T.copy(dt[b, c * chunk, bx * bd], t)
                T.copy(Bm[b, c * chunk, 0], bm)
                T.copy(Cm[b, c * chunk, 0], cm)
                for s in T.serial(chunk):
                    for i, j in T.Parallel(bd, N):
                        state[i, j] = state[i, j] * T.exp(t[s, i] * a[i, j]) + x[s, i] * bm[s, j]
                    for i, j in T.Parallel(bd, N):
                        out[i, j] = state[i, j] * cm[s, j]
                    T.reduce_sum(out, row, dim=1)
                    T.copy(row, y[s, :])
                T.copy(y, Y[b, c * chunk, bx * bd])

    return main


@tilelang.jit
def chunk_scan(B=1, S=256, P=64, N=64, chunk=64, bk=32, stages=2, threads=128):
    """The chunk scan of a state-space model: a product with the state, then a masked one in a loop."""

    @T.prim_func
    def main(
        CB: T.Tensor((B, S // chunk, chunk, chunk), "float16"),
        X: T.Tensor((B, S, P), "float16"),
        dA: T.Tensor((B, S), "float32"),
        C: T.Tensor((B, S, N), "float16"),
        H: T.Tensor((B, S // chunk, P, N), "float16"),
        O: T.Tensor((B, S, P), "float16"),
    ):
        with T.Kernel(S // chunk, B, threads=threads) as (c, b):
            cb = T.alloc_shared((chunk, bk), "float16")
            x = T.alloc_shared((bk, P), "float16")
            ends = T.alloc_shared((bk,), "float32")
            mine = T.alloc_shared((chunk,), "float32")
            cs = T.alloc_shared((chunk, N), "float16")
            hs = T.alloc_shared((P, N), "float16")
            out = T.alloc_shared((chunk, P), "float16")
            local = T.alloc_fragment((chunk, bk), "float16")
            total = T.alloc_fragment((chunk, P), "float32")
            T.copy(dA[b, c * chunk : (c + 1) * chunk], mine)
            T.copy(C[b, c * chunk, 0], cs)
            T.copy(H[b, c, 0, 0], hs)
            T.clear(total)
            T.gemm(cs, hs, total, transpose_B=True)
            for i, j in T.Parallel(chunk, P):
                total[i, j] *= T.exp2(mine[i])
            for k in T.Pipelined(chunk // bk, num_stages=stages):
                T.copy(CB[b, c, 0, k * bk], cb)
                T.copy(cb, local)
                T.copy(dA[b, c * chunk + k * bk : c * chunk + (k + 1) * bk], ends)
                for i, j in T.Parallel(chunk, bk):
                    local[i, j] = T.if_then_else(i >= k * bk + j, local[i, j] * T.exp2(mine[i] - ends[j]), 0)
                T.copy(X[b, c * chunk + k * bk, 0], x)
                T.gemm(local, x, total)
            T.copy(total, out)
            T.copy(out, O[b, c * chunk, 0])

    return main


@tilelang.jit
def delta_solve(B=1, S=256, D=64, chunk=32, threads=128):
    """The inverse of a unit triangle by rows, in shared memory, then two products."""

    @T.prim_func
    def main(
        K: T.Tensor((B, S, D), "float16"),
        V: T.Tensor((B, S, D), "float16"),
        beta: T.Tensor((B, S), "float32"),
        U: T.Tensor((B, S, D), "float16"),
        W: T.Tensor((B, S, D), "float16"),
    ):
        with T.Kernel(S // chunk, B, threads=threads) as (c, b):
            k = T.alloc_shared((chunk, D), "float16")
            v = T.alloc_shared((chunk, D), "float16")
            steps = T.alloc_shared((chunk,), "float32")
            triangle = T.alloc_shared((chunk, chunk), "float32")
            row = T.alloc_shared((chunk,), "float32")
            narrow = T.alloc_shared((chunk, chunk), "float16")
            grams = T.alloc_fragment((chunk, chunk), "float32")
            total = T.alloc_fragment((chunk, D), "float32")
            T.copy(K[b, c * chunk, 0], k)
            T.copy(V[b, c * chunk, 0], v)
            T.copy(beta[b, c * chunk : (c + 1) * chunk], steps)
            T.clear(grams)
            T.gemm(k, k, grams, transpose_B=True)
            for i, j in T.Parallel(chunk, chunk):
                triangle[i, j] = T.if_then_else(i > j, -grams[i, j] * steps[i], 0.0)
            for i in T.serial(1, chunk):
                for j in T.Parallel(chunk):
                    row[j] = triangle[i, j]
                for s in T.serial(i):
                    for j in T.Parallel(chunk):
                        triangle[i, j] += row[s] * triangle[s, j]
            for i, j in T.Parallel(chunk, chunk):
                narrow[i, j] = (triangle[i, j] + T.if_then_else(i == j, 1.0, 0.0)) * steps[j]
            T.clear(total)
            T.gemm(narrow, v, total)
            T.copy(total, U[b, c * chunk, 0])
            T.clear(total)
            T.gemm(narrow, k, total)
            T.copy(total, W[b, c * chunk, 0])

    return main


@tilelang.jit
def pooled_keys(B=1, S=512, D=64, block=32, top=4, stages=2, threads=128):
    """Mean keys of blocks against one query block, then the best ones, one by one."""

    @T.prim_func
    def main(
        Q: T.Tensor((B, S, D), "float16"),
        K: T.Tensor((B, S // block, D), "float16"),
        I: T.Tensor((B, S, top), "int32"),
    ):
        with T.Kernel(S // 64, B, threads=threads) as (bx, b):
            q = T.alloc_shared((64, D), "float16")
            k = T.alloc_shared((S // block, D), "float16")
            scores = T.alloc_fragment((64, S // block), "float32")
            places = T.alloc_fragment((64, S // block), "int32")
            most = T.alloc_fragment((64,), "float32")
            where = T.alloc_fragment((64,), "int32")
            T.copy(Q[b, bx * 64, 0], q)
            T.copy(K[b, 0, 0], k)
            T.clear(scores)
            T.gemm(q, k, scores, transpose_B=True)
            for t in T.serial(top):
                T.reduce_max(scores, most, dim=1)
                for i, j in T.Parallel(64, S // block):
                    places[i, j] = T.if_then_else(scores[i, j] == most[i], j, -1)
                T.reduce_max(places, where, dim=1)
                for i in T.Parallel(64):
                    I[b, bx * 64 + i, t] = where[i]
                for i, j in T.Parallel(64, S // block):
                    scores[i, j] = T.if_then_else(j == where[i], -T.infinity("float32"), scores[i, j])

    return main
