# The second of two lock() goes, though what is found is told of the kernel
from easyasc.a2 import *

ROWS = 16
HALF = ROWS // 2
WIDTH = 64


@kernel()
def locked_twice(a: GMTensor, b: GMTensor, y: GMTensor, M: Var):  #~ WARNING deadlock: no lane can go on
    l1_a = DBuff(DT.half, [ROWS, WIDTH], Position.L1)
    l1_b = Tensor(DT.half, [WIDTH, WIDTH], Position.L1)
    l0c = DBuff(DT.float, [ROWS, WIDTH], Position.L0C)
    rows_in = DBuff(DT.float, [HALF, WIDTH], Position.UB)
    rows_out = DBuff(DT.float, [HALF, WIDTH], Position.UB)
    ws = split_workspace(DT.float, [GetCubeNum(), 2, ROWS, WIDTH])
    bridge = CvMutex(0, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    core = GetCubeIdx()
    half = Var(GetSubBlockIdx() * HALF)
    count = Var(0)
    l1_b <<= b[0:WIDTH, 0:WIDTH]
    bar_all()
    with auto_sync():
        for tile in range(core, M // ROWS, GetCubeNum()):
            row0 = Var(tile * ROWS)
            slot = Var(var_mod(count, 2))
            l1_a[count] <<= a[row0:row0 + ROWS, 0:WIDTH]
            matmul(l0c[count], l1_a[count], l1_b)
            bridge.lock()
            bridge.lock()
            ws[core, slot, 0:ROWS, 0:WIDTH] <<= l0c[count]
            bridge.ready()
            bridge.wait()
            rows_in[count] <<= ws[core, slot, half:half + HALF, 0:WIDTH]
            bridge.free()
            exp(rows_out[count], rows_in[count])
            y[row0 + half:row0 + half + HALF, 0:WIDTH] <<= rows_out[count]
            count += 1
    return y
