"""Hosts without unsigned integers pass signed ones; floats become halves where L0C is drained."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def pick(x: GMTensor, index: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [1, 64], Position.UB)
    offsets = Tensor(DT.uint32, [1, 64], Position.UB)
    out = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            tile <<= x[0:1, 0:64]
            offsets <<= index[0:1, 0:64]
            gather(out, tile, offsets)
            y[0:1, 0:64] <<= out
    return y


@kernel()
def product(a: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            l1_a <<= a[0:64, 0:64]
            matmul(l0c, l1_a, l1_a)
            c[0:64, 0:64] <<= l0c
    return c


if __name__ == "__main__":
    index = torch.zeros(1, 64, dtype=torch.int32)
    OpExec(pick, "", simulator=True)(torch.randn(1, 64), index, torch.zeros(1, 64))
    OpExec(product, "", simulator=True)(torch.randn(64, 64).half(), torch.zeros(64, 64).half())
