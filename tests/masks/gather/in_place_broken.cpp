// Compaction into a place that starts inside of the source.
#include "kernel_operator.h"

using namespace AscendC;

class Compact {
public:
    __aicore__ inline void Init() { pipe.InitBuffer(idBuf, 4096); }
    __aicore__ inline void Process() {
        LocalTensor<int32_t> ids = idBuf.Get<int32_t>();
        uint64_t kept = 0;
        Duplicate(ids, 1, 1024);
        GatherMask(ids[8], ids, 1, false, 0, {1, 16, 8, 0}, kept);
        //~^ ERROR partial-overlap: GatherMask() writes 512 elements of `ids[8]` [1016] that it
        PipeBarrier<PIPE_V>();
        GatherMask(ids[2], ids, 7, true, 4, {1, 1, 8, 0}, kept);
        //~^ ERROR partial-overlap: GatherMask() writes 2 elements of `ids[2]` [1022] that it
        //~^^ ERROR operand-alignment: `ids[2]` [1022] starts 8 bytes past a 32-byte border,

    }

private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> idBuf;
};

// a2lint: launch(block_dim=1)
extern "C" __global__ __aicore__ void in_place_broken(GM_ADDR y)
{
    Compact op;
    op.Init();
    op.Process();
}
