// One step of an optimiser with two outputs; the element type of parameters is a template argument of the entry's class.
#include "kernel_operator.h"

using AscendC::DataCopy;
using AscendC::GlobalTensor;
using AscendC::LocalTensor;
using AscendC::TPosition;

struct LionTiling {
    uint32_t tilesPerCore;
    float rate;
    float beta1;
    float beta2;
};

template <typename P, uint32_t TILE, int BUFFERS = 2>
class LionStep {
    AscendC::TQue<TPosition::VECIN, BUFFERS> paramQueue, gradQueue, momentQueue;
    AscendC::TQue<TPosition::VECOUT, BUFFERS> paramOut, momentOut;
    AscendC::TBuf<> wide, update;
    GlobalTensor<P> param;
    GlobalTensor<float> grad, moment;
    LionTiling tiling;

public:
    __aicore__ inline void Init(GM_ADDR p, GM_ADDR g, GM_ADDR m, const LionTiling& data, AscendC::TPipe& pipe)
    {
        tiling = data;
        const uint64_t length = data.tilesPerCore * TILE;
        const uint64_t start = AscendC::GetBlockIdx() * length;
        param.SetGlobalBuffer((__gm__ P*)p + start, length);
        grad.SetGlobalBuffer((__gm__ float*)g + start, length);
        moment.SetGlobalBuffer((__gm__ float*)m + start, length);
        pipe.InitBuffer(paramQueue, BUFFERS, TILE * sizeof(P));
        pipe.InitBuffer(gradQueue, BUFFERS, TILE * sizeof(float));
        pipe.InitBuffer(momentQueue, BUFFERS, TILE * sizeof(float));
        pipe.InitBuffer(paramOut, BUFFERS, TILE * sizeof(P));
        pipe.InitBuffer(momentOut, BUFFERS, TILE * sizeof(float));
        if constexpr (!AscendC::IsSameType<P, float>::value) {
            pipe.InitBuffer(wide, TILE * sizeof(float));
        }
        pipe.InitBuffer(update, TILE * sizeof(float));
    }

    __aicore__ inline void Process()
    {
        for (uint32_t i = 0; i < tiling.tilesPerCore; i++) {
            Load(paramQueue, param[i * TILE]);
            Load(gradQueue, grad[i * TILE]);
            Load(momentQueue, moment[i * TILE]);
            Compute();
            Store(paramOut, param[i * TILE]);
            Store(momentOut, moment[i * TILE]);
        }
    }

private:
    template <typename T, typename Q>
    __aicore__ static inline void Load(Q& queue, const GlobalTensor<T>& from)
    {
        LocalTensor<T> t = queue.template AllocTensor<T>();
        DataCopy(t, from, TILE);
        queue.EnQue(t);
    }

    template <typename T, typename Q>
    __aicore__ static inline void Store(Q& queue, const GlobalTensor<T>& to)
    {
        LocalTensor<T> t = queue.template DeQue<T>();
        DataCopy(to, t, TILE);
        queue.FreeTensor(t);
    }

    __aicore__ inline void Compute()
    {
        LocalTensor<P> p = paramQueue.template DeQue<P>();
        LocalTensor<float> g = gradQueue.template DeQue<float>();
        LocalTensor<float> m = momentQueue.template DeQue<float>();
        LocalTensor<P> pNew = paramOut.template AllocTensor<P>();
        LocalTensor<float> mNew = momentOut.template AllocTensor<float>();
        LocalTensor<float> u = update.template Get<float>();
        // The sign is what clamping a large multiple leaves.
        AscendC::Muls(u, m, tiling.beta1, TILE);
        AscendC::Axpy(u, g, 1.0f - tiling.beta1, TILE);
        AscendC::Muls(u, u, 1.0e20f, TILE);
        AscendC::Mins(u, u, 1.0f, TILE);
        AscendC::Maxs(u, u, -1.0f, TILE);
        AscendC::Muls(mNew, m, tiling.beta2, TILE);
        AscendC::Axpy(mNew, g, 1.0f - tiling.beta2, TILE);
        if constexpr (AscendC::IsSameType<P, float>::value) {
            AscendC::Muls(u, u, -tiling.rate, TILE);
            AscendC::Add(pNew, p, u, TILE);
        } else {
            LocalTensor<float> w = wide.template Get<float>();
            AscendC::Cast(w, p, AscendC::RoundMode::CAST_NONE, TILE);
            AscendC::Axpy(w, u, -tiling.rate, TILE);
            AscendC::Cast(pNew, w, AscendC::RoundMode::CAST_RINT, TILE);
        }
        paramQueue.FreeTensor(p);
        gradQueue.FreeTensor(g);
        momentQueue.FreeTensor(m);
        paramOut.EnQue(pNew);
        momentOut.EnQue(mNew);
    }
};

// a2lint: launch(block_dim=2, param=half[1024], grad=float[1024], moment=float[1024], tiling.tilesPerCore=2, tiling.rate=0.125, tiling.beta1=0.5, tiling.beta2=0.75)
extern "C" __global__ __aicore__ void lion_half(GM_ADDR param, GM_ADDR grad, GM_ADDR moment, LionTiling tiling)
{
    AscendC::TPipe pipe;
    LionStep<half, 256> op;
    op.Init(param, grad, moment, tiling, pipe);
    op.Process();
}

// a2lint: launch(block_dim=1, param=float[512], grad=float[512], moment=float[512], tiling.tilesPerCore=2, tiling.rate=0.125, tiling.beta1=0.5, tiling.beta2=0.75)
extern "C" __global__ __aicore__ void lion_float(GM_ADDR param, GM_ADDR grad, GM_ADDR moment, LionTiling tiling)
{
    AscendC::TPipe pipe;
    LionStep<float, 256, 1> op;
    op.Init(param, grad, moment, tiling, pipe);
    op.Process();
}
