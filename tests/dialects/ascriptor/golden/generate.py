"""Writes the fixtures of the Ascriptor kernels: inputs and expected outputs.

    python tests/dialects/ascriptor/golden/generate.py      (needs numpy and nothing else)

The form is that of `tests/golden/generate.py`, whose helpers are used here: a reference says what
a kernel means, never how it tiles; it is computed in float64 and rounded once. Scalars are those
that a kernel declares: extents that only its annotations name follow from the tensors. `cores` is
the `block_dim` of the launch, so vec cores where the mode is "vec".
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parents[2] / "golden"))

import generate as shared  # noqa: E402
from generate import EXACT, FLOAT_STEP, HALF_STEP  # noqa: E402
from generate import Random, double, half, single, softmax  # noqa: E402

shared.ROOT = ROOT

# f16 results of attention, whose weights are rounded to f16 on their way.
ATTENTION = {"atol": 2e-3, "rtol": 2.0**-10}
BFLOAT_STEP = {"atol": 1e-30, "rtol": 2.0**-7}


def bfloat(values):
    """Rounded to nearest even; the numbers as float32."""
    bits = single(values).view(np.uint32).astype(np.uint64)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16
    return bits.astype(np.uint32).view(np.float32)


def fractions(random, low, high, *shape):
    """float32 values low/64 .. high/64, exact in half too."""
    return random.integers(low, high + 1, *shape, dtype=np.int32).astype(np.float32) / 64


# ---------------------------------------------------------------- attention and scans


def attention(q, k, v, scale, seen=None):
    scores = scale * np.einsum("bmd,bnd->bmn", double(q), double(k))
    if seen is not None:
        scores = np.where(seen, scores, -np.inf)
    return np.einsum("bmn,bnd->bmd", softmax(scores), double(v))


def flash_attention(fixtures):
    d, scale = 64, 0.125
    sizes = [(1, 1, 1, 20), (1, 1, 257, 2), (1, 31, 2, 2), (1, 2, 63, 1), (1, 63, 3, 2)]
    for bh, s1, s2, cores in sizes + [(5, 3, 2, 2), (1, 33, 9, 1), (1, 65, 5, 1)]:
        random = Random("ascriptor flash_attention", bh, s1, s2)
        q, k, v = (random.half(bh, s, d, scale=2.0) for s in (s1, s2, s2))
        fixtures.add(
            "flash_attention",
            "flash_attention",
            f"b{bh}_m{s1}_n{s2}",
            {"scale": scale},
            {"q": q, "k": k, "v": v},
            {"out": (half(attention(q, k, v, scale)), ATTENTION)},
            cores,
        )


def block_causal(fixtures):
    d, scale, block = 64, 0.125, 16
    sizes = [(1, 1, 20), (1, 15, 2), (1, 33, 2), (3, 2, 2), (1, 129, 2)]
    for bh, s, cores in sizes:
        random = Random("ascriptor block_causal", bh, s)
        q, k, v = (random.half(bh, s, d, scale=2.0) for _ in range(3))
        blocks = np.arange(s) // block
        out = attention(q, k, v, scale, blocks[None, :] <= blocks[:, None])
        fixtures.add(
            "block_causal",
            "block_causal",
            f"b{bh}_s{s}",
            {"S": s, "scale": scale},
            {"q": q, "k": k, "v": v},
            {"out": (half(out), ATTENTION)},
            cores,
        )


def mla_decode(fixtures):
    latent, rotary = 128, 64
    scale = 1 / np.sqrt(latent + rotary)
    sizes = [(1, 1, 1, 20), (1, 31, 17, 2), (1, 1, 257, 1), (1, 65, 3, 2), (5, 2, 9, 2)]
    for b, h, s, cores in sizes:
        random = Random("ascriptor mla_decode", b, h, s)
        q, qr = random.half(b, h, latent), random.half(b, h, rotary)
        c, kr = random.half(b, s, latent), random.half(b, s, rotary)
        scores = np.einsum("bhd,bsd->bhs", double(q), double(c))
        scores += np.einsum("bhd,bsd->bhs", double(qr), double(kr))
        out = np.einsum("bhs,bsd->bhd", softmax(scale * scores), double(c))
        fixtures.add(
            "mla_decode",
            "mla_decode",
            f"b{b}_h{h}_s{s}",
            {"scale": scale},
            {"q": q, "qr": qr, "c": c, "kr": kr},
            {"out": (half(out), ATTENTION)},
            cores,
        )


def gated_delta(fixtures):
    dk, dv, chunk = 64, 128, 64
    for bh, s, cores in [(1, 1, 20), (1, 65, 2), (3, 5, 2), (1, 129, 1)]:
        random = Random("ascriptor gated_delta", bh, s)
        q, k = (random.half(bh, s, dk, scale=0.125) for _ in range(2))
        v = random.half(bh, s, dv)
        gate, beta = fractions(random, -16, 0, bh, s), fractions(random, 1, 63, bh, s)
        decay = np.concatenate(
            [gate[:, lo : lo + chunk].cumsum(axis=1) for lo in range(0, s, chunk)], axis=1
        )
        out = np.zeros((bh, s, dv))
        state = np.zeros((bh, dk, dv))
        for t in range(s):
            state *= np.exp(double(gate[:, t]))[:, None, None]
            read = np.einsum("bk,bkv->bv", double(k[:, t]), state)
            update = double(beta[:, t])[:, None] * (double(v[:, t]) - read)
            state += double(k[:, t])[:, :, None] * update[:, None, :]
            out[:, t] = np.einsum("bk,bkv->bv", double(q[:, t]), state)
        fixtures.add(
            "gated_delta",
            "gated_delta",
            f"b{bh}_s{s}",
            {},
            {"q": q, "k": k, "v": v, "decay": single(decay), "beta": beta},
            {"out": (half(out), {"atol": 2e-3, "rtol": 2.0**-9})},
            cores,
        )


# ---------------------------------------------------------------- normalisation


def row_softmax(fixtures):
    sizes = [(0, 8, 2), (1, 512, 40), (15, 7, 2), (16, 64, 2), (17, 65, 1), (33, 1, 1), (2, 511, 2)]
    for m, n, cores in sizes + [(3, 63, 2), (5, 129, 2), (49, 9, 1)]:
        x = Random("ascriptor row_softmax", m, n).half(m, n, scale=4.0)
        x[2:3] += np.float16(512)  # exp of this alone would overflow
        x = single(x)
        fixtures.add(
            "softmax",
            "row_softmax",
            f"m{m}_n{n}",
            {},
            {"x": x},
            {"y": (single(softmax(double(x))), {"atol": 1e-12, "rtol": 1e-6})},
            cores,
        )


def rms_norm(fixtures):
    d, eps = 256, 1e-6
    for m, cores in [(0, 2), (1, 20), (33, 1)]:
        random = Random("ascriptor rms_norm", m)
        x, w = random.bfloat16(m, d), random.float(d)
        rows = double(x)
        y = rows / np.sqrt(np.square(rows).mean(axis=1, keepdims=True) + eps) * double(w)
        fixtures.add(
            "rms_norm",
            "rms_norm",
            f"m{m}",
            {"eps": eps},
            {"x": x, "w": w},
            {"y": (bfloat(y), BFLOAT_STEP)},
            cores,
        )
        # Expected values are numbers, whatever the type of the tensor.
        fixtures.cases[-1]["outputs"]["y"]["dtype"] = "bfloat16"


def layer_norm(fixtures):
    d, eps = 192, 1e-5
    for m, cores in [(0, 2), (1, 20), (129, 1)]:
        random = Random("ascriptor layer_norm", m)
        x, gamma, beta = random.half(m, d), random.half(d), random.half(d)
        x[3:4] = 2.5  # no variance
        x[5:6] *= 1000
        rows = double(x)
        deviation = np.sqrt(rows.var(axis=1, keepdims=True) + eps)
        y = (rows - rows.mean(axis=1, keepdims=True)) / deviation * double(gamma) + double(beta)
        fixtures.add(
            "layer_norm",
            "layer_norm",
            f"m{m}",
            {"M": m, "eps": eps},
            {"x": x, "gamma": gamma, "beta": beta},
            {"y": (half(y), {"atol": 1e-6, "rtol": 2.0**-10})},
            cores,
        )


def cosine(fixtures):
    m, d = 99, 128
    random = Random("ascriptor cosine")
    a, b = (fractions(random, -99, 99, m, d) for _ in range(2))
    b[7:8] = 0
    norms = np.square(double(a)).sum(axis=1) * np.square(double(b)).sum(axis=1)
    s = (double(a) * double(b)).sum(axis=1) / np.sqrt(norms + 1e-12)
    near = {"atol": 1e-7, "rtol": 1e-6}
    fixtures.add("cosine", "cosine", "static", {}, {"a": a, "b": b}, {"s": (single(s), near)}, 1)


# ---------------------------------------------------------------- elementwise


def adamw(fixtures):
    scalars = {"lr": 1e-2, "beta1": 0.9, "beta2": 0.99, "eps": 1e-8, "decay": 0.01}
    scalars |= {"fix1": 0.271, "fix2": 0.029701}
    lr, beta1, beta2, eps, decay, fix1, fix2 = (np.float64(np.float32(s)) for s in scalars.values())
    for n, cores in [(1, 1), (7, 40), (1100, 1)]:
        random = Random("ascriptor adamw", n)
        p, m, g = random.float(n), random.float(n), random.bfloat16(n)
        v = np.abs(random.float(n))
        m1 = beta1 * double(m) + (1 - beta1) * double(g)
        v1 = beta2 * double(v) + (1 - beta2) * double(g) ** 2
        p1 = double(p) * (1 - lr * decay) - lr * (m1 / fix1) / (np.sqrt(v1 / fix2) + eps)
        fixtures.add(
            "adamw",
            "adamw",
            f"l{n}",
            scalars,
            {"p": p, "g": g, "m": m, "v": v},
            {
                "p1": (single(p1), {"atol": 3e-7, "rtol": 1e-6}),
                "m1": (single(m1), {"atol": 3e-7, "rtol": 1e-6}),
                "v1": (single(v1), {"atol": 1e-9, "rtol": 3e-6}),
            },
            cores,
        )


def swiglu(fixtures):
    sizes = [(0, 5, 2), (1, 1, 40), (31, 129, 1), (32, 16, 2), (33, 3, 2), (65, 2, 2), (2, 257, 1)]
    for m, n, cores in sizes:
        random = Random("ascriptor swiglu", m, n)
        gate, up = random.half(m, n, scale=3.0), random.half(m, n)
        if n > 3:
            gate[m // 2 : m // 2 + 1, :3] = [-1000, 1000, -88]
        with np.errstate(over="ignore"):
            y = double(gate) / (1 + np.exp(-double(gate))) * double(up)
        fixtures.add(
            "swiglu",
            "swiglu",
            f"m{m}_n{n}",
            {"M": m, "N": n},
            {"gate": gate, "up": up},
            {"y": (half(y), HALF_STEP)},
            cores,
        )


def bias_gelu(fixtures):
    for m, n, cores in [(0, 9, 2), (1, 256, 40), (31, 63, 1), (32, 64, 2), (33, 65, 1), (97, 1, 2)]:
        random = Random("ascriptor bias_gelu", m, n)
        x, bias = random.half(m, n, scale=3.0), random.float(n)
        z = double(x) + double(bias)
        y = 0.5 * z * (1 + np.tanh(0.79788456 * (z + 0.044715 * z**3)))
        fixtures.add(
            "gallery/bias_gelu/kernel",
            "bias_gelu",
            f"m{m}_n{n}",
            {},
            {"x": x, "bias": bias},
            {"y": (half(y), {"atol": 1e-6, "rtol": 2.0**-10})},
            cores,
        )


def rope(fixtures):
    d = 64
    for h, s, cores in [(2, 0, 2), (5, 1, 40), (1, 31, 2), (3, 33, 1), (1, 65, 2)]:
        random = Random("ascriptor rope", h, s)
        x = random.half(h, s, d)
        angle = np.arange(s)[:, None] * 10000.0 ** (-np.arange(d // 2) / (d // 2))
        cos, sin = (f(angle).astype(np.float16).astype(np.float32) for f in (np.cos, np.sin))
        # A pair of columns is a complex number, and the table turns it.
        pairs = double(x)[..., 0::2] + 1j * double(x)[..., 1::2]
        turned = pairs * (double(cos) + 1j * double(sin))
        y = np.stack([turned.real, turned.imag], axis=-1).reshape(h, s, d)
        fixtures.add(
            "rope",
            "rope",
            f"h{h}_s{s}",
            {},
            {"x": x, "cos": cos, "sin": sin},
            {"y": (half(y), {"atol": 1e-6, "rtol": 2.0**-10})},
            cores,
        )


def quantise(fixtures):
    d = 128
    for m, cores in [(0, 2), (1, 40), (65, 1)]:
        x = Random("ascriptor quantise", m).half(m, d)
        x[7:8] = 0
        # Here the scale is 1 and ties are exact.
        x[0:1, :8] = [127, 2.5, -2.5, 3.5, 0.5, -0.5, 126.5, -126.5]
        rows = double(x)
        peak = np.maximum(np.abs(rows).max(axis=1, initial=0), np.float32(1e-4))
        steps = rows * 127 / peak[:, None]
        # Elsewhere a tie would be decided by the rounding of the reciprocal.
        tied = np.abs(steps - np.floor(steps) - 0.5) < 1e-5
        tied[0:1] = False
        x[tied] = 0
        steps[tied] = 0
        fixtures.add(
            "quantise",
            "quantise",
            f"m{m}",
            {},
            {"x": x},
            {
                "q": (np.rint(steps).astype(np.int8), EXACT),
                "scale": (single(peak / 127), FLOAT_STEP),
            },
            cores,
        )


def dequantise(fixtures):
    d = 128
    for m, cores in [(0, 2), (1, 40), (65, 1)]:
        random = Random("ascriptor dequantise", m)
        q = random.integers(-127, 128, m, d, dtype=np.int8)
        scale = fractions(random, 1, 99, m)
        x = half(double(q) * double(scale)[:, None])
        inputs, outputs = {"q": q, "scale": scale}, {"x": (x, EXACT)}
        fixtures.add("quantise", "dequantise", f"m{m}", {}, inputs, outputs, cores)


# ---------------------------------------------------------------- reductions, sorting, loops


def row_sum(fixtures):
    sizes = [(1, 1, 40), (63, 9, 1), (64, 3, 2), (65, 65, 2), (3, 200, 2), (130, 1, 1)]
    for m, n, cores in sizes:
        x = Random("ascriptor row_sum", m, n).float(m, n)
        s = single(double(x).sum(axis=1))
        near = {"atol": 1e-5, "rtol": 1e-6}
        fixtures.add("reductions", "row_sum", f"m{m}_n{n}", {}, {"x": x}, {"s": (s, near)}, cores)


def column_max(fixtures):
    sizes = [(1, 1, 40), (63, 9, 1), (64, 3, 2), (65, 65, 2), (130, 3, 2), (1, 130, 1)]
    for m, n, cores in sizes:
        x = Random("ascriptor column_max", m, n).float(m, n)
        x[:, 0] = -np.abs(x[:, 0]) - 1
        outputs = {"t": (x.max(axis=0), EXACT)}
        fixtures.add("reductions", "column_max", f"m{m}_n{n}", {}, {"x": x}, outputs, cores)


def total(fixtures):
    for m, n, cores in [(1, 1, 8), (63, 65, 2), (129, 9, 1), (2, 128, 3)]:
        random = Random("ascriptor total", m, n)
        x, seed = random.float(m, n), random.float(1)
        s = single(double(seed) + double(x).sum())
        inputs, outputs = {"x": x, "s": seed}, {"s.out": (s, {"atol": 1e-4, "rtol": 1e-6})}
        fixtures.add("reductions", "total", f"m{m}_n{n}", {}, inputs, outputs, cores)
        # What a tensor starts with and what it ends with are two files of one name.
        outputs = fixtures.cases[-1]["outputs"]
        outputs["s"] = outputs.pop("s.out")


def router(fixtures):
    for m, cores in [(0, 2), (1, 40), (15, 2), (16, 1), (17, 1), (50, 2)]:
        # All logits of a row differ, so there is one answer.
        logits = single(Random("ascriptor router", m).permutations(m, 64) * 0.0625)
        order = np.argsort(-logits, axis=1)[:, :8]
        weights = softmax(np.take_along_axis(double(logits), order, axis=1))
        fixtures.add(
            "router",
            "router",
            f"m{m}",
            {},
            {"logits": logits},
            {
                "weights": (single(weights), {"atol": 1e-12, "rtol": 1e-6}),
                "experts": (order.astype(np.int32), EXACT),
            },
            cores,
        )


def segment_mean(fixtures):
    for t, lengths, cores in [(1, [1], 6), (40, [0, 31, 1, 0, 8], 2), (101, [33, 64, 3], 2)]:
        x = Random("ascriptor segment_mean", t).float(t, 64)
        end = np.cumsum(lengths).astype(np.int32)
        begin = (end - np.array(lengths)).astype(np.int32)
        y = np.array([double(x[a:b]).sum(axis=0) / max(b - a, 1) for a, b in zip(begin, end)])
        fixtures.add(
            "ragged",
            "segment_mean",
            f"t{t}",
            {},
            {"x": x, "begin": begin, "end": end},
            {"y": (single(y), {"atol": 1e-6, "rtol": 1e-6})},
            cores,
        )


def nucleus(fixtures):
    for m, n, cores in [(0, 8, 2), (1, 1, 40), (5, 256, 2), (9, 33, 1), (17, 7, 3)]:
        random = Random("ascriptor nucleus", m, n)
        # Multiples of 2^-10: sums are exact, whatever their order.
        probs = random.integers(0, 2049 // n + 2, m, n, dtype=np.int32).astype(np.float32) / 1024
        probs = -np.sort(-probs, axis=1)
        reached = double(probs).cumsum(axis=1) >= 0.75
        keep = np.where(reached.any(axis=1), reached.argmax(axis=1) + 1, n).astype(np.int32)
        inputs, outputs = {"probs": probs}, {"keep": (keep, EXACT)}
        fixtures.add("ragged", "nucleus", f"m{m}_n{n}", {"p": 0.75}, inputs, outputs, cores)


def scalars(fixtures):
    def trunc(a, b):
        return int(a / b)

    def steps(n):
        count = 0
        while n != 1 and count < 50:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    for a, b, x in [(17, 5, 2.5), (-17, 5, 100.0), (17, -5, 30.25), (-3, -3, 1000.0), (0, 7, 0.0)]:
        out = [a + b, a - b, a * b, a // b, a // b, a % b, a // b, trunc(a, b)]
        out += [a - b * trunc(a, b), a % b, a & b, a | b, a ^ b, ~a, -a, a << 3, a >> 2]
        out += [min(a, b), max(a, b), (a * a + 15) // 16, (a * a + 15) // 16 * 16]
        out += [(a * a + 63) // 64 * 64, 7 - a, 100 // b, a < b, -10 <= a < 10]
        out += [a > 0 and b > 0, a > 0 or b > 0, a != b, max(a, b, 0), max(a, b, 5), abs(a)]
        out += [((a + 7 - b) * 3 // 2) % 100, int(2 * x), 9 + 7 + 5 + 3, steps(27), steps(6), 2]
        out += [int(np.sqrt(x)), 1 if a == b or x > 100 else 2 if x > 10 else 3]
        values = {"a": a, "b": b, "x": x}
        expected = {"out": (np.array(out, dtype=np.int32), EXACT)}
        fixtures.add("scalars", "scalars", f"a{a}_b{b}", values, {}, expected, 1)


def transpose(fixtures):
    for m, n, cores in [(1, 1, 40), (16, 128, 2), (17, 130, 1)]:
        x = Random("ascriptor transpose", m, n).half(m, n)
        outputs = {"y": (np.ascontiguousarray(x.T), EXACT), "first": (x[:, 0].copy(), EXACT)}
        fixtures.add("transpose", "transpose", f"m{m}_n{n}", {}, {"x": x}, outputs, cores)


def head_mean(fixtures):
    for b, h, s, cores in [(1, 1, 1, 40), (2, 3, 9, 2), (3, 2, 5, 1), (1, 1, 65, 1)]:
        x = Random("ascriptor head_mean", b, h, s).float(b * h, s, 64)
        y = double(x).reshape(b, h, s, 64).mean(axis=1).reshape(b * s, 64)
        fixtures.add(
            "head_mean",
            "head_mean",
            f"b{b}_h{h}_s{s}",
            {"B": b},
            {"x": x},
            {"y": (single(y), {"atol": 1e-6, "rtol": 1e-6})},
            cores,
        )


# ---------------------------------------------------------------- products and convolutions


def batched_matmul(fixtures):
    sizes = [(1, 1, 63, 17, 20), (1, 65, 3, 129, 2), (1, 128, 2, 16, 2), (3, 2, 129, 1, 2)]
    for nb, m, n, k, cores in sizes + [(1, 3, 5, 257, 1), (5, 4, 64, 16, 2), (1, 130, 7, 33, 1)]:
        random = Random("ascriptor batched_matmul", nb, m, n, k)
        lhs, rhs = random.half(nb, m, k), random.half(nb, k, n)
        fixtures.add(
            "batched_matmul",
            "batched_matmul",
            f"b{nb}_m{m}_n{n}_k{k}",
            {},
            {"lhs": lhs, "rhs": rhs},
            {"out": (half(double(lhs) @ double(rhs)), {"atol": 1e-5, "rtol": 2.0**-10})},
            cores,
        )


def linear_w8a8(fixtures):
    sizes = [(1, 63, 64, 20), (65, 67, 33, 2), (63, 1, 32, 2), (128, 3, 33, 2), (3, 5, 577, 2)]
    for m, n, k, cores in sizes + [(130, 2, 65, 1), (2, 385, 1, 2), (7, 2, 300, 1)]:
        random = Random("ascriptor linear_w8a8", m, n, k)
        xq = random.integers(-128, 128, m, k, dtype=np.int8)
        wq = random.integers(-128, 128, n, k, dtype=np.int8)
        sx, sw = fractions(random, 1, 9, m) / 64, fractions(random, 1, 9, n) / 64
        acc = np.einsum("mk,nk->mn", xq.astype(np.int32), wq.astype(np.int32))
        y = double(acc) * double(sx)[:, None] * double(sw)
        fixtures.add(
            "linear_w8a8",
            "linear_w8a8",
            f"m{m}_n{n}_k{k}",
            {},
            {"xq": xq, "wq": wq, "sx": sx, "sw": sw},
            {"y": (half(y), HALF_STEP)},
            cores,
        )


def grouped_matmul(fixtures):
    for sizes, cores in [((65, 0, 3), 2)]:
        random = Random("ascriptor grouped_matmul", sizes)
        w = random.half(3, 64, 128)
        inputs, outputs = {"w": w}, {}
        for e, n in enumerate(sizes):
            x = inputs[f"xs[{e}]"] = random.half(n, 128)
            y = single(double(x) @ double(w[e]).T)
            outputs[f"ys[{e}]"] = (y, {"atol": 1e-5, "rtol": 1e-6})
        name = "n" + "_".join(map(str, sizes))
        fixtures.add("grouped_matmul", "grouped_matmul", name, {}, inputs, outputs, cores)


def conv3x3(fixtures):
    for h, w, cores in [(4, 67, 1)]:
        random = Random("ascriptor conv3x3", h, w)
        x, wt, bias = random.half(h, w, 32), random.half(9, 64, 32), random.float(1, 64)
        taps = double(wt).reshape(3, 3, 64, 32)
        y = np.zeros((h - 2, w - 2, 64)) + double(bias)
        for i in range(h - 2):
            for j in range(w - 2):
                y[i, j] += np.einsum("abc,aboc->o", double(x)[i : i + 3, j : j + 3], taps)
        fixtures.add(
            "conv3x3",
            "conv3x3",
            f"h{h}_w{w}",
            {},
            {"x": x, "wt": wt, "bias": bias},
            {"y": (half(np.maximum(y, 0)), {"atol": 2e-5, "rtol": 2.0**-10})},
            cores,
        )


def causal_conv(fixtures):
    sizes = [(1, 1, 40), (2, 9, 1), (3, 128, 2), (63, 7, 1), (64, 3, 2), (66, 65, 2), (131, 8, 1)]
    for n, d, cores in sizes:
        random = Random("ascriptor causal_conv", n, d)
        x, wt, bias = random.half(n, d), random.float(4, d), random.float(d)
        padded = np.concatenate([np.zeros((3, d)), double(x)])
        z = double(bias) + sum(padded[w : w + n] * double(wt[w]) for w in range(4))
        fixtures.add(
            "causal_conv",
            "causal_conv",
            f"l{n}_d{d}",
            {},
            {"x": x, "wt": wt, "bias": bias},
            {"y": (half(z / (1 + np.exp(-z))), {"atol": 1e-6, "rtol": 2.0**-10})},
            cores,
        )


KERNELS = [
    adamw,
    batched_matmul,
    bias_gelu,
    block_causal,
    causal_conv,
    column_max,
    conv3x3,
    cosine,
    dequantise,
    flash_attention,
    gated_delta,
    grouped_matmul,
    head_mean,
    layer_norm,
    linear_w8a8,
    mla_decode,
    nucleus,
    quantise,
    rms_norm,
    rope,
    router,
    row_softmax,
    row_sum,
    scalars,
    segment_mean,
    swiglu,
    total,
    transpose,
]


def main():
    fixtures = shared.Fixtures()
    for kernel in KERNELS:
        shutil.rmtree(ROOT / kernel.__name__, ignore_errors=True)
        kernel(fixtures)
    lines = ",\n".join(json.dumps(case) for case in fixtures.cases)
    (ROOT / "cases.json").write_text(f"[\n{lines}\n]\n")
    size = sum(path.stat().st_size for path in ROOT.rglob("*.npy"))
    print(f"{len(fixtures.cases)} cases, {size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
