// A `using` directive looks for namespaces alone, and the toolkit has a second name for its own.
#include "kernel_operator.h"
#include "lib/matmul_intf.h"

namespace tiling {
constexpr int ROWS = 4;
namespace inner {
constexpr int COLUMNS = 16;
}
} // namespace tiling
namespace shape = tiling::inner;

template <int LENGTH>
__aicore__ inline void Copy(GM_ADDR x, GM_ADDR y)
{
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::VECCALC> buf;
    AscendC::GlobalTensor<float> xGm, yGm;
    xGm.SetGlobalBuffer((__gm__ float *)x, LENGTH);
    yGm.SetGlobalBuffer((__gm__ float *)y, LENGTH);
    pipe.InitBuffer(buf, LENGTH * sizeof(float));
    AscendC::LocalTensor<float> all = buf.Get<float>();
    AscendC::DataCopy(all, xGm, LENGTH);
    AscendC::PipeBarrier<PIPE_ALL>();
    AscendC::DataCopy(yGm, all, LENGTH);
}

// a2lint: launch(block_dim=1, x=float[64], y=float[64], tiling=3)
extern "C" __global__ __aicore__ void beside_a_parameter(GM_ADDR x, GM_ADDR y, uint32_t tiling)  //~ VERDICT beside_a_parameter.bounds: proved-if y is
{
    using namespace tiling;
    using namespace shape;
    Copy<ROWS * COLUMNS>(x, y);
}

class Worker {
public:
    int tiling = 1;
    __aicore__ inline void Run(GM_ADDR x, GM_ADDR y)
    {
        using namespace tiling::inner;
        Copy<COLUMNS * 2>(x, y);
    }
};

// a2lint: launch(block_dim=1, x=float[32], y=float[32])
extern "C" __global__ __aicore__ void beside_a_member(GM_ADDR x, GM_ADDR y)  //~ VERDICT beside_a_member.bounds: proved-if y is
{
    Worker worker;
    worker.Run(x, y);
}

// a2lint: launch(block_dim=1, x=float[64], y=float[64], workspace=uint8[64])
extern "C" __global__ __aicore__ void of_the_toolkit(GM_ADDR x, GM_ADDR y, GM_ADDR workspace)  //~ VERDICT of_the_toolkit.bounds: proved-if y is
{
    using namespace matmul;
    if (GetSysWorkSpacePtr() == nullptr) {
        return;
    }
    LocalTensor<float> none;
    Copy<64>(x, y);
}
