"""Writes the fixtures of `tests/golden.rs`: inputs and expected outputs of the kernels.

    python tests/golden/generate.py                (needs numpy and nothing else)
    python tests/golden/generate.py --exact FOLDER (outputs as they are before they are rounded)

Every reference below says what a kernel means, not how it does it: plain softmax, plain attention,
`np.argsort`. It is computed in float64 from the inputs as they are stored and rounded once, to the
type of the output. What a kernel loses on its way (float32 sums, probabilities rounded to half) is
the business of the tolerances, which stand beside each output in `cases.json`:

    |actual - expected| <= atol + rtol * |expected|

An output without tolerances has to match exactly. Sizes cover 0, 1, 63, 64, 65 and 127 modulo 128,
and launches have few cores, so that small tensors already make more tiles than there are cores. Where a
kernel has two free sizes, one case has an awkward remainder in both and the others are thin.

Files hold plain arrays. bfloat16 is stored as its bit pattern (uint16). A float32 tensor whose
values all fit into half is stored as float16 to keep the repository small; readers convert.
"""

import json
import shutil
import sys
import zlib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent

DTYPES = {
    np.dtype(np.float16): "half",
    np.dtype(np.float32): "float",
    np.dtype(np.int8): "int8",
    np.dtype(np.int32): "int",
    np.dtype(np.uint8): "uint8",
    np.dtype(np.uint16): "bfloat16",
}

# Tolerances.  Half and float32 keep 11 and 24 bits: these are one step of the
# type, for results that the kernel computes more precisely than it stores.
HALF_STEP = {"atol": 6e-8, "rtol": 2.0**-10}
FLOAT_STEP = {"atol": 0.0, "rtol": 2.0**-23}
EXACT = {"atol": 0.0, "rtol": 0.0}


class Fixtures:
    """Collects cases and writes their arrays."""

    def __init__(self):
        self.cases = []

    def add(self, file, kernel, name, scalars, inputs, outputs, cores=2):
        """`outputs` maps names to (array, tolerances)."""
        folder = ROOT / kernel / name
        folder.mkdir(parents=True)
        self.cases.append(
            {
                "kernel": kernel,
                "file": f"{file}.py",
                "case": name,
                "cores": cores,
                "scalars": scalars,
                "inputs": {key: store(folder, key, array) for key, array in inputs.items()},
                "outputs": {
                    key: store(folder, key, array) | tolerances
                    for key, (array, tolerances) in outputs.items()
                },
            }
        )


def store(folder, name, array):
    dtype = DTYPES[array.dtype]
    assert np.isfinite(array).all(), f"{folder.name}: {name}"
    if dtype == "float":
        with np.errstate(over="ignore"):
            narrow = array.astype(np.float16)
        if np.array_equal(narrow.astype(np.float32), array):
            array = narrow
    np.save(folder / f"{name}.npy", np.ascontiguousarray(array))
    return {"dtype": dtype, "shape": list(array.shape)}


class Random:
    """Reproducible inputs; the stream depends on the case alone."""

    def __init__(self, *key):
        self.state = np.random.RandomState(zlib.crc32(repr(key).encode()))

    def half(self, *shape, scale=1.0):
        return (self.state.standard_normal(shape) * scale).astype(np.float16)

    def float(self, *shape):
        """float32 values with no more digits than half."""
        return self.half(*shape).astype(np.float32)

    def bfloat16(self, *shape):
        """Bit patterns; truncation of a normal value is a value like any other."""
        bits = self.state.standard_normal(shape).astype(np.float32).view(np.uint32)
        return (bits >> 16).astype(np.uint16)

    def integers(self, low, high, *shape, dtype):
        return self.state.randint(low, high, shape).astype(dtype)

    def permutations(self, rows, n):
        """Each row holds 0 .. n-1 in another order."""
        order = [self.state.permutation(n) for _ in range(rows)]
        return np.array(order, dtype=np.int64).reshape(rows, n)


def double(array):
    """The values of a stored array."""
    if array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def half(values):
    return values.astype(np.float16)


def single(values):
    return values.astype(np.float32)


# Row counts of kernels whose tiles have 128 rows, with the number of cores.
ROWS = [(0, 2), (1, 20), (63, 2), (64, 2), (65, 2), (127, 3), (128, 2), (129, 1)]
# For kernels whose lanes work alone: one row, one more than a tile, and a tile that one core repeats.
FEW_ROWS = [(0, 2), (1, 20), (33, 2), (65, 1)]


# ---------------------------------------------------------------- normalisation


def layer_norm(fixtures):
    d, eps = 128, 1e-5
    for m, cores in ROWS:
        random = Random("layer_norm", m)
        x, gamma, beta = random.half(m, d), random.half(1, d), random.half(1, d)
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


