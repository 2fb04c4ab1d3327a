"""Both lanes hand over a token, each in its own branch."""
import torch

from easyasc.a2 import *

ROWS = 32
HALF = ROWS // 2
WIDTH = 64


@kernel()
def vec_to_cube(x: GMTensor, b: GMTensor, y: GMTensor, M: Var):
    rows_in = DBuff(DT.float, [HALF, WIDTH], Position.UB)
    rows_out = DBuff(DT.half, [HALF, WIDTH], Position.UB)
    l1_a = DBuff(DT.half, [ROWS, WIDTH], Position.L1)
    l1_b = Tensor(DT.half, [WIDTH, WIDTH], Position.L1)
    l0c = DBuff(DT.float, [ROWS, WIDTH], Position.L0C)
    ws = split_workspace(DT.half, [GetCubeNum(), 2, ROWS, WIDTH])
    bridge = VcMutex(1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.FIX)
    core = GetCubeIdx()
    half = Var(GetSubBlockIdx() * HALF)
    count = Var(0)
    l1_b <<= b[0:WIDTH, 0:WIDTH]
    bar_all()
    with auto_sync():
        for tile in range(core, M // ROWS, GetCubeNum()):
            row0 = Var(tile * ROWS)
            slot = Var(var_mod(count, 2))
            rows_in[count] <<= x[row0 + half:row0 + half + HALF, 0:WIDTH]
            cast(rows_out[count], rows_in[count])
            bridge.lock()
            ws[core, slot, half:half + HALF, 0:WIDTH] <<= rows_out[count]
            if GetSubBlockIdx() == 0:
                bridge.ready()
            else:
                bridge.ready()
            bridge.wait()
            l1_a[count] <<= ws[core, slot, 0:ROWS, 0:WIDTH]
            matmul(l0c[count], l1_a[count], l1_b)
            y[row0:row0 + ROWS, 0:WIDTH] <<= l0c[count]
            bridge.free()
            count += 1
    return y


if __name__ == "__main__":
    OpExec(vec_to_cube, "", simulator=True)(torch.randn(3200, 64), torch.randn(64, 64).half(), torch.zeros(3200, 64), 3200)
