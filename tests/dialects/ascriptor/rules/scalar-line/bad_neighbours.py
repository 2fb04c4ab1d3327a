"""Every lane stores one number, into the cache line of its neighbour."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=4)
def neighbours(x: GM[f32, (4, 64)], y: GM[f32, (4, 1)]):
    tile = Tensor(f32, [1, 64], Position.UB)
    read = SEvent(Pipe.MTE2, Pipe.S)
    first = Var(0.0)
    lane = GetVecIdx()
    tile <<= x[lane:lane + 1, :]
    read.set()
    read.wait()
    first.GetValueFrom(tile[0:1, 0:1])
    first.SetValueTo(y[lane:lane + 1, 0:1])  #~ WARNING scalar-line: in which vec0 has stored other elements
    return y


if __name__ == "__main__":
    OpExec(neighbours, launcher="sim")(torch.randn(4, 64), torch.empty(4, 1))
