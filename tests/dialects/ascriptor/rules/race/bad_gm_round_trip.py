"""auto_sync covers what is on chip. A workspace that one side stores and loads is the author's."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec")
def round_trip(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):
    first = Tensor(f32, [64, 64], Position.UB)
    second = Tensor(f32, [64, 64], Position.UB)
    ws = split_workspace(f32, [GetVecNum(), 64, 64])
    with auto_sync():
        first <<= x
        exp(first, first)
        ws[GetVecIdx(), 0:64, 0:64] <<= first
        second <<= ws[GetVecIdx(), 0:64, 0:64]  #~ ERROR race: MTE3→MTE2
        ln(second, second)
        y[0:64, 0:64] <<= second
    return y


if __name__ == "__main__":
    OpExec(round_trip, launcher="sim", block_dim=1)(torch.randn(64, 64), torch.empty(64, 64))
