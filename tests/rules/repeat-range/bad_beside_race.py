"""An instruction that does not exist keeps its place in the order; a race beside it is told."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, z: GMTensor):
    ub = Tensor(DT.float, [64, 256], Position.UB)
    other = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            ub <<= x[0:64, 0:256]
            muls(ub, ub, 2.0)  #~ ERROR repeat-range: takes 256 repeats
            adds(ub[0:8, 0:256], ub[0:8, 0:256], 1.0)
            y[0:64, 0:256] <<= ub
            dup(other, 0.0)
            other[0:4, 0:64] <<= x[0:4, 0:64]  #~ ERROR race: nothing orders V→MTE2
            exp(other, other)
            z[0:8, 0:64] <<= other
    return y, z


if __name__ == "__main__":
    OpExec(rows, "", simulator=True)(torch.randn(64, 256), torch.zeros(64, 256), torch.zeros(8, 64))
