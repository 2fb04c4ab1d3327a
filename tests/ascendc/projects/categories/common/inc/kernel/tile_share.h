#ifndef TILE_SHARE_H
#define TILE_SHARE_H
#include "kernel_operator.h"

namespace tiles {
// The share of a core: the last one has what is left.
struct Share {
    uint32_t first;
    uint32_t count;
};

__aicore__ inline Share ShareOf(uint32_t total, uint32_t perCore)
{
    Share share;
    share.first = perCore * AscendC::GetBlockIdx();
    share.count = share.first < total ? total - share.first : 0;
    share.count = share.count < perCore ? share.count : perCore;
    return share;
}
} // namespace tiles
#endif
