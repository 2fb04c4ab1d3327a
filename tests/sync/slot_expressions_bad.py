"""One slot under two expressions is two keys to auto_sync."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def slot_expressions(x: GMTensor, y: GMTensor, N: Var):
    x_in = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    count = Var(0)
    other = Var(0)
    with auto_sync():
        for i in range(0, N):
            x_in[count] <<= x[i * 64:i * 64 + 64, 0:64]  #~ ERROR race: V→MTE2
            count += 1
            exp(out[other], x_in[other])  #~ ERROR race: MTE2→V
            y[i * 64:i * 64 + 64, 0:64] <<= out[other]
            other += 1
    return y


if __name__ == "__main__":
    OpExec(slot_expressions, "", simulator=True)(torch.randn(384, 64), torch.zeros(384, 64), 6)
