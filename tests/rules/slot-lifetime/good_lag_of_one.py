"""Two slots, and the reader is one behind."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def late_reader(x: GMTensor, y: GMTensor, N: Var):
    x_in = DBuff(DT.float, [64, 64], Position.UB)
    scale = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    first = Var(0)
    second = Var(0)
    with auto_sync():
        for trip in range(0, N + 1):
            if trip < N:
                x_in[first] <<= x[trip * 64:trip * 64 + 64, 0:64]
                exp(scale[first], x_in[first])
                first += 1
            if trip > 1 - 1:
                muls(out[second], scale[second], 2.0)
                y[second * 64:second * 64 + 64, 0:64] <<= out[second]
                second += 1
    return y


if __name__ == "__main__":
    OpExec(late_reader, "", simulator=True)(torch.randn(512, 64), torch.zeros(512, 64), 8)
