"""One step of AdamW over a flat parameter; all results are new tensors.

    m1 = beta1 * m + (1 - beta1) * g
    v1 = beta2 * v + (1 - beta2) * g * g
    p1 = p * (1 - lr * decay) - lr * (m1 / fix1) / (np.sqrt(v1 / fix2) + eps)

    p, m, v, p1, m1, v1  f32  [L];   g  bf16  [L]           any L >= 1
    fix1 = 1 - beta1 ** t, fix2 = 1 - beta2 ** t

`count=` keeps the arithmetic of the last tile inside of what was loaded.
"""
from ascriptor.a2 import (
    CeilDiv,
    DBuff,
    GM,
    GetVecIdx,
    GetVecNum,
    Min,
    Position,
    Tensor,
    Var,
    adds,
    auto_sync,
    axpy,
    bf16,
    cast,
    div,
    f32,
    kernel,
    mul,
    muls,
    sqrt,
)

TILE = 1024


@kernel(mode="vec", block_dim="min(40, ceil_div(L, 1024))")
def adamw(
    p: GM[f32, "L"],
    g: GM[bf16, "L"],
    m: GM[f32, "L"],
    v: GM[f32, "L"],
    p1: GM[f32, "L"],
    m1: GM[f32, "L"],
    v1: GM[f32, "L"],
    lr: f32,
    beta1: f32,
    beta2: f32,
    eps: f32,
    decay: f32,
    fix1: f32,
    fix2: f32,
):
    p_in = DBuff(f32, [1, TILE], Position.UB)
    g_in = DBuff(bf16, [1, TILE], Position.UB)
    m_in = DBuff(f32, [1, TILE], Position.UB)
    v_in = DBuff(f32, [1, TILE], Position.UB)
    p_out = DBuff(f32, [1, TILE], Position.UB)
    m_out = DBuff(f32, [1, TILE], Position.UB)
    v_out = DBuff(f32, [1, TILE], Position.UB)
    grad = Tensor(f32, [1, TILE], Position.UB)
    step = Tensor(f32, [1, TILE], Position.UB)
    beat = Var(0)

    for tile in range(GetVecIdx(), CeilDiv(L, TILE), GetVecNum()):
        with auto_sync():
            lo = tile * TILE
            n = Min(TILE, L - lo)
            p_in[beat][0:1, 0:n] <<= p[lo:lo + n]
            g_in[beat][0:1, 0:n] <<= g[lo:lo + n]
            m_in[beat][0:1, 0:n] <<= m[lo:lo + n]
            v_in[beat][0:1, 0:n] <<= v[lo:lo + n]

            cast(grad, g_in[beat], count=n)
            muls(m_out[beat], m_in[beat], beta1, count=n)
            axpy(m_out[beat], grad, 1.0 - beta1, count=n)
            mul(grad, grad, grad, count=n)
            muls(v_out[beat], v_in[beat], beta2, count=n)
            axpy(v_out[beat], grad, 1.0 - beta2, count=n)

            muls(step, v_out[beat], 1.0 / fix2, count=n)
            sqrt(step, step, count=n)
            adds(step, step, eps, count=n)
            div(step, m_out[beat], step, count=n)
            muls(p_out[beat], p_in[beat], 1.0 - lr * decay, count=n)
            axpy(p_out[beat], step, -lr / fix1, count=n)

            p1[lo:lo + n] <<= p_out[beat][0:1, 0:n]
            m1[lo:lo + n] <<= m_out[beat][0:1, 0:n]
            v1[lo:lo + n] <<= v_out[beat][0:1, 0:n]
            beat += 1
    return p1, m1, v1


if __name__ == "__main__":
    import torch
    from ascriptor.runtime import OpExec, compile_kernel

    compile_kernel(adamw, backend="cce", bindings={"lr": 1e-3, "decay": 0.01})
    for L in [1, 1023, 1024, 5000, 100003]:
        p, m = torch.randn(L), torch.randn(L)
        g = torch.randn(L).to(torch.bfloat16)
        v = torch.rand(L)
        p1, m1, v1 = torch.empty(L), torch.empty(L), torch.empty(L)
        run = OpExec(adamw, launcher="sim", timeout=60)
        run(p, g, m, v, p1, m1, v1, 1e-3, 0.9, 0.999, 1e-8, 0.01, 0.271, 0.003)
