"""Starts that depend on the loop and lie on blocks; an unaligned one that touches nothing; results and bits that start anywhere."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def shifted(x: GMTensor, y: GMTensor, z: GMTensor):
    f = Tensor(DT.float, [8, 128], Position.UB)
    s = Tensor(DT.float, [1, 64], Position.UB)
    wide = Tensor(DT.float, [8, 8], Position.UB)
    bits = Tensor(DT.uint8, [8, 32], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            f <<= x[0:8, 0:128]
            dup(s, 0.0)
            for r in range(0, 8):
                start = Var(r * 8)
                exp(f[r:r + 1, start:start + 64], f[r:r + 1, start:start + 64])
                cadd(s[0:1, r:r + 1], f[r:r + 1, 0:64])
                compare_scalar(bits[r:r + 1, 0:8], f[r:r + 1, 0:64], 0.0, CompareMode.GT)
                nothing = Var(0)
                adds(f[r:r + 1, r:r + 32], f[r:r + 1, r:r + 32], 1.0, count=nothing)
            brcb(wide, s[0:1, 0:8], dst_blk_stride=1, dst_rep_stride=8, repeat=1)
            y[0:8, 0:128] <<= f
            z[0:8, 0:8] <<= wide
    return y, z


if __name__ == "__main__":
    OpExec(shifted, "", simulator=True)(torch.randn(8, 128), torch.zeros(8, 128), torch.zeros(8, 8))
