"""Kernels that functions make for a device which nobody has named."""
from functools import lru_cache
from importlib import import_module

from ascriptor.a2 import *

MODES = {"half": "vec", "whole": "mix"}


def half(x: GM[f32, ("M", 512)], y: GM[f32, ("M", 512)]):
    tile = Tensor(f32, [128, 512], Position.UB)  #~ ERROR ub-overflow
    with auto_sync():
        tile <<= x[0:128, 0:512]
        y[0:128, 0:512] <<= tile
    return y


def whole(x: GM[f32, ("M", 256)], y: GM[f32, ("M", 256)]):
    tile = Tensor(f32, [256, 256], Position.UB)  #~ ERROR ub-overflow
    with auto_sync():
        tile <<= x[0:256, 0:256]
        y[0:256, 0:256] <<= tile
    return y


@lru_cache(maxsize=2)
def half_for(device):
    if device not in ("a2", "a3"):
        raise ValueError("this source is for A2 and A3")
    return import_module(f"ascriptor.{device}").kernel(mode="vec")(half)


def kernel_for(device, name):
    return import_module("ascriptor." + device).kernel(mode=MODES[name])(globals()[name])
