"""Partial sums are added to an output that nobody has zeroed."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_atomic_output(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    if GetVecIdx() < 2:
        with auto_sync():
            row0 = Var(GetVecIdx() * 32)
            tile <<= x[row0:row0 + 32, 0:64]
            with atomic_add():
                y[0:32, 0:64] <<= tile  #~ ERROR unseeded-accumulation: adds to elements of `y`
    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64)
    y = torch.zeros(32, 64)
    OpExec(bad_atomic_output, "", simulator=True)(x, y)
