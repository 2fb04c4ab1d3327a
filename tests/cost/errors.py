"""How far the cost model is from measured instructions, class by class.

    python3 tests/cost/errors.py POINTS.json --binary target/release/a2lint

POINTS.json is not part of this project: the licences of the measurements do not allow it. It is a
list of objects, one for each record:

    class         what the table counts it as
    easyasc_name  the instruction
    dtype         half, or half->float
    mode          isolated (one instruction between barriers), or throughput or slope (back to back)
    cycles        [[x, cycles], ...]; x is a number of repeats, KiB, or [m, k, n]
    quality       ok, or why not to trust it
    banks         free or conflict, for instructions with two sources

Each point becomes a kernel with the instruction between two barriers; `a2lint cost` says what it
takes. Back to back that is what it keeps its pipe busy, alone what it adds to the critical path.
Of a slope, the last two points are subtracted. What the script cannot write as one instruction of
a kernel is counted as not asked.
"""
import argparse
import json
import math
import subprocess
import tempfile
from collections import defaultdict
from pathlib import Path

BYTES = dict(half=2, float=4, int=4, int16=2, uint16=2, uint32=4, bfloat16=2, int8=1, uint8=1)
TWO = {"add", "sub", "mul", "div", "vmax", "vmin", "vand", "vor"}
ONE = {"exp", "ln", "abs", "rec", "sqrt", "rsqrt", "relu", "vnot", "cast"}
NUMBER = {"adds", "muls", "vmaxs", "vmins", "lrelu", "axpy"}
REDUCE = {"cadd", "cmax", "cmin", "cgadd", "cgmax", "cgmin", "cpadd"}
UB, L0, L0C, BATCH = 190 * 1024, 64 * 1024, 128 * 1024, 40


def tensor(name, dtype, size, position="UB"):
    """A tensor of at least so many bytes, a multiple of 512."""
    columns = max(1, math.ceil(size / 512)) * 512 // BYTES[dtype]
    return f"{name} = Tensor(DT.{dtype}, [1, {columns}], Position.{position})"


