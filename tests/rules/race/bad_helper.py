"""One line of a helper is one finding, however often the helper is called."""
import torch

from easyasc.a2 import *


@func()
def scaled(dst, src, rows):
    src <<= rows
    muls(dst, src, 2.0)  #~ ERROR race: MTE2→V


@kernel(mode="vec")
def helper(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    b = Tensor(DT.float, [64, 64], Position.UB)
    c = Tensor(DT.float, [64, 64], Position.UB)
    d = Tensor(DT.float, [64, 64], Position.UB)
    scaled(a, b, x[0:64, 0:64])
    bar_all()
    scaled(b, c, x[64:128, 0:64])
    bar_all()
    scaled(c, d, x[128:192, 0:64])
    bar_all()
    scaled(d, a, x[192:256, 0:64])
    bar_all()
    y[0:64, 0:64] <<= b
    return y


if __name__ == "__main__":
    OpExec(helper, "", simulator=True)(torch.randn(256, 64), torch.zeros(64, 64))
