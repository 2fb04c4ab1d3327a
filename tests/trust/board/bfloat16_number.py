# A bfloat16 element as a number: the simulator reads it, and C++ of the device has no conversion.
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def from_memory(x: GMTensor, g: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    gain = Var(0.0)
    with auto_sync():
        if GetVecIdx() == 0:
            tile <<= x[0:8, 0:64]
            gain.GetValueFrom(g[0:1, 0:1])  #~ WARNING op-dtype: is bfloat16, which has no conversion
            muls(tile, tile, gain)
            y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def of_half(x: GMTensor, g: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    gain = Var(0.0)
    with auto_sync():
        if GetVecIdx() == 0:
            tile <<= x[0:8, 0:64]
            gain.GetValueFrom(g[0:1, 0:1])
            muls(tile, tile, gain)
            y[0:8, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(from_memory, "", simulator=True)(torch.randn(8, 64), torch.randn(1, 16).bfloat16(), torch.zeros(8, 64))
    OpExec(of_half, "", simulator=True)(torch.randn(8, 64), torch.randn(1, 16).half(), torch.zeros(8, 64))
