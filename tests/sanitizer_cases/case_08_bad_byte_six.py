"""Thirteen bytes to byte 6 of UB."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def case_08_bad_byte_six(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.int8, [1, 64], Position.UB)
    if GetVecIdx() == 0:
        with auto_sync():
            ub <<= x[0:64]
            bar_mte2()
            ub[0:1, 6:19] <<= x[0:13]  #~ ERROR operand-alignment: starts 6 bytes past a 32-byte border
            y[0:64] <<= ub
    return y


if __name__ == "__main__":
    x = torch.zeros(64, dtype=torch.int8)
    y = torch.zeros(64, dtype=torch.int8)
    OpExec(case_08_bad_byte_six, "", simulator=True)(x, y)
