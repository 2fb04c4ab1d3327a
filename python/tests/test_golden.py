"""Every kernel of tests/kernels through the package, against the fixtures that numpy references made."""

import json
from pathlib import Path

import numpy as np
import pytest

import a2lint

TESTS = Path(__file__).resolve().parents[2] / "tests"
CASES = json.loads((TESTS / "golden" / "cases.json").read_text())
NUMPY = {"half": np.float16, "float": np.float32, "int": np.int32, "int8": np.int8, "uint8": np.uint8,
         "bfloat16": np.uint16}
KERNELS = {}


def array(case, name, described):
    values = np.load(TESTS / "golden" / case["kernel"] / case["case"] / f"{name}.npy")
    return values.astype(NUMPY[described["dtype"]]).reshape(described["shape"])


def tensor(values, dtype):
    """What torch or ml_dtypes would give: NumPy alone has no bfloat16."""
    if dtype == "bfloat16":
        import ml_dtypes

        return values.view(ml_dtypes.bfloat16)
    return values


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kernel']}-{case['case']}")
def test_golden(case):
    path = str(TESTS / "kernels" / case["file"])
    if case["kernel"] not in KERNELS:
        KERNELS.update({kernel.name: kernel for kernel in a2lint.kernels(path)})
    kernel = KERNELS[case["kernel"]]
    arguments = dict(case["scalars"])
    for name, described in case["inputs"].items():
        arguments[name] = tensor(array(case, name, described), described["dtype"])
    for name, described in case["outputs"].items():
        arguments[name] = tensor(np.zeros(described["shape"], NUMPY[described["dtype"]]), described["dtype"])
    result = kernel.run(**arguments, cores=case["cores"])
    for name, described in case["outputs"].items():
        expected = tensor(array(case, name, described), described["dtype"])
        assert result.compare(name, expected, described["rtol"], described["atol"]), result.failure
