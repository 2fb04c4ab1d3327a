# A launch that ends in a division by zero hid a race that every other launch shows
from easyasc.a2 import *
import torch


@kernel()
def per_group(src: GMTensor, dst: GMTensor, Q: Var, KV: Var):
    line = Tensor(DT.float, [1, 64], Position.UB)
    share = Var(32 // (Q // KV))  #~ ERROR undefined-arithmetic: divides 32 by 0
    with auto_sync():
        for r in range(GetVecIdx(), 128, GetVecNum()):
            line <<= src[r:r + 1, 0:64]  #~ WARNING race: MTE3→MTE2
            adds(line, line, 1.0)
            dst[r + share:r + share + 1, 0:64] <<= line
    return dst


if __name__ == "__main__":
    OpExec(per_group, "out", simulator=True)(torch.randn(128, 64), torch.zeros(256, 64), 1, 2)
