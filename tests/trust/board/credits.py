# Three credits for a ring of two: the third product lands on the slot that the vector unit may still be reading.
from easyasc.a2 import *


@kernel()
def three(a: GMTensor, b: GMTensor, y: GMTensor, M: Var):
    rows = DBuff(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = DBuff(DT.float, [64, 64], Position.L0C)
    tile = DBuff(DT.float, [32, 64], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, 64, 64])
    full = CvMutex(0, depth=3, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    half = Var(GetSubBlockIdx() * 32)
    beat = Var(0)
    with auto_sync():
        weights <<= b[0:64, 0:64]
        for t in range(core, M // 64, GetCubeNum()):
            rows[beat] <<= a[t * 64:t * 64 + 64, 0:64]
            matmul(product[beat], rows[beat], weights)
            full.lock()
            ws[core, var_mod(beat, 2), 0:64, 0:64] <<= product[beat]  #~ WARNING mutex-depth: 3 free tokens
            full.ready()
            full.wait()
            tile[beat] <<= ws[core, var_mod(beat, 2), half:half + 32, 0:64]
            full.free()
            y[t * 64 + half:t * 64 + half + 32, 0:64] <<= tile[beat]
            beat += 1
    return y


@kernel()
def two(a: GMTensor, b: GMTensor, y: GMTensor, M: Var):
    rows = DBuff(DT.half, [64, 64], Position.L1)
    weights = Tensor(DT.half, [64, 64], Position.L1)
    product = DBuff(DT.float, [64, 64], Position.L0C)
    tile = DBuff(DT.float, [32, 64], Position.UB)
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
            tile[beat] <<= ws[core, var_mod(beat, 2), half:half + 32, 0:64]
            full.free()
            y[t * 64 + half:t * 64 + half + 32, 0:64] <<= tile[beat]
            beat += 1
    return y
