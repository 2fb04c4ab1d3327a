"""What the load leaves out is multiplied, and never stored."""
from easyasc.a2 import *

@kernel(mode="vec")
def good_elementwise(x: GMTensor, y: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    rows = Tensor(DT.float, [1, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    filled = SEvent(Pipe.V, Pipe.MTE2)
    if GetVecIdx() == 0:
        with auto_sync():
            tile[0:M, 0:N] <<= x[0:M, 0:N]
            muls(out, tile, 2.0)
            y[0:M, 0:N] <<= out[0:M, 0:N]
    return y


if __name__ == "__main__":
    import torch

    M, N = 32, 37
    x = torch.randn(M, N)
    y = torch.empty(M, N)
    OpExec(good_elementwise, "", simulator=True)(x, y, M, N)
