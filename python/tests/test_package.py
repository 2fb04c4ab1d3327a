"""The package as its users meet it."""

import gc
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import a2lint
from a2lint.testing import assert_matches

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "tests" / "kernels"

TINY = """
from easyasc.a2 import *


@kernel(mode="vec")
def double(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        for step in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            tile <<= x[step * 8:step * 8 + 8, 0:64]
            muls(tile, tile, 2.0)
            y[step * 8:step * 8 + 8, 0:64] <<= tile
    return y
"""


def tiny():
    return a2lint.kernel("double.py", source=TINY)


def floats(*shape):
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


def test_check_finds():
    report = a2lint.check(KERNELS / "broken" / "dup_narrow.py")
    assert not report.ok and report.errors[0].name == "dup-coverage"
    assert "dup-coverage" in str(report.findings[0]) and "<table>" in report._repr_html_()


def test_the_text_is_that_of_the_command_line():
    report = a2lint.check(source=TINY.replace("double", "twice"))
    assert "\n1 kernel: " in report.text, report.text


def test_the_text_says_what_is_missing():
    report = a2lint.check(KERNELS / "piecewise.py")
    assert report.ok and "::masked_fill is open\n" in report.text, report.text


def test_testing_needs_no_import_of_its_own():
    command = [sys.executable, "-c", "import a2lint; a2lint.testing.assert_matches"]
    assert subprocess.run(command, check=False).returncode == 0
    with pytest.raises(AttributeError, match="no attribute 'tested'"):
        a2lint.tested  # noqa: B018


def test_nothing_that_is_read_is_executed(tmp_path):
    mark = tmp_path / "executed"
    trap = f"""
open({str(mark)!r}, "w")
__import__("os").system("touch {mark}")


class Trap:
    def __del__(self, touch=open({str(mark)!r}, "w")): ...
"""
    for name in ("helper.py", "conftest.py", "sitecustomize.py", "easyasc.py"):
        (tmp_path / name).write_text(trap)
    source = f"import helper\nfrom helper import *\nfrom . import conftest\n{trap}\n{TINY}\n{trap}"
    path = tmp_path / "kernel.py"
    path.write_text(source + "\nOpExec(double)(helper.x, helper.y, 8)\n")
    assert a2lint.check(source=source).kernels and a2lint.check(path).kernels and a2lint.check(tmp_path).kernels
    for kernel in (a2lint.kernel("k.py", source=source), a2lint.kernel(path, "double")):
        assert kernel.run(floats(8, 64), floats(8, 64), 8)["y"].shape == (8, 64)
    asked = ["--a2lint", "--a2lint-check", "--a2lint-laws", "--noconftest"]
    collected = [sys.executable, "-m", "pytest", *asked, str(path)]
    subprocess.run(collected, cwd=ROOT, capture_output=True)
    assert not mark.exists()


def test_laws_need_no_reference(tmp_path):
    sound = a2lint.test(KERNELS / "layer_norm.py", law=["cores", "coverage"])
    assert sound and not sound.violated and "2 laws held" in sound.text
    text = (KERNELS / "layer_norm.py").read_text().replace("CeilDiv(M, TILE_M)", "M // TILE_M")
    path = tmp_path / "forgets_the_tail.py"
    path.write_text(text)
    broken = a2lint.test(path, "layer_norm")
    assert broken.violated and not broken
    results = {law["law"]: law["result"] for law in broken.data["kernels"][0]["laws"]}
    assert results["coverage"] == "violated"
    with pytest.raises(a2lint.ArgumentError, match="lore"):
        a2lint.test(path, lore=1)
    collected = [sys.executable, "-m", "pytest", "--a2lint-laws", "--noconftest", str(path)]
    said = subprocess.run(collected, cwd=ROOT, capture_output=True, text=True)
    assert said.returncode == 1 and "coverage  violated" in said.stdout


