"""A fill of L1 and a load over a part of it: both are MTE2, and land in either order."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="cube", block_dim=1)
def product(a: GM[f16, ("M", 64)], y: GM[f32, (64, 64)]):
    l1 = Tensor(f16, [64, 64], Position.L1)
    l0c = Tensor(f32, [64, 64], Position.L0C)
    with auto_sync():
        set_constant_to_l1(l1, 0.0)
        l1[0:M, :] <<= a[0:M, 0:64]  #~ ERROR race: MTE2
        matmul(l0c, l1, l1, m=64, n=64, k=64)
        y[0:64, 0:64] <<= l0c
    return y


if __name__ == "__main__":
    OpExec(product, launcher="sim")(torch.randn(33, 64).half(), torch.empty(64, 64))
