// The mask of a column block depends on where the block starts: nothing to say before it runs.
#include <cstdint>

struct ZeroColumns {
    uint64_t value;
    __device__ static uint64_t starting_at(uint32_t column, uint32_t width) {
        uint64_t mask = 1ull << 39;
        mask |= uint64_t(width - 2) << 48;
        if (column % width == 0) {
            mask |= 1ull << 32;
        } else {
            mask |= uint64_t(column % width - 1);
        }
        return mask;
    }
};

__global__ void run_time_mask(uint32_t tmem, uint64_t a, uint64_t b, uint32_t idesc, uint32_t width) {
    uint64_t mask = ZeroColumns::starting_at(blockIdx.x * 256, width);
    asm volatile("{ .reg .pred p; setp.ne.u32 p, 1, 0;\n"
                 "tcgen05.mma.ws.cta_group::1.kind::tf32 [%0], %1, %2, %3, p, %4; }"
                 : : "r"(tmem), "l"(a), "l"(b), "r"(idesc), "l"(mask));
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%0];" : : "l"(a) : "memory");
}
