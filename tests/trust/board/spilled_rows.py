# Rows are stored to a workspace and loaded back on one core: auto_sync() orders UB, and nothing in GM.
from easyasc.a2 import *


@kernel(mode="vec")
def at_once(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    again = Tensor(DT.float, [8, 64], Position.UB)
    ws = split_workspace(DT.float, [GetVecNum(), 8, 64])
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * 8:lane * 8 + 8, 0:64]
        ws[lane, 0:8, 0:64] <<= tile
        again <<= ws[lane, 0:8, 0:64]  #~ ERROR race: nothing orders MTE3→MTE2
        y[lane * 8:lane * 8 + 8, 0:64] <<= again
    return y


@kernel(mode="vec")
def after_an_event(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    again = Tensor(DT.float, [8, 64], Position.UB)
    ws = split_workspace(DT.float, [GetVecNum(), 8, 64])
    stored = SEvent(Pipe.MTE3, Pipe.MTE2)
    lane = GetVecIdx()
    with auto_sync():
        tile <<= x[lane * 8:lane * 8 + 8, 0:64]
        ws[lane, 0:8, 0:64] <<= tile
        stored.set()
        stored.wait()
        again <<= ws[lane, 0:8, 0:64]
        y[lane * 8:lane * 8 + 8, 0:64] <<= again
    return y


@kernel(mode="vec")
def two_stores(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    twice = Tensor(DT.float, [8, 64], Position.UB)
    thrice = Tensor(DT.float, [4, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        muls(twice, tile, 2.0)
        muls(thrice, tile[0:4, 0:64], 3.0)
        if GetVecIdx() == 0:
            y[0:8, 0:64] <<= twice
            y[0:4, 0:64] <<= thrice  #~ ERROR race: no bar_mte3 orders them
    return y
