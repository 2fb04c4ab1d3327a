"""A column that the launch gives, in a load, a store and a reduction of blocks."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def column(x: GMTensor, y: GMTensor, z: GMTensor, c: Var):
    f = Tensor(DT.half, [8, 256], Position.UB)
    top = Tensor(DT.half, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            dup(f, 0.0, count=8 * 256)
            bar_all()
            f[0:8, c:c + 64] <<= x[0:8, 0:64]  #~ ERROR operand-alignment: starts 8 bytes past a 32-byte border
            muls(f, f, 2.0, count=8 * 256)
            dup(top, 0.0, count=8 * 64)
            cgmax(top[0:1, c:c + 64], f[0:1, 0:256])  #~ ERROR operand-alignment: starts 8 bytes past a 16-byte border
            y[0:8, 0:256] <<= f
            z[0:8, 0:64] <<= top
    return y, z


if __name__ == "__main__":
    x = torch.randn(8, 64).half()
    OpExec(column, "", simulator=True)(x, torch.zeros(8, 256).half(), torch.zeros(8, 64).half(), 4)
