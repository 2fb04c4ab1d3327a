"""Each side waits for the other before it hands over its own tile."""
from easyasc.a2 import *

@kernel()
def bad_cycle(x: GMTensor, b: GMTensor, y: GMTensor, c: GMTensor):
    p = Tensor(DT.half, [32, 64], Position.UB)
    s = Tensor(DT.float, [32, 64], Position.UB)
    l1_p = Tensor(DT.half, [64, 64], Position.L1)
    l1_b = Tensor(DT.half, [64, 64], Position.L1)
    l0c_s = Tensor(DT.float, [64, 64], Position.L0C)
    l0c_p = Tensor(DT.float, [64, 64], Position.L0C)
    ws_s = split_workspace(DT.float, [GetCubeNum(), 64, 64])
    ws_p = split_workspace(DT.half, [GetCubeNum(), 64, 64])
    scores = CvMutex(0, depth=1, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)
    weights = VcMutex(1, depth=1, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.FIX)
    core = GetCubeIdx()
    half_row = Var(GetSubBlockIdx() * 32)
    with auto_sync():
        if core == 0:
            l1_b <<= b[0:64, 0:64]
            # the cube: weights first
            weights.wait()  #~ ERROR deadlock: core 0 cube waits for both vec lanes on flag 1
            l1_p <<= ws_p[core, 0:64, 0:64]
            matmul(l0c_p, l1_p, l1_b)
            c[0:64, 0:64] <<= l0c_p
            weights.free()
            matmul(l0c_s, l1_b, l1_b)
            scores.lock()
            ws_s[core, 0:64, 0:64] <<= l0c_s
            scores.ready()
            # the vec lanes: scores first
            scores.wait()
            s <<= ws_s[core, half_row:half_row + 32, 0:64]
            scores.free()
            y[half_row:half_row + 32, 0:64] <<= s
            p <<= x[half_row:half_row + 32, 0:64]
            weights.lock()
            ws_p[core, half_row:half_row + 32, 0:64] <<= p
            weights.ready()
    return y, c


if __name__ == "__main__":
    import torch

    x = torch.randn(64, 64).half()
    b = torch.randn(64, 64).half()
    y = torch.zeros(64, 64)
    c = torch.zeros(64, 64)
    OpExec(bad_cycle, "", simulator=True)(x, b, y, c)
