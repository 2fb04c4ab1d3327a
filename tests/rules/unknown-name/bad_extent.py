"""An extent that nobody knows: neither walk nor overlap of its operand is judged."""
from easyasc.a2 import *

D = 128
HALF = D // 2


@kernel(mode="vec")
def k(x: GMTensor, w: GMTensor, y: GMTensor, M: Var):
    t = Tensor(DT.float, [64, D], Position.UB)
    o = Tensor(DT.float, [64, D], Position.UB)
    row = Tensor(DT.float, [1, D], Position.UB)
    with auto_sync():
        row <<= w[0:1, 0:D]
        for m in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            v = Min(64, M - m)
            t[0:v, 0:D] <<= x[m:m + v, 0:D]
            muls(o, t, 2.0)
            add(o[:, 0:HALF], o[:, 0:HALF], row[0:1, 0:HALFF])  #~ ERROR unknown-name: `HALFF`
            mul(o[:, HALF:D], o[:, HALF:DD], row[0:1, HALF:D])  #~ ERROR unknown-name: `DD`
            y[m:m + v, 0:D] <<= o[0:v, 0:D]
    return y
