"""Offsets are bytes; these are numbers of elements."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def reverse(x: GM[f32, (1, 64)], y: GM[f32, (1, 64)]):
    row = Tensor(f32, [1, 64], Position.UB)
    offset = Tensor(i32, [1, 64], Position.UB)
    out = Tensor(f32, [1, 64], Position.UB)
    with auto_sync():
        row <<= x
        dup(offset, 3)
        gather(out, row, offset.reinterpret(u32))  #~ ERROR gather-offset
        y <<= out
    return y


if __name__ == "__main__":
    OpExec(reverse, launcher="sim")(torch.randn(1, 64), torch.empty(1, 64))
