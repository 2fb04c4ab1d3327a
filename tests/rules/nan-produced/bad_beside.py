"""A wrong operand elsewhere does not explain an overflow here."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def two(x: GMTensor, y: GMTensor, z: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    s = Tensor(DT.float, [64, 1], Position.UB)
    h = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            u <<= x[0:64, 0:64]
            h <<= x[0:8, 0:64]
            cmax(s, u)
            sub(u, u, s)  #~ ERROR scalars-unbroadcast
            exp(h, h)  #~ WARNING nan-produced: an infinity
            y[0:64, 0:64] <<= u
            z[0:8, 0:64] <<= h
    return y, z


if __name__ == "__main__":
    x = torch.full((64, 64), 100.0)
    OpExec(two, "", simulator=True)(x, torch.zeros(64, 64), torch.zeros(8, 64))
