"""A vector instruction runs past its tensor, into the neighbour that a load may still be filling: on
chip, nothing stops it."""
import torch

from easyasc.a2 import *


@kernel(mode="vec")
def neighbour(x: GMTensor, y: GMTensor):
    a = Tensor(DT.float, [1, 64], Position.UB)
    b = Tensor(DT.float, [1, 64], Position.UB)
    loaded = SEvent(Pipe.MTE2, Pipe.V)
    there = SEvent(Pipe.MTE2, Pipe.MTE3)
    done = SEvent(Pipe.V, Pipe.MTE3)
    a <<= x[0:1, 0:64]
    loaded.set()
    loaded.wait()
    b <<= x[1:2, 0:64]
    adds(a, a, 1.0, count=72)  #~ ERROR operand-overrun: `b`
    done.set()
    done.wait()
    y[0:1, 0:64] <<= a
    there.set()
    there.wait()
    y[1:2, 0:64] <<= b
    return y


if __name__ == "__main__":
    OpExec(neighbour, "", simulator=True)(torch.randn(2, 64), torch.zeros(2, 64))