def rms_norm(fixtures):
    eps = 1e-6
    sizes = [(0, 32, 2), (1, 256, 20), (63, 64, 2), (64, 16, 2), (65, 128, 2), (127, 16, 2)]
    for m, d, cores in sizes + [(128, 32, 1), (193, 16, 2), (7, 240, 1)]:
        random = Random("rms_norm", m, d)
        x, w = random.half(m, d), random.float(d)
        x[4:5] = 0
        rows = double(x)
        y = rows / np.sqrt(np.square(rows).mean(axis=1, keepdims=True) + eps) * double(w)
        fixtures.add(
            "rms_norm",
            "rms_norm",
            f"m{m}_d{d}",
            {"M": m, "D": d, "inv_d": 1.0 / d, "eps": eps},
            {"x": x, "w": w},
            {"y": (half(y), HALF_STEP)},
            cores,
        )


def online_softmax(fixtures):
    # Columns come in eights: 0, 8, 56, 64, 72 and 120 modulo 128.
    sizes = [(0, 8, 2), (1, 8, 20), (63, 8, 2), (64, 16, 2), (65, 120, 2), (127, 8, 2)]
    sizes += [(128, 16, 1), (2, 56, 2), (5, 64, 2), (6, 72, 2), (3, 128, 2), (4, 640, 2)]
    for m, n, cores in sizes + [(9, 248, 2), (257, 8, 2)]:
        x = Random("online_softmax", m, n).half(m, n, scale=4.0)
        x[2:3] += np.float16(512)  # exp of this alone would overflow
        x = single(x)
        powers = np.exp(double(x) - double(x).max(axis=1, keepdims=True))
        y = powers / powers.sum(axis=1, keepdims=True)
        fixtures.add(
            "online_softmax",
            "online_softmax",
            f"m{m}_n{n}",
            {"M": m, "N": n},
            {"x": x},
            {"y": (single(y), {"atol": 1e-12, "rtol": 1e-6})},
            cores,
        )


# ---------------------------------------------------------------- elementwise

PLANES = [(0, 5, 2), (1, 1, 20), (63, 127, 2), (64, 3, 2), (65, 2, 2), (127, 8, 2), (128, 1, 2)]
PLANES += [(2, 63, 2), (1, 64, 2), (4, 65, 2), (2, 128, 2), (3, 257, 2), (130, 2, 1)]


