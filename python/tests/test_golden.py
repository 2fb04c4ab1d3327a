"""Every kernel of tests/kernels, and of the other dialect, through the package, against the fixtures that numpy
references made."""

import json
from functools import lru_cache
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import a2lint

TESTS = Path(__file__).resolve().parents[2] / "tests"
FOLDERS = [TESTS, TESTS / "dialects" / "ascriptor"]
CASES = [(root, case) for root in FOLDERS for case in json.loads((root / "golden" / "cases.json").read_text())]
# It adds to what its output holds.
SEEDED = ["total"]
NUMPY = {"half": np.float16, "float": np.float32, "int": np.int32, "bfloat16": ml_dtypes.bfloat16}


def numpy_type(dtype):
    """NumPy alone has no bfloat16."""
    return NUMPY.get(dtype) or np.dtype(dtype).type


@lru_cache(maxsize=None)
def kernels(path):
    return {kernel.name: kernel for kernel in a2lint.kernels(path)}


def array(root, case, name, described):
    values = np.load(root / "golden" / case["kernel"] / case["case"] / f"{name}.npy")
    dtype = numpy_type(described["dtype"])
    # The bits of bfloat16 stand in files as integers.
    is_bits = described["dtype"] == "bfloat16" and values.dtype.kind in "ui"
    values = values.astype(np.uint16).view(dtype) if is_bits else values.astype(dtype)
    return values.reshape(described["shape"])


@pytest.mark.parametrize("root, case", CASES, ids=[f"{case['kernel']}-{case['case']}" for _, case in CASES])
def test_golden(root, case):
    kernel = kernels(str(root / "kernels" / case["file"]))[case["kernel"]]
    arguments = dict(case["scalars"])
    for name, described in case["inputs"].items():
        arguments[name] = array(root, case, name, described)
    for name, described in case["outputs"].items():
        if name not in arguments:
            arguments[name] = np.zeros(described["shape"], numpy_type(described["dtype"]))
    result = kernel.run(**arguments, cores=case["cores"], seed_outputs=kernel.name in SEEDED)
    for name, described in case["outputs"].items():
        # What a kernel updates is stored before and after.
        expected = array(root, case, f"{name}.out" if name in case["inputs"] else name, described)
        assert result.compare(name, expected, described["rtol"], described["atol"]), result.failure


def test_no_kernel_is_left_out():
    for root in FOLDERS:
        tested = {case["file"].partition("/")[0] for at, case in CASES if at == root}
        files = [*(root / "kernels").glob("*.py"), *(root / "kernels").glob("gallery")]
        assert {path.name for path in files} == tested
