"""A counter taken modulo the slots, and one that is not: the same slot."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def modulo(x: GMTensor, y: GMTensor, N: Var):
    x_in = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    count = Var(0)
    for i in range(0, N):
        slot = Var(var_mod(count, 2))
        x_in[count] <<= x[i * 64:i * 64 + 64, 0:64]
        bar_all()
        exp(out[slot], x_in[slot])
        bar_all()
        y[i * 64:i * 64 + 64, 0:64] <<= out[slot]
        bar_all()
        count += 1
    return y


if __name__ == "__main__":
    OpExec(modulo, "", simulator=True)(torch.randn(512, 64), torch.zeros(512, 64), 8)
