"""Launches by a list of cases: parameters bind what has their names, each with its block_dim."""
import torch
from ascriptor.a2 import *
from ascriptor.runtime import OpExec, compile_kernel

CASES = [
    dict(id="tail", seed=0, block_dim=2, parameters=dict(M=70, gain=2.0), purpose="a tail", scale=1.0),
    {"id": "large", "seed": 1, "block_dim": 4, "parameters": {"M": 512, "gain": 0.5}},
]


@kernel(mode="vec")
def scaled(x: GM[f32, ("M", 64)], y: GM[f32, ("M", 64)], gain: f32):
    tile = DBuff(f32, [64, 64], Position.UB)
    beat = Var(0)
    with auto_sync():
        for t in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            rows = Min(64, M - t * 64)
            tile[beat][0:rows, :] <<= x[t * 64:t * 64 + rows, :]
            muls(tile[beat], tile[beat], gain)
            y[t * 64:t * 64 + rows, :] <<= tile[beat][0:rows, :]
            beat += 1
    return y


def execute(case, inputs, launcher="sim"):
    y = torch.empty_like(inputs["x"])
    run = OpExec(scaled, launcher=launcher, block_dim=case["block_dim"])
    run(inputs["x"], y, case["parameters"]["gain"])
    return y


if __name__ == "__main__":
    compile_kernel(scaled, bindings={"gain": 2.0})
