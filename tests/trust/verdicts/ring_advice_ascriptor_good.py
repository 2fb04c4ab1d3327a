# Ascriptor awaits every slot by itself: a counter that stands still costs time, and `order` holds.
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=2)
def slow(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)]):  #~ VERDICT order: holds
    tile = DBuff(f32, [64, 64], Position.UB)
    out = DBuff(f32, [64, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for step in range(GetVecIdx(), M // 64, GetVecNum()):
            tile[beat] <<= x[step * 64:step * 64 + 64, 0:64]  #~ WARNING slot-lifetime: never advances
            exp(out[beat], tile[beat])  #~ WARNING slot-lifetime: never advances
            y[step * 64:step * 64 + 64, 0:64] <<= out[beat]
    return y


if __name__ == "__main__":
    OpExec(slow, launcher="sim")(torch.randn(320, 64), torch.empty(320, 64))
