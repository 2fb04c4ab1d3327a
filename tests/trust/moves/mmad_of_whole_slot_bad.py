# The other way round: what was loaded is larger than the accumulator.
from easyasc.a2 import *


# a2lint: launch(x=half[128, 64], y=float[64, 64])
@kernel(block_dim=1)
def whole(x: GMTensor, y: GMTensor):
    stage = Tensor(DT.half, [128, 64], Position.L1)
    left = Tensor(DT.half, [128, 64], Position.L0A)
    right = Tensor(DT.half, [128, 64], Position.L0B)
    acc = Tensor(DT.float, [64, 64], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            stage <<= x[0:128, 0:64]
            left <<= stage
            right <<= stage[0:64, 0:64]
            mmad(acc, left, right)  #~ ERROR l0c-backing-short: whole fractals, [128,64]
            y[0:64, 0:64] <<= acc[0:64, 0:64]  #~ ERROR operand-overrun: reads 12288 bytes outside
    return y
