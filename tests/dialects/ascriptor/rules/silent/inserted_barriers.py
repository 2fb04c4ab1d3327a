"""V after V and products that are added up: the compiler puts the barriers in."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel()
def inserted(a: GM[f16, (16, 64)], x: GM[f32, (64, 64)], y: GM[f32, (64, 64)], z: GM[f32, (16, 16)]):
    l1 = Tensor(f16, [16, 64], Position.L1)
    l0c = Tensor(f32, [16, 16], Position.L0C)
    tile = Tensor(f32, [64, 64], Position.UB)
    copy = Tensor(f32, [64, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    if GetVecIdx() == 0:
        tile <<= x
        loaded.set()
        loaded.wait()
        exp(tile, tile)
        copy <<= tile
        add(tile, tile, copy)
        muls(tile, tile, 2.0)
        done.set()
        done.wait()
        y[0:64, 0:64] <<= tile
    if GetCubeIdx() == 0:
        with auto_sync():
            l1 <<= a
            matmul(l0c, l1, l1, m=16, n=16, k=64)
            matmul(l0c, l1, l1, m=16, n=16, k=64, is_init=False)
            z[0:16, 0:16] <<= l0c
    return y, z


if __name__ == "__main__":
    x = torch.randn(64, 64)
    OpExec(inserted, launcher="sim")(torch.randn(16, 64).half(), x, torch.empty(64, 64), torch.empty(16, 16))
