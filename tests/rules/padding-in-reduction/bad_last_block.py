"""The fill is in place, and the load replaces the rest of the last block of every row."""
from easyasc.a2 import *

@kernel(mode="vec")
def bad_last_block(x: GMTensor, y: GMTensor, M: Var, N: Var):
    tile = Tensor(DT.float, [32, 64], Position.UB)
    rows = Tensor(DT.float, [1, 64], Position.UB)
    out = Tensor(DT.float, [32, 64], Position.UB)
    filled = SEvent(Pipe.V, Pipe.MTE2)
    if GetVecIdx() == 0:
        with auto_sync():
            dup(tile, -1.0e30)
            filled.set()
            filled.wait()
            tile[0:M, 0:N] <<= x[0:M, 0:N]
            cadd(rows, tile)  #~ ERROR padding-in-reduction: reduces undefined elements
            y[0:M] <<= rows[0:1, 0:M]
    return y


if __name__ == "__main__":
    import torch

    M, N = 32, 37
    x = torch.randn(M, N)
    y = torch.empty(M)
    OpExec(bad_last_block, "", simulator=True)(x, y, M, N)
