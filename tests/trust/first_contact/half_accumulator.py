# An accumulator in half: nothing that a launch could give `c` as would mend that, so it is reported once.
from easyasc.a2 import *
import torch


@kernel()
def mm(a: GMTensor, b: GMTensor, c: GMTensor):
    l1a = Tensor(DT.half, [128, 128], Position.L1)
    l1b = Tensor(DT.half, [128, 128], Position.L1)
    acc = Tensor(DT.half, [128, 128], Position.L0C)
    with auto_sync():
        l1a <<= a[0:128, 0:128]
        l1b <<= b[0:128, 0:128]
        matmul(acc, l1a, l1b)  #~ ERROR accumulator-dtype: accumulates in float
        c[0:128, 0:128] <<= acc
    return c


if __name__ == "__main__":
    x, y = torch.randn(128, 128).half(), torch.randn(128, 128).half()
    OpExec(mm, "out")(x, y, torch.empty(128, 128).half())
