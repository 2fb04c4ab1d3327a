// The host allocates more than the kernel stores, as hosts do that round up.
#include "acl/acl.h"
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void copied(GM_ADDR x, GM_ADDR y, uint32_t count)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * count, count);
    to.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * count, count);
    TPipe pipe;
    TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> rows;
    pipe.InitBuffer(rows, 1, 4096);
    LocalTensor<float> row = rows.AllocTensor<float>();
    DataCopy(row, from, count);
    rows.EnQue(row);
    row = rows.DeQue<float>();
    DataCopy(to, row, count);
    rows.FreeTensor(row);
}

int main()
{
    const uint32_t count = 1024;
    const size_t bytes = 4 * count * sizeof(float);
    uint8_t *x = nullptr;
    uint8_t *y = nullptr;
    aclrtMalloc((void **)&x, bytes, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc((void **)&y, bytes + 512, ACL_MEM_MALLOC_HUGE_FIRST);
    copied<<<4, nullptr, nullptr>>>(x, y, count);
    return 0;
}
