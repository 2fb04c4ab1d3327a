"""Runs `bias_gelu` on its cases and compares it with the reference."""
import torch
from ascriptor.runtime import OpExec

from kernel import make_kernels
from reference import make_inputs, reference

CASES = [
    {
        "id": "one_row",
        "seed": 1,
        "block_dim": 1,
        "parameters": {"ROWS_X": 1, "WIDTH_X": 256},
        "purpose": "least work",
        "scale": 1.0,
    },
    {
        "id": "tails",
        "seed": 2,
        "block_dim": 4,
        "parameters": {"ROWS_X": 130, "WIDTH_X": 77},
        "purpose": "a short tile of short rows",
        "scale": 1.0,
    },
]


def execute(case, inputs, launcher="sim"):
    y = torch.empty_like(inputs["x"])
    kernel = make_kernels("a2")["bias_gelu"]
    OpExec(kernel, launcher=launcher, block_dim=case["block_dim"])(inputs["x"], inputs["bias"], y)
    return y


if __name__ == "__main__":
    for case in CASES:
        inputs = make_inputs(case)
        torch.testing.assert_close(execute(case, inputs), reference(inputs), atol=2e-3, rtol=2e-3)
