"""seed_outputs: the tensor of the caller is what they start with."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec")
def total(x: GM[f32, ("M", 64)], s: GM[f32, 64]):
    tile = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx(), M, GetVecNum()):
            tile <<= x[row:row + 1, 0:64]
            with atomic_add():
                s[0:64] <<= tile
    return s


if __name__ == "__main__":
    OpExec(total, launcher="sim", block_dim=2, seed_outputs=True)(torch.randn(10, 64), torch.zeros(64))
