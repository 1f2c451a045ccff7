"""Kernels in Triton, written for the tests."""

import triton
import triton.language as tl


@triton.jit
def product(a, b, c, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A plain pipelined matrix product."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left = a + rows[:, None] * stride_a + inner[None, :]
    right = b + inner[:, None] * stride_b + columns[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(left), tl.load(right), total)
        left += BK
        right += BK * stride_b
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total.to(c.dtype.element_ty))


@triton.jit
def product_transposed(
    a, b, c, K, stride_a, stride_b, stride_c, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr
):
    """The right operand is stored by rows of the product's columns."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    left = a + rows[:, None] * stride_a + inner[None, :]
    right = b + columns[:, None] * stride_b + inner[None, :]
    total = tl.zeros((BM, BN), tl.float32)
    for _ in range(0, K, BK):
        total = tl.dot(tl.load(left), tl.load(right).T, total)
        left += BK
        right += BK
    tl.store(c + rows[:, None] * stride_c + columns[None, :], total.to(c.dtype.element_ty))


@triton.jit
def described(a, b, c, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """A matrix product whose tiles are loaded and stored by tensor descriptors."""
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        total = tl.dot(a.load([row, k]), b.load([k, column]), total)
    c.store([row, column], total.to(c.dtype))


@triton.jit
def attention(q, k, v, o, length, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    """Flash attention, forward."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    inner = tl.arange(0, D)
    columns = tl.arange(0, BN)
    query = tl.load(q + rows[:, None] * D + inner[None, :])
    highest = tl.full((BM,), float("-inf"), tl.float32)
    norm = tl.zeros((BM,), tl.float32)
    total = tl.zeros((BM, D), tl.float32)
    for start in range(0, length, BN):
        key = tl.load(k + (start + columns[None, :]) * D + inner[:, None])
        scores = tl.dot(query, key)
        new = tl.maximum(highest, tl.max(scores, 1))
        scores = tl.exp2(scores - new[:, None])
        factor = tl.exp2(highest - new)
        norm = norm * factor + tl.sum(scores, 1)
        value = tl.load(v + (start + columns[:, None]) * D + inner[None, :])
        total = tl.dot(scores.to(value.dtype), value, total * factor[:, None])
        highest = new
    tl.store(o + rows[:, None] * D + inner[None, :], (total / norm[:, None]).to(o.dtype.element_ty))


@triton.jit
def softmax(x, y, columns, BLOCK: tl.constexpr):
    """One row a program: reductions over all warps."""
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + offsets, mask=offsets < columns, other=-float("inf"))
    values = tl.exp(values - tl.max(values, 0))
    tl.store(y + row * columns + offsets, values / tl.sum(values, 0), mask=offsets < columns)


@triton.jit
def layer_norm(x, w, b, y, columns, BLOCK: tl.constexpr):
    """Two reductions and two vectors."""
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    values = tl.load(x + row * columns + offsets, mask=mask, other=0.0).to(tl.float32)
    mean = tl.sum(values, 0) / columns
    centred = tl.where(mask, values - mean, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centred * centred, 0) / columns + 1e-5)
    weight = tl.load(w + offsets, mask=mask)
    tl.store(
        y + row * columns + offsets, centred * scale * weight + tl.load(b + offsets, mask=mask), mask=mask
    )


@triton.jit
def transpose(x, y, M, N, BM: tl.constexpr, BN: tl.constexpr):
    """A layout is converted through shared memory."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    tile = tl.load(x + rows[:, None] * N + columns[None, :])
    tl.store(y + columns[:, None] * M + rows[None, :], tile.T)


@triton.jit
def prefix(x, y, BLOCK: tl.constexpr):
    """A scan over all warps."""
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + offsets, tl.cumsum(tl.load(x + offsets), 0))


@triton.jit
def counts(x, y, BLOCK: tl.constexpr, BINS: tl.constexpr):
    """A histogram, which is built in shared memory."""
    values = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(y + tl.arange(0, BINS), tl.histogram(values, BINS))


@triton.jit
def ordered(x, y, BLOCK: tl.constexpr):
    """A bitonic sort: many exchanges."""
    offsets = tl.arange(0, BLOCK)
    tl.store(y + offsets, tl.sort(tl.load(x + offsets)))


@triton.jit
def chained(x, v, w, y, BM: tl.constexpr, K: tl.constexpr, H: tl.constexpr, N: tl.constexpr):
    """Two products, the first feeding the second."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    inner, hidden, columns = tl.arange(0, K), tl.arange(0, H), tl.arange(0, N)
    left = tl.load(x + rows[:, None] * K + inner[None, :])
    first = tl.dot(left, tl.load(v + inner[:, None] * H + hidden[None, :]))
    second = tl.dot(first.to(tl.float16), tl.load(w + hidden[:, None] * N + columns[None, :]))
    tl.store(y + rows[:, None] * N + columns[None, :], second)


@triton.jit
def picked(x, index, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """A gather along an axis, and the place of the largest value."""
    rows, columns = tl.arange(0, ROWS), tl.arange(0, COLUMNS)
    values = tl.load(x + rows[:, None] * COLUMNS + columns[None, :])
    places = tl.load(index + rows[:, None] * COLUMNS + columns[None, :])
    best = tl.argmax(tl.gather(values, places, 0), 1)
    tl.store(y + rows, best)


@triton.jit
def sorted_rows(x, y, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """Rows that fit a warp each are sorted without shared memory."""
    rows = tl.arange(0, ROWS)
    columns = tl.arange(0, COLUMNS)
    values = tl.load(x + rows[:, None] * COLUMNS + columns[None, :])
    tl.store(y + rows[:, None] * COLUMNS + columns[None, :], tl.sort(values, 1, descending=True))


@triton.jit
def keys_gradient(q, k, v, o, norm, dk, length, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """The gradient of the keys in attention: three products a step, one of them of a transposed tile."""
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    inner = tl.arange(0, D)
    keys = tl.load(k + columns[:, None] * D + inner[None, :])
    values = tl.load(v + columns[:, None] * D + inner[None, :])
    total = tl.zeros((BN, D), tl.float32)
    for start in range(0, length, BM):
        rows = start + tl.arange(0, BM)
        queries = tl.load(q + rows[None, :] * D + inner[:, None])
        weights = tl.exp(tl.dot(keys, queries) - tl.load(norm + rows)[None, :])
        outputs = tl.load(o + rows[:, None] * D + inner[None, :])
        scores = weights * tl.dot(values, tl.trans(outputs))
        total = tl.dot(scores.to(tl.float16), tl.trans(queries), total)
    tl.store(dk + columns[:, None] * D + inner[None, :], total.to(tl.float16))
