"""Two live roles in a ring of two slots."""
import torch

from easyasc.a2 import *

@kernel(mode="vec")
def two_roles(x: GMTensor, y: GMTensor, N: Var):
    kept = DBuff(DT.float, [64, 64], Position.UB)
    out = DBuff(DT.float, [64, 64], Position.UB)
    wave = Var(0)
    with auto_sync():
        for i in range(0, N):
            dup(kept[2 * wave], 1.0)
            dup(kept[2 * wave + 2], 2.0)
            adds(out[wave], kept[2 * wave], 1.0)  #~ ERROR slot-lifetime: reads `kept[2 * wave]` as slot 2, and dup() has filled that slot again as 4
            y[i * 64:i * 64 + 64, 0:64] <<= out[wave]
            wave += 1
    return y


if __name__ == "__main__":
    OpExec(two_roles, "", simulator=True)(torch.randn(512, 64), torch.zeros(512, 64), 8)
