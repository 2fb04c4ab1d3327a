"""A parameter that every launch gives an integer."""
from easyasc.a2 import *


@kernel(mode="vec")
def tile(x: GMTensor, y: GMTensor, M: Var, scale: Var):
    zero = Tensor(DT.float, [64, 64], Position.UB)
    f = Tensor(DT.float, [64, 64], Position.UB)
    g = Tensor(DT.float, [64, 64], Position.UB)
    h = Tensor(DT.half, [64, 64], Position.UB)
    b = Tensor(DT.bfloat16, [64, 64], Position.UB)
    i = Tensor(DT.int, [64, 64], Position.UB)
    s = Tensor(DT.int16, [64, 64], Position.UB)
    u = Tensor(DT.uint8, [64, 64], Position.UB)
    ws_f = split_workspace(DT.float, [GetVecNum(), 64, 64])
    ws_h = split_workspace(DT.half, [GetVecNum(), 64, 64])

    with auto_sync():
        dup(zero, 0.0)
        f <<= x[0:64, 0:64]
        muls(f, f, scale)
        root = scalar_sqrt(M)  #~ ERROR sqrt-int-var: is int in every launch
        muls(f, f, root)
        y[0:64, 0:64] <<= f

    return y


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64)
    y = torch.empty(64, 64)
    OpExec(tile, "", simulator=True)(x, y, 64, 2.0)
    OpExec(tile, "", simulator=True)(x, y, 128, 4.0)