def gelu(fixtures):
    for m, n, cores in PLANES:
        x = Random("gelu", m, n).half(m, n, scale=3.0)
        extremes = np.array([0.0, 20.0, -20.0, 65504.0, -65504.0, 6e-8], dtype=np.float16)
        if n > len(extremes):
            x[m // 2 : m // 2 + 1, : len(extremes)] = extremes
        v = double(x)
        y = 0.5 * v * (1 + np.tanh(np.sqrt(2 / np.pi) * (v + 0.044715 * v**3)))
        fixtures.add(
            "elementwise_chain",
            "gelu",
            f"m{m}_n{n}",
            {"M": m, "N": n},
            {"x": x},
            {"y": (half(y), HALF_STEP)},
            cores,
        )


def swiglu(fixtures):
    for m, n, cores in PLANES:
        random = Random("swiglu", m, n)
        gate, up = random.half(m, n, scale=3.0), random.half(m, n)
        if n > 3:
            gate[m // 2 : m // 2 + 1, :3] = [-1000, 1000, -88]
        with np.errstate(over="ignore"):
            y = double(gate) / (1 + np.exp(-double(gate))) * double(up)
        fixtures.add(
            "elementwise_chain",
            "swiglu",
            f"m{m}_n{n}",
            {"M": m, "N": n},
            {"gate": gate, "up": up},
            {"y": (half(y), HALF_STEP)},
            cores,
        )


def rope(fixtures):
    d = 128
    sizes = [(0, 2, 2), (1, 5, 20), (63, 1, 2), (64, 1, 2), (65, 1, 2), (127, 1, 2), (128, 1, 2)]
    for m, h, cores in sizes + [(129, 1, 1), (5, 4, 2)]:
        random = Random("rope", m, h)
        x = random.half(m, h, d)
        angle = np.arange(m)[:, None] * 10000.0 ** (-np.arange(d // 2) / (d // 2))
        cos, sin = (f(angle).astype(np.float16).astype(np.float32) for f in (np.cos, np.sin))
        # A pair of columns is a complex number, and the table turns it.
        turned = (double(x)[..., :64] + 1j * double(x)[..., 64:]) * (double(cos) + 1j * double(sin))[:, None]
        y = np.concatenate([turned.real, turned.imag], axis=-1)
        fixtures.add(
            "rope",
            "rope",
            f"m{m}_h{h}",
            {"M": m, "H": h},
            {"x": x, "cos": cos, "sin": sin},
            {"y": (half(y), {"atol": 1e-6, "rtol": 2.0**-10})},
            cores,
        )


def quantize_rows(fixtures):
    d = 128
    for m, cores in ROWS:
        x = Random("quantize_rows", m).half(m, d)
        x[7:8] = 0
        # Here the scale is 1 and ties are exact.
        x[0:1, :8] = [127, 2.5, -2.5, 3.5, 0.5, -0.5, 126.5, -126.5]
        rows = double(x)
        peak = np.abs(rows).max(axis=1, initial=0)
        peak[peak == 0] = 127
        steps = rows * 127 / peak[:, None]
        # Elsewhere a tie would be decided by the rounding of the reciprocal.
        tied = np.abs(steps - np.floor(steps) - 0.5) < 1e-5
        tied[0:1] = False
        x[tied] = 0
        steps[tied] = 0
        fixtures.add(
            "quantize",
            "quantize_rows",
            f"m{m}",
            {"M": m},
            {"x": x},
            {
                "q": (np.rint(steps).astype(np.int8), EXACT),
                "scale": (single(peak / 127), FLOAT_STEP),
            },
            cores,
        )


# ---------------------------------------------------------------- reductions, gathers, sorting


def row_stats(fixtures):
    for m, cores in ROWS:
        x = Random("row_stats", m).half(m, 200)
        x[1:2] = -np.abs(x[1:2]) - 1  # a masked zero would win this maximum
        x = single(x)
        mean = double(x).sum(axis=1) / 200
        fixtures.add(
            "reduce_columns",
            "row_stats",
            f"m{m}",
            {"M": m},
            {"x": x},
            {
                "mean": (single(mean), {"atol": 2e-8, "rtol": 2.5e-7}),
                "peak": (x.max(axis=1, initial=-np.inf), EXACT),
            },
            cores,
        )


def segment_range(fixtures):
    for m, cores in ROWS:
        x = Random("segment_range", m).half(m, 128)
        x[1:2] = -np.abs(x[1:2]) - 1
        x[2:3] = np.abs(x[2:3]) + 1
        fixtures.add(
            "reduce_columns",
            "segment_range",
            f"m{m}",
            {"M": m},
            {"x": x},
            {
                "top": (x[:, :80].max(axis=1, initial=-np.inf), EXACT),
                "bottom": (x[:, 80:].min(axis=1, initial=np.inf), EXACT),
            },
            cores,
        )


def group_norm(fixtures):
    eps = 1e-5
    for m, cores in FEW_ROWS:
        x = Random("group_norm", m).float(m, 128)
        x[3:4, :64] = 2.5  # no variance in one of the groups
        x[5:6] *= 100
        groups = double(x).reshape(m, 2, 64)
        deviation = np.sqrt(groups.var(axis=2, keepdims=True) + eps)
        y = ((groups - groups.mean(axis=2, keepdims=True)) / deviation).reshape(m, 128)
        fixtures.add(
            "group_norm",
            "group_norm",
            f"m{m}",
            {"M": m, "eps": eps},
            {"x": x},
            {"y": (single(y), {"atol": 1e-6, "rtol": 1e-6})},
            cores,
        )


def softmax_backward(fixtures):
    for m, cores in FEW_ROWS:
        random = Random("softmax_backward", m)
        y, dy = np.abs(random.float(m, 64)), random.float(m, 64)
        dx = double(y) * (double(dy) - (double(y) * double(dy)).sum(axis=1, keepdims=True))
        fixtures.add(
            "group_norm",
            "softmax_backward",
            f"m{m}",
            {"M": m},
            {"y": y, "dy": dy},
            {"dx": (single(dx), {"atol": 2e-5, "rtol": 1e-6})},
            cores,
        )


def online_moments(fixtures):
    sizes = [(0, 64, 2), (1, 64, 20), (33, 192, 2), (65, 64, 1), (127, 64, 2), (2, 1024, 2)]
    for m, n, cores in sizes:
        x = Random("online_moments", m, n).float(m, n)
        x[1:2] += 8
        rows = double(x)
        peaks = rows.reshape(m, n // 64, 64).max(axis=2)
        jump = np.abs(np.diff(peaks, axis=1)).max(axis=1, initial=0.0)
        fixtures.add(
            "online_moments",
            "online_moments",
            f"m{m}_n{n}",
            {"M": m, "N": n, "inv_n": 1.0 / n},
            {"x": x},
            {
                "mean": (single(rows.mean(axis=1)), {"atol": 1e-6, "rtol": 1e-6}),
                "var": (single(rows.var(axis=1)), {"atol": 1e-6, "rtol": 2e-6}),
                "least": (x.min(axis=1), EXACT),
                "most": (x.max(axis=1), EXACT),
                "jump": (single(jump), EXACT),
            },
            cores,
        )


def tile_trend(fixtures):
    sizes = [(0, 64, 2), (1, 64, 20), (33, 192, 2), (65, 128, 1), (127, 64, 2), (2, 1024, 2)]
    for m, n, cores in sizes:
        x = Random("tile_trend", m, n).float(m, n)
        sums = double(x).reshape(m, n // 64, 64).sum(axis=2)
        history = np.concatenate([np.zeros((m, 3)), sums], axis=1)
        floor = np.maximum.accumulate(np.concatenate([np.zeros((m, 1)), sums], axis=1), axis=1)
        near = {"atol": 2e-5, "rtol": 1e-6}
        fixtures.add(
            "tile_trend",
            "tile_trend",
            f"m{m}_n{n}",
            {"M": m, "N": n},
            {"x": x},
            {
                "last": (single(sums[:, -1]), near),
                "moving": (single(history[:, -4:].mean(axis=1)), near),
                "top": (single(sums.max(axis=1)), near),
                "gain": (single((sums - floor[:, :-1]).max(axis=1, initial=0.0)), near),
                "turn": (single(history[:, -1] - 2 * history[:, -2] + history[:, -3]), near),
            },
            cores,
        )


def group_scales(fixtures):
    for m, cores in FEW_ROWS:
        x = Random("group_scales", m).float(m, 64)
        peaks = np.abs(double(x)).reshape(m, 4, 16).max(axis=2) / 127
        near = {"atol": 0.0, "rtol": 2.0**-22}
        outputs = {f"scale{g}": (single(peaks[:, g]), near) for g in range(4)}
        fixtures.add(
            "channel_groups", "group_scales", f"m{m}", {"M": m}, {"x": x}, outputs, cores
        )


def group_means(fixtures):
    edges = [0, 40, 64, 100, 128]
    for m, cores in FEW_ROWS:
        x = Random("group_means", m).float(m, 128)
        parts = [double(x)[:, a:b].mean(axis=1) for a, b in zip(edges, edges[1:])]
        near = {"atol": 1e-6, "rtol": 1e-6}
        outputs = {f"mean{g}": (single(part), near) for g, part in enumerate(parts)}
        fixtures.add(
            "channel_groups", "group_means", f"m{m}", {"M": m}, {"x": x}, outputs, cores
        )


def band_energy(fixtures):
    for m, cores in FEW_ROWS:
        x = Random("band_energy", m).float(m, 64)
        power = 2 * double(x) ** 2
        near = {"atol": 2e-6, "rtol": 5e-7}
        fixtures.add(
            "band_stats",
            "band_energy",
            f"m{m}",
            {"M": m},
            {"x": x},
            {
                "low": (single(power[:, :6].sum(axis=1)), near),
                "mid": (single(power[:, 6:25].sum(axis=1)), near),
                "high": (single(power[:, 25:].sum(axis=1)), near),
            },
            cores,
        )


def band_peaks(fixtures):
    for m, cores in FEW_ROWS:
        x = Random("band_peaks", m).half(m, 128)
        x[1:2] = -np.abs(x[1:2]) - 1
        fixtures.add(
            "band_stats",
            "band_peaks",
            f"m{m}",
            {"M": m},
            {"x": x},
            {
                "dc": (x[:, :3].max(axis=1, initial=-np.inf), EXACT),
                "voice": (x[:, 3:70].max(axis=1, initial=-np.inf), EXACT),
                "hiss": (x[:, 70:].min(axis=1, initial=np.inf), EXACT),
            },
            cores,
        )


def gate_bands(fixtures):
    for m, cores in FEW_ROWS:
        x = Random("gate_bands", m).float(m, 64)
        y = x.copy()
        y[:, 6:25] *= np.float32(0.25)
        y[:, 25:] = np.clip(y[:, 25:], -1.5, 1.5)
        scalars = {"M": m, "gain": 0.25, "limit": 1.5}
        fixtures.add(
            "band_stats", "gate_bands", f"m{m}", scalars, {"x": x}, {"y": (y, EXACT)}, cores
        )


def gather_rows(fixtures):
    for (m, cores), r in zip(ROWS, [3, 1, 17, 64, 5, 50, 65, 33]):
        random = Random("gather_rows", m)
        table = random.half(r, 128)
        index = random.integers(-2, r + 2, m, dtype=np.int32)
        fixtures.add(
            "gather_rows",
            "gather_rows",
            f"m{m}_r{r}",
            {"M": m, "R": r},
            {"table": table, "index": index},
            {"y": (table[np.clip(index, 0, r - 1)], EXACT)},
            cores,
        )


def permute_columns(fixtures):
    for m, cores in ROWS:
        random = Random("permute_columns", m)
        x = random.float(m, 128)
        perm = random.integers(-3, 131, 128, dtype=np.int32)
        fixtures.add(
            "gather_rows",
            "permute_columns",
            f"m{m}",
            {"M": m},
            {"x": x, "perm": perm},
            {"y": (x[:, np.clip(perm, 0, 127)], EXACT)},
            cores,
        )


def topk_rows(fixtures):
    sizes = [(0, 40, 2), (1, 333, 20), (63, 64, 2), (64, 33, 2), (65, 32, 2), (127, 63, 2)]
    for m, n, cores in sizes + [(128, 32, 1), (3, 65, 2), (5, 127, 2), (17, 128, 2), (2, 513, 2)]:
        # All values of a row differ, so there is one answer.
        x = single(Random("topk_rows", m, n).permutations(m, n) * 0.25 - n / 8)
        order = np.argsort(-x, axis=1)[:, :32]
        fixtures.add(
            "topk",
            "topk_rows",
            f"m{m}_n{n}",
            {"M": m, "N": n},
            {"x": x},
            {
                "values": (np.take_along_axis(x, order, axis=1), EXACT),
                "columns": (order.astype(np.int32), EXACT),
            },
            cores,
        )


def causal_mask(fixtures):
    scale = 0.08838834764831845
    sizes = [(0, 3, 2), (1, 1, 20), (63, 4, 2), (64, 3, 2), (65, 127, 2), (127, 8, 2), (128, 1, 1)]
    sizes += [(2, 63, 2), (3, 64, 2), (4, 65, 2), (1, 128, 2), (2, 257, 2), (5, 383, 2), (300, 4, 2)]
    for m, n, cores in sizes:
        scores = Random("causal_mask", m, n).float(m, n)
        scaled = single(double(scores) * double(single(np.array(scale))))
        visible = np.tri(m, n, n - m, dtype=bool)
        fixtures.add(
            "causal_mask",
            "causal_mask",
            f"m{m}_n{n}",
            {"M": m, "N": n, "scale": scale},
            {"scores": scores},
            {"masked": (np.where(visible, scaled, single(np.array(-1e30))), EXACT)},
            cores,
        )


def huber_grad(fixtures):
    for m, cores in FEW_ROWS:
        random = Random("huber_grad", m)
        p, t = random.float(m, 128), random.float(m, 128)
        t[2:3] = p[2:3]
        d = single(double(p) - double(t))
        g = np.where(np.abs(d) <= np.float32(0.75), d, np.sign(d) * np.float32(0.75))
        scalars = {"M": m, "delta": 0.75}
        inputs, outputs = {"p": p, "t": t}, {"g": (g, EXACT)}
        fixtures.add("piecewise", "huber_grad", f"m{m}", scalars, inputs, outputs, cores)


def shrink(fixtures):
    for m, cores in FEW_ROWS:
        x = Random("shrink", m).float(m, 128)
        y = single(np.sign(double(x)) * np.maximum(np.abs(double(x)) - 0.5, 0))
        scalars = {"M": m, "lam": 0.5}
        fixtures.add(
            "piecewise", "shrink", f"m{m}", scalars, {"x": x}, {"y": (y, EXACT)}, cores
        )


def masked_fill(fixtures):
    for m, cores in FEW_ROWS:
        random = Random("masked_fill", m)
        x, keep = random.float(m, 128), random.integers(0, 256, m, 16, dtype=np.uint8)
        bits = np.unpackbits(keep, axis=1, bitorder="little").astype(bool)
        y = np.where(bits, x, np.float32(-100))
        scalars = {"M": m, "fill": -100.0}
        inputs, outputs = {"x": x, "keep": keep}, {"y": (y, EXACT)}
        fixtures.add("piecewise", "masked_fill", f"m{m}", scalars, inputs, outputs, cores)


# ---------------------------------------------------------------- products


def int8_matmul(fixtures):
    sizes = [(1, 63, 64, 20), (65, 127, 129, 2), (63, 1, 32, 2), (64, 5, 127, 2), (127, 2, 63, 2)]
    sizes += [(128, 3, 33, 2), (2, 64, 128, 2), (3, 65, 1, 2), (4, 128, 65, 2), (3, 5, 1151, 2)]
    sizes += [(257, 2, 65, 2), (2, 385, 1, 2), (129, 3, 32, 1), (7, 2, 512, 2)]
    for m, n, k, cores in sizes:
        random = Random("int8_matmul", m, n, k)
        a = random.integers(-128, 128, m, k, dtype=np.int8)
        b = random.integers(-128, 128, n, k, dtype=np.int8)
        fixtures.add(
            "int8_matmul",
            "int8_matmul",
            f"m{m}_n{n}_k{k}",
            {"M": m, "N": n, "K": k},
            {"a": a, "b": b},
            {"c": (np.einsum("mk,nk->mn", a.astype(np.int32), b.astype(np.int32)), EXACT)},
            cores,
        )


def matmul_splitk(fixtures):
    sizes = [(1, 63, 127, 20), (65, 127, 64, 2), (63, 2, 16, 2), (64, 1, 65, 2), (127, 3, 63, 2)]
    sizes += [(128, 5, 16, 2), (3, 64, 129, 2), (2, 65, 193, 2), (4, 128, 17, 2), (2, 3, 704, 2)]
    sizes += [(257, 2, 17, 2), (3, 300, 32, 2), (130, 5, 16, 1), (4, 7, 511, 2), (5, 2, 128, 2)]
    for m, n, k, cores in sizes:
        random = Random("matmul_splitk", m, n, k)
        a, b = random.half(m, k), random.half(k, n)
        fixtures.add(
            "matmul_splitk",
            "matmul_splitk",
            f"m{m}_n{n}_k{k}",
            {"M": m, "N": n, "K": k},
            {"a": a, "b": b},
            {"c": (single(double(a) @ double(b)), {"atol": 2e-5, "rtol": 1e-6})},
            cores,
        )


def matmul_splitn(fixtures):
    sizes = [(1, 449, 17, 20), (65, 127, 65, 2), (63, 2, 16, 2), (64, 1, 24, 2), (127, 3, 64, 2)]
    sizes += [(128, 5, 16, 2), (2, 63, 127, 2), (3, 64, 63, 2), (4, 65, 128, 2), (3, 128, 33, 2)]
    sizes += [(2, 256, 64, 2), (257, 3, 32, 2), (5, 513, 17, 1), (2, 3, 1023, 2), (1, 2, 129, 2)]
    for m, n, k, cores in sizes:
        random = Random("matmul_splitn", m, n, k)
        a, b = random.bfloat16(m, k), random.bfloat16(n, k)
        fixtures.add(
            "matmul_splitn",
            "matmul_splitn",
            f"m{m}_n{n}_k{k}",
            {"M": m, "N": n, "K": k},
            {"a": a, "b": b},
            {"c": (half(double(a) @ double(b).T), {"atol": 1e-5, "rtol": 2.0**-10})},
            cores,
        )


def gated_matmul(fixtures):
    sizes = [(1, 63, 127, 20), (65, 127, 16, 2), (63, 2, 257, 2), (64, 64, 128, 2), (127, 3, 65, 2)]
    for m, n, k, cores in sizes + [(3, 130, 129, 1), (129, 5, 17, 2), (2, 64, 400, 2)]:
        random = Random("gated_matmul", m, n, k)
        a, u, v = random.half(m, k), random.half(n, k), random.half(n, k)
        gate, up = double(a) @ double(u).T, double(a) @ double(v).T
        near = {"atol": 3e-5, "rtol": 1e-6}
        fixtures.add(
            "gated_matmul",
            "gated_matmul",
            f"m{m}_n{n}_k{k}",
            {"M": m, "N": n, "K": k},
            {"a": a, "u": u, "v": v},
            {
                "gate": (single(gate), near),
                "up": (single(up), near),
                "total": (single(gate + up), near),
            },
            cores,
        )


def qk_batched(fixtures):
    sizes = [(1, 1, 1, 20), (1, 63, 65, 2), (1, 64, 2, 2), (1, 65, 1, 2), (1, 127, 3, 2), (1, 128, 4, 2)]
    sizes += [(2, 2, 63, 2), (1, 3, 64, 2), (1, 1, 127, 2), (1, 2, 128, 2), (1, 3, 257, 2)]
    sizes += [(5, 4, 7, 2), (1, 129, 5, 1)]
    for bh, s1, s2, cores in sizes:
        random = Random("qk_batched", bh, s1, s2)
        q, k = random.half(bh, s1, 128), random.half(bh, s2, 128)
        scores = np.einsum("bmk,bnk->bmn", double(q), double(k))
        fixtures.add(
            "qk_batched",
            "qk_batched",
            f"b{bh}_m{s1}_n{s2}",
            {"BH": bh, "S1": s1, "S2": s2},
            {"q": q, "k": k},
            {"scores": (single(scores), {"atol": 1e-5, "rtol": 1e-6})},
            cores,
        )


# ---------------------------------------------------------------- cube and vec together


def cube_to_vec_bridge(fixtures):
    sizes = [(1, 63, 64, 20), (65, 127, 129, 2), (63, 1, 16, 2), (64, 3, 63, 2), (127, 2, 65, 2)]
    sizes += [(128, 5, 16, 2), (3, 64, 127, 2), (2, 65, 128, 2), (4, 128, 17, 2), (2, 3, 512, 2)]
    sizes += [(257, 5, 32, 2), (3, 513, 16, 2), (129, 130, 16, 1)]
    for m, n, k, cores in sizes:
        random = Random("cube_to_vec_bridge", m, n, k)
        a, w, bias = random.half(m, k), random.half(n, k), random.float(n) * np.float32(4)
        y = np.maximum(double(a) @ double(w).T + double(bias), 0)
        fixtures.add(
            "cube_to_vec_bridge",
            "cube_to_vec_bridge",
            f"m{m}_n{n}_k{k}",
            {"M": m, "N": n, "K": k},
            {"a": a, "w": w, "bias": bias},
            {"y": (half(y), {"atol": 1e-5, "rtol": 2.0**-10})},
            cores,
        )


def vec_to_cube_bridge(fixtures):
    sizes = [(1, 63, 64, 20), (65, 127, 129, 2), (63, 1, 65, 2), (64, 3, 127, 2), (127, 2, 63, 2)]
    sizes += [(128, 5, 16, 2), (3, 64, 128, 2), (2, 65, 31, 2), (4, 128, 17, 2), (2, 3, 256, 2), (5, 2, 255, 2)]
    sizes += [(257, 5, 16, 2), (33, 193, 31, 1)]
    for m, n, k, cores in sizes:
        random = Random("vec_to_cube_bridge", m, n, k)
        a, scale, b = random.float(m, k), random.float(k), random.half(n, k)
        # The product on the vec side is a half: the cube multiplies no floats here.
        c = double(half(double(a) * double(scale))) @ double(b).T
        fixtures.add(
            "vec_to_cube_bridge",
            "vec_to_cube_bridge",
            f"m{m}_n{n}_k{k}",
            {"M": m, "N": n, "K": k},
            {"a": a, "scale": scale, "b": b},
            {"c": (single(c), {"atol": 1e-5, "rtol": 1e-6})},
            cores,
        )


def flash_attention(fixtures):
    d = 128
    scale = 1 / np.sqrt(d)
    sizes = [(1, 1, 1, 20), (1, 1, 127, 2), (1, 63, 64, 2), (1, 64, 63, 2), (1, 65, 1, 2), (1, 127, 65, 2)]
    for bh, s1, s2, cores in sizes + [(1, 128, 128, 2), (5, 3, 2, 2), (1, 2, 257, 2), (1, 129, 5, 1)]:
        random = Random("flash_attention", bh, s1, s2)
        q, k, v = (random.half(bh, s, d, scale=2.0) for s in (s1, s2, s2))
        scores = scale * np.einsum("bmd,bnd->bmn", double(q), double(k))
        powers = np.exp(scores - scores.max(axis=2, keepdims=True))
        weights = powers / powers.sum(axis=2, keepdims=True)
        out = np.einsum("bmn,bnd->bmd", weights, double(v))
        fixtures.add(
            "flash_attention",
            "flash_attention",
            f"b{bh}_m{s1}_n{s2}",
            {"BH": bh, "S1": s1, "S2": s2, "scale": scale},
            {"q": q, "k": k, "v": v},
            {"out": (half(out), {"atol": 2e-3, "rtol": 2.0**-10})},
            cores,
        )


def softmax(scores):
    """Along the last axis; columns of minus infinity get no weight."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def running_attention(fixtures):
    d, scale = 64, 0.125
    sizes = [(1, 1, 1, 20), (1, 1, 127, 2), (1, 63, 64, 2), (1, 64, 63, 2), (1, 65, 1, 2), (1, 31, 65, 2)]
    for bh, s1, s2, cores in sizes + [(1, 33, 128, 1), (5, 3, 2, 2), (1, 2, 257, 2), (1, 129, 5, 1)]:
        random = Random("running_attention", bh, s1, s2)
        q, k, v = (random.half(bh, s, d, scale=2.0) for s in (s1, s2, s2))
        scores = scale * np.einsum("bmd,bnd->bmn", double(q), double(k))
        out = np.einsum("bmn,bnd->bmd", softmax(scores), double(v))
        fixtures.add(
            "running_attention",
            "running_attention",
            f"b{bh}_m{s1}_n{s2}",
            {"BH": bh, "S1": s1, "S2": s2, "scale": scale},
            {"q": q, "k": k, "v": v},
            {"out": (half(out), {"atol": 2e-3, "rtol": 2.0**-10})},
            cores,
        )


def causal_attention(fixtures):
    d, scale = 64, 0.125
    sizes = [(1, 1, 20), (1, 31, 2), (1, 33, 2), (1, 63, 2), (1, 64, 1), (1, 65, 2), (3, 2, 2)]
    for bh, s, cores in sizes + [(1, 127, 2), (1, 193, 2), (1, 129, 1)]:
        random = Random("causal_attention", bh, s)
        q, k, v = (random.half(bh, s, d, scale=2.0) for _ in range(3))
        scores = scale * np.einsum("bmd,bnd->bmn", double(q), double(k))
        scores = np.where(np.tri(s, dtype=bool), scores, -np.inf)
        out = np.einsum("bmn,bnd->bmd", softmax(scores), double(v))
        fixtures.add(
            "causal_attention",
            "causal_attention",
            f"b{bh}_s{s}",
            {"BH": bh, "S": s, "scale": scale},
            {"q": q, "k": k, "v": v},
            {"out": (half(out), {"atol": 2e-3, "rtol": 2.0**-10})},
            cores,
        )


def mla_decode(fixtures):
    latent, rotary = 128, 64
    scale = 1 / np.sqrt(latent + rotary)
    sizes = [(1, 1, 1, 20), (1, 1, 127, 2), (1, 31, 2, 2), (1, 33, 17, 2), (1, 63, 64, 2), (1, 64, 63, 2)]
    for b, h, s, cores in sizes + [(1, 65, 65, 2), (5, 2, 128, 2), (1, 127, 3, 1), (3, 8, 16, 1)]:
        random = Random("mla_decode", b, h, s)
        q, qr = random.half(b, h, latent), random.half(b, h, rotary)
        c, kr = random.half(b, s, latent), random.half(b, s, rotary)
        scores = np.einsum("bhd,bsd->bhs", double(q), double(c))
        scores += np.einsum("bhd,bsd->bhs", double(qr), double(kr))
        out = np.einsum("bhs,bsd->bhd", softmax(scale * scores), double(c))
        # The probabilities are rounded to half before they are multiplied.
        fixtures.add(
            "mla_decode",
            "mla_decode",
            f"b{b}_h{h}_s{s}",
            {"B": b, "H": h, "S": s, "scale": scale},
            {"q": q, "qr": qr, "c": c, "kr": kr},
            {"out": (single(out), {"atol": 2e-3, "rtol": 2.0**-10})},
            cores,
        )


def chunk_scan(fixtures):
    d = 64
    sizes = [(1, 1, 20), (1, 31, 2), (1, 33, 2), (1, 63, 2), (1, 64, 1), (1, 65, 2), (5, 3, 2)]
    for bh, s, cores in sizes + [(1, 127, 2), (1, 193, 2), (1, 129, 1)]:
        random = Random("chunk_scan", bh, s)
        q, k = (random.half(bh, s, d, scale=0.125) for _ in range(2))
        v = random.half(bh, s, d)
        weights = np.tril(np.einsum("bmd,bnd->bmn", double(q), double(k)))
        out = np.einsum("bmn,bnd->bmd", weights, double(v))
        fixtures.add(
            "chunk_scan",
            "chunk_scan",
            f"b{bh}_s{s}",
            {"BH": bh, "S": s},
            {"q": q, "k": k, "v": v},
            {"out": (half(out), {"atol": 2e-3, "rtol": 2.0**-10})},
            cores,
        )


KERNELS = [
    band_energy,
    band_peaks,
    causal_attention,
    causal_mask,
    chunk_scan,
    cube_to_vec_bridge,
    flash_attention,
    gate_bands,
    gated_matmul,
    gather_rows,
    gelu,
    group_means,
    group_norm,
    group_scales,
    huber_grad,
    int8_matmul,
    layer_norm,
    masked_fill,
    matmul_splitk,
    matmul_splitn,
    mla_decode,
    online_moments,
    online_softmax,
    permute_columns,
    qk_batched,
    quantize_rows,
    rms_norm,
    rope,
    row_stats,
    running_attention,
    segment_range,
    shrink,
    softmax_backward,
    swiglu,
    tile_trend,
    topk_rows,
    vec_to_cube_bridge,
]


def without_rounding(folder):
    """Leaves outputs in float64, and writes them elsewhere."""

    def store_exactly(folder, name, array):
        np.save(folder / f"{name}.npy", np.ascontiguousarray(array))
        return {}

    globals().update(ROOT=Path(folder), half=double, single=double, store=store_exactly)


def main():
    if sys.argv[1:2] == ["--exact"]:
        without_rounding(sys.argv[2])
    fixtures = Fixtures()
    for kernel in KERNELS:
        shutil.rmtree(ROOT / kernel.__name__, ignore_errors=True)
        kernel(fixtures)
    lines = ",\n".join(json.dumps(case) for case in fixtures.cases)
    (ROOT / "cases.json").write_text(f"[\n{lines}\n]\n")
    total = sum(path.stat().st_size for path in ROOT.rglob("*.npy"))
    print(f"{len(fixtures.cases)} cases, {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
