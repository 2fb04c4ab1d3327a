"""A fill in the outer loop, before an inner loop that ends in stores: harmless."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def dup_before_inner_loop(x: GMTensor, y: GMTensor, M: Var, N: Var):
    x_in = DBuff(DT.float, [64, 64], Position.UB)
    run = Tensor(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    count = Var(0)
    with auto_sync():
        for mt in range(GetVecIdx(), M, GetVecNum()):
            dup(run, 0.0)
            for nt in range(0, N):
                x_in[count] <<= x[mt * 64:mt * 64 + 64, nt * 64:nt * 64 + 64]
                add(run, run, x_in[count])
                exp(out[count], run)
                y[mt * 64:mt * 64 + 64, nt * 64:nt * 64 + 64] <<= out[count]
                count += 1
    return y


if __name__ == "__main__":
    OpExec(dup_before_inner_loop, "", simulator=True)(torch.randn(3840, 128), torch.zeros(3840, 128), 60, 2)
