"""Writes the fixtures of the AscendC kernels for `tests/golden.rs`: inputs and expected outputs.

    python tests/ascendc/golden/generate.py        (needs numpy and nothing else)

As in `tests/golden/generate.py`, a reference says what a kernel means and not how it does it; it is computed in float64
from the inputs as they are stored. Tensors are flat, as the kernels see them.
"""

import json
import shutil
import sys
import zlib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parents[1] / "golden"))
from generate import DTYPES, EXACT  # noqa: E402

HALF = {"atol": 1e-6, "rtol": 2e-3}
FLOAT = {"atol": 2e-6, "rtol": 2e-5}

CASES = []


def case(kernel, name, cores, scalars, inputs, outputs, file=None):
    folder = ROOT / kernel / name
    folder.mkdir(parents=True)
    CASES.append(
        {
            "kernel": kernel,
            "file": f"{file or kernel}.cpp",
            "case": name,
            "cores": cores,
            "scalars": scalars,
            "inputs": {key: store(folder, key, array) for key, array in inputs.items()},
            "outputs": {
                # What a kernel updates is stored before and after.
                key: store(folder, f"{key}.out" if key in inputs else key, array) | tolerances
                for key, (array, tolerances) in outputs.items()
            },
        }
    )


def store(folder, name, array):
    array = np.ascontiguousarray(array).reshape(-1)
    np.save(folder / f"{name}.npy", array)
    return {"dtype": DTYPES[array.dtype], "shape": list(array.shape)}


def normal(key, *shape, dtype=np.float32):
    return np.random.default_rng(zlib.crc32(key.encode())).standard_normal(shape).astype(dtype)


def integers(key, low, high, *shape):
    return np.random.default_rng(zlib.crc32(key.encode())).integers(low, high, shape).astype(np.int32)


def single(array):
    return np.asarray(array).astype(np.float32)


def half(array):
    return np.asarray(array).astype(np.float16)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def add_former_tail():
    for total, cores, former, first, last, tile in [
        (2000, 3, 2, 672, 656, 256),
        (640, 2, 1, 336, 304, 128),
        (48, 1, 1, 48, 48, 256),
    ]:
        x, y = normal("a", total, dtype=np.float16), normal("b", total, dtype=np.float16)
        scalars = {
            "tiling.formerNum": former,
            "tiling.formerLength": first,
            "tiling.tailLength": last,
            "tiling.tileLength": tile,
        }
        z = half(x.astype(float) + y)
        case("add_former_tail", f"n{total}", cores, scalars, {"x": x, "y": y}, {"z": (z, EXACT)})


def gelu_rows():
    for rows, cols, cores in [(10, 256, 4), (1, 64, 2), (5, 1024, 3)]:
        x = normal("gelu", rows, cols)
        y = single(x * sigmoid(1.702 * x.astype(float)))
        case("gelu_rows", f"{rows}x{cols}", cores, {"rows": rows, "cols": cols}, {"x": x}, {"y": (y, FLOAT)})


def layer_norm_flags():
    for rows, cores in [(16, 4), (1, 1), (7, 3)]:
        x, gamma, beta = normal("ln", rows, 512), normal("gamma", 512), normal("beta", 512)
        wide = x.astype(float)
        centred = wide - wide.mean(1, keepdims=True)
        y = single(centred / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * gamma + beta)
        inputs = {"x": x, "gamma": gamma, "beta": beta}
        case("layer_norm_flags", f"r{rows}", cores, {"rows": rows}, inputs, {"y": (y, {"atol": 2e-5, "rtol": 2e-5})})


