// Members and functions that a qualifier chooses, in right kernels.
#include "kernel_operator.h"
using namespace AscendC;

struct Sized {
    uint32_t len = 1024;
};
struct Step : Sized {
    uint32_t len = 1024;
};

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void of_the_base(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    Step step;
    step.Sized::len = 512;
    uint32_t len = step.len;
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);
    tiles.FreeTensor(tile);
}

struct Asked {
    uint32_t half = 512;
    __aicore__ inline uint32_t Len() const & { return half; }
    __aicore__ inline uint32_t Len() && { return 1024; }
};

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void of_a_temporary(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    uint32_t len = Asked().Len();
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);
    tiles.FreeTensor(tile);
}

struct Sized {
    uint32_t len;
    __aicore__ inline Sized(uint32_t n) : len(n) {}
};
struct Step : Sized {
    using Sized::Sized;
    uint32_t more = 24;
};
struct Tag {
    uint32_t tag = 7;
};
struct Deep : Tag, Step {
    using Step::Step;
};
template <typename T>
struct Sized2 {
    T len;
    __aicore__ inline Sized2(T n) : len(n) {}
};
template <typename T>
struct Of : Sized2<T> {
    using Sized2<T>::Sized2;
};

// a2lint: launch(block_dim=8, x=float[8192], y=float[8192])
extern "C" __global__ __aicore__ void inherited_constructors(GM_ADDR x, GM_ADDR y)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 1024, 1024);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 1024, 1024);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> tiles;
    pipe.InitBuffer(tiles, 1, 4096);
    Step step(1000);
    Deep deep(step.len + step.more);
    Of<uint32_t> of(deep.len);
    uint32_t len = of.len;
    LocalTensor<float> tile = tiles.AllocTensor<float>();
    DataCopy(tile, from, 1024);
    tiles.EnQue(tile);
    tile = tiles.DeQue<float>();
    DataCopy(to, tile, len);
    tiles.FreeTensor(tile);
}
