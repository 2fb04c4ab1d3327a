// One function speaks for one CTA and for a pair.
#pragma once

__device__ inline void multiply_and_free(unsigned d, unsigned long long a, unsigned long long b,
                                         unsigned idesc, unsigned long long mask) {
    asm volatile("{ .reg .pred p; setp.ne.b32 p, 1, 0;"
                 " tcgen05.mma.ws.cta_group::1.kind::f16 [%0], %1, %2, %3, p, %4; }"
                 :: "r"(d), "l"(a), "l"(b), "r"(idesc), "l"(mask));
    asm volatile("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %0, 128;" :: "r"(d)); //~ ERROR zcm-mixed-group: `.cta_group::2`
}
