"""Words of C++."""
from easyasc.a2 import *


@kernel(mode="vec")
def double(x: GMTensor, y: GMTensor, new: Var):  #~ WARNING kernel-name: `double` is a C++ keyword, and the kernel becomes a C++ function #~ WARNING kernel-name: `new` is a C++ keyword, and the parameter keeps its name there
    ub = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        ub <<= x[0:64, 0:64]
        muls(ub, ub, new)
        y[0:64, 0:64] <<= ub
    return y