def column_sum():
    for rows, cols, strip in [(24, 256, 64), (1, 64, 64), (65, 128, 32)]:
        x = normal("columns", rows, cols)
        scalars = {"t.rows": rows, "t.cols": cols, "t.strip": strip}
        y = single(x.astype(float).sum(0))
        case("column_sum", f"{rows}x{cols}", cols // strip, scalars, {"x": x}, {"y": (y, {"atol": 1e-5, "rtol": 1e-5})})


def transpose_gather():
    for blocks, cores in [(5, 2), (1, 1)]:
        x = normal("transpose", blocks, 16, 32)
        case("transpose_gather", f"b{blocks}", cores, {"blocks": blocks}, {"x": x}, {"y": (x.transpose(0, 2, 1), EXACT)})


def embedding():
    for per_core, width, words, cores in [(16, 64, 40, 2), (8, 256, 3, 3)]:
        table = normal("table", words, width, dtype=np.float16)
        ids = integers("ids", 0, words, per_core * cores)
        scalars = {"perCore": per_core, "width": width, "vocabulary": words}
        inputs = {"table": table, "ids": ids}
        case("embedding", f"{per_core}x{width}", cores, scalars, inputs, {"out": (table[ids], EXACT)})


def quantize_int8():
    for total, tile, cores, scale in [(2048, 256, 2, 0.05), (512, 512, 1, 0.01)]:
        x = normal("quantize", total)
        scaled = x * (np.float32(1) / np.float32(scale))
        y = np.clip(np.rint(half(scaled).astype(float)), -128, 127).astype(np.int8)
        scalars = {"total": total, "tile": tile, "scale": scale}
        case("quantize_int8", f"n{total}", cores, scalars, {"x": x}, {"y": (y, EXACT)})


def share_of_sum():
    for length, cores in [(64, 2), (200, 1), (8, 3)]:
        x = integers("share", -40, 60, cores, length)
        y = x / x.sum(1, keepdims=True)
        case("share_of_sum", f"n{length}", cores, {"length": length}, {"x": x}, {"y": (single(y), FLOAT)})


def weight_chunks():
    for rows, cols, chunk in [(7, 30, 3), (4, 8, 4), (5, 1, 8)]:
        x, weight = normal("chunks", rows, cols) * np.float32(9), normal("weights", rows)
        y = np.trunc(x * weight[:, None])
        scalars = {"rows": rows, "cols": cols, "chunk": chunk}
        case("weight_chunks", f"r{rows}", 1, scalars, {"x": x, "weight": weight}, {"y": (y, EXACT)})


def tanh_ping_pong():
    for tiles, tile, cores in [(3, 256, 2), (1, 16, 1), (4, 128, 1)]:
        x = normal("tanh", cores * tiles * tile, dtype=np.float16) * np.float16(3)
        y = half(np.tanh(x.astype(float)))
        case("tanh_ping_pong", f"t{tiles}", cores, {"tiles": tiles, "tile": tile}, {"x": x}, {"y": (y, HALF)})


def rotary():
    for heads, cores in [(7, 3), (1, 1)]:
        q, angle = normal("q", heads, 64), normal("angle", heads, 32)
        c, s = single(np.cos(angle)), single(np.sin(angle))
        a, b = q[:, :32].astype(float), q[:, 32:].astype(float)
        out = single(np.concatenate([a * c - b * s, b * c + a * s], 1))
        inputs = {"q": q, "cosine": c, "sine": s}
        case("rotary", f"h{heads}", cores, {"heads": heads}, inputs, {"out": (out, FLOAT)})


def conv1d_rows():
    for rows, width, cores in [(6, 100, 2), (3, 64, 1), (2, 129, 2)]:
        x, w = normal("conv", rows, width + 4), normal("taps", 5)
        y = single(sum(w[k].astype(float) * x[:, k : k + width] for k in range(5)))
        scalars = {"tiling.rows": rows, "tiling.width": width, "tiling.stride": width + 4}
        case("conv1d_rows", f"{rows}x{width}", cores, scalars, {"x": x, "w": w}, {"y": (y, {"atol": 1e-5, "rtol": 1e-5})})


def histogram():
    for per_core, cores in [(256, 2), (64, 3)]:
        ids = integers("bins", 0, 64, per_core * cores)
        counts = np.bincount(ids, minlength=64).astype(np.int32)
        inputs = {"ids": ids, "counts": np.zeros(64, np.int32)}
        case("histogram", f"n{per_core}", cores, {"perCore": per_core}, inputs, {"counts": (counts, EXACT)})


def adamw_step():
    for length, tile, cores in [(350, 128, 2), (64, 64, 1)]:
        total = length * cores
        param, grad, m = normal("param", total), normal("grad", total), normal("m", total)
        v = np.abs(normal("v", total))
        p, g, m1, v1 = (array.astype(float) for array in (param, grad, m, v))
        m1, v1 = 0.9 * m1 + 0.1 * g, 0.99 * v1 + 0.01 * g * g
        p = p * (1 - 0.01 * 0.1) - 0.01 / 0.5 * m1 / (np.sqrt(v1 / 0.25) + 1.0)
        numbers = {"lr": 0.01, "beta1": 0.9, "beta2": 0.99, "eps": 1.0, "decay": 0.1, "correction1": 0.5, "correction2": 0.25}
        scalars = {"data.coreLength": length, "data.tileLength": tile} | {f"data.{k}": x for k, x in numbers.items()}
        inputs = {"param": param, "grad": grad, "m": m, "v": v}
        outputs = {"param": (single(p), FLOAT), "m": (single(m1), FLOAT), "v": (single(v1), FLOAT)}
        case("adamw_step", f"n{length}", cores, scalars, inputs, outputs)


def masked_fill():
    for total, tile, cores in [(2048, 512, 2), (256, 256, 1)]:
        x = normal("fill", total)
        scalars = {"length": total, "tile": tile, "threshold": 0.25, "fill": -1.0}
        case("masked_fill", f"n{total}", cores, scalars, {"x": x}, {"y": (single(np.where(x > 0.25, x, -1)), EXACT)})


def ping_pong():
    for tiles, cores in [(3, 2), (1, 1), (4, 1)]:
        x = normal("pong", cores * tiles * 1024)
        y = x * np.float32(2) + np.float32(1)
        case("ping_pong", f"t{tiles}", cores, {"tiles": tiles}, {"x": x}, {"y": (y, EXACT)})


def static_tensors():
    x, y = normal("left", 2048, dtype=np.float16), normal("right", 2048, dtype=np.float16)
    z = half(x.astype(float) * y)
    case("static_tensors", "two", 2, {}, {"x": x, "y": y}, {"z": (z, EXACT)})


def template_scale():
    for tiles, cores in [(2, 2), (1, 3)]:
        wide = normal("scale", cores * tiles * 512)
        narrow = half(wide)
        factor = np.float32(0.3)
        scalars = {"tiles": tiles, "factor": 0.3}
        y = half(narrow.astype(np.float32) * factor)
        case("scale_half", f"t{tiles}", cores, scalars, {"x": narrow}, {"y": (y, EXACT)}, "template_scale")
        outputs = {"y": (wide * factor, {"atol": 0.0, "rtol": 2e-7})}
        case("scale_float", f"t{tiles}", cores, scalars, {"x": wide}, outputs, "template_scale")


def hard_swish():
    for total, tile, cores in [(1001, 96, 4), (10, 96, 4), (64, 32, 1), (777, 256, 2)]:
        x = normal("swish", total) * np.float32(3)
        wide = x.astype(float)
        y = single(wide * np.clip(wide + 3, 0, 6) / 6)
        case("hard_swish", f"n{total}", cores, {"total": total, "tile": tile}, {"x": x}, {"y": (y, FLOAT)})


def row_max_shift():
    for tiles, cores in [(5, 2), (1, 1)]:
        x = normal("shift", tiles * 8, 64)
        y = x - x.max(1, keepdims=True)
        case("row_max_shift", f"t{tiles}", cores, {"tiles": tiles}, {"x": x}, {"y": (y, EXACT)})


def swiglu():
    for rows, width, block, cores in [(11, 64, 4, 2), (3, 128, 8, 1), (1, 8, 2, 2)]:
        x = normal("glu", rows, 2 * width)
        gate, up = x[:, :width].astype(float), x[:, width:].astype(float)
        scalars = {"t.rows": rows, "t.width": width, "t.block": block}
        y = single(gate * sigmoid(gate) * up)
        case("swiglu", f"{rows}x{width}", cores, scalars, {"x": x}, {"y": (y, FLOAT)})


def bias_mixed():
    for rows, cols, cores in [(5, 128, 2), (1, 16, 1)]:
        x, bias = normal("mixed", rows, cols, dtype=np.float16), normal("bias", cols)
        y = half(x.astype(np.float32) + bias)
        case("bias_mixed", f"{rows}x{cols}", cores, {"rows": rows, "cols": cols}, {"x": x, "bias": bias}, {"y": (y, EXACT)})


def running_sum():
    for rows, cols, mine in [(9, 128, 64), (1, 64, 64), (4, 96, 32)]:
        x = integers("running", -1000, 1000, rows, cols)
        scalars = {"rows": rows, "cols": cols, "mine": mine}
        y = x.cumsum(0).astype(np.int32)
        case("running_sum", f"{rows}x{cols}", cols // mine, scalars, {"x": x}, {"y": (y, EXACT)})


def squared_error():
    for cores in (4, 1):
        a, b = normal("error a", cores, 512), normal("error b", cores, 512)
        out = np.zeros(8, np.float32)
        total = single(np.r_[((a.astype(float) - b) ** 2).sum(), np.zeros(7)])
        inputs = {"a": a, "b": b, "out": out}
        case("squared_error", f"c{cores}", cores, {}, inputs, {"out": (total, {"atol": 0.0, "rtol": 1e-5})})


def masked_repeats():
    x = normal("repeats", 32, 64)
    y = x.copy()
    y[:, :40] += np.float32(1)
    case("masked_repeats", "two", 2, {}, {"x": x}, {"y": (y, EXACT)})


def arg_max():
    x = normal("arg", 16, 128)
    outputs = {"value": (x.max(1), EXACT), "index": (x.argmax(1).astype(np.int32), EXACT)}
    case("arg_max", "two", 2, {}, {"x": x}, outputs)


def concat_columns():
    for rows, wa, wb, block, cores in [(10, 20, 12, 4, 2), (3, 16, 16, 8, 1), (5, 7, 64, 2, 2)]:
        a, b = normal("ca", rows, wa, dtype=np.float16), normal("cb", rows, wb, dtype=np.float16)
        scalars = {"rows": rows, "wa": wa, "wb": wb, "block": block}
        y = np.concatenate([a, b], 1)
        case("concat_columns", f"{rows}x{wa}x{wb}", cores, scalars, {"a": a, "b": b}, {"y": (y, EXACT)})


def wide(array):
    return np.asarray(array).astype(np.float64)


def brain(array):
    """bfloat16 as the sixteen high bits of a float, which is what `half`-sized files hold of it."""
    return (single(array).view(np.uint32) >> 16).astype(np.uint16)


def matmul_queues():
    for m, n, k, cores in [(70, 80, 100, 2), (1, 16, 1, 1), (32, 48, 64, 3), (33, 64, 17, 2)]:
        a, b = normal("mm a", m, k, dtype=np.float16), normal("mm b", k, n, dtype=np.float16)
        c = half(wide(a) @ wide(b))
        inputs, scalars = {"a": a, "b": b}, {"m": m, "n": n, "k": k}
        case("matmul_queues", f"{m}x{n}x{k}", cores, scalars, inputs, {"c": (c, {"atol": 1e-3, "rtol": 2e-3})})


def linear_bias():
    for rows, cores in [(50, 2), (1, 1), (16, 4)]:
        x, w, bias = normal("linear x", rows, 40), normal("linear w", 32, 40), normal("linear bias", 32)
        y = single(np.maximum(wide(x) @ wide(w).T + bias, 0))
        inputs = {"x": x, "w": w, "bias": bias}
        case("linear_bias", f"r{rows}", cores, {"rows": rows}, inputs, {"y": (y, {"atol": 1e-5, "rtol": 1e-5})})


def matmul_int8():
    for batches, cores in [(5, 2), (1, 1), (4, 4)]:
        a = integers("int8 a", -128, 128, batches, 32, 96).astype(np.int8)
        b = integers("int8 b", -128, 128, batches, 64, 96).astype(np.int8)
        c = np.einsum("bmk,bnk->bmn", a.astype(np.int64), b.astype(np.int64)).astype(np.int32)
        case("matmul_int8", f"b{batches}", cores, {"batches": batches}, {"a": a, "b": b}, {"c": (c, EXACT)})


def matmul_transposed():
    for rows, depth, cores in [(90, 80, 2), (1, 32, 1), (64, 96, 2), (17, 33, 1)]:
        a = integers("transposed a", -128, 128, rows, depth).astype(np.int8)
        b = integers("transposed b", -128, 128, depth, 64).astype(np.int8)
        c = (a.astype(np.int64) @ b.astype(np.int64)).astype(np.int32)
        scalars = {"rows": rows, "depth": depth}
        outputs = {"c": (c, EXACT)}
        case("transposed_bytes", f"{rows}x{depth}", cores, scalars, {"a": a, "b": b}, outputs, "matmul_transposed")
    for rows, depth, cores in [(90, 48, 2), (33, 16, 1), (20, 96, 1)]:
        a, b = normal("transposed floats a", rows, depth), normal("transposed floats b", depth, 64)
        outputs = {"c": (single(wide(a) @ wide(b)), {"atol": 1e-5, "rtol": 1e-5})}
        scalars = {"rows": rows, "depth": depth}
        case("transposed_floats", f"{rows}x{depth}", cores, scalars, {"a": a, "b": b}, outputs, "matmul_transposed")


def matmul_strips():
    for rows, cores in [(70, 2), (1, 1), (32, 1), (113, 3)]:
        a, b = normal("strips a", rows, 32, dtype=np.float16), normal("strips b", 48, 32, dtype=np.float16)
        c = half(np.maximum(wide(a) @ wide(b).T, 0)).reshape(rows, 3, 16).transpose(1, 0, 2)
        case("matmul_strips", f"r{rows}", cores, {"rows": rows}, {"a": a, "b": b}, {"c": (c, HALF)})


def gemv_rows():
    x, w = normal("gemv x", 80, dtype=np.float16), normal("gemv w", 80, 64, dtype=np.float16)
    y = single(wide(x) @ wide(w))
    case("gemv_rows", "one", 1, {}, {"x": x, "w": w}, {"y": (y, {"atol": 1e-4, "rtol": 1e-4})})


def product_epilogue():
    for rows, cores in [(150, 2), (17, 1), (64, 2)]:
        a, w = normal("epilogue a", rows, 48, dtype=np.float16), normal("epilogue w", 48, 64, dtype=np.float16)
        shift = normal("epilogue shift", 64)
        workspace = np.zeros(cores * 4096, np.float32)
        y = single(wide(a) @ wide(w) * 0.5 + shift)
        inputs = {"a": a, "w": w, "shift": shift, "workspace": workspace}
        outputs = {"y": (y, {"atol": 1e-4, "rtol": 1e-4})}
        case("product_epilogue", f"r{rows}", cores, {"rows": rows, "scale": 0.5}, inputs, outputs)


def matmul_windows():
    for rows, cores in [(100, 2), (5, 1), (64, 1)]:
        a, b = integers("windows a", -8, 8, rows, 64), integers("windows b", -8, 8, 32, 64)
        c = wide(a) @ wide(b).T
        # Products of few bits have sums of few bits: what bfloat16 keeps of them is rounded to the nearest even.
        bits = single(c).view(np.uint32)
        c = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)
        inputs = {"a": brain(a), "b": brain(b)}
        case("matmul_windows", f"r{rows}", cores, {"rows": rows}, inputs, {"c": (c, EXACT)})


def shapes(m, n, k, single_m, single_n, single_k):
    """The fields of a `TCubeTiling` that say what a product is."""
    names = ["M", "N", "Ka", "Kb", "singleCoreM", "singleCoreN", "singleCoreK"]
    return {f"tiling.{name}": value for name, value in zip(names, [m, n, k, k, single_m, single_n, single_k])}


def matmul_object():
    for m, n, k, single_m, single_n, cores in [(70, 90, 48, 32, 64, 2), (5, 7, 3, 16, 16, 1), (32, 64, 80, 32, 64, 3)]:
        a, b = normal("object a", m, k, dtype=np.float16), normal("object b", k, n, dtype=np.float16)
        bias = normal("object bias", n)
        inputs = {"a": a, "b": b, "bias": bias}
        outputs = {"c": (single(wide(a) @ wide(b) + bias), {"atol": 1e-4, "rtol": 1e-4})}
        case("matmul_object", f"{m}x{n}x{k}", cores, shapes(m, n, k, single_m, single_n, k), inputs, outputs)


def block_order(down, across, order, step_m, step_n):
    """The places of blocks in the order of `Iterate`: `order` is 0 for M first, 1 for N first."""
    if order == 0:
        for first in range(0, across, step_n):
            for row in range(down):
                for column in range(first, min(first + step_n, across)):
                    yield row, column
    else:
        for first in range(0, down, step_m):
            for column in range(across):
                for row in range(first, min(first + step_m, down)):
                    yield row, column


def block_scalars(order, step_m, step_n, base_m, base_n):
    names = {"iterateOrder": order, "stepM": step_m, "stepN": step_n, "baseM": base_m, "baseN": base_n}
    return {f"tiling.{name}": value for name, value in names.items()}


def matmul_blocks():
    base_m, base_n, k = 32, 48, 64
    for m, n, single_m, cores, order, step_m, step_n in [
        (96, 96, 64, 2, 0, 1, 1),
        (90, 150, 48, 2, 0, 2, 2),
        (150, 70, 96, 2, 1, 2, 1),
        (20, 30, 32, 1, 1, 1, 1),
    ]:
        a, b = normal("block_a", m, k, dtype=np.float16), normal("block_b", n, k, dtype=np.float16)
        product = a.astype(float) @ b.astype(float).T
        down, across, size = -(-single_m // base_m), -(-n // base_n), base_m * base_n
        before = normal("blocks", cores * down * across * size)
        after = before.copy()
        for core in range(cores):
            strip = product[core * single_m : (core + 1) * single_m]
            order_of_core = block_order(-(-len(strip) // base_m), across, order, step_m, step_n)
            for at, (row, column) in enumerate(order_of_core):
                block = strip[row * base_m : (row + 1) * base_m, column * base_n : (column + 1) * base_n]
                start = (core * down * across + at) * size
                after[start : start + block.size] = single(block).reshape(-1)
        scalars = shapes(m, n, k, single_m, n, k) | block_scalars(order, step_m, step_n, base_m, base_n)
        outputs = {"c": (after, {"atol": 1e-4, "rtol": 1e-5})}
        case("matmul_blocks", f"{m}x{n}_{order}{step_m}{step_n}", cores, scalars, {"a": a, "b": b, "c": before}, outputs)


def object_blocks():
    for m, n, k, single_m, single_n, base_n, cores in [(128, 128, 48, 64, 64, 64, 2), (64, 128, 32, 32, 64, 32, 2)]:
        a, b = normal("tile_a", m, k, dtype=np.float16), normal("tile_b", k, n, dtype=np.float16)
        bias = normal("tile_bias", n)
        x = a.astype(float) @ b.astype(float) + bias
        y = single(np.where(x < 0, 0.125 * x, x))
        scalars = shapes(m, n, k, single_m, single_n, k) | block_scalars(0, 1, 1, 32, base_n) | {"slope": 0.125}
        inputs = {"a": a, "b": b, "bias": bias}
        case("object_blocks", f"{m}x{n}", cores, scalars, inputs, {"y": (y, {"atol": 1e-4, "rtol": 1e-5})})


def object_ahead():
    for m, n, k, cores in [(40, 128, 32, 1), (16, 64, 16, 1), (100, 192, 48, 2)]:
        x, w = normal("ahead_x", m, k, dtype=np.float16), normal("ahead_w", k, n, dtype=np.float16)
        y = single(sigmoid(x.astype(float) @ w.astype(float)))
        scalars = shapes(m, n, k, 16, n, k) | block_scalars(0, 1, 1, 16, 64)
        inputs = {"x": x, "w": w, "cache": np.zeros(cores * 2 * 16 * n, np.float32)}
        case("object_ahead", f"{m}x{n}", cores, scalars, inputs, {"y": (y, {"atol": 1e-5, "rtol": 1e-4})})


def object_epilogue():
    for rows, cores in [(150, 2), (17, 1), (64, 1)]:
        x, w = normal("object x", rows, 80, dtype=np.float16), normal("object w", 64, 80, dtype=np.float16)
        y = half(np.maximum(wide(x) @ wide(w).T, 0) * 0.5)
        inputs = {"x": x, "w": w, "workspace": np.zeros(cores * 4096, np.float32)}
        scalars = {"rows": rows, "scale": 0.5} | shapes(rows, 64, 80, 32, 64, 80)
        case("object_epilogue", f"r{rows}", cores, scalars, inputs, {"y": (y, {"atol": 1e-4, "rtol": 2e-3})})


def grouped_product():
    for counts, cores in [([17, 0, 44], 2), ([3], 1), ([16, 16, 1, 30], 3)]:
        rows, groups = sum(counts), len(counts)
        x, w = integers("grouped x", -8, 8, rows, 32), integers("grouped w", -8, 8, groups, 32, 48)
        y = normal("grouped y", rows, 48)
        ends = np.cumsum(counts)
        parts = [wide(x[end - count : end]) @ wide(w[at]) for at, (count, end) in enumerate(zip(counts, ends))]
        inputs = {"x": brain(x), "w": brain(w), "counts": np.array(counts, np.int32), "y": y}
        scalars = {"groups": groups} | shapes(rows, 48, 32, rows, 48, 32)
        outputs = {"y": (single(y + np.concatenate(parts)), {"atol": 1e-3, "rtol": 1e-5})}
        case("grouped_product", f"g{groups}", cores, scalars, inputs, outputs)


def batched_scores():
    for batches, cores in [(5, 2), (1, 2), (4, 1)]:
        q = integers("scores q", -128, 128, batches, 24, 64).astype(np.int8)
        k = integers("scores k", -128, 128, batches, 40, 64).astype(np.int8)
        scores = single(np.einsum("brd,bkd->brk", q.astype(np.int64), k.astype(np.int64)) / 8)
        inputs = {"q": q, "k": k, "workspace": np.zeros(cores * 1920, np.int32)}
        scalars = {"batches": batches} | shapes(24, 40, 64, 24, 40, 64)
        case("batched_scores", f"b{batches}", cores, scalars, inputs, {"scores": (scores, EXACT)})


def matmul_split_k():
    # A float16 of few bits is a bfloat16, too.
    for depth, cores in [(192, 3), (80, 2)]:
        a, b = integers("split a", -8, 8, 48, depth), integers("split b", -8, 8, depth, 32)
        y = normal("split y", 48, 32)
        out = single(y + wide(a) @ wide(b))
        inputs = {"a": brain(a), "b": brain(b), "y": y}
        case("matmul_split_k", f"k{depth}", cores, {"depth": depth}, inputs, {"y": (out, {"atol": 1e-3, "rtol": 1e-5})})


def flash_attention():
    for heads, length, cores in [(3, 64, 2), (1, 32, 1), (2, 96, 2)]:
        q, k, v = (normal(f"attention {name}", heads, length, 64, dtype=np.float16) for name in "qkv")
        scores = np.einsum("hrd,hcd->hrc", wide(q), wide(k)) / 8
        weights = np.exp(scores - scores.max(2, keepdims=True))
        y = single(weights / weights.sum(2, keepdims=True) @ wide(v))
        slots = {
            "s": np.zeros(cores * 1024, np.float32),
            "p": np.zeros(cores * 1024, np.float16),
            "o": np.zeros(cores * 2048, np.float32),
        }
        scalars = {"heads": heads, "length": length, "scale": 0.125}
        outputs = {"y": (y, {"atol": 2e-3, "rtol": 2e-3})}
        case("flash_attention", f"{heads}x{length}", cores, scalars, {"q": q, "k": k, "v": v} | slots, outputs)


def mla_decode():
    for lengths, longest, cores in [((70, 32, 5), 96, 2), ((1,), 32, 1), ((0, 64, 33, 17), 64, 2)]:
        batches = len(lengths)
        q = normal("mla q", batches, 16, 80, dtype=np.float16)
        cache = normal("mla cache", batches, longest, 80, dtype=np.float16)
        y = np.zeros((batches, 16, 64), np.float32)
        for batch, length in enumerate(lengths):
            keys = wide(cache[batch, :length])
            scores = wide(q[batch]) @ keys.T / 8
            if length > 0:
                weights = np.exp(scores - scores.max(1, keepdims=True))
                y[batch] = weights / weights.sum(1, keepdims=True) @ keys[:, :64]
        slots = {
            "s": np.zeros(cores * 512, np.float32),
            "p": np.zeros(cores * 512, np.float16),
            "o": np.zeros(cores * 1024, np.float32),
        }
        inputs = {"q": q, "cache": cache, "lengths": np.array(lengths, np.int32)} | slots
        scalars = {"batches": batches, "longest": longest, "scale": 0.125}
        name = "x".join(map(str, lengths))
        case("mla_decode", name, cores, scalars, inputs, {"y": (y, {"atol": 2e-3, "rtol": 2e-3})})


def gated_scan():
    for batches, length, cores in [(3, 40, 2), (1, 1, 1), (2, 64, 1)]:
        x = normal("scan x", batches, length, 32, dtype=np.float16)
        w = half(normal("scan w", 32, 128) / 6)
        v = half(normal("scan v", 128, 32) / 12)
        g = single(sigmoid(normal("scan g", batches, length, 128).astype(float)))
        u = wide(x) @ wide(w)
        state, states = np.zeros((batches, 128)), np.zeros((batches, length, 128))
        for step in range(length):
            state = g[:, step].astype(float) * state + u[:, step]
            states[:, step] = state
        y = single(states @ wide(v))
        slots = {"u": np.zeros(cores * 4096, np.float32), "h": np.zeros(cores * 4096, np.float16)}
        inputs = {"x": x, "w": w, "v": v, "g": g} | slots
        scalars = {"batches": batches, "length": length}
        case("gated_scan", f"{batches}x{length}", cores, scalars, inputs, {"y": (y, {"atol": 2e-3, "rtol": 2e-3})})


def product_chain():
    for tiles, cores in [(3, 2), (1, 1)]:
        a, b = normal("chain a", tiles, 32, 48, dtype=np.float16), normal("chain b", 48, 64, dtype=np.float16)
        c = normal("chain c", 64, 32, dtype=np.float16)
        d = single(wide(half(wide(a) @ wide(b))) @ wide(c))
        inputs = {"a": a, "b": b, "c": c}
        case("product_chain", f"t{tiles}", cores, {"tiles": tiles}, inputs, {"d": (d, {"atol": 0.1, "rtol": 2e-3})})


def rms_norm_tail():
    for rows, cols, padded, cores in [(7, 100, 112, 3), (3, 64, 64, 1), (2, 5, 16, 2)]:
        x, gamma = normal("rms", rows, cols, dtype=np.float16), normal("rms gamma", cols)
        wide = x.astype(float)
        y = half(wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-5) * gamma)
        scalars = {"tiling.rows": rows, "tiling.cols": cols, "tiling.padded": padded, "tiling.eps": 1e-5}
        case("rms_norm_tail", f"{rows}x{cols}", cores, scalars, {"x": x, "gamma": gamma}, {"y": (y, HALF)})


def top_k_experts():
    for tokens, cores in [(5, 2), (1, 1)]:
        logits = normal("experts", tokens, 32)
        ids = np.argsort(-logits, axis=1, kind="stable")[:, :8].astype(np.int32)
        outputs = {"values": (np.take_along_axis(logits, ids, 1), EXACT), "ids": (ids, EXACT)}
        case("top_k_experts", f"t{tokens}", cores, {"tokens": tokens}, {"logits": logits}, outputs)


def standardise_rows():
    for rows, cols, cores in [(8, 130, 3), (2, 64, 4), (5, 9, 1)]:
        x = normal("standard", rows, cols)
        wide = x.astype(float)
        low = wide.min(1, keepdims=True)
        y = single((wide - low) / (wide.max(1, keepdims=True) - low))
        case("standardise_rows", f"{rows}x{cols}", cores, {"rows": rows, "cols": cols}, {"x": x}, {"y": (y, FLOAT)})


def activation_family():
    for length, cores in [(500, 2), (192, 1), (7, 3)]:
        # Cores store whole elements of their own only, so that lengths need not be blocks.
        x = normal("activation", cores * length)
        wide = x.astype(float)
        outputs = {"y": (single(sigmoid(wide)), FLOAT)}
        case("sigmoid_family", f"n{length}", cores, {"length": length}, {"x": x}, outputs, "activation_family")
        outputs = {"y": (single(wide / (1 + np.abs(wide))), FLOAT)}
        case("soft_sign", f"n{length}", cores, {"length": length}, {"x": x}, outputs, "activation_family")


def group_sum():
    for count, rounded, cores in [(12, 16, 2), (3, 8, 1)]:
        x = normal("groups", cores * count, 64)
        wide = x.astype(float)
        tolerances = {"atol": 2e-5, "rtol": 2e-5}
        outputs = {
            "groups": (single(wide.reshape(-1, 8, 8).sum(2)), tolerances),
            "rows": (single(wide.sum(1)), tolerances),
        }
        case("group_sum", f"r{count}", cores, {"count": count, "rounded": rounded}, {"x": x}, outputs)


def depthwise_conv():
    for rows, cols in [(6, 128), (1, 64), (2, 192)]:
        x, w = normal("depthwise", rows, cols), normal("depthwise taps", 3, cols)
        padded = np.zeros((rows + 2, cols))
        padded[1:-1] = x
        y = single(sum(w[k].astype(float) * padded[k : k + rows] for k in range(3)))
        inputs = {"x": x, "w": w}
        case("depthwise_conv", f"{rows}x{cols}", cols // 64, {"rows": rows, "cols": cols}, inputs, {"y": (y, FLOAT)})


def deinterleave():
    for tiles, cores in [(3, 2), (1, 1)]:
        x = normal("pairs", cores * tiles * 512, dtype=np.float16)
        outputs = {"even": (x[::2], EXACT), "odd": (x[1::2], EXACT)}
        case("deinterleave", f"t{tiles}", cores, {"tiles": tiles}, {"x": x}, outputs)


def dequantise_channels():
    for rows, cores in [(9, 2), (1, 3)]:
        x, scale = integers("channels", -128, 128, rows, 256).astype(np.int8), normal("channel scale", 256)
        y = x.astype(np.float32) * scale
        case("dequantise_channels", f"r{rows}", cores, {"rows": rows}, {"x": x, "scale": scale}, {"y": (y, EXACT)})


def global_softmax():
    for cores in (4, 2):
        x = normal("global", cores * 512)
        powers = np.exp(x.astype(float))
        y = single(powers / powers.sum())
        inputs = {"x": x, "workspace": np.zeros(cores * 8, np.float32)}
        case("global_softmax", f"c{cores}", cores, {}, inputs, {"y": (y, {"atol": 1e-8, "rtol": 2e-5})})


def counted_rows():
    # Cores add in any order: the tolerance is that of a sum of two.
    for columns in (8, 40, 72):
        x = normal("counted", 6, columns)
        total = single(0.5 * x.astype(float).sum(axis=0))
        scalars = {"tiling.shape.rows": 3, "tiling.shape.columns": columns, "tiling.factorBits[1]": 0x3F000000}
        inputs = {"x": x, "total": np.full(columns, 9, np.float32)}
        case("counted_rows", f"c{columns}", 2, scalars, inputs, {"total": (total, FLOAT)})


def pad_rows():
    for rows, cores in [(11, 2), (4, 1), (1, 3)]:
        x = normal("pad", rows, 48)
        case("pad_rows", f"r{rows}", cores, {"rows": rows}, {"x": x}, {"y": (np.pad(x, ((0, 0), (4, 4))), EXACT)})


def lion_step():
    for kernel, dtype, cores in [("lion_half", np.float16, 2), ("lion_float", np.float32, 1)]:
        total = cores * 512
        p, g, m = normal("lion p", total, dtype=dtype), normal("lion g", total), normal("lion m", total)
        sign = np.sign(0.5 * m.astype(float) + 0.5 * g)
        moment = single(0.75 * m.astype(float) + 0.25 * g)
        numbers = {"tilesPerCore": 2, "rate": 0.125, "beta1": 0.5, "beta2": 0.75}
        scalars = {f"tiling.{key}": value for key, value in numbers.items()}
        param = (p.astype(float) - 0.125 * sign).astype(dtype)
        outputs = {"param": (param, HALF if dtype == np.float16 else FLOAT), "moment": (moment, FLOAT)}
        case(kernel, f"c{cores}", cores, scalars, {"param": p, "grad": g, "moment": m}, outputs, "lion_step")


KERNELS = [
    activation_family, adamw_step, add_former_tail, arg_max, batched_scores, bias_mixed, column_sum, concat_columns,
    conv1d_rows, counted_rows, deinterleave, depthwise_conv, dequantise_channels, embedding, flash_attention,
    gated_scan, gelu_rows, gemv_rows, global_softmax, group_sum, grouped_product, hard_swish, histogram,
    layer_norm_flags, linear_bias, lion_step, masked_fill, masked_repeats, matmul_blocks, matmul_int8,
    matmul_object, matmul_queues, matmul_split_k, matmul_strips, matmul_transposed, matmul_windows, mla_decode,
    object_ahead, object_blocks, object_epilogue, pad_rows, ping_pong, product_chain, product_epilogue,
    quantize_int8, rms_norm_tail, rotary, row_max_shift, running_sum, share_of_sum, squared_error, standardise_rows,
    static_tensors, swiglu, tanh_ping_pong, template_scale, top_k_experts, transpose_gather, weight_chunks,
]  # fmt: skip


def main():
    for folder in ROOT.iterdir():
        if folder.is_dir() and folder.name != "__pycache__":
            shutil.rmtree(folder)
    for kernel in KERNELS:
        kernel()
    lines = ",\n".join(json.dumps(case) for case in CASES)
    (ROOT / "cases.json").write_text(f"[\n{lines}\n]\n")
    total = sum(path.stat().st_size for path in ROOT.rglob("*.npy"))
    print(f"{len(CASES)} cases, {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
