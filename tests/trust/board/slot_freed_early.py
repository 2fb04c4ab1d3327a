# free() stands between two loads from one slot: protocol and counts are right, and the second load has no slot.
from easyasc.a2 import *


@kernel()
def between(a: GMTensor, b: GMTensor, y: GMTensor, M: Var):
    rows = DBuff(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = DBuff(DT.float, [64, 64], Position.L0C)
    upper = DBuff(DT.float, [16, 64], Position.UB)
    lower = DBuff(DT.float, [16, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, 64, 64])
    full = CvMutex(0, depth=2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    half = Var(GetSubBlockIdx() * 32)
    beat = Var(0)
    with auto_sync():
        weights <<= b[0:64, 0:64]
        for t in range(core, M // 64, GetCubeNum()):
            rows[beat] <<= a[t * 64:t * 64 + 64, 0:64]
            matmul(product[beat], rows[beat], weights)
            full.lock()
            ws[core, var_mod(beat, 2), 0:64, 0:64] <<= product[beat]
            full.ready()
            full.wait()
            upper[beat] <<= ws[core, var_mod(beat, 2), half:half + 16, 0:64]
            full.free()
            lower[beat] <<= ws[core, var_mod(beat, 2), half + 16:half + 32, 0:64]  #~ WARNING mutex-protocol: stands outside of `full`
            y[t * 64 + half:t * 64 + half + 16, 0:64] <<= upper[beat]
            y[t * 64 + half + 16:t * 64 + half + 32, 0:64] <<= lower[beat]
            beat += 1
    return y


@kernel()
def after_both(a: GMTensor, b: GMTensor, y: GMTensor, M: Var):
    rows = DBuff(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = DBuff(DT.float, [64, 64], Position.L0C)
    upper = DBuff(DT.float, [16, 64], Position.UB)
    lower = DBuff(DT.float, [16, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, 64, 64])
    full = CvMutex(0, depth=2, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    half = Var(GetSubBlockIdx() * 32)
    beat = Var(0)
    with auto_sync():
        weights <<= b[0:64, 0:64]
        for t in range(core, M // 64, GetCubeNum()):
            rows[beat] <<= a[t * 64:t * 64 + 64, 0:64]
            matmul(product[beat], rows[beat], weights)
            full.lock()
            ws[core, var_mod(beat, 2), 0:64, 0:64] <<= product[beat]
            full.ready()
            full.wait()
            upper[beat] <<= ws[core, var_mod(beat, 2), half:half + 16, 0:64]
            lower[beat] <<= ws[core, var_mod(beat, 2), half + 16:half + 32, 0:64]
            full.free()
            y[t * 64 + half:t * 64 + half + 16, 0:64] <<= upper[beat]
            y[t * 64 + half + 16:t * 64 + half + 32, 0:64] <<= lower[beat]
            beat += 1
    return y
