# Names that C++ keeps for itself: simulators run the kernel, and its generated code does not build.
from easyasc.a2 import *


@kernel(mode="vec")
def scale(x: GMTensor, y: GMTensor, do: Var):  #~ WARNING kernel-name: `do` is a C++ keyword
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        if do > 0:
            muls(tile, tile, 2.0)
        y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def switch(x: GMTensor, y: GMTensor):  #~ WARNING kernel-name: `switch` is a C++ keyword
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        y[0:8, 0:64] <<= tile
    return y


@kernel(mode="vec")
def scale_if(x: GMTensor, y: GMTensor, doit: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        tile <<= x[0:8, 0:64]
        if doit > 0:
            muls(tile, tile, 2.0)
        y[0:8, 0:64] <<= tile
    return y
