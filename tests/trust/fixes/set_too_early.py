# A set() before the work that it announces moves behind it with its comment
from easyasc.a2 import *


@kernel(mode="vec")
def passed(x: GMTensor, y: GMTensor, N: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    out = Tensor(DT.float, [8, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    used = SEvent(Pipe.V, Pipe.MTE2, preset=True)
    done = SEvent(Pipe.V, Pipe.MTE3)
    stored = SEvent(Pipe.MTE3, Pipe.V, preset=True)
    for t in range(GetVecIdx(), N, GetVecNum()):
        used.wait()
        tile <<= x[t * 8:t * 8 + 8, 0:64]
        loaded.set()
        loaded.wait()
        stored.wait()
        done.set()  # V is done
        muls(out, tile, 2.0)
        used.set()
        done.wait()
        y[t * 8:t * 8 + 8, 0:64] <<= out  #~ WARNING race: ub_to_gm_pad() reads `out` on MTE3 while muls()
        stored.set()
    return y
