"""Atomic blocks do not nest."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def nested(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):
    tile = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:64, 0:64]
        with atomic_add():
            with atomic_max():  #~ ERROR trace-error
                y[0:64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(nested, launcher="sim", seed_outputs=True)(torch.randn(64, 64), torch.zeros(64, 64))
