# Two credits, and a slot index that restarts for each head: with three chunks, a slot is loaded while it is stored.
import torch

from ascriptor.a2 import *
from ascriptor.runtime import OpExec


@kernel(mode="vec", block_dim=1)
def restarts(x: GM[f32, ("N", 64)], y: GM[f32, ("N", 64)], H: i32, C: i32):
    chunk = DBuff(f32, [8, 64], Position.UB)
    full = DEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    empty = DEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    for h in range(0, H):
        for c in range(0, C):
            row = (h * C + c) * 8
            empty.wait()
            chunk[c] <<= x[row:row + 8, :]  #~ ERROR race: nothing orders MTE3→MTE2
            full.set()
            full.wait()
            muls(chunk[c], chunk[c], 2.0)
            done.set()
            done.wait()
            y[row:row + 8, :] <<= chunk[c]
            empty.set()
    return y


@kernel(mode="vec", block_dim=1)
def goes_on(x: GM[f32, ("N", 64)], y: GM[f32, ("N", 64)], H: i32, C: i32):
    chunk = DBuff(f32, [8, 64], Position.UB)
    full = DEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    empty = DEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    beat = Var(0)
    for h in range(0, H):
        for c in range(0, C):
            row = (h * C + c) * 8
            empty.wait()
            chunk[beat] <<= x[row:row + 8, :]
            full.set()
            full.wait()
            muls(chunk[beat], chunk[beat], 2.0)
            done.set()
            done.wait()
            y[row:row + 8, :] <<= chunk[beat]
            empty.set()
            beat += 1
    return y


if __name__ == "__main__":
    OpExec(restarts, launcher="sim")(torch.randn(72, 64), torch.empty(72, 64), 3, 3)
    OpExec(goes_on, launcher="sim")(torch.randn(72, 64), torch.empty(72, 64), 3, 3)
