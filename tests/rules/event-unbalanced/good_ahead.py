"""Four ids, set in one loop and awaited in the next."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def ahead(x: GMTensor, y: GMTensor):
    parts = QBuff(DT.float, [64, 64], Position.UB)
    loaded = QEvent(Pipe.MTE2, Pipe.MTE3)
    for i in range(0, 4):
        parts[i] <<= x[i * 64:i * 64 + 64, 0:64]
        loaded.set()
    for j in range(0, 4):
        loaded.wait()
        y[j * 64:j * 64 + 64, 0:64] <<= parts[j]
    return y


if __name__ == "__main__":
    OpExec(ahead, "", simulator=True)(torch.randn(256, 64), torch.zeros(256, 64))
