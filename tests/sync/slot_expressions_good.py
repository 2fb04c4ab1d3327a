"""A slot that is loaded ahead of the loop has the same counter as in it."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def slot_expressions(x: GMTensor, y: GMTensor, N: Var):
    x_in = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    count = Var(0)
    with auto_sync():
        x_in[count] <<= x[0:64, 0:64]
        for i in range(0, N):
            exp(out[count], x_in[count])
            y[i * 64:i * 64 + 64, 0:64] <<= out[count]
            count += 1
            x_in[count] <<= x[i * 64:i * 64 + 64, 0:64]
    return y


if __name__ == "__main__":
    OpExec(slot_expressions, "", simulator=True)(torch.randn(384, 64), torch.zeros(384, 64), 6)
