"""The start depends on the loop: the first row is fine, the others are not."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def shifted(x: GMTensor, y: GMTensor):
    f = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            f <<= x[0:8, 0:64]
            for r in range(0, 8):
                exp(f[r:r + 1, r:r + 32], f[r:r + 1, r:r + 32], count=32)  #~ ERROR operand-alignment: starts 4 bytes past a 32-byte border
            y[0:8, 0:64] <<= f
    return y


if __name__ == "__main__":
    OpExec(shifted, "", simulator=True)(torch.randn(8, 64), torch.zeros(8, 64))
