# Good: one ring in, one ring out, one step each: in order under either reading of the handshakes.
import torch
from easyasc.a2 import *


@kernel()
def twice(x: GMTensor, y: GMTensor, N: Var):  #~ VERDICT order: holds
    a = DBuff(DT.float, [8, 64], Position.UB)
    b = DBuff(DT.float, [8, 64], Position.UB)
    step = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), N, GetVecNum()):
            a[step] <<= x[t * 8:t * 8 + 8, 0:64]
            muls(b[step], a[step], 2.0)
            y[t * 8:t * 8 + 8, 0:64] <<= b[step]
            step += 1
    return y


if __name__ == "__main__":
    OpExec(twice, "", simulator=True)(torch.randn(6400, 64), torch.zeros(6400, 64), 800)
