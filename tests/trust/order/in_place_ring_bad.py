# A ring that is loaded, changed in place and stored: older easyasc counts tokens, and the load of step k waits for V of
# step k - 2, which has waited for the store of step k - 4. Only the newer manual orders load and store.
import torch
from easyasc.a2 import *


@kernel()
def twice(x: GMTensor, y: GMTensor, N: Var):  #~ VERDICT order: open race
    tile = DBuff(DT.float, [8, 64], Position.UB)
    step = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), N, GetVecNum()):
            tile[step] <<= x[t * 8:t * 8 + 8, 0:64]  #~ WARNING race: `auto_sync` counts one token for each slot
            muls(tile[step], tile[step], 2.0)
            y[t * 8:t * 8 + 8, 0:64] <<= tile[step]
            step += 1
    return y


if __name__ == "__main__":
    OpExec(twice, "", simulator=True)(torch.randn(6400, 64), torch.zeros(6400, 64), 800)
