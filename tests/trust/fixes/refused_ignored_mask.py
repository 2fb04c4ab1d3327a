# A mask that nothing obeys: to reset it at once would hide that lanes were to be spared
from easyasc.a2 import *


# a2lint: launch(x=float[640, 256], y=float[640, 64])
@kernel(mode="vec")
def parts(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    acc = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a <<= x[row:row + 64, 0:64]
            set_mask(0, 0xFF)
            ub_to_ub(acc, a)  #~ WARNING mask-ignored: works on all lanes
            reset_mask()
            y[row:row + 64, 0:64] <<= acc
    return y
