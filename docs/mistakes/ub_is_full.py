from easyasc.a2 import *


# a2lint: launch(x=float[640, 128], y=float[640, 128])
@kernel(mode="vec")
def square(x: GMTensor, y: GMTensor):
    a = QBuff(DT.float, [64, 128], Position.UB)
    b = QBuff(DT.float, [64, 128], Position.UB)
    count = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), 10, GetVecNum()):
            row = Var(tile * 64)
            a[count] <<= x[row:row + 64, 0:128]
            mul(b[count], a[count], a[count])
            y[row:row + 64, 0:128] <<= b[count]
            count += 1
    return y
