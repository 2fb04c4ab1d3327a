"""Constants come from no load, whatever the tensors held before: each lane counts itself."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def lanes(x: GMTensor, total: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    out = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        muls(out, tile, 2.0)
        y[GetVecIdx() * 8:GetVecIdx() * 8 + 8, 0:64] <<= out
        dup(tile, 1.0)
        with atomic_add():
            total[0:8, 0:64] <<= tile
    return y


@kernel()
def cubes(x: GMTensor, total: GMTensor, y: GMTensor):
    l1_a = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        l1_a <<= x[0:64, 0:64]
        l1_b <<= x[0:64, 0:64]
        matmul(l0c, l1_a, l1_b)
        y[GetCubeIdx() * 64:GetCubeIdx() * 64 + 64, 0:64] <<= l0c
        set_constant_to_l1(l1_a, 1.0)
        set_constant_to_l1(l1_b, 1.0)
        matmul(l0c, l1_a, l1_b)
        with atomic_add():
            total[0:64, 0:64] <<= l0c
    return y


if __name__ == "__main__":
    OpExec(lanes, "", simulator=True)(torch.randn(8, 64), torch.zeros(8, 64), torch.zeros(320, 64))
    OpExec(cubes, "", simulator=True)(torch.randn(64, 64).half(), torch.zeros(64, 64), torch.zeros(1280, 64))
