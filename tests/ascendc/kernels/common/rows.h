// Rows of a matrix, moved by helpers that kernels share; which rows are a core's own is computed here as well.
#ifndef COMMON_ROWS_H
#define COMMON_ROWS_H

#include "kernel_operator.h"

namespace common {

struct Share {
    uint32_t first;
    uint32_t count;
};

// The rows of the core at hand: the first cores have one more where they cannot be equal.
__aicore__ inline Share ShareOf(uint32_t rows)
{
    const uint32_t cores = AscendC::GetBlockNum();
    const uint32_t core = AscendC::GetBlockIdx();
    const uint32_t each = rows / cores;
    const uint32_t left = rows - each * cores;
    return {core * each + (core < left ? core : left), each + (core < left ? 1u : 0u)};
}

template <typename T, typename Queue>
__aicore__ inline void LoadRow(Queue& queue, const AscendC::GlobalTensor<T>& from, uint32_t n)
{
    AscendC::LocalTensor<T> row = queue.template AllocTensor<T>();
    AscendC::DataCopyExtParams copy{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
    AscendC::DataCopyPad(row, from, copy, AscendC::DataCopyPadExtParams<T>());
    queue.EnQue(row);
}

template <typename T, typename Queue>
__aicore__ inline void StoreRow(Queue& queue, const AscendC::GlobalTensor<T>& to, uint32_t n)
{
    AscendC::LocalTensor<T> row = queue.template DeQue<T>();
    AscendC::DataCopyExtParams copy{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
    AscendC::DataCopyPad(to, row, copy);
    queue.FreeTensor(row);
}

}  // namespace common

#endif