def vector(record, repeats):
    """Tensors, the instruction, and the extents of x and y."""
    name, (source, _, result) = record["easyasc_name"], record["dtype"].partition("->")
    result = result or source
    widest = max(BYTES[source], BYTES[result])
    size = {dtype: repeats * 256 * BYTES[dtype] // widest for dtype in (source, result)}
    lines = [tensor("c", result, max(size[result], 2048)), tensor("a", source, size[source])]
    if name in TWO:
        if record.get("banks") == "free":
            lines.append("apart = Tensor(DT.float, [1, 64], Position.UB)")
        lines.append(tensor("b", source, size[source]))
        call = f"{name}(c, a, b, repeat={repeats})"
    elif name in ONE | REDUCE:
        call = f"{name}(c, a, repeat={repeats})"
    elif name in NUMBER:
        call = f"{name}(c, a, {'3' if 'int' in source else '1.5'}, repeat={repeats})"
    elif name == "dup":
        call = f"dup(c, 1, repeat={repeats})"
    else:
        return None
    return (lines, call, "vec") if sum(size.values()) + size[source] + 4096 < UB else None


def move(record, kib):
    name, halfs = record["easyasc_name"], int(kib * 512)
    if halfs * 2 > UB or record.get("cores", 1) != 1:
        return None
    rows, columns = (halfs // 512, 512) if halfs % 512 == 0 else (1, halfs)
    lines = [f"a = Tensor(DT.half, [{rows}, {columns}], Position.UB)"]
    window = f"[0:{rows}, 0:{columns}]"
    call = f"a <<= x{window}" if name == "gm_to_ub_pad" else f"y{window} <<= a"
    return lines, call, "vec"


def product(record, sides):
    m, k, n = sides
    dtype = record["dtype"].partition("->")[0]
    unit = 32 // BYTES[dtype]
    m, n, k = math.ceil(m / 16) * 16, math.ceil(n / 16) * 16, math.ceil(k / unit) * unit
    if max(m, n) * k * BYTES[dtype] > L0 or m * n * 4 > L0C:
        return None
    out = "int" if dtype == "int8" else "float"
    lines = [
        f"a = Tensor(DT.{dtype}, [{m}, {k}], Position.L0A)",
        f"b = Tensor(DT.{dtype}, [{n}, {k}], Position.L0B)",
        f"c = Tensor(DT.{out}, [{m}, {n}], Position.L0C)",
    ]
    return lines, f"mmad(c, a, b, {sides[0]}, {sides[2]}, {sides[1]}, True)", "cube"


def written(record, x):
    """The instruction of a point. None where this script does not know how to write it."""
    types = (record.get("dtype") or "").split("->")
    if not record.get("easyasc_name") or any(dtype not in BYTES for dtype in types):
        return None
    if record["class"].startswith("v-") and isinstance(x, (int, float)):
        return vector(record, int(x))
    if record["easyasc_name"] in ("gm_to_ub_pad", "ub_to_gm_pad") and isinstance(x, (int, float)):
        return move(record, x)
    return product(record, x) if record["easyasc_name"] == "mmad" else None


def kernel(number, lines, call, side):
    alone = "GetSubBlockIdx() == 0" if side == "vec" else "GetCubeIdx() == 0"
    body = [*lines, "bar_all()", f"if {alone}:", f"    {call}", "bar_all()"]
    text = "".join(f"    {line}\n" for line in body)
    launch = "x=half[512, 512], y=half[512, 512], block_dim=1"
    return (
        f"# a2lint: launch({launch})\n@kernel()\n"
        f"def k{number}(x: GMTensor, y: GMTensor):\n{text}    return y\n\n"
    )


def estimates(points, binary, folder):
    """Cycles busy, and cycles until the result is there, for each point."""
    text, places = "from easyasc.a2 import *\n\n", {}
    for number, point in enumerate(points):
        text += kernel(number, *point)
        places[f"k{number}"] = text.count("\n") - 3
    path = folder / "points.py"
    path.write_text(text)
    command = [binary, "cost", str(path), "--json"]
    answer = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    found = {}
    for run in json.loads(answer)["costs"]:
        line, cost = places[run["kernel"]], run["cost"]
        busy = [row["busy"] for row in cost["statements"] if row["line"] == line]
        path = [row["cycles"] for row in cost["critical_path"] if row["line"] == line]
        found[run["kernel"]] = (sum(busy), sum(path))
    return [found.get(f"k{number}") for number in range(len(points))]


def quantile(values, share):
    values = sorted(values)
    at = (len(values) - 1) * share
    low = int(at)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (at - low)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("points", type=Path)
    parser.add_argument("--binary", default="target/release/a2lint")
    parser.add_argument("--most", type=int, default=6, help="points of one record")
    options = parser.parse_args()
    asked, skipped = [], defaultdict(int)
    for record in json.loads(options.points.read_text()):
        is_known = record.get("mode") in ("isolated", "throughput", "slope")
        if record.get("quality", "ok") != "ok" or "cycles" not in record or not is_known:
            continue
        points = record["cycles"]
        count = 2 if record["mode"] == "slope" else min(len(points), options.most)
        steps = [round(i * (len(points) - 1) / max(1, count - 1)) for i in range(count)]
        chosen = points[-2:] if record["mode"] == "slope" else [points[i] for i in steps]
        forms = [written(record, x) for x, _ in chosen]
        is_whole = record["mode"] != "slope" or None not in forms
        known = [pair for pair in zip(chosen, forms) if is_whole and pair[1] is not None]
        skipped[record["class"]] += len(forms) - len(known)
        if known:
            asked.append((record, *map(list, zip(*known))))
    flat = [form for _, _, forms in asked for form in forms]
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "a2lint.toml").write_text('ignore = ["PRF"]\n')
        for at in range(0, len(flat), BATCH):
            answers += estimates(flat[at : at + BATCH], options.binary, folder)
    errors, at = defaultdict(list), 0
    for record, chosen, forms in asked:
        which = 1 if record["mode"] == "isolated" else 0
        got = [answer and answer[which] for answer in answers[at : at + len(forms)]]
        at += len(forms)
        if any(value is None for value in got):
            skipped[record["class"]] += len(forms)
            continue
        pairs = [(value, cycles) for value, (_, cycles) in zip(got, chosen)]
        if record["mode"] == "slope":
            (a, b), (c, d) = pairs
            pairs = [(c - a, d - b)]
        for value, cycles in pairs:
            for group in (record["class"], "all"):
                errors[group].append(abs(value / cycles - 1))
    print(f"{'class':<18} {'points':>6} {'median':>7} {'90 %':>6} {'not asked':>10}")
    for group in sorted(errors.keys() | skipped.keys(), key=lambda name: (name == "all", name)):
        found = errors.get(group, [])
        left = sum(skipped.values()) if group == "all" else skipped[group]
        quantiles = [quantile(found, share) if found else None for share in (0.5, 0.9)]
        shares = ["–" if value is None else f"{100 * value:.0f} %" for value in quantiles]
        print(f"{group:<18} {len(found):>6} {shares[0]:>7} {shares[1]:>6} {left:>10}")


if __name__ == "__main__":
    main()
