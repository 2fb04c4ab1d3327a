# Two credits, and a slot index that restarts for each head: with three chunks, a slot is loaded while it is stored.
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def restarts(x: GMTensor, y: GMTensor, H: Var, C: Var):
    chunk = DBuff(DT.float, [8, 64], Position.UB)
    full = DEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    empty = DEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    if GetVecIdx() == 0:
        for h in range(0, H):
            for c in range(0, C):
                row = Var((h * C + c) * 8)
                empty.wait()
                chunk[c] <<= x[row:row + 8, 0:64]  #~ ERROR race: nothing orders MTE3→MTE2
                full.set()
                full.wait()
                muls(chunk[c], chunk[c], 2.0)
                done.set()
                done.wait()
                y[row:row + 8, 0:64] <<= chunk[c]
                empty.set()
    return y


@kernel(mode="vec")
def goes_on(x: GMTensor, y: GMTensor, H: Var, C: Var):
    chunk = DBuff(DT.float, [8, 64], Position.UB)
    full = DEvent(Pipe.MTE2, Pipe.V)
    done = SEvent(Pipe.V, Pipe.MTE3)
    empty = DEvent(Pipe.MTE3, Pipe.MTE2, preset=True)
    beat = Var(0)
    if GetVecIdx() == 0:
        for h in range(0, H):
            for c in range(0, C):
                row = Var((h * C + c) * 8)
                empty.wait()
                chunk[beat] <<= x[row:row + 8, 0:64]
                full.set()
                full.wait()
                muls(chunk[beat], chunk[beat], 2.0)
                done.set()
                done.wait()
                y[row:row + 8, 0:64] <<= chunk[beat]
                empty.set()
                beat += 1
    return y


if __name__ == "__main__":
    OpExec(restarts, "", simulator=True)(torch.randn(72, 64), torch.zeros(72, 64), 3, 3)
    OpExec(goes_on, "", simulator=True)(torch.randn(72, 64), torch.zeros(72, 64), 3, 3)
