"""Narrow types, dequantisation, sparse products, scales by block."""

import tilelang
import tilelang.language as T


@tilelang.jit
def bytes_product(M=256, N=256, K=512, bm=64, bn=64, bk=64, stages=3, threads=128):
    """int8 by int8, scaled by rows and columns from shared memory."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "int8"),
        B: T.Tensor((N, K), "int8"),
        R: T.Tensor((M,), "float32"),
        S: T.Tensor((N,), "float32"),
        C: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "int8")
            right = T.alloc_shared((bn, bk), "int8")
            rows = T.alloc_shared((bm,), "float32")
            columns = T.alloc_shared((bn,), "float32")
            out = T.alloc_shared((bm, bn), "bfloat16")
            total = T.alloc_fragment((bm, bn), "int32")
            scaled = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], right)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(R[by * bm : (by + 1) * bm], rows)
            T.copy(S[bx * bn : (bx + 1) * bn], columns)
            for i, j in T.Parallel(bm, bn):
                scaled[i, j] = total[i, j].astype("float32") * rows[i] * columns[j]
            T.copy(scaled, out)
            T.copy(out, C[by * bm, bx * bn])

    return main


@tilelang.jit
def eights_promoted(M=256, N=256, K=512, bm=64, bn=64, bk=128, stages=2, threads=128):
    """fp8 products, promoted every step with scales by block."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float8_e4m3fn"),
        B: T.Tensor((N, K), "float8_e4m3fn"),
        R: T.Tensor((M, K // bk), "float32"),
        S: T.Tensor((N // bn, K // bk), "float32"),
        C: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float8_e4m3fn")
            right = T.alloc_shared((bn, bk), "float8_e4m3fn")
            scale = T.alloc_shared((bm,), "float32")
            out = T.alloc_shared((bm, bn), "bfloat16")
            part = T.alloc_fragment((bm, bn), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            T.clear(part)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], right)
                for i in T.Parallel(bm):
                    scale[i] = R[by * bm + i, k] * S[bx, k]
                T.gemm(left, right, part, transpose_B=True)
                for i, j in T.Parallel(bm, bn):
                    total[i, j] += part[i, j] * scale[i]
                T.clear(part)
            T.copy(total, out)
            T.copy(out, C[by * bm, bx * bn])

    return main


@tilelang.jit
def fives_product(M=256, N=256, K=512, bm=128, bn=64, bk=64, stages=3, threads=128):
    """fp8 e5m2, stored as fp16 without shared memory."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float8_e5m2"),
        B: T.Tensor((N, K), "float8_e5m2"),
        C: T.Tensor((M, N), "float16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "float8_e5m2")
            right = T.alloc_shared((bn, bk), "float8_e5m2")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * bk], right)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def fours_unpacked(M=256, N=256, K=512, bm=64, bn=64, bk=64, stages=2, threads=128):
    """Packed 4-bit weights, dequantised with scales and zeros by group."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "bfloat16"),
        B: T.Tensor((N, K // 2), "uint8"),
        S: T.Tensor((N, K // bk), "bfloat16"),
        Z: T.Tensor((N, K // bk), "bfloat16"),
        C: T.Tensor((M, N), "bfloat16"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "bfloat16")
            packed = T.alloc_shared((bn, bk // 2), "uint8")
            right = T.alloc_shared((bn, bk), "bfloat16")
            scales = T.alloc_shared((bn,), "bfloat16")
            zeros = T.alloc_shared((bn,), "bfloat16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * (bk // 2)], packed)
                for i in T.Parallel(bn):
                    scales[i] = S[bx * bn + i, k]
                    zeros[i] = Z[bx * bn + i, k]
                for i, j in T.Parallel(bn, bk):
                    right[i, j] = (
                        T.Cast("bfloat16", (packed[i, j // 2] >> ((j % 2) * 4)) & 15) - zeros[i]
                    ) * scales[i]
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def twos_unpacked(M=128, N=256, K=512, bm=32, bn=64, bk=64, stages=2, threads=128):
    """2-bit weights to int8, times int8."""

    @T.prim_func
    def main(A: T.Tensor((M, K), "int8"), B: T.Tensor((N, K // 4), "uint8"), C: T.Tensor((M, N), "int32")):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk), "int8")
            packed = T.alloc_shared((bn, bk // 4), "uint8")
            right = T.alloc_shared((bn, bk), "int8")
            bits = T.alloc_fragment((bn, bk // 4), "uint8")
            wide = T.alloc_fragment((bn, bk), "int8")
            total = T.alloc_fragment((bm, bn), "int32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], left)
                T.copy(B[bx * bn, k * (bk // 4)], packed)
                T.copy(packed, bits)
                for i, j in T.Parallel(bn, bk):
                    wide[i, j] = T.Cast("int8", (bits[i, j // 4] >> ((j % 4) * 2)) & 3) - T.int8(1)
                T.copy(wide, right)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def cast_to_eights(M=512, N=512, bm=8, group=128, threads=128):
    """Each group of a row gets a scale from its largest magnitude."""

    @T.prim_func
    def main(
        X: T.Tensor((M, N), "bfloat16"),
        Y: T.Tensor((M, N), "float8_e4m3fn"),
        S: T.Tensor((M, N // group), "float32"),
    ):
        with T.Kernel(N // group, M // bm, threads=threads) as (bx, by):
            tile = T.alloc_shared((bm, group), "bfloat16")
            narrow = T.alloc_shared((bm, group), "float8_e4m3fn")
            values = T.alloc_fragment((bm, group), "float32")
            most = T.alloc_fragment((bm,), "float32")
            out = T.alloc_fragment((bm, group), "float8_e4m3fn")
            T.copy(X[by * bm, bx * group], tile)
            T.copy(tile, values)
            T.reduce_absmax(values, most, dim=1)
            for i in T.Parallel(bm):
                most[i] = T.max(most[i], 1e-4) / 448.0
                S[by * bm + i, bx] = most[i]
            for i, j in T.Parallel(bm, group):
                out[i, j] = T.Cast("float8_e4m3fn", values[i, j] / most[i])
            T.copy(out, narrow)
            T.copy(narrow, Y[by * bm, bx * group])

    return main


@tilelang.jit
def singles_product(M=256, N=256, K=256, bm=64, bn=64, bk=32, stages=3, threads=128):
    """fp32 operands, both transposed."""

    @T.prim_func
    def main(A: T.Tensor((K, M), "float32"), B: T.Tensor((N, K), "float32"), C: T.Tensor((M, N), "float32")):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bk, bm), "float32")
            right = T.alloc_shared((bn, bk), "float32")
            out = T.alloc_shared((bm, bn), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[k * bk, by * bm], left)
                T.copy(B[bx * bn, k * bk], right)
                T.gemm(left, right, total, transpose_A=True, transpose_B=True)
            T.copy(total, out)
            T.copy(out, C[by * bm, bx * bn])

    return main


@tilelang.jit
def doubles_sum(M=256, N=512, bm=4, threads=128):
    """fp64 from end to end: a row's mean and largest."""

    @T.prim_func
    def main(A: T.Tensor((M, N), "float64"), O: T.Tensor((2, M), "float64")):
        with T.Kernel(M // bm, threads=threads) as bx:
            tile = T.alloc_shared((bm, N), "float64")
            values = T.alloc_fragment((bm, N), "float64")
            total = T.alloc_fragment((bm,), "float64")
            most = T.alloc_fragment((bm,), "float64")
            T.copy(A[bx * bm, 0], tile)
            T.copy(tile, values)
            T.reduce_sum(values, total, dim=1)
            T.reduce_max(values, most, dim=1)
            T.copy(total, O[0, bx * bm])
            T.copy(most, O[1, bx * bm])

    return main


@tilelang.jit
def wide_from_narrow(M=256, N=256, K=512, bm=64, bn=64, bk=32, stages=2, threads=128):
    """fp8 tiles are widened in shared memory before the product."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K), "float8_e4m3fn"), B: T.Tensor((N, K), "float16"), C: T.Tensor((M, N), "float16")
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            narrow = T.alloc_shared((bm, bk), "float8_e4m3fn")
            left = T.alloc_shared((bm, bk), "float16")
            right = T.alloc_shared((bn, bk), "float16")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk], narrow)
                for i, j in T.Parallel(bm, bk):
                    left[i, j] = T.Cast("float16", narrow[i, j])
                T.copy(B[bx * bn, k * bk], right)
                T.gemm(left, right, total, transpose_B=True)
            T.copy(total, C[by * bm, bx * bn])

    return main


@tilelang.jit
def sparse_left(M=256, N=256, K=512, bm=64, bn=64, bk=64, stages=2, threads=128):
    """A 2:4 sparse left operand, whose codes are copied too; a bias is added at the end."""

    @T.prim_func
    def main(
        A: T.Tensor((M, K // 2), "float16"),
        E: T.Tensor((M, K // 16), "int16"),
        B: T.Tensor((K, N), "float16"),
        Z: T.Tensor((N,), "float32"),
        C: T.Tensor((M, N), "float32"),
    ):
        with T.Kernel(N // bn, M // bm, threads=threads) as (bx, by):
            left = T.alloc_shared((bm, bk // 2), "float16")
            codes = T.alloc_shared((bm, bk // 16), "int16")
            right = T.alloc_shared((bk, bn), "float16")
            bias = T.alloc_shared((bn,), "float32")
            total = T.alloc_fragment((bm, bn), "float32")
            T.clear(total)
            for k in T.Pipelined(K // bk, num_stages=stages):
                T.copy(A[by * bm, k * bk // 2], left)
                T.copy(E[by * bm, k * bk // 16], codes)
                T.copy(B[k * bk, bx * bn], right)
                T.gemm_sp(left, codes, right, total)
            T.copy(Z[bx * bn], bias)
            for i, j in T.Parallel(bm, bn):
                total[i, j] += bias[j]
            T.copy(total, C[by * bm, bx * bn])

    return main
