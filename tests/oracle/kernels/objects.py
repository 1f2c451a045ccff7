"""The ways in which a file can hold a kernel, written for the tests."""

import tilelang
import tilelang.language as T


def scaled(M, N, factor):
    """A plain function that returns a prim_func."""

    @T.prim_func
    def kernel(A: T.Tensor((M, N), "float32"), B: T.Tensor((M, N), "float32")):
        with T.Kernel(M // 16, threads=128) as bx:
            source = T.alloc_shared((16, N), "float32")
            target = T.alloc_shared((16, N), "float32")
            T.copy(A[bx * 16, 0], source)
            for i, j in T.Parallel(16, N):
                target[i, j] = source[15 - i, j] * factor
            T.copy(target, B[bx * 16, 0])

    return kernel


@tilelang.jit
def summed(A, B, rows: int = 8):
    """A kernel that takes its shapes from its tensors."""
    M, N = T.const("M N")
    A: T.Tensor[[M, N], T.float32]
    B: T.Tensor[[M, N], T.float32]
    with T.Kernel(M // rows, threads=128) as bx:
        left = T.alloc_shared((rows, N), "float32")
        right = T.alloc_shared((rows, N), "float32")
        T.copy(A[bx * rows, 0], left)
        for i, j in T.Parallel(rows, N):
            right[i, j] = left[rows - 1 - i, j] + 1
        T.copy(right, B[bx * rows, 0])


bare = scaled(256, 64, 3)
compiled = tilelang.compile(scaled(256, 128, 2), pass_configs={"tl.disable_shared_memory_reuse": True})
built = tilelang.jit(scaled)(256, 32, 2)


def wrapped(N=64):
    """A plain function that returns a compiled kernel."""
    return tilelang.compile(scaled(256, N, 2))
