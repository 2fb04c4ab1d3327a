"""Only sub-block 1 signals; the file has no launch."""
from easyasc.a2 import *

@kernel()
def one_signals(x: GMTensor):
    l1 = Tensor(DT.half, [64, 64], Position.L1)
    ub = Tensor(DT.half, [32, 64], Position.UB)
    ws = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    sb = GetSubBlockIdx()
    ub <<= x[sb * 32:sb * 32 + 32, 0:64]
    bar_all()
    ws[GetCubeIdx(), sb * 32:sb * 32 + 32, 0:64] <<= ub
    if sb > 0:
        vec_ready(3)  #~ ERROR one-lane-token: only vec1 reaches `vec_ready(3)`
    wait_vec(3)
    l1 <<= ws[GetCubeIdx(), 0:64, 0:64]
