"""Nothing tells the vector unit that the product is there."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(block_dim=1)
def bridge(a: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    ub = Tensor(f32, [32, 64], Position.UB)
    ws = split_workspace(f32, [GetCubeNum(), 64, 64])
    half = GetSubBlockIdx() * 32
    with auto_sync():
        l1 <<= a
        matmul(l0c, l1, l1, m=64, n=64, k=64)
        ws[GetCubeIdx(), 0:64, 0:64] <<= l0c
        ub <<= ws[GetCubeIdx(), half:half + 32, 0:64]  #~ ERROR missing-mutex
        y[half:half + 32, 0:64] <<= ub
    return y


if __name__ == "__main__":
    OpExec(bridge, launcher="sim")(torch.randn(64, 64).half(), torch.empty(64, 64))
