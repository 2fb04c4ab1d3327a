// What goes wrong when a wrapper is copied from the plain instruction.
#include <cstdint>

__device__ void narrow_mask(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint32_t mask) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %4;\n\t}" //~ ERROR zcm-operand-type: `mask` has 32 bits
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(mask));
}

__device__ void lane_masks(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, const uint32_t *m) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, {%4, %5, %6, %7}, p;\n\t}" //~ ERROR zcm-lane-vector
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc), "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]));
}

__device__ void plain_with_mask(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc, uint64_t mask) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %4;\n\t}" //~ ERROR zcm-not-ws: `mask`
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc), "l"(mask));
}

__device__ void single_colon(uint32_t d, uint64_t a, uint64_t b, uint32_t idesc) {
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16.collector::b2:use [%0], %1, %2, %3, p;\n\t}" //~ ERROR zcm-collector-spelling
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc));
}

__global__ void shifted(uint32_t d, uint64_t a, uint64_t b) {
    const uint32_t idesc = (32u >> 4) << 24 | (128u >> 3) << 17 | 1u << 4;
    uint64_t mask = 0;
    mask |= uint64_t(2) << 40;
    mask |= uint64_t(3) << 48;
    mask |= uint64_t(24) << 56;
    asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, 1, 0;\n\t"
                 "tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %4;\n\t}"
                 //~^ WARNING zcm-disabled-fields: the skip span and the use span have no effect
                 //~^^ ERROR zcm-shift-range: the column shift is 24, above the limit of 16 for M = 32
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc), "l"(mask));
}
