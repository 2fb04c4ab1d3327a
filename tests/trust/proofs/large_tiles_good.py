# A tile of any size may end early: the proof does not stop at the number of sizes that can be tried one by one.
from easyasc.a2 import *

TILE = 4096


#~ VERDICT doubled.operands: holds
#~ VERDICT doubled.initialised: holds
# a2lint: launch(N=10001, x=half[1, N], y=half[1, N])
@kernel(mode="vec")
def doubled(x: GMTensor, y: GMTensor, N: Var):
    a = DBuff(DT.half, [1, TILE], Position.UB)
    b = DBuff(DT.half, [1, TILE], Position.UB)
    count = Var(0)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(N, TILE), GetVecNum()):
            at = tile * TILE
            n = Min(TILE, N - at)
            a[count][0:1, 0:n] <<= x[0:1, at:at + n]
            b[count] <<= a[count] + a[count]
            y[0:1, at:at + n] <<= b[count][0:1, 0:n]
            count += 1
    return y
