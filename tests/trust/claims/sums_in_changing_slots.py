"""Two products in turn add to one slot, which an expression picks."""
import torch

from easyasc.a2 import *


@kernel()
def every_other_slot(a: GMTensor, b: GMTensor, y: GMTensor, K: Var):  #~ VERDICT every_other_slot.order: tested
    left = DBuff(DT.half, [32, 64], Position.L1)
    right = DBuff(DT.half, [32, 64], Position.L1)
    sums = DBuff(DT.float, [32, 32], Position.L0C)
    step = Var(0)
    with auto_sync():
        for k0 in range(0, K, 64):
            left[step] <<= a[0:32, k0:k0 + 64]
            right[step] <<= b[0:32, k0:k0 + 64]
            matmul(sums[step // 2], left[step], right[step], is_init=(step % 2 == 0))
            step += 1
        bar_all()
        y[0:32, 0:32] <<= sums[0]
    return y


if __name__ == "__main__":
    OpExec(every_other_slot, "", simulator=True)(torch.randn(32, 256).half(), torch.randn(32, 256).half(), torch.zeros(32, 32), 256)