def test_two_versions_are_compared():
    versions, pages = ROOT / "tests" / "versions", ROOT / "docs" / "compare"
    same = a2lint.compare(versions / "softmax.py", pages / "softmax_one_maximum.py", seeds=2)
    assert same and same.as_good and same.text.startswith("same results")
    assert same.data["answer"] == "as-good" and "<h2>Proofs</h2>" in same.page
    wrong = a2lint.compare(versions / "softmax.py", pages / "softmax_not_rescaled.py", seeds=2, only=["y"])
    assert not wrong and wrong.data["results"][0]["verdict"] == "different"
    with pytest.raises(a2lint.ArgumentError, match="match"):
        a2lint.compare(versions / "softmax.py", versions / "softmax.py", match="x")


def test_settings_are_those_of_the_command_line():
    path = KERNELS / "broken" / "dup_narrow.py"
    assert a2lint.check(path, ignore=["COV", "INI"], replay=False).ok
    with pytest.raises(a2lint.ArgumentError, match="no-such-rule"):
        a2lint.check(path, select=["no-such-rule"])
    with pytest.raises(a2lint.ArgumentError, match="no such file"):
        a2lint.check("no/such/file.py")


def test_arguments_go_by_position_or_name():
    x = floats(16, 64)
    for result in (
        tiny().run(x, np.empty_like(x), 16),
        tiny().run(M=16, y=np.empty_like(x), x=x),
        tiny()(x, M=16),
    ):
        assert np.array_equal(result["y"], 2 * x) and result.ok and list(result) == ["y"]
    strided = np.asfortranarray(x)
    assert np.array_equal(tiny().run(strided, np.empty_like(x), 16)["y"], 2 * x)


@pytest.mark.parametrize(
    "arguments, message",
    [
        ((np.zeros((8, 64)), np.zeros((8, 64), np.float32), 8), "no doubles"),
        ((np.zeros((8, 64), np.float32),), "`M`"),
        ((1, 2, 3), "fewer scalars"),
        ((np.zeros((8, 64), np.float32), np.zeros((8, 64), np.float32), 8, 9), "fewer scalars"),
        ((np.zeros((8, 64), np.float32), np.zeros((8, 64), np.float32), "8"), "no number"),
        ((np.zeros((8, 64), np.float32), np.zeros((8, 64), np.float32), 2**60), "2\\*\\*53"),
    ],
)
def test_arguments_that_do_not_fit_are_told(arguments, message):
    with pytest.raises(a2lint.ArgumentError, match=message):
        tiny().run(*arguments)


def test_findings_are_exceptions():
    kernel = a2lint.kernel(KERNELS / "broken" / "uninitialized_ub.py")
    with pytest.raises(a2lint.KernelError, match="uninitialized-read") as raised:
        kernel.run()
    assert raised.value.result.findings
    result = kernel.run(check=False)
    assert result.undefined(kernel.outputs[0]).any() or result.findings


def test_a_mismatch_names_the_statement():
    x = floats(16, 64)
    with pytest.raises(a2lint.MismatchError) as raised:
        assert_matches(tiny(), lambda x: 2 * x + (x > 1), [dict(x=x, y=np.empty_like(x), M=16)])
    text = str(raised.value)
    assert "differs from the reference" in text and "ULP" in text
    assert "was written last by line 12" in text and "muls(tile, tile, 2.0)" in text
    results = assert_matches(tiny(), lambda x: 2 * x, [dict(x=x, y=np.empty_like(x), M=16)])
    assert results[0].ok


SWAPPED = [
    ("sub(shrink, run_max, new_max)", "sub(shrink, new_max, run_max)"),
    ("l1_v[second] <<= v[batch", "l1_v[second] <<= k[batch"),
    ("spread(inv8, inverse)", "spread(inv8, run_sum)"),
]


