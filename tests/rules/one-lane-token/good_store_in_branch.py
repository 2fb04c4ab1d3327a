"""What is stored depends on the lane; the token does not."""
import torch

from easyasc.a2 import *

@kernel()
def both_signal(x: GMTensor, y: GMTensor):
    l1 = Tensor(DT.half, [64, 64], Position.L1)
    l0c = Tensor(DT.float, [64, 64], Position.L0C)
    ub = Tensor(DT.half, [64, 64], Position.UB)
    ws = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    ub <<= x[0:64, 0:64]
    bar_all()
    if GetSubBlockIdx() == 0:
        ws[GetCubeIdx(), 0:64, 0:64] <<= ub
    vec_ready(3)
    wait_vec(3)
    with auto_sync():
        l1 <<= ws[GetCubeIdx(), 0:64, 0:64]
        matmul(l0c, l1, l1)
        y[GetCubeIdx(), 0:64, 0:64] <<= l0c
    return y


if __name__ == "__main__":
    OpExec(both_signal, "", simulator=True)(torch.randn(64, 64).half(), torch.zeros(20, 64, 64))
