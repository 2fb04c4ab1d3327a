// One step of AdamW: the parameter and both moments are updated in place.
#include "kernel_operator.h"

struct AdamWTilingData {
    uint32_t coreLength;
    uint32_t tileLength;
    float lr;
    float beta1;
    float beta2;
    float eps;
    float decay;
    float correction1;  // 1 - beta1^t
    float correction2;  // 1 - beta2^t
};

class AdamWStep {
    using Queue = AscendC::TQue<AscendC::QuePosition::VECIN, 1>;
    using OutQueue = AscendC::TQue<AscendC::QuePosition::VECOUT, 1>;

public:
    __aicore__ inline void Init(GM_ADDR param, GM_ADDR grad, GM_ADDR m, GM_ADDR v, const AdamWTilingData& data)
    {
        d = data;
        const uint64_t start = static_cast<uint64_t>(AscendC::GetBlockIdx()) * d.coreLength;
        paramGm.SetGlobalBuffer((__gm__ float*)param + start, d.coreLength);
        gradGm.SetGlobalBuffer((__gm__ float*)grad + start, d.coreLength);
        mGm.SetGlobalBuffer((__gm__ float*)m + start, d.coreLength);
        vGm.SetGlobalBuffer((__gm__ float*)v + start, d.coreLength);
        const uint32_t bytes = d.tileLength * sizeof(float);
        pipe.InitBuffer(paramIn, 1, bytes);
        pipe.InitBuffer(gradIn, 1, bytes);
        pipe.InitBuffer(mIn, 1, bytes);
        pipe.InitBuffer(vIn, 1, bytes);
        pipe.InitBuffer(paramOut, 1, bytes);
        pipe.InitBuffer(mOut, 1, bytes);
        pipe.InitBuffer(vOut, 1, bytes);
        pipe.InitBuffer(workBuf, bytes);
    }

    __aicore__ inline void Process()
    {
        const uint32_t loops = (d.coreLength + d.tileLength - 1) / d.tileLength;
        for (uint32_t i = 0; i < loops; i++) {
            const uint32_t at = i * d.tileLength;
            const uint32_t n = (i == loops - 1) ? d.coreLength - at : d.tileLength;
            Load(paramIn, paramGm[at], n);
            Load(gradIn, gradGm[at], n);
            Load(mIn, mGm[at], n);
            Load(vIn, vGm[at], n);
            Update(n);
            Store(paramOut, paramGm[at], n);
            Store(mOut, mGm[at], n);
            Store(vOut, vGm[at], n);
        }
    }

private:
    __aicore__ inline void Load(Queue& queue, const AscendC::GlobalTensor<float>& from, uint32_t n)
    {
        AscendC::LocalTensor<float> t = queue.AllocTensor<float>();
        AscendC::DataCopyPad(t, from, {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0}, {false, 0, 0, 0});
        queue.EnQue(t);
    }
    __aicore__ inline void Store(OutQueue& queue, const AscendC::GlobalTensor<float>& to, uint32_t n)
    {
        AscendC::LocalTensor<float> t = queue.DeQue<float>();
        AscendC::DataCopyPad(to, t, {1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0});
        queue.FreeTensor(t);
    }
    __aicore__ inline void Update(uint32_t n)
    {
        auto p = paramIn.DeQue<float>();
        auto g = gradIn.DeQue<float>();
        auto m = mIn.DeQue<float>();
        auto v = vIn.DeQue<float>();
        auto pNew = paramOut.AllocTensor<float>();
        auto mNew = mOut.AllocTensor<float>();
        auto vNew = vOut.AllocTensor<float>();
        auto work = workBuf.Get<float>();

        AscendC::Muls(mNew, m, d.beta1, n);
        AscendC::Axpy(mNew, g, 1.0f - d.beta1, n);
        AscendC::Mul(work, g, g, n);
        AscendC::Muls(vNew, v, d.beta2, n);
        AscendC::Axpy(vNew, work, 1.0f - d.beta2, n);
        AscendC::Muls(work, vNew, 1.0f / d.correction2, n);
        AscendC::Sqrt(work, work, n);
        AscendC::Adds(work, work, d.eps, n);
        AscendC::Div(work, mNew, work, n);
        AscendC::Muls(pNew, p, 1.0f - d.lr * d.decay, n);
        AscendC::Axpy(pNew, work, -d.lr / d.correction1, n);

        paramIn.FreeTensor(p);
        gradIn.FreeTensor(g);
        mIn.FreeTensor(m);
        vIn.FreeTensor(v);
        paramOut.EnQue(pNew);
        mOut.EnQue(mNew);
        vOut.EnQue(vNew);
    }

    AscendC::TPipe pipe;
    Queue paramIn, gradIn, mIn, vIn;
    OutQueue paramOut, mOut, vOut;
    AscendC::TBuf<AscendC::QuePosition::VECCALC> workBuf;
    AscendC::GlobalTensor<float> paramGm, gradGm, mGm, vGm;
    AdamWTilingData d;
};

// a2lint: launch(block_dim=2, param=float[700], grad=float[700], m=float[700], v=float[700], data.coreLength=350, data.tileLength=128, data.lr=0.01, data.beta1=0.9, data.beta2=0.99, data.eps=1.0, data.decay=0.1, data.correction1=0.5, data.correction2=0.25)
extern "C" __global__ __aicore__ void adamw_step(GM_ADDR param, GM_ADDR grad, GM_ADDR m, GM_ADDR v, AdamWTilingData data)
{
    AdamWStep op;
    op.Init(param, grad, m, v, data);
    op.Process();
}
