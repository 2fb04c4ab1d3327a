// Compaction into a place that starts inside of the source.
#include "kernel_operator.h"

using namespace AscendC;

class Compact {
public:
    __aicore__ inline void Init() { pipe.InitBuffer(idBuf, 4096); }
    __aicore__ inline void Process() {
        LocalTensor<int32_t> ids = idBuf.Get<int32_t>();
        uint64_t kept = 0;
        GatherMask(ids[8], ids, 1, false, 0, {1, 16, 8, 0}, kept);  //~ ERROR gather-partial-overlap
        PipeBarrier<PIPE_V>();
        GatherMask(ids[2], ids, 7, true, 4, {1, 1, 8, 0}, kept);  //~ ERROR gather-alignment
        //~^ ERROR gather-partial-overlap
    }

private:
    TPipe pipe;
    TBuf<TPosition::VECCALC> idBuf;
};
