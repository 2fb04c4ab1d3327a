# A launch without its colon is a plain comment, and so is an `ignore` that is misspelt: both are named
from easyasc.a2 import *


# a2lint launch(x=float[64, 64], y=float[64, 64])  #~ WARNING unused-suppression: a comment needs a colon to count: `a2lint: launch`
@kernel(mode="vec")
def copied(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            # a2lint: ignor[race]  #~ WARNING unused-suppression: did you mean `ignore`?
            a <<= x[0:64, 0:64]
            # a2lint launches this kernel with (64, 64) in the example below
            y[0:64, 0:64] <<= a
    return y