@pytest.mark.parametrize("right, wrong", SWAPPED)
def test_the_report_leads_to_a_swapped_operand(right, wrong):
    text = (KERNELS / "flash_attention.py").read_text()
    line = text[: text.index(right)].count("\n") + 1
    kernel = a2lint.kernel("attention.py", source=text.replace(right, wrong))
    q, k, v = (np.random.default_rng(seed).standard_normal((1, 130, 128)).astype(np.float16) for seed in range(3))

    def attention(q, k, v, scale):
        scores = q.astype(np.float64) @ k.astype(np.float64).transpose(0, 2, 1) * scale
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return weights / weights.sum(axis=-1, keepdims=True) @ v.astype(np.float64)

    case = dict(q=q, k=k, v=v, out=np.empty_like(q), BH=1, S1=130, S2=130, scale=128**-0.5)
    with pytest.raises(a2lint.MismatchError) as raised:
        assert_matches(kernel, attention, [case])
    assert f"line {line}: {wrong}" in str(raised.value)


def test_large_arrays_are_copied_once():
    """16 Mi floats in, as many out: the machine holds one copy of each, and a result that is asked for is one more."""
    script = f"""
import resource, numpy as np, a2lint
kernel = a2lint.kernel("double.py", source={TINY!r})
x = np.zeros((1 << 18, 64), np.float32)
small = np.zeros((8, 64), np.float32)
kernel.run(small, small, 8)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
result = kernel.run(x, np.empty_like(x), 8, check=False)
y = result["y"]
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print((after - before) >> 10)
"""
    grown = int(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout)
    # 64 MB each, and an eighth of it for what is defined.
    assert grown < 224, grown


def test_threads_run_side_by_side():
    kernel = a2lint.kernel(KERNELS / "flash_attention.py")
    counted = []

    def count():
        while not done.is_set():
            counted.append(time.perf_counter())
            time.sleep(0.001)

    done = threading.Event()
    counter = threading.Thread(target=count)
    counter.start()
    kernel.run(launch=4, check=False)
    done.set()
    counter.join()
    pauses = np.diff(counted)
    assert len(counted) > 20 and pauses.max() < 0.5


def test_an_interrupt_ends_a_run():
    # Where the tests run in the background of a shell, interrupts are ignored, and so they are by what is started there.
    script = f"""
import signal
import a2lint
signal.signal(signal.SIGINT, signal.default_int_handler)
kernel = a2lint.kernel({str(KERNELS / "flash_attention.py")!r})
print("running", flush=True)
while True:
    kernel.run(launch=5, check=False)
"""
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors


def test_inputs_are_let_go():
    x = floats(8, 64)
    before = sys.getrefcount(x)
    result = tiny().run(x, np.empty_like(x), 8)
    del result
    gc.collect()
    assert sys.getrefcount(x) == before


def test_kernels_in_cpp_run_with_structures():
    kernel = a2lint.kernel(ROOT / "tests" / "ascendc" / "kernels" / "swiglu.cpp")
    fields = dict(rows=11, width=64, block=4)
    x = np.random.default_rng(0).standard_normal(11 * 128).astype(np.float32)
    result = kernel.run(x=x, t=fields, cores=1)
    gate, up = x.reshape(11, 2, 64).transpose(1, 0, 2)
    np.testing.assert_allclose(result["y"].reshape(11, 64), gate / (1 + np.exp(-gate)) * up, rtol=1e-4, atol=1e-5)
    same = kernel.run(x=x, cores=1, **{f"t.{name}": value for name, value in fields.items()})
    np.testing.assert_array_equal(result["y"], same["y"])
    with pytest.raises(a2lint.ArgumentError, match="no parameter"):
        kernel.run(x=x, t=dict(rows=11, width=64, black=4))


def test_findings_in_cpp_are_reported():
    pair = (ROOT / "tests" / "ascendc" / "pairs" / "store_runs_ahead.cpp").read_text().splitlines()
    bad = [line[3:] if line.startswith("//+") else line for line in pair if not line.endswith("//-")]
    report = a2lint.check("bad.cpp", source="\n".join(bad))
    assert [finding.name for finding in report.errors] == ["race"]
