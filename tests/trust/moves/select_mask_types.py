# Which operand of select() and compare() is at fault: the mask alone, or the data.
from easyasc.a2 import *


# a2lint: launch(x=float[8, 64], y=float[8, 64])
@kernel(block_dim=1)
def mask(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [8, 64], Position.UB)
    bits = Tensor(DT.half, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            u <<= x[0:8, 0:64]
            compare_scalar(bits, u, 0.5, CompareMode.GT)  #~ ERROR mask-dtype: works on a packed mask of uint8 or int8; `bits` is half
            y[0:8, 0:64] <<= u
    return y
