// Wrappers as libraries write them: one asm statement each, descriptors from outside.
#pragma once
#include <cstdint>

#define MMA_WS_OPERANDS " [%0], %1, %2, %3, p, %5;\n\t"

namespace tmem {

template <int CtaGroup>
__device__ __forceinline__ void allocate(uint32_t *slot, int columns) {
    if constexpr (CtaGroup == 1) {
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], %1;"
                     :: "r"(address(slot)), "r"(columns));
    } else {
        asm volatile("tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%0], %1;"
                     :: "r"(address(slot)), "r"(columns));
    }
}

__device__ inline void mma_ws_f16(uint32_t tmem_d, uint64_t desc_a, uint64_t desc_b, uint32_t idesc,
                                  uint32_t accumulate, uint64_t zero_column_mask = 0) {
    asm volatile(
        "{\n\t"
        ".reg .pred p;\n\t"
        "setp.ne.b32 p, %4, 0;\n\t"
        "tcgen05.mma.ws.cta_group::1.kind::f16"
        MMA_WS_OPERANDS
        "}\n"
        :
        : "r"(tmem_d), "l"(desc_a), "l"(desc_b), "r"(idesc), "r"(accumulate),
          "l"(zero_column_mask)
        : "memory");
}

// Fills collector buffer 1; `mma_ws_reuse` reads it.
__device__ inline void mma_ws_fill(uint32_t tmem_d, uint64_t desc_a, uint64_t desc_b, uint32_t idesc) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.eq.b32 p, 0, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b1::fill [%0], %1, %2, %3, p, 0;\n\t}"
                 :: "r"(tmem_d), "l"(desc_a), "l"(desc_b), "r"(idesc));
}

__device__ inline void mma_ws_reuse(uint32_t tmem_d, uint64_t desc_a, uint64_t desc_b, uint32_t idesc) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.eq.b32 p, 0, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b1::use [%0], %1, %2, %3, p, 0;\n\t}"
                 :: "r"(tmem_d), "l"(desc_a), "l"(desc_b), "r"(idesc));
}

}  // namespace tmem
