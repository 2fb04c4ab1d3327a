"""What `bias_gelu` means, in torch."""
import torch


def make_inputs(case):
    generator = torch.Generator().manual_seed(case["seed"])
    rows, width = case["parameters"]["ROWS_X"], case["parameters"]["WIDTH_X"]
    x = torch.randn(rows, width, generator=generator).half()
    bias = torch.randn(width, generator=generator)
    return {"x": x, "bias": bias}


def reference(inputs):
    z = inputs["x"].float() + inputs["bias"]
    return torch.nn.functional.gelu(z, approximate="tanh").half()
